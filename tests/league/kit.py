"""What the league's tests are built from: users, bots, tournaments, and tables played without a sandbox."""

import secrets

from rest_framework.test import APIClient

from arena.players import REFERENCE
from arena.referee import Board as PlayedBoard
from arena.referee import Table as Referee
from arena.rules import Rules
from arena.seat import InProcessSeat
from league.accounts.services import sign_up
from league.bots import services as bots
from league.matches.models import Match
from league.matches.services import Played, store_table
from league.ratings.services import recompute  # noqa: F401 - for the tests
from league.tournaments import services as tournaments
from league.tournaments.models import Board, Table
from league.tournaments.tables import claim_table
from sandbox.check import Stage, StageResult, Status
from sandbox.reference import reference_package

PASSWORD = "correct horse battery"
QUICK = {"deals": 1, "tiebreak": "shared", "players": 3}


def user(name="ann", **columns):
    """A user who has signed up; `columns` are written after that."""
    made = sign_up(name, PASSWORD)
    for column, value in columns.items():
        setattr(made, column, value)
    made.save()
    return made


def client(as_user=None):
    """An API client; it raises nothing, so that a crash is seen as a visitor sees it."""
    api = APIClient(raise_request_exception=False)
    if as_user is not None:
        answer = api.post("/api/v1/tokens/", {"username": as_user.username, "password": PASSWORD})
        assert answer.status_code == 201, answer.content
        api.credentials(HTTP_AUTHORIZATION=f"Bearer {answer.json()['token']}")
    return api


def received(owner, name="Dodger", player="dodger"):
    """A version that waits for its check."""
    version, _ = bots.add_version(bots.create_bot(owner, name), reference_package(player))
    return version


def active(owner, name="Dodger", player="dodger"):
    """A version that has passed its check."""
    version = received(owner, name, player)
    return bots.finish_check(bots.claim_version(version.pk))


def open_tournament(organiser, name="Cup", boards=1, **rules):
    """A tournament that bots may enter."""
    draft = tournaments.create_tournament(organiser, name, {**QUICK, **rules}, boards)
    return tournaments.open_tournament(draft, organiser)


def running(organiser, entrants=3, boards=1, name="Cup", players=("lowest", "highest", "random"), **rules):
    """A tournament that has been started, and the ids of its tables."""
    tournament = open_tournament(organiser, name, boards, **rules)
    for number in range(entrants):
        version = active(organiser, f"{name} bot {number}", players[number % len(players)])
        tournaments.enter(tournament, version, organiser)
    return tournaments.start(tournament, organiser)


def played(table_id):
    """A table claimed and played by the real referee with the reference players in this process:
    (claim, versions, results), ready to be stored."""
    claim = claim_table(table_id)
    assert claim is not None
    table = Table.objects.get(pk=table_id)
    seats = table.seats.select_related("entrant__version__bot").order_by("seat")
    versions = [seat.entrant.version for seat in seats]
    rules = Rules.from_json(table.group.tournament.rules)
    players = [reference_player(version) for version in versions]
    referee = Referee(
        rules, [InProcessSeat(player) for player in players], new_id=lambda: secrets.token_hex(4)
    )
    results = []
    for board in Board.objects.filter(group=table.group).order_by("number"):
        record = referee.play(
            PlayedBoard(bytes.fromhex(board.seed)),
            match=secrets.token_hex(8),
            bots=[version.label for version in versions],
        )
        logs = [f"log of {version.label}" for version in versions]
        results.append(Played(board.pk, record, logs, "bubblewrap", 5.0))
    referee.close()
    return claim, [version.pk for version in versions], results


def reference_player(version):
    """The class of the reference player that a version was made of."""
    return next(REFERENCE[name] for name in REFERENCE if reference_package(name).digest == version.digest)


def stage(name="start", status="passed", **more):
    """What a stage of a check found."""
    plain = {"code": "ok", "message": "It runs.", "log": "", "duration_ms": 1.5}
    return StageResult(Stage(name), Status(status), **{**plain, **more})


def unplay():
    """Forget all results: every table is claimed, and waits for its result."""
    for match in Match.objects.all():
        match.seats.all().delete()
    Match.objects.all().delete()
    Table.objects.update(status="playing", token=1, lease_until="2100-01-01T00:00Z")


def play(table_id):
    """Play a table and store its results."""
    store_table(*played(table_id))

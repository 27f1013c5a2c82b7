"""What the league's tests are built from: users, bots, tournaments, and tables played without a sandbox."""

import secrets

from django.db.models import F
from rest_framework.test import APIClient

from arena.players import REFERENCE
from arena.referee import Board as PlayedBoard
from arena.referee import Table as Referee
from arena.rules import Rules
from arena.seat import Failure, FaultKind, InProcessSeat
from league.accounts.models import User
from league.accounts.services import sign_up
from league.bots import services as bots
from league.matches.models import Match
from league.matches.services import Played, store_table
from league.pipeline.rate import table_done
from league.ratings.models import Sheet
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
        body = {"username": as_user.username, "password": PASSWORD}
        if as_user.is_staff:
            body["scopes"] = ["read", "submit", "organise", "admin"]
        answer = api.post("/api/v1/tokens/", body)
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


def author(number):
    """One of as many authors as are wanted: entrants of one owner never share a rated table."""
    name = f"author {number}"
    return User.objects.filter(username=name).first() or user(name)


def open_tournament(organiser, name="Cup", boards=1, more=None, **rules):
    """A tournament that bots may enter; `more` is its format, options and so on."""
    draft = tournaments.create_tournament(organiser, name, {**QUICK, **rules}, boards, **(more or {}))
    return tournaments.open_tournament(draft, organiser)


def entered(tournament, entrants, players=("lowest", "highest", "random")):
    """Versions that have entered: the first is the organiser's, the others are an author's each."""
    versions = []
    for number in range(entrants):
        owner = author(number) if number else tournament.organiser
        versions.append(active(owner, f"{tournament.name} bot {number}", players[number % len(players)]))
        tournaments.enter(tournament, versions[-1], owner)
    return versions


def running(organiser, entrants=3, boards=1, name="Cup", more=None, **rules):
    """A tournament that has been started, and the ids of its tables."""
    tournament = open_tournament(organiser, name, boards, more, **rules)
    entered(tournament, entrants)
    return tournaments.start(tournament, organiser)


class Dead(InProcessSeat):
    """A seat whose program ends at once."""

    def ask(self, question, budget_ms):
        return Failure(FaultKind.CRASH, "it ended")


def played(table_id, dead=(), odd=None):
    """A table claimed and played by the real referee with the reference players in this process:
    (claim, versions, results), ready to be stored. The programs of `dead` versions end at once; `odd` has
    the kind of seat that a version has, by its id."""
    claim = claim_table(table_id)
    assert claim is not None
    table = Table.objects.get(pk=table_id)
    seats = table.seats.select_related("entrant__version__bot").order_by("seat")
    versions = [seat.entrant.version for seat in seats]
    rules = Rules.from_json(table.group.tournament.rules)
    kinds = {version.pk: Dead for version in dead} | (odd or {})
    seats = [kinds.get(version.pk, InProcessSeat)(reference_player(version)) for version in versions]
    referee = Referee(rules, seats, new_id=lambda: secrets.token_hex(4))
    results = []
    for board in Board.objects.filter(group=table.group, batch=table.batch).order_by("number"):
        record = referee.play(
            PlayedBoard(bytes.fromhex(board.seed)),
            match=secrets.token_hex(8),
            bots=[version.label for version in versions],
        )
        logs = [f"log of {version.label}" for version in versions]
        results.append(Played(board.pk, record, logs, "bubblewrap", 5.0, referee.clock_use()))
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
    Board.objects.update(complete=False)
    Sheet.objects.update(changes=F("changes") + 1)
    Table.objects.update(status="playing", token=1, lease_until="2100-01-01T00:00Z")


def play(table_id, dead=()):
    """Play a table and store its results."""
    store_table(*played(table_id, dead))


def play_all(tournament, dead=(), tables=10_000):
    """Play so many of the tables that wait, or all, round after round, each with what follows from it; gives
    the tournament as it is then."""
    for _ in range(tables):
        waiting = tournament.tables.filter(status="queued").order_by("pk").first()
        if waiting is None:
            break
        play(waiting.pk, dead)
        table_done(Table.objects.select_related("group", "tournament").get(pk=waiting.pk))
    tournament.refresh_from_db()
    return tournament

"""What the pages of a filled league show beside rows that were drawn (`bench.league_data`).

Records of matches that were really played, checks, a person's sittings, sessions, webhooks, and tournaments
that are yet to be played.
"""

import hashlib
import secrets
import zlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection, transaction
from django.utils import timezone

from arena.clock_use import ClockUse
from arena.players import REFERENCE
from arena.record import Record
from arena.referee import Board as PlayedBoard
from arena.referee import Table as Referee
from arena.rules import Rules
from arena.seat import Failure, FaultKind, InProcessSeat
from league.accounts.models import User
from league.accounts.tokens import issue
from league.bots.models import Check, Version
from league.ratings.models import Rating, Snapshot
from league.sittings.models import Sitting
from league.tournaments import services as tournaments
from league.tournaments.models import Entrant, PlayWorker, Tournament
from league.webhooks.events import PING
from league.webhooks.models import Delivery, Webhook
from league.webhooks.signing import new_salt
from sandbox.stages import Stage

PLAYERS = ("counter", "dodger", "lowest", "random")
BROWSERS = 500  # that are logged in
DELIVERIES = 200
#: What an older snapshot has as the current one has it; what of its ratings it has otherwise, or not.
SAME = ("matches", "blocks", "versions", "components", "parameters", "took_ms")
NOT_COPIED = ("id", "snapshot", "versus", "live")
WEBHOOKS = 10
FIELD = 200  # of the tournament that is under way, with nothing played yet


class Careless(InProcessSeat):
    """A seat whose program is late once."""

    asked = 0

    def ask(self, question: Any, budget_ms: float) -> Any:
        self.asked += 1
        if self.asked == 40:
            return Failure(FaultKind.TIMEOUT, "no reply in time")
        return super().ask(question, budget_ms)


@dataclass(frozen=True)
class Played:
    """A match, and its evidence."""

    record: Record
    clock: ClockUse


def play(rules: Rules, boards: int) -> dict[tuple[int, int], Played]:
    """A match of each of so many boards in each seating, by board (from 1) and seating (from 0)."""
    matches = {}
    for seating in range(rules.players):
        names = [PLAYERS[(seat + seating) % len(PLAYERS)] for seat in range(rules.players)]
        for board in range(1, boards + 1):
            kinds = [Careless if seat == board % 40 else InProcessSeat for seat in range(rules.players)]
            seats = [kind(REFERENCE[name]) for kind, name in zip(kinds, names, strict=True)]
            referee = Referee(rules, seats, new_id=lambda: secrets.token_hex(4))
            seed = hashlib.sha256(b"board %d" % board).digest()
            record = referee.play(
                PlayedBoard(seed), match=f"m{board}-{seating}", bots=[f"{name}#1" for name in names]
            )
            matches[board, seating] = Played(record, referee.clock_use())
            referee.close()
    return matches


def give_records(matches: dict[tuple[int, int], Played], where: str, *values: Any) -> None:
    """Give the matches of an SQL condition (on `match`) records and clocks of those that were played: to each
    that of its board's and its seating's number. How its seats did stays as it was drawn."""
    rows = [
        (board, seating, data, hashlib.sha256(data).hexdigest(), zlib.compress(one.clock.to_bytes()))
        for (board, seating), one in matches.items()
        for data in (one.record.to_bytes(),)
    ]
    theirs = (
        " FROM played, tournaments_board AS board, tournaments_table AS seated, {} AS match"
        " WHERE board.id = match.board_id AND seated.id = match.table_id"
        " AND played.board = board.number AND played.seating = seated.number AND " + where
    )
    with connection.cursor() as cursor:
        columns = "board int, seating int, record bytea, sha text, use bytea"
        cursor.execute(f"CREATE TEMP TABLE IF NOT EXISTS played ({columns})")
        cursor.execute("TRUNCATE played")
        cursor.executemany("INSERT INTO played VALUES (%s, %s, %s, %s, %s)", rows)
        cursor.execute(
            "INSERT INTO matches_matchclock (match_id, use) SELECT match.id, played.use"
            + theirs.format("matches_match")
            + " ON CONFLICT DO NOTHING",
            values,
        )
        cursor.execute(
            "UPDATE matches_match AS it SET record = played.record, sha256 = played.sha"
            + theirs.format("matches_match")
            + " AND it.id = match.id",
            values,
        )


def count_faults() -> None:
    """The faults that were drawn, by kind: all are timeouts."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO matches_faultcount (match_id, version_id, kind, count)"
            " SELECT match_id, version_id, 'timeout', faults FROM matches_matchseat WHERE faults > 0"
        )


def furnish(rules: Rules, record: Record, owner: User) -> None:
    """Give every version a check, and `owner` what a user can have, `record` as that of a sitting; begin
    tournaments of today."""
    with transaction.atomic():
        _checks()
        _today(rules, owner)
        _sittings(rules, record, owner)
        _account(owner)


def _checks() -> None:
    Check.objects.bulk_create(
        (
            Check(
                version_id=version,
                position=position,
                stage=stage,
                outcome="passed",
                code="ok",
                message="It is as it should be.",
                log="It said something on its standard error.\n" * 50,
                duration_ms=120,
            )
            for version in Version.objects.values_list("pk", flat=True)
            for position, stage in enumerate(map(str, Stage), start=1)
        ),
        batch_size=1000,
    )


def _today(rules: Rules, owner: User) -> None:
    """One that is under way and has all before it, one that is open with all bots, and a draft."""
    known = rules.to_json()
    names = ("Cup of today", "Cup of tomorrow", "Cup of some day")
    today, tomorrow, _ = (tournaments.create_tournament(owner, name, known, 5) for name in names)
    versions = list(Version.objects.select_related("bot").order_by("pk"))
    for cup, those in ((today, versions[:FIELD]), (tomorrow, versions)):
        Tournament.objects.filter(pk=cup.pk).update(
            options={"kind": "balanced", "meetings": None, "groups_each": 2}
        )
        tournaments.open_tournament(cup, owner)
        Entrant.objects.bulk_create(
            Entrant(tournament=cup, bot=version.bot, version=version) for version in those
        )
    tournaments.start(Tournament.objects.get(pk=today.pk), owner)
    PlayWorker.objects.create(name="worker", seen_at=timezone.now() + timedelta(days=1))


def _sittings(rules: Rules, record: Record, owner: User) -> None:
    versions = [None, *Version.objects.values_list("pk", flat=True)[: rules.players - 1]]
    course = msgspec.to_builtins(record)
    first = {**course["deals"][0], "tricks": course["deals"][0]["tricks"][:3]}
    legal = list(first["hands"][0])
    stands = [
        {
            "version_id": version,
            "deals": [{"points": 1, "playoff": False} for _ in record.deals],
            "total": len(record.deals),
            "rank": 1,
            "faults": 0,
        }
        for version in versions
        if version is not None
    ]
    shared = {
        "user": owner,
        "rules": rules.to_json(),
        "players": rules.players,
        "seat": 0,
        "versions": versions,
    }
    Sitting.objects.create(
        **shared, status="over", record=record.to_bytes(), course=course, comparison=stands
    )
    Sitting.objects.create(
        **shared,
        status="playing",
        lease_until=timezone.now() + timedelta(days=1),
        question={"number": 1, "kind": "card", "legal": legal, "mark": "bench"},
        asked_at=timezone.now(),
        course={**course, "deals": [first]},
    )


def _account(owner: User) -> None:
    issue(owner, "bench")
    hooks = [
        Webhook.objects.create(owner=owner, url=f"https://bench.invalid/{n}", events=["*"], salt=new_salt())
        for n in range(WEBHOOKS)
    ]
    Delivery.objects.bulk_create(
        Delivery(
            webhook=hooks[n % WEBHOOKS],
            event_id=secrets.token_hex(8),
            type=PING,
            body="{}",
            status="delivered",
            response_code=204,
            took_ms=20,
        )
        for n in range(DELIVERIES)
    )
    for user in User.objects.order_by("pk")[:BROWSERS]:
        for _ in range(max(1, BROWSERS // max(1, User.objects.count()))):
            _log_in(user)


def _log_in(user: User) -> None:
    session = SessionStore()
    session["_auth_user_id"] = str(user.pk)
    session.create()


def older_snapshots(many: int) -> None:
    """Give the pool so many snapshots before its current one, a day apart, all with its ratings."""
    current = Snapshot.objects.get(current_of__pool__isnull=False)
    older = [
        Snapshot(
            sheet=current.sheet,
            number=number,
            results_hash=hashlib.sha256(b"snapshot %d" % number).hexdigest(),
            computed_at=current.computed_at - timedelta(days=many + 1 - number),
            **{name: getattr(current, name) for name in SAME},
        )
        for number in range(1, many + 1)
    ]
    with transaction.atomic():
        Snapshot.objects.filter(pk=current.pk).update(number=many + 1)
        Snapshot.objects.bulk_create(older)
        columns = [field.column for field in Rating._meta.concrete_fields if field.name not in NOT_COPIED]
        names = ", ".join(connection.ops.quote_name(column or "") for column in columns)
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO ratings_rating (snapshot_id, {names}) SELECT snapshot.id, {names}"
                " FROM ratings_rating AS rating, unnest(%s::bigint[]) AS snapshot(id)"
                " WHERE rating.snapshot_id = %s",
                ([each.pk for each in older], current.pk),
            )

"""A league with very many matches, for a PostgreSQL that nobody else uses: most of it by COPY.

Strength and luck are drawn, not played; every record is the same few bytes (`bench.league_played` replaces
those that pages are asked for). What counts is that rows, keys and indexes are those of a real league.
`python -m bench.league` makes one and measures in it.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

import numpy as np
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.utils import timezone
from numpy.typing import NDArray

from arena.rules import Rules
from arena.schedule.plan import Format
from league.accounts.models import User
from league.bots.models import Bot, Version
from league.matches.models import Match, MatchSeat
from league.ratings.models import Sheet
from league.ratings.services import pool_for, sheet_of
from league.tournaments.models import Board, Entrant, Group, Table, TableSeat, Tournament

Column: TypeAlias = "NDArray[Any] | Sequence[Any] | str | int | bool | bytes | datetime | None"

PLAYERS = 4
BOARDS = 20  # a group
GROUPS = 250  # a tournament: 20,000 matches
OWNERS = 100
CHUNK = 200_000
#: One match in so many has a fault in each seat.
FAULTS = 200
SWISS_ROUNDS = 5
FEWEST = 6  # groups of a tournament, however small the league
#: The formats of the first tournaments; all others are as the first, which is under way.
FORMATS = (Format.ROUND_ROBIN, Format.SWISS, Format.DUEL)
RECORD = b'{"format":"polignac-record/1","a":"stand-in for a record"}'


def fill(matches: int, bots: int, say: Any = print) -> None:
    """Write a league of about so many matches (whole tournaments of at most 20,000) and so many bots."""
    chance = np.random.default_rng(7)
    each = PLAYERS * BOARDS
    groups = max(FEWEST, min(GROUPS, matches // each // (len(FORMATS) + 1)))
    tournaments = max(len(FORMATS) + 1, round(matches / (groups * each)))
    with transaction.atomic(), connection.cursor() as cursor:
        # Rows are right by construction; to look each up again would take most of the time.
        cursor.execute("SET LOCAL session_replication_role = replica")
        owners, versions = _bots(bots)
        rules = Rules.make(players=PLAYERS, deals=4)
        pool = pool_for(rules)
        cups = _tournaments(tournaments, pool, rules.to_json(), owners, versions)
        for cup in cups:
            sheet_of(cup)
        sheet_of(pool)
        Sheet.objects.update(changes=1)
        say(f"{len(cups)} tournaments, {bots} bots")
        members = np.concatenate([_members(cup, groups, bots, chance) for cup in cups])
        entrants = _entrants(cups, versions, members.reshape(tournaments, -1))
        _plan(cups, groups, members, entrants)
        say("plans written")
        strength = chance.normal(0.0, 1.0, bots)
        _matches(
            [cup.pk for cup in cups], groups, members, np.array([v.pk for v in versions]), strength, chance
        )
        _restart_sequences(cursor)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _bots(bots: int) -> tuple[list[Any], list[Any]]:
    owners = User.objects.bulk_create(
        User(username=f"owner {n}", username_key=f"owner {n}", password="!") for n in range(OWNERS)
    )
    rows = Bot.objects.bulk_create(
        Bot(owner=owners[n % OWNERS], name=f"Bot {n}", name_key=f"bot {n}") for n in range(bots)
    )
    versions = Version.objects.bulk_create(
        Version(
            bot=bot,
            number=1,
            status="active",
            digest=hashlib.sha256(str(bot.pk).encode()).hexdigest(),
            archive=hashlib.sha256(str(bot.pk).encode()).hexdigest(),
            language="python",
            size_bytes=1000,
        )
        for bot in rows
    )
    return owners, versions


def _tournaments(
    many: int, pool: Any, rules: dict[str, Any], owners: list[Any], versions: list[Any]
) -> list[Any]:
    now = timezone.now()
    options: dict[str, dict[str, Any]] = {
        Format.ROUND_ROBIN: {"kind": "balanced", "meetings": None, "groups_each": 1},
        Format.SWISS: {"rounds": SWISS_ROUNDS},
        Format.DUEL: {"first": versions[0].pk, "second": versions[1].pk, "groups": 6},
    }
    formats = [*FORMATS, *[FORMATS[0]] * (many - len(FORMATS))]
    return Tournament.objects.bulk_create(
        Tournament(
            organiser=owners[n % OWNERS],
            name=f"Cup {n}",
            name_key=f"cup {n}",
            status="running" if n == 0 else "finished",
            rules=rules,
            players=PLAYERS,
            boards=BOARDS,
            pool=pool,
            round=SWISS_ROUNDS if formats[n] == Format.SWISS else 1,
            last=True,
            started_at=now,
            ended_at=None if n == 0 else now,
            format=str(formats[n]),
            options=options[formats[n]],
        )
        for n in range(many)
    )


def _members(cup: Any, groups: int, bots: int, chance: np.random.Generator) -> NDArray[Any]:
    """(groups, players) who plays with whom: in a swiss everyone once a round, in a duel two always."""
    if cup.format == Format.SWISS:
        field = chance.permutation(bots)[: PLAYERS * max(1, groups // SWISS_ROUNDS)]
        rounds = [chance.permutation(field) for _ in range(SWISS_ROUNDS + 1)]
        return np.concatenate(rounds).reshape(-1, PLAYERS)[:groups]
    if cup.format == Format.DUEL:
        others = np.array([2 + chance.permutation(bots - 2)[: PLAYERS - 2] for _ in range(groups)])
        return np.concatenate([np.tile([0, 1], (groups, 1)), others], axis=1)
    return np.array([chance.permutation(bots)[:PLAYERS] for _ in range(groups)])


def _entrants(cups: list[Any], versions: list[Any], members: NDArray[Any]) -> NDArray[np.int64]:
    """(cups, bots) the ids of the entrants: all bots, in a swiss or a duel those who play."""
    there = np.ones((len(cups), len(versions)), bool)
    for at, cup in enumerate(cups):
        if cup.format != Format.ROUND_ROBIN:
            there[at] = np.isin(np.arange(len(versions)), members[at])
    cup_at, bot_at = np.nonzero(there)
    count = len(cup_at)
    ids = np.zeros(there.shape, np.int64)
    ids[there] = np.arange(1, count + 1)
    copy(
        Entrant,
        count,
        id=np.arange(1, count + 1),
        tournament_id=np.array([cup.pk for cup in cups])[cup_at],
        bot_id=np.array([version.bot_id for version in versions])[bot_at],
        version_id=np.array([version.pk for version in versions])[bot_at],
        seeded=bot_at + 1,
    )
    return ids


def _plan(cups: list[Any], groups: int, members: NDArray[Any], entrants: NDArray[np.int64]) -> None:
    many = len(members)
    cup = np.repeat(np.arange(len(cups)), groups)
    pks = np.array([each.pk for each in cups])
    numbers = np.arange(groups)
    rounds = np.minimum(SWISS_ROUNDS, 1 + numbers // max(1, groups // SWISS_ROUNDS))
    copy(
        Group,
        many,
        id=np.arange(1, many + 1),
        tournament_id=pks[cup],
        number=np.tile(numbers + 1, len(cups)),
        round=np.concatenate(
            [rounds if each.format == Format.SWISS else np.ones(groups, int) for each in cups]
        ),
        seatings=PLAYERS,
    )
    boards = many * BOARDS
    seeds = [hashlib.sha256(b"seed %d" % n).hexdigest() for n in range(boards)]
    copy(
        Board,
        boards,
        id=np.arange(1, boards + 1),
        group_id=np.repeat(np.arange(1, many + 1), BOARDS),
        number=np.tile(np.arange(1, BOARDS + 1), many),
        seed=seeds,
        commitment=[seed[::-1] for seed in seeds],
        complete=True,
    )
    tables = many * PLAYERS
    copy(
        Table,
        tables,
        id=np.arange(1, tables + 1),
        tournament_id=np.repeat(pks[cup], PLAYERS),
        group_id=np.repeat(np.arange(1, many + 1), PLAYERS),
        number=np.tile(np.arange(PLAYERS), many),
        boards=BOARDS,
        status="done",
    )
    seated = np.stack([np.roll(members, -turn, axis=1) for turn in range(PLAYERS)], axis=1)
    copy(
        TableSeat,
        tables * PLAYERS,
        id=np.arange(1, tables * PLAYERS + 1),
        table_id=np.repeat(np.arange(1, tables + 1), PLAYERS),
        seat=np.tile(np.arange(PLAYERS), tables),
        entrant_id=entrants[cup[:, None, None], seated].ravel(),
    )


def _matches(  # noqa: PLR0917 - what was drawn before
    cups: list[int],
    groups: int,
    members: NDArray[Any],
    versions: NDArray[Any],
    strength: NDArray[Any],
    chance: np.random.Generator,
) -> None:
    many = len(members)
    count = many * PLAYERS * BOARDS
    digest = hashlib.sha256(RECORD).hexdigest()
    for first in range(0, count, CHUNK):
        at = np.arange(first, min(first + CHUNK, count))
        group, seating, board = at // (PLAYERS * BOARDS), at // BOARDS % PLAYERS, at % BOARDS
        copy(
            Match,
            len(at),
            id=at + 1,
            tournament_id=np.array(cups)[group // groups],
            table_id=group * PLAYERS + seating + 1,
            board_id=group * BOARDS + board + 1,
            name=[f"m{n}" for n in at],
            ended="deals",
            deals=4,
            record=RECORD,
            sha256=digest,
            backend="bubblewrap",
            played_at=[datetime.fromtimestamp(1_790_000_000 + n // 7, UTC) for n in at.tolist()],
            duration_ms=chance.integers(200, 2000, len(at)),
        )
        turn = (np.arange(PLAYERS) + seating[:, None]) % PLAYERS
        who = np.take_along_axis(members[group], turn, axis=1)
        # Whole points, so that there are ties; 1.25 a deal on the average.
        points = np.maximum(0, np.rint(5 - strength[who] + chance.normal(0, 2.0, who.shape))).astype(int)
        rank = 1 + (points[:, None, :] < points[:, :, None]).sum(axis=2)
        copy(
            MatchSeat,
            who.size,
            id=np.arange(first * PLAYERS, first * PLAYERS + who.size) + 1,
            match_id=np.repeat(at + 1, PLAYERS),
            seat=np.tile(np.arange(PLAYERS), len(at)),
            version_id=versions[who].ravel(),
            total=points.ravel(),
            rank=rank.ravel(),
            faults=np.repeat(chance.integers(0, FAULTS, len(at)) == 0, PLAYERS).astype(int),
        )


def copy(model: type[models.Model], count: int, **columns: Column) -> None:
    """COPY so many rows: a column is each row's value, or one for all; else it has the model's default."""
    names, template, varying = [], [], []
    for field in model._meta.concrete_fields:
        value = columns.pop(field.attname) if field.attname in columns else field.get_default()
        names.append(connection.ops.quote_name(field.column or ""))
        if isinstance(value, np.ndarray | list):
            assert len(value) == count, field.attname
            varying.append(value.tolist() if isinstance(value, np.ndarray) else value)
            template.append("%s")
        else:
            template.append(_text(value).replace("%", "%%"))
    assert not columns, f"{model.__name__} has no {', '.join(columns)}"
    line = ("\t".join(template) + "\n").__mod__
    table = connection.ops.quote_name(model._meta.db_table)
    statement = f"COPY {table} ({', '.join(names)}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as into:
        for first in range(0, count, CHUNK):
            rows = zip(*(column[first : first + CHUNK] for column in varying), strict=True)
            into.write("".join(map(line, rows)))


def _text(value: Any) -> str:
    if value is None:
        return r"\N"
    if isinstance(value, bytes):
        return rf"\\x{value.hex()}"
    return str(value)


def _restart_sequences(cursor: Any) -> None:
    for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
        cursor.execute(statement)

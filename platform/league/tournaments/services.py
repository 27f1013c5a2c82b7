"""What changes about tournaments: from the draft to the end. See league.tournaments.planning for the plan."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from arena.protocol import ClockLimits
from arena.rules import Rules, RulesError
from league.accounts.models import User
from league.bots.lifecycle import VersionStatus
from league.bots.models import Version
from league.common.errors import Conflict, Forbidden, Invalid
from league.common.lifecycle import lock, move, move_all
from league.common.text import clean_name, name_key
from league.tournaments import planning
from league.tournaments.duration import most_boards
from league.tournaments.lifecycle import OVER, TableStatus, TournamentStatus
from league.tournaments.models import MAX_BOARDS, Entrant, Table, Tournament

CLOCK = ClockLimits()
UNFINISHED = (TableStatus.QUEUED, TableStatus.PLAYING, TableStatus.PARKED)


def create_tournament(organiser: User, name: str, rules: Mapping[str, Any], boards: int) -> Tournament:
    """A new draft.

    Raises Invalid for rules that can't be played (naming the option) or more boards than a table can play in
    its time, Conflict for a name that is taken.
    """
    name = clean_name(name)
    try:
        resolved = Rules.from_json(rules)
    except RulesError as error:
        raise Invalid("bad_rules", str(error), f"rules.{error.option}") from None
    most = min(MAX_BOARDS, most_boards(resolved, CLOCK, settings.PLAY_LIMIT_S))
    if not 1 <= boards <= most:
        raise Invalid("bad_boards", f"With these rules a group plays 1 to {most} boards.", "boards")
    try:
        with transaction.atomic():
            return Tournament.objects.create(
                organiser=organiser,
                name=name,
                name_key=name_key(name),
                rules=resolved.to_json(),
                players=resolved.players,
                boards=boards,
            )
    except IntegrityError:
        raise Conflict(
            "name_taken", "There is a tournament of that name, or one that looks like it.", "name"
        ) from None


@transaction.atomic
def open_tournament(tournament: Tournament, by: User) -> Tournament:
    """Let bots enter. Opening an open one changes nothing. Raises Forbidden, Conflict."""
    now = _own(tournament, by)
    return now if now.status == TournamentStatus.OPEN else move(now, TournamentStatus.OPEN, by=by)


@transaction.atomic
def enter(tournament: Tournament, version: Version, by: User) -> tuple[Entrant, bool]:
    """Enter a version, and tell whether it is new: entering the same one again changes nothing.

    Raises Forbidden for somebody else's bot, Conflict when the tournament isn't open, the version isn't
    active, or another version of the bot is entered.
    """
    if version.bot.owner_id != by.pk:
        raise Forbidden("not_yours", "Only the owner of a bot can enter it.")
    now = lock(tournament)
    entered = Entrant.objects.filter(tournament=now, bot=version.bot_id).first()
    if entered and entered.version_id == version.pk:
        return entered, False
    _must_be_open(now)
    if version.status != VersionStatus.ACTIVE:
        raise Conflict(
            "not_active", f"{version} is {version.status}; only an active version can be entered.", "version"
        )
    if entered:
        raise Conflict(
            "bot_entered", f"{entered.version} of this bot is entered; withdraw it first.", "version"
        )
    return Entrant.objects.create(tournament=now, bot=version.bot, version=version), True


@transaction.atomic
def withdraw(entrant: Entrant, by: User) -> None:
    """Take an entry back while the tournament is open. Raises Forbidden, Conflict."""
    if by.pk not in {entrant.bot.owner_id, entrant.tournament.organiser_id} and not by.is_staff:
        raise Forbidden("not_yours", "Only the owner of a bot, or the organiser, can withdraw it.")
    _must_be_open(lock(entrant.tournament))
    Entrant.objects.filter(pk=entrant.pk).delete()


@transaction.atomic
def start(tournament: Tournament, by: User) -> tuple[Tournament, list[int]]:
    """Plan all groups, boards and tables in one transaction; returns also the ids of the tables to play.

    Starting a running one changes nothing, and gives no tables. Raises Forbidden, Conflict.
    """
    now = _own(tournament, by)
    if now.status == TournamentStatus.RUNNING:
        return now, []
    _must_be_open(now)
    pool, tables = planning.plan(now)
    now = move(now, TournamentStatus.RUNNING, by=by, pool=pool, started_at=timezone.now())
    return now, tables


@transaction.atomic
def cancel(tournament: Tournament, by: User) -> Tournament:
    """Stop it for good: tables that aren't done are cancelled, completed blocks still count.

    Cancelling a cancelled one changes nothing. Raises Forbidden, Conflict.
    """
    now = _own(tournament, by)
    if now.status == TournamentStatus.CANCELLED:
        return now
    now = move(now, TournamentStatus.CANCELLED, by=by, ended_at=timezone.now())
    move_all(
        Table.objects.filter(group__tournament=now),
        TableStatus.CANCELLED,
        text="the tournament was cancelled",
        lease_until=None,
    )
    return now


@transaction.atomic
def finish_if_done(tournament: Tournament) -> bool:
    """Finish a running tournament of which every table is done. Tells whether it did."""
    now = lock(tournament)
    tables = Table.objects.filter(group__tournament=now)
    if now.status != TournamentStatus.RUNNING or tables.filter(status__in=UNFINISHED).exists():
        return False
    move(now, TournamentStatus.FINISHED, ended_at=timezone.now())
    return True


def _own(tournament: Tournament, by: User) -> Tournament:
    """The tournament, locked, if it is this user's to steer."""
    if tournament.organiser_id != by.pk and not by.is_staff:
        raise Forbidden("not_yours", "Only the organiser can do this.")
    return lock(tournament)


def _must_be_open(tournament: Tournament) -> None:
    if tournament.status != TournamentStatus.OPEN:
        when = "is over" if tournament.status in OVER else f"is {tournament.status}"
        raise Conflict(
            "not_open", f"The tournament {when} (status {tournament.status}); this needs an open one."
        )

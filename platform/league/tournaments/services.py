"""What changes about tournaments: from the draft to the start. What follows: `steering`, `advancing`."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from arena.rules import Rules
from arena.schedule import ScheduleError
from arena.schedule.formats import count, next_round
from arena.schedule.plan import Format
from league.accounts.models import User
from league.bots.lifecycle import VersionStatus
from league.bots.models import Version
from league.common.errors import Conflict, Forbidden
from league.common.lifecycle import lock, move, move_all
from league.common.text import clean_name, name_key
from league.ratings.services import pool_for
from league.tournaments.drafts import draft
from league.tournaments.history import skills_of
from league.tournaments.leaving import break_off
from league.tournaments.lifecycle import OVER, UNDER_WAY, EntrantStatus, TableStatus, TournamentStatus
from league.tournaments.models import Entrant, Table, Tournament
from league.tournaments.planning import field_of, refusal, seed_field, setup_of, write_round
from league.tournaments.quotas import OPEN, TABLES

MAX_TABLES = 20_000


def create_tournament(
    organiser: User, name: str, rules: Mapping[str, Any], boards: int, **more: Any
) -> Tournament:
    """A new draft; `more` is what `draft` takes.

    Raises what `draft` does, Conflict for a name that is taken, and OverQuota.
    """
    tournament = draft(rules, boards, **more)
    tournament.organiser, tournament.name = organiser, clean_name(name)
    tournament.name_key = name_key(tournament.name)
    try:
        with transaction.atomic():
            OPEN.check(organiser)
            tournament.save()
    except IntegrityError:
        raise Conflict(
            "name_taken", "There is a tournament of that name, or one that looks like it.", "name"
        ) from None
    return tournament


@transaction.atomic
def open_tournament(tournament: Tournament, by: User) -> Tournament:
    """Let bots enter. Opening an open one changes nothing. Raises Forbidden, Conflict."""
    now = own(tournament, by)
    return now if now.status == TournamentStatus.OPEN else move(now, TournamentStatus.OPEN, by=by)


@transaction.atomic
def enter(tournament: Tournament, version: Version, by: User) -> tuple[Entrant, bool]:
    """Enter a version, and tell whether it is new: entering the same one again changes nothing.

    Into an open tournament, or a ladder until it is told to end; there one that withdrew may come back.
    Raises Forbidden for somebody else's bot, Conflict when the tournament takes none, the version isn't
    active or was disqualified, or another version of the bot is entered (a duel takes the two it is about).
    """
    if version.bot.owner_id != by.pk:
        raise Forbidden("not_yours", "Only the owner of a bot can enter it.")
    version = lock(version)  # before the tournament, as in `leaving.disqualify_version`
    now = lock(tournament)
    before = Entrant.objects.filter(tournament=now, version=version).first()
    if before and before.status == EntrantStatus.ENTERED:
        return before, False
    if not (now.format == Format.LADDER and now.status in UNDER_WAY and not now.last):
        must_be_open(now)
    if version.status != VersionStatus.ACTIVE:
        raise Conflict(
            "not_active",
            f"{version} is {version.status}; only an active version can be entered.",
            "version",
            state=version.state(),
        )
    _check_twins(now, version)
    if before is None:
        return Entrant.objects.create(tournament=now, bot=version.bot, version=version), True
    if before.status == EntrantStatus.DISQUALIFIED:
        raise Conflict("disqualified", f"{version} was disqualified here; enter a better version.", "version")
    return move(before, EntrantStatus.ENTERED, by=by), True


def _check_twins(tournament: Tournament, version: Version) -> None:
    twins = Entrant.objects.filter(tournament=tournament, bot=version.bot_id, status=EntrantStatus.ENTERED)
    if tournament.format == Format.DUEL:
        pair = {tournament.options["first"], tournament.options["second"]}
        twins = twins.exclude(version__in=pair) if version.pk in pair else twins
    if twin := twins.first():
        raise Conflict(
            "bot_entered",
            f"{twin.version} of this bot is entered; withdraw it first.",
            "version",
            state={"entrant": twin.pk, "version": twin.version_id},
        )


@transaction.atomic
def withdraw(entrant: Entrant, by: User, why: str = "") -> None:
    """Take an entry back. From an open tournament it vanishes. From one that runs it plays no more: its
    groups that aren't complete are broken off, what is complete still counts.

    Withdrawing again changes nothing. Raises Forbidden, Conflict when the tournament is over.
    """
    if by.pk not in {entrant.bot.owner_id, entrant.tournament.organiser_id} and not by.is_staff:
        raise Forbidden("not_yours", "Only the owner of a bot, or the organiser, can withdraw it.")
    tournament = lock(entrant.tournament)
    if tournament.status in OVER or tournament.status == TournamentStatus.DRAFT:
        must_be_open(tournament)
    if tournament.status == TournamentStatus.OPEN:
        Entrant.objects.filter(pk=entrant.pk).delete()
    elif lock(entrant).status == EntrantStatus.ENTERED:
        move(entrant, EntrantStatus.WITHDRAWN, by=by, text=why)
        break_off(entrant, "an entrant withdrew")


@transaction.atomic
def start(tournament: Tournament, by: User) -> tuple[Tournament, list[int]]:
    """Plan the first round in one transaction; returns also the ids of its tables.

    Starting a running one changes nothing, and gives no tables. Raises Forbidden, Conflict, OverQuota.
    """
    now = own(tournament, by)
    if now.status == TournamentStatus.RUNNING:
        return now, []
    must_be_open(now)
    _check_versions(now)
    if now.rated:
        now.pool = pool_for(Rules.from_json(now.rules))
    seed_field(now)
    setup, field = setup_of(now), field_of(now)
    try:
        if (tables := count(setup, field).tables) > MAX_TABLES:
            raise Conflict("too_many_tables", f"This makes {tables} tables; {MAX_TABLES} is the most.")
        first = next_round(setup, field, [], skills_of(now))
    except ScheduleError as error:
        raise refusal(error) from None
    if first is None:
        raise Conflict("too_few_entrants", "There is nothing to play in this field.")
    TABLES.check(now.organiser, sum(len(group.seatings) for group in first.groups))
    written = write_round(now, first)
    now = move(
        now,
        TournamentStatus.RUNNING,
        by=by,
        pool=now.pool,
        round=first.number,
        last=first.last,
        started_at=timezone.now(),
    )
    return now, written


def _check_versions(tournament: Tournament) -> None:
    for entrant in tournament.entrants.select_related("version__bot"):
        if entrant.version.status != VersionStatus.ACTIVE:
            raise Conflict(
                "not_active",
                f"{entrant.version} is {entrant.version.status}; withdraw it first.",
                state=entrant.version.state(),
            )


@transaction.atomic
def cancel(tournament: Tournament, by: User, why: str = "") -> Tournament:
    """Stop it for good: tables that aren't done are cancelled, completed blocks still count.

    Raises Forbidden, Conflict.
    """
    now = own(tournament, by)
    if now.status == TournamentStatus.CANCELLED:
        return now
    now = move(now, TournamentStatus.CANCELLED, by=by, text=why, ended_at=timezone.now())
    move_all(
        Table.objects.filter(tournament=now),
        TableStatus.CANCELLED,
        text="the tournament was cancelled",
        lease_until=None,
    )
    return now


def own(tournament: Tournament, by: User) -> Tournament:
    """The tournament, locked, if it is this user's to steer. Raises Forbidden."""
    if tournament.organiser_id != by.pk and not by.is_staff:
        raise Forbidden("not_yours", "Only the organiser can do this.")
    return lock(tournament)


def must_be_open(tournament: Tournament) -> None:
    """Raises Conflict, with the present state, for one that isn't open."""
    if tournament.status != TournamentStatus.OPEN:
        raise wrong_state(tournament, "an open one")


def wrong_state(tournament: Tournament, needed: str) -> Conflict:
    """What is raised when a tournament's status does not allow an action, which needs it to be otherwise."""
    text = f"The tournament is {tournament.status}; this needs {needed}."
    return Conflict("wrong_state", text, state=tournament.state())

"""A sitting: claimed, played with its person, stored; then the same cards with each bot in that place."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from django.conf import settings

from arena.audit import audit
from arena.record import DealRecord, Record
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import Seat
from league.accounts.models import User
from league.bots.models import Version
from league.common.claims import Claim
from league.common.errors import Lost
from league.pipeline.going import going_down
from league.pipeline.heartbeat import Heartbeat
from league.pipeline.patience import insist
from league.pipeline.person import Away, Changed, PersonSeat
from league.pipeline.play import cause, seat_of
from league.pipeline.queue import SIT, nudge
from league.sittings import services
from league.sittings.lifecycle import SittingStatus
from league.sittings.models import Sitting
from league.sittings.selectors import bots_of
from league.sittings.services import Stand
from league.tournaments.drafts import CLOCK
from sandbox.ids import unguessable

log = logging.getLogger(__name__)
LOST_WORKER = "worker_lost: the lease ran out"


class GoingDown(Exception):
    """The worker is told to end: another plays on."""


def begin(user: User, rules: dict[str, object], versions: Sequence[int], seat: int | None) -> Sitting:
    """Sit down, and have a worker come."""
    sitting = services.begin(user, rules, versions, seat)
    nudge(SIT, [sitting.pk])
    return sitting


def sit(sitting_id: int) -> None:
    """Play a sitting that waits, to its end; then, and where that is all that is left, compare.

    Losing the claim is a normal end: its person has left.
    """
    claim = services.claim(sitting_id)
    if claim is not None:
        _hold(claim)
    bare = Sitting.objects.filter(pk=sitting_id, status=SittingStatus.OVER, comparison__isnull=True).first()
    if bare is not None:
        try:
            services.compare(bare, _stands(bare))
        except Exception:  # `reconcile` has it tried again
            log.exception("sitting %d was not compared", sitting_id)


def _hold(claim: Claim) -> None:
    sitting = Sitting.objects.select_related("user").get(pk=claim.pk)
    try:
        with Heartbeat(Sitting, claim) as heart:
            record, person = _play(sitting, claim, heart)
        insist(partial(services.finish, claim, record, person.sight.told()))
    except Lost:
        log.info("sitting %d is in other hands, or was left", claim.pk)
    except Away:
        _let_go(partial(services.give_up, claim, services.AWAY))
    except GoingDown:
        _let_go(partial(services.give_back, claim, "the worker goes down", blameless=True))
        nudge(SIT, [claim.pk])
    except Exception as error:  # whatever it is, it is not a bot's fault, nor the person's
        log.exception("sitting %d was not played", claim.pk)
        _let_go(partial(services.give_back, claim, cause(error), final=isinstance(error, Changed)))
        nudge(SIT, [claim.pk])


def _let_go(action: Callable[[], object]) -> None:
    try:
        insist(action)
    except Lost:
        log.info("the sitting is in other hands, or was left")


def _play(sitting: Sitting, claim: Claim, heart: Heartbeat) -> tuple[Record, PersonSeat]:
    def check() -> None:
        heart.check()
        if going_down():
            raise GoingDown

    rules = Rules.from_json(sitting.rules)
    given = [(text, mark) for text, mark in sitting.answers]
    person = PersonSeat(claim, rules, given, settings.SITTING_IDLE_S, check)
    return _refereed(sitting, bots_of(sitting), person), person


def _refereed(sitting: Sitting, bots: Sequence[Version | None], person: Seat | None = None) -> Record:
    """The sitting's cards, played by these bots by seat, and the person where there is none.

    The bots have no core of their own: those are for tables, which must not wait for people.
    """
    seats: list[Seat] = []
    for number, version in enumerate(bots):
        if version is None:
            assert person is not None
            seats.append(person)
        else:
            seats.append(seat_of(version, None, f"sitting-{sitting.pk}-{sitting.token}-{number}"))
    names = [sitting.user.username if version is None else version.label for version in bots]
    referee = Table(Rules.from_json(sitting.rules), seats, clock=CLOCK, new_id=unguessable())
    try:
        record = referee.play(Board(bytes.fromhex(sitting.seed)), match=f"sitting-{sitting.pk}", bots=names)
    finally:
        referee.close()
    audit(record)
    return record


def _stands(sitting: Sitting) -> list[Stand]:
    """Each of its bots in the person's place, the others where they were; who then sits twice has a process
    for each seat."""
    bots = bots_of(sitting)
    chosen = {version.pk: version for version in bots if version is not None}
    stands = []
    for version in chosen.values():
        record = _refereed(sitting, [bot or version for bot in bots])
        stands.append(_stand(record, sitting.seat, version.pk))
    return stands


def _stand(record: Record, seat: int, version: int) -> Stand:
    def points(deal: DealRecord) -> int | None:
        return deal.points[deal.seats.index(seat)] if seat in deal.seats else None

    return {
        "version_id": version,
        "deals": [{"points": points(deal), "playoff": deal.playoff} for deal in record.deals],
        "total": record.totals[seat],
        "rank": record.ranks[seat],
        "faults": sum(fault.seat == seat for fault in record.faults),
    }


def reconcile(now: datetime) -> None:
    """Give back what lost workers had, send lost messages again, end what nobody came for."""
    playing = Sitting.objects.filter(status=SittingStatus.PLAYING, lease_until__lt=now).order_by("pk")
    for row in playing:
        try:
            services.give_back(Claim(row.pk, row.token, row.attempt), LOST_WORKER, expired=now)
        except Lost:
            continue
        nudge(SIT, [row.pk])
        log.warning("sitting %d: %s", row.pk, LOST_WORKER)
    nudge(SIT, services.overlooked(now))

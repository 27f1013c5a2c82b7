"""What changes about sittings: its person begins, answers, leaves; a worker claims, asks, ends.

When a worker is lost, or goes down, the sitting waits for another, which plays the same cards again: the
person's answers are given again, the bots are asked anew. Bots that keep to their `luck` (protocol.md) play
the same way, and nobody notices; where one does not, the course has changed, and the sitting is parked.
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypedDict

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from arena.record import Record
from arena.rules import Rules, RulesError
from league.accounts.models import User
from league.accounts.quotas import Quota
from league.bots.lifecycle import VersionStatus
from league.bots.models import Version
from league.bots.selectors import versions_seen_by
from league.common.claims import Claim, lease_end
from league.common.errors import Conflict, IllegalMove, Invalid, Lost, Unavailable
from league.common.lifecycle import lock, move
from league.common.signals import changed
from league.common.text import clipped
from league.sittings.lifecycle import OPEN, SittingStatus
from league.sittings.models import COMPARED_FOR, Sitting

AWAY = "Its person was away for too long."
NO_WORKER = "No worker had time for it."


def _open(user: User) -> int:
    return Sitting.objects.filter(user=user, status__in=OPEN).count()


SITTINGS = Quota("open_sittings", "SITTINGS_A_USER", "sittings", _open, "Play it to its end, or leave it.")


class Stand(TypedDict):
    """How a bot fared in the person's place: of each deal its `points` (None where it sat out) and whether it
    was a `playoff`; then as in a record."""

    version_id: int
    deals: list[dict[str, Any]]
    total: int
    rank: int
    faults: int


# -- its person --------------------------------------------------------------------------------------------


def begin(user: User, rules: Mapping[str, Any], versions: Sequence[int], seat: int | None = None) -> Sitting:
    """Sit down: the bots in the order of the seats, the person at `seat`, or wherever chance will have it.

    Raises Invalid, Conflict where a version is not active, OverQuota, Unavailable where all seats are taken.
    """
    try:
        resolved = Rules.from_json(rules)
    except RulesError as error:
        raise Invalid("bad_rules", str(error), f"rules.{error.option}") from None
    players = resolved.players
    if len(versions) != players - 1:
        raise Invalid("invalid", f"With {players} players name {players - 1} versions.", "versions")
    if seat is not None and seat >= players:
        raise Invalid("invalid", f"The seats are 0 to {players - 1}.", "seat")
    found = versions_seen_by(user).in_bulk(list(versions))
    for version in versions:
        _must_play(found.get(version), version)
    place = secrets.randbelow(players) if seat is None else seat
    with transaction.atomic():
        SITTINGS.check(user)
        if Sitting.objects.filter(status__in=OPEN).count() >= settings.MAX_SITTINGS:
            text = f"All {settings.MAX_SITTINGS} seats for people are taken; try again in some minutes."
            raise Unavailable("unavailable", text, retry_after_s=60)
        return Sitting.objects.create(
            user=user,
            rules=resolved.to_json(),
            players=players,
            seat=place,
            versions=[*versions[:place], None, *versions[place:]],
        )


def _must_play(version: Version | None, pk: int) -> None:
    if version is None:
        raise Invalid("invalid", f"There is no version {pk}.", "versions")
    if version.status != VersionStatus.ACTIVE:
        state = {"status": version.status}
        raise Conflict("not_active", f"{version.label} is {version.status}.", "versions", state=state)


@transaction.atomic
def answer(sitting: Sitting, kind: str, text: str, number: int) -> Sitting:
    """Answer the question of that number with a bid or a card.

    Raises Conflict where that is not what is asked (a double click, an old page), Invalid for what may not be
    bid or played: it names what may.
    """
    now = lock(sitting)
    asked = now.asked
    if asked is None or asked["number"] != number or asked["kind"] != kind:
        if asked:
            text = f"You are asked for a {asked['kind']}; it is question {asked['number']}."
        else:
            text = "You are not asked anything at present."
        raise Conflict("not_asked", text, state=now.state())
    if text not in asked["legal"]:
        raise Invalid("illegal_answer", f"You may choose: {', '.join(asked['legal'])}.", kind)
    now.answers = [*now.answers, [text, asked["mark"]]]
    now.save(update_fields=["answers"])
    changed.send(Sitting, row=now, what="answered")
    return now


def leave(sitting: Sitting, by: User | None = None, text: str = "") -> Sitting:
    """Get up: it is abandoned. One that is over stays as it is."""
    with transaction.atomic():
        now = lock(sitting)
        if now.status not in OPEN:
            return now
        return move(now, SittingStatus.ABANDONED, by=by, text=text, lease_until=None)


# -- its worker --------------------------------------------------------------------------------------------


def claim(sitting_id: int) -> Claim | None:
    """Take a sitting that waits. None when it doesn't: a normal end."""
    row = Sitting.objects.filter(pk=sitting_id, status=SittingStatus.WAITING).first()
    if row is None:
        return None
    mine = Claim(row.pk, row.token + 1, row.attempt + 1)
    columns: dict[str, Any] = {
        "token": mine.token,
        "attempt": mine.attempt,
        "lease_until": lease_end(),
        "question": None,
    }
    try:
        move(row, SittingStatus.PLAYING, only_if={"token": row.token}, **columns)
    except (Lost, IllegalMove):
        return None
    return mine


@transaction.atomic
def ask(claim: Claim, question: Mapping[str, Any], course: Mapping[str, Any]) -> None:
    """Put a question to the person. Raises Lost."""
    now = lock(Sitting(pk=claim.pk))
    _must_have(now, claim)
    now.question, now.course, now.asked_at = dict(question), dict(course), timezone.now()
    now.save(update_fields=["question", "course", "asked_at"])
    changed.send(Sitting, row=now, what="asked")


def answer_to(claim: Claim, number: int) -> str | None:
    """What the person has answered; None so far. Raises Lost."""
    now = Sitting.objects.only("status", "token", "answers").filter(pk=claim.pk).first()
    _must_have(now, claim)
    assert now is not None
    return str(now.answers[number - 1][0]) if len(now.answers) >= number else None


def _must_have(now: Sitting | None, claim: Claim) -> None:
    if now is None or now.token != claim.token or now.status != SittingStatus.PLAYING:
        raise Lost(f"sitting {claim.pk}")


def finish(claim: Claim, record: Record, course: Mapping[str, Any]) -> None:
    """It was played to its end. Harmless when repeated. Raises Lost."""
    try:
        move(
            Sitting(pk=claim.pk),
            SittingStatus.OVER,
            only_if=claim.held,
            lease_until=None,
            failure="",
            record=record.to_bytes(),
            course=dict(course),
        )
    except IllegalMove as error:
        if error.old != SittingStatus.OVER:
            raise Lost(error.message) from None


def compare(sitting: Sitting, stands: Sequence[Stand]) -> None:
    """Keep how its bots fared in the person's place; once."""
    with transaction.atomic():
        now = lock(sitting)
        if now.comparison is None:
            now.comparison = list(stands)
            now.save(update_fields=["comparison"])
            changed.send(Sitting, row=now, what="compared")


def give_up(claim: Claim, text: str) -> None:
    """Its person is gone. Raises Lost."""
    _move(claim, SittingStatus.ABANDONED, text)


def give_back(
    claim: Claim,
    failure: str,
    *,
    expired: datetime | None = None,
    blameless: bool = False,
    final: bool = False,
) -> Sitting:
    """The platform failed: another worker plays on, or, after too many attempts or where it is `final`, it is
    parked. `blameless`: the worker only goes down, and this was no attempt. Raises Lost."""
    parked = final or (claim.attempt >= settings.MAX_ATTEMPTS and not blameless)
    status = SittingStatus.PARKED if parked else SittingStatus.WAITING
    more = {"failure": clipped(failure, 500), "attempt": claim.attempt - blameless}
    return _move(claim, status, failure, expired, nudged_at=timezone.now(), **more)


def _move(
    claim: Claim, status: SittingStatus, text: str, expired: datetime | None = None, **columns: Any
) -> Sitting:
    try:
        return move(
            Sitting(pk=claim.pk),
            status,
            only_if=claim.held_until(expired),
            text=text,
            lease_until=None,
            **columns,
        )
    except IllegalMove as error:
        raise Lost(error.message) from None


def overlooked(now: datetime, batch: int = 200) -> list[int]:
    """Those whose message may be lost: they wait, or wait to be compared. Those that have waited for too long
    are abandoned on the way."""
    waiting = Sitting.objects.filter(status=SittingStatus.WAITING)
    for row in waiting.filter(status_at__lt=now - timedelta(seconds=settings.SITTING_IDLE_S)):
        leave(row, text=NO_WORKER)
    bare = Sitting.objects.filter(
        status=SittingStatus.OVER, comparison__isnull=True, status_at__gt=now - COMPARED_FOR
    )
    since = now - timedelta(seconds=settings.RESEND_AFTER_S)
    rows = (waiting | bare).filter(nudged_at__lt=since).order_by("nudged_at")
    ids = list(rows.values_list("pk", flat=True)[:batch])
    Sitting.objects.filter(pk__in=ids).update(nudged_at=now)
    return ids

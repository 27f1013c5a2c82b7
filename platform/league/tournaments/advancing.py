"""What follows when tables are over: the next round, or the end. Generic: the format says what comes next."""

from django.db import transaction
from django.utils import timezone

from arena.schedule.formats import next_round
from arena.schedule.plan import Format, Skill
from league.common.lifecycle import lock, move
from league.tournaments import workers
from league.tournaments.history import history_of, skills_of
from league.tournaments.lifecycle import UNFINISHED, TableStatus, TournamentStatus
from league.tournaments.models import Table, Tournament
from league.tournaments.planning import field_of, setup_of, write_round


def is_due(tournament: Tournament) -> bool:
    """Whether a running tournament waits for its next round, or for its end.

    A ladder's next round is planned while others are being played: when fewer of its tables wait than there
    are workers, so that none of them has to.
    """
    if tournament.status != TournamentStatus.RUNNING:
        return False
    waits = Table.objects.filter(tournament=tournament, status__in=UNFINISHED)
    if tournament.format == Format.LADDER and not tournament.last:
        return waits.filter(status=TableStatus.QUEUED).count() < max(1, workers.at_hand())
    return not waits.exists()


@transaction.atomic
def advance(tournament: Tournament) -> bool:
    """Plan the next round of a running tournament whose tables are over, or finish it.

    Tells whether anything has changed. Harmless when repeated, and when two workers come at once: the second
    finds the tournament locked, and then nothing due.
    """
    if not is_due(Tournament.objects.get(pk=tournament.pk)):
        return False
    now = lock(tournament)
    if not is_due(now):
        return False
    if now.last:
        return _finish(now)
    field, first, skills = field_of(now), 1, dict[int, Skill]()
    if now.format == Format.LADDER:  # which looks back no further than this
        first, skills = max(1, now.round + 1 - len(field)), skills_of(now)
    following = next_round(setup_of(now), field, history_of(now, first), skills)
    if following is None:
        return _finish(now)
    if not following.groups:
        return False
    now.round, now.last = following.number, following.last
    now.save(update_fields=["round", "last"])
    write_round(now, following)
    return True


def _finish(tournament: Tournament) -> bool:
    move(tournament, TournamentStatus.FINISHED, last=True, ended_at=timezone.now())
    return True

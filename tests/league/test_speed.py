"""How fast the workers are, as a preview reckons with it."""

from datetime import timedelta

import pytest
from django.db.models import Min
from django.utils import timezone

from league.matches.models import Match
from league.tournaments.models import Table
from league.tournaments.progress import speed
from tests.league import kit

pytestmark = pytest.mark.django_db


def test_the_start_of_a_table_is_told_apart_from_its_deals(ann):
    cup, _ = kit.running(ann, boards=3)
    kit.play_all(cup)
    at = timezone.now()
    Table.objects.update(claimed_at=at, status_at=at + timedelta(seconds=5))
    starts = Match.objects.values("table").annotate(first=Min("pk")).values("first")
    Match.objects.update(deals=10, duration_ms=500)
    Match.objects.filter(pk__in=list(starts.values_list("first", flat=True))).update(duration_ms=1500)
    a_table = Match.objects.count() / Table.objects.count()
    measured = speed()
    assert a_table > 1
    assert measured.deals_per_second == pytest.approx(20)
    assert measured.table_seconds == pytest.approx(5 - a_table * 0.5)


def test_a_speed_is_told_of_tables_of_one_match_too_and_is_unknown_before_any(ann):
    assert speed() is None
    cup, _ = kit.running(ann)
    kit.play_all(cup)
    at = timezone.now()
    Table.objects.update(claimed_at=at, status_at=at + timedelta(seconds=5))
    Match.objects.update(deals=10, duration_ms=2000)
    measured = speed()
    assert (measured.deals_per_second, measured.table_seconds) == (pytest.approx(5), pytest.approx(3))

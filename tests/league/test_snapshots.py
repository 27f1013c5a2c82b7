"""Snapshots: every page shows the same one, each is named by what it was computed from, old ones are kept
for a while, and while results keep coming they are not made more often than they should be."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.pipeline import queue, rate
from league.ratings.models import Sheet, Snapshot
from league.ratings.retention import DAYS, NEWEST
from league.ratings.selectors import behind, current_of
from league.ratings.services import recompute, reserve, sheet_of
from tests.league import kit

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(ann):
    """A tournament with one of its groups played and rated, and its tables that wait."""
    tournament, tables = kit.running(ann, entrants=4)
    for table in tables[:3]:
        kit.play(table)
    recompute(tournament.pool)
    recompute(tournament)
    return tournament, tables[3:]


def test_every_page_shows_the_same_snapshot_until_the_next_is_made(season, anybody):
    def shown():
        pool = f"/api/v1/pools/{tournament.pool_id}/"
        version = current_of(tournament.pool).ratings.first().version_id
        return {
            anybody.get(pool).json()["snapshot"]["number"],
            anybody.get("/api/v1/pools/").json()["results"][0]["snapshot"]["number"],
            anybody.get(f"{pool}history/{version}/").json()["published"][-1]["snapshot"],
            anybody.get(f"{pool}snapshots/").json()["results"][0]["number"],
            *(row["snapshot"] for row in anybody.get("/api/v1/ratings/").json()["results"]),
        }

    tournament, waiting = season
    assert shown() == {1}
    for table in waiting:
        kit.play(table)
    assert shown() == {1}
    recompute(tournament.pool)
    assert shown() == {2}


def test_a_snapshot_is_found_by_the_hash_of_its_results_and_keeps_its_numbers(season, anybody):
    tournament, waiting = season
    pool = f"/api/v1/pools/{tournament.pool_id}/"
    first = anybody.get(pool).json()["snapshot"]
    ratings = anybody.get("/api/v1/ratings/").json()["results"]
    for table in waiting:
        kit.play(table)
    recompute(tournament.pool)
    assert anybody.get(pool).json()["snapshot"] != first
    assert anybody.get(f"{pool}snapshots/{first['results_hash']}/").json() == first
    assert anybody.get(f"{pool}snapshots/{first['results_hash']}/ratings/").json()["results"] == ratings
    assert anybody.get(f"{pool}snapshots/{'0' * 64}/").status_code == 404
    assert [row["number"] for row in anybody.get(f"{pool}snapshots/").json()["results"]] == [2, 1]


def test_the_same_results_make_no_second_snapshot(season):
    tournament, _ = season
    again = recompute(tournament.pool)
    assert again.number == 1
    assert Snapshot.objects.filter(sheet__pool=tournament.pool).count() == 1


def test_a_history_shows_each_snapshot_and_the_sequential_elo_between(season, anybody):
    tournament, waiting = season
    version = current_of(tournament.pool).ratings.first().version_id
    for table in waiting:
        kit.play(table)
    recompute(tournament.pool)
    history = anybody.get(f"/api/v1/pools/{tournament.pool_id}/history/{version}/").json()
    assert history["version"]["version_id"] == version
    assert [one["snapshot"] for one in history["published"]] == [1, 2]
    assert [one["matches"] for one in history["published"]] == [3, 9]
    assert [point["matches"] for point in history["live"]] == list(range(1, 10))
    row = next(
        row for row in anybody.get("/api/v1/ratings/").json()["results"] if row["version_id"] == version
    )
    assert history["live"][-1]["elo"] == pytest.approx(row["elo_live"], abs=0.01)
    assert history["published"][-1]["elo"] == row["elo"]
    assert anybody.get(f"/api/v1/pools/{tournament.pool_id}/history/999/").json()["code"] == "not_rated"


def test_old_snapshots_are_thinned_to_one_a_day_and_dropped_in_the_end(season):
    def old(number, age):
        Snapshot.objects.create(
            sheet=sheet, number=number, results_hash="0" * 64, matches=1, blocks=1, versions=0, components=1,
            parameters={}, took_ms=1, computed_at=noon - age,
        )  # fmt: skip

    tournament, waiting = season
    sheet, noon = sheet_of(tournament.pool), timezone.now().replace(hour=12)
    Snapshot.objects.filter(sheet=sheet).update(number=1000)
    old(1, timedelta(days=DAYS + 5))
    for number in range(2, 2 + 3 * 40):
        old(number, timedelta(days=60 - number // 3, hours=2 - number % 3))
    for table in waiting:
        kit.play(table)
    recompute(tournament.pool)
    numbers = set(sheet.snapshots.values_list("number", flat=True))
    assert numbers == {*range(2, 74, 3), *range(74, 122), 1000, 1001}
    assert len([number for number in numbers if number >= 74]) == NEWEST
    assert sheet_of(tournament).snapshots.count() == 1


def test_what_is_not_current_keeps_its_numbers_but_not_its_bulk(season):
    tournament, waiting = season
    for table in waiting:
        kit.play(table)
    recompute(tournament.pool)
    bulk = dict(
        Sheet.objects.get(pool=tournament.pool).snapshots.values_list("number", "ratings__versus").distinct()
    )
    assert bulk[1] is None
    assert bulk[2] is not None


# -- how often -----------------------------------------------------------------------------------------------


@pytest.fixture
def sent(monkeypatch, django_capture_on_commit_callbacks):
    """The messages about sheets that `ask_for_sheets` sends, with their delay."""
    messages = []

    def ask():
        messages.clear()
        monkeypatch.setattr(
            queue.current_app,
            "send_task",
            lambda task, args, countdown, **_: messages.append((*args, countdown)),
        )
        with django_capture_on_commit_callbacks(execute=True):
            rate.ask_for_sheets()
        return dict(messages)

    return ask


def test_while_a_message_waits_no_second_one_is_sent(season, sent, settings):
    settings.RATE_EVERY_S = 0
    tournament, waiting = season
    assert sent() == {}
    for table in waiting[:3]:
        kit.play(table)
    assert set(sent()) == {sheet.pk for sheet in behind()}
    for table in waiting[3:]:
        kit.play(table)
    assert sent() == {}
    rate.rate_sheet(sheet_of(tournament.pool).pk)
    assert current_of(tournament.pool).matches == 12
    assert sent() == {}  # what the message had been sent for, and more, is done


def test_what_comes_after_a_message_was_taken_is_asked_for_anew(season, sent, settings):
    settings.RATE_EVERY_S = 0
    tournament, waiting = season
    for table in waiting[:3]:
        kit.play(table)
    sent()
    rate.rate_sheet(sheet_of(tournament.pool).pk)
    for table in waiting[3:]:
        kit.play(table)
    assert set(sent()) == {sheet_of(tournament.pool).pk}  # the tournament's own message still waits


def test_a_sheet_is_computed_at_once_when_it_was_quiet_and_after_a_pause_when_results_keep_coming(
    season, settings
):
    settings.RATE_EVERY_S = 60
    tournament, _ = season
    sheet = sheet_of(tournament.pool)
    assert 50 < reserve(sheet) <= 60
    Sheet.objects.update(due_at=None)
    Snapshot.objects.update(computed_at=timezone.now() - timedelta(minutes=5))
    assert reserve(sheet_of(tournament.pool)) == 0
    assert reserve(sheet_of(tournament.pool)) is None


def test_a_computation_that_takes_long_is_rare(season, settings):
    settings.RATE_EVERY_S = 1
    tournament, _ = season
    Snapshot.objects.update(took_ms=30_000)
    assert 110 < reserve(sheet_of(tournament.pool)) <= 120


def test_a_message_that_was_lost_is_sent_again(season, sent, settings):
    settings.RATE_EVERY_S = 0
    _, waiting = season
    for table in waiting[:3]:
        kit.play(table)
    first = sent()
    assert sent() == {}
    Sheet.objects.update(due_at=timezone.now() - timedelta(seconds=settings.RESEND_AFTER_S + 1))
    assert set(sent()) == set(first)

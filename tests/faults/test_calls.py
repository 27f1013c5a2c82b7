"""Calls for tables in a real broker: enough for all that wait, never a flood, whatever was lost."""

from datetime import timedelta

import pytest
from celery import current_app
from django.utils import timezone

from league.pipeline import queue, tasks
from league.pipeline.reconcile import reconcile
from league.pipeline.start import resume_tournament, start_tournament
from league.tournaments.steering import pause
from tests.league import kit

pytestmark = [pytest.mark.redis, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def cup(broker):
    """A cup of twelve tables that is ready to start, and its organiser."""
    ann = kit.user("ann")
    cup = kit.open_tournament(ann)
    kit.entered(cup, 4)
    return cup, ann


def later():
    return timezone.now() + timedelta(minutes=5)


def test_there_is_a_call_for_each_table_and_a_second_is_sent_only_for_a_lost_one(broker, cup):
    start_tournament(*cup)
    assert (queue.calls(), broker.queued()) == (12, 12)
    for _ in range(3):
        reconcile(later())
        start_tournament(*cup)
    assert broker.queued() == 12
    broker.kill()
    broker.start()
    assert queue.calls() == 0
    reconcile()
    assert broker.queued() == 0, "they have not waited for long"
    reconcile(later())
    assert broker.queued() == 12


def test_very_many_tables_are_called_for_a_part_at_a_time(broker, cup, monkeypatch):
    monkeypatch.setattr(queue, "MAX_CALLS", 5)
    start_tournament(*cup)
    assert broker.queued() == 5
    queue.call_players()
    assert broker.queued() == 5


def test_nobody_is_called_for_a_paused_tournament_and_all_when_it_goes_on(broker, cup):
    start_tournament(*cup)
    pause(*cup)
    broker.kill()
    broker.start()
    reconcile(later())
    assert broker.queued() == 0
    resume_tournament(*cup)
    assert broker.queued() == 12


def test_without_a_broker_it_starts_all_the_same_and_is_called_for_when_there_is_one(broker, cup):
    broker.kill()
    with pytest.raises(queue.BrokerError):
        queue.calls()
    assert start_tournament(*cup).status == "running"
    reconcile(later())
    broker.start()
    reconcile(later())
    assert broker.queued() == 12


def test_a_call_that_an_upload_stood_in_for_is_sent_when_the_upload_is_checked(broker, cup):
    for number in range(15):
        current_app.send_task(queue.CHECK, args=[10**9 + number])
    start_tournament(*cup)
    assert broker.lengths() == {"play": 15}
    broker.kill()
    broker.start()
    tasks.check_version(10**9)
    assert sum(broker.lengths().values()) == 12

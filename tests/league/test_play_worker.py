"""What a play worker's main process does beside its pool."""

import logging
from types import SimpleNamespace

import pytest

from arena.errors import PlatformFailure
from league.pipeline import backend, worker
from league.tournaments import workers
from sandbox.backends import SandboxUnavailable

pytestmark = pytest.mark.django_db(transaction=True)


class Sandbox:
    """A backend that finds these leftovers, look after look."""

    name = "fake"

    def __init__(self, *looks):
        self._looks = iter(looks)

    def tidy(self):
        found = next(self._looks)
        if isinstance(found, Exception):
            raise found
        return found


def of(*queues):
    """A worker of these queues."""
    return SimpleNamespace(
        app=SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=queues)))
    )


@pytest.fixture
def confined(monkeypatch):
    """`confined(backend)`: the sandbox of this machine. It remembers what the worker examined."""
    monkeypatch.setattr(worker, "_examined", [])

    def become(found):
        monkeypatch.setattr(worker, "examined", lambda: found)

    return become


def test_a_worker_that_plays_nothing_needs_no_sandbox(monkeypatch, confined):
    confined(None)
    worker.examine_first(sender=of("default"))
    worker.tidy_at_the_end()
    assert worker._examined == []


@pytest.mark.parametrize("queues", [("play", "default"), ("seats",)])
def test_where_no_sandbox_works_a_worker_that_starts_bots_ends_with_the_reason(queues, monkeypatch, caplog):
    def none(_):
        raise SandboxUnavailable({"docker": "no engine answers"})

    monkeypatch.setattr(backend, "choose", none)
    with pytest.raises(SystemExit) as end:
        worker.examine_first(sender=of(*queues))
    assert end.value.code == 1
    assert "takes no tables and no checks" in caplog.text
    assert "no engine answers" in caplog.text
    assert workers.refusing() == 1


def test_what_killed_workers_left_is_cleared_away_at_the_start_each_minute_and_at_the_end(confined, caplog):
    caplog.set_level(logging.WARNING)
    confined(Sandbox(["a folder"], PlatformFailure("janitor", "no answer"), ["a container"], ["a spare"]))
    worker.examine_first(sender=of("play"))
    assert "cleared away: a folder" in caplog.text
    timers = []
    timer = SimpleNamespace(call_repeatedly=lambda *given: timers.append(given))
    worker.tidy_now_and_then(sender=SimpleNamespace(timer=timer))
    ((every_s, act, args),) = timers
    assert every_s == 60
    act(*args)
    assert "nothing could be cleared away: janitor: no answer" in caplog.text
    act(*args)
    assert "cleared away: a container" in caplog.text
    worker.tidy_at_the_end()
    assert "cleared away: a spare" in caplog.text

"""A worker whose sandbox does not work: nobody is blamed, nothing is parked, and it goes on by itself."""

import pytest

from arena.errors import PlatformFailure
from league.bots.models import Version
from league.pipeline import backend as backends
from league.pipeline import check, play, queue
from league.pipeline.backend import backend
from league.tournaments import workers
from league.tournaments.models import Table
from sandbox.backends import SandboxUnavailable
from tests.league import kit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def calls(monkeypatch):
    """The calls for a table that would be sent: there's no broker here."""
    sent = []
    monkeypatch.setattr(
        queue.current_app, "send_task", lambda task, **_: task == queue.PLAY and sent.append(task)
    )
    monkeypatch.setattr(queue, "calls", lambda: len(sent))
    monkeypatch.setattr(backends, "_doubts", [])
    monkeypatch.setattr(play, "_looks_at_s", [])
    return sent


def test_without_a_sandbox_nothing_runs_and_nobody_is_blamed(ann, calls, monkeypatch):
    def none(*_, **__):
        raise SandboxUnavailable({"bubblewrap": "not here"})

    monkeypatch.setattr("league.pipeline.backend.choose", none)
    backend.cache_clear()
    version = kit.received(ann)
    _, tables = kit.running(ann)
    check.check_version(version.pk)
    backends._doubts.clear()  # as in another process
    play.play_next()
    backend.cache_clear()
    for row in (Version.objects.get(pk=version.pk), Table.objects.get(pk=tables[0])):
        assert row.status in ("received", "queued")
        assert "sandbox_unavailable" in row.failure


@pytest.mark.bubblewrap
def test_while_the_sandbox_is_away_nothing_more_is_claimed_nor_parked_and_all_goes_on_when_it_is_back(
    ann, calls, monkeypatch
):
    def restarting(*_, **__):
        raise PlatformFailure("no_engine", "it is being restarted")

    with monkeypatch.context() as broken:
        broken.setattr(type(backend()), "launch", restarting)
        version = kit.received(ann)
        _, tables = kit.running(ann)
        play.play_next()
        check.check_version(version.pk)
        sent = len(calls)
        for _ in range(4):
            Table.objects.update(not_before=None)
            play.play_next()
            check.check_version(version.pk)
        assert len(calls) == sent + 1, "of all that found nothing to do, one comes back"
        play._looks_at_s[:] = [0.0]  # it has come
        play.play_next()
        assert len(calls) == sent + 2, "and again"
        table = Table.objects.get(pk=tables[0])
        assert (table.status, table.attempt, table.failure) == (
            "queued",
            1,
            "no_engine: it is being restarted",
        )
        assert not Table.objects.exclude(attempt=0).exclude(pk=table.pk).exists()
        row = Version.objects.get(pk=version.pk)
        assert (row.status, row.attempt) == ("received", 0)
        assert workers.refusing() == 1
    play.play_next()
    check.check_version(version.pk)
    assert Table.objects.get(pk=tables[0]).status == "done"
    assert Version.objects.get(pk=version.pk).status == "active"
    assert workers.refusing() == 0

"""Nothing ever runs unconfined unless it was asked for by name."""

import pytest

from arena.protocol import ClockLimits, Hello
from arena.seat import FaultKind, Reply
from sandbox import backends, unconfined
from sandbox.backends import SandboxUnavailable, choose
from sandbox.contract import BEHAVIOURS
from sandbox.contract.bots import PRELUDE
from sandbox.seat import ProcessSeat
from tests.sandbox.bots import mischief, play_against_references, python

HELLO = Hello(id="h", rules={}, players=4, clock=ClockLimits())


class Absent:
    def __init__(self, reason):
        self.reason = reason

    def available(self):
        return self.reason


@pytest.fixture
def with_backends(monkeypatch):
    def replace(**reasons):
        made = {name: lambda spares, reason=reason: Absent(reason) for name, reason in reasons.items()}
        monkeypatch.setattr(backends, "BACKENDS", {**backends.BACKENDS, **made})

    return replace


def test_auto_takes_the_first_that_works(with_backends):
    with_backends(bubblewrap="no namespaces", docker=None)
    assert choose("auto").reason is None
    with_backends(bubblewrap=None, docker="no engine")
    assert choose().reason is None


def test_with_none_that_works_the_reasons_of_all_are_told(with_backends):
    with_backends(bubblewrap="no namespaces", docker="no engine")
    with pytest.raises(SandboxUnavailable) as error:
        choose("auto")
    assert error.value.reasons == {"bubblewrap": "no namespaces", "docker": "no engine"}
    assert "no namespaces" in str(error.value)
    assert "no engine" in str(error.value)


def test_a_backend_asked_for_by_name_has_no_stand_in(with_backends):
    with_backends(bubblewrap="no namespaces", docker=None)
    with pytest.raises(SandboxUnavailable) as error:
        choose("bubblewrap")
    assert list(error.value.reasons) == ["bubblewrap"]


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="auto, bubblewrap, docker, none"):
        choose("chroot")


def test_none_runs_a_bot_of_ones_own_as_a_plain_process():
    backend = choose("none")
    record, log = play_against_references(backend, mischief("print('hm', file=sys.stderr)"))
    assert not record.faults
    assert "hm" in log


@pytest.mark.parametrize(
    ("source", "detail"),
    [("import sys; sys.exit(4)", "exit code 4"), ("import os; os.kill(os.getpid(), 9)", "signal 9")],
)
def test_an_end_is_seen_without_a_sandbox_too(source, detail):
    fault = ProcessSeat(choose("none"), python(source)).ask(HELLO, 10_000)
    assert fault.kind is FaultKind.CRASH
    assert detail in fault.detail


def test_a_bot_without_a_sandbox_is_stopped_with_its_session():
    ready = "print(json.dumps({'id': json.loads(input())['id'], 'ready': True}))"
    source = f"import json, time\n{ready}\ntime.sleep(99)"
    seat = ProcessSeat(choose("none"), python(source))
    assert isinstance(seat.ask(HELLO, 10_000), Reply)
    seat.stop()
    assert not seat.live


@pytest.mark.parametrize("name", ["nothing_is_left_after_it_ends", "nothing_is_left_after_it_is_stopped"])
def test_what_a_bot_without_a_sandbox_has_started_ends_with_it(name):
    BEHAVIOURS[name](choose("none"))


def test_a_bot_without_a_sandbox_that_multiplies_while_it_is_killed_is_gone_as_a_whole():
    # Each process lives for a while, and starts the next; not for ever, should one get away.
    source = (
        "ready()\nfor _ in range(200):\n    if os.fork(): time.sleep(0.3); os._exit(0)\n    time.sleep(0.1)"
    )
    seat = ProcessSeat(choose("none"), python(PRELUDE + source))
    assert isinstance(seat.ask(HELLO, 10_000), Reply)
    mark = seat._session._mark
    assert unconfined._marked(mark)
    seat.stop()
    assert unconfined._marked(mark) == []

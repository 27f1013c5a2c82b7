"""Who is to blame: a table from evidence to fault, read from top to bottom."""

import pytest

from arena.errors import PlatformFailure
from arena.seat import FaultKind
from sandbox.attribution import blame
from sandbox.channel import Halt
from sandbox.session import Evidence

ENDED = Halt.CLOSED

TABLE = [
    # halt, evidence, starting, ran out of memory by its own words -> kind, detail
    (ENDED, Evidence(exit_code=0), False, False, "crash", "ended with exit code 0"),
    (ENDED, Evidence(exit_code=0), True, False, "crash", "ended with exit code 0, before it was ready"),
    (ENDED, Evidence(exit_code=3), False, False, "crash", "ended with exit code 3"),
    (ENDED, Evidence(signal=11), False, False, "crash", "ended by signal 11 (SIGSEGV)"),
    (ENDED, Evidence(signal=9), False, False, "crash", "ended by signal 9 (SIGKILL)"),
    (ENDED, Evidence(signal=40), False, False, "crash", "ended by signal 40 (unnamed)"),
    (ENDED, Evidence(killed=True), False, False, "crash", "closed its standard output"),
    (
        ENDED,
        Evidence(signal=9, out_of_memory=True),
        False,
        False,
        "memory",
        "used more than 128 MiB of memory",
    ),
    (ENDED, Evidence(out_of_memory=True), False, False, "memory", "used more than 128 MiB of memory"),
    (ENDED, Evidence(out_of_memory=True), True, False, "memory", "used more than 128 MiB of memory"),
    # A child was stopped for its memory, and the bot itself went on to end in its own way.
    (ENDED, Evidence(exit_code=0, out_of_memory=True), False, False, "crash", "ended with exit code 0"),
    (ENDED, Evidence(exit_code=1, out_of_memory=True), False, False, "crash", "ended with exit code 1"),
    # The language said that there was no more memory.
    (ENDED, Evidence(exit_code=1), False, True, "memory", "used more than 128 MiB of memory"),
    (ENDED, Evidence(signal=6), False, True, "memory", "used more than 128 MiB of memory"),
    (ENDED, Evidence(exit_code=0), False, True, "crash", "ended with exit code 0"),
    (ENDED, Evidence(killed=True), False, True, "crash", "closed its standard output"),
    (Halt.TIME, None, False, False, "timeout", "no reply in time"),
    (Halt.TIME, None, False, True, "timeout", "no reply in time"),
    (Halt.TIME, Evidence(killed=True), True, False, "start", "not ready in time"),
    (Halt.LONG_LINE, Evidence(killed=True), False, False, "output", "a line longer than 64 KiB"),
    (Halt.LONG_LINE, Evidence(exit_code=1), True, False, "output", "a line longer than 64 KiB"),
    (Halt.FLOOD, Evidence(killed=True), False, False, "output", "more than 256 KiB without a valid reply"),
]


@pytest.mark.parametrize(("halt", "evidence", "starting", "ran_out", "kind", "detail"), TABLE)
def test_the_bot_is_blamed_for_what_it_did(halt, evidence, starting, ran_out, kind, detail):
    fault = blame(halt, evidence, starting=starting, memory_mib=128, ran_out=ran_out)
    assert (fault.kind, fault.detail) == (FaultKind(kind), detail)


@pytest.mark.parametrize("halt", Halt)
@pytest.mark.parametrize(
    ("evidence", "code"),
    [
        (Evidence(started=False, note="no namespaces"), "sandbox_start"),
        (Evidence(started=False), "sandbox_start"),
        (Evidence(vanished=True, note="the engine is gone"), "sandbox_lost"),
    ],
)
def test_the_platform_is_never_the_bots_fault(halt, evidence, code):
    with pytest.raises(PlatformFailure) as failure:
        blame(halt, evidence, starting=True, memory_mib=128, ran_out=True)
    assert failure.value.code == code
    assert failure.value.message

"""What a bot can reach, and what is left of it."""

import os
import secrets
import time
from pathlib import Path

from arena.seat import FaultKind
from sandbox.contract.means import AT_ONCE_MS, ask, behaviour, expect, hello, must, report_of, seated
from sandbox.languages import BASE_ENVIRONMENT
from sandbox.limits import Limits
from sandbox.session import Backend

_CANARY = "POLIGNAC_CANARY"

# -- what it can reach -----------------------------------------------------------------------------


@behaviour
def a_fork_bomb_is_contained(backend: Backend) -> None:
    limits = Limits()
    forked = report_of(backend, "ready(found=forks())", limits)
    must(forked < limits.pids, f"{forked} processes")


@behaviour
def a_thread_bomb_is_contained(backend: Backend) -> None:
    limits = Limits()
    started = report_of(backend, "ready(found=threads())", limits)
    must(started < limits.pids, f"{started} threads")


@behaviour
def it_cannot_put_itself_first(backend: Backend) -> None:
    found = report_of(backend, "ready(found=advantages())")
    must(not found, f"it managed {found}")


@behaviour
def it_cannot_leave_its_core(backend: Backend) -> None:
    core = min(os.sched_getaffinity(0))
    found = report_of(backend, "ready(found=cores())", Limits(core=core))
    must(found == [core], f"it runs on {found}")


@behaviour
def there_is_no_network(backend: Backend) -> None:
    found = report_of(backend, "ready(found=networks())")
    must(not found, f"it has {found}")


@behaviour
def nothing_can_be_written(backend: Backend) -> None:
    found = report_of(backend, "ready(found=writable_places())")
    must(not found, f"it wrote {found}")


@behaviour
def its_own_files_cannot_be_changed(backend: Backend) -> None:
    found = report_of(backend, "ready(found=own_files_changed())")
    must(not found, f"it changed {found}")


@behaviour
def the_kernel_refuses_what_no_bot_needs(backend: Backend) -> None:
    found = report_of(backend, "ready(found=calls_that_worked())")
    must(not found, f"the kernel granted {found}")


@behaviour
def it_has_no_privileges_and_can_gain_none(backend: Backend) -> None:
    found = report_of(backend, "ready(found=privileges())")
    must(found == {"CapEff": 0, "CapPrm": 0, "CapBnd": 0, "NoNewPrivs": 1, "Seccomp": 2}, f"it has {found}")


@behaviour
def the_environment_does_not_leak(backend: Backend) -> None:
    os.environ[_CANARY] = "sings"
    try:
        found = report_of(backend, "ready(found=environments())")
    finally:
        del os.environ[_CANARY]
    known = {*BASE_ENVIRONMENT, "HOSTNAME", "PWD", "SHLVL", "_"}
    extra = {name for name in found if name not in known and not name.startswith("PYTHON")}
    must(not extra, f"it sees {extra}")


@behaviour
def other_processes_are_invisible(backend: Backend) -> None:
    found = report_of(backend, "ready(found=processes())")
    must(len(found) <= 4, f"it sees {found}")


@behaviour
def what_it_writes_for_its_first_process_is_taken_by_nobody(backend: Backend) -> None:
    found = report_of(backend, "ready(found=taken_from_the_first_process())")
    must(not found, f"somebody takes it: {found}")


@behaviour
def only_its_three_pipes_are_open(backend: Backend) -> None:
    found = report_of(backend, "ready(found=descriptors())")
    must(found == [0, 1, 2], f"it holds {found}")


@behaviour
def secrets_of_the_machine_are_out_of_reach(backend: Backend) -> None:
    here = str(Path(__file__).resolve())
    found = report_of(backend, f"ready(found=readable({here!r}))")
    must(not found, f"it reads {found}")


# -- what stays ------------------------------------------------------------------------------------


@behaviour
def nothing_is_left_after_it_ends(backend: Backend) -> None:
    mark = secrets.token_hex(16)
    with seated(backend, f"daemon({mark!r})\nready()\nsys.exit(0)") as seat:
        hello(seat)
        expect(ask(seat), FaultKind.CRASH, "exit code 0")
    must(not alive(mark), "its daemon lives on")


@behaviour
def nothing_is_left_after_it_is_stopped(backend: Backend) -> None:
    mark = secrets.token_hex(16)
    with seated(backend, f"daemon({mark!r})\nready()\nwait()") as seat:
        hello(seat)
        must(bool(alive(mark)), "the daemon never lived, so this shows nothing")
        seat.stop()
        must(not alive(mark), "its daemon lives on")


@behaviour
def goodbye_gives_a_second(backend: Backend) -> None:
    with seated(
        backend, "ready()\nprint('over', file=sys.stderr) if not sys.stdin.readline() else None"
    ) as seat:
        hello(seat)
        began = time.monotonic()
        seat.close()
        must(time.monotonic() - began < AT_ONCE_MS / 1000.0, "an honest end was not noticed")
        must("over" in seat.log, "its last words are lost")
    with seated(backend, "ready()\nwait()") as seat:
        hello(seat)
        began = time.monotonic()
        seat.close()
        took_s = time.monotonic() - began
        must(0.9 < took_s < 10.0, f"killed after {took_s:.1f} s")


def alive(mark: str) -> list[str]:
    """Processes of this machine that have the mark among their arguments."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words:
            found.append(path.parent.name)
    return found

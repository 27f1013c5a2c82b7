"""How a bot plays, how it ends, its time and its output."""

import time

from arena.protocol import MAX_LOG_BYTES
from arena.seat import Failure, FaultKind, Reply
from sandbox.contract.means import (
    AT_ONCE_MS,
    LATE_MS,
    MOVE_MS,
    ask,
    behaviour,
    expect,
    faults,
    hello,
    must,
    report_of,
    seated,
)
from sandbox.session import Backend

# -- a bot that plays fair -------------------------------------------------------------------------


@behaviour
def a_round_trip_gives_the_reply(backend: Backend) -> None:
    with seated(backend, "ready()\nwhile True: answer(card='JS')") as seat:
        for answer in (hello(seat), ask(seat), ask(seat)):
            must(isinstance(answer, Reply), f"no reply: {answer}")
        must(seat.live, "it is not live after a reply")


@behaviour
def threads_asyncio_subprocess_and_sqlite_work(backend: Backend) -> None:
    found = report_of(backend, "ready(found=honest_work())")
    wanted = ["threads", "asyncio", "subprocess", "sqlite", "random", "shell", "python3"]
    must(found == wanted, f"only {found}")


@behaviour
def its_log_is_kept(backend: Backend) -> None:
    with seated(
        backend, "print('a line for its owner', file=sys.stderr, flush=True)\nready()\nwait()"
    ) as seat:
        hello(seat)
        must("a line for its owner" in seat.take_log(), "the log is lost")
        must(not seat.take_log(), "the log was not taken")


@behaviour
def a_flood_in_the_log_is_harmless(backend: Backend) -> None:
    source = "for _ in range(200): os.write(2, b'x' * 65536)\nready()\nflood(2)"
    with seated(backend, source) as seat:
        must(isinstance(hello(seat), Reply), "its log held it up")
        expect(ask(seat, MOVE_MS), FaultKind.TIMEOUT)
        must(len(seat.log) < MAX_LOG_BYTES + 100, f"{len(seat.log)} characters were kept")


# -- how it ends -----------------------------------------------------------------------------------


@behaviour
def an_end_before_hello_is_seen_at_once(backend: Backend) -> None:
    with seated(backend, "sys.exit(0)") as seat:
        expect(hello(seat), FaultKind.CRASH, "exit code 0")


@behaviour
def an_exit_code_is_seen(backend: Backend) -> None:
    faults(backend, "sys.exit(7)", FaultKind.CRASH, "exit code 7")


@behaviour
def a_signal_is_seen(backend: Backend) -> None:
    faults(backend, "os.kill(os.getpid(), signal.SIGSEGV)", FaultKind.CRASH, "SIGSEGV")


@behaviour
def a_closed_output_is_an_end(backend: Backend) -> None:
    faults(backend, "os.close(1)\nwait()", FaultKind.CRASH, "closed its standard output")


@behaviour
def an_end_is_one_though_a_child_holds_the_output(backend: Backend) -> None:
    faults(backend, "if os.fork() == 0: wait()\nsys.exit(3)", FaultKind.CRASH, "exit code 3")


@behaviour
def a_memory_bomb_is_stopped(backend: Backend) -> None:
    faults(backend, "hoard()", FaultKind.MEMORY)


@behaviour
def a_memory_bomb_in_one_piece_is_stopped(backend: Backend) -> None:
    faults(backend, "x = b'x' * (1280 << 20)\nwait()", FaultKind.MEMORY)


@behaviour
def a_memory_bomb_of_many_processes_is_stopped(backend: Backend) -> None:
    source = "for _ in range(6):\n    if os.fork() == 0: hoard(60)\nhoard(60)"
    with seated(backend, "ready()\n" + source) as seat:
        hello(seat)
        answer = ask(seat, 5_000)
        # Which process the kernel picks differs; what counts is that the whole did not grow.
        fair = {FaultKind.MEMORY, FaultKind.TIMEOUT, FaultKind.CRASH}
        must(isinstance(answer, Failure) and answer.kind in fair, f"got {answer}")


@behaviour
def memory_hidden_in_sockets_is_counted(backend: Backend) -> None:
    faults(backend, "fill_sockets()\nwait()", FaultKind.MEMORY)


# -- its time and its output -----------------------------------------------------------------------


@behaviour
def a_deadline_is_kept(backend: Backend) -> None:
    faults(backend, "wait()", FaultKind.TIMEOUT)


@behaviour
def a_half_line_is_no_reply(backend: Backend) -> None:
    faults(
        backend, "q = question(); os.write(1, b'{\"id\": \"' + q['id'].encode())\nwait()", FaultKind.TIMEOUT
    )


@behaviour
def a_bot_that_never_reads_holds_nobody_up(backend: Backend) -> None:
    with seated(backend, "ready()\nwait()") as seat:
        hello(seat)
        began = time.monotonic()
        expect(ask(seat, MOVE_MS, ballast=1_000_000), FaultKind.TIMEOUT)
        took_ms = (time.monotonic() - began) * 1000.0
        must(took_ms < MOVE_MS + LATE_MS, f"told after {took_ms:.0f} ms")


@behaviour
def a_flood_of_lines_is_cut_off(backend: Backend) -> None:
    faults(backend, "flood(1, b'{}\\n' * 1000)", FaultKind.OUTPUT)


@behaviour
def a_flood_of_text_is_cut_off(backend: Backend) -> None:
    faults(backend, "flood(1, b'text\\n' * 1000)", FaultKind.OUTPUT)


@behaviour
def an_endless_line_is_cut_off(backend: Backend) -> None:
    faults(backend, "flood(1)", FaultKind.OUTPUT, "line")


@behaviour
def text_that_is_no_reply_is_garbage(backend: Backend) -> None:
    faults(backend, "print('thinking')\nanswer(card='JS')\nwait()", FaultKind.GARBAGE)


@behaviour
def a_bot_that_stops_itself_is_removed(backend: Backend) -> None:
    source = "for s in (signal.SIGTERM, signal.SIGINT): signal.signal(s, signal.SIG_IGN)\n"
    with seated(backend, source + "ready()\nos.kill(os.getpid(), signal.SIGSTOP)") as seat:
        hello(seat)
        expect(ask(seat, MOVE_MS), FaultKind.TIMEOUT)
        began = time.monotonic()
        seat.stop()
        must(time.monotonic() - began < AT_ONCE_MS / 1000.0, "it took long to remove")

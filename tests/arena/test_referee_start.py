"""What happens before the first deal: bots that are not ready, and new processes (protocol.md)."""

import pytest

from arena.errors import PlatformFailure
from arena.protocol import Hello
from arena.referee import Board
from arena.seat import Failure, FaultKind, Reply
from tests.support.seats import Spy, at, four, play, table_of


class Unready(Spy):
    """Fails at `hello` in a given way."""

    def __init__(self, failure):
        super().__init__()
        self.failure = failure

    def ask(self, question, budget_ms):
        if isinstance(question, Hello):
            self.starts += 1
            return self.failure
        raise AssertionError("a seat that never was ready is asked nothing")


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (Failure(FaultKind.TIMEOUT, "late"), "start"),
        (Failure(FaultKind.CRASH, "exit code 0"), "crash"),
        (Failure(FaultKind.MEMORY, "128 MiB"), "memory"),
        (Failure(FaultKind.OUTPUT, "flood"), "output"),
        (Failure(FaultKind.GARBAGE, "not JSON"), "garbage"),
        (Reply({"id": "q0"}), "start"),
        (Reply({"id": "q0", "ready": 1}), "start"),
    ],
)
def test_a_bot_that_is_not_ready_is_vacated_before_the_first_deal(failure, kind):
    bad = Unready(failure)
    record = play(table_of(*four(bad)))
    (fault,) = record.faults
    assert (fault.deal, fault.trick, fault.kind, fault.action) == (0, 0, kind, None)
    assert record.vacated[0].deal == 0
    assert record.ranks[0] == 4
    assert bad.heard == []


def test_a_process_that_ended_is_started_anew_for_the_next_match():
    bad = Spy(at(3, Failure(FaultKind.CRASH, "exit code 1")))
    table = table_of(*four(bad))
    play(table)
    assert play(table, Board(bytes(32))).faults == ()
    assert bad.starts == 2


def test_when_all_seats_fail_at_once_the_match_ends_with_equal_ranks():
    record = play(table_of(*(Unready(Failure(FaultKind.TIMEOUT, "late")) for _ in range(4))))
    assert record.ranks == (1, 1, 1, 1)
    assert len(record.vacated) == 4


def test_a_platform_failure_is_nobodys_fault_and_ends_the_match():
    def broken(question, asked):
        raise PlatformFailure("sandbox_lost", "the engine went away")

    with pytest.raises(PlatformFailure, match="sandbox_lost"):
        play(table_of(*four(Spy(broken))))

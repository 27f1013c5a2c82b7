"""An attacker at a table with honest bots: the match goes on, and the attacker alone is to blame."""

import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.referee import Board, Table
from arena.rules import Rules
from sandbox.reference import reference_package
from sandbox.seat import ProcessSeat
from tests.sandbox.bots import HASTY, PATIENT, mischief, play_against_references, python

VACATED = [
    # what it does at its second card -> the fault, in every backend
    ("os._exit(0)", "crash", "ended with exit code 0"),
    ("raise ValueError('my secret plan')", "crash", "ended with exit code 1"),
    ("os.kill(os.getpid(), signal.SIGKILL)", "crash", "ended by signal 9 (SIGKILL)"),
    ("os.close(1); time.sleep(60)", "crash", "closed its standard output"),
    ("[os.write(1, b'x' * 65536) for _ in range(10**6)]", "output", "a line longer than 64 KiB"),
    (
        "[os.write(1, b'{}\\n' * 9999) for _ in range(10**6)]",
        "output",
        "more than 256 KiB without a valid reply",
    ),
    (
        "[os.write(1, b'text\\n' * 9999) for _ in range(10**6)]",
        "output",
        "more than 256 KiB without a valid reply",
    ),
    ("os.write(1, b'{\"id\": \"' + b'9' * (16 << 20) + b'\"}\\n')", "output", "a line longer than 64 KiB"),
    (
        "kept = [b'x' * (1 << 20) for _ in range(1000)]; time.sleep(60)",
        "memory",
        "used more than 128 MiB of memory",
    ),
]
ENDURED = [
    ("time.sleep(60)", "timeout", "no reply in time"),
    ("os.kill(os.getpid(), signal.SIGSTOP)", "timeout", "no reply in time"),
    ("print('thinking')", "garbage", "not JSON"),
    ("reply['card'] = 'ZZ'", "invalid", ""),
    ("reply['card'] = ['JS']", "invalid", ""),
    ("reply['card'] = 5", "invalid", ""),
    ("reply['card'] = 10**18", "invalid", ""),
    ("reply = {'id': message['id']}", "invalid", ""),
    ("os.write(1, b'\\xff\\n')", "garbage", "not UTF-8"),
    ("os.write(1, b'[' * 60000 + b'\\n')", "garbage", "nested deeper"),
]


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(("act", "kind", "detail"), VACATED[:3])
def test_an_attacker_in_any_seat_is_vacated_and_ranked_last(backend, seat, act, kind, detail):
    record, _ = play_against_references(backend, mischief(act), seat=seat)
    assert [(fault.seat, str(fault.kind), fault.detail) for fault in record.faults] == [(seat, kind, detail)]
    assert record.ranks[seat] == max(record.ranks)


@pytest.mark.parametrize(("act", "kind", "detail"), VACATED[3:])
def test_a_bot_that_ends_or_must_be_ended_is_vacated(backend, act, kind, detail):
    record, _ = play_against_references(backend, mischief(act), seat=2)
    assert [(fault.seat, str(fault.kind), fault.detail) for fault in record.faults] == [(2, kind, detail)]
    assert len(record.deals) == 2


@pytest.mark.parametrize(("act", "kind", "detail"), ENDURED)
def test_a_bot_that_fails_once_goes_on_in_its_seat(backend, act, kind, detail):
    clock = HASTY if kind == "timeout" else PATIENT
    record, _ = play_against_references(backend, mischief(act), seat=1, clock=clock)
    assert (record.faults[0].seat, str(record.faults[0].kind)) == (1, kind)
    assert detail in record.faults[0].detail
    assert len(record.deals) == 2


def test_a_traceback_is_for_the_owner_alone(backend):
    record, log = play_against_references(backend, mischief("raise ValueError('my secret plan')"))
    assert "ValueError: my secret plan" in log
    assert b"secret" not in record.to_bytes()
    assert b"main.py" not in record.to_bytes()


def test_a_bot_that_cannot_start_is_vacated_before_the_first_deal(backend):
    record, log = play_against_references(backend, python("import nothing_of_that_name"))
    assert [(fault.deal, str(fault.kind)) for fault in record.faults] == [(0, "crash")]
    assert "ModuleNotFoundError" in log


def test_two_answers_in_one_turn_never_change_a_match(backend):
    twice = "print(json.dumps({**reply, 'card': message['legal'][-1]}), flush=True)"
    plain = "reply['card'] = message['legal'][-1]"
    again, _ = play_against_references(backend, mischief(twice))
    once, _ = play_against_references(backend, mischief(plain))
    assert again.to_bytes() == once.to_bytes()
    assert not again.faults


@pytest.mark.parametrize("name", ["lowest", "dodger", "counter", "random", "highest"])
def test_a_reference_player_plays_in_the_sandbox(backend, name):
    record, log = play_against_references(backend, reference_package(name), players=5, seat=3)
    assert not record.faults, log


@pytest.mark.parametrize("act", ["os._exit(1)", "time.sleep(60)"])
def test_when_all_fail_at_once_the_match_still_ends(backend, act):
    rules = Rules.make(players=3, deals=1, tiebreak="shared")
    seats = [ProcessSeat(backend, mischief(act, when=1)) for _ in range(3)]
    table = Table(rules, seats, new_id=lambda: secrets.token_hex(8), clock=HASTY)
    record = table.play(Board(bytes(32)), match="m", bots=["a", "b", "c"])
    table.close()
    assert len({fault.seat for fault in record.faults}) == 3
    assert sorted(record.ranks)[0] == 1
    assert not any(seat.live for seat in seats)


def test_a_bot_that_closes_its_input_is_late_not_gone(backend):
    record, _ = play_against_references(backend, mischief("os.close(0); time.sleep(60)"), clock=HASTY)
    assert {str(fault.kind) for fault in record.faults} == {"timeout"}


def test_tables_side_by_side_do_not_disturb_each_other(backend):
    def table(number):
        return play_against_references(backend, reference_package("lowest"), seat=number % 4)[0]

    with ThreadPoolExecutor(max_workers=4) as threads:
        records = list(threads.map(table, range(8)))
    assert not any(record.faults for record in records)
    # Every player plays alike here, so it matters to nobody which seat is the sandboxed one.
    assert len({record.to_bytes() for record in records}) == 1

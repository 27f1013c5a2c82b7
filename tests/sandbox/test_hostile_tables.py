"""An attacker at a table with honest bots: the match goes on, and the attacker alone is to blame.

The attacks are in attacks.py, what must hold after each of them in aftermath.py.
"""

import secrets
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import FaultKind, Reply
from sandbox.contract.means import ask, hello, seated
from sandbox.reference import reference_package
from sandbox.seat import ProcessSeat
from tests.sandbox.aftermath import Scene, as_usual
from tests.sandbox.attacks import CROWDS, ENDS, ENDURED, HARMLESS, VACATED
from tests.sandbox.bots import HASTY, mischief, play_against_references, python


@pytest.fixture(scope="module")
def scene(backend):
    made = Scene(backend)
    yield made
    made.close()


@pytest.fixture(scope="module")
def verdicts():
    """The records of all attacks, whichever backend was first."""
    return {}


def cases(attacks):
    """Each attack from one seat, and all seats in turn."""
    return [pytest.param(attack, number % 4, id=attack.name) for number, attack in enumerate(attacks)]


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("attack", ENDS, ids=lambda attack: attack.name)
def test_an_attacker_in_any_seat_is_vacated_and_ranked_last(scene, verdicts, attack, seat):
    assert attack.vacated
    one_verdict(verdicts, scene.undergo(attack, seat), (attack.name, seat))


@pytest.mark.parametrize(("attack", "seat"), cases(VACATED))
def test_a_bot_that_ends_or_must_be_ended_is_vacated(scene, verdicts, attack, seat):
    assert attack.vacated
    one_verdict(verdicts, scene.undergo(attack, seat), attack.name)


@pytest.mark.parametrize(("attack", "seat"), cases(ENDURED))
def test_a_bot_that_fails_now_and_then_goes_on_in_its_seat(scene, verdicts, attack, seat):
    one_verdict(verdicts, scene.undergo(attack, seat), attack.name)


@pytest.mark.parametrize(("attack", "seat"), cases(HARMLESS))
def test_what_harms_nobody_is_no_fault(scene, verdicts, attack, seat):
    assert not attack.faults
    one_verdict(verdicts, scene.undergo(attack, seat), attack.name)


@pytest.mark.parametrize(("attack", "seat"), cases(CROWDS))
def test_a_crowd_that_spins_in_its_own_turn_costs_its_own_clock_alone(scene, verdicts, attack, seat):
    one_verdict(verdicts, scene.undergo(attack, seat), attack.name)
    assert scene.charged_ms[1] >= 24 * 5


def test_a_bot_that_never_reads_disturbs_no_table_beside_it(scene, backend):
    """One that 1 MB waits for, at a table of another thread of this process."""

    def deaf():
        with seated(backend, "ready()\nwait()") as seat:
            assert isinstance(hello(seat), Reply)
            asked.set()
            return ask(seat, 2_000, ballast=1_000_000)

    asked = threading.Event()
    with ThreadPoolExecutor(max_workers=1) as thread:
        beside = thread.submit(deaf)
        assert asked.wait(30)
        with scene.core():
            beside_ms = scene.play_normally()
        assert not beside.done()
        assert beside.result().kind is FaultKind.TIMEOUT
    with scene.core():
        assert as_usual(beside_ms, scene.play_normally())


def one_verdict(verdicts, record, key):
    """Every backend says the same, to the byte."""
    assert verdicts.setdefault(key, record.to_bytes()) == record.to_bytes()


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
    """In any of a hundred decisions."""
    twice = "print(json.dumps({**reply, 'card': message['legal'][-1]}), flush=True)"
    plain = "reply['card'] = message['legal'][-1]"
    always = {"when": "cards"}
    again, _ = play_against_references(backend, mischief(twice, **always), deals=13)
    once, _ = play_against_references(backend, mischief(plain, **always), deals=13)
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


def test_tables_side_by_side_do_not_disturb_each_other(backend):
    def table(number):
        return play_against_references(backend, reference_package("lowest"), seat=number % 4)[0]

    with ThreadPoolExecutor(max_workers=4) as threads:
        records = list(threads.map(table, range(8)))
    assert not any(record.faults for record in records)
    # Every player plays alike here, so it matters to nobody which seat is the sandboxed one.
    assert len({record.to_bytes() for record in records}) == 1

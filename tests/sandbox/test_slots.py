"""Each live seat has a user of its own, each table a core, on the whole machine: by locks that end with
their process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import PlatformFailure
from sandbox import locks, slots
from sandbox.locks import lock_one
from sandbox.slots import FIRST_UID, Slot


@pytest.fixture
def place(monkeypatch, tmp_path):
    """The machine's place for locks, for this test alone."""
    monkeypatch.setattr(locks, "_PLACES", (str(tmp_path),))
    return tmp_path / f"polignac-{os.getuid()}"


def other_process(code, **environment):
    """What another process says."""
    told = {**os.environ, "PYTHONPATH": os.getcwd(), **environment}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=told, check=False)
    return done.stdout.strip()


def test_two_live_seats_never_share_a_user():
    held = [Slot() for _ in range(5)]
    assert len({slot.uid for slot in held}) == 5
    again = held.pop().uid
    assert again not in {slot.uid for slot in held}
    for slot in held:
        slot.release()


def test_a_released_slot_is_given_out_again(place):
    first = Slot()
    first.release()
    second = Slot()
    assert second.uid == first.uid == FIRST_UID
    second.release()


def test_workers_with_different_temporary_folders_never_share_a_user(tmp_path):
    mine = Slot()
    code = "from sandbox.slots import Slot; print(Slot().uid)"
    assert int(other_process(code, TMPDIR=str(tmp_path))) != mine.uid
    assert not list(tmp_path.iterdir())
    mine.release()


def test_a_worker_that_dies_gives_its_numbers_back(place):
    code = f"""
import os, signal
from pathlib import Path
from sandbox.locks import lock_one
print(lock_one("slots", range(9), Path({str(place)!r})).number, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    slot = Slot()
    other = int(other_process(code))
    assert FIRST_UID + other != slot.uid
    lock = lock_one("slots", [other])
    assert lock.number == other
    lock.release()
    slot.release()


def test_users_and_cores_are_different_numbers(place):
    held = [lock_one(kind, [3]) for kind in ("slots", "cores")]
    assert [lock.number for lock in held] == [3, 3]
    assert lock_one("cores", [3]) is None
    for lock in held:
        lock.release()


def test_when_all_are_taken_the_platform_is_at_fault(place, monkeypatch):
    monkeypatch.setattr(slots, "_SLOTS", 1)
    held = Slot()
    with pytest.raises(PlatformFailure, match="all 1 seats"):
        Slot()
    held.release()


@pytest.mark.parametrize("within", [".", "slots"])
def test_a_folder_that_others_could_write_is_not_used(place, within):
    (place / within).mkdir(parents=True, exist_ok=True)
    (place / within).chmod(0o777)
    with pytest.raises(PlatformFailure, match="not a folder of ours alone"):
        Slot()


def test_a_link_to_elsewhere_is_not_followed(place, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PlatformFailure, match="not a folder of ours alone"):
        Slot()


def test_where_the_machine_has_no_place_for_locks_another_is_taken(monkeypatch, tmp_path):
    monkeypatch.setattr(locks, "_PLACES", ("/no/such/place", str(tmp_path / "{uid}"), str(tmp_path)))
    assert locks._place() == Path(tmp_path) / f"polignac-{os.getuid()}"

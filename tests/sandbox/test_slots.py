"""Each live seat has a user of its own, and a slot comes back by itself when its worker dies."""

import os
import subprocess
import sys

import pytest

from arena.errors import PlatformFailure
from sandbox import slots
from sandbox.slots import Slot


def test_two_live_seats_never_share_a_user():
    held = [Slot() for _ in range(5)]
    assert len({slot.uid for slot in held}) == 5
    again = held.pop().uid
    assert again not in {slot.uid for slot in held}
    for slot in held:
        slot.release()


def test_a_released_slot_is_given_out_again(monkeypatch, tmp_path):
    monkeypatch.setattr(slots.tempfile, "gettempdir", lambda: str(tmp_path))
    first = Slot()
    first.release()
    second = Slot()
    assert second.uid == first.uid
    second.release()


def test_a_worker_that_dies_gives_its_slots_back(monkeypatch, tmp_path):
    monkeypatch.setattr(slots.tempfile, "gettempdir", lambda: str(tmp_path))
    code = """
import os, signal
from sandbox.slots import Slot
print((slot := Slot()).uid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": os.getcwd()}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    slot = Slot()
    assert slot.uid == int(done.stdout)
    slot.release()


def test_when_all_are_taken_the_platform_is_at_fault(monkeypatch, tmp_path):
    monkeypatch.setattr(slots.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(slots, "_SLOTS", 1)
    held = Slot()
    with pytest.raises(PlatformFailure, match="all 1 seats"):
        Slot()
    held.release()


def test_a_folder_that_others_could_write_is_not_used(monkeypatch, tmp_path):
    monkeypatch.setattr(slots.tempfile, "gettempdir", lambda: str(tmp_path))
    (tmp_path / f"polignac-slots-{os.getuid()}").mkdir(mode=0o777)
    (tmp_path / f"polignac-slots-{os.getuid()}").chmod(0o777)
    with pytest.raises(PlatformFailure, match="not a folder of ours alone"):
        Slot()

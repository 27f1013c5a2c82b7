"""The compiled list of system calls decides as the list reads: shown by running it, step by step."""

import errno
import fcntl
import json
import struct
from pathlib import Path

import pytest

import sandbox.seccomp
from sandbox.seccomp import bubblewrap_filter, docker_profile

FOLDER = Path(sandbox.seccomp.__file__).parent
NUMBERS = json.loads((FOLDER / "syscalls.json").read_text())
ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL = 0x7FFF0000, 0x80000000


def denied(number):
    return 0x00050000 | number


def verdict(machine, call, *arguments, arch=None):
    """What the kernel would do: a machine of its own for the steps that the compiler writes."""
    number = NUMBERS[machine][call] if isinstance(call, str) else call
    padded = [a & (2**64 - 1) for a in (*arguments, 0, 0, 0, 0, 0, 0)][:6]
    data = struct.pack("<IIQ6Q", number, arch or ARCHES[machine], 0, *padded)
    steps = list(struct.iter_unpack("=HBBI", bubblewrap_filter(machine)))
    at = accumulator = 0
    while True:
        operation, yes, no, value = steps[at]
        at += 1
        match operation:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, value)
            case 0x54:
                accumulator &= value
            case 0x15:
                at += yes if accumulator == value else no
            case 0x35:
                at += yes if accumulator >= value else no
            case 0x06:
                return value
            case _:
                raise AssertionError(f"no such step: {operation:#x}")


pytestmark = pytest.mark.parametrize("machine", ARCHES)


def test_every_call_of_the_list_is_decided_as_the_list_says(machine):
    for rule in json.loads((FOLDER / "seccomp-bot.json").read_text())["syscalls"]:
        for name in rule["names"]:
            if (
                "args" in rule
                or name not in NUMBERS[machine]
                or name in ("memfd_create", "sched_setaffinity", "flock")
            ):
                continue
            wanted = ALLOW if rule["action"] == "SCMP_ACT_ALLOW" else denied(rule["errnoRet"])
            assert verdict(machine, name) == wanted, name


def test_what_is_not_in_the_list_does_not_exist(machine):
    for number in set(range(500)) - set(NUMBERS[machine].values()):
        assert verdict(machine, number) == denied(errno.ENOSYS), number


def test_only_unix_sockets_can_be_made(machine):
    assert verdict(machine, "socket", 1, 1) == ALLOW
    for family in (0, 2, 10, 16, 17, 40, 1 << 32):
        assert verdict(machine, "socket", family, 1) != ALLOW, family
    assert verdict(machine, "socket", 2, 1) == denied(errno.EAFNOSUPPORT)


def test_a_process_may_be_made_but_no_namespace(machine):
    assert verdict(machine, "clone", 0x1200011) == ALLOW
    assert verdict(machine, "clone", 0x3D0F00) == ALLOW
    for flag in (0x10000000, 0x40000000, 0x00020000, 0x20000000, 0x04000000, 0x08000000, 0x02000000):
        assert verdict(machine, "clone", flag | 17) != ALLOW, hex(flag)
    assert verdict(machine, "clone3") == denied(errno.ENOSYS)


def test_a_personality_may_be_asked_for_not_changed(machine):
    assert verdict(machine, "personality", 0xFFFFFFFF) == ALLOW
    assert verdict(machine, "personality", 0) == ALLOW
    assert verdict(machine, "personality", 0x0040000) != ALLOW


def test_what_bubblewrap_cannot_cap_is_denied_beyond_the_list(machine):
    assert verdict(machine, "memfd_create") == denied(errno.EPERM)
    assert verdict(machine, "sched_setaffinity") == denied(errno.EPERM)
    for command in (1031, 1031 | 1 << 32):
        assert verdict(machine, "fcntl", 1, command, 1 << 20) == denied(errno.EPERM)
    assert verdict(machine, "fcntl", 1, 4, 0) == ALLOW


def test_bots_that_see_the_same_files_can_not_notice_each_other_by_them(machine):
    assert verdict(machine, "flock", 3, 2) == denied(errno.EPERM)
    for command in (fcntl.F_GETLK, fcntl.F_OFD_GETLK, fcntl.F_SETLEASE, fcntl.F_NOTIFY):
        assert verdict(machine, "fcntl", 3, command, 0) == denied(errno.EPERM)
    # A library may lock its own file to read it, SQLite's does: that alone tells nobody anything.
    assert verdict(machine, "fcntl", 3, fcntl.F_SETLK, 0) == ALLOW


def test_calls_of_another_architecture_end_the_process(machine):
    assert verdict(machine, "read", arch=0x40000003) == KILL
    if machine == "x86_64":
        assert verdict(machine, 0x40000000 | NUMBERS[machine]["read"]) == denied(errno.ENOSYS)


def test_the_engines_profile_is_for_the_same_architecture(machine):
    profile = json.loads(docker_profile(machine))
    assert profile["architectures"] == [
        {"x86_64": "SCMP_ARCH_X86_64", "aarch64": "SCMP_ARCH_AARCH64"}[machine]
    ]
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"

"""The list of system calls that a bot may make, compiled for the kernel without any library.

``seccomp-bot.json`` is in Docker's format and serves both backends; ``syscalls.json`` has the numbers
(from Linux's ``asm/unistd.h``). What comes out is the classic BPF that ``bwrap --seccomp`` reads:
an array of ``struct sock_filter``.
"""

import functools
import json
import platform
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

_FOLDER = Path(__file__).parent
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16
_EPERM, _ENOSYS = 1, 38
_X32_BIT = 0x40000000
_ARCHITECTURES: Final = {
    "x86_64": (0xC000003E, "SCMP_ARCH_X86_64"),
    "aarch64": (0xC00000B7, "SCMP_ARCH_AARCH64"),
}
#: What bubblewrap denies beyond the list: it has no cap on all of a bot's memory, the core is ours, and two
#: bots see the same files of the system: what one locks or reads there, the other could notice.
_DENIED_IN_BUBBLEWRAP: Final = ("memfd_create", "sched_setaffinity", "flock")
_DENIED_FCNTL: Final = {
    "F_SETPIPE_SZ": 1031,
    "F_GETLK": 5,
    "F_OFD_GETLK": 36,
    "F_SETLEASE": 1024,
    "F_NOTIFY": 1026,
}

Rule = dict[str, Any]


@functools.cache
def docker_profile(machine: str = "") -> str:
    """The list as the Docker engine takes it: JSON text, for this machine's architecture."""
    profile = _profile()
    profile["architectures"] = [_architecture(machine)[1]]
    return json.dumps(profile)


@functools.cache
def bubblewrap_filter(machine: str = "") -> bytes:
    """The list as ``bwrap --seccomp`` takes it.

    Args:
        machine: as ``platform.machine()`` names it; this one when empty.

    Raises:
        KeyError: there are no numbers for this architecture.
    """
    denied = [
        {"names": list(_DENIED_IN_BUBBLEWRAP), "action": "SCMP_ACT_ERRNO", "errnoRet": _EPERM},
        *(
            {
                "names": ["fcntl"],
                "action": "SCMP_ACT_ERRNO",
                "errnoRet": _EPERM,
                # The kernel takes this argument as a 32-bit number, whatever the high half holds.
                "args": [{"index": 1, "value": 0xFFFFFFFF, "valueTwo": command, "op": "SCMP_CMP_MASKED_EQ"}],
            }
            for command in _DENIED_FCNTL.values()
        ),
    ]
    profile = _profile()
    return _assemble(denied + profile["syscalls"], profile["defaultErrnoRet"], machine)


def _profile() -> dict[str, Any]:
    profile: dict[str, Any] = json.loads((_FOLDER / "seccomp-bot.json").read_text())
    return profile


def _architecture(machine: str) -> tuple[int, str]:
    return _ARCHITECTURES[machine or platform.machine()]


def _assemble(rules: list[Rule], default_errno: int, machine: str) -> bytes:
    """One block a rule and call, the first that fits decides; jumps stay inside their block."""
    numbers: dict[str, int] = json.loads((_FOLDER / "syscalls.json").read_text())[
        machine or platform.machine()
    ]
    code = [
        _step(_LOAD, _ARCH_AT),
        _step(_JUMP_EQUAL, _architecture(machine)[0], yes=1),
        _step(_RETURN, _KILL_PROCESS),
        _step(_LOAD, _NUMBER_AT),
        # The x32 calls of x86-64 are another table in disguise.
        _step(_JUMP_AT_LEAST, _X32_BIT, no=1),
        _step(_RETURN, _ERRNO | _ENOSYS),
    ]
    for rule in rules:
        for name in rule["names"]:
            if name in numbers:
                code += _block(numbers[name], rule)
    code.append(_step(_RETURN, _ERRNO | default_errno))
    return b"".join(code)


def _block(number: int, rule: Rule) -> list[bytes]:
    body: list[tuple[int, int, bool]] = [piece for test in rule.get("args", []) for piece in _test(test)]
    action = _ALLOW if rule["action"] == "SCMP_ACT_ALLOW" else _ERRNO | int(rule.get("errnoRet", _EPERM))
    if not body:
        return [_step(_JUMP_EQUAL, number, no=1), _step(_RETURN, action)]
    # After a failed test the accumulator no longer holds the number: load it again at the end.
    size = len(body) + 1
    code = [_step(_JUMP_EQUAL, number, no=size + 1)]
    for at, (operation, value, wanted) in enumerate(body):
        out = len(body) - at
        if operation != _JUMP_EQUAL:
            code.append(_step(operation, value))
        elif wanted:
            code.append(_step(operation, value, no=out))
        else:
            code.append(_step(operation, value, yes=out))
    code.append(_step(_RETURN, action))
    code.append(_step(_LOAD, _NUMBER_AT))
    return code


def _test(test: dict[str, Any]) -> Iterator[tuple[int, int, bool]]:
    """One comparison of a 64-bit argument, as steps on its two halves (little endian)."""
    low_at = _ARGUMENTS_AT + 8 * test["index"]
    value, operation = test["value"], test["op"]
    if operation == "SCMP_CMP_MASKED_EQ":
        wanted = test.get("valueTwo", 0)
        halves = [(low_at, value & 0xFFFFFFFF, wanted & 0xFFFFFFFF), (low_at + 4, value >> 32, wanted >> 32)]
        for at, mask, part in halves:
            yield (_LOAD, at, True)
            yield (_AND, mask, True)
            yield (_JUMP_EQUAL, part, True)
    elif operation == "SCMP_CMP_EQ":
        yield (_LOAD, low_at + 4, True)
        yield (_JUMP_EQUAL, value >> 32, True)
        yield (_LOAD, low_at, True)
        yield (_JUMP_EQUAL, value & 0xFFFFFFFF, True)
    elif operation == "SCMP_CMP_NE" and value <= 0xFFFFFFFF:
        # The kernel takes these arguments as 32-bit numbers, so the low half decides.
        yield (_LOAD, low_at, True)
        yield (_JUMP_EQUAL, value, False)
    else:
        raise ValueError(f"no such comparison here: {test}")


def _step(operation: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, yes, no, value)

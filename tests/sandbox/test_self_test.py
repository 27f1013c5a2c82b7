"""A wall that is taken away is missed: what a play worker has its sandbox show before it takes tables."""

import dataclasses
import struct

import pytest

from sandbox import bubblewrap, bwrap_hardening
from sandbox.contract import BEHAVIOURS, DENIALS, examine
from sandbox.limits import Limits

#: seccomp's answer "allow" to every call, as its one instruction.
ALLOW_ALL = struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000)
NAMESPACES = "its_namespaces_are_its_own"
WRITING = "nothing_can_be_written"
TALKING = "two_bots_of_one_table_cannot_talk"
MASKS = "the_machine_and_its_load_are_masked"
LIMITS = "the_limits_of_its_processes_are_set"
SESSION = "it_is_neither_the_first_process_nor_in_a_session_of_ours"
PRIVILEGES = "it_has_no_privileges_and_can_gain_none"
CALLS = "the_kernel_refuses_what_no_bot_needs"
THREADS = "a_thread_bomb_is_contained"


def missed(backend, *names):
    """What the examination has to say, by behaviour."""
    found = examine(backend, names or DENIALS, at_once=4)
    return {result.name: result.problem for result in found if result.problem}


def test_the_examination_is_a_part_of_the_contract():
    assert set(DENIALS) < set(BEHAVIOURS)


def test_with_all_walls_nothing_is_missed(backend):
    assert missed(backend) == {}


# -- bubblewrap ------------------------------------------------------------------------------------

#: Which behaviour misses a wall of bubblewrap's table.
SEEN_UNDER_BUBBLEWRAP = {
    "--unshare-net": NAMESPACES,
    "--unshare-pid": NAMESPACES,
    "--unshare-ipc": NAMESPACES,
    "--unshare-uts": NAMESPACES,
    "--unshare-user": NAMESPACES,
    "--new-session": SESSION,
    "--hostname": "it_does_not_learn_the_machines_names",
    "/proc/stat": MASKS,
    "/proc/loadavg": MASKS,
    "/proc/interrupts": MASKS,
    "/proc/vmstat": MASKS,
    "/proc/cmdline": MASKS,
    "/proc/locks": TALKING,
    "/proc/pressure/cpu": MASKS,
    "/proc/sys/fs/file-nr": MASKS,
    "/tmp": WRITING,
    "/dev": WRITING,
    "/": WRITING,
    **dict.fromkeys(("-c", "-t", "-f", "-l", "-q", "-n"), LIMITS),
    "-u": THREADS,
}
#: Walls with another behind them that holds without them, or that only show when a worker ends.
HELD_BY_ANOTHER = {
    "--unshare-cgroup-try": "the files of control groups are not there",
    "--disable-userns": "the list of system calls refuses new namespaces",
    "--die-with-parent": "tests/sandbox/test_bubblewrap.py kills a worker",
    "--clearenv": "bwrap is started with an empty environment",
    "--cap-drop": "bwrap drops all of everybody but root",
    "--uid": "it is the seat's own user, never root",
    "--gid": "and its group",
    "/proc": "its files are not its user's",
    "-r": "no limit is higher than the worker's own, and without an operator's doing that is 0",
    "-e": "the same",
    "-v": "the watchdog looks each 100 ms",
}


def without(name):
    """bubblewrap's table less one wall."""

    def table(*arguments):
        return tuple(wall for wall in bwrap_hardening.hardening(*arguments) if wall.name != name)

    return table


@pytest.mark.bubblewrap
@pytest.mark.parametrize("name", SEEN_UNDER_BUBBLEWRAP)
def test_a_wall_of_bubblewraps_that_is_taken_away_is_missed(name, monkeypatch):
    monkeypatch.setattr(bubblewrap, "hardening", without(name))
    assert missed(bubblewrap.BubblewrapBackend(), SEEN_UNDER_BUBBLEWRAP[name])


@pytest.mark.bubblewrap
def test_under_bubblewrap_the_list_of_system_calls_is_missed(monkeypatch):
    monkeypatch.setattr(bubblewrap, "bubblewrap_filter", lambda: ALLOW_ALL)
    assert missed(bubblewrap.BubblewrapBackend(), CALLS)


def test_every_wall_of_bubblewraps_is_seen_or_said_to_be_held_by_another():
    table = bwrap_hardening.hardening(Limits())
    masked = {wall.name for wall in table if wall.kind is bwrap_hardening.Kind.MASK}
    # Not every kernel has each of the files, or lets anybody but root read it.
    assert {wall.name for wall in table} - masked == {*SEEN_UNDER_BUBBLEWRAP, *HELD_BY_ANOTHER} - masked
    assert all(len(wall.reason) > 4 for wall in table)


# -- Docker ----------------------------------------------------------------------------------------

#: Which behaviour misses an option of Docker's table.
SEEN_UNDER_DOCKER = {
    "ReadonlyRootfs": WRITING,
    "CapDrop": PRIVILEGES,
    "SecurityOpt": PRIVILEGES,
    "MaskedPaths": MASKS,
    "IpcMode": WRITING,
    "PidsLimit": THREADS,
    "Memory": NAMESPACES,  # the engine refuses swap without memory
    "Ulimits": LIMITS,
    "OomScoreAdj": LIMITS,
}
#: The engine is asked whether it took them (tests/sandbox/test_docker.py). The network is shut off twice.
ASKED_BACK = {
    *(
        "NetworkMode",
        "Dns",
        "ReadonlyPaths",
        "Init",
        "MemorySwap",
        "LogConfig",
        "RestartPolicy",
        "AutoRemove",
        "Privileged",
    ),
}


@pytest.fixture
def change(monkeypatch):
    """`change(**options)`: give options of Docker's table other values; ``None`` takes one away."""
    from sandbox.containers import hardening

    whole = hardening.hardening

    def table(changed):
        def less(limits):
            for option in whole(limits):
                value = changed.get(option.name, option.value)
                if value is not None:
                    yield dataclasses.replace(option, value=value)

        monkeypatch.setattr(hardening, "hardening", less)

    return lambda **changed: table(changed)


@pytest.mark.docker
@pytest.mark.parametrize("name", SEEN_UNDER_DOCKER)
def test_an_option_of_dockers_that_is_taken_away_is_missed(name, docker_backend, change):
    change(**{name: None})
    assert missed(docker_backend, SEEN_UNDER_DOCKER[name])


@pytest.mark.docker
def test_either_half_of_dockers_security_options_is_missed(docker_backend, change):
    from sandbox.containers.hardening import hardening

    value = next(option.value for option in hardening(Limits()) if option.name == "SecurityOpt")
    privileges, calls = ([half for half in value if half.startswith(word)] for word in ("no-new", "seccomp"))
    change(SecurityOpt=privileges)
    assert missed(docker_backend, CALLS)
    change(SecurityOpt=calls)
    assert missed(docker_backend, PRIVILEGES)


@pytest.mark.docker
def test_with_neither_of_the_walls_before_the_network_it_is_missed(docker_backend, change, monkeypatch):
    from sandbox.containers import waiting

    whole = waiting._config
    monkeypatch.setattr(waiting, "_config", lambda *given: {**whole(*given), "NetworkDisabled": False})
    change(NetworkMode="host")
    assert missed(docker_backend, NAMESPACES, "there_is_no_network").keys() == {
        NAMESPACES,
        "there_is_no_network",
    }


def test_every_option_of_dockers_is_seen_or_asked_back():
    from sandbox.containers.hardening import hardening

    assert {option.name for option in hardening(Limits())} == {*SEEN_UNDER_DOCKER, *ASKED_BACK}

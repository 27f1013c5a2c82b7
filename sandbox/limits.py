"""What a bot's process may use."""

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """One value for both backends; the units are in the names.

    What a bot may print and keep as a log is the protocol's (``arena.protocol``), not a setting.

    Attributes:
        memory_mib: of all processes of a bot together.
        pids: processes and threads of a bot together.
        cpu_s: processor time of one process in its life.
        open_files: descriptors of one process.
        file_mib: the longest file; nothing is writable, so this only backs that up.
        address_space_mib: virtual memory of one process where a backend cannot cap real memory; a
            language that reserves much more than it uses overrides it (``language.toml``).
        scratch_mib: a place to write, which only the build of a program has.
        core: the only processor that the bot may run on; ``None`` lets the kernel choose.
    """

    memory_mib: int = 128
    pids: int = 32
    cpu_s: int = 600
    open_files: int = 64
    file_mib: int = 16
    address_space_mib: int = 512
    scratch_mib: int = 0
    core: int | None = None

    def __post_init__(self) -> None:
        for name in ("memory_mib", "pids", "cpu_s", "open_files", "file_mib", "address_space_mib"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")


def usable_cores(core: int | None) -> int:
    """How many processors a bot may use at once, where ``core`` is its only one if so."""
    return 1 if core is not None else len(os.sched_getaffinity(0))

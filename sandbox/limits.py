"""What a bot's process may use."""

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
        core: the only processor that the bot may run on; ``None`` lets the kernel choose.
    """

    memory_mib: int = 128
    pids: int = 32
    cpu_s: int = 600
    open_files: int = 64
    file_mib: int = 16
    address_space_mib: int = 512
    core: int | None = None

    def __post_init__(self) -> None:
        for name in ("memory_mib", "pids", "cpu_s", "open_files", "file_mib", "address_space_mib"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")

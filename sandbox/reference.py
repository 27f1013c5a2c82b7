"""The reference players as packages, so that they run in sandboxes like anybody's bot."""

import functools
from pathlib import Path

import arena
from arena.players import REFERENCE
from sandbox.package import Package

#: What the players import, all of it the game's own or the standard library's.
_MODULES = ("__init__", "cards", "deal", "errors", "rules", "shuffle")


@functools.cache
def reference_package(name: str) -> Package:
    """The program of a reference player.

    Raises:
        KeyError: there is no player of that name in ``arena.players.REFERENCE``.
    """
    if name not in REFERENCE:
        raise KeyError(name)
    root = Path(arena.__file__).parent
    sources = [root / f"{module}.py" for module in _MODULES] + sorted((root / "players").glob("*.py"))
    files = {f"arena/{source.relative_to(root).as_posix()}": source.read_bytes() for source in sources}
    files["main.py"] = (
        f"import sys\n\nfrom arena.players.__main__ import main\n\nsys.exit(main([{name!r}]))\n".encode()
    )
    return Package(files, "python", "main.py", name)

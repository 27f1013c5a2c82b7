"""`python -m bench.one_table BACKEND`: a table on a core of its own, as a worker of the league has it.

Plays as many deals as each line of standard input says, and answers with the seconds that took.
"""

import sys
import time

from bench import tables
from sandbox.backends import choose
from sandbox.cores import own_core


def main() -> None:
    """Serve until the input ends."""
    package = tables.c_bot() or tables.python_bot()
    with own_core() as core, tables.sandboxed(choose(sys.argv[1]), package, core) as table:
        table.play(20)
        print("ready", flush=True)
        for line in sys.stdin:
            start = time.perf_counter()
            table.play(int(line))
            print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()

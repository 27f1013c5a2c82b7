"""What the watchdog takes a process to hold, and what it does about it."""

import mmap
import os

import pytest

from sandbox.watchdog import Watch, kib_of

ROLLUP = (
    "7f00-7fff ---p 00000000 00:00 0  [rollup]\nRss:  900 kB\nPss:  700 kB\nPss_Anon: 5 kB\nSwapPss:  60 kB\n"
)
MADV_PAGEOUT = 21


@pytest.mark.parametrize(("name", "kib"), [("Pss", 700), ("SwapPss", 60), ("Rss", 900), ("Swap", 0), ("", 0)])
def test_a_number_is_read_by_its_whole_name(name, kib):
    assert kib_of(name, ROLLUP) == kib


@pytest.mark.parametrize("swapped", [False, True])
def test_memory_counts_wherever_it_is(swapped):
    """Swapped out, too, where the machine has swap."""
    held = mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for at in range(0, len(held), mmap.PAGESIZE):
        held[at] = 1
    if swapped:
        held.madvise(MADV_PAGEOUT)
    killed = []
    watch = Watch(os.getpid(), 64, lambda: killed.append(True))
    watch.look()
    assert watch.over_memory
    assert killed
    held.close()

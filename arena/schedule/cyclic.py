"""Cyclic designs: a few base blocks, turned through the whole field.

With the entrants on a circle of N, a block turned by 0, 1, …, N−1 is N groups in which everyone appears
equally often, and a pair meets as often as its distance on the circle occurs within the block. So it is
enough that the distances occur equally often: a search among N/2 numbers instead of among N² pairs. (Where
each occurs exactly as often as the next, the blocks are a *difference family*, the classic way to make block
designs.)
"""

import random
from itertools import combinations

# Changes tried for each base block.
TRIES = 1500


def base_blocks(n: int, size: int, blocks: int, chance: random.Random) -> list[list[int]]:
    """`blocks` sets of `size` residues mod n, their distances as evenly spread as a search finds."""
    found = [chance.sample(range(n), size) for _ in range(blocks)]
    counts = [0] * n
    for block in found:
        for one, two in combinations(block, 2):
            _count(counts, one, two, 1)
    low, rest = divmod(blocks * size * (size - 1), n - 1)
    best = (n - 1 - rest) * low * low + rest * (low + 1) ** 2
    cost = sum(count * count for count in counts)
    for _ in range(TRIES * blocks):
        if cost <= best:
            break
        block = chance.choice(found)
        seat = chance.randrange(size)
        new = chance.randrange(n)
        if new in block:
            continue
        others = block[:seat] + block[seat + 1 :]
        change = 0
        for other in others:
            change += _count(counts, block[seat], other, -1)
        for other in others:
            change += _count(counts, new, other, 1)
        if change <= 0:
            block[seat] = new
            cost += change
        else:
            for other in others:
                _count(counts, new, other, -1)
                _count(counts, block[seat], other, 1)
    return found


def turned(blocks: list[list[int]], n: int) -> list[list[int]]:
    """Each base block turned through all n places."""
    return [[(place + turn) % n for place in block] for block in blocks for turn in range(n)]


def _count(counts: list[int], one: int, two: int, by: int) -> int:
    """Count a distance, both ways round; how the sum of squares changed."""
    n = len(counts)
    change = 0
    for distance in ((one - two) % n, (two - one) % n):
        change += by * (2 * counts[distance] + by)
        counts[distance] += by
    return change

"""Simulated pools and duels, for the tests of the ratings and for `make bench`."""

import hashlib
from collections.abc import Sequence
from itertools import count
from math import erf

import numpy as np
from numpy.typing import NDArray

from arena.cards import Card, Cards, list_cards
from arena.players import REFERENCE
from arena.players.base import Player
from arena.players.counter import Counter
from arena.ratings.meetings import Floats
from arena.ratings.results import Ints, Results
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import InProcessSeat

_PHI = np.array([0.5 * (1.0 + erf(x / 1000 / 2**0.5)) for x in range(-5000, 5001)])


def balanced(chance: np.random.Generator, bots: int, players: int, rounds: int) -> Ints:
    """(g, players) groups, each bot in one group a round but for the rest that is left over."""
    shuffled = np.array([chance.permutation(bots) for _ in range(rounds)])
    return shuffled[:, : bots - bots % players].reshape(-1, players)


def races(
    chance: np.random.Generator,
    strength: Floats,
    groups: Ints,
    boards: int,
    *,
    by_hand: float = 0.3,
    by_bot: float = 0.3,
    company: float = 0.0,
    step: float | None = None,
) -> Results:
    """Blocks whose pairs follow Bradley–Terry exactly, though all that happens on a board hangs together.

    Everybody runs a race: strength plus luck from Gumbel's distribution. Tables rotate the hands.

    Args:
        strength: of each bot, in natural units.
        by_hand, by_bot: the parts of the luck that the hand on this board brings to whoever holds it, and
            that a bot has on this board whatever it holds.
        company: how much (standard deviation) each bot is stronger or weaker in a certain company. The same
            members are the same company.
        step: races are timed in such steps, so that there are ties; Bradley–Terry is no longer exact then.
    """
    g, n = groups.shape
    place = np.arange(n)
    normal = chance.standard_normal
    luck = by_hand**0.5 * normal((g, boards, n))[:, :, (place[:, None] + place) % n]
    luck += by_bot**0.5 * normal((g, boards, 1, n))
    luck += (1.0 - by_hand - by_bot) ** 0.5 * normal((g, boards, n, n))
    uniform = np.interp(luck, np.arange(-5, 5.0005, 0.001), _PHI)
    effect = strength[groups]
    if company:
        sets = np.unique(np.sort(groups, axis=1), axis=0, return_inverse=True)[1].reshape(-1)
        effect = effect + company * normal((sets.max() + 1, n))[sets]
    race = effect[:, None, None, :] - np.log(-np.log(uniform))
    if step is not None:
        race = np.floor(race / step)
    return table_of(groups, 1 + (race[..., None, :] > race[..., :, None]).sum(axis=-1))


def jacks(
    chance: np.random.Generator,
    strength: Floats,
    groups: Ints,
    boards: int,
    *,
    deals: int = 8,
    dumper: int = -1,
    favoured: int = -1,
    dumps: float = 0.0,
) -> Results:
    """Blocks of deals in which five points are caught, each by one of the table: the weak catch more.

    Args:
        dumper, favoured: where both sit, the first takes a point that would be the second's with the chance
            `dumps`.
    """
    g, n = groups.shape
    shape = (g, boards, n, deals, 5)
    odds = np.exp(-strength)[groups]
    limits = np.cumsum(odds / odds.sum(axis=1, keepdims=True), axis=1)[:, None, None, None, None, :]
    caught = (chance.random(shape)[..., None] > limits[..., :-1]).sum(axis=-1)
    catcher = groups[np.arange(g)[:, None, None, None, None], caught]
    both = (groups == dumper).any(axis=1) & (groups == favoured).any(axis=1)
    moved = both[:, None, None, None, None] & (catcher == favoured) & (chance.random(shape) < dumps)
    catcher = np.where(moved, dumper, catcher)
    points = (catcher[..., None] == groups[:, None, None, None, None, :]).sum(axis=(3, 4))
    rank = 1 + (points[..., None, :] < points[..., :, None]).sum(axis=-1)
    return table_of(groups, rank, points, deals)


def table_of(
    groups: Ints, rank: NDArray[np.integer], points: NDArray[np.integer] | None = None, deals: int = 1
) -> Results:
    """Results of (g, boards, tables, n) ranks and points."""
    group, board, table, seat = (axis.ravel() for axis in np.indices(rank.shape))
    nothing = np.zeros(rank.size, np.int64)
    return Results.from_columns(
        tournament=nothing,
        group=group,
        board=board,
        table=table,
        deals=nothing + deals,
        competitor=groups[group, seat],
        points=rank if points is None else points,
        rank=rank,
        faults=nothing,
        vacated=nothing,
    )


class Blunderer(Counter):
    """`counter`, but one card in twenty is any legal one."""

    def choose_card(self, legal: Cards) -> Card:
        """Seeded by the deal's luck, so that it blunders in the same places of a board."""
        if self.random.random() < 0.05:
            return self.random.choice(list_cards(legal))
        return super().choose_card(legal)


def duel_boards(boards: Sequence[int]) -> Floats:
    """(b,) points a deal of `counter` less those of `Blunderer`: real games, one deal a board, `random` and
    `lowest` at the table, seats swapped."""
    rules = Rules.make(players=4, deals=1, bids=[], tiebreak="shared")
    ids = count()
    weak = REFERENCE["random"], REFERENCE["lowest"]

    def table(first: type[Player], third: type[Player]) -> Table:
        seats = [InProcessSeat(player) for player in (first, weak[0], third, weak[1])]
        return Table(rules, seats, new_id=lambda: str(next(ids)))

    one, other = table(Counter, Blunderer), table(Blunderer, Counter)
    gaps = []
    for number in boards:
        board = Board(hashlib.sha256(b"%d" % number).digest(), first_dealer=number % 4)
        straight = one.play(board, match="straight", bots="abcd").totals
        swapped = other.play(board, match="swapped", bots="abcd").totals
        gaps.append((straight[0] - straight[2] + swapped[2] - swapped[0]) / 2)
    return np.array(gaps)

"""Reference opponents, from no thought at all to simulation.

Only the standard library and the game's own modules: the same files run in a sandbox, where nothing is
installed.
"""

from collections.abc import Mapping

from arena.players.base import Player
from arena.players.counter import Counter
from arena.players.dodger import Dodger
from arena.players.montecarlo import MonteCarlo
from arena.players.simple import Highest, Lowest, Random

REFERENCE: Mapping[str, type[Player]] = {
    "random": Random,
    "lowest": Lowest,
    "highest": Highest,
    "dodger": Dodger,
    "counter": Counter,
    "montecarlo": MonteCarlo,
}

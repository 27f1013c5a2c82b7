"""Whole deals with random legal play: our engine, and OpenSpiel's hearts and skat through its Python API."""

import importlib
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path
from typing import Any

from arena.cards import list_cards
from arena.deal import Deal
from arena.rules import Rules
from arena.shuffle import deal_hands
from bench.measure import Workload

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "bench" / "requirements.txt"
INSTALLED = ROOT / "var" / f"openspiel-{sys.version_info.major}.{sys.version_info.minor}"
SEED = bytes(range(32))


@dataclass(frozen=True)
class Game:
    """A contender.

    Attributes:
        cards: in the pack: each is dealt, and (skat's two apart) played.
    """

    name: str
    cards: int
    play: Workload


def _draws() -> Iterator[int]:
    """Random numbers drawn beforehand, so that choosing costs every contender the same, and little."""
    chance = random.Random(1)
    return cycle([chance.getrandbits(30) for _ in range(1 << 16)])


def polignac() -> Game:
    """Ours: four players, the committed shuffle, every card checked, the deal scored; bids off."""
    rules = Rules.make(players=4, bids=[])
    seats = range(4)
    draws = _draws()
    numbers = count(1)

    def play(deals: int) -> None:
        for _ in range(deals):
            deal = Deal(rules, seats, deal_hands(SEED, next(numbers), 0, 4))
            while legal := deal.legal:
                if legal & (legal - 1):
                    cards = list_cards(legal)
                    deal.play(cards[next(draws) % len(cards)])
                else:
                    deal.play(legal.bit_length() - 1)  # the only one
            deal.points()

    return Game("polignac (this engine)", 32, play)


def openspiel_games(pyspiel: Any) -> list[Game]:
    """Hearts without passing cards on, which is the nearest to our game, and skat."""
    hearts = _openspiel(pyspiel, "hearts(pass_cards=false)")
    skat = _openspiel(pyspiel, "skat")
    return [Game("OpenSpiel hearts", 52, hearts), Game("OpenSpiel skat", 32, skat)]


def _openspiel(pyspiel: Any, text: str) -> Workload:
    game = pyspiel.load_game(text)
    draws = _draws()

    def play(deals: int) -> None:
        for _ in range(deals):
            state = game.new_initial_state()
            while not state.is_terminal():
                # Dealing is a move of chance with equal odds: the same call, and the quickest there is.
                actions = state.legal_actions()
                if len(actions) > 1:
                    state.apply_action(actions[next(draws) % len(actions)])
                else:
                    state.apply_action(actions[0])
            state.returns()

    return play


def find_openspiel() -> tuple[Any, str]:
    """OpenSpiel's module, installed first where need be; `None` and the reason where it can't be had."""
    if not INSTALLED.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        command += ["--target", str(INSTALLED), "--requirement", str(REQUIREMENTS)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return None, (done.stderr.strip().splitlines() or ["pip failed"])[-1]
    # Behind everything else: what came along with it must not replace what we run with.
    sys.path.append(str(INSTALLED))
    try:
        return importlib.import_module("pyspiel"), ""
    except ImportError as error:
        return None, str(error)

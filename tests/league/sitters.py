"""Sittings for the tests: a person who plays by program, bots in this process."""

import time
from types import SimpleNamespace

from arena.seat import InProcessSeat
from league.pipeline import person, sit
from league.sittings.models import Sitting
from tests.league import kit

RULES = {"deals": 1, "players": 3, "tiebreak": "shared"}
PLAYERS = ("lowest", "highest", "dodger", "random", "counter")


def bots(number=2):
    """Versions to play against, each of an author of its own."""
    return [kit.active(kit.author(n), f"Bot {n}", PLAYERS[n]) for n in range(number)]


def begun(user, seat=0, versions=None, **rules):
    """A sitting that waits for a worker."""
    rules = {**RULES, **rules}
    ids = [version.pk for version in versions or bots(rules["players"] - 1)]
    return sit.begin(user, rules, ids, seat)


def in_process(monkeypatch):
    """The bots are objects of this process."""
    monkeypatch.setattr(sit, "seat_of", lambda version, *_: InProcessSeat(kit.reference_player(version)))


def while_thinking(monkeypatch, act):
    """`act()` whenever a worker waits for the person."""
    monkeypatch.setattr(person, "time", SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: act()))


def path(sitting, more=""):
    return f"/api/v1/sittings/{sitting.pk}/{more}"


def answer(client, sitting, choose=lambda legal: legal[0]):
    """Answer what is asked, by the API; gives what was asked and the answer."""
    asked = client.get(path(sitting)).json()["question"]
    body = {"number": asked["number"], asked["kind"]: choose(asked["legal"])}
    return asked, client.post(path(sitting, "answers/"), body)


def again(sitting):
    """The row as it is now."""
    return Sitting.objects.get(pk=sitting.pk)

"""Bots for tests, and tables that they sit at."""

import secrets

from arena.players import REFERENCE
from arena.protocol import ClockLimits
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import InProcessSeat
from sandbox.package import Package
from sandbox.seat import ProcessSeat

#: Nobody runs out of time by it, however busy the machine is.
PATIENT = ClockLimits(start_ms=30_000, move_ms=15_000, bank_ms=15_000)
#: For bots that are to run out of it.
HASTY = ClockLimits(start_ms=30_000, move_ms=150, bank_ms=0)

#: A bot that plays its first legal card, and does something else at its `when`-th card.
MISCHIEF = """
import json, os, signal, sys, time
cards = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"id": message["id"], "ready": True}}), flush=True)
    elif message["type"] == "bid":
        print(json.dumps({{"id": message["id"], "bid": "pass"}}), flush=True)
    elif message["type"] == "play":
        cards += 1
        reply = {{"id": message["id"], "card": message["legal"][0]}}
        if cards == {when}:
            {act}
        print(json.dumps(reply), flush=True)
    elif message["type"] == "bye":
        break
"""


def python(source: str) -> Package:
    """A bot of one Python file."""
    return Package({"main.py": source.encode()}, "python", "main.py")


def mischief(act: str, when: int = 2) -> Package:
    """See MISCHIEF."""
    return python(MISCHIEF.format(act=act, when=when))


def play_against_references(backend, package, *, seat=0, players=4, deals=2, clock=PATIENT):
    """A match with the bot in one seat and honest players in the others: ``(record, the bot's log)``."""
    rules = Rules.make(players=players, deals=deals, tiebreak="shared")
    seats = [InProcessSeat(REFERENCE["lowest"]) for _ in range(players)]
    seats[seat] = bot = ProcessSeat(backend, package, label="test")
    table = Table(rules, seats, new_id=lambda: secrets.token_hex(8), clock=clock)
    try:
        record = table.play(Board(bytes(32)), match="m", bots=["bot"] * players)
        table.close()
    finally:
        bot.stop()
    return record, bot.log


#: Before or after it answers, it spins (that much processor time) or sleeps for `bank_ms`, as `hand` says:
#: itself, in a thread, or in a child.
THINKER = """
import json, os, sys, threading, time

def spin(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass

def child(seconds):
    pid = os.fork()
    if not pid:
        spin(seconds)
        os._exit(0)
    return pid

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    kind = message["hand"][0] if "hand" in message else ""
    seconds = message.get("bank_ms", 0) / 1000
    if kind == "spin":
        spin(seconds)
    elif kind == "sleep":
        time.sleep(seconds)
    elif kind == "child":
        os.waitpid(child(seconds), 0)
    print(json.dumps({"id": message["id"], "ready": True, "card": "JS"}), flush=True)
    if kind == "spin_after":
        spin(seconds)
    elif kind == "child_after":
        child(seconds)
    elif kind == "thread_after":
        threading.Thread(target=spin, args=[seconds]).start()
"""

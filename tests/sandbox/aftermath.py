"""What must hold after every attack (docs/hostile-cases.md, After every case of a bot): one harness.

A scene is a worker process with a backend: match after match at a table of four, one seat attacks, the next
holds an honest witness in a sandbox of its own.
"""

import contextlib
import re
import secrets
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.audit import audit
from arena.protocol import ClockLimits, Hello
from arena.record import Record
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import InProcessSeat, Seat
from sandbox.cores import own_core
from sandbox.limits import Limits
from sandbox.package import Package
from sandbox.seat import ProcessSeat
from tests.sandbox import traces
from tests.sandbox.bots import PATIENT, python
from tests.support.seats import Honest

RULES = Rules.make(players=4, deals=1, bids=[], tiebreak="shared")
BOARD = Board(bytes(32))
#: What the referee's memory may grow by, and what a seat may have on the disk.
GROWTH_KIB, DISK_BYTES = 50 * 1024, 1 << 20
#: What the witness thinks before each card, and how far its charge may be from what it is alone.
THINK_MS, SHARE, SLACK_MS = 6, 0.05, 1.0
#: How long anything of an attacker may be there after it was ended.
GONE_S = 1.0
#: A file's name, a path, a line of the bot's, its words: what the public never reads.
PRIVATE = re.compile(rb"main\.py|/bot|/tmp|/usr|Traceback|secret|line \d")

#: Plays its first legal card; in the match "attack" it does something else from its second one on.
ATTACKER = """
import json, os, signal, socket, subprocess, sys, threading, time
def say(**reply):
    os.write(1, json.dumps({{"id": message["id"], **reply}}).encode() + b"\\n")
def raw(card):
    os.write(1, b'{{"id": "' + message["id"].encode() + b'", "card": ' + card + b'}}\\n')
def spin(seconds=3600):
    end = time.thread_time() + seconds
    while time.thread_time() < end: pass
def fork(act):
    if not os.fork():
        act()
        os._exit(0)
def foreign():
    return next(r + s for s in "SHDC" for r in "KQTA" if r + s not in message["hand"] + played)
played, attacks = [], False
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "match":
        played, attacks = [], message["match"] == "attack"
    elif message["type"] == "hello":
        say(ready=True)
    elif message["type"] == "play":
        card = message["legal"][0]
        if attacks and 0 < len(played) <= {count}:
            print("my secret plan", file=sys.stderr, flush=True)
{acts}
        say(card=card)
        played.append(card)
    elif message["type"] == "bye":
        break
"""

WITNESS = f"""
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "play":
        end = time.thread_time() + {THINK_MS / 1000}
        while time.thread_time() < end: pass
    if "id" in message:
        reply = {{"id": message["id"], "ready": True, "card": message.get("legal", [""])[0]}}
        print(json.dumps(reply), flush=True)
"""


@dataclass(frozen=True)
class Attack:
    """What a bot does from its second card on, and what becomes of it: the same under every backend.

    Attributes:
        acts: one for each decision, in Python, each on one line; when that is over, `card` is played.
        faults: kind and some of the detail of each fault that it is blamed for.
        clock: of the match.
        prelude: what its program begins with.
    """

    name: str
    acts: str | tuple[str, ...]
    faults: tuple[tuple[str, str], ...] = ()
    clock: ClockLimits = PATIENT
    prelude: str = ""

    @property
    def package(self) -> Package:
        """The bot."""
        acts = (self.acts,) if isinstance(self.acts, str) else self.acts
        lines = (f"            if len(played) == {number}: {act}" for number, act in enumerate(acts, 1))
        return python(self.prelude + ATTACKER.format(acts="\n".join(lines), count=len(acts)))

    @property
    def vacated(self) -> bool:
        """Whether it loses its seat."""
        return len(self.faults) > 2 or any(kind in ("crash", "memory", "output") for kind, _ in self.faults)


class Watched(ProcessSeat):
    """Keeps what each decision was charged."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.charged_ms: list[float] = []

    def ask(self, question, budget_ms):
        answer = super().ask(question, budget_ms)
        if not isinstance(question, Hello):
            self.charged_ms.append(answer.charged_ms)
        return answer


class Scene:
    """A worker with a backend of the same kind as this one, and a witness at all of its tables.

    Attributes:
        charged_ms: what the last attacker was charged for each decision.
    """

    def __init__(self, backend) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="polignac-scene-"))
        self.seats = self.folder / "seats"
        self.seats.mkdir()
        # The bots' users must get through to their files.
        for folder in (self.folder, self.seats):
            folder.chmod(0o711)
        self.backend = traces.Traced(type(backend)(staging_dir=self.seats))
        self.charged_ms: list[float] = []
        with self.core() as limits:
            self.witness = Watched(self.backend, python(WITNESS), limits, label="witness")
            self.normal, _ = self.play(self.table({}), "normal")
        assert not self.normal.faults
        (self.witness_folder,) = self.seats.iterdir()

    @contextlib.contextmanager
    def core(self) -> Iterator[Limits]:
        """The same core for each table; this thread is on it meanwhile."""
        with own_core(self.folder / "cores") as core:
            yield Limits(core=core)

    def close(self) -> None:
        """End the witness."""
        self.witness.stop()
        shutil.rmtree(self.folder)

    def undergo(self, attack: Attack, seat: int) -> Record:
        """Play a match with the attack from this seat, then a normal one at the same table, and see all that
        must hold: the record of the first."""
        self.backend.traces.clear()
        open_before, resident_kib = traces.descriptors(), traces.resident_kib()
        traces.reset_peak()
        with self.core() as limits:
            attacker = Watched(self.backend, attack.package, limits, label="attacker")
            table = self.table({seat: attacker}, attack.clock)
            try:
                record, beside_ms = self.play(table, "attack")
                assert traces.size_of(self.seats) < 2 * DISK_BYTES
                log, self.charged_ms = attacker.log, list(attacker.charged_ms)
                attacker.stop()
                self.nothing_is_left()
                alone_ms = self.play_normally(table)
            finally:
                attacker.stop()
        self.nothing_is_left()
        verdict(record, attack, seat)
        assert "my secret plan" in log
        assert as_usual(beside_ms, alone_ms)
        assert traces.peak_kib() - resident_kib < GROWTH_KIB
        assert traces.descriptors() == open_before
        return record

    def table(self, seats: dict[int, ProcessSeat], clock: ClockLimits = PATIENT) -> Table:
        """These seats, the witness to the left of the first of them, and honest ones of ours."""
        everyone: list[Seat] = [InProcessSeat(Honest) for _ in range(4)]
        for number, seat in seats.items():
            everyone[number] = seat
        everyone[(min(seats, default=0) + 1) % 4] = self.witness
        return Table(RULES, everyone, new_id=lambda: secrets.token_hex(8), clock=clock)

    def play(self, table: Table, name: str) -> tuple[Record, float]:
        """A match, and what the witness was charged for a decision of it (the median)."""
        self.witness.charged_ms.clear()
        record = table.play(BOARD, match=name, bots=["a", "b", "c", "d"])
        audit(record)
        return record, statistics.median_low(self.witness.charged_ms)

    def play_normally(self, table: Table | None = None) -> float:
        """A match as if there had been no attack; what the witness is charged for a decision."""
        record, charged_ms = self.play(table or self.table({}), "normal")
        assert record.to_bytes() == self.normal.to_bytes()
        return charged_ms

    def nothing_is_left(self) -> None:
        """Of the attackers: no process, no control group, no folder."""
        until = time.monotonic() + GONE_S
        while (found := self.found()) and time.monotonic() < until:
            time.sleep(0.01)
        assert not found
        self.backend.traces.clear()

    def found(self) -> list[object]:
        """What is there of the attackers."""
        folders = [path for path in self.seats.iterdir() if path != self.witness_folder]
        return [left for trace in self.backend.traces for left in trace.left()] + folders


def as_usual(beside_ms: float, alone_ms: float) -> bool:
    """Whether a charge beside an attacker is no more than without it. Less than what was thought is charged
    now and then on a busy machine: of a wait that began before the question, all of it is given."""
    return beside_ms <= max(alone_ms, THINK_MS) * (1 + SHARE) + SLACK_MS


def verdict(record: Record, attack: Attack, seat: int) -> None:
    """The attacker alone is to blame, for this and nothing else; the match has ended with ranks."""
    assert len(record.deals) == 1
    found = [(fault.seat, str(fault.kind)) for fault in record.faults]
    assert found == [(seat, kind) for kind, _ in attack.faults], record.faults
    for fault, (_, detail) in zip(record.faults, attack.faults, strict=True):
        assert detail in fault.detail
    if attack.vacated:
        assert record.ranks[seat] == 4
    assert not PRIVATE.search(record.to_bytes())

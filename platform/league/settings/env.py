"""Reading the environment: each variable once, checked, and named when it is wrong.

Every variable that the project knows is read in league.settings, by this module, and listed in .env.example;
a test compares.
"""

import os
from collections.abc import Callable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeVar

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

Value = TypeVar("Value")

#: Names of the variables read so far.
known: set[str] = set()

TRUE, FALSE = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off"})


class BadSetting(ImproperlyConfigured):
    """A variable of the environment that is missing or wrong: the process must not start."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name} {problem} (an environment variable; .env.example lists them all)")
        self.name = name


def read(name: str, parse: Callable[[str], Value], default: str | None) -> Value:
    """The variable's parsed value; an empty one counts as unset. `default` None: it must be set.

    `parse` raises ValueError with what would be right. Raises BadSetting.
    """
    known.add(name)
    text = os.environ.get(name, "").strip() or default
    if text is None:
        raise BadSetting(name, "is not set, and has no default here")
    try:
        return parse(text)
    except ValueError as error:
        raise BadSetting(name, f"is wrong: {error}") from None


def text(name: str, default: str | None = None) -> str:
    """Any text."""
    return read(name, str, default)


def secret(name: str) -> str:
    """A text that nobody else knows, of 50 characters or more; there is no default."""

    def parse(value: str) -> str:
        if len(value) < 50:
            raise ValueError("it needs at least 50 characters")
        if "this-key-is-public" in value:
            raise ValueError("it is one that everybody can read in the project's settings")
        return value

    return read(name, parse, None)


def flag(name: str, default: str | None = None) -> bool:
    """1 or 0, in one of the usual spellings."""

    def parse(value: str) -> bool:
        if value.lower() not in TRUE | FALSE:
            raise ValueError(f"write 1 or 0, not {value!r}")
        return value.lower() in TRUE

    return read(name, parse, default)


def whole(name: str, default: str | None, least: int, most: int) -> int:
    """A whole number in a range."""

    def parse(value: str) -> int:
        if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
            raise ValueError(f"write a whole number from {least} to {most}, not {value!r}")
        return int(value)

    return read(name, parse, default)


def choice(name: str, default: str | None, allowed: Sequence[str]) -> str:
    """One of a few words."""

    def parse(value: str) -> str:
        if value not in allowed:
            raise ValueError(f"it is one of {', '.join(allowed)}, not {value!r}")
        return value

    return read(name, parse, default)


def words(name: str, default: str | None) -> list[str]:
    """A list with commas; at least one word unless the default is empty."""

    def parse(value: str) -> list[str]:
        return [word.strip() for word in value.split(",") if word.strip()]

    return read(name, parse, default)


def networks(name: str, default: str | None) -> list[IPv4Network | IPv6Network]:
    """A list of networks, with commas: `10.1.0.0/16`, or a single address."""

    def parse(value: str) -> list[IPv4Network | IPv6Network]:
        return [ip_network(word.strip()) for word in value.split(",") if word.strip()]

    return read(name, parse, default)


def database(name: str, default: str | None) -> dict[str, object]:
    """A database by URL: sqlite or PostgreSQL."""

    def parse(value: str) -> dict[str, object]:
        try:
            parsed = dict(dj_database_url.parse(value))
        except ValueError:  # its own errors are kinds of it
            parsed = {}
        if parsed.get("ENGINE") not in {"django.db.backends.sqlite3", "django.db.backends.postgresql"}:
            raise ValueError("write sqlite:///PATH or postgres://USER:PASSWORD@HOST:PORT/NAME")
        if not parsed.get("NAME"):
            raise ValueError("the database's name is missing")
        return parsed

    return read(name, parse, default)


def redis(name: str, default: str | None) -> str:
    """A Redis by URL."""

    def parse(value: str) -> str:
        if not value.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("write redis://HOST:PORT/NUMBER")
        return value

    return read(name, parse, default)


def rate(name: str, default: str | None) -> str:
    """So many requests a time, as `10/min`."""

    def parse(value: str) -> str:
        count, slash, period = value.partition("/")
        if not (slash and count.isascii() and count.isdigit() and period in {"sec", "min", "hour", "day"}):
            raise ValueError(f"write NUMBER/sec, /min, /hour or /day, not {value!r}")
        return value

    return read(name, parse, default)

"""The servers that one is logged in to: `polignac/servers.json` in the XDG place, with mode 0600."""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from client.arguments import UsageError


@dataclass(frozen=True)
class Account:
    """Who one is at a server."""

    username: str
    token: str


@dataclass(frozen=True)
class Servers:
    """The file's content.

    Attributes:
        current: the address of the one that is meant where none is named; empty for none.
        accounts: by address.
    """

    current: str = ""
    accounts: Mapping[str, Account] = field(default_factory=dict)

    def with_account(self, address: str, account: Account) -> "Servers":
        """With one more, which is the current one then."""
        return Servers(address, {**self.accounts, address: account})

    def without(self, address: str) -> "Servers":
        """With one less; another becomes the current one, if it was that."""
        rest = {name: account for name, account in self.accounts.items() if name != address}
        return Servers(self.current if self.current in rest else next(iter(rest), ""), rest)

    def using(self, address: str) -> "Servers":
        """With another one as the current one. Raises UsageError for one that is not known."""
        if address not in self.accounts:
            raise UsageError(f"you are not logged in to {address}; polignac login {address}")
        return replace(self, current=address)


def place() -> Path:
    """Where the file is."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(home) if os.path.isabs(home) else Path.home() / ".config"
    return base / "polignac" / "servers.json"


def load() -> Servers:
    """What the file says; nothing, if there is none. Raises UsageError for one that can't be read."""
    try:
        data: Any = json.loads(place().read_bytes())
        accounts = {str(name): Account(**account) for name, account in data["accounts"].items()}
        return Servers(str(data["current"]), accounts)
    except FileNotFoundError:
        return Servers()
    except OSError as error:
        raise UsageError(f"{place()} can't be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UsageError(f"{place()} is damaged: remove it, and log in again") from None


def save(servers: Servers) -> None:
    """Write the file, whole or not at all, for its owner's eyes only. Raises UsageError."""
    accounts = {name: vars(account) for name, account in servers.accounts.items()}
    text = json.dumps({"current": servers.current, "accounts": accounts}, indent=2)
    try:
        place().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(dir=place().parent)  # mode 0600
        try:
            with open(number, "w", encoding="utf-8") as file:
                file.write(text + "\n")
            os.replace(name, place())
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise UsageError(f"{place()} can't be written: {error.strerror}") from None


def address_of(url: str) -> str:
    """A server's address in its one form: scheme, host and path, without the API's. Raises UsageError."""
    parts = urlsplit(url if "://" in url else f"https://{url}")
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.query:
        raise UsageError(f"{url!r} is no address of a server, as in https://league.example")
    path = parts.path.rstrip("/").removesuffix("/api/v1")
    return f"{parts.scheme}://{parts.netloc.lower()}{path}"

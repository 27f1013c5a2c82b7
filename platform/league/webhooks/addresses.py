"""Where a webhook may lead: to the public Internet, and nowhere inside our own network.

A name is resolved once, every address that it has is checked, and the connection goes to one of those very
addresses: a name that leads elsewhere a moment later leads nowhere. However an address is spelled, what
counts is what it resolves to.
"""

import re
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeAlias
from urllib.parse import urlsplit

from league.webhooks.models import URL_MAX

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network
#: A host's addresses, known within so many seconds. Raises OSError where there are none.
Resolver: TypeAlias = Callable[[str, float], Sequence[Address]]

#: What is not the public Internet (IANA's special-purpose registries), on top of what `is_global` says, which
#: differs between versions of Python. Of IPv6 only global unicast is taken, and of that no tunnel or
#: translation: inside those there may be any IPv4 address.
NOT_PUBLIC: Sequence[Network] = [
    ip_network(text)
    for text in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
]
GLOBAL_UNICAST = ip_network("2000::/3")
PORTS = {"http": 80, "https": 443}
#: Services of a machine's own listen below this; a webhook reaches none of those but web servers.
LEAST_PORT = 1024
#: What a URL is made of (RFC 3986), and a host: so that no two programs read it differently.
_URL = re.compile(r"[!-~]+")
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}")


class Refused(Exception):
    """An address that a webhook may not have; `code` is stable, for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Destination:
    """An address taken apart and checked; `addresses` is where it leads, and all of that is allowed."""

    secure: bool
    host: str
    port: int
    path: str
    addresses: tuple[Address, ...] = ()

    @property
    def authority(self) -> str:
        """For the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = PORTS["https" if self.secure else "http"]
        return host if self.port == usual else f"{host}:{self.port}"


def destination(
    url: str, allowed: Iterable[Network], within_s: float, resolve: "Resolver | None" = None
) -> Destination:
    """Where the URL leads now. `allowed`: networks that may be reached though they aren't public, over plain
    HTTP, too. Raises Refused."""
    to = parsed(url)
    try:
        addresses = tuple((resolve or system_resolver)(to.host, within_s))
    except OSError:
        addresses = ()
    allowed = list(allowed)
    ours = [any(address in network for network in allowed) for address in addresses]
    # One answer for names that nobody has and names of our own network: it tells nothing about that.
    if not addresses or not all(own or public(at) for own, at in zip(ours, addresses, strict=True)):
        raise Refused("address_refused", "The host must have public addresses, and no others.")
    if not to.secure and not all(ours):
        raise Refused("not_https", "It must begin with https://.")
    return Destination(to.secure, to.host, to.port, to.path, addresses)


def parsed(url: str) -> Destination:
    """The URL taken apart. Raises Refused for one that a webhook can't have, wherever it leads."""
    bad = Refused("bad_url", "Write https://HOST/PATH: no spaces, other scripts as %XX and xn--.")
    if len(url) > URL_MAX or not _URL.fullmatch(url):
        raise bad
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise bad from None
    if parts.scheme not in PORTS or not _HOST.fullmatch(host) or "\\" in url:
        raise bad
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise Refused("bad_url", "It may have no user, password or fragment.")
    port = PORTS[parts.scheme] if port is None else port
    if port not in PORTS.values() and port < LEAST_PORT:
        raise Refused("bad_port", f"Its port is 443, 80, or {LEAST_PORT} or more.")
    path = parts.path or "/"
    return Destination(parts.scheme == "https", host, port, f"{path}?{parts.query}" if parts.query else path)


def public(address: Address) -> bool:
    """Whether an address belongs to the public Internet."""
    if isinstance(address, IPv6Address) and address not in GLOBAL_UNICAST:
        return False
    return address.is_global and not any(address in network for network in NOT_PUBLIC)


def system_resolver(host: str, within_s: float) -> Sequence[Address]:
    """What the machine's resolver says; it takes its time, so it's asked in a thread of its own."""
    answers: SimpleQueue[list[Address] | OSError] = SimpleQueue()
    Thread(target=_ask, args=(host, answers), daemon=True).start()
    try:
        answer = answers.get(timeout=within_s)
    except Empty:
        raise TimeoutError("the name was not resolved in time") from None
    if isinstance(answer, OSError):
        raise answer
    return answer


def _ask(host: str, answers: "SimpleQueue[list[Address] | OSError]") -> None:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        texts = dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found)
        answers.put([ip_address(text) for text in texts])
    except OSError as error:
        answers.put(error)
    except ValueError as error:  # a name too long for the DNS, say
        answers.put(OSError(str(error)))

"""One attempt: a POST that takes no longer than it may, reads no more than it needs, and goes nowhere but to
addresses that were checked."""

import http.client
import re
import socket
import ssl
import time
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event, Timer
from urllib.parse import urljoin

from league.common.text import clipped
from league.webhooks.addresses import Destination, Network, Refused, Resolver, destination
from league.webhooks.models import EXCERPT_MAX

MAX_REDIRECTS = 3
#: The redirects that keep the method and the body; any other is a failure.
REDIRECTS = (307, 308)
GONE = 410
#: The failures that may say when to come again (RFC 6585, RFC 9110), and for how long they are heeded.
LATER = (429, 503)
MAX_LATER_S = 3600
READ_BYTES = 4096


@dataclass(frozen=True)
class Attempt:
    """How an attempt ended; `failure` is empty where the receiver has answered with 2xx.

    Attributes:
        later_s: how long the receiver wants to be left alone (`Retry-After`), MAX_LATER_S at the most.
    """

    failure: str
    code: int | None = None
    response: str = ""
    took_ms: int = 0
    later_s: float = 0.0

    @property
    def gone(self) -> bool:
        """Whether the receiver wants nothing more."""
        return self.code == GONE


@dataclass(frozen=True)
class Answer:
    """What came back: the status, where to instead, the beginning of the body, and when to come again."""

    code: int
    location: str
    body: bytes
    retry_after: str = ""


def post(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    allowed: Iterable[Network],
    timeout_s: float,
    resolve: Resolver | None = None,
) -> Attempt:
    """Send it, within so many seconds in all: resolving, connecting, redirects and reading. Raises nothing.

    Where it leads is checked before each connection, after a redirect, too (league.webhooks.addresses).
    """
    began, answer = time.monotonic(), None
    try:
        answer = _follow(url, headers, body, allowed=allowed, until=began + timeout_s, resolve=resolve)
        failure = "" if 200 <= answer.code < 300 else f"http_{answer.code}: the receiver answered with that"
    except Refused as error:
        failure = f"{error.code}: {error}"
    except TimeoutError:
        failure = f"timeout: it took longer than {timeout_s:g} s"
    except ssl.SSLError as error:
        failure = f"tls: {error.reason or error}"
    except (OSError, http.client.HTTPException, ValueError) as error:
        failure = f"unreachable: {error or type(error).__name__}"
    took_ms = round((time.monotonic() - began) * 1000)
    if answer is None:
        return Attempt(failure, took_ms=took_ms)
    wanted_s = later_s(answer.retry_after) if answer.code in LATER else 0.0
    return Attempt(failure, answer.code, excerpt(answer.body), took_ms, wanted_s)


def later_s(retry_after: str) -> float:
    """What a `Retry-After` says, seconds or a date, in seconds from now, MAX_LATER_S at the most; 0 for what
    makes no sense."""
    text = retry_after.strip()
    if re.fullmatch("[0-9]{1,18}", text):
        return float(min(int(text), MAX_LATER_S))
    try:
        wanted_s = (parsedate_to_datetime(text).astimezone(UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):
        return 0.0
    return min(max(0.0, wanted_s), MAX_LATER_S)


def excerpt(data: bytes) -> str:
    """The beginning of a stranger's answer, inert: no control characters, and not long."""
    text = data.decode("utf-8", "replace")
    return clipped("".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text), EXCERPT_MAX)


def _follow(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    allowed: Iterable[Network],
    until: float,
    resolve: Resolver | None,
) -> Answer:
    """The answer at the end of the redirects, or the last redirect where there are too many."""
    for left in reversed(range(1 + MAX_REDIRECTS)):
        to = destination(url, allowed, max(0.0, until - time.monotonic()), resolve)
        answer = _exchange(to, headers, body, until)
        if answer.code not in REDIRECTS or not answer.location or not left:
            return answer
        url = urljoin(url, answer.location)
    raise AssertionError("the last answer is given back")


def _exchange(to: Destination, headers: Mapping[str, str], body: bytes, until: float) -> Answer:
    """One request. Raises TimeoutError, SSLError, OSError, HTTPException."""
    plain, late = _connect(to, until), Event()
    # A timeout of a socket is for each read, and a receiver may send a byte a second: so somebody with a hold
    # on the connection cuts it when the time is up.
    with closing(plain.dup()) as hold:
        watch = Timer(until - time.monotonic(), _cut, (hold, late))
        watch.start()
        try:
            return _ask(to, plain, headers, body, late)
        except (OSError, http.client.HTTPException):
            if late.is_set():
                raise TimeoutError from None
            raise
        finally:
            watch.cancel()
            watch.join()


def _connect(to: Destination, until: float) -> socket.socket:
    for left, address in zip(range(len(to.addresses))[::-1], to.addresses, strict=True):
        within_s = until - time.monotonic()
        if within_s <= 0:
            raise TimeoutError
        try:
            # An address, so nothing is resolved again. Each gets its share of the time.
            made = socket.create_connection((str(address), to.port), within_s / (left + 1))
            made.settimeout(None)  # from here on the connection is cut when the time is up
            return made
        except OSError:
            if not left:
                raise
    raise AssertionError("a destination has an address")


def _ask(
    to: Destination, plain: socket.socket, headers: Mapping[str, str], body: bytes, late: Event
) -> Answer:
    with closing(plain):
        channel = plain
        if to.secure:
            channel = ssl.create_default_context().wrap_socket(plain, server_hostname=to.host)
        with closing(http.client.HTTPConnection(to.host, to.port)) as connection:
            connection.sock = channel  # connected already: it opens none of its own
            connection.request("POST", to.path, body, {"Host": to.authority, **headers})
            with closing(connection.getresponse()) as response:
                if late.is_set():  # headers that are cut off look like headers that end
                    raise TimeoutError
                data = b""
                with suppress(OSError, http.client.HTTPException):  # the status has come: that is the answer
                    data = response.read1(READ_BYTES)
                location, later = (response.getheader(name) or "" for name in ("Location", "Retry-After"))
                return Answer(response.status, location, data, later)


def _cut(hold: socket.socket, late: Event) -> None:
    late.set()
    with suppress(OSError):
        hold.shutdown(socket.SHUT_RDWR)

"""A client of the league's REST API (`/api/v1/`), for scripts and for `make demo`.

Every method gives the answer's JSON as it came; what is in it, the site's own pages at `/api/v1/docs/` say.
"""

import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import requests
import requests.auth

from client.events import END, MEDIA_TYPE, Event, parsed
from client.patience import Patience
from client.refusal import ApiError, Json, is_json, refusal

__all__ = ["Api", "ApiError", "Json"]

_TIMEOUT_S = 30.0
_PAGE_SIZE = 200
_WAITING = {"received", "checking"}
_POLL_S = 0.5


class Api:
    """One user's way to a site, or a visitor's until `log_in`.

    Args:
        site: its address, without the API's path: `https://league.example`.
        token: a token from before; `log_in` gets one.
        patience: how long to try again where the site says "later" or a connection is cut; by default not.
            What is sent again has one effect: writes carry an `Idempotency-Key`, and are safe to repeat.
    """

    def __init__(self, site: str, token: str | None = None, patience: Patience | None = None) -> None:
        self.site = site.rstrip("/")
        self._root = self.site + "/api/v1/"
        self._patience = patience or Patience()
        self._session = requests.Session()
        self._session.headers["Accept"] = "application/json"
        if token is not None:
            self._use(token)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; the token stays valid."""
        self._session.close()

    # -- users ------------------------------------------------------------------------------------------

    def sign_up(self, username: str, password: str) -> Json:
        """Make an account; does not log in."""
        return self.json("POST", "users/", {"username": username, "password": password})

    def log_in(self, username: str, password: str, **wanted: Any) -> str:
        """Get a token and use it from now on; gives it, since the site shows it only once."""
        token = str(self.new_token(username, password, **wanted)["token"])
        self._use(token)
        return token

    def new_token(self, username: str, password: str, **wanted: Any) -> Json:
        """Get a token; `wanted`: its `name`, its `scopes`, for how many `days`. What is None is left out."""
        body = {"username": username, "password": password, **wanted}
        told = {key: value for key, value in body.items() if value is not None}
        return self.json("POST", "tokens/", told)

    def tokens(self) -> Iterator[Json]:
        """Your tokens, page after page; without what they are."""
        return self.pages("tokens/")

    def end_token(self, token: int | None = None) -> None:
        """End a token of yours by its id; without one, all of them."""
        self.call("DELETE", "tokens/" if token is None else f"tokens/{token}/")

    def change_password(self, old: str, new: str) -> None:
        """Change your password, which ends all your tokens."""
        self.call("POST", "users/me/password/", json={"old": old, "new": new})

    def log_out(self) -> None:
        """End the token's validity."""
        self.call("DELETE", "tokens/current/")
        self._session.auth = None

    def me(self) -> Json:
        """Whose token this is, what it is good for, and how much of each quota is used."""
        return self.json("GET", "users/me/")

    # -- bots -------------------------------------------------------------------------------------------

    def bots(self, **query: str) -> Iterator[Json]:
        """Bots, page after page; `owner` and `name` filter them."""
        return self.pages("bots/", **query)

    def bot(self, bot: int) -> Json:
        """A bot."""
        return self.json("GET", f"bots/{bot}/")

    def create_bot(self, name: str) -> Json:
        """Make a bot; its program comes with `upload`."""
        return self.json("POST", "bots/", {"name": name})

    def upload(self, bot: int, filename: str, data: bytes) -> Json:
        """Upload a version, a source file or a zip by its name; it is checked before it may play. `new` is
        false where the same program was sent before."""
        return self._answer(self.call("POST", f"bots/{bot}/versions/", files={"file": (filename, data)}))

    def versions(self, bot: int) -> Iterator[Json]:
        """The versions of a bot, page after page: all of yours; of others those that play, or once might."""
        return self.pages(f"bots/{bot}/versions/")

    def version(self, version: int) -> Json:
        """A version: its status; of one of yours its checks and their logs, too, else `checks` is null."""
        return self.json("GET", f"versions/{version}/")

    def wait_for_version(self, version: int, timeout_s: float = 120.0) -> Json:
        """A version once its check has ended, whether it is active or not.

        Raises:
            TimeoutError: it has not within `timeout_s` seconds.
        """
        until = time.monotonic() + timeout_s
        while (found := self.version(version))["status"] in _WAITING:
            if time.monotonic() > until:
                raise TimeoutError(f"version {version} is still {found['status']} after {timeout_s:.0f} s")
            time.sleep(_POLL_S)
        return found

    # -- tournaments ------------------------------------------------------------------------------------

    def create_tournament(
        self, name: str, rules: Mapping[str, Any] | None = None, boards: int = 1, **more: Any
    ) -> Json:
        """Make a draft; `rules` by the names of rules.md, what is left out at its default. `more`: `format`,
        `options`, `rated` and so on (tournaments.md)."""
        body = {"name": name, "rules": dict(rules or {}), "boards": boards, **more}
        return self.json("POST", "tournaments/", body)

    def preview_draft(self, entrants: int, draft: Mapping[str, Any]) -> Json:
        """What a tournament would be with so many entrants; `draft`: what `create_tournament` sends, without
        a name."""
        return self.json("POST", "tournaments/preview/", {**draft, "entrants": entrants})

    def preview(self, tournament: int) -> Json:
        """How much it plays with the entrants that it has, how long that takes and how sure it will be."""
        return self.json("GET", f"tournaments/{tournament}/preview/")

    def open_tournament(self, tournament: int) -> Json:
        """Let bots enter."""
        return self.json("POST", f"tournaments/{tournament}/open/")

    def enter(self, tournament: int, version: int) -> Json:
        """Enter an active version of a bot of yours."""
        return self.json("POST", f"tournaments/{tournament}/entrants/", {"version": version})

    def start_tournament(self, tournament: int) -> Json:
        """Plan all matches and have them played."""
        return self.json("POST", f"tournaments/{tournament}/start/")

    def entrants(self, tournament: int, **query: int | str) -> Iterator[Json]:
        """Who takes part, page after page; `version`, `bot`, `owner` and `status` filter them."""
        return self.pages(f"tournaments/{tournament}/entrants/", **query)

    def withdraw(self, tournament: int, entrant: int) -> None:
        """Take an entry back, by the entrant's id."""
        self.call("DELETE", f"tournaments/{tournament}/entrants/{entrant}/")

    def steer(self, tournament: int, action: str, **body: Any) -> Json:
        """`open`, `start`, `pause`, `resume`, `extend` (to `boards` in all), `replay`, `finish`, `cancel`."""
        return self.json("POST", f"tournaments/{tournament}/{action}/", body)

    def tournament(self, tournament: int) -> Json:
        """What it is, and its status."""
        return self.json("GET", f"tournaments/{tournament}/")

    def tournaments(self, **query: str) -> Iterator[Json]:
        """Tournaments, page after page; `name`, `organiser`, `status` and so on filter them."""
        return self.pages("tournaments/", **query)

    def progress(self, tournament: int) -> Json:
        """How many tables, matches and blocks are planned and done, how fast, and why it waits if it does."""
        return self.json("GET", f"tournaments/{tournament}/progress/")

    def standings(self, tournament: int) -> Iterator[Json]:
        """How the entrants stand, best first, page after page; those that have no complete block not yet."""
        return self.pages(f"tournaments/{tournament}/standings/")

    def ranking(self, tournament: int) -> list[Json]:
        """The order that a swiss or a knockout has of its own; 409 for others."""
        rows: list[Json] = self.call("GET", f"tournaments/{tournament}/ranking/").json()
        return rows

    def duel(self, tournament: int) -> Json:
        """How a duel stands: the verdict of its sequential test, and the test board by board."""
        return self.json("GET", f"tournaments/{tournament}/duel/")

    def cross_table(self, tournament: int) -> Iterator[Json]:
        """Each pair that met, the better placed first, page after page."""
        return self.pages(f"tournaments/{tournament}/crosstable/")

    # -- results ----------------------------------------------------------------------------------------

    def matches(self, tournament: int) -> Iterator[Json]:
        """Its matches, page after page."""
        return self.pages("matches/", tournament=tournament)

    def match(self, match: int) -> Json:
        """A match: who sat where, and how it ended."""
        return self.json("GET", f"matches/{match}/")

    def logs(self, match: int) -> list[Json]:
        """What your bots wrote to their standard error in a match."""
        rows: list[Json] = self.call("GET", f"matches/{match}/logs/").json()
        return rows

    def record(self, match: int) -> bytes:
        """A match's record (record.md), byte for byte; there when the tournament is over."""
        return self.call("GET", f"matches/{match}/record/").content

    def pools(self) -> Iterator[Json]:
        """Every list of ratings, page after page."""
        return self.pages("pools/")

    def pool(self, pool: int) -> Json:
        """One list of ratings: its rules, and the snapshot that is current."""
        return self.json("GET", f"pools/{pool}/")

    def ratings(self, pool: int | None = None, **query: int) -> Iterator[Json]:
        """Ratings, best first within each pool, page after page; `bot` and `version` filter them, too."""
        return self.pages("ratings/", **query, **({} if pool is None else {"pool": pool}))

    def snapshots(self, pool: int) -> Iterator[Json]:
        """A pool's snapshots, the newest first, page after page."""
        return self.pages(f"pools/{pool}/snapshots/")

    def history(self, pool: int, version: int) -> Json:
        """How a version's rating went."""
        return self.json("GET", f"pools/{pool}/history/{version}/")

    def head_to_head(self, pool: int, one: int, other: int) -> Json:
        """Two versions of a pool: their record, and which is likely the better."""
        return self.json("GET", f"pools/{pool}/head-to-head/{one}/{other}/")

    def board(self, board: int) -> Json:
        """A board, and where it is."""
        return self.json("GET", f"boards/{board}/")

    def hands(self, board: int) -> list[Json]:
        """Every hand of a board as played by each bot that held it; there when the tournament is over."""
        rows: list[Json] = self.call("GET", f"boards/{board}/hands/").json()
        return rows

    def export(self, path: str, **query: int) -> Iterator[bytes]:
        """A list as a file, piece by piece: `matches.csv`, `ratings.jsonl`, `tournaments/5/standings.csv`."""
        with self.call("GET", path, params=query, stream=True) as response:
            try:
                yield from response.iter_content(1 << 16)
            except _CUT as error:
                reason = f"{self._root} broke off in the middle of {path}"
                raise ApiError(0, "unreachable", reason) from error

    def events(self, path: str, last: str, silence_s: float) -> Iterator[Event | None]:
        """What changes about a thing (`tournaments/5`), as it changes; None while nothing does.

        The stream ends when the connection is cut, or silent for so long: ask again with the `last` event's
        id ("": none yet) then. It has ended for good after one of the kind `END`. Nothing is tried twice.
        """
        headers = {"Accept": MEDIA_TYPE, **({"Last-Event-ID": last} if last else {})}
        options = {"headers": headers, "stream": True, "timeout": (_TIMEOUT_S, silence_s)}
        with self._once("GET", f"{path}/events/", options) as response:
            if response.status_code == requests.codes.no_content:
                yield Event(last, END, "")
            elif response.headers.get("Content-Type", "").startswith(MEDIA_TYPE):
                response.encoding = "utf-8"
                with suppress(*_CUT):
                    yield from parsed(response.iter_lines(decode_unicode=True))
            else:
                raise ApiError(response.status_code, "not_the_api", f"{self._root} answers without events")

    # -- any address below the API's ----------------------------------------------------------------------

    def pages(self, path: str, **query: int | str) -> Iterator[Json]:
        """The rows of a list, page after page. Raises ApiError."""
        asked: dict[str, Any] = {**query, "page_size": _PAGE_SIZE}
        while True:
            answer = self._answer(self.call("GET", path, params=asked))
            yield from answer["results"]
            if answer["next"] is None:
                return
            # Only the cursor is taken from the link: the token goes to no other address than the site's.
            asked["cursor"] = parse_qs(urlsplit(answer["next"]).query)["cursor"][0]

    def json(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Json:
        """What a request is answered with, where that is JSON. Raises ApiError."""
        return self._answer(self.call(method, path, json=body))

    def call(self, method: str, path: str, **options: Any) -> requests.Response:
        """The answer of the first try that has one which is a success. Raises ApiError."""
        if method == "POST" and path != "tokens/":  # no server should keep a token, to answer with it again
            options["headers"] = {"Idempotency-Key": uuid.uuid4().hex}
        began, tried = time.monotonic(), 0
        while True:
            tried += 1
            try:
                return self._once(method, path, options)
            except ApiError as error:
                if not self._patience.again(error, tried, began):
                    raise

    # -- how --------------------------------------------------------------------------------------------

    def _use(self, token: str) -> None:
        self._session.auth = _Bearer(token)

    def _answer(self, response: requests.Response) -> Json:
        if not is_json(response):
            raise ApiError(response.status_code, "not_the_api", f"{self._root} answers, but not with JSON")
        answer: Json = response.json()
        return answer

    def _once(self, method: str, path: str, options: Mapping[str, Any]) -> requests.Response:
        try:
            response = self._session.request(method, self._root + path, **{"timeout": _TIMEOUT_S, **options})
        except _CUT as error:
            reason = f"{self._root} does not answer: {error.__class__.__name__}"
            raise ApiError(0, "unreachable", reason) from error
        except requests.RequestException as error:
            raise ApiError(0, "bad_address", f"{self._root} is no address to ask: {error}") from error
        if not response.ok:
            raise refusal(response)
        told = "Content-Length" in response.headers or "Transfer-Encoding" in response.headers
        if not told and "stream" not in options and not is_json(response):
            raise ApiError(0, "unreachable", f"{self._root} broke off in the middle of its answer")
        return response


#: No answer, or half of one.
_CUT = (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError)


class _Bearer(requests.auth.AuthBase):
    """A token. As a header of the session it would give way to a password in the user's ~/.netrc."""

    def __init__(self, token: str) -> None:
        self._header = f"Bearer {token}"

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = self._header
        return request

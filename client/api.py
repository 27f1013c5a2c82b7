"""The league's REST API, from outside: one method a request, JSON in and out."""

from collections.abc import Iterator, Mapping
from typing import Any

import requests

TIMEOUT_S = 30.0
Row = dict[str, Any]


class ApiError(Exception):
    """The site refused a request, or could not be reached.

    Attributes:
        status: the HTTP status; 0 when there was no answer.
        code: the stable name that the API gives the error.
        field: what it is about; empty when it is the whole request.
    """

    def __init__(self, status: int, code: str, message: str, field: str = "") -> None:
        super().__init__(f"{field}: {message} ({code})" if field else f"{message} ({code})")
        self.status = status
        self.code = code
        self.field = field


class Api:
    """A site, seen by one user, or by nobody until `log_in`. Every method raises ApiError.

    Args:
        site: its address, such as ``https://league.example``.
        token: of an earlier log-in.
    """

    def __init__(self, site: str, token: str = "") -> None:
        self._base = f"{site.rstrip('/')}/api/v1/"
        self._session = requests.Session()
        # A netrc entry for this host would take the place of the token.
        self._session.trust_env = False
        if token:
            self._use(token)

    # -- accounts ----------------------------------------------------------------------------------------

    def sign_up(self, username: str, password: str) -> Row:
        """Make an account."""
        return self._post("users/", {"username": username, "password": password})

    def log_in(self, username: str, password: str) -> str:
        """Get a token, and send it from now on."""
        token = str(self._post("tokens/", {"username": username, "password": password})["token"])
        self._use(token)
        return token

    # -- bots --------------------------------------------------------------------------------------------

    def create_bot(self, name: str) -> Row:
        """Make a bot of one's own."""
        return self._post("bots/", {"name": name})

    def upload(self, bot: int, filename: str, data: bytes) -> Row:
        """Send a version of a bot: one source file, or a zip."""
        return self._call("POST", f"bots/{bot}/versions/", files={"file": (filename, data)})

    def version(self, version: int) -> Row:
        """A version of one's own, with the stages of its check."""
        return self._get(f"versions/{version}/")

    # -- tournaments -------------------------------------------------------------------------------------

    def create_tournament(self, name: str, rules: Mapping[str, Any], boards: int) -> Row:
        """Make a draft; `rules` as in rules.md, what is left out by default."""
        return self._post("tournaments/", {"name": name, "rules": rules, "boards": boards})

    def open_tournament(self, tournament: int) -> Row:
        """Let bots enter."""
        return self._post(f"tournaments/{tournament}/open/")

    def enter(self, tournament: int, version: int) -> Row:
        """Enter a version of one's own."""
        return self._post(f"tournaments/{tournament}/entrants/", {"version": version})

    def start_tournament(self, tournament: int) -> Row:
        """Have it planned and played."""
        return self._post(f"tournaments/{tournament}/start/")

    def tournament(self, tournament: int) -> Row:
        """A tournament."""
        return self._get(f"tournaments/{tournament}/")

    def progress(self, tournament: int) -> Row:
        """How far a tournament is."""
        return self._get(f"tournaments/{tournament}/progress/")

    # -- results -----------------------------------------------------------------------------------------

    def pool(self, pool: int) -> Row:
        """A pool, with how many matches its ratings are computed from."""
        return self._get(f"pools/{pool}/")

    def ratings(self, pool: int) -> Iterator[Row]:
        """The ratings of a pool, best first."""
        return self._pages("ratings/", {"pool": pool})

    # -- how ---------------------------------------------------------------------------------------------

    def _use(self, token: str) -> None:
        self._session.headers["Authorization"] = f"Bearer {token}"

    def _get(self, path: str, query: Mapping[str, Any] | None = None) -> Row:
        return self._call("GET", path, params=query)

    def _post(self, path: str, body: Mapping[str, Any] | None = None) -> Row:
        return self._call("POST", path, json=body)

    def _pages(self, path: str, query: Mapping[str, Any]) -> Iterator[Row]:
        page = 1
        while True:
            answer = self._get(path, {**query, "page": page})
            yield from answer["results"]
            if not answer["next"]:
                return
            page += 1

    def _call(self, method: str, path: str, **content: Any) -> Row:
        try:
            answer = self._session.request(method, self._base + path, timeout=TIMEOUT_S, **content)
            body = answer.json() if answer.content else {}
        except (requests.RequestException, ValueError) as error:
            raise ApiError(0, "no_answer", f"no proper answer from {self._base}{path}: {error}") from error
        if not answer.ok:
            raise ApiError(answer.status_code, body["code"], body["message"], body.get("field") or "")
        return dict(body)

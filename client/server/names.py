"""Bots, versions, tournaments and pools by id or name, where a name means one thing.

A number is an id. `Dodger` is a bot, or its newest active version; `Dodger#3` is its third.
"""

from collections.abc import Iterable
from itertools import islice

from client.api import Api, Json
from client.arguments import Failed, UsageError

_NAMED = 5


def is_id(text: str) -> bool:
    """Whether it is a number, which names a row by its id."""
    return text.isascii() and text.isdigit()


def bot(api: Api, text: str) -> Json:
    """A bot. Raises Failed, ApiError."""
    return api.bot(int(text)) if is_id(text) else _only("bot", text, api.bots(name=text))


def tournament(api: Api, text: str) -> int:
    """A tournament's id. Raises Failed, ApiError."""
    return int(text) if is_id(text) else int(_only("tournament", text, api.tournaments(name=text))["id"])


def version(api: Api, text: str) -> int:
    """A version's id: any of yours, of others those that may play, or might once. Raises Failed, ApiError."""
    if is_id(text):
        return int(text)
    name, _, number = text.rpartition("#")
    if not (name and is_id(number)):
        name, number = text, ""
    found = bot(api, name) if not is_id(name) else api.bot(int(name))
    wanted = int(number) if number else found["current"]
    if wanted is None:
        raise Failed(f"{found['name']} has no active version")
    for row in api.versions(found["id"]):
        if row["number"] == wanted:
            return int(row["id"])
    raise Failed(
        f"no version {found['name']}#{wanted} is to be seen: it is not yours, and was never admitted"
    )


def pool(api: Api, text: str) -> int:
    """A pool's id, or `polignac/4`: a variant and how many play. Raises Failed, UsageError, ApiError."""
    if is_id(text):
        return int(text)
    variant, _, players = text.partition("/")
    if not is_id(players):
        raise UsageError(f"{text!r} is no pool: give its id, or variant/players as in polignac/4")
    found = [row for row in api.pools() if (row["variant"], row["players"]) == (variant, int(players))]
    return int(_only("pool", text, found)["id"])


def _only(what: str, text: str, rows: Iterable[Json]) -> Json:
    found = list(islice(rows, _NAMED + 1))
    if not found:
        raise Failed(f"there is no {what} {text!r}")
    if len(found) > 1:
        ids = ", ".join(str(row["id"]) for row in found[:_NAMED])
        more = " and more" if len(found) > _NAMED else ""
        raise Failed(f"{text!r} is more than one {what}: name it by its id, of {ids}{more}")
    return found[0]

"""Bots: the list, and what is known about one."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path

from league.matches.faults import IN_ITS_PLACE, MEANINGS
from league.web import inside
from league.web.account_of import account_of, charges
from league.web.chart import rating_chart
from league.web.inside import Problem
from league.web.templatetags.web import scale
from league.web.views.common import page, ways

HERE = "bots"
CONFLICT = 409
#: Of a bot's log so many characters, the last ones, stand beside a match that it lost: its page has all.
LOG_SHOWN = 1_500
#: More versions, or opponents, than anybody reads at once: the API has the others.
MANY = 100
OPPONENTS = 50
#: So many of the latest matches with faults are told in detail.
FAULTY = 2


@page()
def bots(request: HttpRequest) -> HttpResponseBase:
    """All bots, or those that a search finds."""
    query = {name: request.GET.get(name) for name in ("search", "owner", "ordering", "cursor")}
    found = inside.get(request, "bot-list", query={**query, "ordering": query["ordering"] or "name"})
    context = {
        "title": "Bots",
        "here": HERE,
        "rows": found["results"],
        "ways": ways(request, found),
        "filtered": query["search"] or query["owner"],
    }
    return render(request, "web/bots.html", context)


@page()
def bot(request: HttpRequest, bot_id: int) -> HttpResponseBase:
    """One bot: where it stands, how that came, against whom, and what went wrong."""
    told = inside.get(request, "bot-detail", bot_id)
    query = {"ordering": "-number", "page_size": MANY}
    versions = inside.get(request, "bot-versions", bot_id, query=query)["results"]
    ratings = inside.get(request, "rating-list", query={"bot": bot_id, "page_size": MANY})["results"]
    pools = {each["id"]: each for each in inside.get(request, "pool-list")["results"]}
    context: dict[str, Any] = {
        "title": told["name"],
        "here": HERE,
        "bot": told,
        "own": request.user.is_staff or told["owner"] == request.user.get_username(),
        "versions": versions,
        "ratings": [{**row, "of": pools.get(row["pool"])} for row in ratings],
        "elo_scale": scale(ratings, "elo_low", "elo_high"),
    }
    if chosen := _chosen(request, ratings):
        context |= _in_pool(request, chosen)
    if versions:
        context["faults"] = inside.get(request, "bot-faults", bot_id)
        newest = chosen["version_id"] if chosen else versions[0]["id"]
        context |= _lately(request, newest, context["own"])
    return render(request, "web/bot.html", context)


def _chosen(request: HttpRequest, ratings: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The rating that is looked at: that asked for (`?rating=pool.version`), or the newest version's where it
    has played most."""
    asked = request.GET.get("rating")
    those = [row for row in ratings if f"{row['pool']}.{row['version_id']}" == asked] or ratings
    return max(those, key=lambda row: (row["version"], row["matches"]), default=None)


def _in_pool(request: HttpRequest, row: dict[str, Any]) -> dict[str, Any]:
    """How a version's rating went, and how it did against each opponent."""
    pool, version = row["pool"], row["version_id"]
    history = inside.get(request, "pool-history", pool, version)
    query = {"version": version, "page_size": OPPONENTS}
    meetings = inside.get(request, "pool-crosstable", pool, query=query)
    return {
        "chosen": row,
        "history": history,
        "chart": rating_chart(history),
        "meetings": [{**each, "heat": _heat(each["score"])} for each in meetings["results"]],
        "more_meetings": meetings["next"],
    }


def _heat(score: float) -> int:
    """How far from even, as the heat map's step."""
    steps = min(3, round(abs(score - 0.5) * 8))
    return steps if score > 0.5 else -steps


def _lately(request: HttpRequest, version: int, own: bool) -> dict[str, Any]:
    """Its latest matches; for its owner, why they were lost."""
    recent = inside.get(request, "version-recent", version)
    return {
        "recent": recent,
        "faulty": [{**each, **_told(request, each)} for each in recent["faulty"][:FAULTY]],
        **(_lost(request, recent["lost"]) if own else {}),
        "in_its_place": IN_ITS_PLACE,
    }


def _lost(request: HttpRequest, outings: list[dict[str, Any]]) -> dict[str, Any]:
    """Why a match was lost: that asked for (`?lost=`), or the one in which it was furthest behind; and the
    others that can be asked for."""
    if not outings:
        return {}
    asked = request.GET.get("lost")
    chosen = next((each for each in outings if str(each["match"]) == asked), outings[0])
    return {
        "lost": {**chosen, **_told(request, chosen, why=True)},
        "lost_too": [each for each in outings if each is not chosen],
    }


def _told(request: HttpRequest, outing: dict[str, Any], why: bool = False) -> dict[str, Any]:
    """What a match's record tells of the seat: its faults; `why`, what it was charged with, too. `closed`:
    nothing, as it isn't public yet."""
    try:
        record = inside.get(request, "match-record", outing["match"])
    except Problem as problem:
        if problem.status != CONFLICT:
            raise
        return {"closed": True}
    seat = outing["seat"]
    faults = [
        {**each, "meaning": MEANINGS[each["kind"]]} for each in record["faults"] if each["seat"] == seat
    ]
    told = {"names": record["bots"], "told": faults}
    if not why:
        return told
    clock = inside.get_or_none(request, "match-clock", outing["match"])
    return told | {
        "charges": charges(account_of(record), seat),
        "clock": clock["seats"][seat] if clock else None,
        **_end_of_log(request, outing),
    }


def _end_of_log(request: HttpRequest, outing: dict[str, Any]) -> dict[str, Any]:
    """What the bot wrote last in a match; `cut`: there is more of it."""
    logs = inside.get_or_none(request, "match-logs", outing["match"]) or []
    log = next((each["log"] for each in logs if each["seat"] == outing["seat"]), "")
    return {"log": log[-LOG_SHOWN:], "cut": len(log) > LOG_SHOWN}


urls = [
    path("bots/", bots, name="bots"),
    path("bots/<int:bot_id>/", bot, name="bot"),
]

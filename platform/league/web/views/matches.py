"""Matches: the list, and the table where one plays itself."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.http import urlencode

from league.matches.faults import IN_ITS_PLACE, MEANINGS
from league.web import inside
from league.web.account_of import account_of
from league.web.inside import Problem
from league.web.views.common import page, ways

HERE = "matches"
CONFLICT = 409
SHOWN = 25
#: So many deals are told in words at a time: each is some kilobytes.
IN_WORDS = 12

#: Why a match ended (record.md, `ended`).
ENDED = {
    "threshold": "a total reached the threshold",
    "deals": "all deals were played",
    "quick_end": "a total was exactly the threshold",
    "forfeit": "somebody did not follow suit",
    "max_deals": "the most deals there may be were played",
}


@page()
def matches(request: HttpRequest) -> HttpResponseBase:
    """The matches, the latest first: all, or a tournament's, a bot's, a board's."""
    context: dict[str, Any] = {"title": "Matches", "here": HERE}
    if name := request.GET.get("name", "").strip():
        found = inside.get(request, "bot-list", query={"name": name})["results"]
        if found:
            kept = {each: request.GET.get(each) for each in ("tournament", "fault")} | {"bot": found[0]["id"]}
            return redirect(f"{reverse('matches')}?{urlencode({k: v for k, v in kept.items() if v})}")
        context["unknown"] = name
    query = {
        each: request.GET.get(each) for each in ("tournament", "bot", "version", "board", "fault", "cursor")
    }
    found = inside.get(request, "match-list", query={"ordering": "-id", "page_size": SHOWN, **query})
    tournaments = inside.get(request, "tournament-list", query={"ordering": "-created_at", "page_size": 100})
    bot = inside.get(request, "bot-detail", query["bot"]) if query["bot"] else None
    context |= {
        "rows": found["results"],
        "ways": ways(request, found),
        "tournaments": tournaments["results"],
        "names": {each["id"]: each["name"] for each in tournaments["results"]},
        "name": context.get("unknown") or (bot["name"] if bot else ""),
        "chosen": query,
        "kinds": list(MEANINGS),
        "meaning": MEANINGS.get(query["fault"] or ""),
        "filtered": any(value for name, value in query.items() if name != "cursor"),
    }
    return render(request, "web/matches.html", context)


@page()
def match(request: HttpRequest, match_id: int) -> HttpResponseBase:
    """One match: who sat where, and what happened, once that may be known."""
    told = inside.get(request, "match-detail", match_id)
    seats = told["seats"]
    mine = [seat for seat in seats if seat["owner"] == request.user.get_username()]
    context: dict[str, Any] = {
        "title": f"Match {match_id}",
        "here": HERE,
        "match": told,
        "seats": sorted(seats, key=lambda seat: (seat["rank"], seat["seat"])),
        "names": [f"{seat['bot']} #{seat['version']}" for seat in seats],
        "own": mine[0]["seat"] if mine else 0,
        "ended": ENDED[told["ended"]],
        "tournament": inside.get_or_none(request, "tournament-detail", told["tournament"]),
        "logs": inside.get_or_none(request, "match-logs", match_id)
        if request.user.is_authenticated
        else None,
        "in_its_place": IN_ITS_PLACE,
    }
    try:
        record = inside.get(request, "match-record", match_id)
    except Problem as problem:
        if problem.status != CONFLICT:
            raise
        context["not_yet"] = problem.told["detail"]
    else:
        context |= {
            "record": record,
            **_in_words(request, record),
            "faults": [
                {**fault, "meaning": MEANINGS[fault["kind"]], "at": _moment(record, fault)}
                for fault in record["faults"]
            ],
            "clock": inside.get_or_none(request, "match-clock", match_id),
        }
        if context["clock"]:
            for seat in seats:
                seat["clock"] = context["clock"]["seats"][seat["seat"]]
    return render(request, "web/match.html", context)


def _in_words(request: HttpRequest, record: dict[str, Any]) -> dict[str, Any]:
    """The deals that are told in words, from the one asked for on (`?from=`); `parts`: where each part of a
    long match begins."""
    deals = account_of(record)
    parts = list(range(1, len(deals) + 1, IN_WORDS))
    asked = request.GET.get("from", "")
    first = int(asked) if asked in map(str, parts) else 1
    told: dict[str, Any] = {"deals": deals[first - 1 : first - 1 + IN_WORDS]}
    return told | {"parts": parts, "part": first, "opened": bool(asked)} if len(parts) > 1 else told


def _moment(record: dict[str, Any], fault: dict[str, Any]) -> str | None:
    """The name of a fault's decision in links (js/record.js); None where it was before the first deal."""
    if not fault["deal"]:
        return None
    deal, trick = record["deals"][fault["deal"] - 1], fault["trick"]
    if trick:
        card = deal["tricks"][trick - 1]["cards"].index(fault["action"])
        return f"{fault['deal']}.{trick}.{card + 1}"
    bidders = [seat for seat, _ in deal["bids"]]
    return f"{fault['deal']}.0.{bidders.index(fault['seat']) + 1}"


urls = [
    path("matches/", matches, name="matches"),
    path("matches/<int:match_id>/", match, name="match"),
]

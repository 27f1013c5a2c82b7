"""Take a seat: a person plays a match against bots of choice."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.cache import never_cache

from arena.rules import VARIANTS
from league.web import inside
from league.web.account_of import account_of
from league.web.inside import Problem, refusal
from league.web.typed import whole
from league.web.views.common import again, page
from league.web.views.doors import see_other
from league.web.views.matches import ENDED

HERE = "seat"
OPEN = ("waiting", "playing")
#: Most bots to choose from, by name; the best of the ladder are among them in any case.
MOST_BOTS = 200
#: A table that waits for a worker for so long may wait in vain.
NOBODY_CAME_S = 15
#: How many of the latest sittings are listed.
LATEST = 10
PLAYERS = range(3, 7)
USUAL: dict[str, str] = {"variant": "polignac", "players": "4", "length": "10"}
#: How long a match is: what is sent, what that means, the options of the rules.
LENGTHS: dict[str, tuple[str, dict[str, Any]]] = {
    "10": ("until somebody has 10 points", {"threshold": 10}),
    "20": ("until somebody has 20 points", {"threshold": 20}),
    "one": ("one deal", {"deals": 1, "tiebreak": "shared"}),
    "four": ("four deals", {"deals": 4, "tiebreak": "shared"}),
}


@never_cache
@page("POST")
def seat(request: HttpRequest) -> HttpResponseBase:
    """Choose what to play, and against whom; then the table."""
    context: dict[str, Any] = {
        "title": "Take a seat",
        "here": HERE,
        "variants": [str(variant) for variant in VARIANTS],
        "players": PLAYERS,
        "lengths": {name: text for name, (text, _) in LENGTHS.items()},
    }
    if not request.user.is_authenticated:
        return render(request, "web/seat.html", context)
    if request.method == "POST":
        try:
            made = _begin(request)
        except Problem as problem:
            context |= {"typed": request.POST.dict(), **_choices(request, request.POST.dict())}
            return again(request, "web/seat.html", context, problem)
        return see_other(reverse("sitting", args=[made["id"]]))
    context |= _choices(request, {})
    return render(request, "web/seat.html", context)


def _begin(request: HttpRequest) -> Any:
    typed = request.POST
    asked = typed.get("players", "")
    players = int(asked) if asked in {str(each) for each in PLAYERS} else 4
    _, length = LENGTHS.get(typed.get("length", ""), LENGTHS[USUAL["length"]])
    rules = {"variant": typed.get("variant", ""), "players": players, **length}
    versions = [_newest(request, typed.get(f"bot{number}", "")) for number in range(1, players)]
    data = {"rules": rules, "versions": versions}
    return inside.act(request, "sitting-list", data=data, key=typed.get("key"))


def _newest(request: HttpRequest, bot: str) -> int:
    """The newest active version of a bot."""
    query = {"status": "active", "ordering": "-number", "page_size": 1}
    found = inside.get(request, "bot-versions", bot, query=query)["results"] if bot else []
    if not found:
        raise refusal("invalid", "Choose a bot for each seat.", "versions")
    version: int = found[0]["id"]
    return version


def _choices(request: HttpRequest, typed: dict[str, str]) -> dict[str, Any]:
    """Who may be chosen, and who is."""
    listed = inside.get(request, "bot-list", query={"ordering": "name", "page_size": MOST_BOTS})["results"]
    bots = {bot["id"]: f"{bot['name']} #{bot['current']}, {bot['owner']}" for bot in listed if bot["current"]}
    best = [(pk, name) for pk, name in _best(request) if pk in bots or len(listed) == MOST_BOTS]
    bots = {**dict(best), **bots}
    asked = [pk for pk in map(whole, request.GET.getlist("bot")) if pk in bots]
    wanted = list(dict.fromkeys([*asked, *(pk for pk, _ in best), *bots]))
    chosen = [typed.get(f"bot{n + 1}") or str(wanted[n % len(wanted)] if wanted else "") for n in range(5)]
    sittings = inside.get(request, "sitting-list", query={"page_size": LATEST})["results"]
    return {
        "bots": [(str(pk), name) for pk, name in bots.items()],
        "seats": list(enumerate(chosen, start=1)),
        "chosen": {**USUAL, **typed},
        "sittings": sittings,
        "open": next((each for each in sittings if each["status"] in OPEN), None),
    }


def _best(request: HttpRequest) -> Iterator[tuple[int, str]]:
    """The best bots of the pool that has most matches."""
    pools = [pool for pool in inside.get(request, "pool-list")["results"] if pool["snapshot"]]
    if not pools:
        return
    pool = max(pools, key=lambda each: each["snapshot"]["matches"])
    for row in inside.get(request, "rating-list", query={"pool": pool["id"], "page_size": 5})["results"]:
        yield row["bot_id"], f"{row['bot']} #{row['version']}, {row['owner']}"


@never_cache
@page(known=True)
def sitting(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The table: what is asked, or, at the end, what happened."""
    told = inside.get(request, "sitting-detail", pk)
    context: dict[str, Any] = {
        "title": "Your table",
        "here": HERE,
        "sitting": told,
        "goes_on": told["status"] in OPEN,
        "names": _names(request, told),
        "deal": told["course"]["deals"][-1] if told["course"] else None,
        "nobody_came_s": NOBODY_CAME_S,
        "nobody_came": told["status"] == "waiting" and _since(told["status_at"]) > NOBODY_CAME_S,
    }
    if told["status"] == "over":
        record = inside.get(request, "sitting-record", pk)
        context |= {
            "record": record,
            "deals": account_of(record),
            "ended": ENDED[record["ended"]],
            "rows": _rows(told, record, context["names"]),
        }
        context["numbers"] = range(1, 1 + len(context["rows"][0]["deals"]))
    elif context["deal"]:
        place = (
            context["deal"]["seats"].index(told["seat"]) if told["seat"] in context["deal"]["seats"] else None
        )
        context["hand"] = _left(context["deal"], place)
    return render(request, "web/sitting.html", context)


def _since(moment: str) -> float:
    """How long ago that was, in seconds."""
    then = parse_datetime(moment)
    return (timezone.now() - then).total_seconds() if then else 0.0


def _names(request: HttpRequest, told: dict[str, Any]) -> list[str]:
    me = request.user.get_username()
    return [f"{bot['bot']} #{bot['version']}" if bot else me for bot in told["bots"]]


def _left(deal: dict[str, Any], place: int | None) -> list[str]:
    """The cards of a hand that are not played yet."""
    played = {card for trick in deal["tricks"] for card in trick["cards"]}
    return [] if place is None else [card for card in deal["hands"][place] if card not in played]


def _rows(told: dict[str, Any], record: dict[str, Any], names: list[str]) -> list[dict[str, Any]]:
    """The person, then each bot in that place: points by deal, total, rank."""
    seat = told["seat"]
    points = [dict(zip(deal["seats"], deal["points"], strict=True)).get(seat) for deal in record["deals"]]
    mine = {
        "name": names[seat],
        "deals": points,
        "total": record["totals"][seat],
        "rank": record["ranks"][seat],
    }
    of = {bot["version_id"]: name for bot, name in zip(told["bots"], names, strict=True) if bot}
    rows = [mine] + [
        {
            "name": of[stand["version_id"]],
            "deals": [deal["points"] for deal in stand["deals"]],
            "total": stand["total"],
            "rank": stand["rank"],
        }
        for stand in told["comparison"] or ()
    ]
    most = max(len(row["deals"]) for row in rows)
    return [
        {
            **row,
            "deals": row["deals"] + [None] * (most - len(row["deals"])),
            "more": max(0, row["total"] - mine["total"]),
            "fewer": max(0, mine["total"] - row["total"]),
        }
        for row in rows
    ]


@never_cache
@page(known=True)
def state(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The sitting as the API tells it, for the page's script."""
    return JsonResponse(inside.get(request, "sitting-detail", pk))


@never_cache
@page("POST", known=True)
def answer(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Bid, or play a card; an old page changes nothing."""
    if request.method != "POST":
        return see_other(reverse("sitting", args=[pk]))
    data: dict[str, Any] = {kind: request.POST[kind] for kind in ("bid", "card") if kind in request.POST}
    data["number"] = whole(request.POST.get("number", ""))
    scripted = request.accepts("application/json") and not request.accepts("text/html")
    try:
        told = inside.act(request, "sitting-answers", pk, data=data)
    except Problem as problem:
        if scripted:
            return JsonResponse(problem.told, status=problem.status)
        if problem.status != HTTPStatus.CONFLICT:
            raise
        return see_other(reverse("sitting", args=[pk]))
    return JsonResponse(told) if scripted else see_other(reverse("sitting", args=[pk]))


@never_cache
@page(known=True)
def file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The record, to keep: for its person alone, so by the page's session."""
    return inside.fetch(request, "sitting-record", pk)


@never_cache
@page("POST", known=True)
def leave(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Get up, once that is confirmed."""
    told = inside.get(request, "sitting-detail", pk)
    if request.method != "POST":
        return render(request, "web/sitting-leave.html", {"title": "Leave", "here": HERE, "sitting": told})
    inside.act(request, "sitting-detail", pk, method="DELETE")
    messages.success(request, "You have left the table.")
    return see_other(reverse("seat"))


urls = [
    path("seat/", seat, name="seat"),
    path("seat/<int:pk>/", sitting, name="sitting"),
    path("seat/<int:pk>/state/", state, name="sitting-state"),
    path("seat/<int:pk>/answer/", answer, name="sitting-answer"),
    path("seat/<int:pk>/record/", file, name="sitting-file"),
    path("seat/<int:pk>/leave/", leave, name="sitting-leave"),
]

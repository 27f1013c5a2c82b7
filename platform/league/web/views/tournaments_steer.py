"""What is done to a tournament: its organiser's actions, each confirmed; bots that enter or are withdrawn."""

from collections.abc import Collection
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.cache import never_cache

from league.web import inside
from league.web.inside import Problem, refusal
from league.web.tournament_words import DEEDS, Deed
from league.web.typed import whole
from league.web.views.common import again, page, ways
from league.web.views.doors import see_other
from league.web.views.tournaments import of_tournament, preview_of

#: As long as a list of the API's is at once.
MOST = 200


@never_cache
@page("POST", known=True)
def act(request: HttpRequest, pk: int, name: str) -> HttpResponseBase:
    """An organiser's action: what it does and whether it can be undone; then it is done."""
    if name not in DEEDS:
        raise Http404
    deed = DEEDS[name]
    context = of_tournament(request, pk, "overview") | {"deed": deed, "name": name}
    if name == "start" and name in context["deeds"]:
        context |= preview_of(request, pk)
    template = "web/tournament-act.html"
    if request.method == "POST":
        data = {"boards": whole(request.POST.get("boards", ""))} if name == "extend" else None
        try:
            inside.act(request, f"tournament-{name}", pk, data=data, key=request.POST.get("key"))
        except Problem as problem:
            told: dict[str, Any] = {"typed": request.POST.dict()}
            if context["owns"] and name not in context["deeds"]:
                told["instead"] = _instead(context["deeds"].values())
            return again(request, template, context | told, problem)
        return _done(request, pk, deed.done)
    if not context["owns"]:
        raise refusal("not_yours", "Only the organiser can do this.")
    if name not in context["deeds"]:
        messages.info(request, f"{_why_not(name, context['cup'])} {_instead(context['deeds'].values())}")
        return see_other(reverse("tournament", args=[pk]))
    return render(request, template, context)


@never_cache
@page("POST", known=True)
def enter(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Enter an active version of a bot of one's own: its newest, or the one of a number."""
    context = of_tournament(request, pk, "entrants") | _own_bots(request, pk)
    template = "web/tournament-enter.html"
    if request.method != "POST":
        return render(request, template, context)
    try:
        data = {"version": _chosen(request)}
        entrant = inside.act(request, "tournament-entrants", pk, data=data, key=request.POST.get("key"))
    except Problem as problem:
        return again(request, template, context | {"typed": request.POST.dict()}, problem)
    return _done(request, pk, f"{entrant['bot']} #{entrant['version']} has entered.")


@never_cache
@page("POST", known=True)
def withdraw(request: HttpRequest, pk: int, version: int) -> HttpResponseBase:
    """Take a version out, by its owner or the organiser."""
    context = of_tournament(request, pk, "entrants")
    found = inside.get(request, "tournament-entrants", pk, query={"version": version})["results"]
    if not found:
        raise refusal("not_found", "This version is not in the tournament.")
    entrant = context["entrant"] = found[0]
    template = "web/tournament-withdraw.html"
    if request.method != "POST":
        return render(request, template, context)
    key = request.POST.get("key")
    try:
        inside.act(request, "tournament-withdraw", pk, entrant["id"], method="DELETE", key=key)
    except Problem as problem:
        return again(request, template, context, problem)
    return _done(request, pk, f"{entrant['bot']} #{entrant['version']} is withdrawn.")


def _why_not(name: str, cup: dict[str, Any]) -> str:
    """Why an action that its status allows, or not, can't be done now."""
    if name in cup["actions"]:
        return "No table has failed." if name == "replay" else "It is told to end already."
    return f"The tournament is {cup['status']}: this can't be done now."


def _instead(deeds: Collection[Deed]) -> str:
    """What can be done, in words."""
    buttons = [f"“{deed.button}”" for deed in deeds]
    return f"What can be done: {', '.join(buttons)}." if buttons else "Nothing can be done with it any more."


def _done(request: HttpRequest, pk: int, told: str) -> HttpResponseBase:
    messages.success(request, told)
    return see_other(reverse("tournament", args=[pk]))


def _own_bots(request: HttpRequest, pk: int) -> dict[str, Any]:
    """A page of one's own bots, or of those that a search finds; which of them have entered already."""
    me = request.user.get_username()
    query = {name: request.GET.get(name) for name in ("search", "cursor")}
    found = inside.get(request, "bot-list", query={**query, "owner": me, "ordering": "name"})
    entrants = inside.get(
        request, "tournament-entrants", pk, query={"owner": me, "status": "entered", "page_size": MOST}
    )["results"]
    entered = {entrant["bot_id"]: entrant["version"] for entrant in entrants}
    bots = [{**bot, "entered": entered.get(bot["id"])} for bot in found["results"]]
    listed = {"bots": bots, "ways": ways(request, found), "searched": query["search"]}
    playable = query["search"] or listed["ways"] or any(bot["current"] for bot in bots)
    return listed if playable else {"bots": []}


def _chosen(request: HttpRequest) -> int | str:
    """The id of the version that is meant by a bot and perhaps a number. Raises Problem."""
    bot, number = (whole(request.POST.get(name, "")) for name in ("bot", "version"))
    if isinstance(bot, str):
        raise refusal("required", "Choose a bot.", "bot")
    query = {"ordering": "-number", "page_size": MOST} | ({} if number else {"status": "active"})
    for version in inside.get(request, "bot-versions", bot, query=query)["results"]:
        if not number or version["number"] == number:
            found: int = version["id"]
            return found
    told = f"It has no version {number}." if number else "It has no active version."
    raise refusal("invalid", told, "version" if number else "bot")


urls = [
    path("tournaments/<int:pk>/enter/", enter, name="tournament-enter"),
    path("tournaments/<int:pk>/withdraw/<int:version>/", withdraw, name="entrant-withdraw"),
    path("tournaments/<int:pk>/do/<slug:name>/", act, name="tournament-act"),
]

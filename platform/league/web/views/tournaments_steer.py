"""What is done to a tournament: its organiser's actions, each confirmed; bots that enter or are withdrawn."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.cache import never_cache

from league.web import inside
from league.web.inside import Problem, refusal
from league.web.tournament_words import DEEDS
from league.web.typed import whole
from league.web.views.common import page
from league.web.views.doors import see_other
from league.web.views.tournaments import of_tournament, preview_of

#: So many of one's bots are offered, each with its active versions.
MOST_BOTS = 50


@never_cache
@page("POST", known=True)
def act(request: HttpRequest, pk: int, name: str) -> HttpResponseBase:
    """An organiser's action: what it does and whether it can be undone; then it is done."""
    if name not in DEEDS:
        raise Http404
    deed = DEEDS[name]
    context = of_tournament(request, pk, "overview") | {"deed": deed, "name": name}
    if request.method == "POST":
        data = {"boards": whole(request.POST.get("boards", ""))} if name == "extend" else None
        try:
            inside.act(request, f"tournament-{name}", pk, data=data, key=request.POST.get("key"))
        except Problem as problem:
            context |= {"problem": problem, "typed": request.POST.dict()}
        else:
            messages.success(request, deed.done)
            return see_other(reverse("tournament", args=[pk]))
    elif not context["owns"]:
        raise refusal("not_yours", "Only the organiser can do this.")
    elif name not in context["deeds"]:
        messages.info(request, f"The tournament is {context['cup']['status']}; there is nothing to do so.")
        return see_other(reverse("tournament", args=[pk]))
    if name == "start":
        context |= preview_of(request, pk)
    status = context["problem"].status if "problem" in context else 200
    return render(request, "web/tournament-act.html", context, status=status)


@never_cache
@page("POST", known=True)
def enter(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Enter an active version of a bot of one's own."""
    context = of_tournament(request, pk, "entrants")
    status = 200
    if request.method == "POST":
        data = {"version": whole(request.POST.get("version", ""))}
        try:
            entrant = inside.act(request, "tournament-entrants", pk, data=data, key=request.POST.get("key"))
        except Problem as problem:
            context |= {"problem": problem, "typed": request.POST.dict()}
            status = problem.status
        else:
            messages.success(request, f"{entrant['bot']} #{entrant['version']} has entered.")
            return see_other(reverse("tournament", args=[pk]))
    context["versions"] = _active(request)
    return render(request, "web/tournament-enter.html", context, status=status)


@never_cache
@page("POST", known=True)
def withdraw(request: HttpRequest, pk: int, version: int) -> HttpResponseBase:
    """Take a version out, by its owner or the organiser."""
    context = of_tournament(request, pk, "entrants")
    found = inside.get(request, "tournament-entrants", pk, query={"version": version})["results"]
    if not found:
        raise refusal("not_found", "This version is not in the tournament.")
    context["entrant"] = found[0]
    status = 200
    if request.method == "POST":
        key = request.POST.get("key")
        try:
            inside.act(request, "tournament-withdraw", pk, found[0]["id"], method="DELETE", key=key)
        except Problem as problem:
            context["problem"], status = problem, problem.status
        else:
            messages.success(request, f"{found[0]['bot']} #{found[0]['version']} is withdrawn.")
            return see_other(reverse("tournament", args=[pk]))
    return render(request, "web/tournament-withdraw.html", context, status=status)


def _active(request: HttpRequest) -> list[dict[str, Any]]:
    """The active versions of one's own bots, the newest of each first."""
    query = {"owner": request.user.get_username(), "ordering": "name", "page_size": MOST_BOTS}
    bots = inside.get(request, "bot-list", query=query)["results"]
    newest_first = {"status": "active", "ordering": "-number"}
    return [
        version
        for bot in bots
        if bot["current"] is not None
        for version in inside.get(request, "bot-versions", bot["id"], query=newest_first)["results"]
    ]


urls = [
    path("tournaments/<int:pk>/enter/", enter, name="tournament-enter"),
    path("tournaments/<int:pk>/withdraw/<int:version>/", withdraw, name="entrant-withdraw"),
    path("tournaments/<int:pk>/do/<slug:name>/", act, name="tournament-act"),
]

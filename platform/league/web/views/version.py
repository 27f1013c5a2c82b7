"""A version: how its check goes on, and for its owner what it said and the program."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import never_cache

from league.web import inside
from league.web.tournament_words import KINDS
from league.web.views.common import page
from sandbox.stages import Stage

#: While it is one of these the page looks again each second.
GOES_ON = {"received", "checking"}
OPEN_SHOWN = 5


@never_cache
@page()
def version(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The version's page."""
    return render(request, "web/version.html", _context(request, pk))


@never_cache
@page()
def check(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The part of the page that changes, as long as the check goes on."""
    context = _context(request, pk)
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(
            status=204
        )  # nothing new: what is shown stays, and logs that were opened stay open
    return render(request, "web/version-check.html", context)


@page(known=True)
def source(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The program, as a zip; for its owner and staff."""
    return inside.fetch(request, "version-source", pk)


def _context(request: HttpRequest, pk: int) -> dict[str, Any]:
    found = inside.get(request, "version-detail", pk)
    context: dict[str, Any] = {
        "title": f"{found['bot']} #{found['number']}",
        "version": found,
        "goes_on": found["status"] in GOES_ON,
        "own": found["checks"] is not None,
        "seen": f"{found['status']} {len(found['checks'] or ())}",
    }
    if context["own"]:
        context["stages"] = _stages(found["checks"], context["goes_on"])
        if found["status"] == "active":
            context["open"] = _open_to(request, found["bot_id"])
    return context


def _open_to(request: HttpRequest, bot: int) -> list[dict[str, Any]]:
    """The latest tournaments that bots can enter, each with the bot's `entrant` there, if a version of it is
    in."""
    query = {"takes_entrants": "true", "ordering": "-created_at", "page_size": OPEN_SHOWN}
    found: list[dict[str, Any]] = inside.get(request, "tournament-list", query=query)["results"]
    for cup in found:
        cup["kind"] = KINDS[cup["format"]].title
        its = {"bot": bot, "status": "entered"}
        entrants = inside.get(request, "tournament-entrants", cup["id"], query=its)["results"]
        cup["entrant"] = entrants[0] if entrants else None
    return found


def _stages(checks: list[dict[str, Any]], goes_on: bool) -> list[dict[str, Any]]:
    """What is known of each stage, and those that come then. What was passed over was not needed."""
    order = [str(stage) for stage in Stage]
    to_come = order[order.index(checks[-1]["stage"]) + 1 :] if checks else order
    outcome = "waiting" if goes_on else "not reached"
    return [*checks, *({"stage": stage, "outcome": outcome} for stage in to_come)]


urls = [
    path("versions/<int:pk>/", version, name="version"),
    path("versions/<int:pk>/check/", check, name="version-check"),
    path("versions/<int:pk>/source/", source, name="version-program"),
]

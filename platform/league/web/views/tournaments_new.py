"""A new tournament: first its format, then the rest; what it would be is seen before there is one."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.cache import never_cache

from league.web import inside
from league.web.inside import Problem
from league.web.rule_options import COMMON, MORE, opened
from league.web.tournament_form import OPTIONS, USUAL, body, usual
from league.web.tournament_words import KINDS
from league.web.typed import whole
from league.web.views.common import again, page
from league.web.views.doors import see_other
from league.web.views.tournaments import HERE


@never_cache
@page("POST", known=True)
def new(request: HttpRequest) -> HttpResponseBase:
    """The form of a format, what it would be, or the draft."""
    context: dict[str, Any] = {"title": "New tournament", "here": HERE, "kinds": KINDS}
    format = request.GET.get("format", "")
    if format not in KINDS:
        return render(request, "web/tournament-new.html", context)
    typed = usual(format)
    if request.method == "POST":
        typed = dict.fromkeys(typed, "") | request.POST.dict()
    context |= {
        "format": format,
        "kind": KINDS[format],
        "options": OPTIONS[format],
        "common": COMMON,
        "more": MORE,
        "opened": opened(typed),
        "typed": typed,
    }
    template = "web/tournament-new.html"
    if request.method == "POST":
        try:
            if request.POST.get("deed") == "create":
                return see_other(reverse("tournament", args=[_create(request, format)]))
            context["preview"] = _preview(request, format)
        except Problem as problem:
            return again(request, template, context, problem)
    return render(request, template, context)


def _create(request: HttpRequest, format: str) -> int:
    data = body(request, format) | {"name": request.POST.get("name", "")}
    made = inside.act(request, "tournament-list", data=data, key=request.POST.get("key"))
    messages.success(request, "It is a draft, which only you can see. Open it, and bots may enter.")
    made_id: int = made["id"]
    return made_id


def _preview(request: HttpRequest, format: str) -> Any:
    entrants = whole(request.POST.get("entrants") or USUAL["entrants"])
    return inside.act(
        request, "tournament-preview-draft", data=body(request, format) | {"entrants": entrants}
    )


urls = [path("tournaments/new/", new, name="tournament-new")]

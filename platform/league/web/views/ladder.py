"""The ladder: who leads, and how sure that is."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path

from league.web import inside
from league.web.templatetags.web import scale
from league.web.views.common import page, ways

FILTERS = ("owner", "ordering", "cursor")


@page()
def ladder(request: HttpRequest) -> HttpResponseBase:
    """The ratings of one pool: that asked for, or the one with the most matches."""
    pools = [each for each in inside.get(request, "pool-list")["results"] if each["snapshot"]]
    context: dict[str, Any] = {"title": "Ladder", "here": "home", "pools": pools}
    if not pools:
        return render(request, "web/ladder.html", context)
    asked = request.GET.get("pool")
    if asked:
        pool = inside.get(request, "pool-detail", asked)
    else:
        pool = max(pools, key=lambda each: each["snapshot"]["matches"])
    query = {name: request.GET.get(name) for name in FILTERS} | {"pool": pool["id"]}
    found = inside.get(request, "rating-list", query=query)
    rows = found["results"]
    context |= {
        "pool": pool,
        "rows": rows,
        "ways": ways(request, found),
        "elo_scale": scale(rows, "elo_low", "elo_high"),
    }
    return render(request, "web/ladder.html", context)


urls = [path("", ladder, name="home")]

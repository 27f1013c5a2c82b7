"""The ladder: who leads, and how sure that is."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path

from league.web import inside
from league.web.templatetags.web import scale
from league.web.views.common import page, ways

FILTERS = ("search", "owner", "ordering", "cursor")
#: A trend goes back so far, where snapshots do.
TREND = timedelta(days=1)


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
        "filtered": query["search"] or query["owner"],
        **_trends(request, pool, rows),
    }
    if not any(query[name] for name in FILTERS):
        context["lead"] = _lead(request, pool, rows)
    return render(request, "web/ladder.html", context)


def _lead(request: HttpRequest, pool: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The first of the ladder, the second, how sure it is that the first is the better (`chance`; None where
    no chain of matches links them), and the first one's latest match. None where there are no two."""
    if len(rows) < 2:
        return None
    first, second = rows[:2]
    versions = first["version_id"], second["version_id"]
    told = inside.get(request, "pool-head-to-head", pool["id"], *versions)["comparison"]
    latest = {"version": first["version_id"], "ordering": "-id", "page_size": 1}
    return {
        "first": first,
        "second": second,
        "chance": told and told["chance"],
        "match": inside.get(request, "match-list", query=latest)["results"][0]["id"],
    }


def _trends(request: HttpRequest, pool: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What each row has in Elo more than in an earlier snapshot: the newest that is a day old, or the oldest
    there is. `since`: that one; None where there is no other."""
    now = datetime.fromisoformat(pool["snapshot"]["computed_at"])
    kept = inside.get(request, "pool-snapshots", pool["id"], query={"page_size": 100})["results"]
    earlier = [each for each in kept if each["number"] < pool["snapshot"]["number"]]
    old = [each for each in earlier if now - datetime.fromisoformat(each["computed_at"]) >= TREND]
    since = old[0] if old else earlier[-1] if earlier else None
    if since is None or not rows:
        return {"since": None}
    versions = ",".join(str(row["version_id"]) for row in rows)
    query = {"versions": versions, "page_size": len(rows)}
    then = inside.get(request, "pool-snapshot-ratings", pool["id"], since["results_hash"], query=query)
    elo = {row["version_id"]: row["elo"] for row in then["results"]}
    for row in rows:
        before = elo.get(row["version_id"])
        row["trend"] = None if before is None else row["elo"] - before
    return {"since": since}


urls = [path("", ladder, name="home")]

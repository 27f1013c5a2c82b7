"""Tournaments: the list, and one with what it is, how far it is and how its entrants stand."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path

from arena.schedule.plan import SURE, Format
from league.tournaments.lifecycle import TableStatus, TournamentStatus
from league.web import inside
from league.web.duel_chart import duel_chart, steps
from league.web.heat import cell_of, square
from league.web.inside import Problem, cursor_of
from league.web.templatetags.web import scale
from league.web.tournament_words import DEEDS, KINDS, VERDICTS, WAITS, kind_in_words, named_in, rules_in_words
from league.web.views.common import page, ways

HERE = "tournaments"
FILTERS = ("status", "organiser", "ordering", "cursor")
#: The latest first, where nothing else is asked for.
ORDER = "-created_at"
#: How many of those that wait a tournament's page shows; the page of its tables has all.
WAITING_SHOWN = 5
#: How many of the best a cross table has.
TOP = 40
PAGE = 200


@page()
def tournaments(request: HttpRequest) -> HttpResponseBase:
    """All tournaments that the reader may see."""
    query = {"ordering": ORDER} | {name: request.GET[name] for name in FILTERS if request.GET.get(name)}
    found = inside.get(request, "tournament-list", query=query)
    context = {
        "title": "Tournaments",
        "here": HERE,
        "rows": [{**row, "kind": KINDS[row["format"]].title} for row in found["results"]],
        "ways": ways(request, found),
        "statuses": list(TournamentStatus),
        "filtered": any(request.GET.get(name) for name in ("status", "organiser")),
    }
    return render(request, "web/tournaments.html", context)


@page()
def tournament(request: HttpRequest, pk: int) -> HttpResponseBase:
    """One tournament."""
    context = of_tournament(request, pk, "overview")
    cup = context["cup"]
    if cup["status"] in (TournamentStatus.DRAFT, TournamentStatus.OPEN):
        context |= preview_of(request, pk) | entrants_of(request, pk)
    else:
        context |= _results(request, cup)
    names = _names(request, cup, context.get("duel"))
    context |= {"kind_words": kind_in_words(cup, names), "rules": rules_in_words(cup["rules"])}
    if context["live"]:
        context["reasons"] = {str(reason): text for reason, text in WAITS.items()}
        queued = {"status": "queued", "page_size": WAITING_SHOWN}
        context["waiting"] = inside.get(request, "tournament-tables", pk, query=queued)["results"]
    return render(request, "web/tournament.html", context)


@page()
def crosstable(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Who did how against whom: the best, all against all, or one's opponents."""
    context = of_tournament(request, pk, "crosstable")
    if version := request.GET.get("version"):
        query = {"version": version, "cursor": request.GET.get("cursor")}
        found = inside.get(request, "tournament-crosstable", pk, query=query)
        rows = [{**meeting, "cell": cell_of(meeting)} for meeting in found["results"]]
        context |= {"meetings": rows, "ways": ways(request, found)}
        return render(request, "web/tournament-crosstable.html", context)
    found = inside.get(request, "tournament-standings", pk, query={"page_size": TOP})
    rows = found["results"]
    meetings: list[Any] = []
    query = {"top": str(TOP), "page_size": str(PAGE)}
    while rows:
        part = inside.get(request, "tournament-crosstable", pk, query=query)
        meetings += part["results"]
        if part["next"] is None:
            break
        query["cursor"] = cursor_of(part["next"]) or ""
    lines = zip(rows, square(rows, meetings), strict=True)
    context |= {"rows": rows, "lines": list(lines), "more": found["next"] is not None, "top": TOP}
    return render(request, "web/tournament-crosstable.html", context)


@page()
def boards(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Its boards, complete or not."""
    context = of_tournament(request, pk, "boards")
    found = inside.get(request, "tournament-boards", pk, query={"cursor": request.GET.get("cursor")})
    context |= {"rows": found["results"], "ways": ways(request, found)}
    return render(request, "web/tournament-boards.html", context)


@page()
def tables(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Its tables; those that wait say why."""
    context = of_tournament(request, pk, "tables")
    query = {name: request.GET.get(name) for name in ("status", "cursor")}
    found = inside.get(request, "tournament-tables", pk, query=query)
    context |= {"rows": found["results"], "ways": ways(request, found)}
    context |= {"statuses": list(TableStatus), "chosen": query["status"]}
    return render(request, "web/tournament-tables.html", context)


@page()
def entrants(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Who takes part."""
    context = of_tournament(request, pk, "entrants") | entrants_of(request, pk)
    return render(request, "web/tournament-entrants.html", context)


@page(known=True)
def partners(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Who does better beside whom than chance explains; for the organiser."""
    context = of_tournament(request, pk, "partners")
    context["report"] = inside.get(request, "tournament-partners", pk)
    return render(request, "web/tournament-partners.html", context)


def of_tournament(request: HttpRequest, pk: int, tab: str) -> dict[str, Any]:
    """What every page of a tournament's has: itself, and whether the reader is its organiser. The overview,
    and what leads there, has besides how far it is, and the actions that are for the reader now."""
    cup = inside.get(request, "tournament-detail", pk)
    told = tab == "overview" and cup["started_at"]
    progress = inside.get(request, "tournament-progress", pk) if told else None
    owns = request.user.get_username() == cup["organiser"] or getattr(request.user, "is_staff", False)
    deeds = {name: DEEDS[name] for name in cup["actions"] if owns and name in DEEDS}
    if not (progress and progress["parked"]):
        deeds.pop("replay", None)
    if cup["last"]:
        deeds.pop("finish", None)
    return {
        "title": cup["name"],
        "here": HERE,
        "tab": tab,
        "cup": cup,
        "kind": KINDS[cup["format"]],
        "progress": progress,
        "live": cup["status"] in (TournamentStatus.RUNNING, TournamentStatus.PAUSED),
        "owns": owns,
        "deeds": deeds,
    }


def preview_of(request: HttpRequest, pk: int) -> dict[str, Any]:
    """What it will be with the entrants that it has, or why it can't be played with them."""
    try:
        return {"preview": inside.get(request, "tournament-preview", pk)}
    except Problem as problem:
        if problem.status != HTTPStatus.CONFLICT:
            raise
        return {"unfit": problem.told["detail"]}


def entrants_of(request: HttpRequest, pk: int) -> dict[str, Any]:
    """A page of the entrants."""
    found = inside.get(request, "tournament-entrants", pk, query={"cursor": request.GET.get("cursor")})
    return {"entrants": found["results"], "ways": ways(request, found)}


def _results(request: HttpRequest, cup: dict[str, Any]) -> dict[str, Any]:
    """How its entrants stand, by what its format has for that."""
    standings = inside.get(
        request, "tournament-standings", cup["id"], query={"cursor": request.GET.get("cursor")}
    )
    rows = standings["results"]
    told: dict[str, Any] = {
        "standings": rows,
        "snapshot": standings["snapshot"],
        "ways": ways(request, standings),
        "score_scale": scale(rows, "score_low", "score_high"),
    }
    if not cup["started_at"]:
        return told
    if cup["format"] in (Format.SWISS, Format.KNOCKOUT):
        told["ranking"] = inside.get(request, "tournament-ranking", cup["id"])
    elif cup["format"] == Format.DUEL:
        told |= _duel(request, cup)
    return told


def _duel(request: HttpRequest, cup: dict[str, Any]) -> dict[str, Any]:
    try:
        duel = inside.get(request, "tournament-duel", cup["id"])
    except Problem as problem:
        if problem.status != HTTPStatus.CONFLICT:
            raise
        return {"no_verdict": problem.told["detail"]}
    names = {side: _label(duel[side]) for side in ("first", "second")}
    off = SURE * duel["error"]
    duel |= {"low": duel["mean"] - off, "high": duel["mean"] + off}
    return {
        "duel": duel,
        "sides": names,
        "verdict": VERDICTS[duel["verdict"]].format(**names),
        "chart": duel_chart(duel),
        "steps": steps(duel["trace"]),
    }


def _names(request: HttpRequest, cup: dict[str, Any], duel: dict[str, Any] | None) -> dict[int, str]:
    """The names of the versions that its options speak of; those of the `duel` are told with it."""
    named = {duel[side]["version_id"]: _label(duel[side]) for side in ("first", "second")} if duel else {}
    for version in named_in(cup):
        if version in named:
            continue
        try:
            told = inside.get(request, "version-detail", version)
            named[version] = f"{told['bot']} #{told['number']}"
        except Problem:
            named[version] = f"version {version}"
    return named


def _label(version: dict[str, Any]) -> str:
    return f"{version['bot']} #{version['version']}"


urls = [
    path("tournaments/", tournaments, name="tournaments"),
    path("tournaments/<int:pk>/", tournament, name="tournament"),
    path("tournaments/<int:pk>/crosstable/", crosstable, name="tournament-crosstable-page"),
    path("tournaments/<int:pk>/boards/", boards, name="tournament-boards-page"),
    path("tournaments/<int:pk>/tables/", tables, name="tournament-tables-page"),
    path("tournaments/<int:pk>/entrants/", entrants, name="tournament-entrants-page"),
    path("tournaments/<int:pk>/partners/", partners, name="tournament-partners-page"),
]

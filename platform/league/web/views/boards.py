"""A board: the same hands, as each bot that held them played them."""

from collections import defaultdict
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path

from league.web import inside
from league.web.inside import Problem
from league.web.views.common import page

HERE = "tournaments"
CONFLICT = 409


@page()
def board(request: HttpRequest, board_id: int) -> HttpResponseBase:
    """One board, hand by hand, once that may be known; its matches in any case."""
    told = inside.get(request, "board-detail", board_id)
    matches = inside.get(request, "match-list", query={"board": board_id, "page_size": 100})
    context: dict[str, Any] = {
        "title": f"Board {told['number']}",
        "here": HERE,
        "board": told,
        "tournament": inside.get(request, "tournament-detail", told["tournament"]),
        "matches": matches["results"],
        "more": matches["next"],
    }
    try:
        hands = inside.get(request, "board-hands", board_id)
    except Problem as problem:
        if problem.status != CONFLICT:
            raise
        context["not_yet"] = problem.told["detail"]
    else:
        context |= _played(hands, request.GET.get("deal", ""))
    return render(request, "web/board.html", context)


def _played(hands: list[dict[str, Any]], asked: str) -> dict[str, Any]:
    """The deal asked for, or the first, with each hand and how it was played; and the sums of all deals."""
    numbers = sorted({hand["deal"] for hand in hands})
    chosen = int(asked) if asked in map(str, numbers) else next(iter(numbers), None)
    shown = [{**hand, **compared(hand["played"])} for hand in hands if hand["deal"] == chosen]
    return {"deals": numbers, "deal": chosen, "hands": shown, "sums": _sums(hands)}


def _sums(hands: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the board cost each version in points, over all deals but play-offs; the least first. `by_seat`:
    the mean of a match, as tables may differ in number."""
    counted = [hand for hand in hands if not hand["playoff"]]
    seats = sorted({hand["seat"] for hand in counted})
    points: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    versions, matches = {}, defaultdict(set)
    for hand in counted:
        for each in hand["played"]:
            pk = each["version"]["version_id"]
            versions[pk] = each["version"]
            matches[pk, hand["seat"]].add(each["match"])
            points[pk][hand["seat"]].append(each["points"])
    rows = []
    for pk, by_seat in points.items():
        means = [sum(by_seat[seat]) / len(matches[pk, seat]) if seat in by_seat else None for seat in seats]
        known = [mean for mean in means if mean is not None]
        rows.append({"version": versions[pk], "by_seat": means, "mean": sum(known) / len(known)})
    return sorted(rows, key=lambda row: row["mean"])


def compared(played: list[dict[str, Any]]) -> dict[str, Any]:
    """Where the ways of those who held a hand part.

    Returns:
        `parted`, the first trick in which not all played the same card, None where none is; `lines`, each
        bot's way, what cost least first; `columns`, the numbers of the tricks.
    """
    length = max((len(each["cards"]) for each in played), default=0)
    columns = [{each["cards"][at] for each in played if at < len(each["cards"])} for at in range(length)]
    parted = next((number for number, cards in enumerate(columns, start=1) if len(cards) > 1), None)
    lines = sorted(played, key=lambda each: each["points"])
    return {"parted": parted, "lines": lines, "columns": range(1, length + 1)}


urls = [path("boards/<int:board_id>/", board, name="board")]

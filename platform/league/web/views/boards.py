"""A board: the same hands, as each bot that held them played them."""

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
        context["deals"] = _by_deal(hands)
    return render(request, "web/board.html", context)


def _by_deal(hands: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The hands, put together by deal; each with the trick in which the lines part."""
    deals: dict[tuple[int, int], dict[str, Any]] = {}
    for hand in hands:
        key = (hand["deal"], hand["attempt"])
        deal = deals.setdefault(key, {"number": hand["deal"], "playoff": hand["playoff"], "hands": []})
        deal["hands"].append({**hand, **compared(hand["played"])})
    return list(deals.values())


def compared(played: list[dict[str, Any]]) -> dict[str, Any]:
    """Who did the same with a hand as the others, and where the lines part.

    Returns:
        `parted`, the first trick in which not all played the same card, None where none is; `lines`, each
        bot's way, what cost least first, its cards as (card, whether another played another one there);
        `columns`, the numbers of the tricks.
    """
    length = max((len(each["cards"]) for each in played), default=0)
    columns = [{each["cards"][at] for each in played if at < len(each["cards"])} for at in range(length)]
    differs = [len(cards) > 1 for cards in columns]
    lines = [
        {**each, "line": list(zip(each["cards"], differs, strict=False))}
        for each in sorted(played, key=lambda each: each["points"])
    ]
    parted = differs.index(True) + 1 if True in differs else None
    return {"parted": parted, "lines": lines, "columns": range(1, length + 1)}


urls = [path("boards/<int:board_id>/", board, name="board")]

"""The API's map, version 1."""

from django.urls import URLPattern, include, path, re_path
from rest_framework.routers import SimpleRouter

from league.api.views import (
    accounts,
    bots,
    document,
    health,
    live,
    problems,
    results,
    results_boards,
    results_exports,
    sittings,
    tournaments,
    webhooks,
)
from league.api.views.common import ID

router = SimpleRouter()
router.register("users", accounts.Users, basename="user")
router.register("bots", bots.Bots, basename="bot")
router.register("versions", bots.Versions, basename="version")
router.register("tournaments", tournaments.Tournaments, basename="tournament")
router.register("matches", results.Matches, basename="match")
router.register("groups", results_boards.Groups, basename="group")
router.register("tables", results_boards.Tables, basename="table")
router.register("boards", results_boards.Boards, basename="board")
router.register("pools", results.Pools, basename="pool")
router.register("ratings", results.Ratings, basename="rating")
router.register("sittings", sittings.Sittings, basename="sitting")
router.register("webhooks", webhooks.Webhooks, basename="webhook")

tokens = accounts.Tokens.as_view({"get": "list", "post": "create", "delete": "destroy_all"})
this_token = accounts.Tokens.as_view({"get": "current", "delete": "destroy_current"})
a_token = accounts.Tokens.as_view({"get": "retrieve", "delete": "destroy"})
versions = bots.BotVersions.as_view({"get": "list", "post": "create"})


def export(view: type[results_exports.Export], address: str, name: str) -> URLPattern:
    """A list as a file: the address ends in the kind of file."""
    return re_path(rf"^{address}\.(?P<kind>csv|jsonl)$", view.as_view({"get": "export"}), name=name)


records = results_exports.RecordExport.as_view({"get": "export"})

urlpatterns = [
    re_path(rf"^tournaments/(?P<pk>{ID})/records\.jsonl$", records, name="tournament-records-export"),
    export(results_exports.MatchExport, "matches", "match-export"),
    export(results_exports.RatingExport, "ratings", "rating-export"),
    export(
        results_exports.StandingsExport, f"tournaments/(?P<pk>{ID})/standings", "tournament-standings-export"
    ),
    path("tokens/", tokens, name="token-list"),
    path("tokens/current/", this_token, name="token-current"),
    re_path(f"^tokens/(?P<pk>{ID})/$", a_token, name="token-detail"),
    re_path(f"^bots/(?P<bot_id>{ID})/versions/$", versions, name="bot-versions"),
    path("problems/", problems.Problems.as_view({"get": "list"}), name="problems"),
    path("problems/<slug:code>/", problems.Problems.as_view({"get": "retrieve"}), name="problem"),
    path("health/", health.Health.as_view(), name="health"),
    path("schema/", document.Document.as_view(), name="schema"),
    path("docs/", document.Docs.as_view(), name="docs"),
    path("", include(live.urlpatterns)),
    path("", include(router.urls)),
]

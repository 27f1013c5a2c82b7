"""The OpenAPI document: complete, without a warning, and true for what the API answers."""

import io

import pytest
import yaml
from django.core.management import call_command
from django.urls import get_resolver

from tests.league import kit

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def schema():
    written = io.StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=written)
    return yaml.safe_load(written.getvalue())


def operations(schema):
    return [
        (path, method, operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
    ]


def test_every_operation_is_described_and_tells_how_errors_look(schema):
    for path, method, operation in operations(schema):
        assert operation["description"], (method, path)
        error = operation["responses"]["default"]["content"]["application/json"]["schema"]
        assert error == {"$ref": "#/components/schemas/Error"}, (method, path)


def test_operation_ids_are_unique(schema):
    ids = [operation["operationId"] for _, _, operation in operations(schema)]
    assert len(ids) == len(set(ids))


def test_every_route_of_the_api_is_in_it(schema):
    routes = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    assert len(schema["paths"]) >= 25
    assert {"tournament-standings", "rating-list", "match-record", "bot-versions"} <= routes


def properties(schema, name):
    return set(schema["components"]["schemas"][name]["properties"])


def test_what_the_api_answers_has_the_properties_told(schema, anybody, as_ann, ann):
    tournament, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    kit.recompute(tournament)
    kit.recompute(tournament.pool)
    address = f"/api/v1/tournaments/{tournament.pk}/"
    assert set(anybody.get(address).json()) == properties(schema, "TournamentOut")
    assert set(anybody.get(f"{address}progress/").json()) == properties(schema, "ProgressOut")
    for path, outer, row in (
        (f"{address}standings/", "StandingsOut", "StandingOut"),
        (f"{address}crosstable/", "CrossTableOut", "MeetingOut"),
    ):
        answer = anybody.get(path).json()
        assert set(answer) == properties(schema, outer)
        assert set(answer["results"][0]) == properties(schema, row)
        assert set(answer["snapshot"]) == properties(schema, "SnapshotOut")
    one, other, *_ = tournament.entrants.values_list("version_id", flat=True)
    pool = f"/api/v1/pools/{tournament.pool_id}/"
    assert set(anybody.get(pool).json()) == properties(schema, "PoolOut")
    assert set(anybody.get(f"{pool}history/{one}/").json()) == properties(schema, "HistoryOut")
    assert set(anybody.get(f"{pool}head-to-head/{one}/{other}/").json()) == properties(
        schema, "HeadToHeadOut"
    )
    board = kit.Board.objects.first().pk
    assert set(anybody.get(f"/api/v1/boards/{board}/").json()) == properties(schema, "BoardDetailOut")
    assert set(anybody.get("/api/v1/ratings/").json()["results"][0]) == properties(schema, "RatingOut")
    for name in ("board", "group", "table"):
        [row, *_] = anybody.get(f"{address}{name}s/").json()["results"]
        assert set(row) == properties(schema, f"{name.capitalize()}Out")
    assert set(anybody.get(f"{address}preview/").json()) == properties(schema, "PreviewOut")
    assert set(anybody.get(f"{address}entrants/").json()["results"][0]) == properties(schema, "EntrantOut")
    assert set(anybody.get("/api/v1/matches/").json()["results"][0]) == properties(schema, "MatchOut")
    assert set(anybody.get("/api/v1/bots/").json()["results"][0]) == properties(schema, "BotOut")
    version = tournament.entrants.first().version_id
    assert set(as_ann.get(f"/api/v1/versions/{version}/").json()) == properties(schema, "VersionOut")
    assert set(as_ann.get("/api/v1/users/me/").json()) == properties(schema, "MeOut")
    assert set(anybody.get("/api/v1/nothing/").json()) == properties(schema, "Error")

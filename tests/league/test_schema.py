"""The OpenAPI document: complete, without a warning, and true for what the API answers."""

import io
import os
import re

import pytest
import yaml
from django.core.management import call_command
from django.urls import get_resolver
from drf_spectacular.management.commands.spectacular import SchemaGenerationError
from jsonschema import Draft202012Validator

from league.api.schema import EXAMPLES
from league.common.problems import PROBLEMS
from scripts import check
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


def test_every_operation_has_a_stable_id_a_description_and_a_tag(schema):
    ids = [operation["operationId"] for _, _, operation in operations(schema)]
    assert len(ids) == len(set(ids))
    assert {"tournament_start", "bot_list", "bot_get", "match_export", "token_create"} <= set(ids)
    for path, method, operation in operations(schema):
        assert re.fullmatch("health|[a-z]+(_[a-z]+)+", operation["operationId"])
        assert len(operation["description"].split()) >= 2, (method, path)
        assert operation["summary"]
        assert operation["tags"] == [re.split("[./]", path.removeprefix("/api/v1/"))[0]]


def codes(schema, answer):
    """The codes that a problem in the document may have, whatever it refers to."""
    (content,) = answer["content"].items()
    assert content[0] == "application/problem+json"
    kind = schema["components"]["schemas"][content[1]["schema"]["$ref"].rpartition("/")[2]]
    assert kind["allOf"] == [{"$ref": "#/components/schemas/Problem"}]
    assert kind["example"]["code"] in kind["properties"]["code"]["enum"]
    return kind["properties"]["code"]["enum"]


def test_every_operation_tells_how_it_fails_by_status_and_code(schema):
    for path, method, operation in operations(schema):
        failures = {status: answer for status, answer in operation["responses"].items() if status >= "4"}
        assert {"400", "500", "503"} <= set(failures), (method, path)
        assert ("404" in failures) >= ("{" in path), (method, path)
        security = operation.get("security", [])
        if any(security):
            assert "bad_token" in codes(schema, failures["401"])
        if security == [{"token": []}]:
            assert "not_authenticated" in codes(schema, failures["401"]), (method, path)
        for status, answer in operation["responses"].items():
            assert "X-Request-ID" in answer["headers"]
            assert ("Retry-After" in answer["headers"]) == (status in {"429", "503"})
        for status, answer in failures.items():
            for code in codes(schema, answer):
                assert PROBLEMS[code].status == int(status), (method, path, code)


def operation_of(schema, wanted):
    return next(one for _, _, one in operations(schema) if one["operationId"] == wanted)


@pytest.mark.parametrize(
    ("operation", "status", "some"),
    [
        ("tournament_start", "409", {"wrong_state", "not_active", "too_few_entrants"}),
        ("tournament_start", "403", {"not_yours", "scope_missing"}),
        ("tournament_create", "400", {"bad_rules", "required", "bad_json"}),
        ("bot_version_create", "400", {"unsafe_path", "bad_form"}),
        ("match_list", "400", {"bad_cursor", "bad_ordering", "bad_number"}),
        ("match_record", "409", {"not_over"}),
    ],
)
def test_what_a_service_refuses_is_told_where_it_happens(schema, operation, status, some):
    assert some <= set(codes(schema, operation_of(schema, operation)["responses"][status]))


def test_a_conflict_in_the_document_has_the_present_state(schema):
    for _, _, operation in operations(schema):
        if answer := operation["responses"].get("409"):
            name = answer["content"]["application/problem+json"]["schema"]["$ref"].rpartition("/")[2]
            kind = schema["components"]["schemas"][name]
            assert kind["required"] == ["state"]
            assert kind["properties"]["state"]["nullable"]


@pytest.mark.parametrize(
    ("operation", "media"),
    [
        ("match_export", {"text/csv", "application/x-ndjson"}),
        ("tournament_records_export", {"application/x-ndjson"}),
        ("match_record", {"application/json"}),
        ("version_source", {"application/zip"}),
        ("tournament_events", {"text/event-stream"}),
        ("bot_list", {"application/json"}),
    ],
)
def test_files_and_streams_have_their_own_media_types(schema, operation, media):
    assert set(operation_of(schema, operation)["responses"]["200"]["content"]) == media


def test_parameters_have_types_and_bounds(schema):
    for path, method, operation in operations(schema):
        for parameter in operation.get("parameters", []):
            told = parameter["schema"]
            assert told["type"] in {"integer", "string"}, (path, method, parameter)
            if told["type"] == "integer":
                assert {"minimum", "maximum"} <= set(told), (path, method, parameter)
            if parameter["in"] == "query":
                assert parameter["description"]
    asked = {one["name"]: one["schema"] for one in operation_of(schema, "tournament_list")["parameters"]}
    assert set(asked) == {
        "cursor",
        "name",
        "ordering",
        "organiser",
        "page_size",
        "pool",
        "status",
        "takes_entrants",
    }
    assert "running" in asked["status"]["enum"]
    assert re.fullmatch(asked["ordering"]["pattern"], "-created_at,name")
    assert not re.fullmatch(asked["ordering"]["pattern"], "organiser__password")


def plain(node):
    """OpenAPI 3.0 as JSON Schema: what is nullable may be null."""
    if isinstance(node, list):
        return [plain(each) for each in node]
    if not isinstance(node, dict):
        return node
    told = {key: plain(value) for key, value in node.items() if key != "nullable"}
    return {"anyOf": [told, {"type": "null"}]} if node.get("nullable") is True else told


def test_every_body_and_every_answer_has_an_example_that_fits(schema):
    components = plain({"components": schema["components"]})
    seen = 0
    for _, _, operation in operations(schema):
        told = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in (part["content"].get("application/json") for part in told if "content" in part):
            if content is not None:
                assert "example" in content, f"put one for {operation['operationId']} into examples.json"
                Draft202012Validator({**plain(content["schema"]), **components}).validate(content["example"])
                seen += 1
    assert seen > 70
    assert set(EXAMPLES) <= {operation["operationId"] for _, _, operation in operations(schema)}


def test_every_problem_has_an_example_that_fits(schema):
    components = plain({"components": schema["components"]})
    problems = {name: kind for name, kind in schema["components"]["schemas"].items() if name[-3:].isdigit()}
    assert len(problems) > 20
    for kind in problems.values():
        Draft202012Validator({**plain(kind), **components}).validate(kind["example"])


def test_a_warning_about_the_schema_is_a_failure():
    command, _ = check.STEPS["API schema"]
    assert command[-5:] == ("spectacular", "--validate", "--fail-on-warn", "--file", os.devnull)
    with pytest.raises(SchemaGenerationError):
        call_command(
            "spectacular", "--fail-on-warn", urlconf="tests.support.undocumented", stdout=io.StringIO()
        )


def test_times_are_utc_in_iso_8601(as_ann):
    made = as_ann.post("/api/v1/bots/", {"name": "Heron"}).json()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", made["created_at"])


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
    assert set(anybody.get("/api/v1/nothing/").json()) == properties(schema, "Problem")

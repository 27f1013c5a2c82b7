"""What a server refuses: a sentence for people, the problem for programs, an exit code for shells."""

import json

import pytest

from client.api import Api, ApiError
from tests.support.wire import answering


def problem(status, code, detail, **more):
    """A problem as the site sends it."""
    single = {"code": code, "field": more.get("field"), "detail": detail}
    about = {"type": f"/api/v1/problems/{code}/", "title": "Something", "status": status}
    return {**about, **single, "errors": [single], "request_id": "5f0c2a9be1d3477a", **more}


def test_a_problem_is_read_whole():
    state = {"status": "running", "actions": ["pause"]}
    told = problem(409, "wrong_state", "It runs.", state=state)
    with answering((409, {}, told)) as site, Api(site.url) as api, pytest.raises(ApiError) as caught:
        api.open_tournament(1)
    error = caught.value
    assert (error.status, error.code, error.message, error.field) == (409, "wrong_state", "It runs.", None)
    assert (error.state, error.request_id, error.errors) == (state, "5f0c2a9be1d3477a", told["errors"])


def test_programs_get_the_problem_and_people_the_sentence(polignac):
    told = problem(403, "scope_missing", "This needs a token with the scope organise.")
    with answering((403, {}, told)) as site:
        code, out, err = polignac("tournament", "list", "--json", "--server", site.url)
    document = json.loads(out)
    assert code == 1
    assert (document["code"], document["status"], document["request_id"]) == (
        "scope_missing",
        403,
        "5f0c2a9be1d3477a",
    )
    assert err == "polignac: This needs a token with the scope organise. (scope_missing)\n"


def test_each_of_several_things_wrong_is_told(polignac):
    errors = [{"code": "required", "field": name, "detail": f"{name} is missing."} for name in ("a", "b")]
    told = problem(400, "invalid", "Several things are wrong: a, b.", errors=errors)
    with answering((400, {}, told)) as site:
        _, out, err = polignac("tournament", "list", "--server", site.url)
    assert (out, err.splitlines()[1:]) == ("", ["  a: a is missing.", "  b: b is missing."])


@pytest.mark.parametrize(
    ("status", "body", "headers"),
    [
        (500, problem(500, "server_error", "Something went wrong."), {}),
        (502, b"<html>", {"X-Request-ID": "5f0c2a9be1d3477a"}),
    ],
)
def test_an_error_of_the_servers_is_told_with_the_id_to_quote(polignac, status, body, headers):
    with answering((status, headers, body)) as site:
        code, _, err = polignac("tournament", "list", "--server", site.url)
    assert code == 3
    assert "request 5f0c2a9be1d3477a" in err


def test_where_there_is_no_answer_programs_are_told_so(polignac, monkeypatch):
    monkeypatch.setattr("client.server.connection.sleep", lambda seconds: None)
    code, out, _ = polignac("tournament", "list", "--json", "--server", "http://127.0.0.1:9")
    assert (code, json.loads(out)["code"], json.loads(out)["status"]) == (3, "unreachable", 0)

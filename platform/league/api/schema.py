"""The OpenAPI document: what the framework finds out about the views, our names, and how operations may fail.

An operation's id is what it is about and what it does: `tournament_start`, `bot_list`. Its failures are those
of `league.api.failures`, its example is in `examples.json`.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from django_filters import ChoiceFilter
from drf_spectacular.openapi import AutoSchema

from league.api import idempotency
from league.api.errors import MEDIA_TYPE
from league.api.failures import failures_of
from league.api.filters import ID, IdFilter, Ordering, known_parameters
from league.api.models import KEY_MAX
from league.api.pagination import PARAMETERS as PAGES
from league.api.permissions import READ, needed
from league.common.problems import BY_STATUS, PROBLEMS, Problem

Node = dict[str, Any]

ID_SCHEMA = {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}
EXAMPLES = json.loads((Path(__file__).parent / "examples.json").read_text())
#: What the framework calls otherwise.
ACTIONS = {"retrieve": "get", "destroy": "delete", "partial_update": "update"}
#: Of the operations that are all the framework's own.
DESCRIPTIONS = {
    "board_get": "A board, and where it is; its seed once the tournament is over.",
    "bot_list": "Bots, by id, or those of an owner or a name.",
    "bot_get": "A bot, and the number of its newest active version.",
    "group_get": "A group: who plays the same boards, and how many of them are complete.",
    "match_list": "Matches played, by id, or those of a tournament, a table, a board, a bot or a version.",
    "match_get": "A match: who sat where, and how it ended.",
    "pool_list": "Pools: one list of ratings for each set of rules and number of players.",
    "pool_get": "A pool: its rules, and the snapshot that all pages show now.",
    "rating_list": "The ladder: current ratings, best first within each pool.",
    "table_get": "A table: who sits there, where it is, and why it waits if it does.",
    "token_list": "Your tokens: their names, scopes, ends and last uses, never the tokens themselves.",
    "token_get": "A token of yours: its name, scopes, end and last use.",
    "tournament_list": "Tournaments: all that are public, and your own drafts.",
    "tournament_get": "A tournament: what it plays, and where it is.",
    "version_get": "A version: where it is, and for its owner and staff what its check found.",
    "webhook_list": "Your webhooks.",
    "webhook_get": "A webhook of yours: where it leads, what it tells, and how it fares.",
}
HEADERS = {
    "X-Request-ID": {"schema": {"type": "string"}, "description": "the request's id in the site's log"},
    "Retry-After": {"schema": {"type": "integer"}, "description": "seconds; the same may succeed then"},
}
_FAILURES = "x-failures"
_KEY = {
    "name": idempotency.HEADER,
    "in": "header",
    "schema": {"type": "string", "minLength": 1, "maxLength": KEY_MAX, "pattern": "^[!-~]+$"},
    "description": "A key of your own for this write: sent again with it, it is done once, for a day.",
}


class Schema(AutoSchema):
    """One operation."""

    def get_operation_id(self) -> str:
        """`bot_list`; an export's is written down with it."""
        kind = type(self.view).__name__
        noun = getattr(self.view, "basename", None) or re.sub("(?<=[a-z])(?=[A-Z])", "_", kind).removesuffix(
            "s"
        )
        action = getattr(self.view, "action", None) or self.method
        return f"{noun}_{ACTIONS.get(action, action)}".replace("-", "_").lower()

    def get_description(self) -> str:  # type: ignore[override] # as the framework's own
        """What it does: the first thing that is said of it. Then the scope, if it isn't `read`."""
        told = DESCRIPTIONS.get(self.get_operation_id()) or super().get_description()
        scopes = needed(self.view, self.method, getattr(self.view, "action", None))
        if not scopes or scopes == READ:
            return told
        return f"{told}\n\nNeeds the scope {' or '.join(f'`{scope}`' for scope in sorted(scopes))}."

    def get_tags(self) -> list[str]:
        """The first part of the address."""
        return [self._tokenize_path()[0].partition(".")[0]]

    def get_summary(self) -> str:
        """The description's first sentence, without the end of it."""
        return re.split(r"[.:;]\s|[.:;]$", self.get_description().replace("\n", " "))[0]

    def _resolve_path_parameters(self, variables: Any) -> list[Node]:
        parameters: list[Node] = super()._resolve_path_parameters(variables)
        for parameter in parameters:
            if parameter["schema"].get("pattern") == f"^{ID}$":
                parameter["schema"] = dict(ID_SCHEMA)
        return parameters

    def _get_parameters(self) -> list[Node]:
        parameters: list[Node] = super()._get_parameters()
        for parameter in parameters:
            if parameter["schema"].get("type") == "integer" and "minimum" not in parameter["schema"]:
                parameter["schema"] = dict(ID_SCHEMA)  # all whole numbers in addresses are ids
        failures = failures_of(self.view, self.method, "{" in self.path).get(422, ())
        return parameters + [_KEY] * ("idempotency_key_reused" in failures)

    def _get_filter_parameters(self) -> list[Node]:
        """What the operation takes in its query, from where the site itself looks it up."""
        if self.method != "GET" or not hasattr(self.view, "query_parameters"):
            return []
        names = sorted(known_parameters(self.view) - set(self.view.query_parameters))
        return [{"name": name, "in": "query", **self._parameter(name)} for name in names]

    def _get_pagination_parameters(self) -> list[Node]:
        return []  # among those above

    def _parameter(self, name: str) -> Node:
        view: Any = self.view
        if name in PAGES:
            schema, text = PAGES[name]
            return {"schema": schema, "description": text}
        if name == Ordering.ordering_param:
            columns = "|".join(view.ordering_fields)
            pattern = f"^-?({columns})(,-?({columns}))*$"
            return {
                "schema": {"type": "string", "pattern": pattern},
                "description": f"Columns, with - for falling: {columns.replace('|', ', ')}.",
            }
        one = view.filterset_class.base_filters[name]
        if isinstance(one, IdFilter):
            schema = dict(ID_SCHEMA)
        elif isinstance(one, ChoiceFilter):
            schema = {"type": "string", "enum": [value for value, _ in one.extra["choices"]]}
        else:
            schema = {"type": "string", "minLength": 1}
        return {"schema": schema, "description": one.extra.get("help_text") or f"only those of this {name}"}

    def _get_response_bodies(self, direction: Literal["request", "response"] = "response") -> Node:
        bodies: Node = super()._get_response_bodies(direction)
        if direction == "response":
            failures = failures_of(self.view, self.method, "{" in self.path)
            for status, codes in failures.items():
                bodies[str(status)] = {_FAILURES: codes}
        return bodies


def finish(result: Node, **_: Any) -> Node:
    """The last touch to the document: the problems, and the examples."""
    schemas = result["components"].setdefault("schemas", {})
    schemas["Problem"], schemas["ProblemItem"] = _problem(), _problem_item()
    result["components"]["headers"] = HEADERS
    for operation in _operations(result):
        for status, answer in operation["responses"].items():
            if _FAILURES in answer:
                name = _problem_of(schemas, operation["operationId"], int(status), answer[_FAILURES])
                operation["responses"][status] = _answer(name, int(status), answer[_FAILURES])
        for status, answer in operation["responses"].items():
            told = ("X-Request-ID", "Retry-After") if status in {"429", "503"} else ("X-Request-ID",)
            answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in told}
        example = EXAMPLES.get(operation["operationId"], {})
        if "request" in example:
            for content in operation["requestBody"]["content"].values():
                content["example"] = example["request"]
        for status in ("200", "201", "202"):
            content = operation["responses"].get(status, {}).get("content", {})
            if "answer" in example and "application/json" in content:
                content["application/json"]["example"] = example["answer"]
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


def _operations(result: Node) -> Iterator[Node]:
    for methods in result["paths"].values():
        yield from (operation for name, operation in methods.items() if name != "parameters")


def _problem_of(schemas: Node, operation: str, status: int, codes: list[str]) -> str:
    """The name of the problem that has one of these codes; one kind for all operations that fail alike."""
    wanted: Node = {
        "allOf": [{"$ref": "#/components/schemas/Problem"}],
        "properties": {"code": {"type": "string", "enum": codes}},
        "example": _example(codes[0], PROBLEMS[codes[0]]),
    }
    if status == 409:
        wanted["properties"]["state"] = {
            "type": "object",
            "nullable": True,
            "additionalProperties": {},
            "description": "how what was asked about is at present; null where the code says all",
        }
        wanted["required"] = ["state"]
    camel = "".join(part.capitalize() for part in operation.split("_"))
    for name in (f"Problem{status}", f"{camel}{status}"):
        if schemas.setdefault(name, wanted) == wanted:
            return name
    raise ValueError(f"two operations are called {operation}")


def _answer(schema: str, status: int, codes: list[str]) -> Node:
    reference = {"$ref": f"#/components/schemas/{schema}"}
    code = codes[0] if len(codes) == 1 else BY_STATUS.get(status, codes[0])
    kind = PROBLEMS[code]
    return {
        "description": f"{kind.title}." if len(codes) == 1 else f"{kind.title}: one of {', '.join(codes)}.",
        "content": {MEDIA_TYPE: {"schema": reference}},
    }


def _example(code: str, kind: Problem) -> Node:
    single = {"code": code, "field": None, "detail": f"{kind.title}. {kind.advice}"}
    return {
        "type": f"/api/v1/problems/{code}/",
        "title": kind.title,
        "status": kind.status,
        **single,
        "errors": [single],
        "request_id": "5f0c2a9be1d3477a",
        **({"state": None} if kind.status == 409 else {}),
    }


def _problem_item() -> Node:
    return _object(
        "One thing that is wrong.",
        code={"type": "string", "description": "stable, for programs"},
        field={"type": "string", "nullable": True, "description": "what in the request it is about"},
        detail={"type": "string", "description": "a sentence, for people"},
    )


def _problem() -> Node:
    item = _problem_item()["properties"]
    return _object(
        "Every error has this shape (RFC 9457).",
        type={"type": "string", "format": "uri-reference", "description": "where `code` is explained"},
        title={"type": "string", "description": "what is wrong, in general"},
        status={"type": "integer", "description": "the HTTP status"},
        **item,
        errors={
            "type": "array",
            "items": {"$ref": "#/components/schemas/ProblemItem"},
            "minItems": 1,
            "description": "each single thing",
        },
        request_id={"type": "string", "description": "the answer's X-Request-ID"},
    )


def _object(description: str, **properties: Node) -> Node:
    return {
        "type": "object",
        "description": description,
        "required": list(properties),
        "properties": properties,
    }

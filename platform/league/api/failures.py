"""How an operation may fail: for each status the codes that may occur, as data beside the operation.

What follows from what an operation is (it takes a token, a body, a cursor), is computed; what its service
refuses besides, the view says: `@may("name_taken")`. The OpenAPI document is made of it, and the tests
compare each error that they see.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from rest_framework.permissions import SAFE_METHODS, BasePermission, IsAuthenticated

from league.api import idempotency
from league.api.filters import known_parameters
from league.api.pagination import CURSOR
from league.api.parsers import UploadParser
from league.api.permissions import IsStaff, needed
from league.common.problems import PROBLEMS

Handler = TypeVar("Handler", bound=Callable[..., Any])

#: What may be wrong with the fields of a body.
FIELDS = (
    "invalid",
    "required",
    "null",
    "blank",
    "max_length",
    "max_value",
    "min_value",
    "invalid_choice",
    "bad_characters",
    "unknown_field",
)
#: What may be wrong with a tournament that is to be.
DRAFTS = ("bad_rules", "bad_options", "bad_boards", "bad_number", "unknown_format")
#: Why a field can't play a tournament.
UNFIT = ("options_unfit", "not_entered", "too_few_entrants", "too_few_owners", "same_owner")
#: What may be wrong with a program.
UPLOADS = (
    "invalid",
    "required",
    "max_length",
    "unknown_field",
    "bad_flag",
    "bad_manifest",
    "broken_zip",
    "encrypted",
    "long_path",
    "no_entry",
    "not_a_file",
    "not_text",
    "same_name",
    "unknown_language",
    "unsafe_path",
    "quota",
)
#: Of every operation.
ALWAYS = (
    "bad_request",
    "unknown_parameter",
    "repeated_parameter",
    "not_acceptable",
    "server_error",
    "unavailable",
)
UPLOAD = ("bad_form", "too_many_files", "empty", "incomplete")
LIST = {CURSOR: ("blank", "bad_cursor", "bad_number"), "ordering": ("blank", "bad_ordering")}
FILTERS = ("invalid", "blank", "bad_number", "bad_characters", "invalid_choice")


def may(*codes: str) -> Callable[[Handler], Handler]:
    """Say of an operation how it may fail, beside what follows from what it is. Raises LookupError for a code
    that is not registered."""
    for code in codes:
        PROBLEMS[code]

    def declare(handler: Handler) -> Handler:
        handler.failures = codes  # type: ignore[attr-defined]
        return handler

    return declare


def failures_of(view: Any, method: str, inner: bool) -> dict[int, list[str]]:
    """The codes that may occur, by status, both in order.

    Args:
        view: an instance that is about to answer: with its action and its request.
        inner: whether the address has a variable part.
    """
    handler = getattr(view, str(getattr(view, "action", None) or method.lower()), None)
    codes = {*ALWAYS, *getattr(handler, "failures", ()), *_access(view, method)}
    if inner:
        codes.add("not_found")
    if view.get_throttles():
        codes.add("throttled")
    codes.update(_writing(view) if method not in SAFE_METHODS else _reading(view))
    found: dict[int, list[str]] = {}
    for code in sorted(codes, key=list(PROBLEMS).index):
        found.setdefault(PROBLEMS[code].status, []).append(code)
    return dict(sorted(found.items()))


def _access(view: Any, method: str) -> Iterator[str]:
    if not view.get_authenticators():
        return
    yield "bad_token"
    needs = list(_kinds(view.get_permissions()))
    if IsAuthenticated in needs or IsStaff in needs or method not in SAFE_METHODS:
        yield "not_authenticated"
    scopes = needed(view, method, getattr(view, "action", None))
    if IsStaff in needs or scopes is None:
        yield "forbidden"
    if IsStaff in needs or scopes:
        yield "scope_missing"


def _kinds(permissions: list[BasePermission]) -> Iterator[type]:
    for permission in permissions:
        yield next(
            (kind for kind in (IsStaff, IsAuthenticated) if isinstance(permission, kind)), type(permission)
        )


def _writing(view: Any) -> Iterator[str]:
    yield from ("length_required", "too_large", "unsupported_media_type")
    yield from UPLOAD if UploadParser in view.parser_classes else ("bad_json",)
    kind = getattr(view, "repeatable", {}).get(getattr(view, "action", None), idempotency.Kind.KEPT)
    if view.get_authenticators() and kind is not idempotency.Kind.PLAIN:
        yield from ("bad_idempotency_key", "idempotency_key_reused", "idempotency_in_progress")
        if kind is idempotency.Kind.SECRET:
            yield "idempotency_secret"


def _reading(view: Any) -> Iterator[str]:
    parameters = known_parameters(view) if hasattr(view, "query_parameters") else frozenset()
    for parameter in parameters:
        yield from LIST.get(parameter, FILTERS)

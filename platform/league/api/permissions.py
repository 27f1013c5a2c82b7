"""Who may do what, told by the views as data.

`permission_classes` say who: anybody, known users, staff. `scopes` say what a token must be good for: one
scope for all writes of a view, or one an action (in a view without actions, a method). Reading needs `read`
where nothing is said. A write of which nothing is said is refused to everybody, and fails a test.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from league.accounts.scopes import Scope
from league.common.errors import Forbidden

#: Any of these does; none at all: a token of whatever scopes, and, if the view lets strangers in, no token.
Needed: TypeAlias = frozenset[Scope]
#: What a view says in `scopes`.
Scopes: TypeAlias = Scope | Mapping[str, Scope | Needed]

NO_SCOPE: Needed = frozenset()
READ: Needed = frozenset({Scope.READ})


def needed(view: Any, method: str, action: str | None = None) -> Needed | None:
    """The scopes of which an operation needs one; None for a write of which its view says nothing."""
    told: Scopes = getattr(view, "scopes", {})
    if isinstance(told, Mapping):
        scope = told.get(action or method.lower())
    else:
        scope = None if method in SAFE_METHODS else told
    if scope is None:
        return READ if method in SAFE_METHODS else None
    return frozenset({scope}) if isinstance(scope, Scope) else scope


def demand(request: Request, *scopes: Scope) -> None:
    """Raise ScopeMissing if the request's token lacks one of these."""
    for scope in scopes:
        _demand_any(request, frozenset({scope}))


class ScopeMissing(Forbidden):
    """The token isn't good for this; the message says which scope is needed, and which it has."""

    def __init__(self, scopes: Needed, has: frozenset[Scope]) -> None:
        names = " or ".join(scope for scope in Scope if scope in scopes)
        got = ", ".join(scope for scope in Scope if scope in has) or "none"
        super().__init__("scope_missing", f"This needs a token with the scope {names}; yours has {got}.")


class HasScope(BasePermission):
    """The token is good for what is asked. Who has none, is judged by the view's other permissions."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Raises ScopeMissing."""
        action = getattr(view, "action", "")
        if action is None:
            return True  # the method isn't for this address: 405 follows
        scopes = needed(view, request.method or "", action)
        if scopes is None:
            return False
        if scopes and request.user.is_authenticated:
            _demand_any(request, scopes)
        return True


class IsStaff(BasePermission):
    """For the staff, with a token good for that."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Raises ScopeMissing for staff whose token lacks `admin`."""
        if request.user.is_authenticated and request.user.plain:
            demand(request, Scope.ADMIN)
        return bool(request.user.is_authenticated and request.user.is_staff)


def _demand_any(request: Request, scopes: Needed) -> None:
    has: frozenset[Scope] = getattr(request.auth, "scopes", frozenset())
    if not scopes & has:
        raise ScopeMissing(scopes, has)

"""Scopes: what a token may be used for. A token has some of them; none implies another."""

from collections.abc import Iterable
from enum import StrEnum

from league.common.errors import Invalid


class Scope(StrEnum):
    """One kind of acts. `about` says which, for people."""

    about: str

    def __new__(cls, value: str, about: str) -> "Scope":
        scope = str.__new__(cls, value)
        scope._value_ = value
        scope.about = about
        return scope

    READ = "read", "see what its user may see"
    SUBMIT = "submit", "make bots, upload versions, enter them and withdraw them"
    ORGANISE = "organise", "make tournaments and steer them"
    ADMIN = "admin", "act as staff; without it a token of the staff is a token like any other"


#: What a token gets where nothing else is asked for.
USUAL = frozenset({Scope.READ, Scope.SUBMIT, Scope.ORGANISE})


def joined(scopes: Iterable[str]) -> str:
    """The scopes in the order of their list, with spaces: as OAuth writes them (RFC 6749, 3.3).

    Raises Invalid for none, and for one that isn't known.
    """
    asked = frozenset(scopes)
    if unknown := asked - set(Scope):
        known = ", ".join(Scope)
        raise Invalid("bad_scope", f"There is no scope {min(unknown)!r}; there are {known}.", "scopes")
    if not asked:
        raise Invalid("bad_scope", "A token without a scope is good for nothing; name one.", "scopes")
    return " ".join(scope for scope in Scope if scope in asked)

"""What changes about users."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from league.accounts.models import User
from league.common.errors import Conflict, Invalid
from league.common.lifecycle import NOTE_MAX, StatusNote
from league.common.text import clear_name, clipped

PASSWORD_MAX = 200
OPEN, CLOSED = "open", "closed"


def sign_up(username: str, password: str) -> User:
    """A new user. Raises Invalid for a bad name or a weak password, Conflict for a name that is taken."""
    user = User(username=clear_name(username, "username"))
    _set_password(user, password, "password")
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise Conflict(
            "name_taken", "There is a user of that name, or one that looks like it.", "username"
        ) from None
    return user


def change_password(user: User, old: str, new: str) -> None:
    """Give the user another password; every token and session ends. Raises Invalid."""
    with transaction.atomic():
        now = _locked(user)
        if not now.check_password(old):
            raise Invalid("bad_credentials", "That is not your password.", "old")
        _set_password(now, new, "new")
        now.save(update_fields=["password"])


@transaction.atomic
def close(user: User, by: User, why: str) -> User:
    """Close an account: its user has no way in any more, and every token and session ends at once. What the
    user's bots played, stays. Closing a closed one changes nothing. Noted, with who and why.
    """
    return _turn(user, by, why, CLOSED)


@transaction.atomic
def reopen(user: User, by: User, why: str) -> User:
    """Let the user of a closed account log in again, with the same password. Noted, with who and why."""
    return _turn(user, by, why, OPEN)


def _turn(user: User, by: User, why: str, new: str) -> User:
    now = _locked(user)
    old = OPEN if now.is_active else CLOSED
    if old != new:
        now.is_active = new == OPEN
        now.save(update_fields=["is_active"])
        StatusNote.objects.create(
            kind="user", row=now.pk, old=old, new=new, text=clipped(why, NOTE_MAX), by=by
        )
    return now


def _locked(user: User) -> User:
    return User.objects.select_for_update(of=("self",), no_key=True).get(pk=user.pk)


def _set_password(user: User, password: str, field: str) -> None:
    if len(password) > PASSWORD_MAX:
        raise Invalid("weak_password", f"A password has at most {PASSWORD_MAX} characters.", field)
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid("weak_password", " ".join(error.messages), field) from None
    user.set_password(password)

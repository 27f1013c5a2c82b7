"""What changes about users."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from league.accounts.models import User
from league.common.errors import Conflict, Invalid
from league.common.text import clean_name

PASSWORD_MAX = 200


def sign_up(username: str, password: str) -> User:
    """A new user. Raises Invalid for a bad name or a weak password, Conflict for a name that is taken."""
    user = User(username=clean_name(username, "username"))
    if len(password) > PASSWORD_MAX:
        raise Invalid("weak_password", f"A password has at most {PASSWORD_MAX} characters.", "password")
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid("weak_password", " ".join(error.messages), "password") from None
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise Conflict(
            "name_taken", "There is a user of that name, or one that looks like it.", "username"
        ) from None
    return user

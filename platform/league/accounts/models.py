"""People who have bots and organise tournaments, and their tokens."""

from collections.abc import Collection, Iterable
from itertools import combinations
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone
from knox.models import AbstractAuthToken
from knox.settings import CONSTANTS

from league.accounts.scopes import Scope, joined
from league.common.text import NAME_MAX, clean_name, clear_name, name_key

#: What a user is beside a person, and a token without `admin` hides.
STAFF_COLUMNS = frozenset({"is_staff", "is_superuser"})


class Users(UserManager["User"]):
    """Finds a user by any spelling of the name that looks the same."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(username_key=name_key(username or ""))


class User(AbstractUser):
    """A user. `username` is kept as written; `username_key` is unique: names that look alike are one name."""

    username = models.CharField(max_length=NAME_MAX, unique=True)
    username_key = models.CharField(max_length=4 * NAME_MAX, unique=True, editable=False)

    objects = Users()  # type: ignore[misc]

    #: Whether this instance hides that the user is of the staff (`as_anyone`).
    plain: ClassVar[bool] = False

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Save, with the key in step with the name (raises Invalid for a name that can't be one).

        A new password, or an account that is closed, ends every way in, whoever saves it.
        """
        columns = None if update_fields is None else set(update_fields)
        if self.plain and (columns is None or columns & STAFF_COLUMNS):
            raise ValueError("this user is seen without what the staff has: save named columns only")
        new_password = self._password is not None  # type: ignore[attr-defined] # set_password's
        clean = clear_name if self._state.adding else clean_name
        self.username = clean(self.username, "username")
        self.username_key = name_key(self.username)
        super().save(*args, update_fields=columns, **kwargs)
        if new_password or not self.is_active:
            self.end_access()

    def end_access(self) -> None:
        """End all tokens and sessions."""
        Token.objects.filter(user=self).delete()
        self.end_sessions()

    def sessions(self) -> list[Session]:
        """Where the user is logged in with a browser, the newest first. Whose a session is stands only inside
        of it, so all are read: there is one for each browser that is logged in."""
        valid = Session.objects.filter(expire_date__gt=timezone.now()).order_by("-expire_date")
        return [one for one in valid if one.get_decoded().get(SESSION_KEY) == str(self.pk)]

    def end_sessions(self, but: str | None = None) -> None:
        """End the sessions, but for the one of that key."""
        ended = [one.pk for one in self.sessions() if one.pk != but]
        Session.objects.filter(pk__in=ended).delete()

    def as_anyone(self) -> None:
        """Make this instance one of no staff, whatever the row says: for whoever acts without that scope."""
        self.plain = True  # type: ignore[misc]
        self.is_staff = self.is_superuser = False


def _sets() -> Collection[str]:
    """Every set of scopes, as it is stored."""
    sizes = range(1, len(Scope) + 1)
    return sorted(joined(some) for size in sizes for some in combinations(Scope, size))


class Token(AbstractAuthToken):
    """A token, hashed; what it is, was shown once. Named, and good for its scopes until it expires."""

    # The library's key is the digest: ours has an address, which must tell nothing.
    digest = models.CharField(max_length=CONSTANTS.DIGEST_LENGTH, unique=True, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    expiry = models.DateTimeField()
    name = models.CharField(max_length=NAME_MAX)
    #: With spaces between, in the order of `Scope`.
    granted = models.CharField(max_length=60)
    #: To the minute.
    last_used_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(granted__in=_sets()), name="token_scopes_known"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.granted})"

    @property
    def scopes(self) -> frozenset[Scope]:
        """What it may be used for."""
        return frozenset(scope for scope in Scope if scope in self.granted.split())

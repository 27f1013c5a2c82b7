"""People who have bots and organise tournaments."""

from typing import Any

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models

from league.common.text import NAME_MAX, clean_name, name_key


class Users(UserManager["User"]):
    """Finds a user by any spelling of the name that looks the same."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(username_key=name_key(username or ""))


class User(AbstractUser):
    """A user. `username` is kept as written; `username_key` is unique: names that look alike are one name."""

    username = models.CharField(max_length=NAME_MAX, unique=True)
    username_key = models.CharField(max_length=4 * NAME_MAX, unique=True, editable=False)

    objects = Users()  # type: ignore[misc]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save, with the key in step with the name (raises Invalid for a name that can't be one)."""
        self.username = clean_name(self.username, "username")
        self.username_key = name_key(self.username)
        super().save(*args, **kwargs)

"""Quotas: how much of something one user may have, so that there is some for all. The staff has the same.

Each is one value, which both enforces and tells: whoever makes a quota adds one, and it stands in `users/me`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings

from league.accounts.models import User
from league.common.errors import OverQuota

#: All there are, by name.
QUOTAS: "dict[str, Quota]" = {}


@dataclass(frozen=True)
class Quota:
    """A bound on what one user has.

    Attributes:
        name: for programs, as in `users/me`.
        setting: where the bound is.
        unit: of both numbers.
        count: how much a user has now.
        advice: what whoever has it all can do.
        scale: units in one of the setting's.
    """

    name: str
    setting: str
    unit: str
    count: Callable[[User], int]
    advice: str
    scale: int = 1

    def __post_init__(self) -> None:
        QUOTAS[self.name] = self

    @property
    def limit(self) -> int:
        """The bound."""
        return int(getattr(settings, self.setting)) * self.scale

    def check(self, user: User, more: int = 1) -> None:
        """Whether the user may have so many more. Raises OverQuota, which names what is used and the limit.

        The user is locked until the transaction ends: of two at once, the second counts what the first made.
        """
        User.objects.select_for_update(of=("self",), no_key=True).get(pk=user.pk)
        used = self.count(user)
        if used + more > self.limit:
            told = f"{self.name}: {used} of {self.limit} {self.unit} are used, and this needs {more}."
            raise OverQuota("quota", f"{told} {self.advice}")


def usage(user: User) -> dict[str, dict[str, int | str]]:
    """What the user has of each, the limit, and the unit of both."""
    return {
        name: {"used": quota.count(user), "limit": quota.limit, "unit": quota.unit}
        for name, quota in sorted(QUOTAS.items())
    }

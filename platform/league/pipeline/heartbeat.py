"""Keeping a claim while the work takes its time."""

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from django.conf import settings
from django.db import DatabaseError, connection

from league.common.claims import Claim, Claimable, renew
from league.common.errors import Lost

log = logging.getLogger(__name__)


class Heartbeat:
    """A context in which a claim's lease is renewed, three times within its length.

    It dies with the process, and only with it: a dead worker's lease runs out soon, however long its table.
    """

    def __init__(self, model: type[Claimable], claim: Claim, also: Callable[[], None] = lambda: None) -> None:
        """`also` is called after each renewal."""
        self._model, self._claim, self._also = model, claim, also
        self._stop = threading.Event()
        self._lost = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"lease-{claim.pk}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def lost(self) -> bool:
        """Whether the claim is known to have ended."""
        return self._lost.is_set()

    def check(self) -> None:
        """Raises Lost once the claim is known to have ended: there's no use in going on."""
        if self.lost:
            raise Lost(f"{self._model.__name__} {self._claim.pk}")

    def _beat(self) -> None:
        try:
            while not self._stop.wait(settings.LEASE_S / 3):
                try:
                    if not renew(self._model, self._claim):
                        self._lost.set()
                        return
                    self._also()
                except DatabaseError as error:
                    log.warning(
                        "the lease of %s %d was not renewed: %s", self._model.__name__, self._claim.pk, error
                    )
                    connection.close()
        finally:
            connection.close()

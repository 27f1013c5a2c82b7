"""A user's webhooks at a site, over its API."""

from collections.abc import Iterator
from typing import Any

from client.api import Api, Json


class Webhooks:
    """The webhooks of whoever is logged in. Every method raises ApiError."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def all(self) -> Iterator[Json]:
        """All of yours, page after page."""
        return self._api.pages("webhooks/")

    def add(self, url: str, events: list[str] | None = None) -> Json:
        """A new one, for these types of events or all; with its `secret`, which the site shows only once."""
        return self._api.json("POST", "webhooks/", {"url": url, **({"events": events} if events else {})})

    def change(self, webhook: int, **changes: Any) -> Json:
        """Change its `url` or `events`; `active` false pauses it, true switches it on again."""
        return self._api.json("PATCH", f"webhooks/{webhook}/", changes)

    def remove(self, webhook: int) -> None:
        """Delete it, and its log."""
        self._api.call("DELETE", f"webhooks/{webhook}/")

    def ping(self, webhook: int) -> Json:
        """Have a `webhook.ping` sent; gives the delivery."""
        return self._api.json("POST", f"webhooks/{webhook}/ping/")

    def rotate(self, webhook: int) -> Json:
        """Give it a new `secret`."""
        return self._api.json("POST", f"webhooks/{webhook}/secret/")

    def log(self, webhook: int, **query: str) -> Iterator[Json]:
        """Its deliveries, the newest first, page after page; `status` and `type` filter them."""
        return self._api.pages(f"webhooks/{webhook}/deliveries/", **query)

    def delivery(self, webhook: int, delivery: int) -> Json:
        """One delivery, with the `event` that is sent."""
        return self._api.json("GET", f"webhooks/{webhook}/deliveries/{delivery}/")

    def redeliver(self, webhook: int, delivery: int) -> Json:
        """Send one again, with the same id."""
        return self._api.json("POST", f"webhooks/{webhook}/deliveries/{delivery}/redeliver/")

"""The app's name and label."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    """See the package's modules."""

    name = "league.live"
    label = "live"

    def ready(self) -> None:
        """Hear of changes from now on."""
        from league.live import nudges

        nudges.connect()

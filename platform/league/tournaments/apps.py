"""The app's name and label."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """See the package's modules."""

    name = "league.tournaments"
    label = "tournaments"

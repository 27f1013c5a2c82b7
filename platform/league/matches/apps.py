"""The app's name and label."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """See the package's modules."""

    name = "league.matches"
    label = "matches"

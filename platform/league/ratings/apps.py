"""The app's name and label."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """See the package's modules."""

    name = "league.ratings"
    label = "ratings"

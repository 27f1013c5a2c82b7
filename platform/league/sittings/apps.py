"""The app's name and label."""

from django.apps import AppConfig


class SittingsConfig(AppConfig):
    """See the package's modules."""

    name = "league.sittings"
    label = "sittings"

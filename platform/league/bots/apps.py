"""The app's name and label."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """See the package's modules."""

    name = "league.bots"
    label = "bots"

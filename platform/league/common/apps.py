"""The app's name and label."""

from django.apps import AppConfig


class CommonConfig(AppConfig):
    """See the package's modules."""

    name = "league.common"
    label = "common"

"""The app's name and label."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """See the package's modules."""

    name = "league.api"
    label = "api"

"""The app's name and label."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """See the package's modules, and docs/design.md."""

    name = "league.web"
    label = "web"

"""The app's name and label."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """See the package's modules."""

    name = "league.webhooks"
    label = "webhooks"

"""The app's name and label."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """See the package's modules."""

    name = "league.accounts"
    label = "accounts"

"""The app's name and label."""

from django.apps import AppConfig


class PipelineConfig(AppConfig):
    """See the package's modules."""

    name = "league.pipeline"
    label = "pipeline"

"""The app's name and label."""

from django.apps import AppConfig

from league.common.signals import changed


class PipelineConfig(AppConfig):
    """See the package's modules."""

    name = "league.pipeline"
    label = "pipeline"

    def ready(self) -> None:
        """From now on webhooks are told what changes."""
        from league.pipeline.deliver import on_change

        changed.connect(on_change, dispatch_uid="webhooks")

"""What every app's models share."""

from league.common.lifecycle import Lived, StatusNote

__all__ = ["Lived", "StatusNote"]

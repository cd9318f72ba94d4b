"""The light theme."""

from tests.views.timeline.conftest import themes

__all__ = ["themes"]

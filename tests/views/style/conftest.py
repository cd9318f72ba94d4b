"""The window with a handful of commands, to dress."""

from tests.views.commands.conftest import bench, done, look

__all__ = ["bench", "done", "look"]

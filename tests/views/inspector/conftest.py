"""The small run of the panels, for the inspectors."""

from tests.views.panels.conftest import cursor, run, selection, show, small_run

__all__ = ["cursor", "run", "selection", "show", "small_run"]

"""The small run of the panels, for the panel of packets."""

from tests.views.panels.conftest import cursor, run, selection, show, small_run

__all__ = ["cursor", "run", "selection", "show", "small_run"]

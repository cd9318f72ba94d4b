"""The panels of the window, in the order of their menu; that of lessons comes last."""

from __future__ import annotations

from typing import Final

from meshgui.views.charts.panel_spec import PLOTS
from meshgui.views.docks.panel_spec import PanelSpec
from meshgui.views.help.notes_dock import NOTES
from meshgui.views.inspector.panel_spec import INSPECTOR
from meshgui.views.network.panel_spec import NETWORK
from meshgui.views.panels.panel_specs import ALGORITHM, JOB, QUEUE, STOPS
from meshgui.views.scenario.panel_spec import SCENARIO
from meshgui.views.timeline.panel_spec import TIMELINE

PANELS: Final[tuple[PanelSpec, ...]] = (
    *(QUEUE, JOB, ALGORITHM, SCENARIO, INSPECTOR, TIMELINE, PLOTS, NETWORK, STOPS, NOTES),
)

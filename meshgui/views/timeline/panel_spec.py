"""The record of the timeline."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_spec import Mode, PanelSpec, Place
from meshgui.views.style.sizing import Sizing
from meshgui.views.timeline.overview import RunOverview
from meshgui.views.timeline.panel import TimelineView
from meshgui.views.widgets.building import widget_of


def _timeline(host: HostWindow) -> QWidget:
    """The timeline, and below it the run as a whole."""
    context = host.context
    timeline = TimelineView(*context.views)
    overview = RunOverview(timeline, context.cursor, context.breakpoints, context.bookmarks, context.themes)
    return widget_of(Sizing(context.themes, timeline).column((timeline, 1), overview))


TIMELINE: Final = PanelSpec(
    "timeline",
    tr("Timeline"),
    tr("The whole run over time: drag in it to go to a moment."),
    _timeline,
    "bottom",
    Place(height=224, height_if_low=182),
    frozenset({Mode.LECTURE}),
    "history",
    ("Ctrl+6",),
    tr("gantt events bars playhead"),
)

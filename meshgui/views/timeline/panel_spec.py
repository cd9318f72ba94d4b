"""The record of the timeline."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_spec import Mode, PanelSpec, Place
from meshgui.views.style.sizing import Sizing
from meshgui.views.timeline.overview import RunOverview
from meshgui.views.timeline.panel import TimelineView

_ENOUGH: Final = 130  # of height for all its rows


class _TimelinePanel(QWidget):
    """The timeline, and below it the run as a whole, which goes where there is no room for both."""

    def __init__(self, host: HostWindow) -> None:
        super().__init__()
        context = host.context
        self._themes = context.themes
        timeline = self._timeline = TimelineView(*context.views)
        around = context.breakpoints, context.bookmarks, context.themes
        self._overview = RunOverview(timeline, context.cursor, *around)
        Sizing(context.themes, self).column((timeline, 1), self._overview, on=self)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """That of the timeline: the other goes before it is cut."""
        return self._timeline.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show the run as a whole, or leave its room to the timeline."""
        super().resizeEvent(event)
        self._overview.setVisible(self.height() >= self._themes.px(_ENOUGH))


TIMELINE: Final = PanelSpec(
    "timeline",
    tr("Timeline"),
    tr("The whole run over time: drag in it to go to a moment."),
    _TimelinePanel,
    "bottom",
    Place(height=224),
    frozenset({Mode.LECTURE}),
    "history",
    ("Ctrl+6",),
    tr("gantt events bars playhead"),
)

"""The left column while a lesson is open: its text on top, the other panels in one place below.

In a low window the others lie behind the inspector, as below the text they would leave it two lines.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from meshgui.model.document.arrangement import Arrangement
from meshgui.views.style.direction import columns
from meshgui.views.widgets.soon import soon
from meshgui.views.window.panel_docks import PanelDocks

_BELOW = ("queue", "job", "why")
_LOW = 850  # pixels: in lower windows only those are shown that a step is about


class LessonLayout(QObject):
    """Makes room for a lesson, and puts the panels back as they were when its dock is closed."""

    def __init__(self, window: QMainWindow, panels: PanelDocks) -> None:
        super().__init__(window)
        self._window, self._panels = window, panels
        self._before: Arrangement | None = None
        panels.was_reset.connect(self._forget)

    @property
    def docks(self) -> Mapping[str, QDockWidget]:
        """All panels' docks, by name."""
        return self._panels.docks

    @property
    def dock(self) -> QDockWidget:
        """The dock of the lesson."""
        return self._panels.docks["lesson"]

    def begin(self) -> None:
        """Show the dock of the lesson, on top of the column."""
        if self._panels.folded:
            self._panels.toggle_fold()
        if self.dock.isHidden() and not self._window.isFullScreen():
            self._before = self._panels.save()
            self._arrange()
            self.dock.visibilityChanged.connect(self._follow, Qt.ConnectionType.UniqueConnection)
        self._panels.show("lesson")
        self._panels.sizes.fit()

    def show_panels(self, names: Collection[str]) -> None:
        """Bring the panels of a step to the front."""
        if self._window.height() < _LOW and not self._window.isFullScreen() and self._before is not None:
            for name in set(_BELOW) - set(names):
                self._panels.docks[name].hide()
        for name in names:
            self._panels.show(name)
        self._panels.sizes.fit()

    def end(self) -> None:
        """Put the panels back as they were before the lesson."""
        before, self._before = self._before, None
        if before is not None:
            self._panels.restore_state(before)

    def _arrange(self) -> None:
        area, docks = columns()[0], self._panels.docks
        below = [docks[name] for name in _BELOW if not docks[name].isFloating()]
        below = [dock for dock in below if self._window.dockWidgetArea(dock) == area]
        self._window.addDockWidget(area, self.dock)
        for dock in below:  # added again, a dock goes to the end of its column
            self._window.addDockWidget(area, dock)
        for front, behind in pairwise(below):
            self._window.tabifyDockWidget(front, behind)
        if below:
            below[0].raise_()
        if self._window.height() < _LOW:
            inspector = docks["inspector"]
            beside = inspector.isVisible() and not inspector.isFloating()
            for dock in below:
                if beside:
                    self._window.tabifyDockWidget(inspector, dock)
                dock.hide()

    def _follow(self) -> None:
        """See whether the dock was closed: folded panels and a full screen hide it as well."""
        soon(self, self._end_if_closed)

    def _end_if_closed(self) -> None:
        if self.dock.isHidden() and not self._panels.folded and not self._window.isFullScreen():
            self.end()

    def _forget(self) -> None:
        self._before = None

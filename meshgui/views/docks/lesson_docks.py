"""The docks while a lesson is read: its text has the first column, and each step brings its panels."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal

from meshgui.views.docks.panel_spec import Mode
from meshgui.views.docks.perspectives import LESSON, ROOMS, lesson
from meshgui.views.style.direction import columns
from meshgui.views.widgets.soon import soon

if TYPE_CHECKING:
    from meshgui.views.docks.panel_docks import PanelDocks

_TALL_ENOUGH: Final = 850  # pixels: in lower windows panels are hidden until a step shows them
_BESIDE_TEXT: Final = 860  # the width, in the design's pixels, from which a panel has room beside the text
_HOST: Final = "inspector"  # behind which panels of the text's column lie while a lesson is read


class LessonDocks(QObject):
    """Makes room for a lesson, and gives it back when its panel is closed."""

    ended = Signal()

    def __init__(self, panels: PanelDocks) -> None:
        super().__init__(panels)
        self._panels = panels

    @property
    def _low(self) -> bool:
        """Whether the window has little height."""
        return self._panels.window.height() < _TALL_ENOUGH

    def begin(self) -> None:
        """Make room for a lesson, and put the panels back as they were when its dock is closed."""
        panels = self._panels
        panels.unfold()
        if panels.room.crowded:
            panels.room.make(ROOMS[0])
        dock = panels.docks[LESSON]
        if dock.isHidden() and not panels.window.isFullScreen():
            host = panels.docks[_HOST]
            beside = host.isVisible() and not host.isFloating()
            panels.enter(lesson(self._in_first_column(), _HOST if beside else "", low=self._low))
            dock.visibilityChanged.connect(self._follow, Qt.ConnectionType.UniqueConnection)
        panels.show(LESSON)
        panels.sizes.fit()
        panels.expect_room()

    def show_step(self, names: Collection[str]) -> None:
        """Bring the panels of a step to the front; in a low window only those are shown.

        The first is brought last: a window with little room keeps that one, and one that has none beside the
        text, none of them.
        """
        panels = self._panels
        if panels.window.width() < panels.window.context.themes.px(_BESIDE_TEXT):
            names = ()
        if self._low and not panels.window.isFullScreen() and LESSON in panels.perspectives:
            for name in {*self._names()} - {*names}:
                panels.docks[name].hide()
        for name in reversed([*names]):
            panels.show(name)
        panels.sizes.fit()

    def end(self) -> None:
        """Put the panels back as they were before the lesson."""
        if (before := self._panels.perspectives.leave(LESSON)) is not None:
            self._panels.room.forget()
            self._panels.restore_state(before)
            self._panels.expect_room()
            self.ended.emit()

    def _names(self) -> list[str]:
        return [name for name, spec in self._panels.specs.items() if Mode.LESSON in spec.modes]

    def _in_first_column(self) -> list[str]:
        """The panels of lessons that stand where one begins to read."""
        docks, at, first = self._panels.docks, self._panels.window.dockWidgetArea, columns()[0]
        return [n for n in self._names() if not docks[n].isFloating() and at(docks[n]) == first]

    def _follow(self) -> None:
        """See whether the dock was closed: folded panels and a full screen hide it as well."""
        soon(self, self._end_if_closed)

    def _end_if_closed(self) -> None:
        panels = self._panels
        hidden = panels.docks[LESSON].isHidden() and LESSON not in panels.room.set_aside.hidden
        if hidden and not panels.folded and not panels.window.isFullScreen():
            self.end()

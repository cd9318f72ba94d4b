"""The docks during a lecture: what explains a step beside the mesh, sheets over it, and the time below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QWidget

from meshgui.model.document.arrangement import Arrangement
from meshgui.model.document.perspective import Perspective
from meshgui.views.docks.dock import DockTitles, scrolled_away
from meshgui.views.docks.panel_sizes import STRIPS
from meshgui.views.docks.perspectives import LECTURE, LESSON, PAGE, lecture, only_the_page
from meshgui.views.docks.sheets import Sheets

if TYPE_CHECKING:
    from meshgui.views.docks.panel_docks import PanelDocks

_PRESENTED: Final = 0.45  # of the width: what explains a step, beside the mesh, if that keeps its part
_LEAST_PRESENTED: Final = 0.35  # however little that leaves the mesh, in a window that is flat


class LectureDocks:
    """Arranges the docks for a lecture, and for the desk again."""

    def __init__(self, panels: PanelDocks, titles: DockTitles) -> None:
        self._panels = panels
        self._sheets = Sheets(panels.window, panels.docks, titles, panels.sizes)
        self.without_time = False  # whether there is no room for it

    def begin(self, *, low: bool) -> None:
        """Arrange the docks, once more if need be; on a low screen without the time."""
        panels = self._panels
        panels.sizes.active = False
        self.without_time = low
        covered = panels.covered
        reads = panels.in_front(LESSON)
        before = panels.perspectives.leave(LECTURE) or panels.perspectives.leave(PAGE) or panels.save()
        now = panels.perspectives.enter(self._perspective(), before)
        panels.restore_state(self._covering(now) if covered else now)
        panels.retitle()
        if reads:
            self.take_in(LESSON)
            panels.show(LESSON)

    def fit(self) -> None:
        """Give what explains a step its share of the width, and leave the time a strip."""
        panels = self._panels
        if panels.covered:
            return
        perspective = self._perspective()
        if not self.without_time:
            strip, height = panels.docks[perspective.front[-1]], panels.window.context.themes.px(STRIPS[-1])
            panels.window.resizeDocks([strip], [height], Qt.Orientation.Vertical)
            panels.sizes.settle()
            if missing := scrolled_away(strip):  # to the tab above it
                panels.window.resizeDocks([strip], [height + missing], Qt.Orientation.Vertical)
        self._size_beside(perspective.rows[0][0])

    def take_in(self, name: str) -> None:
        """Have a panel share the place of what explains a step, beside which it would have no height."""
        panels = self._panels
        for other in self._perspective().rows[0]:
            if other != name and not panels.docks[other].isHidden():
                panels.window.tabifyDockWidget(panels.docks[other], panels.docks[name])
                panels.retitle()

    def fold(self) -> None:
        """Leave beside the mesh only what explains a step."""
        kept = self._panels.looked_at()[:1]
        self._panels.fold(kept)
        if kept:
            self._panels.retitle()
            self._size_beside(*kept)

    def leave(self) -> Arrangement:
        """Arrange the docks for a lecture no longer; how they were before, for `end`."""
        self._sheets.close()
        self._sheets.forget_room()
        panels = self._panels
        covered = panels.covered
        before = panels.perspectives.leave(LECTURE) or panels.desk
        panels.follow_bareness()
        return self._covering(before) if covered else before

    def end(self, before: Arrangement, size: QSize) -> None:
        """Put the docks back as they were at the desk, to the pixel if the window has that size again."""
        panels = self._panels
        panels.restore_state(before)
        panels.retitle()  # docks that share a place again are lower without their titles
        panels.sizes.settle()
        panels.restore_state(before)
        panels.sizes.resume(size)

    def _perspective(self) -> Perspective:
        panels = self._panels
        return lecture(panels.specs.values(), network=panels.network, low=self.without_time)

    def _covering(self, before: Arrangement) -> Arrangement:
        return self._panels.perspectives.enter(only_the_page(self._panels.docks), before)

    def _size_beside(self, name: str) -> None:
        """Give a panel its share of the width, or what the mesh leaves of it."""
        window, sizes = self._panels.window, self._panels.sizes
        sizes.settle()
        share = min(_PRESENTED, max(_LEAST_PRESENTED, sizes.room_beside_mesh() / window.width()))
        width = round(share * window.width())
        window.resizeDocks([self._panels.docks[name]], [width], Qt.Orientation.Horizontal)

    # Sheets

    def sheet(self, name: str) -> QWidget | None:
        """What stands for a panel, if anything does."""
        panels = self._panels
        return self._sheets.of(panels.specs[name]) if panels.presenting and not panels.covered else None

    def is_open(self, name: str) -> bool:
        """Whether the sheet of a panel is open."""
        return self._sheets.is_open(name)

    def close_sheets(self) -> bool:
        """Close every sheet; whether any was open."""
        closed = self._sheets.close()
        self.share_room()
        return closed

    def share_room(self) -> None:
        """Give an open sheet the place of the time, or give it back."""
        if self._panels.presenting and not self._panels.folded:
            self._sheets.share_room()

    def give_room_back(self) -> None:
        """Show what an open sheet had the place of."""
        self._sheets.give_room_back()

"""Sheets stand over the mesh for panels while presenting; an open one has the place of the time below it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QWidget

from meshgui.views.docks.dock import DockTitles, in_front
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_sizes import PanelSizes
from meshgui.views.docks.panel_spec import PanelSpec


class Sheets:
    """The sheets of a window by the names of their panels, each made at its first use."""

    def __init__(
        self, window: HostWindow, docks: Mapping[str, QDockWidget], titles: DockTitles, sizes: PanelSizes
    ) -> None:
        self._window, self._docks, self._titles, self._sizes = window, docks, titles, sizes
        self._sheets: dict[str, QWidget] = {}
        self._given_up: list[tuple[QDockWidget, int]] = []  # whose place an open sheet has, and their heights

    def of(self, spec: PanelSpec) -> QWidget | None:
        """The sheet of a panel, if it has one."""
        if spec.sheet is None:
            return None
        if spec.name not in self._sheets:
            sheet = self._sheets[spec.name] = spec.sheet(self._window)
            sheet.hide()
            self._window.add_sheet(sheet)
        return self._sheets[spec.name]

    def is_open(self, name: str) -> bool:
        """Whether a panel's sheet is open."""
        return name in self._sheets and self._sheets[name].isVisible()

    def close(self) -> bool:
        """Close every sheet; whether any was open."""
        shown = [sheet for sheet in self._sheets.values() if sheet.isVisible()]
        for sheet in self._sheets.values():
            sheet.hide()
        return bool(shown)

    def share_room(self) -> None:
        """Give an open sheet the place of the time, below the mesh, which stays as large, or give it back."""
        if all(sheet.isHidden() for sheet in self._sheets.values()):
            self.give_room_back()
        elif not self._given_up:
            area, below = self._window.dockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
            docks = [dock for dock in self._docks.values() if area(dock) == below and not dock.isHidden()]
            docks.sort(key=in_front)
            self._given_up = [(dock, dock.height()) for dock in docks if not dock.isFloating()]
            for dock, _ in self._given_up:
                dock.hide()

    def give_room_back(self) -> None:
        """Show what an open sheet had the place of, in front what was."""
        given_up, self._given_up = self._given_up, []
        for dock, _ in given_up:
            dock.show()
        for dock, height in given_up[-1:]:
            dock.raise_()
            self._titles.update()
            self._sizes.settle()
            self._window.resizeDocks([dock], [height], Qt.Orientation.Vertical)
            self._sizes.settle()
            if missing := height - dock.height():  # to the tab above it
                self._window.resizeDocks([dock], [height + missing], Qt.Orientation.Vertical)

    def forget_room(self) -> None:
        """Leave what an open sheet had the place of hidden: another arrangement follows."""
        self._given_up = []

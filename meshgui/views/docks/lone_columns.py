"""A panel that wants its column for itself has it while it is in front; what stood there then comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from meshgui.views.docks.hidden_panels import HiddenPanels
from meshgui.views.widgets.soon import soon

if TYPE_CHECKING:
    from meshgui.views.docks.panel_docks import PanelDocks


class LoneColumns(QObject):
    """Hides the panels that share a column with such a panel, and shows them again."""

    def __init__(self, panels: PanelDocks) -> None:
        super().__init__(panels)
        self._panels = panels
        self._below: dict[str, HiddenPanels] = {}  # by the panel that has its column alone

    @property
    def set_aside(self) -> list[HiddenPanels]:
        """What is hidden now."""
        return [*self._below.values()]

    def forget(self) -> None:
        """Have nothing hidden: an arrangement of all panels follows."""
        self._below = {}

    def leave_out(self, name: str) -> None:
        """Do not count a panel among the hidden any longer: it is shown now."""
        self._below = {above: panels.without(name) for above, panels in self._below.items()}

    def follow(self) -> None:
        """Give a panel in front its column, or what is below it its place again."""
        soon(self, self._share)

    def _share(self) -> None:
        panels = self._panels
        if panels.folded or panels.presenting or panels.window.isMinimized():
            return
        for name, spec in panels.specs.items():
            in_front = spec.place.alone and panels.in_front(name)
            if in_front and name not in self._below:
                self._clear(name)
            elif not in_front and name in self._below:
                self._give_back(name)

    def _clear(self, name: str) -> None:
        """Hide what is in the column of a panel, but for what shares its place."""
        panels = self._panels
        mates = {dock.objectName() for dock in panels.window.tabifiedDockWidgets(panels.docks[name])}
        below = [other for other in panels.in_column_of(name) if other not in mates]
        front = [other for other in below if panels.in_front(other)]
        self._below[name] = HiddenPanels(hidden=frozenset(below), front=frozenset(front))
        for other in below:
            panels.docks[other].hide()
        panels.sizes.fit_soon()

    def give_back_all(self) -> None:
        """Show everything that is hidden."""
        for name in [*self._below]:
            self._give_back(name)

    def _give_back(self, name: str) -> None:
        below, docks = self._below.pop(name), self._panels.docks
        for other in below.hidden:
            docks[other].show()
        for other in below.front & below.hidden:
            docks[other].raise_()
        self._panels.sizes.fit_soon()

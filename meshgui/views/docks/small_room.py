"""What a small window has no room for is folded away, and comes back where there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from meshgui.views.docks.hidden_panels import HiddenPanels
from meshgui.views.docks.perspectives import LESSON, PanelRoom

if TYPE_CHECKING:
    from meshgui.views.docks.panel_docks import PanelDocks

_STEPS: Final = "algorithm"  # what is looked at where there is no network


class SmallRoom:
    """The panels of a window that are folded away for lack of room."""

    def __init__(self, panels: PanelDocks) -> None:
        self._panels = panels
        self.set_aside = HiddenPanels()
        self._for_network = False  # whether it was folded for a scenario with one

    @property
    def crowded(self) -> bool:
        """Whether the window has no room for all panels."""
        return bool(self.set_aside.names)

    def forget(self) -> None:
        """Have nothing folded away: an arrangement of all panels follows."""
        self.set_aside = HiddenPanels()

    def leave_out(self, name: str) -> None:
        """Do not count a panel among the hidden any longer: it is shown now."""
        self.set_aside = self.set_aside.without(name)

    def make(self, room: PanelRoom) -> list[str]:
        """Fold what a window has no room for, and have the others back; the names of what was folded."""
        panels, docks = self._panels, self._panels.docks
        self._arrange(HiddenPanels())
        panels.sizes.settle()
        panels.follow_network(panels.network)
        kept = self._kept_in(room)
        names = [*docks] if not room.areas else [name for name in docks if name not in kept]
        back = [name for name in names if not docks[name].isHidden()]
        back.sort(key=lambda name: (docks[name].x(), docks[name].y()))
        hidden = [name for name in back if name not in kept]
        if names:
            self._for_network = panels.network
            front = [name for name in back if panels.in_front(name)]
            self._arrange(HiddenPanels(*map(frozenset, (names, hidden, back, front))))
        panels.sizes.fit()
        return hidden

    def _arrange(self, set_aside: HiddenPanels) -> None:
        whole, self.set_aside = self._panels.save(), set_aside
        self._panels.restore_state(whole)

    def _kept_in(self, room: PanelRoom) -> set[str]:
        """The panels that a window has room for; the text of a lesson has that of those about time."""
        panels = self._panels
        looked_at = panels.looked_at()
        text = {LESSON} & {*looked_at}  # which says what to look at
        if not room.areas:
            return text or {*looked_at[: room.panels]}
        areas = {panels.areas[area] for area in room.areas}
        if len(areas) < len(panels.areas) and text:
            areas.discard(panels.areas["bottom"])
        at = panels.window.dockWidgetArea
        has_room = (name for name, dock in panels.docks.items() if dock.isFloating() or at(dock) in areas)
        return {*has_room, *text}

    def take_place(self, name: str) -> str:
        """Fold what a panel without room takes the place of: its column, and others without room.

        The last of it, or none.
        """
        panels, folded = self._panels, ""
        column = panels.in_column_of(name)
        for other, dock in panels.docks.items():
            shares = other in column or other in self.set_aside.names
            if shares and other not in {name, LESSON} and not (dock.isHidden() or dock.isFloating()):
                dock.hide()
                self.set_aside = self.set_aside.with_hidden(other)
                folded = other
        return folded

    def exchange_for_network(self, network: str) -> None:
        """Have the panel that fits the scenario, if that of the one before is shown."""
        panels = self._panels
        if panels.folded or panels.presenting or self._for_network == panels.network:
            return
        self._for_network = panels.network
        before, after = (_STEPS, network) if panels.network else (network, _STEPS)
        if not panels.docks[before].isHidden():
            panels.docks[before].hide()
            panels.show(after)

    def has_place(self, name: str) -> bool:
        """Whether a panel is shown, or would be if there were room."""
        return name in self.set_aside.back or not self._panels.docks[name].isHidden()

    def give_place(self, name: str, shown: bool) -> None:
        """Show a panel, or hide it; one that has no room is shown when there is some."""
        self.set_aside = self.set_aside.where_wanted(name, shown)
        self._panels.docks[name].setVisible(shown and name not in self.set_aside.names)

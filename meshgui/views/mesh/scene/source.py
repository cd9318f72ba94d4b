"""Keeps the scene of a mesh view up to date: made again only when what it shows has changed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from meshgui.model.cursor import Cursor, View
from meshgui.model.selection import Selection
from meshgui.views.mesh.scene.builder import Scene, build_scene
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.following import follow

__all__ = ["SceneSource"]


class SceneSource:
    """The scene at the cursor, for one widget that is told when it changes."""

    def __init__(
        self,
        widget: QWidget,
        cursor: Cursor,
        selection: Selection,
        themes: ThemeManager,
        changed: Callable[[], None],
    ) -> None:
        self.cursor, self.selection, self.themes = cursor, selection, themes
        self._show_grid = True
        self._show_network = True
        self._show_use = False
        self._changed = changed
        self._scene: Scene | None = None
        self._key: tuple[object, ...] = ()
        follow(widget, cursor.changed, changed)
        follow(widget, selection.changed, changed)
        themes.changed.connect(changed)

    @property
    def view(self) -> View | None:
        """What the scene shows."""
        return self.cursor.view

    @property
    def show_grid(self) -> bool:
        """Whether a strategy's numbers per node are shown as dots inside an attempt."""
        return self._show_grid

    @show_grid.setter
    def show_grid(self, shown: bool) -> None:
        if shown != self._show_grid:
            self._show_grid = shown
            self._changed()

    @property
    def show_network(self) -> bool:
        """Whether the network is shown where there is one."""
        return self._show_network

    @show_network.setter
    def show_network(self, shown: bool) -> None:
        if shown != self._show_network:
            self._show_network = shown
            self._changed()

    @property
    def show_use(self) -> bool:
        """Whether the use of the channels is shown instead of what is in them now."""
        return self._show_use

    @show_use.setter
    def show_use(self, shown: bool) -> None:
        if shown != self._show_use:
            self._show_use = shown
            self._changed()

    @property
    def scene(self) -> Scene | None:
        """The scene, or None while there is no recording."""
        view = self.cursor.view
        if view is None:
            self._scene, self._key = None, ()
            return None
        chosen = self.selection
        here = (view.recording, view.position, self._show_grid, self.themes.theme.name)
        key = (*here, chosen.job, chosen.hovered, chosen.mark, *self._network_key(view))
        if key != self._key:
            self._key = key
            self._scene = build_scene(
                view,
                chosen,
                self.themes.theme,
                show_grid=self._show_grid,
                show_network=self._show_network,
                show_use=self._show_use,
            )
        return self._scene

    def _network_key(self, view: View) -> tuple[object, ...]:
        """What the network's picture depends on; between two events it changes from cycle to cycle."""
        if view.recording.network is None or not self._show_network:
            return ()
        chosen = self.selection
        packets = (chosen.packet, chosen.hovered_packet)
        channels = (chosen.channel, chosen.hovered_channel)
        return (view.cycle, *packets, *channels, self._show_use, chosen.span if self._show_use else None)

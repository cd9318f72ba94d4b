"""Keeps the scene of both canvases up to date, and rebuilds it only after a relevant change."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from meshgui.model.cursor import Cursor, View
from meshgui.model.selection import Selection, SelectionChange
from meshgui.views.mesh.scene.builder import Scene, build_scene, point_at
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.following import follow

__all__ = ["SceneSource"]


class SceneSource(QObject):
    """The scene at the cursor. A hover changes its highlights without a rebuild."""

    changed = Signal()

    def __init__(
        self, cursor: Cursor, selection: Selection, themes: ThemeManager, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.cursor, self.selection, self.themes = cursor, selection, themes
        self._show_network = True
        self._show_use = False
        self._scene: Scene | None = None
        self._key: tuple[object, ...] = ()
        self._stale = self._pointer_moved = False
        follow(self, cursor.changed, self.changed.emit)
        follow(self, selection.changed, self._selection_changed)
        themes.changed.connect(self.changed)

    @property
    def view(self) -> View | None:
        """The view that the scene shows."""
        return self.cursor.view

    @property
    def show_network(self) -> bool:
        """Whether to show the network if there is one."""
        return self._show_network

    @show_network.setter
    def show_network(self, shown: bool) -> None:
        if shown != self._show_network:
            self._show_network = shown
            self.changed.emit()

    @property
    def show_use(self) -> bool:
        """Whether the use of the channels is shown instead of what is in them now."""
        return self._show_use

    @show_use.setter
    def show_use(self, shown: bool) -> None:
        if shown != self._show_use:
            self._show_use = shown
            self.changed.emit()

    @property
    def scene(self) -> Scene | None:
        """The scene, or None while there is no recording."""
        view, selection, theme = self.cursor.view, self.selection, self.themes.theme
        if view is None:
            self._scene, self._key = None, ()
            return None
        # Where there is a network its picture changes from cycle to cycle, also between two events.
        cycle = view.cycle if view.recording.network is not None and self._show_network else None
        key = (view.recording, view.position, cycle, theme.name, self._show_network, self._show_use)
        if self._scene is None or key != self._key or self._stale:
            self._scene = build_scene(
                view, selection, theme, show_network=self._show_network, show_use=self._show_use
            )
        elif self._pointer_moved:
            self._scene = point_at(self._scene, view, selection, theme)
        self._key, self._stale, self._pointer_moved = key, False, False
        return self._scene

    def _selection_changed(self, changes: SelectionChange) -> None:
        if changes == SelectionChange.HOVER:
            self._pointer_moved = True
        else:
            self._stale = True
        self.changed.emit()

"""Keeps the scene of both canvases up to date, and rebuilds it only after a relevant change."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from meshgui.engine.basics.geometry import Mesh
from meshgui.model.moment.moment_view import View
from meshgui.model.scene.mesh_scene import Scene, build_scene, point_at
from meshgui.model.scene.slicing import Slice
from meshgui.model.stepping.cursor import Cursor, CursorChange
from meshgui.model.stepping.selection import Selection, SelectionChange
from meshgui.views.mesh.scene.drawing import JobDrawing
from meshgui.views.style.theme import Dress
from meshgui.views.widgets.following import follow


class MeshLook(NamedTuple):
    """The settings of the mesh's view, for both canvases."""

    cut: Slice | None = None  # the layers shown; None for all
    explode: float = 0.0  # how far the layers are apart, from 0 (together) to 1
    network: bool = True  # whether links and packets are shown where there is a network
    use: bool = False  # whether the use of the channels is shown instead of the packets in them


class SceneSource(QObject):
    """The scene at the cursor, and how it is shown. A hover changes its highlights without a rebuild."""

    changed = Signal()

    def __init__(
        self, cursor: Cursor, selection: Selection, themes: Dress, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.cursor, self.selection, self.themes = cursor, selection, themes
        self.look = MeshLook()
        self.drawing = JobDrawing(self)
        self.mesh = self._mesh_at_cursor()
        self._scene: Scene | None = None
        self._key: tuple[object, ...] = ()
        self._stale = self._pointer_moved = False
        follow(self, cursor.changed, self._cursor_changed)
        follow(self, selection.changed, self._selection_changed)
        themes.changed.connect(self.changed)

    @property
    def view(self) -> View | None:
        """The view that the scene shows."""
        return self.cursor.view

    def show(self, look: MeshLook) -> None:
        """Show the mesh in another way."""
        if look != self.look:
            self.look = look
            self.changed.emit()

    def toggle_explode(self) -> None:
        """Move the layers apart, or together again."""
        self.show(self.look._replace(explode=0.0 if self.look.explode else 1.0))

    def toggle_network(self) -> None:
        """Show links and packets, or only the jobs."""
        self.show(self.look._replace(network=not self.look.network))

    def toggle_use(self) -> None:
        """Show the use of the channels, or the packets in them."""
        shown = self.look.network and self.look.use
        self.show(self.look._replace(use=not shown, network=self.look.network or not shown))

    @property
    def scene(self) -> Scene | None:
        """The scene, or None while there is no recording."""
        view, selection, theme, look = self.cursor.view, self.selection, self.themes.theme, self.look
        if view is None:
            self._scene, self._key = None, ()
            return None
        key = self._key_of(view)
        if self._scene is None or key != self._key or self._stale:
            self._scene = build_scene(view, selection, theme, show_network=look.network, show_use=look.use)
        elif self._pointer_moved:
            self._scene = point_at(self._scene, view, selection, theme)
        self._key, self._stale, self._pointer_moved = key, False, False
        return self._scene

    def _key_of(self, view: View) -> tuple[object, ...]:
        """What the scene depends on, but for the selection: without a network not on how far the run is."""
        networked = view.recording.network is not None
        run = view.recording if networked else view.recording.jobs
        # Where there is a network its picture changes from cycle to cycle, also between two events.
        cycle = view.cycle if networked and self.look.network else None
        return (run, view.position, cycle, self.themes.theme, self.look.network, self.look.use)

    def _mesh_at_cursor(self) -> Mesh | None:
        return self.view.recording.mesh if self.view is not None else None

    def _cursor_changed(self, _change: CursorChange) -> None:
        mesh = self._mesh_at_cursor()
        if mesh != self.mesh:
            self.mesh = mesh
            self.look = self.look._replace(cut=None, explode=0.0)
            self.drawing.cancel()
        view = self.view
        if view is None or self._scene is None or self._key_of(view) != self._key:
            self.changed.emit()

    def _selection_changed(self, changes: SelectionChange) -> None:
        if changes == SelectionChange.HOVER:
            self._pointer_moved = True
        else:
            self._stale = True
        self.changed.emit()

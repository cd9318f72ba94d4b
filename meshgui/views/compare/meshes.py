"""The meshes of the compared runs side by side, with cameras that move together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.comparison.comparison import ComparedRun
from meshgui.model.moment.clock_words import at_time
from meshgui.views.compare.run_column import RunColumn
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.off_screen_copy import paint_head
from meshgui.views.mesh.panel import MeshView
from meshgui.views.mesh.scene.source import MeshLook
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import LETTERS, Dress, ThemeManager
from meshgui.views.style.theme_colours import Theme

_LEAST: Final = 228  # the width of a column: four go side by side into a window of 960×600
_CHROME: Final = 86  # the height of what is above and below the mesh in a column
_PICTURE: Final = QSize(480, 420)  # of one mesh in a picture of all


class ComparedMeshes(QWidget):
    """A column for each run, in one row or in two, as the meshes are larger."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self.columns: tuple[RunColumn, ...] = ()
        self._across = 0
        self._following = False
        self._presented = False
        self._look = MeshLook()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(1)
        themes.changed.connect(self.update)
        Sizing(themes, self).rule(self._arrange).rule(self._fit_names)

    def show_runs(self, runs: Sequence[ComparedRun], title: str) -> None:
        """Show these runs; columns of runs that stay are kept, as is where the camera stands."""
        before = {column.run: column for column in self.columns}
        camera = self.columns[0].mesh.camera_data() if self.columns else {}
        made = [run for run in runs if run not in before]
        for place, run in enumerate(runs):
            if run in made:
                before[run] = self._made(run, place)
        self.columns = tuple(before.pop(run) for run in runs)
        for place, column in enumerate(self.columns):
            column.set_place(place, f"{title} · {column.run.name}" if title else column.run.name)
        for column in before.values():
            self._grid.removeWidget(column)
            column.hide()
            column.deleteLater()
        self._across = 0
        self._arrange()
        self._fit_names()
        if not camera and runs and _is_flat(runs[0]):  # as from above, and it takes half the time to draw
            camera = {"flat": True}
        if camera:
            self._tie({column.mesh for column in self.columns if column.run in made}, camera)

    def refresh(self) -> None:
        """Show the state of each run."""
        for column in self.columns:
            column.refresh()

    def present(self, *, on: bool) -> None:
        """Write names and numbers for the last row, or as at the desk."""
        self._presented = on
        for column in self.columns:
            column.mesh.present(on=on)
        self._fit_names()

    def _fit_names(self) -> None:
        """Write all names in the largest letters in which each is whole."""
        for size in LETTERS[self._presented]:
            if False not in {column.write_name(size) for column in self.columns}:
                break

    def hurry(self) -> None:
        """The clock moves: draw the next steps as fast as possible."""
        for column in self.columns:
            column.mesh.hurry()

    def pictures(self) -> Sequence[Picture]:
        """All meshes in one picture; each offers one of its own."""
        shown = [column for column in self.columns if not column.run.fault]
        if len(shown) < 2:
            return ()
        size = QSize(_PICTURE.width() * len(shown), _PICTURE.height())
        in_cycles = all(column.run.scenario and column.run.scenario.network for column in shown)
        title = at_time(tr("Meshes side by side"), shown[0].run.cursor.time, in_cycles=in_cycles)
        return (Picture(title, size, partial(_paint_all, shown)),)

    def _made(self, run: ComparedRun, place: int) -> RunColumn:
        column = RunColumn(run, place, self._themes)
        mesh = column.mesh
        mesh.present(on=self._presented)
        mesh.camera_moved.connect(partial(self._follow_camera, mesh))
        mesh.source.changed.connect(partial(self._follow_look, mesh))
        return column

    # Cameras

    def _follow_camera(self, moved: MeshView) -> None:
        if not self._following:
            others = {column.mesh for column in self.columns if column.mesh is not moved}
            self._tie(others, moved.camera_data())

    def _follow_look(self, mesh: MeshView) -> None:
        """Cut, explode and show the network as the mesh in which that was changed."""
        if not self._following and mesh.source.look != self._look:
            self._look = mesh.source.look
            self._follow_camera(mesh)

    def _tie(self, meshes: set[MeshView], camera: dict[str, object]) -> None:
        self._following = True
        try:
            for mesh in meshes:
                mesh.show_camera(camera)
        finally:
            self._following = False

    # Arrangement

    def _arrange(self) -> None:
        """Place the columns in the one or two rows in which the meshes are larger."""
        count = len(self.columns)
        if not count:
            return
        least_width = self._themes.px(_LEAST)
        chrome = self._themes.px(_CHROME)

        def side(across: int) -> float:
            rows = -(-count // across)
            return min(self.width() / across, self.height() / rows - chrome)

        fitting = [n for n in {count, -(-count // 2)} if n * least_width <= self.width()] or [1]
        across = max(fitting, key=side)
        rows = -(-count // across)
        self.setMinimumWidth(least_width)
        if across == self._across:
            return
        self._across = across
        for column in self.columns:
            self._grid.removeWidget(column)
        for place, column in enumerate(self.columns):
            self._grid.addWidget(column, place // across, place % across)
            column.show()
        for at in range(4):
            self._grid.setColumnStretch(at, int(at < across))
            self._grid.setRowStretch(at, int(at < rows))
        self._grid.activate()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the hairlines between the columns."""
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), self._themes.theme.colour("hairline"))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Arrange the columns for the new size."""
        super().resizeEvent(event)
        self._arrange()
        self._fit_names()


def _is_flat(run: ComparedRun) -> bool:
    return run.scenario is not None and run.scenario.machine.dims == 2


def _paint_all(columns: Sequence[RunColumn], painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """Paint the meshes from left to right, each under its name."""
    painter.fillRect(rect, theme.colour("panel"))
    width = rect.width() / len(columns)
    for place, column in enumerate(columns):
        part = QRectF(rect.left() + place * width, rect.top(), width, rect.height())
        room = paint_head(painter, part, Dress(theme), column.run.name)
        column.mesh.pictures()[0].paint(painter, room, theme)

"""The panel of the mesh: a 3D canvas where OpenGL works, otherwise a flat one, and a row of controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeGuard

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QImage, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.base.picture_formats import PictureError
from meshgui.model.moment.clock_words import at_time
from meshgui.model.scene.camera import Viewpoint
from meshgui.model.scene.slicing import Slice
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.pausing_painter import runner_of
from meshgui.views.mesh.controls import MeshControls, MeshStatus
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.scene.drawing import JobDrawing
from meshgui.views.mesh.scene.source import MeshLook, SceneSource
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.mesh.solid.opengl import DrawingError, opengl_works
from meshgui.views.style.paper import is_vector
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import LECTURE_ZOOM, SIZES, EnlargedDress, TextSize, ThemeManager
from meshgui.views.style.theme_colours import Theme
from meshgui.views.widgets.building import keep_room, label
from meshgui.views.widgets.following import follow

_ZOOM: Final = 1.25  # of one press of a key
_LEAST, _LEAST_HEIGHT = 240, 160  # of the smallest usable mesh view, and however large the text is
_AT_MOST, _AT_MOST_HEIGHT = 384, 240
_FIGURES: Final[dict[bool, tuple[TextSize, ...]]] = {False: ("lead",), True: ("display", "title", "lead")}
"""The sizes of the figures at the desk, and for the last row: there the first beside which controls fit."""
_LOW: Final = 200  # the height of a view that has no row for controls alone
_SHEET, _SHEET_MOST = 0.36, 176  # of the height, for a sheet: six lines for the last row


_LOOKS: Final[dict[str, float | bool]] = {"explode": 0.0, "network": True, "use": False}
"""The fields of a MeshLook that are kept, with their defaults."""


def _is_cut(cut: object) -> TypeGuard[list[int]]:
    return isinstance(cut, list) and len(cut) == 3 and all(type(n) is int and n >= 0 for n in cut)


class MeshView(QWidget):
    """The mesh view: the canvas, and the row with figures and controls.

    Where the row has no room for the controls, however short, they have one of their own: they lie neither
    over the figures nor over the mesh, whose numbers stand at its edge.
    """

    camera_moved = Signal()  # by the user
    menu_asked = Signal(QPoint)  # at a point of the screen

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__()
        self._drives = True  # whether the jobs can be changed by hand
        self.picture_title = tr("Mesh")
        self._cursor = cursor
        self._themes = themes
        self._canvas_dress = EnlargedDress(themes, self)
        self.source = SceneSource(cursor, selection, self._canvas_dress, self)
        self._flat = MeshFlat(self.source)
        self._space: MeshGL | None = MeshGL(self.source) if opengl_works() else None
        self._status = MeshStatus(themes)
        self._placed: tuple[object, ...] = ()
        self._has_room = True  # for controls
        self._letters = _FIGURES[False]  # the sizes of the figures below the mesh
        self._sheets: list[QWidget] = []  # each in the lower part of the view while it is shown
        self._note = label(tr("OpenGL is missing here: drawn flat"), "caption")
        self._controls = MeshControls(
            self.source, themes, self.show_from, self.toggle_flat, self.toggle_drawing
        )
        self._arrange()
        self._connect()
        self._show_canvas(flat=self._space is None)
        self._refresh()

    # What a window binds to commands

    @property
    def flat(self) -> bool:
        """Whether the flat view is shown."""
        return not self._flat.isHidden()

    @property
    def canvas(self) -> MeshGL | MeshFlat:
        """The view shown now."""
        return self._flat if self._space is None or self.flat else self._space

    @property
    def written(self) -> Sequence[QRectF]:
        """Where there is something to be read: in the mesh, and in the row below it."""
        at = QPointF(self.canvas.pos())
        below = [QRectF(self._status.inked)]
        if not self._note.isHidden():
            below.append(QRectF(self._note.geometry()))
        return [*below, *(rect.translated(at) for rect in self.canvas.written)]

    def present(self, *, on: bool) -> None:
        """Write the numbers of the mesh as large as the code of a lecture, or as at the desk."""
        self._canvas_dress.set_zoom(LECTURE_ZOOM * SIZES["body"] / SIZES["caption"] if on else 1.0)
        self._letters = _FIGURES[on]
        self._place_controls()

    def show_from(self, name: str) -> None:
        """Go to the home, top, front or side view; home is oblique, or of a 2D mesh from above."""
        mesh = self.source.mesh
        if self._space is None or self.flat:
            self._flat.home()
        else:
            from_above = name == "home" and mesh is not None and mesh.dims == 2
            self._space.set_camera_view("top" if from_above else name)
        self.camera_moved.emit()

    @property
    def viewpoint(self) -> Viewpoint | None:
        """Where the camera of the 3D view stands, if there is something to see."""
        return None if self._space is None or self.source.view is None else self._space.viewpoint

    def restore(self, viewpoint: Viewpoint | None) -> None:
        """Put the camera of the 3D view where it stood before."""
        if self._space is not None and viewpoint is not None:
            self._space.restore(viewpoint)

    def zoom(self, presses: int) -> None:
        """Zoom in, or with a negative number out."""
        self.canvas.zoom(_ZOOM**presses)

    def set_motion(self, on: bool) -> None:
        """Turn towards another view, or show it at once."""
        if self._space is not None:
            self._space.motion = on

    def toggle_flat(self) -> None:
        """Change between 3D and flat, where there is a choice."""
        self._show_canvas(flat=self._space is None or not self.flat)
        self.camera_moved.emit()

    def hurry(self) -> None:
        """Draw the next steps as fast as possible, for meshes side by side."""
        if self._space is not None and not self.flat:
            self._space.hurry()

    def slice(self, layers: int) -> None:
        """Show this many layers more, or with a negative number fewer."""
        self._controls.slice(layers)

    @property
    def drawing(self) -> JobDrawing:
        """The drawing mode, in which a drag asks for a job and a click ends one."""
        return self.source.drawing

    def hide_use(self, hidden: bool) -> None:
        """Hide how much is in use and how many jobs wait, or show it again."""
        self._status.show_time_alone(hidden)

    def add_sheet(self, sheet: QWidget) -> None:
        """Let a sheet have the lower part of the view while it is shown; the mesh is drawn above it."""
        self._sheets.append(sheet)
        self._column.insertWidget(self._column.count() - 1, sheet)
        self._size_sheets()

    def _size_sheets(self) -> None:
        """Give the sheets their share: with each other text the mesh would move."""
        for sheet in self._sheets:
            sheet.setFixedHeight(min(round(_SHEET * self.height()), self._themes.px(_SHEET_MOST)))

    def withhold_drawing(self) -> None:
        """Offer no drawing of jobs, where there is no run to change by hand."""
        self._drives = False
        self._controls.withhold_drawing()

    def menu_entries(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """What can be done with the job under the pointer, or the selected one, and drawing another."""
        view, at, selection = self.source.view, self.canvas.pointer, self.source.selection
        if view is None or not self._drives:
            return ()
        job = selection.job if at is None else self.canvas.job_at(at)
        entries: list[tuple[str, Callable[[], object]]] = []
        if job is not None and job in view.snapshot.running:
            entries.append((tr("Select job {job}").format(job=job), partial(selection.select, job)))
            if view.recording.network is None:  # there a job ends with its messages
                entries.append(
                    (tr("End job {job} now").format(job=job), partial(self.drawing.end_asked.emit, job))
                )
        words = tr("Stop drawing jobs") if self.drawing.active else tr("Draw jobs")
        return [*entries, (words, self.toggle_drawing)]

    def toggle_drawing(self) -> None:
        """Enter or leave the drawing mode, with the keys on the mesh."""
        self.drawing.toggle()
        if self.drawing.active:
            self.canvas.setFocus()

    def camera_data(self) -> dict[str, Any]:
        """How the mesh is looked at, as JSON has it."""
        look = self.source.look
        data: dict[str, Any] = {"flat": True} if self.flat else {}
        data |= {name: value for name in _LOOKS if (value := getattr(look, name)) != _LOOKS[name]}
        data |= {"cut": list(look.cut)} if look.cut is not None else {}
        return data | self.canvas.camera_data()

    def show_camera(self, data: Mapping[str, Any]) -> None:
        """Look at the mesh as it was looked at; what is wrong in the data is left out."""
        if not data:
            return
        given = {name: data[name] for name in _LOOKS if type(data.get(name)) is type(_LOOKS[name])}
        cut, mesh = data.get("cut"), self.source.mesh
        if _is_cut(cut) and mesh is not None and cut[0] < mesh.dims and cut[2] < mesh.extents[cut[0]]:
            given["cut"] = Slice(*cut)
        self.source.show(MeshLook(**given))
        if bool(data.get("flat")) != self.flat:
            self.toggle_flat()
        self.canvas.show_camera(data)

    def grab_image(self, size: QSize) -> QImage:
        """The mesh as a picture of any size."""
        return self.canvas.grab_image(size)

    def pictures(self) -> Sequence[Picture]:
        """The mesh: in pixels as on the screen, or in lines."""
        recording = self._cursor.recording
        if recording is None:
            return ()
        in_cycles = recording.scenario.network is not None
        title = at_time(self.picture_title, self._cursor.time, in_cycles=in_cycles)
        return (Picture(title, self.size(), self._paint),)

    def _paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        canvas = self.canvas
        if is_vector(painter) or isinstance(canvas, MeshFlat):
            painter.save()
            painter.setClipRect(rect)
            painter.translate(rect.topLeft())
            with self._themes.lent(theme):
                canvas.draw_lines(painter, rect.size().toSize())
            painter.restore()
            return
        scale = max(round(painter.deviceTransform().m11()), 1)
        try:
            with self._themes.lent(theme):
                image = canvas.grab_image(rect.size().toSize(), scale, runner_of(painter))
        except DrawingError as error:
            raise PictureError(tr("The mesh cannot be drawn: {error}.").format(error=error)) from None
        painter.drawImage(rect, image)

    # Inside

    def _arrange(self) -> None:
        px = self._themes.px
        sizing = Sizing(self._themes, self).rule(
            lambda: self.setMinimumSize(min(px(_LEAST), _AT_MOST), min(px(_LEAST_HEIGHT), _AT_MOST_HEIGHT))
        )
        controls = (self._controls, 0, Qt.AlignmentFlag.AlignLeft)
        row = ((self._status, 1), self._note, controls)
        self._row: QBoxLayout = sizing.row(*row, margins=(16, 2, 12, 3), spacing=12)
        canvases = [(canvas, 1) for canvas in (self._flat, self._space) if canvas is not None]
        self._column = sizing.column(*canvases, self._row, on=self)
        self._dress()

    def _connect(self) -> None:
        follow(self, self._cursor.changed, lambda _change: self._refresh())
        self._themes.changed.connect(self._dress)
        self.source.camera_moved.connect(self.camera_moved)
        self.source.menu_asked.connect(self.menu_asked)
        if self._space is not None:
            # The 3D view reports from within its own drawing: take it away when that is over.
            self._space.failed.connect(self._give_up_3d, Qt.ConnectionType.QueuedConnection)

    def _give_up_3d(self) -> None:
        """Change to the flat view after OpenGL has failed."""
        if self._space is not None:
            self._space.hide()
            self._space.deleteLater()
            self._space = None
        self._show_canvas(flat=True)

    def _show_canvas(self, *, flat: bool) -> None:
        focused = self.canvas.hasFocus()
        self._flat.setVisible(flat)
        if self._space is not None:
            self._space.setVisible(not flat)
        if focused:
            self.canvas.setFocus()  # else a list would get it, and the next key
        self._note.setVisible(self._space is None)
        self._controls.show_flat(flat=flat, choice=self._space is not None)
        self._describe()

    def _refresh(self) -> None:
        view = self._cursor.view
        if self.isVisible():
            self._status.show_view(view)
            self._describe()
        self._show_controls()

    def _describe(self) -> None:
        """Tell screen readers the figures that stand below the canvas."""
        self.canvas.setAccessibleDescription(self._status.text())

    def _dress(self) -> None:
        self._size_sheets()
        self._place_controls()
        self._show_controls()
        self.update()

    def _place_controls(self) -> None:
        """Put the controls beside the status where there is room, otherwise below it.

        A low view has none below it: the mesh would be smaller than they are. A note that has no room beside
        the status comes below it. Done once for a size and what it is filled with: laid out with every step,
        the whole window would be painted again.
        """
        filled = (
            *(self.size(), self._themes.scale, self._letters),
            *(self._note.isHidden(), self.canvas, self._controls.offered),
        )
        if filled == self._placed:
            return
        self._placed = filled
        margins, space, controls = self._row.contentsMargins(), self._row.spacing(), self._controls
        room = self.width() - margins.left() - margins.right()
        note = 0 if self._note.isHidden() else self._note.sizeHint().width() + space
        fits = False
        for size in self._letters:
            self._status.write_in(size)
            if fits := controls.fit(room - self._status.least_width - space - note):
                break
        if fits:
            self._row.setDirection(QBoxLayout.Direction.LeftToRight)
        else:
            controls.fit(room)
            self._row.setDirection(QBoxLayout.Direction.TopToBottom)
        self._has_room = fits or self.height() >= self._themes.px(_LOW)
        keep_room(controls, keep=self._has_room)

    def _show_controls(self) -> None:
        """Show the controls only while the pointer is over the view."""
        self._place_controls()  # shown or not: the mesh must not move as the pointer comes
        comes = self._has_room and self.underMouse() and self._cursor.view is not None
        self._controls.setVisible(comes)

    def paintEvent(self, event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        """Draw the row on the background of the mesh."""
        with QPainter(self) as painter:
            painter.fillRect(QRect(event.rect()), self._themes.theme.colour("mesh_background"))

    def resizeEvent(self, event: QResizeEvent, /) -> None:  # noqa: N802 - Qt's name
        """Place the controls for the new size, and the words beside them."""
        super().resizeEvent(event)
        self._size_sheets()
        self._place_controls()
        self._show_controls()

    def showEvent(self, event: QShowEvent, /) -> None:  # noqa: N802 - Qt's name
        """Update what changed while hidden."""
        super().showEvent(event)
        self._refresh()

    def enterEvent(self, event: QEnterEvent, /) -> None:  # noqa: N802 - Qt's name
        """Show the controls."""
        super().enterEvent(event)
        self._show_controls()

    def leaveEvent(self, event: QEvent, /) -> None:  # noqa: N802 - Qt's name
        """Hide the controls."""
        super().leaveEvent(event)
        self._show_controls()

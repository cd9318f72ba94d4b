"""One of the compared runs: its name and state, its mesh, and its figures at the moment."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.comparison.comparison import ComparedRun
from meshgui.views.charts.series_look import draw_symbol, series_colour, series_pen
from meshgui.views.mesh.panel import MeshView
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import TextSize, ThemeManager
from meshgui.views.widgets.building import SelectableLabel, widget_of
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.labels import ElidedLabel

_SIDE, _BESIDE = 12, 8  # of the head
_MESH: Final = 150  # pixels that are enough for the height of a mesh, however large the text is
_LOW: Final = 220  # the height of a column that has no row for figures


class _LineSample(QWidget):
    """The line of a run as the plots draw it."""

    def __init__(self, place: int, themes: ThemeManager) -> None:
        super().__init__()
        self._place, self._themes = place, themes
        Sizing(themes, self).call(self.setFixedSize, 28, 16)
        themes.changed.connect(self.update)

    def set_place(self, place: int) -> None:
        """Show the line of another place."""
        self._place = place
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw line and symbol."""
        del event
        theme, middle = self._themes.theme, self.height() / 2
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(series_pen(self._place, theme.name, self._themes.px(2)))
            painter.drawLine(QPointF(0, middle), QPointF(self.width(), middle))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(series_colour(self._place, theme.name))
            draw_symbol(painter, QPointF(self.width() / 2, middle), self._place, self._themes.px(4))


class RunColumn(QWidget):
    """A run: head, mesh, figures; instead of the mesh the reason why the run cannot be made."""

    accessible_role = QAccessible.Role.Grouping

    def __init__(self, run: ComparedRun, place: int, themes: ThemeManager) -> None:
        super().__init__()
        self.run = run
        self._themes = themes
        self.setAccessibleName(run.name)
        self._sample = _LineSample(place, themes)
        self._name = ElidedLabel(themes)
        self._name.setText(run.full_name)
        self.state = ElidedLabel(themes).fill_width()
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.mesh = MeshView(run.cursor, run.selection, themes)
        self.mesh.withhold_drawing()  # the runs differ in one choice only
        self.fault = SelectableLabel("muted")
        self.fault.setMargin(themes.px(12))
        self.fault.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.fault.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.figures = ElidedLabel(themes).fill_width()
        sizing = Sizing(themes, self)
        head = sizing.row(
            self._sample, self._name, (self.state, 1), margins=(_SIDE, 4, _SIDE, 4), spacing=_BESIDE
        )
        self._foot = widget_of(sizing.row((self.figures, 1), margins=(16, 0, 12, 6)))
        sizing.column(head, (self.mesh, 1), (self.fault, 1), self._foot, on=self)
        sizing.rule(self._fit).rule(self._fit_mesh)
        follow(self, run.cursor.changed, lambda _change: self.refresh())
        self.refresh()

    def set_place(self, place: int, title: str) -> None:
        """Take the colour of another place, and a title for pictures."""
        self._sample.set_place(place)
        self.mesh.picture_title = tr("Mesh, {title}").format(title=title)

    def write_name(self, size: TextSize) -> bool:
        """Write its name in a size of type; whether it is whole."""
        self._name.write_in(size)
        room = self.width() - self._themes.px(2 * _SIDE + _BESIDE) - self._sample.width()
        return self._name.sizeHint().width() <= room

    def refresh(self) -> None:
        """Show the state of the run and its figures at the moment."""
        run, recording = self.run, self.run.cursor.recording
        self.fault.setText(run.fault)
        self.fault.setVisible(bool(run.fault))
        self.mesh.setVisible(not run.fault)
        going = "" if run.over else tr("waiting", "a run") if recording is None else tr("simulating")
        if recording is not None and not recording.over and not run.fault:
            going = tr("simulating, t {end_time:.0f}").format(end_time=recording.end_time)
        if run.held:
            going = tr("waiting", "a run")
        self.state.setText(going)
        self.figures.say(*run.moment_wordings)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Leave the room of the figures to the mesh where there is little."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self._foot.setVisible(self.height() >= self._themes.px(_LOW))

    def _fit_mesh(self) -> None:
        """Let the mesh be lower than alone in a window: else its figures would have to be scrolled to."""
        self.mesh.setMinimumHeight(min(self.mesh.minimumHeight(), _MESH))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw head and figures on the ground of the mesh."""
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), self._themes.theme.colour("mesh_background"))

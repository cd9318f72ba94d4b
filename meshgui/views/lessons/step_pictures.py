"""The pictures in the text of a step: the mesh at the moments that the step names, drawn by the program."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QImage, QPainter

from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import Scenario, ScenarioError
from meshgui.model.lessons.lesson import Lesson
from meshgui.model.lessons.lesson_moment import DrawnMoment
from meshgui.model.stepping.bookmarks import instant_from, settled
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.batch.run_thread import RunThread
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.tasks import Tasks

_WIDEST: Final = 320  # pixels: a picture beside the large mesh


class StepPictures(QObject):
    """Makes the runs of a step's pictures, one after the other, and draws their moments."""

    came = Signal()  # one more can be drawn

    def __init__(self, themes: ThemeManager, parent: QObject) -> None:
        super().__init__(parent)
        self._themes = themes
        self._tasks = Tasks[None, RunThread](self)
        self._moments: tuple[DrawnMoment, ...] = ()
        self._scenarios: list[Scenario] = []
        self._runs: list[Recording] = []

    def show_step(self, lesson: Lesson, place: int) -> None:
        """Make the pictures of another step."""
        self.end()
        shown = lesson.steps[place].moment
        self._moments, self._scenarios, self._runs = (() if shown is None else shown.pictures), [], []
        try:
            drawn = [lesson.drawn(place, moment) for moment in self._moments]
            self._scenarios = [scenario for scenario in drawn if scenario is not None]
        except ScenarioError:  # the check of lessons says so
            return
        self._run_next()

    def end(self) -> None:
        """Stop what is made."""
        self._tasks.end_all()

    def draw(self, number: int, width: int) -> QImage | None:
        """A picture by its number, from 0, in the colours and sharpness of the window."""
        if number >= len(self._scenarios):
            return None
        cursor = Cursor()
        if number < len(self._runs):  # before, its place is kept
            recording = self._runs[number]
            cursor.show(recording)
            instant = instant_from(self._moments[number].view())
            if instant is not None:
                cursor.go_to_instant(settled(instant, recording))
        else:
            cursor.show(Simulation(self._scenarios[number]).recording())
        canvas = MeshFlat(SceneSource(cursor, Selection(), self._themes))
        width = min(width, self._themes.px(_WIDEST))
        size = QSize(width, canvas.height_for(width))
        sharp = self._themes.application.devicePixelRatio()
        image = QImage(size * sharp, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(sharp)
        with QPainter(image) as painter:
            canvas.draw_lines(painter, size, legend=False)
        canvas.deleteLater()
        return image

    def _run_next(self) -> None:
        if len(self._runs) < len(self._scenarios):
            thread = RunThread(self._scenarios[len(self._runs)])
            self._tasks.start(None, thread, (thread.done, self._take))

    def _take(self, recording: Recording) -> None:
        self._runs.append(recording)
        self._run_next()
        self.came.emit()

"""The dock of lessons: opens them, and shows the moment of each step in a tab of the lesson's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMainWindow

from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import ScenarioError
from meshgui.model.document.document import Document, DocumentState
from meshgui.model.lessons.course import Course
from meshgui.model.lessons.lesson_files import LESSON_SUFFIX, LessonError
from meshgui.model.lessons.lesson_session import LessonSession
from meshgui.model.lessons.lesson_shelf import ShelvedLesson, found_lessons
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.focus_ring import focus_by_key
from meshgui.views.window.files import Files
from meshgui.views.window.lesson_layout import LessonLayout
from meshgui.views.window.open_scenarios import OpenScenarios
from meshgui.views.window.panel_docks import PanelDocks

if TYPE_CHECKING:
    from meshgui.views.lessons.lesson_panel import LessonPanel


_FILTER = tr("Lessons (*{LESSON_SUFFIX});;Markdown (*.md);;All files (*)").format(LESSON_SUFFIX=LESSON_SUFFIX)


class LessonDock(QObject):
    """Follows the lesson that is open: scenario, moment and panels of its step."""

    moment_asked = Signal(object)  # a moment of the open scenario, as a file has it under `view`
    experiment_asked = Signal(object)  # an Experiment to be shown, not run
    exercises_asked = Signal()
    failed = Signal(str)

    def __init__(
        self,
        window: QMainWindow,
        panels: PanelDocks,
        scenarios: OpenScenarios,
        files: Files,
        folder: Path,
        themes: ThemeManager,
        icons: IconShelf,
    ) -> None:
        super().__init__(window)
        self._window, self._scenarios, self._files = window, scenarios, files
        self._folder, self._themes, self._icons = folder, themes, icons
        self._document: Document = files.document
        self._state: DocumentState | None = None  # of the tab that belongs to the lesson
        self.layout = LessonLayout(window, panels)
        self.session = LessonSession(Course(folder.parent))
        self.session.course.unkept.connect(self.failed.emit)
        self.session.moved.connect(self._show)
        self.panel: Deferred[LessonPanel] = Deferred(self._make_panel)

    def commands(self) -> list[Command]:
        """The list of lessons, and going from step to step."""
        return commands_in(
            tr("Help"),
            (
                "lesson.list",
                tr("Lessons…"),
                tr("Choose a lesson: texts whose steps show moments and ask for figures"),
                self.show_list,
                ("Shift+L",),
                "presentation",
            ),
            (
                "lesson.next",
                tr("Next step of the lesson"),
                tr("Show the next step of the open lesson, at its moment"),
                self.session.next,
                ("Alt+Right",),
                "chevron-right",
            ),
            (
                "lesson.back",
                tr("Previous step of the lesson"),
                tr("Show the previous step of the open lesson, at its moment"),
                self.session.back,
                ("Alt+Left",),
                "chevron-left",
            ),
            synonyms={
                "lesson.list": tr("tutorial course learn teach exercise example"),
                "lesson.next": tr("tutorial forward continue"),
                "lesson.back": tr("tutorial previous"),
            },
        )

    def show_list(self) -> None:
        """Show the lessons to choose from."""
        self.layout.begin()
        self.panel.view.show_list()

    def found(self) -> list[ShelvedLesson]:
        """The lessons to choose from, as they are on the disk now."""
        return found_lessons(self._folder)

    def open(self, path: Path) -> bool:
        """Begin a lesson; whether it could be read."""
        try:
            self.session.open(path)
        except LessonError as error:
            self.failed.emit(f"{error}.")
            return False
        self.layout.begin()
        focus_by_key(self.panel.view.page)
        return True

    def leave(self) -> None:
        """Put the panels back as they were, and stop what the panel computes."""
        self.layout.end()
        if self.panel.made is not None:
            self.panel.made.end()

    def _make_panel(self) -> LessonPanel:
        from meshgui.views.lessons.lesson_panel import LessonPanel  # noqa: PLC0415 - hidden at first

        panel = LessonPanel(self.session, self._folder, self._themes, self._icons)
        panel.chosen.connect(self.open)
        panel.file_asked.connect(self._ask_and_open)
        panel.exercises_asked.connect(self.exercises_asked)
        panel.experiment_asked.connect(self._ask_experiment)
        return panel

    def _ask_and_open(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self._window, tr("Open a lesson"), str(self._folder), _FILTER)
        if name:
            self.open(Path(name))

    def _ask_experiment(self) -> None:
        """Pass on the experiment of the step, made from the scenario of the step."""
        lesson, step = self.session.lesson, self.session.step
        if lesson is None or step is None or step.moment is None or step.moment.experiment is None:
            return
        from meshgui.experiment.fields import FieldError  # noqa: PLC0415 - not needed for the first paint

        try:
            scenario = lesson.scenario(self.session.place)
            if scenario is not None:
                self.experiment_asked.emit(step.moment.experiment.of(scenario))
        except (ScenarioError, FieldError) as error:
            self.failed.emit(f"{error}.")

    # The moment of a step

    def _show(self) -> None:
        lesson, place = self.session.lesson, self.session.place
        if lesson is None:
            return
        moment = lesson.moment(place)
        try:
            scenario = lesson.scenario(place)
        except ScenarioError as error:
            self.failed.emit(f"{error}.")
            return
        if moment is None or scenario is None:
            return
        self._bring_tab()
        document = self._document
        if scenario != document.scenario or scenario != document.edited:  # or the student has changed it
            self._files.take(DocumentState.opened(scenario, view=moment.view()))
            self._state = document.state
        self.moment_asked.emit(moment.view())  # also then: a run of the same jobs keeps the place
        self.layout.show_panels(moment.highlight)

    def _bring_tab(self) -> None:
        """Show the tab of the lesson, a new one beside the user's where there is none yet."""
        states = self._scenarios.states
        places = [place for place, state in enumerate(states) if state is self._state]
        if places:
            self._scenarios.show(places[0])
        else:
            self._scenarios.open_empty()

"""The dock of lessons: opens them, and shows the moment of each step in a tab of the lesson's own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QFileDialog

from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import ScenarioError
from meshgui.model.document.document import DocumentState
from meshgui.model.lessons.course import Course
from meshgui.model.lessons.lesson_files import LESSON_SUFFIX, LessonError
from meshgui.model.lessons.lesson_session import LessonSession
from meshgui.model.lessons.lesson_shelf import OWN_LESSONS, ShelvedLesson, found_lessons
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_spec import PanelSpec, Place
from meshgui.views.docks.perspectives import LESSON
from meshgui.views.document.documents import Documents
from meshgui.views.lessons.veil import HIDDEN, Hiding, Veil
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.focus_ring import focus_by_key
from meshgui.views.widgets.notice import Topic

if TYPE_CHECKING:
    from meshgui.views.lessons.lesson_panel import LessonPanel, Shelf


LEARNING: Final = f"{tr('Help')}/{tr('Lessons and exercises')}"
_FILTER = tr("Lessons (*{LESSON_SUFFIX});;Markdown (*.md);;All files (*)").format(LESSON_SUFFIX=LESSON_SUFFIX)


class LessonDock(QObject):
    """Follows the lesson that is open: scenario, moment and panels of its step."""

    moment_asked = Signal(object)  # a moment of the open scenario, as a file has it under `view`
    experiment_asked = Signal(object)  # an Experiment to be shown, not run
    exercises_asked = Signal()
    practice_asked = Signal(object)  # a ShelvedLesson, whose exercises are to be asked

    def __init__(self, host: HostWindow, documents: Documents, settings: QSettings) -> None:
        super().__init__(host)
        self.host, self._tab = host, documents.own_tab()
        self.veil = Veil(host, documents.run)
        self.folder = Path(settings.fileName()).parent / OWN_LESSONS
        self.session = LessonSession(Course(self.folder.parent))
        self.session.course.unkept.connect(partial(host.context.messages.tell, topic=Topic.LESSON))
        self.session.moved.connect(self._show)
        self.session.judged.connect(self._show)
        self._closed = False  # its panel, in which alone a question can be answered
        self.veil.heed(self._hiding, lambda whole: None if self._closed else self.session.cut(whole))
        host.panels.lesson.ended.connect(self._stop_asking)
        self.panel: Deferred[LessonPanel] = Deferred(self._make_panel)

    @property
    def spec(self) -> PanelSpec:
        """The record of the panel."""
        return PanelSpec(
            LESSON,
            tr("Lesson"),
            tr("The step of the lesson, or the question of the exercise, that is open."),
            lambda _host: self.panel,
            "start",
            # at the least share of this width the buttons of a question are whole in German
            Place(hidden=True, width=343, height=900, words=1.0),
        )

    def commands(self) -> list[Command]:
        """The list of lessons, and going from step to step."""
        return commands_in(
            LEARNING,
            Command(
                "lesson.list",
                tr("Lessons…"),
                tr("Choose a lesson: texts whose steps show moments and ask for figures"),
                self.show_list,
                ("Shift+L",),
                "presentation",
                synonyms=tr("tutorial course learn teach exercise example"),
            ),
            Command(
                "lesson.next",
                tr("Next step of the lesson"),
                tr("Show the next step of the open lesson, at its moment"),
                self.session.next,
                ("Alt+Right",),
                "chevron-right",
                synonyms=tr("tutorial forward continue"),
            ),
            Command(
                "lesson.back",
                tr("Previous step of the lesson"),
                tr("Show the previous step of the open lesson, at its moment"),
                self.session.back,
                ("Alt+Left",),
                "chevron-left",
                synonyms=tr("tutorial previous"),
            ),
        )

    def show_list(self) -> None:
        """Show the lessons to choose from."""
        self.host.panels.lesson.begin()
        self.panel.view.show_list()

    def found(self) -> list[ShelvedLesson]:
        """The lessons to choose from, as they are on the disk now."""
        return found_lessons(self.folder)

    def open(self, path: Path) -> bool:
        """Begin a lesson; whether it could be read."""
        try:
            self.session.open(path)
        except LessonError as error:
            self._fail(error)
            return False
        self.host.panels.lesson.begin()
        self._bring_panels()
        focus_by_key(self.panel.view.page)
        return True

    def leave(self) -> None:
        """Put the panels back as they were, and stop what the panel computes."""
        self.host.panels.lesson.end()
        if self.panel.made is not None:
            self.panel.made.end()

    def _make_panel(self) -> LessonPanel:
        from meshgui.views.lessons.lesson_panel import LessonPanel  # noqa: PLC0415 - hidden at first

        context = self.host.context
        panel = LessonPanel(self.session, self._shelf, context.themes, context.icons)
        panel.practice_asked.connect(self.practice_asked)
        panel.chosen.connect(self.open)
        panel.file_asked.connect(self._ask_and_open)
        panel.exercises_asked.connect(self.exercises_asked)
        panel.experiment_asked.connect(self._ask_experiment)
        return panel

    def _shelf(self) -> Shelf:
        """The lessons to choose from, with the exercises to each."""
        from meshgui.model.exercises.exercise_log import ExerciseLog  # noqa: PLC0415 - not needed for the first paint
        from meshgui.model.lessons.practice import Practice  # noqa: PLC0415 - likewise
        from meshgui.views.lessons.lesson_panel import Shelf  # noqa: PLC0415 - likewise

        practice = Practice(self.folder.parent)
        answered = {given.key for given in ExerciseLog(self.folder.parent).answers()}
        return Shelf(self.found(), lambda lesson: practice.words(lesson, answered))

    def resume(self) -> None:
        """Show the lesson that is open again, where it was left."""
        self.host.panels.lesson.begin()
        self.panel.view.show_lesson()
        self.session.show_again()

    def _fail(self, error: Exception) -> None:
        self.host.context.messages.tell(f"{error}.", topic=Topic.LESSON)

    def _ask_and_open(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self.host, tr("Open a lesson"), str(self.folder), _FILTER)
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
            self._fail(error)

    # The moment of a step

    def _hiding(self) -> Hiding | None:
        """What is hidden of the scenario that is shown."""
        asked = self.session.asked
        if self._closed or asked is None or not self.session.hides(self.host.context.document.scenario):
            return None
        panels = [name for name in asked.hidden if name in self.host.panels.docks]
        sentence, reason = (HIDDEN if part in asked.hidden else "" for part in ("sentence", "why"))
        return Hiding(panels, sentence=sentence, reason=reason, readout="readout" in asked.hidden)

    def _stop_asking(self) -> None:
        """Hide nothing once the panel is closed."""
        self._closed = True
        self.veil.follow()

    def _show(self) -> None:
        self._closed = False
        lesson, place = self.session.lesson, self.session.place
        if lesson is None:
            return
        moment = lesson.moment(place)
        try:
            scenario = lesson.scenario(place)
        except ScenarioError as error:
            self._fail(error)
            return
        if moment is None or scenario is None:
            return
        self._tab.bring()
        document = self.host.context.document
        view = self.session.view(moment)
        if scenario == document.scenario == document.edited:
            self.veil.follow()
            self.moment_asked.emit(view)
        else:  # the student has changed it, or it is another one
            self._tab.take(DocumentState.opened(scenario, view=view))
        self._bring_panels()

    def _bring_panels(self) -> None:
        """Bring the panels of the step to the front, and the queue where a question asks for times."""
        lesson, asked = self.session.lesson, self.session.asked
        moment = None if lesson is None else lesson.moment(self.session.place)
        if moment is not None:
            times = ("queue",) if asked is not None and asked.follows_from == "times" else ()
            self.host.panels.lesson.show_step((*times, *moment.highlight))

"""Exercises in the window: asked in a tab of their own, with what comes next hidden until the answer."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.files import InputFileError
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import ScenarioError
from meshgui.model.document.document import DocumentState
from meshgui.model.moment.position import Position
from meshgui.views.docks.perspectives import LESSON
from meshgui.views.document.documents import Documents
from meshgui.views.lessons.lesson_dock import LEARNING, LessonDock
from meshgui.views.lessons.veil import Hiding
from meshgui.views.mesh.scene.drawing import JobDrawing
from meshgui.views.style.sizing import Sizing
from meshgui.views.widgets.building import push_button, widget_of
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.notice import Topic
from meshgui.views.widgets.tasks import Tasks
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.widgets.written_file import say_written

if TYPE_CHECKING:
    from meshgui.model.exercises.exercise import Exercise, ExerciseKey
    from meshgui.model.exercises.exercise_session import ExerciseSession
    from meshgui.model.lessons.lesson_shelf import ShelvedLesson
    from meshgui.views.lessons.exercise_panel import ExercisePanel


_HIDDEN: Final = tr("What comes next is hidden until you have answered.")
_WITHHELD: Final = ("run.", "job.", "edit.")
_VEILED: Final = ("scenario",)  # the panels that change the run
_ALSO_VEILED: Final = {"packet": ("network",), "order": ("algorithm",)}  # those that state the answer
_SETS: Final = tr("Sets of exercises (*.exercises.json);;JSON files (*.json);;All files (*)")
_HAND_INS: Final = tr("Hand-ins (*.hand-in.json);;JSON files (*.json)")


class ExerciseDock(QObject):
    """Shows exercises in the dock of lessons, their moments in a tab, and what is pointed out in the mesh."""

    def __init__(self, lessons: LessonDock, documents: Documents, drawing: JobDrawing) -> None:
        super().__init__(lessons.host)
        self._lessons, self._host, self._tab = lessons, lessons.host, documents.own_tab()
        self._run, self._drawing = documents.run, drawing
        self._document, self._messages = self._host.context.document, self._host.context.messages
        self._cursor, self._selection, self._themes = self._host.context.views
        self._tasks: Tasks[None, WorkThread] = Tasks(self)
        self._arriving = self._veiled = False

    def commands(self) -> list[Command]:
        """Choosing exercises, the next one, and the hand-in."""
        return commands_in(
            LEARNING,
            Command(
                "exercise.list",
                tr("Exercises…"),
                tr("Predict what strategies do, with the future hidden; the engine checks the answers"),
                self.show_choice,
                ("Shift+X",),
                "circle-question-mark",
                synonyms=tr("practise quiz question predict test train"),
            ),
            Command(
                "exercise.next",
                tr("Next exercise"),
                tr("Ask the next exercise of the set, or another one like this"),
                self.ask_next,
                ("Ctrl+Shift+X",),
                "chevrons-right",
                synonyms=tr("practise another question"),
            ),
            Command(
                "exercise.again",
                tr("Again what went wrong"),
                tr("Ask the exercises again whose last answer was not right"),
                self.ask_again,
                ("Ctrl+Alt+X",),
                "rotate-ccw",
                synonyms=tr("repeat practise mistakes"),
            ),
            Command(
                "exercise.hand-in",
                tr("Write the hand-in…"),
                tr("Write a file with the exercises that were asked, and the answers to them"),
                self.write_hand_in,
                ("Alt+Shift+X",),
                "download",
                synonyms=tr("submit course homework grade"),
            ),
        )

    @cached_property
    def session(self) -> ExerciseSession:
        """The questions, and the answers beside those to lessons, made at first use."""
        from meshgui.model.exercises.exercise_session import ExerciseSession  # noqa: PLC0415 - not needed for the first paint

        session = ExerciseSession(self._lessons.folder.parent)
        self._lessons.veil.heed(self._hiding, session.cut)
        self._run.close_edits(lambda: _HIDDEN if self._veiled else "")
        session.log.unkept.connect(self._fail_with)
        session.changed.connect(self._follow)
        self._document.changed.connect(self._follow)
        self._cursor.changed.connect(lambda _change: self._arrive())
        self._cursor.changed.connect(lambda _change: self._show_places())
        self._drawing.placed.connect(lambda box: self._with_form("place", box))
        self._drawing.packet_chosen.connect(lambda packet: self._with_form("choose_packet", packet))
        return session

    @cached_property
    def panel(self) -> ExercisePanel:
        """The panel, made at first use in the place of the lessons."""
        from meshgui.views.lessons.exercise_panel import ExercisePanel  # noqa: PLC0415 - hidden at first

        panel = ExercisePanel(self.session, self._themes, self._host.context.icons)
        panel.key_chosen.connect(self.ask)
        panel.next_asked.connect(self.ask_next)
        panel.steps_asked.connect(self.show_steps)
        panel.set_asked.connect(self._ask_for_set)
        panel.hand_in_asked.connect(self.write_hand_in)
        panel.again_asked.connect(self.ask_again)
        panel.form_changed.connect(self._show_places)
        lessons = self._lessons.panel.view
        lessons.addWidget(self._page_of(panel))
        lessons.currentChanged.connect(self._name_dock)
        return panel

    def _page_of(self, panel: ExercisePanel) -> QWidget:
        """The panel below the way back to the lesson that is open."""
        hint = tr("Show the lesson again where it was left")
        back = push_button(tr("Back to the lesson"), hint, self._lessons.resume)
        sizing = Sizing(self._themes, panel)
        row = widget_of(sizing.row(back, 1, margins=(12, 8, 12, 0)))

        def offer() -> None:
            row.setVisible(self._lessons.session.lesson is not None)

        self._lessons.session.changed.connect(offer)
        offer()
        self._page = widget_of(sizing.column(row, (panel, 1)))
        return self._page

    def show_choice(self) -> None:
        """Show what can be practised, or the question that is open."""
        self._bring_panel()
        if not self.session.open:
            self.panel.show_choice()
        elif self.panel.form is not None:
            self.panel.show_question()
            self.panel.form.take_keys()

    def ask(self, key: ExerciseKey) -> None:
        """Draw an exercise, and ask it once it is there; while one is open, that is to be answered first."""
        if self._is_open():
            return
        from meshgui.model.exercises.exercises import exercise  # noqa: PLC0415 - not needed for the first paint
        from meshgui.views.lessons.exercise_maker import ExerciseMaker  # noqa: PLC0415 - likewise

        self._bring_panel()
        self.panel.say(tr("Drawing an exercise …"))
        self.end()
        maker = ExerciseMaker(partial(exercise, key))
        self._tasks.start(None, maker, (maker.made, self._take), (maker.failed, self._fail))

    def ask_next(self) -> None:
        """Ask the next exercise."""
        key = self.session.next_key()
        if key is None:
            self.show_choice()
        else:
            self.ask(key)

    def ask_again(self) -> None:
        """Ask what was not answered rightly, one after the other."""
        if self._is_open():
            return
        key = self.session.begin_again()
        if key is None:
            self._messages.say(tr("Nothing went wrong so far."))
        else:
            self.ask(key)

    def _is_open(self) -> bool:
        """Whether a question waits for its answer; then it is shown again."""
        if self.session.open:
            self._messages.say(tr("Answer this exercise first, or give up."))
            self._bring_panel()
            self.panel.show_question()
        return self.session.open

    def open_set(self, path: Path) -> None:
        """Ask the exercises of a set."""
        if self._is_open():
            return
        from meshgui.model.exercises.hand_in import read_set  # noqa: PLC0415 - not needed for the first paint

        try:
            chosen = read_set(path)
        except InputFileError as error:
            self._fail_with(f"{error}.")
            return
        self.ask(self.session.begin_set(chosen))

    def practise(self, lesson: ShelvedLesson) -> None:
        """Ask the exercises to a lesson, from the first that was not answered."""
        if self._is_open():
            return
        from meshgui.model.lessons.practice import Practice  # noqa: PLC0415 - not needed for the first paint
        from meshgui.views.lessons.exercise_maker import ExerciseMaker  # noqa: PLC0415 - likewise

        self._bring_panel()
        self.panel.show_choice()
        self.panel.say(tr("Drawing exercises …"))
        maker = ExerciseMaker(partial(Practice(self._lessons.folder.parent).drawn, lesson))
        begin = (maker.made, lambda chosen: self.ask(self.session.begin_set(chosen)))
        self._tasks.start(None, maker, begin, (maker.failed, self._fail))

    def write_hand_in(self) -> None:
        """Ask where to, and write the hand-in."""
        from meshgui.model.exercises.roster import file_name  # noqa: PLC0415 - not needed for the first paint

        self._bring_panel()
        if not self.panel.student:
            self._messages.say(
                tr("Type your name first: it goes into the hand-in and into the name of its file.")
            )
            return
        name = file_name(self.panel.student)
        path = self._host.save_dialog.ask(tr("Write the hand-in"), name, _HAND_INS)
        if path is not None:
            self.write_hand_in_to(path)

    def write_hand_in_to(self, path: Path) -> None:
        """Write the hand-in: whole, or leave the file as it was."""
        from meshgui.model.exercises.exercise import ExerciseError  # noqa: PLC0415 - not needed for the first paint
        from meshgui.model.exercises.hand_in import write_part  # noqa: PLC0415 - likewise

        try:
            hand_in = self.session.hand_in(self.panel.student)
            if hand_in is None:
                self._messages.say(tr("Nothing was answered yet, so there is nothing to hand in."))
                return
            write_part(path, hand_in)
        except (ScenarioError, ExerciseError) as error:
            self._fail_with(f"{error}.")
            return
        answered = tr("{answers} of {asked} exercises answered").format(
            answers=len(hand_in.answers), asked=len(hand_in.asked)
        )
        say_written(self._messages.notice, path, answered)

    def show_steps(self) -> None:
        """Go to the first step of the search that answers the question."""
        exercise = self.session.exercise
        if exercise is None or self.session.open:
            return
        self._bring_tab(exercise)
        self._cursor.go_to(exercise.steps)

    def end(self) -> None:
        """Draw no exercise any more."""
        self._tasks.end_all()

    def _take(self, exercise: Exercise) -> None:
        focused = QApplication.focusWidget()
        had_keys = focused is not None and self.panel.isAncestorOf(focused)
        self.panel.say("")
        self.session.ask(exercise)
        if self.session.work is not None:
            self.session.work.changed.connect(self._go_on)
        self._bring_tab(exercise)
        self._bring_panel()
        if had_keys and self.panel.form is not None:  # what had them is hidden now
            self.panel.form.take_keys()

    def _fail(self, message: str) -> None:
        self.panel.say(f"{message[:1].upper()}{message[1:]}.")

    def _fail_with(self, words: str) -> None:
        self._messages.tell(words, topic=Topic.EXERCISE)

    def _ask_for_set(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self._host, tr("Open a set of exercises"), "", _SETS)
        if name:
            self.open_set(Path(name))

    # The tab and the panel

    def _bring_panel(self) -> None:
        lessons = self._lessons.panel.view
        _ = self.panel  # makes its page
        lessons.setCurrentWidget(self._page)
        self._host.panels.lesson.begin()

    def _name_dock(self) -> None:
        """Name the dock by what it shows."""
        here = self._lessons.panel.view.currentWidget() is self._page
        self._host.panels.docks[LESSON].setWindowTitle(tr("Exercise") if here else tr("Lesson"))

    def _bring_tab(self, exercise: Exercise) -> None:
        """Show the tab of exercises, with the run that is asked about."""
        scenario = exercise.recording.scenario
        if not self._tab.bring() or self._document.scenario != scenario:
            self._arriving = True
            self._tab.take(DocumentState.opened(scenario))
        self._follow()

    def _arrive(self) -> None:
        """Go to the moment of the question once the run has come so far."""
        exercise, recording = self.session.exercise, self._cursor.recording
        if not self._arriving or exercise is None or recording is None:
            return
        if recording.scenario == exercise.recording.scenario and len(recording) >= self.session.position:
            self._arriving = False
            self._show_moment()

    def _go_on(self) -> None:
        """Go to the moment of the next decision, or back to that of the last."""
        if self._veiled and not self._arriving and self._cursor.position != Position(self.session.position):
            self._run.show_again()
            self._show_moment()

    def _show_moment(self) -> None:
        """Go to the moment of the question, with its job selected."""
        exercise = self.session.exercise
        self._cursor.go_to(Position(self.session.position))
        if exercise is None or exercise.kind == "packet":
            self._selection.clear()
        else:
            self._selection.select(self.session.job)

    # The veil

    def _hiding(self) -> Hiding | None:
        """What is hidden of the scenario that is shown."""
        exercise = self.session.exercise
        if exercise is None or not self.session.hides(self._document.scenario):
            return None
        panels = (*_VEILED, *_ALSO_VEILED.get(exercise.kind, ()))
        withheld = (*_WITHHELD, *(f"panel.{name}" for name in panels))
        return Hiding(panels, _HIDDEN, sentence=_HIDDEN, reason=_HIDDEN, withheld=withheld)

    def _follow(self) -> None:
        """Hide the future of the run that is shown if a question about it is open."""
        self._veiled = self.session.hides(self._document.scenario)
        self._lessons.veil.follow()
        self._show_places()

    # The answer in the mesh

    def _with_form(self, method: str, what: object) -> None:
        form = self.panel.form
        if form is not None and self._veiled:
            getattr(form, method)(what)

    def _show_places(self) -> None:
        form, compared = self.panel.form, self._compared()
        if form is not None and form.hint and self._veiled:
            self._drawing.place(form.hint, form.boxes, form.marks)
        elif compared != self._drawing.marks or self._drawing.placing:
            self._drawing.place("", marks=compared)

    def _compared(self) -> tuple[Mark, ...]:
        """The boxes of a wrong answer, and the right ones, at the moment of the question."""
        session, exercise = self.session, self.session.exercise
        if exercise is None or session.judgement is None or self._document.scenario is None:
            return ()
        there = exercise.recording.scenario == self._document.scenario
        if not there or self._cursor.position != Position(exercise.position):
            return ()
        given, right = exercise.compared(session.given)
        wrong = tuple(Mark(Role.BLOCKED, box, (0, 0, 0)) for box in given if given != right)
        return (*(Mark(Role.CANDIDATE, box, (0, 0, 0)) for box in right), *wrong)

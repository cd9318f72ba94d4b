"""The main window: composes the rooms, and passes on what Qt and the program ask of a window."""

from __future__ import annotations

from PySide6.QtCore import QSettings, QSize, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from meshgui.model.base.recent import RecentFiles
from meshgui.views.commands.window_commands import WindowCommands
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_docks import PanelDocks
from meshgui.views.docks.presenter import Presenter
from meshgui.views.document.documents import Documents
from meshgui.views.exporting.commands import WindowExports
from meshgui.views.help.help_pages import HelpPages
from meshgui.views.help.notes_dock import NotesDock
from meshgui.views.lessons.exercise_dock import ExerciseDock
from meshgui.views.lessons.lesson_dock import LessonDock
from meshgui.views.stepping.driving import Driving
from meshgui.views.stepping.step_search import WindowSearch, new_context
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.closing import Closing
from meshgui.views.widgets.soon import soon
from meshgui.views.window.appearance import Appearance
from meshgui.views.window.bars import Bars
from meshgui.views.window.centre import Centre
from meshgui.views.window.garbage_collector import GarbageCollector
from meshgui.views.window.moments import MomentKeeper
from meshgui.views.window.panels import PANELS
from meshgui.views.window.sheet_command import SheetCommand
from meshgui.views.window.study_windows import StudyWindows
from meshgui.views.window.tour import TourGuide

SIZE = QSize(1600, 1000)  # of a window that is opened for the first time


class MainWindow(HostWindow):
    """Composes the rooms, which share one context."""

    painted = Signal()  # once, after the first paint; non-urgent work starts then
    closed = Signal()  # after all questions about unsaved work

    def __init__(self, themes: ThemeManager, settings: QSettings, recent: RecentFiles) -> None:
        super().__init__()
        with themes.without_stylesheet():
            self._build(themes, settings, recent)

    def _build(self, themes: ThemeManager, settings: QSettings, recent: RecentFiles) -> None:
        self.themes, self.settings, self.recent = themes, settings, recent
        self._painted = False
        self.search = WindowSearch(self)
        context = self.context = new_context(self.search, themes)
        self.document, self.time_cursor, self.selection = context.document, context.cursor, context.selection
        self.notice = context.messages.notice
        self.commands = WindowCommands(self, themes, context.icons)
        self.trigger, self.withhold = self.commands.trigger, self.commands.withhold_those
        self.show_page, self.leave_page = self.commands.show_page, self.commands.leave_page
        self.garbage = GarbageCollector(self)
        self.fit_on_screen(SIZE)
        self.panels = PanelDocks(self)
        self.appearance = Appearance(self, settings)
        self.documents = Documents(self, recent)
        self.files, self.scenarios = self.documents.files, self.documents.scenarios
        self.driving = Driving(self)
        self.player = self.driving.player
        self.centre = Centre(self, self.documents, recent)
        self.setCentralWidget(self.centre)
        self.mesh = self.centre.mesh
        self.add_sheet = self.mesh.add_sheet
        self.documents.build(self.mesh)
        self._build_rooms()
        self._build_bars()
        self._connect()
        if fault := self.panels.restore(settings):
            self.notice.tell(fault, lasting=True)
        for name in ("notes", "lesson"):  # until there is one
            self.panels.docks[name].hide()
        self.centre.show_document()
        self._show_document()

    def _build_rooms(self) -> None:
        context, settings = self.context, self.settings
        self.studies = StudyWindows(context, settings, self.appearance.size_commands(), self)
        self.vary = self.studies.vary
        self.lessons = LessonDock(self, self.documents, settings)
        self.exercises = ExerciseDock(self.lessons, self.documents, self.mesh.drawing)
        self.panels.build((*PANELS, self.lessons.spec))
        self.presenter = Presenter(self, self.panels)
        self.notes = NotesDock(self, settings)
        self.help_pages = HelpPages(self, self.lessons.folder, lambda: tuple(self.commands))
        self.moments = MomentKeeper(self, self.documents, self.player, self.mesh)
        self.exports = WindowExports(self, self.mesh, lambda: self.lessons.session.lesson)
        self.recorder = self.exports.recorder
        self.sheets = SheetCommand(self.exports, context)
        keepers = self.scenarios, self.studies, self.recorder
        self.closing = Closing(self, lambda: keepers, self.notice)
        runs = self.documents.runs
        self.tour = TourGuide(self, self._toured, self.documents.open_example, lambda: runs.running)

    def _build_bars(self) -> None:
        bars = self.bars = Bars(self, self.commands, self.documents)
        bars.build_foot(self.centre, self.recorder, self.search)
        self.commands.register(
            *self.files.commands(),
            *self.scenarios.commands(),
            *self.centre.tabs.commands(),
            *self.moments.commands(),
            *self.exports.commands(),
            *self.centre.commands(),
            *self.documents.edits.commands(),
            *self.documents.jobs.commands(),
            *self.documents.run.commands(),
            *self.documents.strategy.commands(),
            *self.studies.commands(),
            *self.driving.commands(),
            *self.centre.mesh_commands(),
            *self.panels.commands(),
            *self.presenter.commands(),
            *self.appearance.commands(),
            *self.commands.own(),
            *self.tour.commands(),
            *self.lessons.commands(),
            *self.exercises.commands(),
            *self.notes.commands(),
            *self.sheets.commands(),
            *self.help_pages.commands(),
        )
        self.commands.attach(self)
        bars.build_tools(self.driving, self.recent)
        bars.answer(self.lessons)

    def _connect(self) -> None:
        self.setAcceptDrops(True)
        self.document.changed.connect(self._show_document)
        self.scenarios.leaving.connect(self.player.pause)
        self.studies.unsound.connect(self.documents.edits.show_fault)
        self.painted.connect(self.centre.welcome.name_strategies)
        self.studies.comparison_asked.connect(self.centre.show_comparison)
        self.centre.covered.connect(self.bars.cover)
        self.centre.covered.connect(self.player.pause)
        self.centre.covered.connect(lambda _: self.notice.clear())  # what was done on the other page
        self.studies.scenario_asked.connect(self.documents.open_scenario)
        self.help_pages.example_asked.connect(self.documents.open_worked_example)
        self.help_pages.lesson_asked.connect(self.lessons.open)
        self.panels.menu_asked.connect(self.exports.show_menu)
        self.panels.text_enlarged.connect(self.commands.present)
        self.panels.text_enlarged.connect(self.appearance.present)  # once all is as it is shown in that size
        self.panels.text_enlarged.connect(self.studies.present)
        self.mesh.menu_asked.connect(lambda at: self.exports.show_menu(self.mesh, at))
        self.appearance.move(self.mesh.set_motion)
        self.closing.agreed.connect(self.recorder.stop)
        self.recorder.failed.connect(self.closing.refuse)
        self.lessons.moment_asked.connect(self.moments.show)
        self.lessons.experiment_asked.connect(self.studies.show_experiment)
        self.lessons.exercises_asked.connect(self.exercises.show_choice)
        self.lessons.practice_asked.connect(self.exercises.practise)

    def _toured(self) -> dict[str, QWidget]:
        """The parts that the tour shows beside the panels."""
        return {"mesh": self.mesh, "sentence": self.bars.sentence, "tools": self.bars.tools}

    def _show_document(self) -> None:
        scenario = self.document.scenario
        self.bars.show_title()
        self.panels.follow_network(scenario is not None and scenario.network is not None)
        self.studies.offer_scenario()

    # Qt's events

    def showEvent(self, event: QShowEvent, /) -> None:  # noqa: N802 - Qt's name
        """Be as large as the last time from the first picture on."""
        self.panels.maximize_as_kept()
        super().showEvent(event)

    def paintEvent(self, event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        """Paint, and start the work that waits for the first paint."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            soon(self, self._begin)

    def _begin(self) -> None:
        self.centre.take_keys()
        self.painted.emit()
        self.commands.dress()
        self.panels.raise_floating()
        self.documents.run.start_waiting(visible=self.isVisible())

    def closeEvent(self, event: QCloseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Close, with all windows of studies, once nothing would be lost."""
        self.studies.ask_nothing()
        if not self.closing.allows(event):
            return
        self.studies.close()
        self.player.pause()
        self.lessons.leave()
        self.notes.remember()
        self.panels.remember(self.settings, self.presenter.place)
        self.exercises.end()
        self.documents.runs.end()
        self.search.end()
        super().closeEvent(event)
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent, /) -> None:  # noqa: N802 - Qt's name
        """Handle an Escape that no widget used: leave the welcome page or a mode, or deselect."""
        innermost = (
            self.scenarios.leave_empty,
            self.mesh.drawing.leave,
            self.panels.lecture.close_sheets,
            self.presenter.leave,
            self.centre.leave_comparison,
            self.selection.deselect_innermost,
        )
        if self.commands.is_free_escape(event) and any(leave() for leave in innermost):
            self.commands.refresh_marks()  # no command has left it
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent, /) -> None:  # noqa: N802 - Qt's name
        """Take a scenario or a lesson that is dragged over the window."""
        if any(self.documents.dropped(event.mimeData())):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent, /) -> None:  # noqa: N802 - Qt's name
        """Open scenarios that are dropped on the window, each further one in its own tab, or a lesson."""
        scenarios, lessons = self.documents.dropped(event.mimeData())
        if scenarios or lessons:
            event.acceptProposedAction()
        for number, path in enumerate(scenarios):
            if number:
                self.scenarios.open_empty()
            self.files.open(path)
        if lessons:  # one of which is open at a time
            self.lessons.open(lessons[0])

"""The main window: the mesh in the middle, panels in docks around it, a sentence below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QToolTip, QWidget

from meshgui.engine.allocation.registry import loading
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import Scenario
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.document import Document
from meshgui.model.document.examples import example
from meshgui.model.lessons.lesson_shelf import OWN_LESSONS
from meshgui.model.moment.position import Position
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.player import Player
from meshgui.model.stepping.selection import Selection
from meshgui.views.commands.key_guard import KeyGuard, types_text
from meshgui.views.commands.registry import CommandRegistry
from meshgui.views.commands.time_commands import NETWORK_STEPS, time_commands
from meshgui.views.commands.transport import Transport
from meshgui.views.exporting.commands import export_commands
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.web_pages import WebPages
from meshgui.views.help.help_pages import HelpPages
from meshgui.views.inspector.panel import InspectorView
from meshgui.views.mesh.commands import NETWORK_VIEWS, SOLID_VIEWS, mesh_commands
from meshgui.views.mesh.panel import MeshView
from meshgui.views.panels.algorithm import AlgorithmView
from meshgui.views.panels.job import JobCard
from meshgui.views.panels.queue import QueuePanel
from meshgui.views.panels.sentence_bar import SentenceBar
from meshgui.views.style.direction import columns
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.screens import screen_of
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.timeline.overview import RunOverview
from meshgui.views.timeline.panel import TimelineView
from meshgui.views.widgets.building import literal_title, scroll_area, widget_of
from meshgui.views.widgets.closing import Closing
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.notice import Notice, Topic
from meshgui.views.widgets.soon import soon
from meshgui.views.widgets.tab_in_sight import tab_in_sight
from meshgui.views.window.appearance import Appearance
from meshgui.views.window.crowding import Crowding
from meshgui.views.window.driven_jobs import DrivenJobs
from meshgui.views.window.driving import Driving
from meshgui.views.window.exercise_dock import ExerciseDock
from meshgui.views.window.file_watch import FileWatch
from meshgui.views.window.files import Files, dropped_lessons, dropped_scenarios
from meshgui.views.window.garbage_collector import GarbageCollector
from meshgui.views.window.language_choice import LanguageChoice
from meshgui.views.window.lesson_dock import LessonDock
from meshgui.views.window.moments import MomentKeeper
from meshgui.views.window.notes_dock import NotesDock
from meshgui.views.window.notice_place import NoticePlace
from meshgui.views.window.open_scenarios import OpenScenarios
from meshgui.views.window.palette_answers import PaletteAnswers
from meshgui.views.window.panel_docks import PanelDocks
from meshgui.views.window.presenter import Presenter
from meshgui.views.window.recorder import WindowRecorder
from meshgui.views.window.recording_sign import RecordingSign
from meshgui.views.window.run_control import RunControl, RunProgress
from meshgui.views.window.scenario_edits import ScenarioEdits
from meshgui.views.window.scenario_run import ScenarioRun
from meshgui.views.window.scenario_tabs import ScenarioTabs
from meshgui.views.window.step_search import SearchProgress, WindowSearch
from meshgui.views.window.strategy_switch import StrategySwitch
from meshgui.views.window.study_windows import StudyWindows
from meshgui.views.window.title_button import TitleButton
from meshgui.views.window.tool_bar import ToolBar
from meshgui.views.window.tour import TourGuide
from meshgui.views.window.welcome import Welcome

if TYPE_CHECKING:
    from meshgui.views.charts.plots import PlotsView
    from meshgui.views.commands.palette import CommandPalette
    from meshgui.views.commands.shortcuts_sheet import ShortcutSheet
    from meshgui.views.exporting.exporter import Exporter
    from meshgui.views.network.panel import NetworkView
    from meshgui.views.panels.stops import StopsPanel
    from meshgui.views.panels.why import WhyPanel
    from meshgui.views.scenario.form import ScenarioForm


_FRAME = QSize(16, 48)  # what a window manager may put around the window
SIZE = QSize(1600, 1000)  # of a window that is opened for the first time
_LARGE_CODE = 1.53  # its capitals are then 2 % of the screen's height
_NEED_A_SCENARIO = (
    *("file.save", "file.save-as", "file.duplicate", "run.start", "run.experiment", "run.compare"),
    *("run.about", "run.about-scenario", "run.strategy"),
    *("job.draw", "job.request", "job.end", "job.ahead", "job.back"),
)


class MainWindow(QMainWindow):
    """Builds the views, which share one cursor and one selection."""

    painted = Signal()  # once, after the first paint; non-urgent work starts then
    closed = Signal()  # after all questions about unsaved work

    def __init__(self, themes: ThemeManager, settings: QSettings, recent: RecentFiles) -> None:
        super().__init__()
        with themes.undressed():
            self._build(themes, settings, recent)

    # Building

    def _build(self, themes: ThemeManager, settings: QSettings, recent: RecentFiles) -> None:
        self.themes, self.settings, self.recent = themes, settings, recent
        self.document = Document()
        self.search = WindowSearch(self)
        self.time_cursor = Cursor(self.search)
        self.selection = Selection()
        self.icons = IconShelf(themes)
        self.commands = CommandRegistry(self.icons, self)
        self._keys = KeyGuard.of(themes.application)
        self.garbage = GarbageCollector(self)
        self.runs = RunControl(self)
        self.files = Files(self.document, recent, self)
        views = (self.document, self.time_cursor, self.selection)
        self.scenario_run = ScenarioRun(*views, self.runs, self)
        self.scenarios = OpenScenarios(*views, self.scenario_run, self.files, self)
        self.driving = Driving(self.time_cursor, self.selection, themes, self)
        self.player = Player(self.time_cursor, self.selection)
        self.edits = ScenarioEdits(self.document, lambda: self.form, self)
        self.studies = StudyWindows(*views, themes, self.icons, settings, self)
        lessons = Path(settings.fileName()).parent / OWN_LESSONS
        self.help_pages = HelpPages(self, themes, self.time_cursor, lessons, lambda: tuple(self.commands))
        self._painted = False
        self.resize(SIZE.boundedTo(screen_of(self).availableSize() - _FRAME))
        self.panels = PanelDocks(self, themes)
        self.appearance = Appearance(themes, settings, self)
        self.crowding = Crowding(self, self.panels, themes)
        self.presenter = Presenter(self, self.panels, self.appearance, self._show_large)
        self.notes = NotesDock(self, self.panels, self.document, themes, settings)
        self.lessons = LessonDock(self, self.panels, self.scenarios, self.files, lessons, themes, self.icons)
        self.exercises = ExerciseDock(
            self, self.lessons, self.scenarios, self.files, self.scenario_run, recent.folder
        )
        self._build_centre()
        self.exercises.attend(self.mesh, self.time_cursor, self.selection, self.commands, themes, self.icons)
        self._build_panels()
        looks = self.mesh, self.panels, self.presenter, self.player
        self.moments = MomentKeeper(self.files, self.driving, self.time_cursor, self.selection, *looks)
        self.recorder = WindowRecorder(self)
        keepers = self.scenarios, self.studies, self.recorder
        self.closing = Closing(self, lambda: keepers, self.notice)
        self.strategy = StrategySwitch(self.document, self.scenario_run.apply, self.icons, self.themes, self)
        driven = (*views, self.scenario_run, self.mesh, self.notice, themes, self)
        self.jobs = DrivenJobs(*driven)
        self.tour = TourGuide(self, themes, self.time_cursor, self.panels, self._toured, self._open_for_tour)
        self._build_bars()
        self._connect()
        if fault := self.panels.restore(settings):
            self.notice.tell(fault, lasting=True)
        self.notes.dock.hide()  # until a scenario with notes is opened
        self.panels.docks["lesson"].hide()  # until one is opened
        self._show_document()

    def _build_centre(self) -> None:
        self.notice = Notice(self.themes, self.icons)
        self.mesh = MeshView(self.time_cursor, self.selection, self.themes)
        self.welcome = Welcome(self.recent, self.themes)
        self._centre = QStackedWidget()
        self._centre.addWidget(self.welcome)
        self._centre.addWidget(self.mesh)
        self._sizing = Sizing(self.themes, self)
        self.tabs = ScenarioTabs(self.scenarios, self.document, self.themes, self.icons)
        self._column = self._sizing.column(self.tabs, self.notice, (self._centre, 1))
        self._middle = widget_of(self._column)
        self.setCentralWidget(self._middle)

    def _build_panels(self) -> None:
        views = (self.time_cursor, self.selection, self.themes)
        area = Qt.DockWidgetArea
        (left, right), bottom = columns(), area.BottomDockWidgetArea
        self.queue = QueuePanel(*views)
        self.job_card = JobCard(*views)
        self.why: Deferred[WhyPanel] = Deferred(self._make_why)
        breakpoints, bookmarks = self.driving.breakpoints, self.driving.bookmarks
        self.scenarios.keep(lambda: self.mesh.viewpoint, self.mesh.restore)
        self.algorithm = AlgorithmView(*views, breakpoints)
        self.stops: Deferred[StopsPanel] = Deferred(self._make_stops)
        breakpoints.changed.connect(lambda: self.stops.view)  # it chooses the one that stops a run
        self.inspector = InspectorView(*views)
        self.timeline = TimelineView(*views)
        self.overview = RunOverview(self.timeline, self.time_cursor, breakpoints, bookmarks, self.themes)
        self.plots: Deferred[PlotsView] = Deferred(self._make_plots)
        self._form_begun: ScenarioForm | None = None
        self.form: Deferred[ScenarioForm] = Deferred(self._make_form, self._form_steps)
        self.network: Deferred[NetworkView] = Deferred(self._make_network)
        self.panels.add("queue", tr("Queue"), self.queue, left)
        self.panels.add("job", tr("Job"), scroll_area(self.job_card), left)
        self.panels.add("algorithm", tr("Algorithm"), self.algorithm, right)
        self.panels.add("scenario", tr("Scenario"), self.form, right)
        self.panels.add("inspector", tr("Inspector"), self.inspector, right)
        whole = widget_of(self._sizing.column((self.timeline, 1), self.overview))
        self.panels.add("timeline", tr("Timeline"), whole, bottom)
        self.panels.add("plots", tr("Plots"), self.plots, bottom)
        self.panels.add("network", tr("Network"), self.network, right)
        self.panels.add("why", tr("Why it waits"), self.why, left)
        self.panels.add("stops", tr("Breakpoints"), self.stops, right)
        self.panels.add("notes", tr("Notes"), self.notes.panel, left)
        self.panels.add("lesson", tr("Lesson"), self.lessons.panel, left)
        self.panels.arrange()

    def _make_plots(self) -> PlotsView:
        from meshgui.views.charts.plots import PlotsView  # noqa: PLC0415 - pyqtgraph is not needed for the first paint

        return PlotsView(self.time_cursor, self.selection, self.themes)

    def _make_network(self) -> NetworkView:
        from meshgui.views.network.panel import NetworkView  # noqa: PLC0415 - most scenarios have no network

        view = NetworkView(self.time_cursor, self.selection, self.themes)
        view.edit_asked.connect(lambda: self.panels.show("scenario"))
        return view

    def _make_why(self) -> WhyPanel:
        from meshgui.views.panels.why import WhyPanel  # noqa: PLC0415 - behind another tab at first

        panel = WhyPanel(self.time_cursor, self.selection, self.themes)
        self.panels.docks["why"].visibilityChanged.connect(panel.set_in_front)
        return panel

    def _make_stops(self) -> StopsPanel:
        from meshgui.views.panels.stops import StopsPanel  # noqa: PLC0415 - hidden at first

        panel = StopsPanel(self.time_cursor, self.driving.breakpoints, self.driving.bookmarks, self.themes)
        panel.go_on_asked.connect(partial(self.driving.run_to_stop, self.player))
        return panel

    def _form_steps(self) -> Iterator[None]:
        """What the form needs, and the form: the window answers between the steps."""
        yield from loading()
        from meshgui.views.scenario.form import ScenarioForm  # noqa: PLC0415 - loaded at first use

        yield
        self._form_begun = form = ScenarioForm(self.themes, self.document, at_once=False)
        yield from form.steps()

    def _make_form(self) -> ScenarioForm:
        from meshgui.views.scenario.form import ScenarioForm  # noqa: PLC0415 - loaded at first use

        form = self._form_begun or ScenarioForm(self.themes, self.document)
        form.finish()
        self._form_begun = None
        form.applied.connect(self.scenario_run.apply)
        form.vary_asked.connect(self.studies.vary)
        return form

    def _build_bars(self) -> None:
        self.transport = Transport(self.player, self.time_cursor, self.themes, self.icons)
        self.sentence = SentenceBar(self.time_cursor, self.selection, self.themes)
        self.progress = RunProgress(self.runs, self.themes, self.icons)
        self.commands.register(*self._published())
        self.commands.attach(self)
        self.commands.fill_menu_bar(self.menuBar())
        self.title = TitleButton(self.document, self.recent, self.themes, self.icons)
        self.title.offer(self.commands.action("file.open"), self.files.open, self.open_example)
        self.toolbar = ToolBar(
            self.title, self.strategy, self.transport, self.commands, self.themes, self.icons
        )
        self.toolbar.offer_menus(self.menuBar())
        self.addToolBar(self.toolbar)
        status = self.statusBar()
        status.setSizeGripEnabled(False)
        foot = self._sizing.column(self.sentence)
        status.addWidget(widget_of(foot), 1)
        NoticePlace(self.notice, self._middle, self._column, foot, self.themes)
        status.addPermanentWidget(RecordingSign(self.recorder, self.themes, self.icons))
        status.addPermanentWidget(SearchProgress(self.search, self.themes, self.icons))
        status.addPermanentWidget(self.progress)

    def _published(self) -> list[Command]:
        """The commands of every room, in the order of the menus."""
        return [
            *self.files.commands(),
            *self.scenarios.commands(),
            *self.moments.commands(),
            *self.recorder.commands(),
            *export_commands(lambda: self.exporter, self._mesh_pictures),
            *WebPages(
                lambda: self.exporter,
                lambda: (self.time_cursor.recording, self.selection.job),
                lambda: self.lessons.session.lesson,
            ).commands(),
            *commands_in(
                tr("File"),
                (
                    "file.welcome",
                    tr("Welcome page"),
                    tr("Show the ready scenarios with their pictures, and the recent files"),
                    self.show_welcome,
                    ("Ctrl+Shift+H",),
                    "house",
                ),
                None,
                (
                    "file.close",
                    tr("Quit"),
                    tr("Close the window; the layout is remembered"),
                    self.close,
                    ("Ctrl+Q",),
                    "x",
                ),
                marks={"file.welcome": lambda: self._centre.currentWidget() is self.welcome},
                synonyms={
                    "file.welcome": tr("start page home examples gallery recent back"),
                    "file.close": tr("exit leave end"),
                },
            ),
            *self.edits.commands(),
            *self.jobs.commands(),
            *self.scenario_run.commands(edit=lambda: self.panels.show("scenario")),
            *self.strategy.commands(),
            *self.studies.commands(),
            *time_commands(self.player, self.time_cursor),
            *self.driving.commands(self.player, lambda: self.panels.toggle("stops")),
            *mesh_commands(self.mesh),
            *self.panels.commands(),
            *self.presenter.commands(),
            *self.appearance.commands(),
            *LanguageChoice(self.notice).commands(),
            *commands_in(
                tr("Help"),
                (
                    "window.palette",
                    tr("Find a command"),
                    tr("Type a few letters of anything the window can do"),
                    lambda: self.palette_sheet.toggle(),  # noqa: PLW0108 - made when first used
                    ("Ctrl+K",),
                    "command",
                ),
                (
                    "window.keys",
                    tr("Keys"),
                    tr("Show every key on one sheet"),
                    lambda: self.shortcut_sheet.toggle(),  # noqa: PLW0108 - likewise
                    ("?",),
                    "keyboard",
                ),
                synonyms={
                    "window.palette": tr("search command palette"),
                    "window.keys": tr("shortcuts keyboard bindings hotkeys"),
                },
            ),
            *self.tour.commands(),
            *self.lessons.commands(),
            *self.exercises.commands(),
            *self.notes.commands(),
            *self.help_pages.commands(),
        ]

    def _connect(self) -> None:
        self.setAcceptDrops(True)
        self.document.changed.connect(self._show_document)
        self.document.draft_changed.connect(self._show_edits)
        self.scenarios.leaving.connect(self.player.pause)
        self.scenarios.leaving.connect(self.notice.clear)
        self.scenarios.leaving.connect(partial(self.notice.withdraw, Topic.FILE))
        FileWatch(self.files, self.notice, self.commands.trigger, self)
        self.files.failed.connect(partial(self.notice.tell, topic=Topic.FILES))
        self.files.opened.connect(self.scenario_run.run_opened)
        self.files.remarked.connect(partial(self.notice.tell, lasting=True))
        self.files.saved.connect(self.scenario_run.run_edits)
        self.files.unsound.connect(lambda: self.edits.show_fault(tr("Nothing was saved")))
        self.scenario_run.unsound.connect(lambda: self.edits.show_fault(tr("Nothing was run")))
        self.studies.unsound.connect(self.edits.show_fault)
        self.edits.run_asked.connect(self.scenario_run.apply)
        self.edits.form_asked.connect(lambda: self.panels.show("scenario"))
        self.edits.refused.connect(partial(self.notice.tell, topic=Topic.EDITS))
        self.files.created.connect(lambda: self.panels.show("scenario"))
        self.scenario_run.begun.connect(self.notice.clear)
        self.runs.failed.connect(
            lambda message: self.notice.tell(
                tr("The run stopped: {message}.").format(message=message), topic=Topic.RUN
            )
        )
        self.runs.held.connect(self._ask_to_run)
        self.runs.started.connect(self._withdraw_question)
        self.scenarios.leaving.connect(self._withdraw_question)
        self.studies.scenario_asked.connect(self._open_scenario)
        self.help_pages.example_asked.connect(
            lambda text: self.files.open_text(text, tr("the worked example"))
        )
        self.help_pages.lesson_asked.connect(self.lessons.open)
        self.help_pages.command_asked.connect(self.commands.trigger)
        self.panels.menu_asked.connect(
            lambda place, at: self.exporter.show_menu(place, at)  # noqa: PLW0108 - made when first used
        )
        self.mesh.menu_asked.connect(lambda at: self.exporter.show_menu(self.mesh, at))
        self.welcome.open_example.connect(self.open_example)
        self.welcome.open_recent.connect(self.files.open)
        self.welcome.open_requested.connect(self.files.ask_and_open)
        self.welcome.new_requested.connect(self.files.new_scenario)
        self.welcome.lessons_requested.connect(self.lessons.show_list)
        self.welcome.back_requested.connect(self.show_welcome)
        self.welcome.tour_requested.connect(self.tour.begin)
        self.appearance.changed.connect(self.sentence.tell)
        self.appearance.move(self.mesh.set_motion)
        self.notes.panel.edit_asked.connect(self._write_notes)
        self.algorithm.about_asked.connect(self.help_pages.toggle_strategy)
        self.queue.waiting_chosen.connect(lambda: self.panels.bring("why", over="job", beside="queue"))
        self.queue.running_chosen.connect(lambda: self.panels.bring("job", over="why", beside="queue"))
        self.crowding.told.connect(self.sentence.tell)
        self.driving.told.connect(self.sentence.tell)
        self.jobs.told.connect(self.sentence.tell)
        self.jobs.undo_asked.connect(self.edits.undo)
        self.strategy.refused.connect(partial(self.notice.tell, topic=Topic.EDITS))
        self.queue.move_asked.connect(self.jobs.move)
        self.job_card.end_asked.connect(self.jobs.end)
        self.recorder.told.connect(self.sentence.tell)
        self.closing.agreed.connect(self.recorder.stop)
        self.recorder.failed.connect(self.closing.refuse)
        self.recorder.failed.connect(partial(self.notice.tell, topic=Topic.FILM))
        self.moments.told.connect(self.sentence.tell)
        self.moments.failed.connect(partial(self.notice.tell, topic=Topic.MOMENT))
        self.moments.left_out.connect(partial(self.notice.tell, topic=Topic.MOMENT, lasting=True))
        self.lessons.moment_asked.connect(self.moments.show)
        self.lessons.experiment_asked.connect(self.studies.show_experiment)
        self.lessons.exercises_asked.connect(self.exercises.show_choice)
        self.lessons.failed.connect(partial(self.notice.tell, topic=Topic.LESSON))
        self.exercises.failed.connect(partial(self.notice.tell, topic=Topic.EXERCISE))
        self.exercises.told.connect(self.sentence.tell)
        self.exercises.sentence_hidden.connect(self.sentence.say_instead)
        self.scenario_run.refused.connect(partial(self.notice.tell, topic=Topic.EDITS))
        self.job_card.why_asked.connect(lambda: self.panels.show("why"))
        self._stepped_in: Position | None = None  # the first step of where the cursor was inside
        self.time_cursor.changed.connect(self._follow_steps)
        self.time_cursor.changed.connect(self._offer_steps)
        self._offer_steps()

    def _offer_steps(self) -> None:
        """Enable the steps and views of the network only where there is one."""
        for name in (*NETWORK_STEPS, *NETWORK_VIEWS):
            self.commands.set_enabled(name, self.player.in_network)
        mesh = self.mesh.source.mesh
        for name in SOLID_VIEWS:
            self.commands.set_enabled(name, mesh is None or mesh.dims == 3)

    def _follow_steps(self) -> None:
        """Bring the algorithm to the front when its lines begin to be stepped through."""
        QToolTip.hideText()  # it would cover what is stepped
        view = self.time_cursor.view
        where = None if view is None or not view.position.inside else view.position._replace(step=0)
        if where is not None and where != self._stepped_in:
            self.panels.bring_forward("algorithm")
        self._stepped_in = where

    @cached_property
    def palette_sheet(self) -> CommandPalette:
        """The command palette, created at first use."""
        from meshgui.views.commands.palette import CommandPalette  # noqa: PLC0415 - not needed for the first paint

        answers = PaletteAnswers(
            self.document,
            self.time_cursor,
            self.selection,
            run_with=self.strategy.run_with,
            open_example=self.open_example,
            open_lesson=self.lessons.open,
            lessons=self.lessons.found,
        )
        return CommandPalette(self, self.commands, self.icons, self.themes, answers.listed, answers.found)

    @cached_property
    def shortcut_sheet(self) -> ShortcutSheet:
        """The sheet of shortcuts, created at first use."""
        from meshgui.views.commands.shortcuts_sheet import ShortcutSheet  # noqa: PLC0415 - likewise

        return ShortcutSheet(self, self.commands, self.themes)

    @cached_property
    def exporter(self) -> Exporter:
        """The exporter of pictures and tables, created at first use."""
        from meshgui.views.exporting.exporter import Exporter  # noqa: PLC0415 - not needed for the first paint

        exporter = Exporter(self.settings, self.themes, self)
        exporter.done.connect(self.sentence.tell)
        exporter.failed.connect(partial(self.notice.tell, topic=Topic.EXPORT))
        return exporter

    def _mesh_pictures(self) -> Sequence[Picture]:
        return self.mesh.pictures() if self.document.scenario is not None else ()

    # The scenario

    def open_example(self, path: Path) -> None:
        """Open one of the ready scenarios."""
        self.files.open(path, as_example=True)

    def _toured(self) -> dict[str, QWidget]:
        """The parts that the tour shows beside the panels."""
        return {"mesh": self.mesh, "sentence": self.sentence, "tools": self.toolbar}

    def _open_for_tour(self) -> None:
        self.open_example(example("tbl-under-load"))

    def _ask_to_run(self, expects: str) -> None:
        """Say what a run would take, and have the user decide."""
        hint = tr("Run it all the same; it can be stopped at any time")
        self.notice.tell(expects, (tr("Run it"), hint, self.scenario_run.go_on), topic=Topic.HELD)

    def _withdraw_question(self) -> None:
        """Another run begins, or another scenario is shown."""
        self.notice.withdraw(Topic.HELD)

    def _write_notes(self) -> None:
        """Lead to the form's field of notes."""
        self.panels.show("scenario")
        self.form.view.go_to_field(("notes",))

    def _open_scenario(self, scenario: Scenario) -> None:
        """Open the first run of a point of an experiment or published result in the mesh."""
        if self.files.open_scenario(scenario):
            self.raise_()
            self.activateWindow()

    def _show_document(self) -> None:
        scenario = self.document.scenario
        self._show_centre(self.welcome if scenario is None else self.mesh)
        self._show_edits()
        self.panels.follow_network(scenario is not None and scenario.network is not None)
        for name in _NEED_A_SCENARIO:
            self.commands.set_enabled(name, scenario is not None)
        self.studies.offer_scenario()

    def show_welcome(self) -> None:
        """Show the welcome page over the mesh, or the mesh again."""
        if self.document.scenario is None:
            return
        if not self._leave_welcome():
            self._show_centre(self.welcome)
            self.welcome.back_button.setFocus()

    def _leave_welcome(self) -> bool:
        """Show the mesh again; whether the welcome page lay over it."""
        over = self.document.scenario is not None and self._centre.currentWidget() is self.welcome
        if over:
            self._show_centre(self.mesh)
            self.mesh.canvas.setFocus()
        return over

    def _show_centre(self, page: QWidget) -> None:
        self._centre.setCurrentWidget(page)
        self.welcome.offer_back(offered=self.document.scenario is not None)

    def _show_edits(self) -> None:
        self.setWindowTitle(
            tr("{title}{mark} – MeshGUI").format(
                title=literal_title(self.document.title), mark=" •" if self.document.modified else ""
            )
        )
        self.edits.name_in(self.commands)

    def _show_large(self, large: bool) -> None:
        """Show code and caption for the last row and the menus behind a button, or all as at the desk."""
        self.toolbar.present(large)
        self.algorithm.code.set_zoom(_LARGE_CODE if large else 1.0)
        self.sentence.set_large(large)
        self._keys.presenting = self if large else None

    # Qt's events

    def paintEvent(self, event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        """Paint, and start the work that waits for the first paint."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            soon(self, self._begin)

    def _begin(self) -> None:
        self.mesh.canvas.setFocus()  # not the first slider, which would claim the arrow keys
        self.painted.emit()
        self.commands.dress()
        self.panels.raise_floating()
        self.scenario_run.start_waiting(visible=self.isVisible())

    def closeEvent(self, event: QCloseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Close, with all windows of studies, once nothing would be lost."""
        self.studies.ask_nothing()
        if not self.closing.allows(event):
            return
        self.studies.close()
        self.player.pause()
        self.lessons.leave()
        self.notes.remember()
        self.panels.remember(self.settings, self.presenter.desk)
        self.exercises.end()
        self.runs.end()
        self.search.end()
        super().closeEvent(event)
        self.closed.emit()

    def focusNextPrevChild(self, onward: bool, /) -> bool:  # noqa: N802 - Qt's
        """Tab to what is in sight."""
        return tab_in_sight(self, partial(super().focusNextPrevChild, onward))

    def keyPressEvent(self, event: QKeyEvent, /) -> None:  # noqa: N802 - Qt's name
        """Handle an Escape that no widget used: leave the welcome page or a mode, or deselect."""
        focused = self.focusWidget()
        free = event.key() == Qt.Key.Key_Escape and not (focused is not None and types_text(focused))
        innermost = (
            self._leave_welcome,
            self.mesh.drawing.leave,
            self.presenter.leave,
            self.selection.deselect_innermost,
        )
        if free and any(leave() for leave in innermost):
            self.commands.refresh_marks()  # no command has left it
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent, /) -> None:  # noqa: N802 - Qt's name
        """Take a scenario or a lesson that is dragged over the window."""
        if dropped_scenarios(event.mimeData()) or dropped_lessons(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent, /) -> None:  # noqa: N802 - Qt's name
        """Open scenarios that are dropped on the window, each further one in its own tab, or a lesson."""
        for number, path in enumerate(dropped_scenarios(event.mimeData())):
            event.acceptProposedAction()
            if number:
                self.scenarios.open_empty()
            self.files.open(path)
        for path in dropped_lessons(event.mimeData())[:1]:  # one lesson is open at a time
            event.acceptProposedAction()
            self.lessons.open(path)

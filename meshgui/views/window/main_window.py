"""The window: the mesh in the middle, everything else in docks around it, one sentence below."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QPoint, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTabWidget,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from meshgui.engine.allocation.guard import StrategyError, short_calls
from meshgui.engine.recording import Recording
from meshgui.engine.scenario import Scenario, load_scenario
from meshgui.engine.scheduling.base import DisciplineError
from meshgui.engine.simulation import Simulation
from meshgui.model.cursor import Cursor, Position
from meshgui.model.document import Document
from meshgui.model.player import Granularity, Player
from meshgui.model.recent import RecentFiles
from meshgui.model.selection import Selection
from meshgui.views.commands.palette import CommandPalette
from meshgui.views.commands.registry import CommandRegistry, KeyGuard, types_text
from meshgui.views.commands.shortcuts_sheet import ShortcutSheet
from meshgui.views.commands.transport import Transport
from meshgui.views.inspector.panel import InspectorView
from meshgui.views.mesh.panel import MeshView
from meshgui.views.panels.algorithm import AlgorithmView
from meshgui.views.panels.job import JobCard
from meshgui.views.panels.queue import QueuePanel
from meshgui.views.panels.sentence_bar import SentenceBar
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.timeline.panel import TimelineView
from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.notice import Notice
from meshgui.views.window.files import Files, dropped_scenario
from meshgui.views.window.garbage_collector import GarbageCollector
from meshgui.views.window.run_control import RunControl, RunProgress
from meshgui.views.window.welcome import Welcome
from meshgui.views.window.window_commands import example_commands, window_commands

if TYPE_CHECKING:
    from meshgui.views.charts.plots import PlotsView
    from meshgui.views.experiment.window import ExperimentWindow
    from meshgui.views.exporting.exporter import Exporter
    from meshgui.views.gallery.window import GalleryWindow
    from meshgui.views.help.help_window import StrategyHelp
    from meshgui.views.network.panel import NetworkView
    from meshgui.views.scenario.form import ScenarioForm

__all__ = ["MainWindow"]

_LAYOUT_VERSION = 2
_DOCKING = QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.GroupedDragging
_LECTURE_SCALE = 1.4
_LECTURE_HEIGHT = 720  # the least height at which every panel still has room at scale 1
_TALL_ENOUGH = 850
_TITLE_WIDTH = 280
_TITLE_ROOM = 60  # for the arrow and the dot beside it
_FRAME = QSize(16, 48)  # what a window manager may put around the window
_NOT_FOR_THE_LAST_ROW = ("queue", "job", "scenario")
_SIZE = QSize(1600, 1000)
_DRAWN_AT_ONCE = 20_000  # jobs whose empty machine is shown before the run's thread has begun


class MainWindow(QMainWindow):
    """Puts the views together; each draws the one cursor and the one selection."""

    painted = Signal()  # once, after the first paint: what may wait, waits for it

    def __init__(self, themes: ThemeManager, settings: QSettings, recent: RecentFiles) -> None:
        super().__init__()
        self.themes = themes
        self.settings = settings
        self.recent = recent
        self.document = Document()
        self.time_cursor = Cursor()
        self.selection = Selection()
        self.icons = IconShelf(themes)
        self.commands = CommandRegistry(self.icons, self)
        self.garbage = GarbageCollector(self)
        self.runs = RunControl(self)
        self.files = Files(self.document, recent, self)
        self.docks: dict[str, QDockWidget] = {}
        self._retitling = QTimer(self)
        self._retitling.setSingleShot(True)
        self._retitling.timeout.connect(self._retitle)
        self._painted = False
        self._waiting_run: Scenario | None = None
        self._experiment: ExperimentWindow | None = None
        self._gallery: GalleryWindow | None = None
        self._keep_time: float | None = None
        self._unfolded: QByteArray | None = None
        self._has_network: bool | None = None
        self._network_wanted = False  # whether its panel was in front when the network went
        self._before_lecture = QByteArray()
        self._docks_to_size = False
        self.resize(_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        self._build_centre()
        self._build_docks()
        self._build_bars()
        self._connect()
        self._retitle()
        self._default_layout = self.saveState(_LAYOUT_VERSION)
        self._restore_layout()
        self._show_document()

    # Building

    def _build_centre(self) -> None:
        self.notice = Notice(self.themes, self.icons)
        self.mesh = MeshView(self.time_cursor, self.selection, self.themes)
        self.welcome = Welcome(self.recent, self.themes)
        self._centre = QStackedWidget()
        self._centre.addWidget(self.welcome)
        self._centre.addWidget(self.mesh)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notice)
        column.addWidget(self._centre, 1)
        self.setCentralWidget(page)

    def _build_docks(self) -> None:
        views = (self.time_cursor, self.selection, self.themes)
        left, right, bottom = (
            Qt.DockWidgetArea.LeftDockWidgetArea,
            Qt.DockWidgetArea.RightDockWidgetArea,
            Qt.DockWidgetArea.BottomDockWidgetArea,
        )
        self.setDockOptions(self.dockOptions() | _DOCKING)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCorner(Qt.Corner.BottomLeftCorner, bottom)
        self.setCorner(Qt.Corner.BottomRightCorner, right)  # code and inspectors need the height more
        self.queue = QueuePanel(*views)
        self.job_card = JobCard(*views)
        self.algorithm = AlgorithmView(*views)
        self.inspector = InspectorView(*views)
        self.timeline = TimelineView(*views)
        self.plots: Deferred[PlotsView] = Deferred(self._make_plots)
        self.form: Deferred[ScenarioForm] = Deferred(self._make_form)
        self.network: Deferred[NetworkView] = Deferred(self._make_network)
        self._add_dock("queue", "Queue", self.queue, left)
        self._add_dock("job", "Job", _scrolling(self.job_card), left)
        self._add_dock("algorithm", "Algorithm", self.algorithm, right)
        self._add_dock("scenario", "Scenario", self.form, right)
        self._add_dock("inspector", "Inspector", self.inspector, right)
        self._add_dock("timeline", "Timeline", self.timeline, bottom)
        self._add_dock("plots", "Plots", self.plots, bottom)
        self._add_dock("network", "Network", self.network, right)
        self._tabify("timeline", "plots")
        self._tabify("algorithm", "scenario")
        self._tabify("inspector", "network")
        if self._short:
            self._tabify("queue", "job")
        for name in ("scenario", "network"):
            self.docks[name].hide()

    def _add_dock(self, name: str, title: str, view: QWidget, area: Qt.DockWidgetArea) -> None:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setWidget(view)
        dock.topLevelChanged.connect(self._retitle_soon)
        dock.dockLocationChanged.connect(self._retitle_soon)
        dock.visibilityChanged.connect(self._retitle_soon)
        dock.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        dock.customContextMenuRequested.connect(partial(self._show_panel_menu, dock))
        self.addDockWidget(area, dock)
        self.docks[name] = dock

    @property
    def _short(self) -> bool:
        """Whether the window opens on a screen with little height: there more panels share a place."""
        return self.height() < _TALL_ENOUGH

    def _tabify(self, front: str, *behind: str) -> None:
        """Put docks into one place, the first of them to be seen."""
        for name in behind:
            self.tabifyDockWidget(self.docks[front], self.docks[name])
        self.docks[front].raise_()

    def _retitle_soon(self) -> None:
        """Update the titles once the docks have their places."""
        if not self._retitling.isActive():
            self._retitling.start()

    def _retitle(self) -> None:
        """Where docks share a place their tabs say what they are, and can be dragged: no title besides."""
        for dock in self.docks.values():
            bare = bool(self.tabifiedDockWidgets(dock)) and not dock.isFloating()
            title = dock.titleBarWidget()
            if bare and title is None:
                dock.setTitleBarWidget(QWidget(dock))
            elif not bare and title is not None:
                dock.setTitleBarWidget(None)  # type: ignore[arg-type] # None is the native one
                title.deleteLater()

    def _make_plots(self) -> PlotsView:
        from meshgui.views.charts.plots import PlotsView  # noqa: PLC0415 - pyqtgraph is not needed for the first paint

        return PlotsView(self.time_cursor, self.selection, self.themes)

    def _make_network(self) -> NetworkView:
        from meshgui.views.network.panel import NetworkView  # noqa: PLC0415 - most scenarios have no network

        view = NetworkView(self.time_cursor, self.selection, self.themes)
        view.edit_asked.connect(lambda: self.show_dock("scenario"))
        return view

    def _make_form(self) -> ScenarioForm:
        from meshgui.views.scenario.form import ScenarioForm  # noqa: PLC0415 - seen only when asked for

        form = ScenarioForm(self.themes)
        form.applied.connect(self.apply)
        form.vary_asked.connect(self.vary)
        if self.document.scenario is not None:
            form.set_scenario(self.document.scenario)
        return form

    def _build_bars(self) -> None:
        self.player = Player(self.time_cursor, self.selection)
        self.transport = Transport(self.player, self.time_cursor, self.themes, self.icons)
        self.sentence = SentenceBar(self.time_cursor, self.selection, self.themes)
        self.progress = RunProgress(self.runs, self.themes, self.icons)
        self.commands.register(*window_commands(self))
        self.commands.attach(self)
        self.commands.fill_menu_bar(self.menuBar())
        self._title = QToolButton()
        self._title.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._title.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._title.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow behind the words
        self.icons.dress(self._title, "chevron-down")
        self._title_place = QWidget()  # as wide as the longest, so that no title moves the buttons
        row = QHBoxLayout(self._title_place)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._title)
        row.addStretch(1)
        self._title_menu = QMenu(self._title)
        self._title_menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._title_menu.aboutToShow.connect(self._fill_title_menu)
        self._title.setMenu(self._title_menu)
        bar = QToolBar("Tool bar")
        bar.setObjectName("toolbar")
        bar.setMovable(False)
        bar.addWidget(self._title_place)
        bar.addWidget(_spring())
        bar.addWidget(self.transport)
        bar.addWidget(_spring())
        shown = ("run.experiment", "window.palette", "window.theme", "window.lecture")
        self.commands.dress(*shown)
        for name in shown:
            bar.addAction(self.commands.action(name))
        self.addToolBar(bar)
        self.toolbar = bar
        status = self.statusBar()
        status.setSizeGripEnabled(False)
        status.addWidget(self.sentence, 1)
        status.addPermanentWidget(self.progress)

    def _connect(self) -> None:
        self.setAcceptDrops(True)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            self._keys = KeyGuard(application)
        self.document.changed.connect(self._show_document)
        self.files.failed.connect(self.notice.tell)
        self.files.opened.connect(self._run_opened)
        self.runs.recorded.connect(self._show_recording)
        self.runs.failed.connect(self._run_failed)
        self.welcome.open_example.connect(self.open_example)
        self.welcome.open_recent.connect(self.files.open)
        self.welcome.open_requested.connect(self.files.ask_and_open)
        self.welcome.new_requested.connect(self.new_scenario)
        self.algorithm.about_asked.connect(self.toggle_strategy_help)
        self.time_cursor.changed.connect(self._follow_into_attempts)
        self.time_cursor.changed.connect(self._offer_steps)
        self.themes.changed.connect(self._dress)
        self._dress()
        self._offer_steps()

    def _follow_into_attempts(self) -> None:
        """Inside an allocation attempt, play goes on line by line."""
        inside = self.time_cursor.position.attempt is not None
        if inside and self.player.granularity == Granularity.EVENT:
            self.player.granularity = Granularity.LINE

    def _offer_steps(self) -> None:
        """Where there is no network, there is nothing of it to step through or to show."""
        for name in ("time.by-cycle", "time.by-hop", "time.by-packet", "mesh.network", "mesh.use"):
            self.commands.set_enabled(name, self.player.in_network)

    def _dress(self) -> None:
        self._title.setFont(self.themes.text("lead"))
        self._title_place.setFixedWidth(self.themes.px(_TITLE_WIDTH + _TITLE_ROOM))
        self._show_title()
        self.toolbar.setIconSize(QSize(self.themes.px(18), self.themes.px(18)))
        self.toolbar.setFixedHeight(self.themes.px(44))

    # Scenario and run

    def new_scenario(self) -> None:
        """Start from the default scenario, with its form open."""
        from meshgui.model.examples import DEFAULT_EXAMPLE, example  # noqa: PLC0415 - read only when asked for

        if self.files.may_leave():
            model = load_scenario(example(DEFAULT_EXAMPLE))
            self.document.take(model.model_copy(update={"title": "New scenario", "notes": ""}), None)
            self._run_opened()
            self.show_dock("scenario")

    def open_example(self, path: Path) -> None:
        """Open one of the ready scenarios, and beside it what there is to see in it."""
        opened = self.files.open(path, as_example=True)
        if opened and self.document.scenario is not None and self.document.scenario.notes:
            self.strategy_help.tell(self.document.title, self.document.scenario.notes)

    def apply(self, scenario: Scenario) -> None:
        """Take an edited scenario and run it; the time looked at stays."""
        self.document.edit(scenario)
        self.run()

    def run(self) -> None:
        """Run the scenario from its start; the time looked at stays."""
        scenario = self.document.scenario
        if scenario is None:
            return
        if self.time_cursor.position != Position(0):
            self._keep_time = self.time_cursor.time
        elif not self.runs.running:  # one in progress may still be on its way to the time to keep
            self._keep_time = None
        self.notice.dismiss()
        if self._painted:
            self.runs.start(scenario)
        else:
            self._waiting_run = scenario

    def _run_opened(self) -> None:
        self._keep_time = None
        scenario = self.document.scenario
        self.runs.cancel()
        self.selection.clear()
        self.time_cursor.show(None)
        if scenario is not None and not self._painted and scenario.job_count <= _DRAWN_AT_ONCE:
            with suppress(StrategyError, DisciplineError), short_calls():  # the run will say what is wrong
                self.time_cursor.show(Simulation(scenario).recording())
        self.run()

    def _show_recording(self, recording: Recording) -> None:
        shown = self.time_cursor.recording
        if shown is None or shown.jobs is not recording.jobs:
            self.selection.clear()
        self.time_cursor.extend(recording)
        if self._keep_time is not None and (recording.complete or recording.end_time >= self._keep_time):
            self.time_cursor.go_to_time(self._keep_time)
            self._keep_time = None

    # Experiments

    @property
    def experiment(self) -> ExperimentWindow:
        """The experiment window, made when it is first asked for."""
        if self._experiment is None:
            from meshgui.catalogue.published_values import published_values  # noqa: PLC0415 - see above
            from meshgui.views.experiment.window import ExperimentWindow  # noqa: PLC0415 - see above

            window = ExperimentWindow(self.themes, self.icons, self.settings, published_of=published_values)
            window.scenario_asked.connect(self._hand_scenario_over)
            window.run_asked.connect(self.open_point)
            self._experiment = window
        return self._experiment

    def open_experiment(self) -> None:
        """Show the experiment window: on the open scenario, unless it is at work on another one."""
        scenario = self.document.scenario
        if scenario is None:
            return
        window = self.experiment
        if window.scenario is None or not window.in_use:
            window.show_scenario(scenario)
        else:
            window.offer_scenario(scenario)
        window.show()
        window.raise_()
        window.activateWindow()

    def vary(self, key: str) -> None:
        """Show the experiment window with a field of the scenario added to what is varied."""
        self.open_experiment()
        self.experiment.vary(key)

    def open_point(self, scenario: Scenario) -> None:
        """Run a point of an experiment or of a published result, as its first run was, in the mesh."""
        if self.files.open_scenario(scenario):
            self.raise_()
            self.activateWindow()

    @property
    def gallery(self) -> GalleryWindow:
        """The gallery of published results, made when it is first asked for."""
        if self._gallery is None:
            from meshgui.views.gallery.window import GalleryWindow  # noqa: PLC0415 - see above

            self._gallery = GalleryWindow(self.themes, self.icons, self.settings)
            self._gallery.scenario_asked.connect(self.open_point)
        return self._gallery

    def open_gallery(self) -> None:
        """Show the gallery of published results."""
        self.gallery.show()
        self.gallery.raise_()
        self.gallery.activateWindow()

    def end_gallery(self) -> None:
        """Stop what is run for the gallery, and return when its threads are gone."""
        if self._gallery is not None:
            self._gallery.wait()

    def end_experiment(self) -> None:
        """Stop an experiment that runs, and return when its threads are gone."""
        if self._experiment is not None:
            self._experiment.wait()

    def _hand_scenario_over(self) -> None:
        if self.document.scenario is not None:
            self.experiment.show_scenario(self.document.scenario)

    def _run_failed(self, message: str) -> None:
        self.notice.tell(f"The run stopped: {message}.")

    def _show_document(self) -> None:
        scenario = self.document.scenario
        self._centre.setCurrentWidget(self.welcome if scenario is None else self.mesh)
        self._show_title()
        self._follow_network()
        form = self.form.made
        if form is not None and scenario is not None and form.scenario() != scenario:
            form.set_scenario(scenario)
        for name in (
            "file.save", "file.save-as", "run.start", "run.experiment", "run.about", "run.about-scenario",
        ):  # fmt: skip
            self.commands.set_enabled(name, scenario is not None)
        experiment = self._experiment
        if experiment is not None:
            experiment.offer_scenario(scenario)

    def _follow_network(self) -> None:
        """The network's panel is there when the scenario has one; its tab stays behind until it is wanted.

        When another network follows, even after scenarios without one, it is wanted as it was.
        """
        scenario = self.document.scenario
        has_network = scenario is not None and scenario.network is not None
        if has_network == self._has_network or self._unfolded is not None:
            return
        if self._has_network and not has_network:
            self._network_wanted = self._in_front("network")
        self._has_network = has_network
        self.docks["network"].setVisible(has_network)
        if not has_network:
            return
        if self._network_wanted:
            self.docks["network"].raise_()
        elif not self.docks["inspector"].isHidden():
            self.docks["inspector"].raise_()
        self._size_right_docks()

    def _show_title(self) -> None:
        """The title above; in the tool bar a long one is cut, so that the buttons keep their place."""
        star = " •" if self.document.modified else ""
        self.setWindowTitle(f"{self.document.title}{star} – MeshGUI")
        width = self.themes.px(_TITLE_WIDTH)
        title = self._title.fontMetrics().elidedText(self.document.title, Qt.TextElideMode.ElideRight, width)
        self._title.setText(f"{title}{star}".replace("&", "&&"))  # a single one would underline a letter
        self._title.setToolTip(f"{self.document.title}\nOpen another scenario")

    def _fill_title_menu(self) -> None:
        from meshgui.model.examples import example_groups  # noqa: PLC0415 - read only when the menu opens

        menu = self._title_menu
        menu.clear()
        menu.addAction(self.commands.action("file.open"))
        menu.addSection("Recent")
        for path in self.recent.paths():
            menu.addAction(path.name, partial(self.files.open, path))
        for group, paths in example_groups().items():
            menu.addSection(f"Examples: {group.lower()}")
            for path in paths:
                menu.addAction(load_scenario(path).title, partial(self.open_example, path))

    # Layout

    def show_dock(self, name: str) -> None:
        """Bring a dock into sight."""
        self.docks[name].show()
        self.docks[name].raise_()

    def toggle_dock(self, name: str) -> None:
        """Show a dock, or hide it if it can be seen."""
        if self._in_front(name):
            self.docks[name].hide()
        else:
            self.show_dock(name)

    def _in_front(self, name: str) -> bool:
        """Whether a dock can be seen, and does not lie behind another one's tab."""
        dock = self.docks[name]
        return dock.isVisible() and not dock.visibleRegion().isEmpty()

    def toggle_fold(self) -> None:
        """Fold everything but the mesh away, or bring it back where it was."""
        if self._unfolded is None:
            self._unfolded = self.saveState(_LAYOUT_VERSION)
            for dock in self.docks.values():
                dock.hide()
        else:
            self.restoreState(self._unfolded, _LAYOUT_VERSION)
            self._unfolded = None
            self._follow_network()

    def reset_layout(self) -> None:
        """Put every dock back where it first was."""
        self.restoreState(self._default_layout, _LAYOUT_VERSION)
        self._has_network, self._network_wanted = None, False
        self._follow_network()
        self._size_docks()

    def step_by(self, granularity: Granularity) -> None:
        """Choose what the arrows step over."""
        self.player.granularity = granularity

    @cached_property
    def palette_sheet(self) -> CommandPalette:
        """The command palette, made when it is first asked for."""
        return CommandPalette(
            self, self.commands, self.icons, self.themes, lambda: example_commands(self.open_example)
        )

    @cached_property
    def shortcut_sheet(self) -> ShortcutSheet:
        """The sheet of keys, made when it is first asked for."""
        return ShortcutSheet(self, self.commands, self.themes)

    @cached_property
    def strategy_help(self) -> StrategyHelp:
        """The page about strategy, network, experiments or scenario, made when it is first asked for."""
        from meshgui.views.help.help_window import StrategyHelp  # noqa: PLC0415 - see above

        window = StrategyHelp(self, self.themes)
        window.example_asked.connect(lambda text: self.files.open_text(text, "the worked example"))
        self.time_cursor.changed.connect(self._follow_in_help)
        self.document.changed.connect(self._follow_in_notes)
        return window

    def toggle_strategy_help(self) -> None:
        """Show the page about the strategy at work, or stop."""
        recording = self.time_cursor.recording
        self.strategy_help.toggle_strategy(recording.strategy if recording is not None else None)

    def toggle_network_help(self) -> None:
        """Show the page about the network, or stop."""
        self.strategy_help.toggle_general("network")

    def toggle_experiments_help(self) -> None:
        """Show the page about experiments, or stop."""
        self.strategy_help.toggle_general("experiments")

    def toggle_scenario_notes(self) -> None:
        """Show what is noted about the scenario, or stop."""
        if self.document.scenario is not None:
            self.strategy_help.toggle_scenario(self.document.title, self.document.scenario.notes)

    def _follow_in_notes(self) -> None:
        if self.document.scenario is not None:
            self.strategy_help.follow_scenario(self.document.title, self.document.scenario.notes)

    def _follow_in_help(self) -> None:
        recording = self.time_cursor.recording
        if recording is not None:
            self.strategy_help.follow(recording.strategy)

    def toggle_palette(self) -> None:
        """Open the command palette, or close it."""
        self.palette_sheet.toggle()

    def toggle_keys(self) -> None:
        """Show every key, or stop."""
        self.shortcut_sheet.toggle()

    def toggle_lecture(self) -> None:
        """Fill the screen with what the last row should see, in a size it can read; or go back."""
        on = not self.isFullScreen()
        if on:
            self._before_lecture = self.saveState(_LAYOUT_VERSION)
            for name in _NOT_FOR_THE_LAST_ROW:
                self.docks[name].hide()
        room = self.screen().size().height() / _LECTURE_HEIGHT
        self.themes.set_scale(min(_LECTURE_SCALE, max(1.0, room)) if on else 1.0)
        self.menuBar().setVisible(not on)
        if on:
            self._docks_to_size = True
            self.showFullScreen()
            QTimer.singleShot(0, self, self._size_docks)
        else:
            self.showNormal()
            self.restoreState(self._before_lecture, _LAYOUT_VERSION)

    def _size_docks(self) -> None:
        px = self.themes.px
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self.resizeDocks([self.docks["queue"]], [px(280)], across)
        if not self._short:
            self.resizeDocks([self.docks["queue"], self.docks["job"]], [px(250), px(312)], down)
        self._size_right_docks()
        self.resizeDocks(
            [self.docks["timeline"]], [px(160 if self._short or self.isFullScreen() else 220)], down
        )

    def _size_right_docks(self) -> None:
        """A packet's way wants more room than a strategy's tables."""
        px, right = self.themes.px, [self.docks["algorithm"], self.docks["inspector"]]
        width, heights = (400, (320, 480)) if self._has_network else (340, (420, 380))
        self.resizeDocks(right[:1], [px(width)], Qt.Orientation.Horizontal)
        self.resizeDocks(right, [px(height) for height in heights], Qt.Orientation.Vertical)

    def _restore_layout(self) -> None:
        geometry, state = self.settings.value("window/geometry"), self.settings.value("window/state")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if not (isinstance(state, QByteArray) and self.restoreState(state, _LAYOUT_VERSION)):
            self._size_docks()

    def toggle_explode(self) -> None:
        """Move the layers apart, or together again."""
        self.mesh.set_explode(0.0 if self.mesh.explode else 1.0)

    def save_picture(self) -> None:
        """Ask how and where, and write what the mesh view shows into a PNG."""
        self.exporter.ask_about(self.mesh.pictures() if self.document.scenario is not None else ())

    def export_picture(self) -> None:
        """Ask about the picture in focus, or another one in sight, and write it."""
        self.exporter.export_picture()

    def export_table(self) -> None:
        """Ask where to write the table in focus, or another one in sight."""
        self.exporter.export_table()

    def copy_table(self) -> None:
        """Copy the table in focus, or another one in sight."""
        self.exporter.copy_table()

    @cached_property
    def exporter(self) -> Exporter:
        """What writes pictures and tables, made when it is first asked for."""
        from meshgui.views.exporting.exporter import Exporter  # noqa: PLC0415 - not needed for the first paint

        exporter = Exporter(self.settings, self.themes, self)
        exporter.done.connect(self.sentence.tell)
        exporter.failed.connect(self.notice.tell)
        return exporter

    def _show_panel_menu(self, dock: QDockWidget, at: QPoint) -> None:
        """What can be done with what lies at a point of a panel; on its title which panels there are."""
        place, inside = dock.childAt(at), dock.widget()
        if inside is not None and inside.geometry().contains(at):
            self.exporter.show_menu(place or dock, dock.mapToGlobal(at))
        elif (menu := self.createPopupMenu()) is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(dock.mapToGlobal(at))

    # Qt's events

    def paintEvent(self, event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        """Paint, and let what has waited for the first paint begin."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self._begin)

    def _begin(self) -> None:
        self.mesh.canvas.setFocus()  # not the first slider, which would keep the arrows for itself
        self.painted.emit()
        self.commands.dress()
        for dock in self.docks.values():
            if dock.isFloating() and dock.isVisible():
                dock.raise_()  # a remembered floating panel comes up behind the window
        if self._waiting_run is not None and self.isVisible():
            self._waiting_run = None
            self.run()

    def resizeEvent(self, event: QResizeEvent, /) -> None:  # noqa: N802 - Qt's name
        """Once the screen is filled, give the panels their share of it."""
        super().resizeEvent(event)
        if self._docks_to_size:
            self._docks_to_size = False
            QTimer.singleShot(0, self, self._size_docks)

    def closeEvent(self, event: QCloseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Close unless there are changes to keep."""
        others = [window for window in (self._experiment, self._gallery) if window is not None]
        if not self.files.may_leave() or not all(window.leave() for window in others):
            event.ignore()
            return
        self.player.pause()
        self.runs.wait()
        if self._unfolded is not None:
            self.toggle_fold()
        if self.isFullScreen():
            self.toggle_lecture()
        if not self.isFullScreen():
            self.settings.setValue("window/geometry", self.saveGeometry())
        self.settings.setValue("window/state", self.saveState(_LAYOUT_VERSION))
        self.settings.setValue("window/theme", self.themes.mode)
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent, /) -> None:  # noqa: N802 - Qt's name
        """Escape, where nothing else has a use for it: close notes, or let go of what is selected.

        Of that the innermost first.
        """
        focused = self.focusWidget()
        if event.key() != Qt.Key.Key_Escape or (focused is not None and types_text(focused)):
            super().keyPressEvent(event)
        elif self._tells_of_scenario:
            self.strategy_help.close()
        elif not self.selection.deselect_innermost():
            super().keyPressEvent(event)

    @property
    def _tells_of_scenario(self) -> bool:
        """Whether notes lie over the window; looked up without making what would show them."""
        return "strategy_help" in self.__dict__ and self.strategy_help.tells_of_scenario

    def dragEnterEvent(self, event: QDragEnterEvent, /) -> None:  # noqa: N802 - Qt's name
        """Take a scenario file that is dragged over the window."""
        if dropped_scenario(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent, /) -> None:  # noqa: N802 - Qt's name
        """Open a scenario file that is dropped on the window."""
        path = dropped_scenario(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.files.open(path)


def _scrolling(view: QWidget) -> QScrollArea:
    """A view that may be given less room than it needs."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(view)
    return area


def _spring() -> QWidget:
    spring = QWidget()
    spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return spring

"""The page of runs side by side: choices above, meshes over the clock, plots and measures beside them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from meshgui.engine.basics.sentences import pieces_of
from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import Scenario
from meshgui.model.comparison.comparison import ComparedRun, RunComparison
from meshgui.model.comparison.comparison_tables import RunMeasures
from meshgui.model.manual.help_pages import comparison_page
from meshgui.model.stepping.links import Links
from meshgui.views.compare.choice_bar import ChoiceBar
from meshgui.views.compare.clock_bar import ClockBar
from meshgui.views.compare.difference_bar import DifferenceBar
from meshgui.views.compare.figures_panel import FiguresPanel
from meshgui.views.compare.meshes import ComparedMeshes
from meshgui.views.compare.run_threads import ComparedRunThreads
from meshgui.views.exporting.commands import exporter_commands
from meshgui.views.exporting.exporter import Exporter
from meshgui.views.help.help_window import HelpPage
from meshgui.views.help.topic_help import TopicHelp
from meshgui.views.stepping.time_commands import Move, Moves, move_commands
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import (
    as_panel,
    hairline,
    literal,
    menu_button,
    scroll_area,
    widget_of,
)
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.kept_place import divide_as_kept, keep_division
from meshgui.views.widgets.notice import Notice, Topic
from meshgui.views.widgets.save_dialog import SaveDialog
from meshgui.views.widgets.tool_button import tool_button

_BESIDE: Final = 340  # the least width of plots and measures
_SHARE: Final = 30  # percent of the width: where they need more, meshes and plots take turns
_LECTURE_TABLE: Final = 0.85  # of the letters of a lecture, with which differences have room beside names
_MESH: Final = 300  # the width of a mesh below which they do, too


class ComparisonPage(QWidget):
    """Compares runs of one scenario; they are made while its tab is open."""

    WITHHELD: Final = (
        *("bookmark.", "edit.", "exercise.", "job.", "mesh.", "stop.", "time."),
        *("run.all", "run.sheet", "run.start", "run.stop", "run.strategy"),
        *("file.copy-link", "file.duplicate", "file.record", "file.trace-events"),
        "file.web-page",
        *("lesson.back", "lesson.next"),
    )
    """What is about the one run in the mesh, by how the ids of commands begin."""

    close_asked = Signal()

    def __init__(self, themes: ThemeManager, icons: IconShelf, settings: QSettings, notice: Notice) -> None:
        super().__init__()
        self._themes, self._settings = themes, settings
        self._divided = False  # whether the main division is the user's
        self._difference_at: float | None = None  # the time of the difference in the sentence
        self._none_so_far = False  # which it says as runs are still being made
        as_panel(self)
        self.notice = notice  # of its window
        self.exporter = Exporter(SaveDialog(self, settings), themes, self.notice, lambda: self.hint)
        self.scenario: Scenario | None = None
        self.comparison = RunComparison()
        self.threads = ComparedRunThreads(self)
        self.choices = ChoiceBar(themes)
        self.meshes = ComparedMeshes(themes)
        self.clock_bar = ClockBar(self.comparison.clock, themes, icons)
        self.figures = FiguresPanel(self.comparison, themes)
        links = Links(self.comparison.selection)
        self.differences = DifferenceBar(self.clock_bar.kind, links, themes, icons)
        self.differences.asked.connect(self.show_difference)
        self.sentence = self.differences.sentence
        self.export_button, self._export_menu = menu_button(
            icons, "download", tr("Export"), tr("Write meshes, plots and measures to files")
        )
        self.swap = tool_button(
            icons, "chart-line", tr("Show plots and measures, or fold them away (P)"), self._fold
        )
        self.swap.setCheckable(True)
        page = HelpPage("comparison", tr("Runs side by side"), comparison_page())
        self.help = TopicHelp(self, themes, icons, page)
        self._arrange()
        self._connect()
        for key, splitter in self._splitters().items():
            restored = divide_as_kept(splitter, settings, f"comparison/{key}")
            self._divided = self._divided or (restored and splitter is self.splitter)
        Sizing(themes, self).rule(self._divide)

    def show_scenario(self, scenario: Scenario, time: float, job: int | None) -> None:
        """Compare runs of a scenario from a moment on, with a job selected."""
        if scenario != self.scenario:
            self.scenario = scenario
            self.choices.show_scenario(scenario)
        self.comparison.show_time(time)
        self.comparison.select(job)

    def show_difference(self, way: int) -> None:
        """Go to the next difference (1) or the previous one (-1), and say what it is."""
        said = self.comparison.go_to_difference(way)
        self.differences.say([said])
        self._difference_at = self.comparison.clock.value
        self._none_so_far = not self.comparison.over and not any(piece.link for piece in pieces_of(said))

    def _leave_difference(self) -> None:
        """Say nothing of a difference once the clock is elsewhere."""
        if self._difference_at not in {None, self.comparison.clock.value}:
            self.say("")

    @property
    def title(self) -> str:
        """What its tab says: other scenarios may be open beside it."""
        return ": ".join(filter(None, (tr("Runs side by side"), self.hint)))

    @property
    def hint(self) -> str:
        """Whose runs it compares."""
        scenario = self.scenario
        return "" if scenario is None else tr_page(scenario.title) or tr("Untitled")

    def say(self, sentence: str) -> None:
        """Say what has been done, until the next difference."""
        self.differences.say([sentence])
        self._difference_at, self._none_so_far = None, False

    @property
    def drawn(self) -> Sequence[QWidget]:
        """Its meshes, where all are in sight."""
        area, meshes = self._area, [column.mesh for column in self.meshes.columns]
        whole = self.meshes.height() <= area.height() and not any(mesh.isHidden() for mesh in meshes)
        return meshes if whole and meshes else (area,)

    def take_keys(self) -> None:
        """Put the keys into the first mesh."""
        if self.meshes.columns:
            self.meshes.columns[0].mesh.canvas.setFocus()

    def strip(self, on: bool) -> None:
        """Leave meshes, clock and differences alone, or show all again."""
        if on != self._top.isHidden():
            self._top.setHidden(on)
            self.swap.setChecked(not on and self._has_room and not self._folded)
            self._show_parts()

    def present(self, *, on: bool) -> None:
        """Have meshes, names and the difference in the letters of a lecture, or of the desk."""
        self.meshes.present(on=on)
        self.differences.present(on=on)
        self.figures.table.set_zoom(_LECTURE_TABLE if on else 1.0)

    def deselect(self) -> bool:
        """Deselect the job; whether one was selected."""
        selected = any(run.selection.job is not None for run in self.comparison.runs)
        self.comparison.select(None)
        return selected

    def end(self) -> None:
        """Stop the runs, and keep how the page is divided."""
        for key, splitter in self._splitters().items():
            keep_division(self._settings, f"comparison/{key}", splitter)
        if not self._divided:
            self._settings.remove("comparison/beside")  # it is divided by its width again
        self.comparison.clock.pause()
        self.threads.stop()

    # Parts

    def _arrange(self) -> None:
        sizing = Sizing(self._themes, self)
        choices = sizing.row(
            (self.choices, 1), self.swap, self.export_button, self.help, margins=(12, 6, 12, 6), spacing=8
        )
        top = self._top = widget_of(sizing.column(choices, hairline()))
        area = self._area = scroll_area(self.meshes)
        self._folded, self._has_room = False, False
        middle = self._meshes_side = QWidget()
        sizing.column((area, 1), hairline(), self.clock_bar, self.differences, on=middle)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for part in (middle, self.figures):
            self.splitter.addWidget(part)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.splitterMoved.connect(self._keep_division)
        sizing.column(top, (self.splitter, 1), on=self)
        sizing.icons(16, self.export_button)
        sizing.call(self.figures.setMinimumHeight, 60)

    def _connect(self) -> None:
        comparison, clock = self.comparison, self.comparison.clock
        self.choices.edited.connect(self._compare)
        self.choices.refused.connect(partial(self.notice.tell, topic=Topic.CHOICE))
        self.exporter.done.connect(self.say)
        self._export_menu.aboutToShow.connect(self._fill_export_menu)
        self.threads.recorded.connect(self._record)
        self.threads.measured.connect(self._measure)
        self.threads.failed.connect(self._fail)
        self.threads.held.connect(self._hold)
        follow(self, comparison.known, self._show_known)
        follow(self, clock.changed, self.figures.show_moment)
        follow(self, clock.changed, self._leave_difference)
        follow(self, clock.changed, self.meshes.hurry)

    def commands(self) -> list[Command]:
        """What the keys of the window do while its tab is shown."""
        return [
            *self._clock_commands(),
            *self._run_commands(),
            *commands_in(
                tr("File"),
                *exporter_commands(lambda: self.exporter),
                None,
                Command(
                    "file.close-scenario",
                    tr("Close the comparison"),
                    tr("Close the tab of the comparison, and go back to the scenario"),
                    self.close_asked.emit,
                    ("Ctrl+W",),
                    "x",
                ),
            ),
        ]

    def _clock_commands(self) -> list[Command]:
        clock, step = self.comparison.clock, tr("Go on or back by one step of the clock, for all runs")
        leap, speed = tr("Go on or back by ten steps of the clock"), tr("Let the clock run faster or slower")
        return move_commands(
            Moves(
                clock.toggle,
                Move(partial(clock.step, 1), step),
                Move(partial(clock.step, -1), step),
                Move(partial(clock.leap, 1), leap),
                Move(partial(clock.leap, -1), leap),
                clock.first,
                clock.last,
                Move(partial(clock.change_speed, 1), speed),
                Move(partial(clock.change_speed, -1), speed),
            )
        )

    def _run_commands(self) -> list[Command]:
        return commands_in(
            tr("Run"),
            Command(
                "run.next-difference",
                tr("Next difference"),
                tr("Go to the next job that the runs treat differently"),
                partial(self.show_difference, 1),
                ("D",),
                "chevron-right",
            ),
            Command(
                "run.previous-difference",
                tr("Previous difference"),
                tr("Go to the previous job that the runs treat differently"),
                partial(self.show_difference, -1),
                ("Shift+D",),
                "chevron-left",
            ),
            Command(
                "panel.plots",
                tr("Plots and measures"),
                tr("Show plots and measures, or fold them away"),
                self.swap.click,
                ("P", "Ctrl+7"),
                "chart-line",
            ),
        )

    # Runs

    def _compare(self) -> None:
        """Compare what is chosen, and make the runs that are not there yet."""
        if self.scenario is None:
            return
        self.notice.clear()
        self._take_back()  # a run that would take long asks again
        self.differences.say([])
        self.comparison.compare(self.scenario, self.choices.part, self.choices.chosen)
        self.meshes.show_runs(self.comparison.runs, tr_page(self.scenario.title))
        self._show_parts()
        self._show_known()
        if self.isVisible():
            self._make()

    def _make(self) -> None:
        """Make the runs that are not there yet, and say why there is one alone."""
        if self.choices.alone:
            self.notice.tell(self.choices.alone, topic=Topic.CHOICE)
        self.threads.make(self.comparison.runs)

    def _take_back(self) -> None:
        """Take back what was said and asked about its runs."""
        for topic in (Topic.CHOICE, Topic.COMPARED):
            self.notice.withdraw(topic)

    def _record(self, run: ComparedRun, recording: Recording) -> None:
        self.comparison.record(run, recording)

    def _measure(self, run: ComparedRun, measures: RunMeasures) -> None:
        self.comparison.measure(run, measures)

    def _fail(self, run: ComparedRun, fault: str) -> None:
        self.comparison.fail(
            run, tr("The run with {run} stopped: {fault}.").format(run=run.name, fault=fault)
        )

    def _hold(self, run: ComparedRun, expected: str) -> None:
        """Ask whether runs that would take long may do so."""
        self.comparison.hold(run, expected)
        held = [run for run in self.comparison.runs if run.held]
        self.notice.tell(
            " ".join(f"{run.name}: {run.held}" for run in held),  # untranslated: a name and its sentence
            (tr("Run it"), tr("Run it all the same; it can be stopped at any time"), self._go_on),
            topic=Topic.COMPARED,
        )

    def _go_on(self) -> None:
        self.notice.withdraw(Topic.COMPARED)
        self.comparison.agree()
        self.threads.make(self.comparison.runs)

    def _show_known(self) -> None:
        if self._none_so_far and self.comparison.over:
            self.say("")
        self.meshes.refresh()
        self.figures.show_runs()
        self._divide()

    # Exports

    def _fill_export_menu(self) -> None:
        menu = self._export_menu
        menu.clear()
        exporter = self.exporter
        menu.addAction(tr("All meshes…"), lambda: exporter.ask_about(list(self.meshes.pictures())))
        for column in self.meshes.columns:
            name = literal(column.run.name)
            act = partial(exporter.ask_about, list(column.mesh.pictures()))
            menu.addAction(tr("Mesh of {name}…").format(name=name), act).setEnabled(not column.run.fault)
        menu.addAction(tr("Plot…"), lambda: exporter.ask_about(list(self.figures.chart.pictures())))
        menu.addSeparator()
        for table in self.figures.table.tables():
            menu.addAction(tr("Measures as CSV…"), partial(exporter.export, table))
            menu.addAction(tr("Copy measures"), partial(exporter.copy, table))

    # Opening and closing

    def _splitters(self) -> dict[str, QSplitter]:
        return {"beside": self.splitter, "figures": self.figures.splitter}

    def _fold(self) -> None:
        """Show plots and measures, or fold them away; they stay so wherever there is room for both."""
        if self._has_room:
            self._folded = not self.swap.isChecked()
        self._show_parts()

    def _show_parts(self) -> None:
        """Show meshes and figures beside each other, or in turns where the page is too narrow."""
        meshes = self.width() - self._share - self.splitter.handleWidth()
        enough = meshes >= self._themes.px(_MESH) * len(self.meshes.columns)
        has_room = enough and self._needed <= self._share
        if has_room != self._has_room:
            self._has_room = has_room
            self.swap.setChecked(has_room and not self._folded)
        style = Qt.ToolButtonStyle
        self.export_button.setToolButtonStyle(
            style.ToolButtonTextBesideIcon if has_room else style.ToolButtonIconOnly
        )
        self._meshes_side.setVisible(has_room or not self.swap.isChecked())
        self.figures.setVisible(self.swap.isChecked())

    def _divide(self) -> None:
        """Give the plots and measures their share of the width or the user's, and what their names need."""
        self._show_parts()
        if not self._divided:
            self.splitter.setSizes([self.width() - self._share, self._share])
        elif 0 < self.figures.width() < self._needed:
            self.splitter.setSizes([self.width() - self._needed, self._needed])

    @property
    def _share(self) -> int:
        """The width for plots and measures beside the meshes, which have the larger part."""
        return self.width() * _SHARE // 100 - self.splitter.handleWidth()

    @property
    def _needed(self) -> int:
        """The width that plots and measures need: that of the names of all measures."""
        return max(self.figures.table.width_of_few, self._themes.px(_BESIDE))

    def _keep_division(self) -> None:
        self._divided = True
        self._divide()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Divide the new height, until the user has divided it."""
        super().resizeEvent(event)
        self._divide()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Make the runs; only now does the splitter have its height."""
        super().showEvent(event)
        self._divide()
        self._make()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Take its questions along: they are asked again as it is shown again."""
        super().hideEvent(event)
        self._take_back()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """Show the exports of the widget under the pointer."""
        child = self.childAt(event.pos())
        if child is not None:
            self.exporter.show_menu(child, event.globalPos())

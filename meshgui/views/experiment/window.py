"""The experiment window: what is run at the left, what it comes to at the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from PySide6.QtCore import QByteArray, QEventLoop, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QContextMenuEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QMessageBox, QSplitter, QVBoxLayout, QWidget

from meshgui.catalogue.published_values import PublishedValue
from meshgui.engine.scenario import Scenario
from meshgui.experiment.executors import Executor
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import PointResult
from meshgui.experiment.store import ExperimentRecord
from meshgui.experiment.sweep import SweepProgress
from meshgui.model.experiment_charts import Results
from meshgui.model.experiment_words import end_words, forecast_words
from meshgui.views.batch.store_chooser import STORE_FILTER
from meshgui.views.experiment.exports import ExperimentExports
from meshgui.views.experiment.plan import ExperimentPlan
from meshgui.views.experiment.results import ExperimentResults
from meshgui.views.experiment.run_bar import ExperimentRunBar
from meshgui.views.experiment.store_reader import StoredExperiment, StoreReader
from meshgui.views.experiment.worker import (
    ComputeTarget,
    DraftForecast,
    ExperimentWorker,
    PublishedLookup,
    executor_at,
    nothing_published,
)
from meshgui.views.help.experiments_help import ExperimentsHelp
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.list_popup import ListItem, ListPopup
from meshgui.views.widgets.notice import Notice

__all__ = ["ExperimentWindow"]

_SIZE: Final = QSize(1400, 900)
_LEFT: Final = 360
_FRAME: Final = QSize(16, 48)
_REST_SHARE: Final = 3.0  # times as long as drawing the results took, nothing is drawn
_REST: Final = 300  # milliseconds without an edit before a draft is looked through


class ExperimentWindow(QWidget):
    """Puts plan, run and results together, and is all that talks to the experiment's thread."""

    scenario_asked = Signal()  # the scenario that is open in the main window is wanted
    run_asked = Signal(object)  # a Scenario that is to be seen in the mesh

    def __init__(
        self,
        themes: ThemeManager,
        icons: IconShelf,
        settings: QSettings,
        executor_at: Callable[[ComputeTarget], Executor] = executor_at,
        published_of: PublishedLookup = nothing_published,
    ) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self._themes, self._settings = themes, settings
        self._executor_at, self._published_of = executor_at, published_of
        self._thread: ExperimentWorker | None = None
        self._ended_threads: list[ExperimentWorker] = []  # told to end, and not gone yet
        self._readers: list[StoreReader] = []
        self._asked = 0
        self._experiment: Experiment | None = None  # of the newest draft, once it has been looked through
        self._place = ComputeTarget()
        self._running = False
        self._latest: Results | None = None  # of the run
        self._drawn_again = 0.0  # when results may be drawn again
        self._waiting = QEventLoop(self)
        self._moving = False  # whether runs are on their way from memory to a file
        self._unkept = False  # whether memory alone has runs that somebody waited for
        self._shown_from: Path | None = None  # the store that has what is shown; None: memory
        self._resting = QTimer(self, singleShot=True, interval=_REST)
        self._resting.timeout.connect(self._look_through)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.notice = Notice(themes, icons)
        self.plan = ExperimentPlan(themes, icons)
        self.run_bar = ExperimentRunBar(themes)
        self.results = ExperimentResults(themes)
        self.exports = ExperimentExports(self, self.results, themes, icons, settings, lambda: self._running)
        self.help = ExperimentsHelp(self, themes, icons)
        self.results.chart_tools.addWidget(self.help)
        self._lay_out()
        self._connect()
        self._restore()
        themes.changed.connect(self._wear)
        self._wear()

    # What the main window calls

    @property
    def scenario(self) -> Scenario | None:
        """What every point is made from."""
        return self.plan.scenario

    @property
    def busy(self) -> bool:
        """Whether runs are being made."""
        return self._running

    @property
    def in_use(self) -> bool:
        """Whether there is something that another scenario would disturb."""
        return self._running or self._unkept or (self.isVisible() and bool(self.plan.rows))

    def show_scenario(self, scenario: Scenario) -> None:
        """Vary this scenario; a window that is opened on it anew keeps no field that it has not."""
        if scenario != self.plan.scenario:
            self.plan.show_scenario(scenario)
            if not self.isVisible():
                self.plan.drop_unknown()
        self.plan.other.hide()
        self._retitle()
        self._edited()

    def offer_scenario(self, scenario: Scenario | None) -> None:
        """Another scenario is open in the main window: it can be taken."""
        self.plan.other.setVisible(scenario is not None and scenario != self.plan.scenario)

    def vary(self, key: str) -> None:
        """Add a field to what is varied."""
        if not self._running:
            self.plan.vary(key)

    def may_close(self) -> bool:
        """Whether the window may close: nothing would be lost, or somebody says so."""
        if self._running:
            box = self._question("The experiment is running.", "Every run made so far is kept in the store.")
            if self.plan.store.path is None:
                box.setInformativeText("Its runs are in memory only: they are lost when it is closed.")
            stop = box.addButton("Stop and close", QMessageBox.ButtonRole.DestructiveRole)
            box.setDefaultButton(box.addButton("Keep running", QMessageBox.ButtonRole.RejectRole))
            box.exec()
            return box.clickedButton() is stop
        if self._unkept:
            box = self._question("The runs are in memory only.", "They are lost when the window is closed.")
            keep = box.addButton("Keep in a file…", QMessageBox.ButtonRole.AcceptRole)
            close = box.addButton("Close", QMessageBox.ButtonRole.DestructiveRole)
            box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
            box.setDefaultButton(keep)
            box.exec()
            if box.clickedButton() is keep:
                return self.plan.store.ask_new() and self._is_moved()
            return box.clickedButton() is close
        return True

    def leave(self) -> bool:
        """Close with the program, if it may; whether it is closed."""
        if self.isVisible() and not self.close():
            return False
        self.end()
        return True

    def end(self) -> None:
        """Stop whatever is done, without a question."""
        self._resting.stop()
        self._running = self._unkept = False
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.end()
            self._ended_threads.append(thread)
            if not thread.isRunning():
                self._ended_threads.remove(thread)

    def wait(self) -> None:
        """Stop, and return when every thread is gone."""
        self.end()
        for thread in (*self._ended_threads, *self._readers):
            thread.wait()

    # The draft

    def _edited(self) -> None:
        """Something was edited: what it will take is found out once the hands are at rest."""
        self._experiment = None
        self._asked = 0
        self.run_bar.show_plan(self.run_bar.words.text(), ready=False)
        self._resting.start()

    def _look_through(self, *, trial: bool = True) -> None:
        draft, place = self.plan.draft(), self.plan.compute_target.target()
        if draft is None or place is None:
            self.run_bar.show_plan("", ready=False)
            return
        self._place = place
        self.run_bar.show_plan("Looking through the points.", ready=False)
        self._asked = self._worker().foresee(draft, self.plan.store.path, place, trial=trial)

    def _foreseen(self, answer: DraftForecast) -> None:
        if answer.number != self._asked or self._running:
            return
        self.plan.store.complaint.say(answer.fault if answer.of_store else "")
        if answer.experiment is None or answer.forecast is None:
            if not answer.of_store:
                self.plan.blame(answer.fault, answer.row)
            self.run_bar.show_plan("", ready=False)
            return
        found = answer.forecast
        self._experiment = answer.experiment
        words = forecast_words(found, self._place.words)
        pending = "; trying a few" if not answer.last else ""
        self.run_bar.show_plan(f"{words}{pending}", ready=bool(found.likely))
        self.run_bar.show_failures(answer.results)
        if any(point.runs > 1 or point.decided or point.fault for point in answer.results):
            self._shown_from = self.plan.store.path
            found_now = Results(answer.experiment, answer.results, published=answer.published)
            self.results.show_results(found_now, self.plan.words)
        else:
            self.results.clear(ready=True)

    # The run

    def start(self) -> None:
        """Make the runs, if it is known what they are and there is something to do."""
        experiment = self._experiment
        if experiment is None or self._running or not self.run_bar.start.isEnabled():
            return
        self._running = True
        self._latest, self._drawn_again = None, 0.0
        self._unkept = self.plan.store.path is None
        self._shown_from = self.plan.store.path
        self.notice.dismiss()
        self.plan.allow(editing=False)
        self.run_bar.show_start()
        self._worker().sweep(experiment, self.plan.store.path, self._place)

    def _progressed(
        self, progress: SweepProgress, results: list[PointResult], published: Sequence[PublishedValue]
    ) -> None:
        if self._experiment is None or not self._running:
            return
        self.run_bar.show_progress(progress)
        self.run_bar.show_failures(results)
        self._latest = Results(self._experiment, results, published=published)
        begun = monotonic()
        if begun >= self._drawn_again:  # of thousands of points not so often that nothing else can be done
            self.results.show_results(self._latest, self.plan.words, running=True)
            self._drawn_again = monotonic() + _REST_SHARE * (monotonic() - begun)

    def _ended(self, whole: bool) -> None:
        if not self._running:
            return
        self._stop_running()
        if not whole:
            self._look_through(trial=False)
            return
        shown = self.results.results
        points = [] if shown is None else list(shown.points)
        precision = 0.0 if shown is None else shown.experiment.target.precision
        self.run_bar.show_plan(end_words(points, precision), ready=any(point.fault for point in points))

    def _failed(self, fault: str) -> None:
        if self._running:
            self._stop_running()
            self.run_bar.show_plan("The experiment stopped; every run made is kept.", ready=True)
            self.run_bar.show_fault(fault)
        else:
            self.notice.tell(fault)

    def _store_gone(self, fault: str) -> None:
        """The file was deleted during the run: memory has what was made, and can be kept in another file."""
        if not self._running:
            return
        self._stop_running()
        self._unkept = True
        self._shown_from = None
        self.plan.store.show_path(None)
        self.notice.tell(fault)
        self._look_through(trial=False)

    def _stop_running(self) -> None:
        self._running = False
        self.plan.allow(editing=True)
        if self._latest is not None:
            self.results.show_results(self._latest, self.plan.words)

    def _cancel(self) -> None:
        self.run_bar.show_stopping()
        self._worker().cancel()

    def _worker(self) -> ExperimentWorker:
        """The experiment's thread, made when there is something for it to do."""
        if self._thread is None:
            thread = ExperimentWorker(self._executor_at, self._published_of)
            thread.foreseen.connect(self._foreseen)
            thread.progressed.connect(self._progressed)
            thread.waiting.connect(self.run_bar.show_waiting)
            thread.stuck.connect(self.run_bar.show_stuck)
            thread.ended.connect(self._ended)
            thread.gone.connect(self._store_gone)
            thread.moved.connect(self._moved)
            thread.bundled.connect(self.exports.bundle_written)
            thread.failed.connect(self._failed)
            thread.finished.connect(partial(self._gone, thread))
            self._thread = thread
        return self._thread

    def _gone(self, thread: ExperimentWorker) -> None:
        if thread in self._ended_threads:
            self._ended_threads.remove(thread)
        if thread is self._thread:  # it died of a fault of the program: nothing is made any more
            self._thread = None
            self._moved(False)
            self.exports.forget()
            self._failed("The experiment's thread died of a fault in the program.")
        thread.deleteLater()

    # Stores

    def _keep_in(self, path: Path) -> None:
        """Keep the runs in a file from now on, and put those of memory there."""
        if self._unkept and self.results.results is not None:
            self._moving = True
            self._worker().move(self.results.results.experiment, path)
        else:
            self._unkept = False
        self.plan.store.show_path(path)
        self._edited()

    def _moved(self, whole: bool) -> None:
        self._moving = False
        self._unkept = self._unkept and not whole
        self._waiting.quit()

    def _is_moved(self) -> bool:
        """Wait until what memory had is in the file, handling events meanwhile; whether it is."""
        if self._moving:  # the answer is handled in this very loop, never before it
            self._waiting.exec()
        return not self._unkept

    def _keep_in_memory(self) -> None:
        self._edited()

    def _open_store(self, path: Path) -> None:
        self._read(path, None, partial(self._choose_sweep, self.plan.store.open, self._open_sweep))

    def _open_sweep(self, found: StoredExperiment) -> None:
        """Show an experiment of a store without running anything."""
        if not self._may_drop():
            return
        self._unkept = False
        self.plan.show_experiment(found.experiment)
        self.plan.store.show_path(found.path)
        self.plan.other.hide()
        self._retitle()
        self._resting.stop()
        self._shown_from = found.path
        self.results.show_results(Results(found.experiment, found.results), self.plan.words)
        self.run_bar.show_failures(found.results)
        self._look_through(trial=False)

    def _may_drop(self) -> bool:
        """Whether runs in memory may be given up for what is opened."""
        return not self._unkept or self.may_close()

    def _ask_compare(self) -> None:
        path = self.plan.store.path
        folder = str(path.parent) if path is not None else ""
        name, _ = QFileDialog.getOpenFileName(self, "Compare with a store", folder, STORE_FILTER)
        if name:
            chooser = partial(self._choose_sweep, self.results.compare_button, self._compare)
            self._read(Path(name), None, chooser)

    def _compare(self, found: StoredExperiment) -> None:
        name = f"{found.path.stem}" if not found.experiment.title else found.experiment.title
        shown = self.results.results
        if shown is not None and name == (shown.experiment.title or self.plan.title.text()):
            name = found.path.stem  # of the same scenario: told apart by the file
        self.results.compare(Results(found.experiment, found.results, name))

    def _choose_sweep(
        self,
        button: QWidget,
        use: Callable[[StoredExperiment], None],
        path: Path,
        sweeps: list[ExperimentRecord],
    ) -> None:
        """One of a store's experiments: the only one, or the one picked from a list."""
        if not sweeps:
            if button is self.plan.store.open:
                self._keep_in(path)
            else:
                self.notice.tell(f"{path}: there is no experiment in it yet.")
        elif len(sweeps) == 1:
            self._read(path, sweeps[0], use)
        else:
            lines = [ListItem(sweep, _line(sweep)) for sweep in sweeps]
            popup = ListPopup(self._themes, button, ticked=False)
            popup.picked.connect(lambda place: self._read(path, sweeps[place], use))
            popup.closed.connect(popup.deleteLater)
            popup.open_below(button, lines, {0})

    def _read(self, path: Path, sweep: ExperimentRecord | None, use: Callable[..., None]) -> None:
        reader = StoreReader(path, sweep)
        reader.setParent(self)
        (reader.listed if sweep is None else reader.read).connect(use)
        reader.failed.connect(self.notice.tell)
        reader.finished.connect(partial(self._has_read, reader))
        self._readers.append(reader)
        reader.start()

    def _has_read(self, reader: StoreReader) -> None:
        self._readers.remove(reader)
        reader.deleteLater()

    def _bundle(self, experiment: Experiment, path: Path) -> None:
        self._worker().bundle(experiment, self._shown_from, path)

    # Looks and Qt's events

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.plan, 1)
        column.addWidget(self.run_bar)
        self._left = left
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.results)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(1, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.notice)
        whole.addWidget(self.splitter, 1)

    def _connect(self) -> None:
        plan, bar = self.plan, self.run_bar
        plan.edited.connect(self._edited)
        plan.scenario_asked.connect(self.scenario_asked)
        plan.store.created.connect(self._keep_in)
        plan.store.opened.connect(self._open_store)
        plan.store.forgotten.connect(self._keep_in_memory)
        bar.start_asked.connect(self.start)
        bar.pause_asked.connect(lambda: self._worker().pause())
        bar.resume_asked.connect(lambda: self._worker().resume())
        bar.cancel_asked.connect(self._cancel)
        bar.again_asked.connect(lambda: self._worker().try_again())
        self.results.opened.connect(self.run_asked)
        self.results.compare_asked.connect(self._ask_compare)
        self.exports.bundle_asked.connect(self._bundle)
        self.exports.failed.connect(self.notice.tell)
        for keys, act in (
            ("Ctrl+Return", self.start),
            ("Ctrl+Enter", self.start),  # the one of the number block
            ("Ctrl+W", self.close),
        ):
            QShortcut(QKeySequence(keys), self, act)

    def _question(self, text: str, more: str) -> QMessageBox:
        box = QMessageBox(self)
        box.setWindowTitle("Close the experiment?")
        box.setText(text)
        box.setInformativeText(more)
        return box

    def _retitle(self) -> None:
        title = self.plan.scenario.title if self.plan.scenario is not None else ""
        self.setWindowTitle(f"{title or 'Untitled'} – Experiment – MeshGUI")

    def _wear(self) -> None:
        px = self._themes.px
        self._left.setMinimumWidth(px(300))
        if not self._restored:
            width = max(self.splitter.width(), self.width())
            self.splitter.setSizes([px(_LEFT), max(width - px(_LEFT), px(_LEFT))])

    def _restore(self) -> None:
        self._restored = False
        self.resize(_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        geometry = self._settings.value("experiment/geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        across, down = self._settings.value("experiment/across"), self._settings.value("experiment/down")
        if isinstance(across, QByteArray):
            self._restored = self.splitter.restoreState(across)
        if isinstance(down, QByteArray):
            self.results.splitter.restoreState(down)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """What can be exported of what is under the pointer."""
        self.exports.show_menu(self.childAt(event.pos()), event.globalPos())

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Ask where something would be lost; then stop, and remember how the window stood."""
        if not self.may_close():
            event.ignore()
            return
        self._remember()
        self.end()
        self.plan.allow(editing=True)
        self.results.clear(ready=False)
        self.exports.forget()
        super().closeEvent(event)

    def showEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        """Find out anew what it takes: what memory had is gone with the last closing."""
        super().showEvent(event)  # type: ignore[arg-type]
        if self._thread is None and self.plan.scenario is not None:
            self._edited()

    def _remember(self) -> None:
        self._settings.setValue("experiment/geometry", self.saveGeometry())
        self._settings.setValue("experiment/across", self.splitter.saveState())
        self._settings.setValue("experiment/down", self.results.splitter.saveState())


def _line(sweep: ExperimentRecord) -> str:
    """An experiment of a store in one line."""
    axes = ", ".join(str(axis.get("key")) for axis in sweep.data.get("axes", ()))
    begun = sweep.begun.replace("T", " ").partition("+")[0]
    return f"{sweep.title or 'Untitled'} · {axes or 'one point'} · {begun}"

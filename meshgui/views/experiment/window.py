"""The experiment window: the plan on the left, results on the right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from PySide6.QtCore import QSettings, QSize, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QSplitter, QWidget

from meshgui.catalogue.published_values import PublishedValue
from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.scenario import Scenario
from meshgui.experiment.executors import Executor
from meshgui.experiment.grid import Experiment
from meshgui.experiment.preview import Preview
from meshgui.experiment.results import PointResult
from meshgui.experiment.store import ExperimentRecord
from meshgui.experiment.sweep import SweepProgress
from meshgui.model.base.list_item import ListItem
from meshgui.model.fields.field_schema import in_words
from meshgui.model.studies.compute_target import ComputeTarget, executor_for
from meshgui.model.studies.experiment_charts import Results
from meshgui.model.studies.experiment_session import DraftForecast, ExperimentSession, StoredExperiment
from meshgui.views.batch.batch_window import BatchWindow
from meshgui.views.batch.store_chooser import STORE_FILTER
from meshgui.views.experiment.exports import ExperimentExports
from meshgui.views.experiment.live import LiveBar
from meshgui.views.experiment.plan import ExperimentPlan
from meshgui.views.experiment.results import NOTHING, READY, RUNNING, ExperimentResults
from meshgui.views.experiment.run_bar import ExperimentRunBar
from meshgui.views.experiment.store_reader import StoreReader
from meshgui.views.experiment.worker import ExperimentWorker, PublishedLookup, nothing_published
from meshgui.views.style.direction import among_words
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.list_popup import ListPopup
from meshgui.views.widgets.notice import Topic
from meshgui.views.widgets.notice_place import NoticePlace
from meshgui.views.widgets.question import Question
from meshgui.views.widgets.tasks import Heard, Tasks

_SIZE: Final = QSize(1400, 900)
_LEFT: Final = 360
_REST_SHARE: Final = 3.0  # times as long as drawing the results took, nothing is drawn
_REST: Final = 300  # milliseconds without an edit before a draft is looked through


class ExperimentWindow(BatchWindow[ExperimentWorker]):
    """Combines plan, run bar and results, and gives the experiment's worker its orders."""

    scenario_asked = Signal()  # the scenario that is open in the main window is wanted
    run_asked = Signal(object)  # a Scenario that is to be seen in the mesh

    def __init__(
        self,
        themes: ThemeManager,
        icons: IconShelf,
        settings: QSettings,
        executor_for: Callable[[ComputeTarget], Executor] = executor_for,
        published_of: PublishedLookup = nothing_published,
    ) -> None:
        self.session = ExperimentSession()
        super().__init__("experiment", self.session, themes, icons, settings)
        self._executor_for, self._published_of = executor_for, published_of
        self._reading = Tasks[None, StoreReader](self)
        self._redraw_at = 0.0  # when results may be drawn again
        self._resting = QTimer(self, singleShot=True, interval=_REST)
        self._resting.timeout.connect(self._look_through)
        self.plan = ExperimentPlan(self.save_dialog, themes, icons)
        self.run_bar = ExperimentRunBar(self.session, themes)
        self.results = ExperimentResults(themes)
        self.exports = ExperimentExports(self.exporter, self.results, self.session, themes, icons)
        self.live = LiveBar(themes, self.plan.draft)
        self.results.show_above(self.live)
        self.results.tools.add(self.live.button)
        self.results.tools.add(self.exports.button)
        self.results.tools.add(self.help)
        self._assemble(self.plan, self.run_bar, self.plan.store, self.results, _SIZE, _LEFT)
        NoticePlace(self.notice, self, self.results.chart, themes)
        self._connect()

    # What the main window calls

    @property
    def scenario(self) -> Scenario | None:
        """What every point is made from."""
        return self.plan.scenario

    @property
    def in_use(self) -> bool:
        """Whether another scenario would disturb a run, unsaved runs, or a draft."""
        return self.busy or self.session.unsaved or (self.isVisible() and bool(self.plan.rows))

    def show_scenario(self, scenario: Scenario) -> None:
        """Vary this scenario; a window that is opened again drops the fields that it does not have."""
        if scenario != self.plan.scenario:
            self.plan.show_scenario(scenario)
            if not self.isVisible():
                self.plan.drop_unknown()
        self.plan.other.hide()
        self._retitle()
        self._edited()

    def show_experiment(self, experiment: Experiment) -> None:
        """Fill in an experiment; one that runs, or has unsaved runs, stays unless the user agrees."""
        if not self.busy:
            self.closing.attempt(partial(self._fill_in, experiment))

    def _fill_in(self, experiment: Experiment) -> None:
        self.plan.show_experiment(experiment)
        self.plan.other.hide()
        self._retitle()
        self._edited()

    def offer_scenario(self, scenario: Scenario | None) -> None:
        """Offer the scenario that is open in the main window."""
        self.plan.other.setVisible(scenario is not None and scenario != self.plan.scenario)

    def vary(self, key: str) -> None:
        """Add a field to what is varied."""
        if not self.busy:
            self.plan.vary(key)

    def questions(self) -> Iterator[Question]:
        title = tr("Close the experiment?")
        if self.busy:
            more = self._kept
            if self.session.store is None:
                more = tr("Its runs are in memory only: they are lost when it is closed.")
            yield self._stop_question(title, tr("The experiment is running."), more)
        elif self.session.unsaved and not self.session.moving:
            lost = tr("They are lost when the window is closed.")
            yield self._loss_question(title, lost, tr("Close"))

    def writing(self) -> str:
        return super().writing() or self.exports.writing

    # The draft

    def _edited(self) -> None:
        """Order a forecast once no edit has followed for a moment."""
        self.session.edit()
        self._resting.start()
        self.live.follow_draft()

    def _look_through(self, *, trial: bool = True) -> None:
        draft, target = self.plan.draft(), self.plan.compute_target.target()
        if draft is None or target is None:
            self.session.reject_draft()
            return
        number = self._worker().order_forecast(draft, self.session.store, target, trial=trial)
        self.session.await_forecast(number, target)

    def _take_forecast(self, answer: DraftForecast) -> None:
        if not self.session.take_forecast(answer):
            return
        self.plan.store.error_line.say(answer.fault if answer.of_store else "")
        if answer.fault and not answer.of_store:
            self.plan.blame(answer.fault, answer.row)

    # The run

    def start(self) -> None:
        """Start the runs, if the draft is valid and there is something to run."""
        experiment = self.session.start()
        if experiment is None:
            return
        self._redraw_at = 0.0
        self.notice.clear()
        self._worker().sweep(experiment, self.session.store, self.session.target)

    def _progressed(
        self, progress: SweepProgress, results: list[PointResult], published: Sequence[PublishedValue]
    ) -> None:
        self.session.report(progress, results, published)

    def _ended(self, whole: bool) -> None:
        if not self.busy:
            return
        self.session.end(whole=whole)
        self._show_results()
        if not whole:
            self._look_through(trial=False)

    def _fail_runs(self, fault: str) -> None:
        self.session.fail(fault)
        self._show_results()

    def _lose_store(self, fault: str) -> None:
        """Report that the file was deleted during the run."""
        if not self.busy:
            return
        self.session.lose_store()
        self._show_results()
        self.notice.tell(fault)
        self._look_through(trial=False)

    def _reset(self) -> None:
        self._resting.stop()
        self.live.end()
        self._reading.end_all()
        self.session.reset()

    def _show_session(self) -> None:
        focused = self.focusWidget()
        self.plan.allow(editing=not self.busy)
        if self.busy and focused is not None and self.plan.isAncestorOf(focused):
            self.run_bar.take_focus()  # where Qt looks next is the button that cancels
        self.plan.store.show_path(self.session.store)
        self.live.allow(allowed=not self.busy)
        if self.session.results is None:
            self._show_results()

    def _show_preview(self, experiment: Experiment, preview: Preview) -> None:
        self.results.show_results(
            Results(experiment, preview.points), self.plan.words, running=not preview.last
        )

    def _show_results(self) -> None:
        """Draw the results; thousands of points not so often that the window would stall."""
        if self.live.active:
            return
        results, begun = self.session.results, monotonic()
        if results is None:
            ready = NOTHING if self.session.experiment is None else READY
            self.results.clear(RUNNING if self.busy else ready)
        elif not self.session.at_work or begun >= self._redraw_at:
            self.results.show_results(results, self.plan.words, running=self.session.at_work)
            self._redraw_at = monotonic() + _REST_SHARE * (monotonic() - begun)

    def _pause_or_resume(self) -> None:
        super()._pause_or_resume()
        self._show_results()

    def _make_worker(self) -> tuple[ExperimentWorker, tuple[Heard, ...]]:
        worker = ExperimentWorker(self._executor_for, self._published_of)
        return worker, (
            (worker.forecast_ready, self._take_forecast),
            (worker.progressed, self._progressed),
            (worker.gone, self._lose_store),
            (worker.bundled, self.exports.bundle_written),
        )

    def _abandon_orders(self) -> None:
        self.exports.forget()
        if not self.busy:
            self.session.reject_draft()

    # Stores

    def _keep_in(self, path: Path) -> None:
        experiment = self.session.keep_in(path)
        if experiment is not None:
            self._worker().move(experiment, path)
        self._edited()

    def _keep_in_memory(self) -> None:
        self.session.use_store(None)
        self._edited()

    def _open_store(self, path: Path) -> None:
        self._read(path, None, partial(self._choose_sweep, self.plan.store.open, self._open_sweep))

    def _open_sweep(self, found: StoredExperiment) -> None:
        """Show an experiment of a store without running anything, once no unsaved run would be lost by it."""
        self.closing.attempt(partial(self._show_stored, found))

    def _show_stored(self, found: StoredExperiment) -> None:
        self.plan.show_experiment(found.experiment)
        self.plan.other.hide()
        self._retitle()
        self._resting.stop()
        self.session.open(found)
        self._look_through(trial=False)

    def _ask_compare(self) -> None:
        path = self.session.store
        folder = str(path.parent) if path is not None else ""
        name, _ = QFileDialog.getOpenFileName(self, tr("Compare with a store"), folder, STORE_FILTER)
        if name:
            chooser = partial(self._choose_sweep, self.results.compare_button, self._compare)
            self._read(Path(name), None, chooser)

    def _compare(self, found: StoredExperiment) -> None:
        name = f"{found.path.stem}" if not found.experiment.title else found.experiment.title
        shown = self.results.results
        if shown is not None and name == (shown.experiment.title or self.plan.title.text()):
            name = found.path.stem  # of the same scenario: distinguished by the file
        self.results.compare(Results(found.experiment, found.results, name))

    def _choose_sweep(
        self,
        button: QWidget,
        use: Callable[[StoredExperiment], None],
        path: Path,
        sweeps: list[ExperimentRecord],
    ) -> None:
        """Use one of a store's experiments: the only one, or the one picked from a list."""
        if not sweeps:
            if button is self.plan.store.open:
                self._keep_in(path)
            else:
                said = tr("{path}: there is no experiment in it yet.").format(path=among_words(path))
                self.notice.tell(said, topic=Topic.STORE)
        elif len(sweeps) == 1:
            self._read(path, sweeps[0], use)
        else:
            lines = [ListItem(sweep, _line(sweep, self.plan.words)) for sweep in sweeps]
            popup = ListPopup(self._themes, button)
            popup.picked.connect(lambda place: self._read(path, sweeps[place], use))
            popup.open_below(button, lines, {0})

    def _read(self, path: Path, sweep: ExperimentRecord | None, use: Callable[..., None]) -> None:
        reader = StoreReader(path, sweep)
        found = reader.listed if sweep is None else reader.read
        fault = reader.failed, partial(self.notice.tell, topic=Topic.STORE)
        self._reading.start(None, reader, (found, use), fault)

    def _bundle(self, experiment: Experiment, path: Path) -> None:
        self._worker().bundle(experiment, self.session.results_store, path)

    # Opening and closing

    def _connect(self) -> None:
        plan, bar = self.plan, self.run_bar
        self.session.changed.connect(self._show_session)
        self.session.results_changed.connect(self._show_results)
        plan.edited.connect(self._edited)
        plan.scenario_asked.connect(self.scenario_asked)
        bar.start_asked.connect(self.start)
        self.live.previewed.connect(self._show_preview)
        self.live.toggled.connect(self._show_results)
        self.results.opened.connect(self.run_asked)
        self.results.compare_asked.connect(self._ask_compare)
        self.exports.bundle_asked.connect(self._bundle)
        run = Command(
            "run.start",
            tr("Start"),
            tr("Make the runs of every combination that is missing"),
            partial(self._start_or_resume, self.start),
            ("Ctrl+Return", "Ctrl+Enter"),  # the latter is the one of the number block
            "play",
            enabled_when=bar.may_start_or_resume,
        )
        self._publish(*commands_in(tr("Run"), run))

    def _retitle(self) -> None:
        title = tr_page(self.plan.scenario.title) if self.plan.scenario is not None else ""
        self.setWindowTitle(tr("{scenario} – Experiment – MeshGUI").format(scenario=title or tr("Untitled")))

    def _splitters(self) -> dict[str, QSplitter]:
        return {**super()._splitters(), "down": self.results.splitter}

    def _forget(self) -> None:
        self.session.clear()
        self.exports.forget()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Order a new forecast: the runs in memory are gone since the window was closed."""
        super().showEvent(event)
        if self._tasks.latest is None and self.plan.scenario is not None:
            self._edited()


def _line(sweep: ExperimentRecord, words: Mapping[str, str]) -> str:
    """Describe an experiment of a store in one line; a field that is not in the words by its last part."""
    keys = [str(axis.get("key")) for axis in sweep.data.get("axes", ())]
    axes = tr(", ").join(words.get(key) or in_words(key.rpartition(".")[2]) for key in keys)
    begun = sweep.begun.replace("T", " ").partition("+")[0]
    return f"{sweep.title or tr('Untitled')} · {axes or tr('one point')} · {begun}"

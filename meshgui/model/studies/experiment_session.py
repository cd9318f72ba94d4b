"""The state of the experiment window: the drafted experiment, its run, its results, and their store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from meshgui.catalogue.published_values import PublishedValue
from meshgui.engine.basics.translation import tr
from meshgui.experiment.forecast import Forecast
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import PointResult
from meshgui.experiment.sweep import SweepProgress
from meshgui.model.base.signals import Signal
from meshgui.model.studies.batch_session import BatchSession
from meshgui.model.studies.compute_target import ComputeTarget
from meshgui.model.studies.experiment_charts import Results
from meshgui.model.studies.experiment_words import end_words, forecast_words, progress_words

_STOPPED = tr("The experiment stopped; every run made is kept.")


class DraftForecast(NamedTuple):
    """The answer to a draft: an experiment with its forecast, or the reason why there is none."""

    number: int
    experiment: Experiment | None
    forecast: Forecast | None
    results: Sequence[PointResult]
    fault: str = ""
    row: int | None = None
    published: Sequence[PublishedValue] = ()
    of_store: bool = False  # whether it is the store that is at fault
    last: bool = True  # no better one follows
    other_code: bool = False  # whether runs are not taken, as a plug-in has changed since


class StoredExperiment(NamedTuple):
    """An experiment of a store with its stored runs."""

    path: Path
    experiment: Experiment
    results: list[PointResult]


class ExperimentSession(BatchSession):
    """An experiment from its draft to its results. `results_changed` comes before `changed`."""

    def __init__(self) -> None:
        super().__init__()
        self.results_changed: Signal[[]] = Signal()
        self.experiment: Experiment | None = None  # of the newest draft, once it has been checked
        self.target = ComputeTarget()
        self.ready = False  # whether there is something to start
        self.results: Results | None = None
        self.results_store: Path | None = None  # the store that has the results; None: memory
        self._awaited = 0  # the number of the forecast that counts

    @property
    def failures(self) -> list[str]:
        """The points that failed, and why."""
        points = () if self.results is None else self.results.points
        return [f"{', '.join(p.point.labels) or tr('The point')}: {p.fault}" for p in points if p.fault]

    # The draft

    def edit(self) -> None:
        """The draft was edited: forget what was known of it; what was said stays until more is known."""
        self.experiment = None
        self._awaited = 0
        self._plan(self.text)

    def reject_draft(self) -> None:
        """The draft makes no experiment yet."""
        self._plan("")

    def await_forecast(self, number: int, target: ComputeTarget) -> None:
        """A forecast has been ordered; its answer bears this number."""
        self._awaited, self.target = number, target
        self._plan(tr("Checking the points."))

    def take_forecast(self, answer: DraftForecast) -> bool:
        """Take the answer to the newest draft; whether it was that."""
        if answer.number != self._awaited or self.busy:
            return False
        if answer.experiment is None or answer.forecast is None:
            self._plan("")
            return True
        self.experiment = answer.experiment
        worth_showing = any(p.runs > 1 or p.decided or p.fault for p in answer.results)
        self.results = None
        if worth_showing:  # a run or none of each point says nothing yet
            self.results_store = self.store
            self.results = Results(answer.experiment, answer.results, published=answer.published)
        self.results_changed.emit()
        words = forecast_words(answer.forecast, self.target.words)
        if not answer.last:
            words = tr("{forecast}; trying a few").format(forecast=words)
        if answer.other_code:
            words = tr("{forecast}; runs of other code in the store are not used").format(forecast=words)
        self._plan(words, ready=bool(answer.forecast.likely))
        return True

    # The run

    def start(self) -> Experiment | None:
        """Start the batch, if there is one to start; returns the experiment."""
        if self.busy or not self.ready:
            return None
        self.results_store = self.store
        self.unsaved = False  # runs of another experiment in memory are not kept
        self.begin(share=None)
        return self.experiment

    def report(
        self, progress: SweepProgress, points: Sequence[PointResult], published: Sequence[PublishedValue]
    ) -> None:
        """Take what has been run by now."""
        if self.experiment is None or not self.busy:
            return
        self.text = progress_words(progress)
        if self.share is not None or progress.completed or progress.failed_points or not progress.open_points:
            self.share = max(self.share or 0.0, progress.share)
        self.results = Results(self.experiment, points, published=published)
        self.results_changed.emit()
        self.changed.emit()

    def end(self, *, whole: bool) -> None:
        """The run has ended: `whole` once every point is done, otherwise a new forecast is due."""
        results = self.results
        if results is None:
            self._plan(self.text)
            return
        words = end_words(results.points, results.experiment.target) if whole else self.text
        self._plan(words, ready=any(point.fault for point in results.points))

    def fail(self, fault: str) -> None:
        """The run cannot go on."""
        self.ready = True
        self.rest(_STOPPED, fault)

    # Stores

    def open(self, stored: StoredExperiment) -> None:
        """Show an experiment of a store."""
        self.unsaved = False
        self.store = self.results_store = stored.path
        self.results = Results(stored.experiment, stored.results)
        self.results_changed.emit()
        self.changed.emit()

    def lose_store(self) -> None:
        """The file was deleted during the run: memory has what was made, and can be kept in another file."""
        self.store = self.results_store = None
        self.unsaved = True
        self._plan("")

    def keep_in(self, path: Path) -> Experiment | None:
        """Keep runs in a file from now on; the experiment whose runs are to be moved there from memory."""
        self.moving = self.unsaved and self.results is not None
        self.unsaved = self.moving
        self.use_store(path)
        return self.results.experiment if self.moving and self.results is not None else None

    def reset(self) -> None:
        """Abandon the batch, with runs in memory alone."""
        self.unsaved = self.moving = False
        self.rest(self.text)

    def clear(self) -> None:
        """Forget results and draft, as the window is closed."""
        self.experiment = self.results = None
        self.results_changed.emit()
        self._plan("")

    def _plan(self, text: str, *, ready: bool = False) -> None:
        self.ready = ready
        self.rest(text)

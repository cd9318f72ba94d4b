"""Runs experiments in a thread of its own: forecasts, sweeps, and bundles of stored runs."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Final

from PySide6.QtCore import Signal

from meshgui.catalogue.published_values import PublishedValue
from meshgui.engine.basics.files import is_plain_file, os_fault, whole_file
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Progress, Stopped, Work, look
from meshgui.experiment.bundle_format import BundleError
from meshgui.experiment.bundle_writer import write_bundle
from meshgui.experiment.executors import Executor, ExecutorError
from meshgui.experiment.forecast import StoppedTrial, forecast, run_trial
from meshgui.experiment.grid import Experiment
from meshgui.experiment.plugin_runs import other_code
from meshgui.experiment.results import PointResult, results_of
from meshgui.experiment.run_spec import run_once
from meshgui.experiment.store import RunRecord, Store, StoreError
from meshgui.experiment.sweep import Sweep
from meshgui.model.studies.compute_target import ComputeTarget, executor_for
from meshgui.model.studies.experiment_draft import DraftError, ExperimentDraft
from meshgui.model.studies.experiment_session import DraftForecast
from meshgui.views.batch.store_worker import StoreWorker
from meshgui.views.style.direction import among_words

_BETWEEN_CHECKS: Final = 1.0  # seconds: whether the store's file is still there
_WARMED_UP: Final = 15.0  # seconds for which kernels are loaded before; only the first time they are compiled
_KNOWN: Final = 3  # points with results that a forecast needs without a trial
_TRIED_OUT: Final = 2.5  # seconds for a few trial runs that a forecast is based on


PublishedLookup = Callable[[Sequence[PointResult]], Sequence[PublishedValue]]
"""Finds the published values of the points of an experiment by their results."""


def nothing_published(_results: Sequence[PointResult]) -> Sequence[PublishedValue]:
    """Find no published values."""
    return ()


class _FileGone(Exception):  # noqa: N818 - an event, reported by a signal
    """The file of the store was deleted or replaced: what is written to it now is lost."""


class ExperimentWorker(StoreWorker):
    """Takes orders from the experiment window; answers by signals."""

    forecast_ready = Signal(object)  # DraftForecast
    progressed = Signal(object, object, object)  # SweepProgress, list of PointResult, and of PublishedValue
    gone = Signal(str)  # the store's file was deleted: the sweep has stopped, memory has its runs
    bundled = Signal(object, str)  # the Path of a bundle, and in a sentence why it is not there

    def __init__(
        self,
        executor_for: Callable[[ComputeTarget], Executor] = executor_for,
        published_of: PublishedLookup = nothing_published,
    ) -> None:
        super().__init__()
        self._published_of = published_of
        self._executor_for = executor_for
        self._drafts = 0
        self._latest = Work()  # on the forecast that was ordered last
        self._file_id = (0, 0)  # of the file that is open
        self._last_check = 0.0

    # What the window's thread calls

    def order_forecast(
        self, draft: ExperimentDraft, store: Path | None, target: ComputeTarget, *, trial: bool = True
    ) -> int:
        """Order a forecast of a draft; return its number. A newer order stops it.

        Where little is known of its times a few runs are made for a `trial`, and kept.
        """
        self._latest.stop()
        self._drafts += 1
        number, work = self._drafts, Work()
        self._latest = work
        self._order(lambda: self._forecast(number, work, draft, store, target, trial=trial))
        return number

    def sweep(self, experiment: Experiment, store: Path | None, target: ComputeTarget) -> None:
        """Run an experiment."""
        self._latest.stop()
        self._order_batch(lambda: self._sweep(experiment, store, target))

    def end(self) -> None:
        self._latest.stop()
        super().end()

    def move(self, experiment: Experiment, store: Path) -> None:
        """Copy the runs of an experiment from memory to a file."""
        self._order(lambda: self._move(experiment, store))

    def bundle(self, experiment: Experiment, store: Path | None, path: Path) -> None:
        """Write an experiment with its stored runs into a file."""
        self._order(lambda: self._bundle(experiment, store, path))

    # What the thread itself does

    def _store_at(self, path: Path | None) -> Store:
        before, store = self._file, super()._store_at(path)
        if path is not None and store is not before:
            self._file_id = _id_of(path)
        return store

    def _check_file(self, path: Path | None) -> None:
        """Check that the open store is still the file at its path."""
        self._last_check = monotonic()
        if path is not None and self._file is not None and _id_of(path) != self._file_id:
            raise _FileGone

    def _rescue(self, experiment: Experiment) -> None:
        """Copy the runs of a deleted file, which is still open here and nowhere else, to memory."""
        file, self._file = self._file, None
        if file is not None:
            with contextlib.closing(file):
                _copy(experiment, file, self._store_at(None))

    def _forecast(
        self,
        number: int,
        work: Work,
        draft: ExperimentDraft,
        path: Path | None,
        target: ComputeTarget,
        *,
        trial: bool,
    ) -> None:
        def tell(*, trial: bool, cut: StoppedTrial | None = None) -> bool:
            """Emit what is known; return whether a trial is worthwhile."""
            look()
            found = forecast(experiment, store, 1 if target.address else target.workers, cut)
            results = with_estimates(results_of(experiment, store))
            known = sum(bool(result.runs) for result in results)
            unknown = trial and known < min(_KNOWN, len(results))
            published = self._published_of(results)
            self.forecast_ready.emit(
                DraftForecast(
                    number,
                    experiment,
                    found,
                    results,
                    published=published,
                    last=not unknown,
                    other_code=bool(other_code(experiment, store)),
                )
            )
            return unknown

        if work.stopped:
            return
        try:
            with contextlib.suppress(Stopped), work.under_way():
                experiment = draft.experiment()
                store = self._store_at(path)
                if not tell(trial=trial):
                    return
                # Where even loading kernels takes longer than the trial may.
                cut: StoppedTrial | None = StoppedTrial(_TRIED_OUT)
                with contextlib.suppress(Stopped):
                    _warm_up(experiment)
                    with Work(until=monotonic() + _TRIED_OUT).under_way():
                        cut = run_trial(experiment, store, _TRIED_OUT)
                tell(trial=False, cut=cut)
        except DraftError as fault:
            self.forecast_ready.emit(DraftForecast(number, None, None, (), str(fault), fault.row))
        except StoreError as error:
            self.forecast_ready.emit(DraftForecast(number, None, None, (), str(error), of_store=True))

    def _sweep(self, experiment: Experiment, path: Path | None, target: ComputeTarget) -> None:
        if self._batch.stopped:
            self.ended.emit(False)
            return
        try:
            with contextlib.closing(self._executor_for(target)) as executor:
                sweep = self._patiently(lambda: Sweep(experiment, self._store_at(path), executor))

                def hear(_: Progress) -> None:
                    if monotonic() - self._last_check >= _BETWEEN_CHECKS:
                        self._check_file(path)
                    self._go_on(lambda: self._show(sweep))

                self._last_check = 0.0
                try:
                    self._patiently(lambda: sweep.run(Work(hear)))
                finally:
                    self._show(sweep)
            self._check_file(path)
            self.ended.emit(True)
        except (Stopped, _FileGone):
            self._stopped(experiment, path)
        except (ExecutorError, StoreError) as error:
            self.failed.emit(str(error))

    def _stopped(self, experiment: Experiment, path: Path | None) -> None:
        """Report that the sweep was stopped, or that its file is gone."""
        try:
            self._check_file(path)
        except _FileGone:
            try:
                self._rescue(experiment)
            except StoreError as error:
                self.failed.emit(
                    tr("{path}: the file is gone, and its runs can no longer be read ({error})").format(
                        path=among_words(path or ""), error=error
                    )
                )
            else:
                self.gone.emit(
                    tr("{path}: the file is gone; the runs made since are in memory only.").format(
                        path=among_words(path or "")
                    )
                )
        else:
            self.ended.emit(False)

    def _show(self, sweep: Sweep) -> None:
        results = with_estimates(sweep.results)
        self.progressed.emit(sweep.progress, results, self._published_of(results))

    def _move(self, experiment: Experiment, path: Path) -> None:
        if self._memory is None:
            self.moved.emit(True)
            return
        try:
            _copy(experiment, self._memory, self._store_at(path))
            self.moved.emit(True)
        except StoreError as error:
            self.failed.emit(str(error))
            self.moved.emit(False)

    def _bundle(self, experiment: Experiment, store: Path | None, path: Path) -> None:
        fault = ""
        is_open = self._file is not None and self._file.path == store
        if (
            store is not None and not is_open and not is_plain_file(store)
        ):  # opening it would make an empty one
            self.bundled.emit(
                path,
                tr("{path} cannot be written: {store} no longer exists.").format(
                    path=among_words(path), store=among_words(store)
                ),
            )
            return
        try:
            with whole_file(path) as file:
                write_bundle(file, experiment, self._store_at(store))
        except OSError as error:
            fault = tr("{path} cannot be written: {fault}.").format(
                path=among_words(path), fault=os_fault(error)
            )
        except (BundleError, StoreError, sqlite3.Error) as error:
            fault = tr("{path} cannot be written: {error}.").format(path=among_words(path), error=error)
        self.bundled.emit(path, fault)


def with_estimates(results: list[PointResult]) -> list[PointResult]:
    """Compute the estimates of results here, so that the window's thread does not wait for them."""
    for result in results:
        _ = result.estimates, result.wall
    return results


def _copy(experiment: Experiment, source: Store, target: Store) -> None:
    """Copy the runs of an experiment from one store to another."""
    target.begin(experiment.id, experiment.as_data(), (point.spec for point in experiment.points))
    for point in experiment.points:
        key = point.spec.key
        target.keep([RunRecord(key, seed, made) for seed, made in source.results(key).items()])


def _id_of(path: Path) -> tuple[int, int]:
    """The identity of the file at a path; zeros where there is none."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_dev, found.st_ino)


def _warm_up(experiment: Experiment) -> None:
    """Load and compile kernels, so that their time is not counted as the time of a run."""
    points = experiment.points

    def first(progress: Progress) -> None:
        if progress.done:
            raise Stopped

    with Work(until=monotonic() + _WARMED_UP).under_way():
        for point in {points[0].index: points[0], points[-1].index: points[-1]}.values():
            look()
            with contextlib.suppress(Exception):  # the run itself reports any fault
                run_once(point.spec.text, experiment.seed, Work(first))

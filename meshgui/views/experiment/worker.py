"""Makes an experiment off the GUI thread: forecasts, sweeps, and the store they keep their runs in.

A store belongs to the thread that opened it, so one thread does all of it, one order after another, and lives
until the window is closed: what is kept in memory only lives as long. Results reach the window as lists that
nobody changes, a few times a second.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Final, NamedTuple, TypeVar

from PySide6.QtCore import QThread, Signal

from meshgui.catalogue.published_values import PublishedValue
from meshgui.engine.files import os_fault, whole_file
from meshgui.engine.simulation import Cancelled
from meshgui.experiment.bundle import BundleError, write_bundle
from meshgui.experiment.executors import Executor, ExecutorError, ProcessPool
from meshgui.experiment.forecast import Forecast, StoppedTrial, forecast, run_trial
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import PointResult, results_of
from meshgui.experiment.run_spec import run_once
from meshgui.experiment.store import RunRecord, Store, StoreError
from meshgui.experiment.sweep import Sweep, SweepProgress
from meshgui.model.experiment_draft import DraftError, ExperimentDraft

__all__ = [
    "ComputeTarget",
    "DraftForecast",
    "ExperimentWorker",
    "PublishedLookup",
    "executor_at",
    "with_estimates",
]
__all__ += ["nothing_published"]

R = TypeVar("R")

_BETWEEN_CHECKS: Final = 1.0  # seconds: whether the store's file is still there
_BETWEEN_LOOKS: Final = 0.2  # seconds: results reach the window at most five times a second
_WARMED_UP: Final = 15.0  # seconds for which kernels are loaded before; only the first time they are compiled
_KNOWN: Final = 3  # points of which something is known, for a time to be told without a trial
_WAITED: Final = 1.0  # seconds for another program, until it is said
_TRIED_OUT: Final = 2.5  # seconds for which a few runs are made so that the time can be told


PublishedLookup = Callable[[Sequence[PointResult]], Sequence[PublishedValue]]
"""What was published of the points of an experiment, going by what they came to."""


def nothing_published(_results: Sequence[PointResult]) -> Sequence[PublishedValue]:
    """Nothing."""
    return ()


class ComputeTarget(NamedTuple):
    """Where an experiment is made: so many processes of this machine, or the cluster at an address."""

    workers: int = 1
    address: str = ""

    @property
    def words(self) -> str:
        """As it ends a forecast."""
        if self.address:
            return "of work for the cluster"
        return f"on {self.workers} cores" if self.workers > 1 else "on 1 core"


class DraftForecast(NamedTuple):
    """The answer to a draft: an experiment with what it will take, or in a sentence why there is none."""

    number: int
    experiment: Experiment | None
    forecast: Forecast | None
    results: Sequence[PointResult]
    fault: str = ""
    row: int | None = None
    published: Sequence[PublishedValue] = ()
    of_store: bool = False  # whether it is the store that is at fault
    last: bool = True  # no better one follows


def executor_at(place: ComputeTarget) -> Executor:
    """Who works there. Even a single process is one of its own: the window's would not answer as quickly."""
    if place.address:
        from meshgui.experiment.dask_cluster import DaskCluster  # noqa: PLC0415 - an extra, and slow

        return DaskCluster(place.address)
    return ProcessPool(place.workers)


class _FileGone(Exception):  # noqa: N818 - an event, told by a signal
    """The file of the store was deleted or replaced: what is written to it now nobody will find."""


class ExperimentWorker(QThread):
    """Takes orders from the window's thread; answers by signals."""

    foreseen = Signal(object)  # DraftForecast
    progressed = Signal(object, object, object)  # Progress, list of PointResult, and of PublishedValue
    waiting = Signal()  # another program is using the store
    stuck = Signal(str)  # the store failed: `try_again` or `cancel`
    ended = Signal(bool)  # whether every point is done
    failed = Signal(str)  # it cannot go on at all
    gone = Signal(
        str
    )  # the store's file was deleted during the sweep, which has stopped; memory has its runs
    moved = Signal(bool)  # whether what memory had is in the file now
    bundled = Signal(object, str)  # the Path of a bundle, and in a sentence why it is not there

    def __init__(
        self,
        executor_at: Callable[[ComputeTarget], Executor] = executor_at,
        published_of: PublishedLookup = nothing_published,
    ) -> None:
        super().__init__()
        self._published_of = published_of
        self._executor_at = executor_at
        self._orders: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._wake = threading.Condition()
        self._drafts = 0
        self._ending = self._cancelled = self._paused = self._again = False
        self._memory: Store | None = None
        self._file: Store | None = None
        self._told_waiting = 0.0
        self._file_id = (0, 0)  # of the file that is open
        self._last_look = self._last_check = 0.0

    # What the window's thread calls

    def foresee(
        self, draft: ExperimentDraft, store: Path | None, place: ComputeTarget, *, trial: bool = True
    ) -> int:
        """Ask what a draft will take; the number that the answer bears. A newer one stops this.

        Where little is known of its times a few runs are made for a `trial`, and kept.
        """
        self._drafts += 1
        number = self._drafts
        self._order(lambda: self._foresee(number, draft, store, place, trial=trial))
        return number

    def sweep(self, experiment: Experiment, store: Path | None, place: ComputeTarget) -> None:
        """Make an experiment."""
        self._drafts += 1  # no forecast is of interest any more
        self._cancelled = self._paused = self._again = False
        self._order(lambda: self._sweep(experiment, store, place))

    def move(self, experiment: Experiment, store: Path) -> None:
        """Put what memory has of an experiment into a file."""
        self._order(lambda: self._move(experiment, store))

    def bundle(self, experiment: Experiment, store: Path | None, path: Path) -> None:
        """Write an experiment with all that a store has of it into a file."""
        self._order(lambda: self._bundle(experiment, store, path))

    def pause(self) -> None:
        """Hand out no more runs; those under way are finished."""
        self._paused = True

    def resume(self) -> None:
        """Go on."""
        with self._wake:
            self._paused = False
            self._wake.notify_all()

    def try_again(self) -> None:
        """Go on after the store has failed."""
        with self._wake:
            self._again = True
            self._wake.notify_all()

    def cancel(self) -> None:
        """Stop the sweep; what has been made is kept."""
        with self._wake:
            self._cancelled = True
            self._wake.notify_all()

    def end(self) -> None:
        """Stop whatever is done, and then the thread itself, soon."""
        with self._wake:
            self._ending = self._cancelled = True
            self._wake.notify_all()
        self._orders.put(None)

    def _order(self, order: Callable[[], None]) -> None:
        self._orders.put(order)
        if not self.isRunning():
            self.start()

    # What the thread itself does

    def run(self) -> None:
        """The thread's work."""
        try:
            while (order := self._orders.get()) is not None:
                order()
        finally:
            for store in (self._memory, self._file):
                if store is not None:
                    store.close()

    def _store_at(self, path: Path | None) -> Store:
        """The store of a file, or the one in memory, which stays while files come and go."""
        if path is None:
            if self._memory is None:
                self._memory = Store()
            return self._memory
        if self._file is None or self._file.path != path:
            if self._file is not None:
                self._file.close()
                self._file = None
            self._file = Store(path, waiting=self._waits)
            self._file_id = _id_of(path)
        return self._file

    def _waits(self, seconds: float) -> None:
        """Another program is at the store: not worth a word at first."""
        if seconds >= _WAITED and monotonic() - self._told_waiting >= _WAITED:
            self._told_waiting = monotonic()
            self.waiting.emit()

    def _check_file(self, path: Path | None) -> None:
        """See that the file in which runs are kept is the one that is at its path."""
        self._last_check = monotonic()
        if path is not None and self._file is not None and _id_of(path) != self._file_id:
            raise _FileGone

    def _rescue(self, experiment: Experiment) -> None:
        """Take into memory what the file had that is open here and that nobody else can open any more."""
        file, self._file = self._file, None
        if file is not None:
            with contextlib.closing(file):
                _copy(experiment, file, self._store_at(None))

    def _foresee(
        self, number: int, draft: ExperimentDraft, path: Path | None, place: ComputeTarget, *, trial: bool
    ) -> None:
        until = monotonic() + _WARMED_UP

        def look() -> bool:
            return number == self._drafts and not self._ending and monotonic() < until

        def tell(*, trial: bool, cut: StoppedTrial | None = None) -> bool:
            """Tell what is known; whether that is worth a trial."""
            found = forecast(experiment, store, 1 if place.address else place.workers, cut)
            results = with_estimates(results_of(experiment, store))
            known = sum(bool(result.runs) for result in results)
            unknown = trial and known < min(_KNOWN, len(results))
            published = self._published_of(results)
            self.foreseen.emit(
                DraftForecast(number, experiment, found, results, published=published, last=not unknown)
            )
            return unknown

        if number != self._drafts or self._ending:
            return
        try:
            experiment = draft.experiment()
            store = self._store_at(path)
            if not tell(trial=trial):
                return
            # Where even loading kernels takes longer than the trial may.
            cut: StoppedTrial | None = StoppedTrial(_TRIED_OUT)
            with contextlib.suppress(Cancelled):
                _warm_up(experiment, look)
                until = monotonic() + _TRIED_OUT
                cut = run_trial(experiment, store, _TRIED_OUT, look)
            if number == self._drafts:
                tell(trial=False, cut=cut)
        except DraftError as fault:
            self.foreseen.emit(DraftForecast(number, None, None, (), str(fault), fault.row))
        except StoreError as error:
            self.foreseen.emit(DraftForecast(number, None, None, (), str(error), of_store=True))

    def _sweep(self, experiment: Experiment, path: Path | None, place: ComputeTarget) -> None:
        if self._cancelled:
            self.ended.emit(False)
            return
        try:
            with contextlib.closing(self._executor_at(place)) as executor:
                sweep = self._patiently(lambda: Sweep(experiment, self._store_at(path), executor))

                def report(progress: SweepProgress) -> bool:
                    if monotonic() - self._last_check >= _BETWEEN_CHECKS:
                        self._check_file(path)
                    return self._report(sweep, progress)

                self._last_look = self._last_check = 0.0
                try:
                    self._patiently(lambda: sweep.run(report))
                finally:
                    self._show(sweep, sweep.progress)
            self._check_file(path)
            self.ended.emit(True)
        except (Cancelled, _FileGone):
            self._stopped(experiment, path)
        except (ExecutorError, StoreError) as error:
            self.failed.emit(str(error).removeprefix("--dask: "))

    def _stopped(self, experiment: Experiment, path: Path | None) -> None:
        """The sweep went not to its end, or its runs to no file."""
        try:
            self._check_file(path)
        except _FileGone:
            try:
                self._rescue(experiment)
            except StoreError as error:
                self.failed.emit(f"{path}: the file is gone, and its runs cannot be read any more ({error})")
            else:
                self.gone.emit(f"{path}: the file is gone; the runs made since are in memory only.")
        else:
            self.ended.emit(False)

    def _patiently(self, act: Callable[[], R]) -> R:
        """Do something; whenever the store fails, wait until somebody says to try again."""
        while True:
            try:
                return act()
            except StoreError as error:
                self._again = False
                self.stuck.emit(str(error))
                with self._wake:
                    self._wake.wait_for(lambda: self._again or self._cancelled)
                if self._cancelled:
                    raise Cancelled from None

    def _report(self, sweep: Sweep, progress: SweepProgress) -> bool:
        """Show how far it is; stay here while it is paused; whether it goes on."""
        if monotonic() - self._last_look >= _BETWEEN_LOOKS:
            self._last_look = monotonic()
            self._show(sweep, progress)
        if self._paused and not self._cancelled:
            self._show(sweep, progress)
            with self._wake:
                self._wake.wait_for(lambda: self._cancelled or not self._paused)
        return not self._cancelled

    def _show(self, sweep: Sweep, progress: SweepProgress) -> None:
        results = with_estimates(sweep.results)
        self.progressed.emit(progress, results, self._published_of(results))

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
        if store is not None and not is_open and not store.exists():  # opening it would make an empty one
            self.bundled.emit(path, f"{path} cannot be written: there is no {store} any more.")
            return
        try:
            with whole_file(path) as file:
                write_bundle(file, experiment, self._store_at(store))
        except OSError as error:
            fault = f"{path} cannot be written: {os_fault(error)}."
        except (BundleError, StoreError, sqlite3.Error) as error:
            fault = f"{path} cannot be written: {error}."
        self.bundled.emit(path, fault)


def with_estimates(results: list[PointResult]) -> list[PointResult]:
    """The same, with all that is asked of them worked out: the window's thread must not wait for that."""
    for result in results:
        _ = result.estimates, result.wall
    return results


def _copy(experiment: Experiment, source: Store, target: Store) -> None:
    """Put what one store has of an experiment into another."""
    target.begin(experiment.id, experiment.as_data(), (point.spec for point in experiment.points))
    for point in experiment.points:
        key = point.spec.key
        target.keep([RunRecord(key, seed, made) for seed, made in source.results(key).items()])


def _id_of(path: Path) -> tuple[int, int]:
    """What tells a file from another one at the same path; zeros where there is none."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_dev, found.st_ino)


def _warm_up(experiment: Experiment, look: Callable[[], bool]) -> None:
    """Load and compile what the first runs take, so that it is not counted as the time of a run."""
    points = experiment.points

    def first(ended: int, _jobs: int) -> bool:
        return not ended and look()

    for point in {points[0].index: points[0], points[-1].index: points[-1]}.values():
        if not look():
            raise Cancelled
        with contextlib.suppress(Exception):  # whatever is wrong is said by the run itself
            run_once(point.spec.text, experiment.seed, first)

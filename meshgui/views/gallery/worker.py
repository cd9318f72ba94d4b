"""Reads and runs entries of the catalogue off the GUI thread, with the store their runs are kept in.

A store belongs to the thread that opened it, so one thread does all of it, one order after another, and lives
until the window is closed: what is kept in memory only lives as long. How entries stand reaches the window as
tuples that nobody changes, a few times a second.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Final, NamedTuple, TypeVar

from PySide6.QtCore import QThread, Signal

from meshgui.catalogue.entries import CatalogueEntry
from meshgui.catalogue.judging import JudgedNumber
from meshgui.catalogue.reproduction import EntryState, Reproduction, ReproductionProgress
from meshgui.engine.simulation import Cancelled
from meshgui.experiment.executors import Executor, ExecutorError, InProcess, ProcessPool
from meshgui.experiment.store import RunRecord, Store, StoreError

__all__ = ["EntryResults", "GalleryWorker"]

R = TypeVar("R")

_BETWEEN_LOOKS: Final = 0.2  # seconds: results reach the window at most five times a second


class EntryResults(NamedTuple):
    """How an entry stands: its numbers beside the published ones, and of how many runs that is."""

    entry: CatalogueEntry
    judged: Sequence[JudgedNumber]
    counted: int = 0
    done: bool = False  # nothing is to be run any more
    faults: tuple[str, ...] = ()


class GalleryWorker(QThread):
    """Takes orders from the window's thread; answers by signals."""

    read = Signal(int, object)  # the number of the order, list of EntryResults
    progressed = Signal(object, object)  # Progress, list of EntryResults: those that have changed
    stuck = Signal(str)  # the store failed while runs are made: `try_again` or `cancel`
    ended = Signal(bool)  # whether all entries are done
    failed = Signal(str)  # it cannot go on at all
    unread = Signal(str)  # the store that was to be read cannot be

    def __init__(self, executor_at: Callable[[int], Executor] = ProcessPool) -> None:
        super().__init__()
        self._executor_at = executor_at
        self._orders: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._wake = threading.Condition()
        self._ending = self._cancelled = self._paused = self._again = False
        self._memory: Store | None = None
        self._file: Store | None = None
        self._last_look = 0.0
        self._told: dict[str, int] = {}  # of each entry the runs that the window knows of

    # What the window's thread calls

    def look(
        self, number: int, entries: Sequence[CatalogueEntry], store: Path | None, *, quick: bool
    ) -> None:
        """Tell how entries stand by what a store has, and run nothing."""
        self._order(lambda: self._look(number, entries, store, quick=quick))

    def reproduce(
        self, entries: Sequence[CatalogueEntry], store: Path | None, workers: int, *, quick: bool
    ) -> None:
        """Run entries."""
        self._cancelled = self._paused = self._again = False
        self._order(lambda: self._reproduce(entries, store, workers, quick=quick))

    def move(self, entries: Sequence[CatalogueEntry], store: Path) -> None:
        """Put what memory has of entries into a file."""
        self._order(lambda: self._move(entries, store))

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
        """Stop; what has been made is kept."""
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
                if not self._ending:
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
            self._file = Store(path)
        return self._file

    def _look(
        self, number: int, entries: Sequence[CatalogueEntry], path: Path | None, *, quick: bool
    ) -> None:
        try:
            with contextlib.closing(InProcess()) as nobody:
                work = Reproduction(entries, self._store_at(path), nobody, quick=quick)
            self.read.emit(number, [_standing(state) for state in work.states])
        except StoreError as error:
            self.unread.emit(str(error))

    def _reproduce(
        self, entries: Sequence[CatalogueEntry], path: Path | None, workers: int, *, quick: bool
    ) -> None:
        self._told, self._last_look = {}, 0.0
        try:
            with contextlib.closing(self._executor_at(workers)) as executor:
                work = self._patiently(
                    lambda: Reproduction(entries, self._store_at(path), executor, quick=quick)
                )
                try:
                    self._patiently(lambda: work.run(lambda progress: self._report(work, progress)))
                finally:
                    self._tell(work, work.progress)
            self.ended.emit(True)
        except Cancelled:
            self.ended.emit(False)
        except (ExecutorError, StoreError) as error:
            self.failed.emit(str(error))

    def _move(self, entries: Sequence[CatalogueEntry], path: Path) -> None:
        if self._memory is None:
            return
        states = [EntryState(entry, quick=quick) for entry in entries for quick in (True, False)]
        works = {work.key: work for state in states for work in state.specs.values()}
        try:
            store = self._store_at(path)
            kept = {key: found for key in works if (found := self._memory.results(key, 1))}
            store.register(works[key] for key in kept)
            for key, runs in kept.items():
                store.keep(RunRecord(key, seed, made) for seed, made in runs.items())
        except StoreError as error:
            self.failed.emit(str(error))

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

    def _report(self, work: Reproduction, progress: ReproductionProgress) -> bool:
        """Show how far it is; stay here while it is paused; whether it goes on."""
        paused = self._paused and not self._cancelled
        if paused or monotonic() - self._last_look >= _BETWEEN_LOOKS:
            self._last_look = monotonic()
            self._tell(work, progress)
        if paused:
            with self._wake:
                self._wake.wait_for(lambda: self._cancelled or not self._paused)
        return not self._cancelled

    def _tell(self, work: Reproduction, progress: ReproductionProgress) -> None:
        self.progressed.emit(progress, [_standing(state) for state in self._changed(work.states)])

    def _changed(self, states: Iterable[EntryState]) -> list[EntryState]:
        """Those with other runs, or other faults, than the window knows of."""
        found = []
        for state in states:
            mark = 2 * (state.counted + len(state.faults)) + state.done
            if self._told.get(state.entry.id) != mark:
                self._told[state.entry.id] = mark
                found.append(state)
        return found


def _standing(state: EntryState) -> EntryResults:
    faults = tuple(dict.fromkeys(state.faults.values()))
    return EntryResults(state.entry, state.judged, state.counted, state.done, faults)

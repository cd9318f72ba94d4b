"""Reads and runs entries of the catalogue in a thread of its own, with the store their runs are kept in."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal

from meshgui.catalogue.entries import CatalogueEntry
from meshgui.catalogue.reproduction import EntryState, Reproduction
from meshgui.engine.basics.work import Stopped, Work
from meshgui.experiment.executors import Executor, ExecutorError, InProcess, ProcessPool
from meshgui.experiment.store import RunRecord, StoreError
from meshgui.model.studies.gallery_session import EntryResults
from meshgui.views.batch.store_worker import StoreWorker


class GalleryWorker(StoreWorker):
    """Takes orders from the gallery's window; answers by signals."""

    read = Signal(int, object)  # the number of the order, list of EntryResults
    unread = Signal(str)  # the store that was to be read cannot be
    progressed = Signal(object, object)  # ReproductionProgress, list of EntryResults: those that have changed

    def __init__(self, executor_for: Callable[[int], Executor] = ProcessPool) -> None:
        super().__init__()
        self._executor_for = executor_for
        self._reported: dict[str, int] = {}  # of each entry the runs that the window knows of

    # What the window's thread calls

    def read_store(
        self, number: int, entries: Sequence[CatalogueEntry], store: Path | None, *, quick: bool
    ) -> None:
        """Find the results of entries in a store, and run nothing."""
        self._order(lambda: self._read(number, entries, store, quick=quick))

    def reproduce(
        self, entries: Sequence[CatalogueEntry], store: Path | None, workers: int, *, quick: bool
    ) -> None:
        """Run entries."""
        self._order_batch(lambda: self._reproduce(entries, store, workers, quick=quick))

    def move(self, entries: Sequence[CatalogueEntry], store: Path) -> None:
        """Copy the runs of entries from memory to a file."""
        self._order(lambda: self._move(entries, store))

    # What the thread itself does

    def _read(
        self, number: int, entries: Sequence[CatalogueEntry], path: Path | None, *, quick: bool
    ) -> None:
        if self.work.stopped:
            return
        try:
            with contextlib.closing(InProcess()) as unused, self.work.under_way():
                work = Reproduction(entries, self._store_at(path), unused, quick=quick)
            self.read.emit(number, [_results(state) for state in work.states])
        except Stopped:
            pass
        except StoreError as error:
            self.unread.emit(str(error))

    def _reproduce(
        self, entries: Sequence[CatalogueEntry], path: Path | None, workers: int, *, quick: bool
    ) -> None:
        if self._batch.stopped:
            self.ended.emit(False)
            return
        self._reported = {}
        try:
            with contextlib.closing(self._executor_for(workers)) as executor:
                work = self._patiently(
                    lambda: Reproduction(entries, self._store_at(path), executor, quick=quick)
                )
                try:
                    self._patiently(lambda: work.run(Work(lambda _: self._go_on(lambda: self._report(work)))))
                finally:
                    self._report(work)
            self.ended.emit(True)
        except Stopped:
            self.ended.emit(False)
        except (ExecutorError, StoreError) as error:
            self.failed.emit(str(error))

    def _move(self, entries: Sequence[CatalogueEntry], path: Path) -> None:
        if self._memory is None:
            self.moved.emit(True)
            return
        states = [EntryState(entry, quick=quick) for entry in entries for quick in (True, False)]
        works = {work.key: work for state in states for work in state.specs.values()}
        try:
            store = self._store_at(path)
            kept = {key: found for key in works if (found := self._memory.results(key, 1))}
            store.register(works[key] for key in kept)
            for key, runs in kept.items():
                store.keep(RunRecord(key, seed, made) for seed, made in runs.items())
            self.moved.emit(True)
        except StoreError as error:
            self.failed.emit(str(error))
            self.moved.emit(False)

    def _report(self, work: Reproduction) -> None:
        self.progressed.emit(work.progress, [_results(state) for state in self._changed(work.states)])

    def _changed(self, states: Iterable[EntryState]) -> list[EntryState]:
        """The entries with other runs, or other faults, than were reported."""
        found = []
        for state in states:
            mark = 2 * (state.counted + len(state.faults)) + state.done
            if self._reported.get(state.entry.id) != mark:
                self._reported[state.entry.id] = mark
                found.append(state)
        return found


def _results(state: EntryState) -> EntryResults:
    faults = tuple(dict.fromkeys(state.faults.values()))
    return EntryResults(state.entry, state.judged, state.counted, state.done, faults)

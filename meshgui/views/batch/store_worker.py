"""A thread that makes batches of runs one after another, and owns the store they are kept in.

A store belongs to the thread that opened it, so one thread does all of it. It lives as long as the window is
open, as do the runs in memory. Results reach the window as lists that are not changed, a few times a second.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Final, TypeVar

from PySide6.QtCore import Signal

from meshgui.engine.basics.work import Stopped, Work
from meshgui.experiment.store import Store, StoreError
from meshgui.views.widgets.work_thread import WorkThread

R = TypeVar("R")

_BETWEEN_REPORTS: Final = 0.2  # seconds: results reach the window at most five times a second
_WAITED: Final = 1.0  # seconds for another program, until it is said


class StoreWorker(WorkThread):
    """Takes orders from the window's thread and answers by signals; subclasses define the orders."""

    writes = True
    waiting = Signal()  # another program is using the store
    stuck = Signal(str)  # the store failed: `try_again` or `cancel`
    ended = Signal(bool)  # whether everything is done
    failed = Signal(str)  # it cannot continue
    broke = Signal()  # an order ran into an internal error, which is reported; the others follow
    moved = Signal(bool)  # whether what memory had is in the file now

    def __init__(self) -> None:
        super().__init__()
        self._orders: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._wake = threading.Condition()
        self._batch = Work()  # the latest order of runs
        self._paused = self._again = False
        self._memory: Store | None = None
        self._file: Store | None = None
        self._last_report = self._last_waiting = 0.0

    # What the window's thread calls

    def pause(self) -> None:
        """Start no more runs; those in progress still finish."""
        self._paused = True

    def resume(self) -> None:
        """Resume the runs."""
        with self._wake:
            self._paused = False
            self._wake.notify_all()

    def try_again(self) -> None:
        """Use the store again after a failure."""
        with self._wake:
            self._again = True
            self._wake.notify_all()

    def cancel(self) -> None:
        """Stop the runs; finished runs are kept."""
        with self._wake:
            self._batch.stop()
            self._wake.notify_all()

    def end(self) -> None:
        """Ask the current work to stop, and then the thread itself."""
        super().end()
        self.cancel()
        self._orders.put(None)

    def _order(self, order: Callable[[], None]) -> None:
        self._orders.put(order)

    def _order_batch(self, order: Callable[[], None]) -> None:
        """Order runs, which can be paused, cancelled and retried."""
        self._batch = Work()
        self._paused = self._again = False
        self._last_report = 0.0
        self._order(order)

    # What the thread itself does

    def run(self) -> None:
        """The thread's work."""
        try:
            while (order := self._orders.get()) is not None:
                try:
                    order()  # also while it ends: runs may be on their way from memory to a file
                except BaseException:  # noqa: BLE001 - reported; the thread keeps working, as it has the runs in memory
                    sys.excepthook(*sys.exc_info())
                    self.broke.emit()
        finally:
            for store in (self._memory, self._file):
                if store is not None:
                    store.close()

    def _store_at(self, path: Path | None) -> Store:
        """Return the store of a file, or the one in memory, which stays open beside it."""
        if path is None:
            if self._memory is None:
                self._memory = Store()
            return self._memory
        if self._file is None or self._file.path != path:
            if self._file is not None:
                self._file.close()
                self._file = None
            self._file = Store(path, waiting=self._wait_for_store)
        return self._file

    def _wait_for_store(self, seconds: float) -> None:
        """Report after a while that another program has locked the store."""
        if seconds >= _WAITED and monotonic() - self._last_waiting >= _WAITED:
            self._last_waiting = monotonic()
            self.waiting.emit()

    def _patiently(self, act: Callable[[], R]) -> R:
        """Run an action; whenever the store fails, wait for `try_again` or `cancel`."""
        while True:
            try:
                with self._batch.under_way():
                    return act()
            except StoreError as error:
                self._again = False
                self.stuck.emit(str(error))
                with self._wake:
                    self._wake.wait_for(lambda: self._again or self._batch.stopped)
                if self._batch.stopped:
                    raise Stopped from None

    def _go_on(self, report: Callable[[], None]) -> None:
        """Report from time to time, and block while paused."""
        paused = self._paused and not self._batch.stopped
        if paused or monotonic() - self._last_report >= _BETWEEN_REPORTS:
            self._last_report = monotonic()
            report()
        if paused:
            with self._wake:
                self._wake.wait_for(lambda: self._batch.stopped or not self._paused)

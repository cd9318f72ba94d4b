"""Runs Python's garbage collector in the window's thread only, and only while Qt is idle.

Python looks for it in whichever thread happens to run, a run's or a strategy's too, and what it finds may
belong to the window: a timer that is destroyed in another thread goes on firing at nothing. And it looks at
any moment, also while Qt destroys an object with its locks held: an object found then waits for them forever.
"""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from meshgui.engine.basics.garbage import is_growing

_BETWEEN_LOOKS = 250  # milliseconds
_OLDEST = 2
_GROWTH = 4  # by one part in this many does what Python holds grow between two searches among the oldest


class GarbageCollector(QObject):
    """While it exists, it collects garbage on a timer, as often as Python would."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._collect)
        self._timer.start(_BETWEEN_LOOKS)
        self._left = 0  # blocks of memory held, after the latest search among the oldest generation
        if gc.isenabled():
            gc.disable()
            self.destroyed.connect(_enable_soon)

    def _collect(self) -> None:
        """Collect the oldest generation that is due, which takes the younger ones along.

        To go through the oldest takes tenths of a second, so it is due only once Python holds more. Its
        objects are not counted: `gc.get_objects` holds each of them for a moment, and a tuple that another
        thread is just filling must have no second holder, or that thread stops with a SystemError.
        """
        if is_growing():  # beneath a dialog that shows how far it is
            return
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [n for n in (_OLDEST, 1, 0) if counts[n] > thresholds[n] > 0]
        if _OLDEST in due and (sys.getallocatedblocks() - self._left) * _GROWTH <= self._left:
            due.remove(_OLDEST)
        if due:
            gc.collect(due[0])
            if due[0] == _OLDEST:
                self._left = sys.getallocatedblocks()


def _enable_soon() -> None:
    """Turn Python's own collection on again, once the current destruction has finished."""
    application = QCoreApplication.instance()
    if application is not None:
        QTimer.singleShot(0, application, gc.enable)

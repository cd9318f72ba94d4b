"""Runs Python's garbage collector in the window's thread only, and only while Qt is idle.

Python looks for it in whichever thread happens to run, a run's or a strategy's too, and what it finds may
belong to the window: a timer that is destroyed in another thread goes on firing at nothing. And it looks at
any moment, also while Qt destroys an object with its locks held: an object found then waits for them forever.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from meshgui.engine.basics.garbage import is_growing

_BETWEEN_LOOKS = 250  # milliseconds
_OLDEST = 2
_GROWTH = (
    4  # by one part in this many do the oldest objects grow between two searches among them, as in Python
)


class GarbageCollector(QObject):
    """While it exists, it collects garbage on a timer, as often as Python would."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._collect)
        self._timer.start(_BETWEEN_LOOKS)
        self._left = 0  # objects of the oldest generation, after the latest search among them
        if gc.isenabled():
            gc.disable()
            self.destroyed.connect(_enable_soon)

    def _collect(self) -> None:
        """Collect the oldest generation that is due, which takes the younger ones along.

        To go through the oldest takes tenths of a second, so it is due only once it has grown.
        """
        if is_growing():  # beneath a dialog that shows how far it is
            return
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [n for n in (_OLDEST, 1, 0) if counts[n] > thresholds[n] > 0]
        if _OLDEST in due and (_oldest() - self._left) * _GROWTH <= self._left:
            due.remove(_OLDEST)
        if due:
            gc.collect(due[0])
            if due[0] == _OLDEST:
                self._left = _oldest()


def _oldest() -> int:
    """How many objects there are that have outlived the searches among younger ones."""
    return len(gc.get_objects(_OLDEST))


def _enable_soon() -> None:
    """Turn Python's own collection on again, once the current destruction has finished."""
    application = QCoreApplication.instance()
    if application is not None:
        QTimer.singleShot(0, application, gc.enable)

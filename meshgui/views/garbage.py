"""Has Python look for garbage in the window's thread only.

Python looks for it in whichever thread happens to run, a run's or a strategy's too, and what it finds may
belong to the window: a timer that is destroyed in another thread goes on firing at nothing.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

__all__ = ["GarbageCollector"]

_BETWEEN_LOOKS = 250  # milliseconds


class GarbageCollector(QObject):
    """While it lives, garbage is collected when its timer fires, as often as Python would."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.timeout.connect(_collect)
        self._timer.start(_BETWEEN_LOOKS)
        gc.disable()
        self.destroyed.connect(gc.enable)


def _collect() -> None:
    """Collect the oldest generation that is due, which takes the younger ones along."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if counts[generation] > thresholds[generation] > 0:
            gc.collect(generation)
            return

"""Gives widgets their place now, where Qt would take a turn of the event loop for each level of them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimerEvent
from PySide6.QtWidgets import QWidget

_LEVELS: Final = 12  # of widgets within each other: what asks for a place is heard a level higher each time


def lay_out() -> None:
    """Lay out all that asks for it."""
    for _ in range(_LEVELS):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)


class LaidOutFirst(QObject):
    """Lays a window out before it is painted: Qt would paint at each level that is reached.

    Once in a turn of the event loop: what asks for another place whenever it gets one would keep it from
    ever ending.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._until_next_turn = 0  # a timer
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Lay out where a paint is asked for."""
        if event.type() == QEvent.Type.UpdateRequest and not self._until_next_turn:
            self._until_next_turn = self.startTimer(0)
            lay_out()
            # What comes into sight by that, such as a scroll bar, asks for a paint: this is it.
            QCoreApplication.sendPostedEvents(None, QEvent.Type.UpdateLater.value)
            QCoreApplication.removePostedEvents(watched, QEvent.Type.UpdateRequest.value)
        return super().eventFilter(watched, event)

    def timerEvent(self, event: QTimerEvent) -> None:  # noqa: N802 - Qt's name
        """Another turn has come."""
        self.killTimer(event.timerId())
        self._until_next_turn = 0

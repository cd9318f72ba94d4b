"""Puts off a call to a moment later, and forgets it with whom it is for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimerEvent


def soon(owner: QObject, act: Callable[[], object], after: int = 0) -> None:
    """Call `act` once the events that wait are handled, or after some milliseconds, unless the owner goes.

    Where the owner goes first, `QTimer.singleShot` keeps what it was to call for good, and thereby a whole
    window with all its widgets.
    """
    call = _Call(act, owner)
    if after:
        call.startTimer(after)
    else:
        QCoreApplication.postEvent(call, QEvent(QEvent.Type.User))


class _Call(QObject):
    """A call to come, which goes with its owner."""

    def __init__(self, act: Callable[[], object], owner: QObject) -> None:
        super().__init__(owner)
        self._act = act

    def customEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        del event
        self._call()

    def timerEvent(self, event: QTimerEvent) -> None:  # noqa: N802 - Qt's name
        self.killTimer(event.timerId())
        self._call()

    def _call(self) -> None:
        # What is called may hold the owner's last reference: as its child, this would be deleted twice then.
        self.setParent(QCoreApplication.instance())
        self.deleteLater()
        self._act()

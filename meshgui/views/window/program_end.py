"""Closes the window wherever the program is to end: by a signal, with the session, or by Quit."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from PySide6.QtCore import QEventLoop, QObject, QSocketNotifier, Qt
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication

from meshgui.views.style.application import Application
from meshgui.views.widgets.soon import soon
from meshgui.views.window.main_window import MainWindow

_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
_BY_SIGNAL: Final = 128  # and the number of the signal, as shells report it


class ProgramEnd(QObject):
    """Has a window ask what would be lost, as when it is closed by hand, before the program ends.

    Unsaved work is copied first, as there may be no time to answer. A second signal ends the program at once.
    """

    def __init__(self, window: MainWindow, copy_work: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._copy_work = window, copy_work
        self._received = 0  # the signal that the window is to close by
        window.closing.ended.connect(self._answered)

    @property
    def status(self) -> int:
        """The exit status that a signal asks for; 0 without one."""
        return _BY_SIGNAL + self._received if self._received else 0

    def watch(self, application: QApplication) -> None:
        """Take signals, the end of the session, and Quit."""
        application.commitDataRequest.connect(self.answer_session, Qt.ConnectionType.DirectConnection)
        if isinstance(application, Application):
            application.may_quit = self._close
        self._hear_signals()

    def end(self) -> None:
        """Wake Qt no longer: its loop is over."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(-1)
        for end in self._ears:
            end.close()

    def _hear_signals(self) -> None:
        """Take the signals that would end the program; a byte in a socket wakes Qt, and Python handles it."""
        self._ears = ours, theirs = socket.socketpair()
        for end in self._ears:
            end.setblocking(False)
        signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._wake)
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # and not below nohup
                signal.signal(number, self._take)

    def _wake(self) -> None:
        """Empty the socket; Python has handled the signal on the way here."""
        with suppress(BlockingIOError):
            self._ears[0].recv(64)

    def _take(self, number: int, _frame: object) -> None:
        if self._received:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        self._received = number
        if number == getattr(signal, "SIGHUP", None):
            signal.signal(number, signal.SIG_IGN)  # a shell that ends sends it once more
        soon(self, self._close)

    def _close(self) -> bool:
        """Close the window, or have it ask; whether it is closed."""
        if self._window.isVisible():
            self._copy_work()
            self._window.close()
        return not self._window.isVisible()

    def _answered(self, closed: bool) -> None:
        if not closed:
            self._received = 0

    def answer_session(self, manager: QSessionManager) -> None:
        """Ask while the session waits; where it allows no question, the next start offers the copies."""
        self._copy_work()
        closing, loop = self._window.closing, QEventLoop()
        if closing.is_free or not manager.allowsInteraction():
            return
        closing.ended.connect(loop.quit)
        self._window.close()
        loop.exec()  # the session takes what was done on return as the answer; this is no close event
        closing.ended.disconnect(loop.quit)
        manager.release()
        if self._window.isVisible():
            manager.cancel()

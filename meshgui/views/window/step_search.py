"""Searches beside the window for the steps of an attempt or a release, says so, and can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from meshgui.engine.allocation.guard import long_calls
from meshgui.engine.basics.polling import polled
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Cancelled
from meshgui.model.cursor import Position, View, search_steps
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.progress_bar import ProgressBar
from meshgui.views.widgets.tool_button import tool_button

__all__ = ["SearchProgress", "WindowSearch"]

_PATIENCE: Final = 150  # milliseconds; a search that takes longer is shown


class _SearchThread(QThread):
    """One search. Emits `found`, or nothing if it was stopped."""

    found = Signal(object)  # the View at the first step

    def __init__(self, recording: Recording, place: Position, parent: QObject) -> None:
        super().__init__(parent)
        self.recording, self.place = recording, place

    def run(self) -> None:
        """The thread's work."""
        with suppress(Cancelled), long_calls(self._look), polled(self._look):
            self.found.emit(search_steps(self.recording, self.place))

    def _look(self) -> None:
        if self.isInterruptionRequested():
            raise Cancelled


class WindowSearch(QObject):
    """The search of a window's cursor. One for the same steps goes on; any other is stopped for it."""

    started = Signal(int)  # for which job
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: _SearchThread | None = None
        self._threads: set[_SearchThread] = set()  # including those that have been stopped but have not ended
        self._arrived: Callable[[View], None] = lambda _view: None

    def begin(self, recording: Recording, place: Position, arrived: Callable[[View], None]) -> None:
        """See StepSearch."""
        self._arrived = arrived
        thread = self._thread
        if thread is not None and thread.place == place and thread.recording.jobs is recording.jobs:
            return
        self.cancel()
        self._arrived = arrived
        self._thread = thread = _SearchThread(recording, place, self)
        self._threads.add(thread)
        thread.found.connect(self._found)
        thread.finished.connect(self._forget)
        job = View(recording, place, 0.0).job
        self.started.emit(-1 if job is None else job)
        thread.start()

    def cancel(self) -> None:
        """See StepSearch; the thread ends by itself."""
        if self._thread is not None:
            self._thread.requestInterruption()
            self._thread = None
            self.ended.emit()

    def wait(self) -> None:
        """Stop all searches, and return when every thread has ended."""
        self.cancel()
        for thread in tuple(self._threads):
            thread.wait()

    def _found(self, view: View) -> None:
        if self.sender() is self._thread and self._thread is not None:
            self._thread = None
            self.ended.emit()
            self._arrived(view)

    def _forget(self) -> None:
        thread = self.sender()
        if isinstance(thread, _SearchThread):
            if thread is self._thread:  # a fault of the program ended it
                self.cancel()
            self._threads.discard(thread)
            thread.deleteLater()


class SearchProgress(QWidget):
    """Says that steps are searched for, with a button that stops it; hidden otherwise."""

    def __init__(self, search: WindowSearch, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._themes = themes
        self._bar, self._words = ProgressBar(), QLabel()
        self._words.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
        stop = tool_button(icons, "x", tr("Stop searching; the window stays where it is"), search.cancel)
        stop.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self._words, self._bar, stop):
            row.addWidget(widget)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_PATIENCE)
        self._soon.timeout.connect(self.show)
        search.started.connect(self._begin)
        search.ended.connect(self._end)
        Sizing(themes, self).call(self._bar.setFixedSize, 120, 4)
        themes.changed.connect(self._dress)
        self._dress()
        self.hide()

    def _begin(self, job: int) -> None:
        self._words.setText(tr("Searching the steps of job {job} …").format(job=job))
        self._bar.show_progress(0, 0)
        self._soon.start()

    def _end(self) -> None:
        self._soon.stop()
        self.hide()

    def _dress(self) -> None:
        self._words.setFont(self._themes.text("caption"))

"""Searches beside the window for what takes long to find, says how far that is, and can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Progress
from meshgui.engine.runs.recording import Recording
from meshgui.model.document.document import Document
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.search import Purpose, Search, is_long
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.context import Context, WindowMessages
from meshgui.views.widgets.notice import Notice
from meshgui.views.widgets.progress_strip import COMPILING, ProgressStrip
from meshgui.views.widgets.work_thread import WorkThread

_PATIENCE: Final = 150  # milliseconds; a search that takes longer is shown


class _SearchThread(WorkThread):
    """One search. Emits `found`, or nothing if it was stopped."""

    found = Signal(object)
    progressed = Signal(str)  # how far it is

    def __init__(self, search: Search) -> None:
        super().__init__()
        self.search = search
        self.words = search.words  # what it does now
        self.arrived: Callable[[Any], object] = lambda _found: None
        self.stopped: Callable[[], object] = lambda: None

    def run(self) -> None:
        """The thread's work."""
        with self.stoppable():
            self.found.emit(self.search.find())

    def _hear(self, progress: Progress) -> None:
        words = COMPILING if progress.compiling else self.search.words
        if progress.words or words != self.words:
            self.words = words
            self.progressed.emit("" if progress.compiling else progress.words)


class WindowSearch(QObject):
    """The searches of a window, one for each purpose. One for the same continues; any other replaces it."""

    changed = Signal()  # what is being searched for, or how far it is

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._current: dict[Purpose, _SearchThread] = {}  # the latest last
        self.progress = ""
        self.may_compile: Callable[[], bool] = lambda: False

    def is_long(self, recording: Recording) -> bool:
        return is_long(recording) or self.may_compile()

    @property
    def searching(self) -> bool:
        """Whether a search is in progress."""
        return bool(self._current)

    @property
    def words(self) -> str:
        """What the latest search is for, or that it waits for the compiler."""
        return next((thread.words for thread in reversed(self._current.values())), "")

    def begin(
        self,
        search: Search,
        arrived: Callable[[Any], object],
        purpose: Purpose,
        stopped: Callable[[], object] = lambda: None,
    ) -> None:
        thread = self._current.get(purpose)
        if thread is not None and thread.search.finds_the_same(search):
            thread.arrived, thread.stopped = arrived, stopped
            return
        self.cancel(purpose)
        self._current[purpose] = thread = _SearchThread(search)
        thread.arrived, thread.stopped = arrived, stopped
        thread.found.connect(self._found)
        thread.progressed.connect(self._go_on)
        thread.finished.connect(self._forget)
        self.progress = ""
        self.changed.emit()
        thread.start()

    def cancel(self, purpose: Purpose) -> None:
        """The thread ends by itself."""
        thread = self._current.pop(purpose, None)
        if thread is not None:
            thread.end()
            self.progress = ""
            self.changed.emit()

    def stop(self) -> None:
        """Stop searching, as the user wants it."""
        for purpose, thread in tuple(self._current.items()):
            self.cancel(purpose)
            thread.stopped()

    def end(self) -> None:
        """Stop all searches; what they were to find is no longer wanted."""
        for purpose in Purpose:
            self.cancel(purpose)

    def _purpose(self) -> Purpose | None:
        """For what the thread searches that sends a signal; None if it was stopped."""
        sender = self.sender()
        return next((purpose for purpose, thread in self._current.items() if thread is sender), None)

    def _found(self, found: object) -> None:
        if (purpose := self._purpose()) is not None:
            thread = self._current[purpose]
            self.cancel(purpose)
            thread.arrived(found)

    def _go_on(self, far: str) -> None:
        if self.sender() is next(reversed(self._current.values()), None):
            self.progress = far
            self.changed.emit()

    def _forget(self) -> None:
        if (purpose := self._purpose()) is not None:  # a fault of the program ended it
            self.cancel(purpose)


def new_context(search: WindowSearch, themes: ThemeManager) -> Context:
    """What the parts of a new window share; its cursor searches beside the window."""
    messages = WindowMessages(Notice(themes, IconShelf(themes)))
    return Context(Cursor(search), Selection(), Document(), themes, messages)


class SearchProgress(ProgressStrip):
    """Says what is searched for and how far that is, with a button that stops it; hidden otherwise."""

    def __init__(self, search: WindowSearch, themes: ThemeManager, icons: IconShelf) -> None:
        hint = tr("Stop searching; the window stays where it is")
        super().__init__(themes, icons, hint, search.stop)
        self._search = search
        self._bar.show_progress(0, 0)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_PATIENCE)
        self._soon.timeout.connect(self.show)
        search.changed.connect(self._show_search)

    def _show_search(self) -> None:
        if not self._search.searching:
            self._soon.stop()
            self.hide()
            return
        self._words.setText("  ".join(filter(None, (self._search.words, self._search.progress))))
        if self.isHidden() and not self._soon.isActive():
            self._soon.start()

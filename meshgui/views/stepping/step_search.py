"""Searches beside the window for what takes long to find, says how far that is, and can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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
from meshgui.views.widgets.tasks import Tasks
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
        self._tasks = Tasks[Purpose, _SearchThread](self)
        self.progress = ""
        self.may_compile: Callable[[], bool] = lambda: False

    def is_long(self, recording: Recording) -> bool:
        return is_long(recording) or self.may_compile()

    @property
    def searching(self) -> bool:
        """Whether a search is in progress."""
        return bool(self._tasks.purposes)

    @property
    def words(self) -> str:
        """What the latest search is for, or that it waits for the compiler."""
        return "" if (latest := self._tasks.latest) is None else latest.words

    def begin(
        self,
        search: Search,
        arrived: Callable[[Any], object],
        purpose: Purpose,
        stopped: Callable[[], object] = lambda: None,
    ) -> None:
        thread = self._tasks.get(purpose)
        if thread is not None and thread.search.finds_the_same(search):
            thread.arrived, thread.stopped = arrived, stopped
            return
        self.cancel(purpose)
        thread = _SearchThread(search)
        thread.arrived, thread.stopped = arrived, stopped
        self._tasks.start(
            purpose,
            thread,
            (thread.found, partial(self._found, thread, purpose)),
            (thread.progressed, partial(self._go_on, thread)),
            (thread.finished, partial(self.cancel, purpose)),  # a fault of the program ended it
        )
        self.progress = ""
        self.changed.emit()

    def cancel(self, purpose: Purpose) -> None:
        """The thread ends by itself."""
        if self._tasks.get(purpose) is not None:
            self._tasks.end(purpose)
            self.progress = ""
            self.changed.emit()

    def stop(self) -> None:
        """Stop searching, as the user wants it."""
        for purpose in self._tasks.purposes:
            thread = self._tasks.get(purpose)
            self.cancel(purpose)
            if thread is not None:
                thread.stopped()

    def end(self) -> None:
        """Stop all searches; what they were to find is no longer wanted."""
        for purpose in Purpose:
            self.cancel(purpose)

    def _found(self, thread: _SearchThread, purpose: Purpose, found: object) -> None:
        self.cancel(purpose)
        thread.arrived(found)

    def _go_on(self, thread: _SearchThread, far: str) -> None:
        if thread is self._tasks.latest:
            self.progress = far
            self.changed.emit()


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
        self._soon = QTimer(self, singleShot=True, interval=_PATIENCE)
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

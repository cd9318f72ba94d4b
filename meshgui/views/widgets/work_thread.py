"""A thread of work beside the window: each is known, and is ended before the program ends, or with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from time import monotonic
from typing import ClassVar, Final

from PySide6.QtCore import QCoreApplication, QThread

from meshgui.engine.basics.guard import long_calls
from meshgui.engine.basics.work import Progress, Stopped, Work
from meshgui.views.widgets.soon import soon

_LOOK: Final = 50  # milliseconds between which Python takes signals


class WorkThread(QThread):
    """A thread of work. It stays until it has ended, also where its owner goes before."""

    writes: ClassVar[bool] = False  # what would be lost if it ended with the program
    _known: ClassVar[set[WorkThread]] = set()

    def __init__(self) -> None:
        super().__init__()
        self.work = Work(self._hear)
        self.finished.connect(self._forget)

    def start(self, priority: QThread.Priority = QThread.Priority.InheritPriority) -> None:
        """Begin the work."""
        self._known.add(self)
        super().start(priority)

    def end(self) -> None:
        """Ask the work to stop."""
        self.work.stop()

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """A block of the thread's work that is left where `end` asks for it."""
        with suppress(Stopped), long_calls(), self.work.under_way():
            yield

    def _hear(self, progress: Progress) -> None:
        """Hear how far the work is, in this thread."""

    @classmethod
    def under_way(cls) -> list[WorkThread]:
        """The threads that have not ended, or of whose end not all have heard."""
        return list(cls._known)

    @classmethod
    def end_all(cls, within: float = inf) -> None:
        """Stop all work, and wait until it has ended; `within` seconds for what loses nothing.

        A thread that is still at work then, as it can be asked nothing, ends with the program.
        """
        threads, until = cls.under_way(), monotonic() + within
        for thread in threads:
            thread.end()
        for thread in threads:
            while not thread.wait(thread.patience(until)) and thread.patience(until):
                pass

    @classmethod
    def are_at_work(cls) -> bool:
        """Whether any thread is."""
        return any(thread.isRunning() for thread in cls._known)

    def patience(self, until: float) -> int:
        """The milliseconds that its end is waited for at once."""
        left = inf if self.writes else 1000 * (until - monotonic())
        return int(min(_LOOK, max(left, 0)))

    def _forget(self) -> None:
        """Have it deleted once all who hear of its end have heard.

        It may still be telling the others, and what it has not told them is lost if it is deleted.
        """
        self.wait()
        if (application := QCoreApplication.instance()) is not None:
            soon(application, self._release)

    def _release(self) -> None:
        """Delete it here: a compiler that outlives the work may hold the last reference in its thread."""
        self._known.discard(self)
        self.work = Work()  # as the other knows this thread
        self.deleteLater()

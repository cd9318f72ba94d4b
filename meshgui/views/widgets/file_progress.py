"""Shows how far a long file has been read or written, with a button that stops it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from time import monotonic, perf_counter
from typing import ClassVar, Final, Generic, Protocol, Self, TypeVar

from PySide6.QtCore import QCoreApplication, QEventLoop, Qt
from PySide6.QtWidgets import QProgressDialog, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Progress, Work
from meshgui.views.widgets.work_thread import WorkThread

_PATIENCE: Final = 0.4  # seconds; what takes longer shows how far it is
_SOON: Final = 0.2  # of that, after which what will take longer shows it
_LEG: Final = 0.02  # seconds of work before the window's events are handled
_PARTS: Final = 1000
_NO_INPUT: Final = QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents

T = TypeVar("T")


class Runner(Protocol):
    """Calls something, perhaps in another thread, and returns what it makes."""

    def __call__(self, make: Callable[[], T], /) -> T:
        """Call it, and wait."""
        ...


def at_once(make: Callable[[], T], /) -> T:
    """Call it in this thread."""
    return make()


class _Call(WorkThread, Generic[T]):
    """Calls something that nothing stops."""

    def __init__(self, make: Callable[[], T]) -> None:
        super().__init__()
        self.made = Future[T]()
        self._make = make

    def run(self) -> None:
        """The thread's work."""
        try:
            self.made.set_result(self._make())
        except Exception as error:  # noqa: BLE001 - the window raises it again
            self.made.set_exception(error)


class FileWork(Work):
    """Long work of a window, between whose pieces the window answers; it shows it and can be stopped.

    `words` say what is done, perhaps with a mark for the name of the file. Keys and clicks wait until the
    work is done or the dialog is there, so that nothing is edited. `around` is a block around all that the
    window does meanwhile.
    """

    _all: ClassVar[list[FileWork]] = []

    def __init__(
        self,
        words: str,
        window: QWidget,
        around: Callable[[], AbstractContextManager[None]] = nullcontext,
        name: str = "",
    ) -> None:
        super().__init__(self._answer, between=_LEG)
        self._next = monotonic() + _LEG
        self._words, self._window, self._in_window = words, window, around
        self._name = name
        self._dialog: QProgressDialog | None = None
        self._begun = perf_counter()

    def __enter__(self) -> Self:
        self._all.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._all.remove(self)
        if self._dialog is not None:
            self._dialog.reset()
            self._dialog.deleteLater()

    @classmethod
    def latest(cls) -> str:
        """What the latest work that has not ended does; empty if there is none."""
        return cls._all[-1].words if cls._all else ""

    @property
    def words(self) -> str:
        """What is done, with the name of the file."""
        return self._words.format(path=self._name)

    def _answer(self, progress: Progress) -> None:
        """Let the window answer, and stop the work where the user says so."""
        self._name = progress.words or self._name
        with self._in_window():
            if self._is_due(progress.share):
                self._tell(progress.share)
            else:
                QCoreApplication.processEvents(_NO_INPUT)

    def run_interruptible(self, make: Callable[[], T], /) -> T:
        """What is made in a thread, which must let go of the interpreter, while the window answers.

        Where it is stopped the thread ends by itself: what it makes is dropped.
        """
        thread = _Call(make)
        thread.start()
        while not wait([thread.made], _LEG / 2).done:
            self.look()
        return thread.made.result()

    def _is_due(self, share: float | None) -> bool:
        """Whether it takes long, or will."""
        passed = perf_counter() - self._begun
        return passed >= _PATIENCE or (
            passed >= _SOON * _PATIENCE and share is not None and passed >= _PATIENCE * share
        )

    def _tell(self, share: float | None) -> None:
        if self._dialog is None:
            self._dialog = QProgressDialog(self.words, tr("Stop"), 0, _PARTS, self._window)
            self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
            self._dialog.setMinimumDuration(0)
            self._dialog.setAutoReset(False)
        self._dialog.setMaximum(0 if share is None else _PARTS)
        if share is None:
            self._dialog.show()  # which only a value does by itself
            QCoreApplication.processEvents()
        else:
            self._dialog.setValue(min(int(_PARTS * share), _PARTS - 1))  # and answers events meanwhile
        if self._dialog.wasCanceled():
            self.stop()


@contextmanager
def reading_progress(window: QWidget) -> Iterator[None]:
    """A block that reads files in the window's thread; it raises Stopped where the user says so."""
    with FileWork(tr("Reading {path}"), window) as work, _Reported(work).under_way():
        yield


@contextmanager
def writing_progress(window: QWidget, name: str) -> Iterator[None]:
    """A block that makes and writes a file in the window's thread; it raises Stopped likewise."""
    with FileWork(tr("Writing {path}"), window, name=name) as work, _Reported(work).under_way():
        yield


class _Reported(Work):
    """What the window's thread reports: it is heard of and stopped, and nothing else that the thread does."""

    def __init__(self, shown: FileWork) -> None:
        super().__init__()
        self._shown = shown

    def report(self, done: float, of: float, words: str = "") -> None:
        """Let the window answer."""
        self._shown.report(done, of, words)


def write_in_pieces(path: Path, writing: Generator[float, None, None], window: QWidget) -> None:
    """Write a file in the window's thread, which answers; where it is stopped, the old file stays."""
    with FileWork(tr("Writing {path}"), window) as work:
        try:
            for share in writing:
                work.report(share, 1.0, path.name)
        finally:
            writing.close()

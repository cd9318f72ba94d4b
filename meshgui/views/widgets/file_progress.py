"""Shows how far a long file has been read or written, with a button that stops it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import Final, TypeVar

from PySide6.QtCore import QCoreApplication, QEventLoop, Qt
from PySide6.QtWidgets import QProgressDialog, QWidget

from meshgui.engine.basics.files import watched_reading
from meshgui.engine.basics.translation import tr

__all__ = ["FileWorkStopped", "encode_beside", "reading_progress", "write_in_pieces"]

_PATIENCE: Final = 0.4  # seconds; what takes longer shows how far it is
_LEG: Final = 0.02  # seconds of writing before the window's events are handled
_PARTS: Final = 1000
_NO_INPUT: Final = QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents

T = TypeVar("T")


class FileWorkStopped(Exception):  # noqa: N818 - it is not an error that a user stops it
    """The user has stopped the reading or writing of a file."""


class _Progress:
    """The dialog of one file, from when it takes long."""

    def __init__(self, words: str, window: QWidget) -> None:
        self._words, self._window = words, window
        self._dialog: QProgressDialog | None = None
        self._begun = perf_counter()

    @property
    def due(self) -> bool:
        """Whether it takes long."""
        return perf_counter() - self._begun >= _PATIENCE

    def tell(self, path: Path, share: float | None) -> None:
        """Show how far it is, if that is known, and raise FileWorkStopped where the user says so."""
        if self._dialog is None:
            words = self._words.format(path=path.name)
            self._dialog = QProgressDialog(words, tr("Stop"), 0, _PARTS, self._window)
            self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
            self._dialog.setMinimumDuration(0)
            self._dialog.setAutoReset(False)
        if share is None:
            self._dialog.setRange(0, 0)
            self._dialog.show()  # which only a value does by itself
            QCoreApplication.processEvents()
        else:
            self._dialog.setValue(min(int(_PARTS * share), _PARTS - 1))  # and answers events meanwhile
        if self._dialog.wasCanceled():
            raise FileWorkStopped

    def end(self) -> None:
        """Remove the dialog."""
        if self._dialog is not None:
            self._dialog.reset()
            self._dialog.deleteLater()


@contextmanager
def reading_progress(window: QWidget) -> Iterator[None]:
    """A block that reads files in the window's thread; it raises FileWorkStopped where the user says so."""
    progress = _Progress(tr("Reading {path}"), window)

    def look(path: Path, share: float) -> None:
        if progress.due:
            progress.tell(path, share)

    try:
        with watched_reading(look):
            yield
    finally:
        progress.end()


def write_in_pieces(path: Path, writing: Generator[float, None, None], window: QWidget) -> None:
    """Write a file in the window's thread, which is painted meanwhile; FileWorkStopped leaves the old file.

    Keys and clicks wait until the writing is done or the dialog is there, so that nothing is edited.
    """
    progress, since = _Progress(tr("Writing {path}"), window), perf_counter()
    try:
        for share in writing:
            if perf_counter() - since < _LEG:
                continue
            if progress.due:
                progress.tell(path, share)
            else:
                QCoreApplication.processEvents(_NO_INPUT)
            since = perf_counter()
    finally:
        writing.close()
        progress.end()


def encode_beside(path: Path, encode: Callable[[], T], window: QWidget) -> T:
    """What a file shall hold, made in a thread while the window answers; it must let go of the interpreter.

    FileWorkStopped leaves the thread to end by itself: what it makes is dropped.
    """
    progress, made = _Progress(tr("Writing {path}"), window), Future[T]()

    def run() -> None:
        try:
            made.set_result(encode())
        except Exception as error:  # noqa: BLE001 - the window raises it again
            made.set_exception(error)

    Thread(target=run, name="encoding").start()
    try:
        while not wait([made], _LEG / 2).done:
            if progress.due:
                progress.tell(path, None)
            else:
                QCoreApplication.processEvents(_NO_INPUT)
    finally:
        progress.end()
    return made.result()

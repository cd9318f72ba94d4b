"""Shows how far a long file has been read, with a button that stops the reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import Final, TypeVar, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QProgressDialog, QWidget

from meshgui.engine.basics.files import watched_reading
from meshgui.engine.basics.translation import tr

__all__ = ["ReadingStopped", "read_in_thread", "reading_progress"]

R = TypeVar("R")

_PATIENCE: Final = 0.4  # seconds; what takes longer shows how far it is
_PARTS: Final = 1000
_BETWEEN_EVENTS: Final = 0.01  # seconds


class ReadingStopped(Exception):  # noqa: N818 - it is not an error that a user stops it
    """The user has stopped the reading of a file."""


@contextmanager
def reading_progress(window: QWidget) -> Iterator[None]:
    """A block that reads files in the window's thread; it raises ReadingStopped where the user says so."""
    begun = perf_counter()
    dialog: QProgressDialog | None = None

    def look(path: Path, share: float) -> None:
        nonlocal dialog
        if perf_counter() - begun < _PATIENCE:
            return
        if dialog is None:
            dialog = QProgressDialog(
                tr("Reading {path}").format(path=path.name), tr("Stop"), 0, _PARTS, window
            )
            dialog.setWindowModality(Qt.WindowModality.WindowModal)
            dialog.setMinimumDuration(0)
            dialog.setAutoReset(False)
        dialog.setValue(min(int(_PARTS * share), _PARTS - 1))  # and answers events meanwhile
        if dialog.wasCanceled():
            raise ReadingStopped

    try:
        with watched_reading(look):
            yield
    finally:
        if dialog is not None:
            dialog.reset()
            dialog.deleteLater()


def read_in_thread(window: QWidget, name: str, read: Callable[[], R]) -> R:
    """What `read` gives, while the window shows that it goes on; it raises ReadingStopped as above.

    For files that are read in one piece. What was stopped goes on beside the window, and is dropped.
    """
    outcome: list[tuple[R | None, BaseException | None]] = []

    def work() -> None:
        try:
            outcome.append((read(), None))
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is awaited
            outcome.append((None, error))

    thread = Thread(target=work, name=tr("reading {name}").format(name=name), daemon=True)
    dialog = QProgressDialog(tr("Reading {name}").format(name=name), tr("Stop"), 0, 0, window)
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.show()
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_BETWEEN_EVENTS)
            QApplication.processEvents()
            if dialog.wasCanceled():
                raise ReadingStopped
    finally:
        dialog.reset()
        dialog.deleteLater()
    ((result, error),) = outcome
    if error is not None:
        raise error
    return cast("R", result)

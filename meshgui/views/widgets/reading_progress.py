"""Shows how far a long file has been read, with a button that stops the reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressDialog, QWidget

from meshgui.engine.basics.files import watched_reading
from meshgui.engine.basics.translation import tr

__all__ = ["ReadingStopped", "reading_progress"]

_PATIENCE: Final = 0.4  # seconds; what takes longer shows how far it is
_PARTS: Final = 1000


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

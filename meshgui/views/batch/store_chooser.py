"""Where the runs of an experiment are kept: in memory while its window is open, or in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.labels import ElidedLabel

__all__ = ["STORE_FILTER", "STORE_SUFFIX", "StoreChooser"]

STORE_SUFFIX: Final = ".mgstore"
STORE_FILTER: Final = f"Stores of experiments (*{STORE_SUFFIX} *.db *.sqlite);;All files (*)"
_NOWHERE: Final = "In memory: gone once this window is closed."
_THERE: Final = "Every run is kept here at once."


class StoreChooser(QWidget):
    """Names the file and lets another be chosen; it neither opens nor writes any itself."""

    created = Signal(object)  # a file to keep the runs in, new or not
    opened = Signal(object)  # a file that is there, to look at what it has
    forgotten = Signal()  # keep them in memory again

    def __init__(self, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._path: Path | None = None
        self.name = ElidedLabel(themes)
        self.name.setText("Memory")
        self.forget = QToolButton()
        self.forget.setToolTip("Keep the runs in memory; the file stays as it is")
        self.forget.setAccessibleName("Keep the runs in memory")
        self.forget.clicked.connect(self._forget)
        icons.dress(self.forget, "x")
        self.new = QPushButton("Keep in a file…")
        self.new.setToolTip("Choose a file for the runs; those there are already go into it")
        self.new.clicked.connect(self.ask_new)
        self.open = QPushButton("Open…")
        self.open.setToolTip("Open a file with runs of before, and see what it has")
        self.open.clicked.connect(self._ask_open)
        self.hint = QLabel(_NOWHERE)
        self.hint.setProperty("type", "caption")
        self.hint.setWordWrap(True)
        self.error_line = ErrorLine(themes)
        line, buttons, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        line.addWidget(self.name, 1)
        line.addWidget(self.forget)
        buttons.addWidget(self.new)
        buttons.addWidget(self.open)
        buttons.addStretch(1)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(line)
        column.addWidget(self.hint)
        column.addWidget(self.error_line)
        column.addLayout(buttons)
        Sizing(themes, self).spacing(column, 4).spacing(buttons, 8).spacing(line, 4)
        self.show_path(None)

    @property
    def path(self) -> Path | None:
        """The file; none: memory."""
        return self._path

    def show_path(self, path: Path | None) -> None:
        """Keep the runs there from now on."""
        self._path = path
        self.name.setText("Memory" if path is None else path.name)
        self.name.setToolTip("" if path is None else str(path))
        self.hint.setText(_NOWHERE if path is None else _THERE)
        self.forget.setVisible(path is not None)

    def ask_new(self) -> bool:
        """Let a file be chosen; whether one was."""
        folder = self._path.parent if self._path is not None else Path()
        name, _ = QFileDialog.getSaveFileName(
            self,
            "Keep the runs in a file",
            str(folder / f"experiment{STORE_SUFFIX}"),
            STORE_FILTER,
            options=QFileDialog.Option.DontConfirmOverwrite,  # a store that is there is added to
        )
        if not name:
            return False
        path = Path(name)
        self.created.emit(path if path.suffix else path.with_name(path.name + STORE_SUFFIX))
        return True

    def _ask_open(self) -> None:
        folder = str(self._path.parent) if self._path is not None else ""
        name, _ = QFileDialog.getOpenFileName(self, "Open a store", folder, STORE_FILTER)
        if name:
            self.opened.emit(Path(name))

    def _forget(self) -> None:
        self.show_path(None)
        self.forgotten.emit()

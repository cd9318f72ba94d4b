"""The chooser of a store: memory while the window is open, or a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, push_button
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.save_dialog import ALL_FILES, SaveDialog, file_stem
from meshgui.views.widgets.tool_button import tool_button

STORE_SUFFIX: Final = ".mgstore"
_STORES: Final = tr("Stores of experiments (*{STORE_SUFFIX} *.db *.sqlite)").format(STORE_SUFFIX=STORE_SUFFIX)
STORE_FILTER: Final = f"{_STORES};;{ALL_FILES}"
_NOWHERE: Final = tr("In memory: lost when this window is closed.")
_THERE: Final = tr("Every run is saved here at once.")


class StoreChooser(QWidget):
    """Names the file and lets the user choose another; it neither opens nor writes files."""

    created = Signal(object)  # a file to keep the runs in, new or not
    opened = Signal(object)  # a file that is there, to look at what it has
    forgotten = Signal()  # keep them in memory again

    def __init__(
        self, save_dialog: SaveDialog, themes: ThemeManager, icons: IconShelf, title: Callable[[], str]
    ) -> None:
        super().__init__()
        self._save_dialog, self._title = save_dialog, title
        self.path: Path | None = None  # the file; None: memory
        self.name = ElidedLabel(themes)
        self.forget = tool_button(
            icons, "x", tr("Keep the runs in memory; the file stays as it is"), self._forget
        )
        self.forget.setAccessibleName(tr("Keep the runs in memory"))
        self.new = push_button(
            tr("Keep in a file…"),
            tr("Choose a file for the runs; those in memory are copied into it"),
            self.ask_new,
        )
        self.open = push_button(
            tr("Open…"), tr("Open a file with earlier runs, and show its results"), self._ask_open
        )
        self.hint = label(kind="caption", wrap=True)
        self.error_line = ErrorLine(themes)
        sizing = Sizing(themes, self)
        sizing.column(
            sizing.row((self.name, 1), self.forget, spacing=4),
            self.hint,
            self.error_line,
            sizing.row(self.new, self.open, 1, spacing=8),
            spacing=4,
            on=self,
        )
        self.show_path(None)

    def show_path(self, path: Path | None) -> None:
        """Show where the runs are kept."""
        self.path = path
        self.name.setText(tr("Memory") if path is None else path.name)
        self.name.setToolTip("" if path is None else str(path))
        self.hint.setText(_NOWHERE if path is None else _THERE)
        self.forget.setVisible(path is not None)

    def ask_new(self) -> bool:
        """Ask for a file; whether one was chosen."""
        caption, name = tr("Keep the runs in a file"), self.path or file_stem(self._title())
        path = self._save_dialog.ask(caption, name, _STORES, adds=True)
        if path is not None:
            self.created.emit(path)
        return path is not None

    def _ask_open(self) -> None:
        folder = str(self.path.parent) if self.path is not None else ""
        name, _ = QFileDialog.getOpenFileName(self, tr("Open a store"), folder, STORE_FILTER)
        if name:
            self.opened.emit(Path(name))

    def _forget(self) -> None:
        self.show_path(None)
        self.forgotten.emit()

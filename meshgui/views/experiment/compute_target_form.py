"""Where an experiment is made: by processes of this machine, or by a Dask cluster."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from meshgui.experiment.executors import cores
from meshgui.model.compute_target import ComputeTarget
from meshgui.views.forms.editors import LineEditor, NumberEditor, SegmentEditor
from meshgui.views.forms.field_schema import Limits
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.error_line import ErrorLine

__all__ = ["ComputeTargetForm"]

_MOST: Final = 512


class ComputeTargetForm(QWidget):
    """Edits a ComputeTarget."""

    edited = Signal()

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        there = cores()
        self.where = SegmentEditor(
            [
                (False, "This machine", "Processes of their own, beside the window"),
                (True, "Dask cluster", "The workers of a scheduler that is running"),
            ]
        )
        self.where.set_value(False)
        self.workers = NumberEditor(Limits(whole=True, least=1, most=_MOST), themes)
        self.workers.describe("Processes", f"This machine has {there} cores")
        self.workers.set_value(there)
        self.address = LineEditor("tcp://HOST:8786")
        self.address.describe("Address", "Where the Dask scheduler listens")
        unit = QLabel("process" if there == 1 else "processes")
        unit.setProperty("type", "muted")
        processes = QWidget()
        line = QHBoxLayout(processes)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.workers)
        line.addWidget(unit)
        line.addStretch(1)
        self._pages = QStackedWidget()
        self._pages.addWidget(processes)
        self._pages.addWidget(self.address)
        self.error_line = ErrorLine(themes)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.where)
        column.addWidget(self._pages)
        column.addWidget(self.error_line)
        for editor in (self.where, self.workers, self.address):
            editor.edited.connect(self._changed)
        sizing = Sizing(themes, self).spacing(column, 8).spacing(line, 8)
        sizing.call(self._pages.setFixedHeight, 30)

    def target(self) -> ComputeTarget | None:
        """What it says, or None while something in it is wrong, which it says."""
        workers, address = self.workers.value(), str(self.address.value()).strip()
        if self.where.value():
            self.error_line.say("" if address else "expected the address of a scheduler: tcp://HOST:PORT")
            return ComputeTarget(1, address) if address else None
        sound = isinstance(workers, int) and 1 <= workers <= _MOST
        self.error_line.say("" if sound else f"expected 1 to {_MOST} processes")
        return ComputeTarget(workers) if isinstance(workers, int) and sound else None

    def _changed(self) -> None:
        self._pages.setCurrentIndex(1 if self.where.value() else 0)
        self.target()
        self.edited.emit()

"""The form of a compute target: processes of this machine, or a Dask cluster."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.experiment.executors import MOST_WORKERS, cores
from meshgui.model.fields.field_schema import Limits
from meshgui.model.studies.compute_target import ComputeTarget
from meshgui.views.forms.editors import LineEditor, NumberEditor, SegmentEditor
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, widget_of
from meshgui.views.widgets.error_line import ErrorLine


class ComputeTargetForm(QWidget):
    """Edits a ComputeTarget."""

    edited = Signal()

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        there = cores()
        self.where = SegmentEditor(
            [
                (False, tr("This machine"), tr("In separate processes")),
                (True, tr("Dask cluster"), tr("The workers of a scheduler that is running")),
            ],
            themes,
        )
        self.where.set_value(False)
        self.workers = NumberEditor(Limits(whole=True, least=1, most=MOST_WORKERS), themes)
        self.workers.describe(tr("Processes"), tr("This machine has {there} cores").format(there=there))
        self.workers.set_value(there)
        self.address = LineEditor("tcp://HOST:8786")
        self.address.describe(tr("Address"), tr("Where the Dask scheduler listens"))
        sizing = Sizing(themes, self)
        unit = label(tr("process") if there == 1 else tr("processes"), "muted")
        self._pages = QStackedWidget()
        self._pages.addWidget(widget_of(sizing.row(self.workers, unit, 1, spacing=8)))
        self._pages.addWidget(self.address)
        self.error_line = ErrorLine(themes)
        sizing.column(self.where, self._pages, self.error_line, spacing=8, on=self)
        sizing.call(self._pages.setFixedHeight, 30)
        for editor in (self.where, self.workers, self.address):
            editor.edited.connect(self._changed)

    def target(self) -> ComputeTarget | None:
        """Return the edited value; None, with an error shown, while it is invalid."""
        workers, address = self.workers.value(), str(self.address.value()).strip()
        if self.where.value():
            self.error_line.say(
                ""
                if address
                else tr("expected the address of a scheduler: tcp://HOST:PORT or tls://HOST:PORT")
            )
            return ComputeTarget(1, address) if address else None
        sound = isinstance(workers, int) and 1 <= workers <= MOST_WORKERS
        self.error_line.say("" if sound else tr("expected 1 to {MOST} processes").format(MOST=MOST_WORKERS))
        return ComputeTarget(workers) if isinstance(workers, int) and sound else None

    def _changed(self) -> None:
        self._pages.setCurrentIndex(1 if self.where.value() else 0)
        self.target()
        self.edited.emit()

"""Takes the errors that nothing handled, in every thread: keeps the work, and shows one calm dialog."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from types import TracebackType

import shiboken6
from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.base.fault_report import FaultReport
from meshgui.views.faults.fault_dialog import FaultDialog
from meshgui.views.style.theme import ThemeManager

_TITLE = tr("Something went wrong")
_AGAIN = 2  # times that the dialog opens again for faults it has shown: painting fails with every frame
_LEAD = tr("MeshGUI ran into an internal error. You can go on working.")


class FaultWatch(QObject):
    """While it watches, an error that nothing handled leads to a report and not only to a terminal."""

    goes_on = Signal()
    """A fault goes on after its last dialog; once for each."""
    _met = Signal()  # from any thread

    def __init__(
        self,
        themes: ThemeManager,
        settings: QSettings,
        window: QWidget,
        keep_work: Callable[[], str],
        details: Callable[[], Mapping[str, str]],
    ) -> None:
        super().__init__(window)
        self.report = FaultReport()
        self.dialog: FaultDialog | None = None
        self._themes, self._settings, self._window = themes, settings, window
        self._keep_work, self._details = keep_work, details
        self._announced = False  # a signal is on its way
        self._again = 0  # how often the dialog has opened for what it had shown before
        self._hooks = sys.excepthook, threading.excepthook
        self._met.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def begin(self) -> None:
        """Take the errors of all threads from now on."""
        self._hooks = sys.excepthook, threading.excepthook
        sys.excepthook, threading.excepthook = self._take, self._take_of_thread

    def end(self) -> None:
        """Leave them to those who had them before."""
        sys.excepthook, threading.excepthook = self._hooks

    def _take_of_thread(self, fault: threading.ExceptHookArgs) -> None:
        if fault.exc_value is not None and fault.exc_type is not SystemExit:
            self._take(fault.exc_type, fault.exc_value, fault.exc_traceback)

    def _take(self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
        if not issubclass(kind, Exception):
            self._hooks[0](kind, fault, trace)
            return
        new = self.report.add(kind, fault, trace)
        if new and sys.stderr is not None:
            self._hooks[0](kind, fault, trace)  # once: a fault in painting returns with each frame
        if self._announced or not shiboken6.isValid(self):
            return
        if self.dialog is None:
            self._again = 0 if new else self._again + 1
        if self.dialog is not None or self._again <= _AGAIN + 1:
            self._announced = True
            self._met.emit()

    def _tell(self) -> None:
        """Keep the work first, then show the dialog, or what is new in it."""
        self._announced = False
        if self.dialog is None and self._again > _AGAIN:
            self.goes_on.emit()
            return
        unkept = self._keep_work()
        if self.dialog is None:
            over = QApplication.activeModalWidget() or self._window
            self.dialog = FaultDialog(self._themes, self._settings, over, _TITLE, _LEAD)
            self.dialog.destroyed.connect(self._forget)
            self.dialog.show()
        times = self.report.count
        said = tr("{fault}, the last of {times} errors.") if times > 1 else tr("{fault}.")
        what = said.format(fault=self.report.last, times=times)
        kept = (
            tr("Your unsaved changes could not be copied: {unkept}").format(unkept=unkept)
            if unkept
            else tr("Your work is kept.")
        )
        self.dialog.show_report(
            self.report.text(self._details()), tr("{kept} The error: {what}").format(kept=kept, what=what)
        )

    def _forget(self) -> None:
        self.dialog = None

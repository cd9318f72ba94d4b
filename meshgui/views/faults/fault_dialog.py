"""The dialog about faults of the program: what happened, that the work is kept, and the report to pass on."""

from __future__ import annotations

from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from meshgui.engine.basics.files import os_fault, whole_file
from meshgui.engine.basics.translation import tr
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.screens import screen_of
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, label, push_button
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.notice import Notice, Topic
from meshgui.views.widgets.save_dialog import SaveDialog
from meshgui.views.widgets.soon import soon
from meshgui.views.widgets.written_file import say_written

_SIZE = QSize(640, 460)
_NOWHERE = tr("Nothing is sent anywhere. The report holds what you see here; pass it on if you like.")
_SAID = 2000  # milliseconds for which a button says what it did


class FaultDialog(QDialog):
    """Stays beside the window, which keeps working; a further fault is added to what it shows."""

    def __init__(
        self, themes: ThemeManager, settings: QSettings, parent: QWidget | None, title: str, lead: str
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.setWindowTitle(tr("{title} – MeshGUI").format(title=title))
        self.lead, self.kept = label(lead, "lead", wrap=True), label("", wrap=True)
        self.report = QPlainTextEdit(readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)
        self.report.setAccessibleName(tr("The report"))
        FocusRing(self.report, themes)
        self.notice, self._save_dialog = Notice(themes, IconShelf(themes)), SaveDialog(self, settings)
        self.copy_button = push_button(
            tr("Copy the report"), tr("Copy the whole report to the clipboard"), self.copy
        )
        self.save_button = push_button(
            tr("Save the report…"), tr("Save the whole report as a text file"), self.save
        )
        self.close_button = push_button(
            tr("Continue"), tr("Close this and go on working (Esc)"), self.close, primary=True
        )
        self.close_button.setDefault(True)
        sizing = Sizing(themes, self)
        buttons = sizing.row(self.copy_button, self.save_button, 1, self.close_button, spacing=8)
        sizing.column(
            *(self.lead, self.kept, (self.report, 1), label(_NOWHERE, "caption", wrap=True)),
            *(self.notice, buttons),
            on=self,
            margins=(16, 16, 16, 16),
            spacing=12,
        )
        as_panel(self)
        self._themes = themes
        themes.changed.connect(self._dress)
        self._dress()
        room = screen_of(self).availableSize()
        wanted = QSize(themes.px(_SIZE.width()), themes.px(_SIZE.height()))
        self.resize(wanted.boundedTo(QSize(room.width() * 9 // 10, room.height() * 8 // 10)))

    def show_report(self, text: str, kept: str = "") -> None:
        """Show a report, and below the title what became of the work."""
        self.kept.setText(kept)
        self.kept.setVisible(bool(kept))
        if text != self.report.toPlainText():
            self.report.setPlainText(text)

    def copy(self) -> None:
        """Copy the report to the clipboard."""
        QGuiApplication.clipboard().setText(self.report.toPlainText())
        self.copy_button.setText(tr("Copied"))
        soon(self.copy_button, lambda: self.copy_button.setText(tr("Copy the report")), _SAID)

    def save(self) -> None:
        """Save the report where the user says."""
        name = tr("MeshGUI, report of an error")
        path = self._save_dialog.ask(tr("Save the report"), name, tr("Text files (*.txt)"))
        if path is None:
            return
        try:
            with whole_file(path) as file:
                file.write(self.report.toPlainText().encode())
        except OSError as error:
            said = tr("The report could not be saved: {fault}.").format(fault=os_fault(error))
            self.notice.tell(said, topic=Topic.EXPORT)
        else:
            say_written(self.notice, path)

    def _dress(self) -> None:
        self.report.setFont(self._themes.mono("caption"))

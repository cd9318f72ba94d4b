"""Undo and redo of the edits of a scenario, and the way to the field that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.document.document import Document
from meshgui.model.document.edit_history import Edit
from meshgui.views.commands.registry import CommandRegistry
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.deferred import Deferred

if TYPE_CHECKING:
    from meshgui.views.scenario.form import ScenarioForm


_KEYS: Final = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
_ASKED: Final = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)


class ScenarioEdits(QObject):
    """Undoes and redoes the edits of a document, and leads to the field of an edit or of a fault.

    The fields have an undo of their own, for the text of one field; here they leave the keys to the document.
    """

    run_asked = Signal(object)  # a Scenario: undo goes back to it, and what was shown was run
    form_asked = Signal()  # show the panel with the form
    refused = Signal(str)  # why something was not done

    def __init__(
        self, document: Document, form: Callable[[], Deferred[ScenarioForm]], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._form = document, form
        self._following = False  # whether undo and redo have gone on from an edit that was run
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._watch)

    def commands(self) -> list[Command]:
        """Undo and redo."""
        return commands_in(
            tr("Edit"),
            (
                "edit.undo",
                tr("Undo"),
                tr("Undo the last edit of the scenario"),
                self.undo,
                ("Ctrl+Z",),
                "undo-2",
            ),
            (
                "edit.redo",
                tr("Redo"),
                tr("Make the edit again that was undone last"),
                self.redo,
                ("Ctrl+Shift+Z", "Ctrl+Y"),
                "redo-2",
            ),
        )

    def name_in(self, registry: CommandRegistry) -> None:
        """Say in the commands what they will undo and redo."""
        history = self._document.history
        for name, title, edit in (("undo", tr("Undo"), history.last), ("redo", tr("Redo"), history.next)):
            action = registry.action(f"edit.{name}")
            action.setText(f"{title} {edit.words}" if edit else title)
            action.setEnabled(edit is not None)

    def undo(self) -> None:
        """Undo the last edit; if it was run, run the scenario as it was before."""
        self._go(self._document.undo)

    def redo(self) -> None:
        """Redo what was undone last, and run it likewise."""
        self._go(self._document.redo)

    def show_fault(self, refusal: str) -> None:
        """Lead to the field that is wrong, and say what was not done for it."""
        self.form_asked.emit()
        form = self._form().view
        form.go_to_fault()
        self.refused.emit(f"{refusal}. {form.fault()}")

    def _go(self, step: Callable[[], Edit | None]) -> None:
        document = self._document
        following = not document.pending or (self._following and document.edited is None)
        edit = step()
        if edit is None:
            return
        self._following = following
        if following and document.edited is not None and document.pending:
            self.run_asked.emit(document.edited)
        if edit.in_form:
            self.form_asked.emit()
            self._form().view.go_to_field(edit.path)

    def _watch(self, old: QWidget | None, new: QWidget | None) -> None:
        form = self._form().made
        if old is not None:
            old.removeEventFilter(self)
        if new is not None and form is not None and form.isAncestorOf(new):
            new.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent, /) -> bool:  # noqa: N802 - Qt's name
        """Keep the keys of undo and redo from a field's own undo."""
        if event.type() in _ASKED and isinstance(event, QKeyEvent) and any(map(event.matches, _KEYS)):
            event.setAccepted(event.type() == QEvent.Type.KeyPress)  # not taken, it is a shortcut
            return True
        return False

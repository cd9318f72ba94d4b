"""Undo and redo of the edits of a scenario, and the way to the field that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from meshgui.engine.basics.parts import FieldPath
from meshgui.engine.basics.translation import tr
from meshgui.model.document.edit_history import Edit
from meshgui.views.docks.host import HostWindow
from meshgui.views.document.scenario_run import ScenarioRun
from meshgui.views.scenario.panel_spec import FormPanel
from meshgui.views.widgets.command import Command, Condition, commands_in
from meshgui.views.widgets.notice import Topic

_KEYS: Final = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
_ASKED: Final = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)


class ScenarioEdits(QObject):
    """Undoes and redoes the edits of a document, and leads to the field of an edit or of a fault.

    The fields have an undo of their own, for the text of one field; here they leave the keys to the document.
    """

    def __init__(self, host: HostWindow, scenario_run: ScenarioRun) -> None:
        super().__init__(host)
        self._host, self._document, self._run = host, host.context.document, scenario_run
        self._following = False  # whether undo and redo have gone on from an edit that was run
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._watch)

    def commands(self) -> list[Command]:
        """Undo and redo."""
        document = self._document
        can_undo, undo_wording = self._offered(tr("Undo"), lambda: document.history.last)
        can_redo, redo_wording = self._offered(tr("Redo"), lambda: document.history.next)
        return commands_in(
            tr("Edit"),
            Command(
                "edit.undo",
                tr("Undo"),
                tr("Undo the last edit of the scenario"),
                self.undo,
                ("Ctrl+Z",),
                "undo-2",
                enabled_when=can_undo,
                wording=undo_wording,
            ),
            Command(
                "edit.redo",
                tr("Redo"),
                tr("Make the edit again that was undone last"),
                self.redo,
                ("Ctrl+Shift+Z", "Ctrl+Y"),
                "redo-2",
                enabled_when=can_redo,
                wording=redo_wording,
            ),
        )

    def _offered(self, title: str, edit: Callable[[], Edit | None]) -> tuple[Condition, Callable[[], str]]:
        """When an edit can be undone or made again, and what the command says then."""
        changes = self._document.changed, self._document.draft_changed

        def wording() -> str:
            return title if (there := edit()) is None else f"{title} {there.words}"

        return Condition(lambda: edit() is not None, changes), wording

    def undo(self) -> None:
        """Undo the last edit; if it was run, run the scenario as before, back where its reader was then."""
        self._go(self._document.undo)

    def redo(self) -> None:
        """Redo what was undone last, and run it likewise."""
        self._go(self._document.redo)

    def show_fault(self, refusal: str) -> None:
        """Lead to the field that is wrong, and say what was not done for it."""
        self._host.panels.show("scenario")
        form = self._form.view
        form.go_to_fault()
        self._host.context.messages.tell(f"{refusal}. {form.fault()}", topic=Topic.EDITS)

    def go_to_field(self, path: FieldPath) -> None:
        """Show a field of the form."""
        self._host.panels.show("scenario")
        self._form.view.go_to_field(path)

    @property
    def _form(self) -> FormPanel:
        return self._host.panels.view(FormPanel)

    def _go(self, step: Callable[[], Edit | None]) -> None:
        document = self._document
        following = not document.pending or (self._following and document.edited is None)
        edit = step()
        if edit is None:
            return
        self._following = following
        if following and document.edited is not None and document.pending:
            self._run.apply(document.edited, at=edit.moment)
        if edit.in_form:
            self.go_to_field(edit.path)

    def _watch(self, old: QWidget | None, new: QWidget | None) -> None:
        form = self._form.made
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

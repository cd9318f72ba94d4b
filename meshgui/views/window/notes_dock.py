"""Shows the dock of notes over scenarios that have some, unless it was closed."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QDockWidget, QMainWindow

from meshgui.engine.basics.translation import tr
from meshgui.model.document.document import Document
from meshgui.views.help.notes_panel import NotesPanel
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.soon import soon
from meshgui.views.window.panel_docks import PanelDocks

_KEY = "window/notes"
_HIGHEST = 200  # pixels that long notes take at first


class NotesDock(QObject):
    """Follows the document: no notes, no dock. Whether it was closed over others is remembered."""

    def __init__(
        self,
        window: QMainWindow,
        panels: PanelDocks,
        document: Document,
        themes: ThemeManager,
        settings: QSettings,
    ) -> None:
        super().__init__(window)
        self._window, self._panels, self._themes, self._settings = window, panels, themes, settings
        self.panel = NotesPanel(document, themes)
        self._had_notes = False
        self._wanted = str(settings.value(_KEY, "1")) != "0"
        document.opened.connect(self._follow)
        panels.was_reset.connect(self._reset)

    @property
    def dock(self) -> QDockWidget:
        """The dock, once the panels have been arranged."""
        return self._panels.docks["notes"]

    def commands(self) -> list[Command]:
        """Showing and hiding the notes."""
        return commands_in(
            tr("Help"),
            (
                "run.about-scenario",
                tr("About this scenario"),
                tr("Show or hide its notes: what it shows, and which keys to press"),
                self._toggle,
                ("Ctrl+F1",),
                "info",
            ),
            marks={"run.about-scenario": lambda: not self.dock.isHidden()},
            synonyms={"run.about-scenario": tr("notes panel description explanation comment")},
        )

    def remember(self) -> None:
        """Save whether the notes are wanted."""
        self._note_whether_wanted()
        self._settings.setValue(_KEY, "1" if self._wanted else "0")

    def _toggle(self) -> None:
        self._panels.toggle("notes")
        self._wanted = not self.dock.isHidden()

    def _note_whether_wanted(self) -> None:
        """The button of the dock's title closes it unasked: it is looked at afterwards."""
        if self._had_notes and not self._panels.folded and not self._window.isFullScreen():
            self._wanted = not self.dock.isHidden()

    def _reset(self) -> None:
        self._wanted, self._had_notes = True, False
        self._follow()

    def _follow(self) -> None:
        self._note_whether_wanted()
        self._had_notes = self.panel.has_notes
        if self._panels.folded or self._window.isFullScreen():
            return
        shown = self._had_notes and self._wanted
        appears = shown and self.dock.isHidden()
        self.dock.setVisible(shown)
        if appears and not self.dock.isFloating():
            soon(self, self._fit)  # once it has its width

    def _fit(self) -> None:
        """Give the dock the height of its notes, within limits."""
        around = self.dock.height() - self.panel.height() + self._themes.px(8)  # the title and its margins
        height = min(self.panel.sizeHint().height(), self._themes.px(_HIGHEST)) + around
        self._panels.wish_for_notes(height / self._themes.scale)

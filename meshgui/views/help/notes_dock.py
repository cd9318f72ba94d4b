"""Shows the dock of notes over scenarios that have some, unless it was closed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSettings, QTimer
from PySide6.QtWidgets import QDockWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.dock_fold import DockFold
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_spec import PanelSpec, Place
from meshgui.views.docks.perspectives import LESSON
from meshgui.views.help.notes_panel import NotesPanel
from meshgui.views.widgets.command import Command, commands_in

_KEY, _FOLDED = "window/notes", "window/notes-folded"
_HIGHEST = 200  # pixels that long notes take at first


def _notes(host: HostWindow) -> NotesPanel:
    panel = NotesPanel(host.context.document, host.context.themes)
    panel.edit_asked.connect(lambda: host.go_to_field(("notes",)))
    return panel


NOTES = PanelSpec(
    "notes",
    tr("Notes"),
    tr("What the author of the scenario says about it."),
    _notes,
    "start",
    Place(above="queue", hidden=True, height=104, least=104),  # until they say theirs
)


class NotesDock(QObject):
    """Follows the document: no notes, no dock. Whether it was closed or folded is remembered."""

    def __init__(self, host: HostWindow, settings: QSettings) -> None:
        super().__init__(host)
        self._host, self._panels, self._settings = host, host.panels, settings
        self._themes = host.context.themes
        self.panel = host.panels.view(NotesPanel)
        self._had_notes = False
        self._fold = DockFold(self.dock, self._themes, host.context.icons)
        self._fold.fold(on=settings.value(_FOLDED) == "1")
        self._fold.changed.connect(self._fit)
        self._wanted = str(settings.value(_KEY, "1")) != "0"
        self._width = 0  # that the dock was fitted for
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._fit)
        self.dock.installEventFilter(self)
        host.context.document.opened.connect(self._follow)
        host.panels.was_reset.connect(self._reset)
        host.panels.covering_changed.connect(self._follow)
        host.panels.lesson.ended.connect(self._follow)

    @property
    def dock(self) -> QDockWidget:
        """The dock."""
        return self._panels.docks["notes"]

    def commands(self) -> list[Command]:
        """Showing and hiding the notes."""
        return commands_in(
            tr("Help"),
            Command(
                "run.about-scenario",
                tr("About this scenario"),
                tr("Show or hide its notes: what it shows, and which keys to press"),
                self._toggle,
                ("Ctrl+F1",),
                "info",
                mark=lambda: not self.dock.isHidden(),
                enabled_when=self._host.context.has_scenario,
                synonyms=tr("notes panel description explanation comment"),
            ),
        )

    def remember(self) -> None:
        """Save whether the notes are wanted, and folded."""
        self._note_whether_wanted()
        self._settings.setValue(_FOLDED, "1" if self._fold.folded else "0")
        self._settings.setValue(_KEY, "1" if self._wanted else "0")

    def _toggle(self) -> None:
        if self._fold.folded and self._panels.in_front("notes"):
            self._fold.toggle()
            return
        self._panels.toggle("notes")
        self._wanted = not self.dock.isHidden()

    def _note_whether_wanted(self) -> None:
        """The button of the dock's title closes it unasked: it is looked at afterwards."""
        if self._had_notes and not self._displaced:
            self._wanted = self._panels.room.has_place("notes")

    @property
    def _displaced(self) -> bool:
        """Whether the notes have no place now: in a lecture, and in a lesson, whose text has their column."""
        return self._panels.folded or self._panels.presenting or LESSON in self._panels.perspectives

    def _reset(self) -> None:
        self._wanted, self._had_notes = True, False
        self._fold.fold(on=False)
        self._follow()

    def _follow(self) -> None:
        self._note_whether_wanted()
        if self._displaced:
            return
        self._had_notes = self.panel.has_notes
        self._width = 0
        self._panels.room.give_place("notes", self._had_notes and self._wanted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Fit the dock where its notes have another width, or are new."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Show}:
            width = round(self.dock.width() / self._themes.scale)
            if width != self._width:
                self._width = width
                self._soon.start()  # once all have theirs
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Give the dock the height of its notes, within limits, or that of its title."""
        if self.dock.isHidden() or self.dock.isFloating():
            return
        if self._fold.folded:
            self._panels.wish_for("notes", self._fold.head)
            return
        around = self.dock.height() - self.panel.height()  # the title
        height = min(self.panel.sizeHint().height(), self._themes.px(_HIGHEST)) + around
        self._panels.wish_for("notes", height / self._themes.scale)

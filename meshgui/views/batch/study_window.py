"""What the windows beside the main one share: their layout is remembered, and their parts are exported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QSplitter, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.commands.window_commands import WindowCommands
from meshgui.views.exporting.commands import exporter_commands
from meshgui.views.exporting.exporter import Exporter
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.screens import room_for_window
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel
from meshgui.views.widgets.closing import Closing
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.kept_place import WindowPlace, divide_as_kept, keep_division, place_as_kept
from meshgui.views.widgets.notice import Notice
from meshgui.views.widgets.question import Question
from meshgui.views.widgets.save_dialog import SaveDialog
from meshgui.views.widgets.tab_in_sight import tab_in_sight


class StudyWindow(QWidget):
    """A window of its own; `name` is what its layout is kept under in the settings."""

    splitter: QSplitter  # its main division; a subclass makes it

    def __init__(self, name: str, themes: ThemeManager, icons: IconShelf, settings: QSettings) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self._name, self._themes, self._settings = name, themes, settings
        self._divided = False  # whether the main division is the user's
        self._presented = False  # whether it fills the screen for a lecture
        as_panel(self)
        self.notice = Notice(themes, icons)
        self.save_dialog = SaveDialog(self, settings)
        self.exporter = Exporter(self.save_dialog, themes, self.notice)
        self.closing = Closing(self, lambda: (self,), self.notice)
        self.commands = WindowCommands(self, themes, icons)

    def _publish(self, *commands: Command) -> None:
        """Offer the window's own commands, and those of every such window, by keys, palette and sheet."""
        shared = commands_in(
            tr("File"),
            *exporter_commands(lambda: self.exporter),
            None,
            Command(
                "file.close-window",
                tr("Close the window"),
                tr("Close this window; the layout is remembered"),
                self.close,
                ("Ctrl+W",),
                "x",
            ),
        ) + commands_in(
            tr("Window"),
            Command(
                "window.full-screen",
                tr("Full screen"),
                tr("Fill the screen with this window, without its frame, or give it back"),
                self.toggle_full_screen,
                ("F5", "F11"),
                "presentation",
                mark=self.isFullScreen,
                synonyms=tr("lecture presentation full screen projector large"),
            ),
        )
        self.commands.register(*commands, *shared, *self.commands.own())
        self.commands.attach(self)

    def offer(self, commands: Sequence[Command]) -> None:
        """Offer commands of the main window here, too."""
        self.commands.register(*commands)
        self.commands.attach(self)

    def present(self, *, on: bool) -> None:
        """Fill the screen as the main window does in a lecture, or go back to where it was at the desk."""
        if on and not self.isFullScreen():
            self._presented = True
            self.setWindowState(self.windowState() | Qt.WindowState.WindowFullScreen)
        elif not on and self._presented:
            self._presented = False
            self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)

    def toggle_full_screen(self) -> None:
        """Fill the screen, or have the size and the frame again."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def questions(self) -> Iterator[Question]:
        """What would be lost if it closed now."""
        return iter(())

    def writing(self) -> str:
        """What is being written by itself, in words."""
        return ""

    def end(self) -> None:
        """Stop all work, without a question."""
        raise NotImplementedError

    def _splitters(self) -> dict[str, QSplitter]:
        """The splitters that are remembered, by their keys in the settings."""
        return {"across": self.splitter}

    def _restore(self, size: QSize) -> None:
        """Take the place and the divisions of the last time, or this size."""
        self._divided = False
        self.resize(size.boundedTo(room_for_window(self)))
        place_as_kept(self, self._settings, f"{self._name}/geometry")
        for key, splitter in self._splitters().items():
            restored = divide_as_kept(splitter, self._settings, f"{self._name}/{key}")
            self._divided = self._divided or (restored and splitter is self.splitter)

    def _remember(self) -> None:
        """Keep the place and the divisions for the next time."""
        WindowPlace.of(self).keep(self._settings, f"{self._name}/geometry")
        for key, splitter in self._splitters().items():
            keep_division(self._settings, f"{self._name}/{key}", splitter)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """Show the exports of the widget under the pointer."""
        child = self.childAt(event.pos())
        if child is not None:
            self.exporter.show_menu(child, event.globalPos())

    def focusNextPrevChild(self, onward: bool, /) -> bool:  # noqa: N802 - Qt's
        """Tab to what is in sight."""
        return tab_in_sight(self, partial(super().focusNextPrevChild, onward))

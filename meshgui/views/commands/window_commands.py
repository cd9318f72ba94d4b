"""The commands of a window with all that shows them: keys, palette and the sheet of keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.commands.key_guard import KeyGuard, types_text
from meshgui.views.commands.registry import CommandRegistry
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.command import Command, commands_in

if TYPE_CHECKING:
    from meshgui.views.commands.palette import CommandPalette
    from meshgui.views.commands.shortcuts_sheet import ShortcutSheet


class WindowCommands(CommandRegistry):
    """The registry of a window, and two commands of its own that find and list all others."""

    def __init__(self, window: QWidget, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__(icons, window)
        self._window, self._themes = window, themes
        self._guard = KeyGuard.of(themes.application)
        self._more: Callable[[], Sequence[Command]] = tuple
        self._answers: Callable[[str], Sequence[Command]] = lambda _query: ()

    def answer(
        self, more: Callable[[], Sequence[Command]], answers: Callable[[str], Sequence[Command]]
    ) -> None:
        """Have the palette find further commands, and those for what is typed."""
        self._more, self._answers = more, answers

    def own(self) -> list[Command]:
        """The palette, and the sheet of keys."""
        return commands_in(
            tr("Help"),
            Command(
                "window.palette",
                tr("Find a command"),
                tr("Type a few letters of anything the window can do"),
                lambda: self.palette.toggle(),  # noqa: PLW0108 - made when first used
                ("Ctrl+K",),
                "command",
                synonyms=tr("search command palette"),
            ),
            Command(
                "window.keys",
                tr("Keys"),
                tr("Show every key on one sheet"),
                lambda: self.sheet.toggle(),  # noqa: PLW0108 - likewise
                ("?",),
                "keyboard",
                synonyms=tr("shortcuts keyboard bindings hotkeys"),
            ),
        )

    def withhold_those(self, begins: tuple[str, ...]) -> None:
        """Disable the commands whose ids begin like one of these, and no others any longer."""
        self.withhold(command.id for command in self if command.id.startswith(begins))

    def present(self, percent: int | None) -> None:
        """Let a remote step wherever the focus is, while text is enlarged for a lecture."""
        self._guard.presenting = self._window if percent is not None else None

    def is_free_escape(self, event: QKeyEvent) -> bool:
        """Whether a key is an Escape that no text uses."""
        focused = self._window.focusWidget()
        return event.key() == Qt.Key.Key_Escape and not (focused is not None and types_text(focused))

    @cached_property
    def palette(self) -> CommandPalette:
        """The command palette, created at first use."""
        from meshgui.views.commands.palette import CommandPalette  # noqa: PLC0415 - not needed for the first paint

        return CommandPalette(
            self._window,
            self,
            self._themes,
            lambda: () if self.has_page else self._more(),  # they are about what lies under the page
            lambda query: () if self.has_page else self._answers(query),
        )

    @cached_property
    def sheet(self) -> ShortcutSheet:
        """The sheet of keys, created at first use."""
        from meshgui.views.commands.shortcuts_sheet import ShortcutSheet  # noqa: PLC0415 - likewise

        return ShortcutSheet(self._window, self, self._themes)

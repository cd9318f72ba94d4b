"""A command of a window, for its menus, tool bar, palette and shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QKeySequence

__all__ = ["Command", "commands_in", "portable"]

CommandRow = tuple[str, str, str, Callable[[], object], tuple[str, ...], str]
"""Id, title, help, what it runs, keys and icon."""


@dataclass(frozen=True)
class Command:
    """A command of a window.

    `group` names its menu, with `/` before a submenu. A command either runs (`run`) or is switched
    on and off (`switch`).
    """

    id: str
    title: str
    help: str
    group: str
    run: Callable[[], object] | None = None
    switch: Callable[[bool], object] | None = None
    shortcuts: tuple[str, ...] = ()
    icon: str | None = None
    checked: bool = False  # the initial state of a switch

    def __post_init__(self) -> None:
        if (self.run is None) == (self.switch is None):
            raise ValueError(f"command {self.id!r}: expected either run or switch")
        for shortcut in self.shortcuts:
            if QKeySequence(shortcut).isEmpty() or not portable(shortcut):
                raise ValueError(f"command {self.id!r}: {shortcut!r} is not a key")

    @property
    def menu(self) -> str:
        """The top-level group."""
        return self.group.partition("/")[0]


def portable(shortcut: str) -> str:
    """A shortcut in Qt's normal form: `ctrl+k` and `Ctrl+K` are the same key."""
    return QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.PortableText)


def commands_in(menu: str, *rows: CommandRow) -> list[Command]:
    """Build the commands of one menu, in order."""
    return [
        Command(name, title, words, menu, run, shortcuts=keys, icon=icon)
        for name, title, words, run, keys, icon in rows
    ]

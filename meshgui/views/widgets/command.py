"""A command of a window, for its menus, tool bar, palette and shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from PySide6.QtCore import SignalInstance
from PySide6.QtGui import QKeySequence

from meshgui.engine.basics.translation import tr
from meshgui.model.base.signals import Signal


class Condition(NamedTuple):
    """Whether commands can be used now, and the changes after which the answer may be another."""

    holds: Callable[[], bool]
    changes: tuple[Signal[[]] | SignalInstance, ...]


@dataclass(frozen=True)
class Command:
    """A command of a window. `group` names its menu, with `/` before a submenu."""

    id: str
    title: str
    help: str
    run: Callable[[], object]
    shortcuts: tuple[str, ...] = ()
    icon: str | None = None
    mark: Callable[[], bool] | None = None
    """Whether what it changes is on."""
    enabled_when: Condition | None = None
    wording: Callable[[], str] | None = None
    """Its title where that says what the command would do now; it changes with `enabled_when`."""
    synonyms: str = ""
    """Other words that find it."""
    names: tuple[str, ...] = ()
    """What means it and nothing else, beside its title."""
    group: str = ""
    by_key: Callable[[], object] | None = None
    """What its keys do, where that is not what its entry in a menu does."""
    begins_section: bool = False
    """Whether a line stands above it in its menu."""

    def __post_init__(self) -> None:
        for shortcut in self.shortcuts:
            if QKeySequence(shortcut).isEmpty() or not portable(shortcut):
                raise ValueError(
                    tr("command “{id}”: “{shortcut}” is not a key").format(id=self.id, shortcut=shortcut)
                )

    @property
    def menu(self) -> str:
        """The top-level group."""
        return self.group.partition("/")[0]


def portable(shortcut: str) -> str:
    """A shortcut in Qt's normal form: `ctrl+k` and `Ctrl+K` are the same key."""
    return QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.PortableText)


def commands_in(menu: str, *rows: Command | None) -> list[Command]:
    """The commands of one menu, in order: a section of it, or several with None between them."""
    result, begins = [], True
    for row in rows:
        if row is not None:
            result.append(replace(row, group=menu, begins_section=begins))
        begins = row is None
    return result

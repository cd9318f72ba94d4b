"""A command of a window, for its menus, tool bar, palette and shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from PySide6.QtGui import QKeySequence

from meshgui.engine.basics.translation import tr

CommandRow = tuple[str, str, str, Callable[[], object], tuple[str, ...], str]
"""Id, title, help, what it runs, keys and icon."""


@dataclass(frozen=True)
class Command:
    """A command of a window.

    `group` names its menu, with `/` before a submenu. A command either runs (`run`) or is switched
    on and off (`switch`). One that runs may have a mark, which says whether what it changes is on.
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
    mark: Callable[[], bool] | None = None
    synonyms: str = ""  # other words that find it
    names: tuple[str, ...] = ()  # what means it and nothing else, beside its title
    begins_section: bool = False  # whether a line stands above it in its menu

    def __post_init__(self) -> None:
        if (self.run is None) == (self.switch is None):
            raise ValueError(tr("command {id!r}: expected either run or switch").format(id=self.id))
        for shortcut in self.shortcuts:
            if QKeySequence(shortcut).isEmpty() or not portable(shortcut):
                raise ValueError(
                    tr("command {id!r}: {shortcut!r} is not a key").format(id=self.id, shortcut=shortcut)
                )

    @property
    def menu(self) -> str:
        """The top-level group."""
        return self.group.partition("/")[0]


def portable(shortcut: str) -> str:
    """A shortcut in Qt's normal form: `ctrl+k` and `Ctrl+K` are the same key."""
    return QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.PortableText)


def commands_in(
    menu: str,
    *rows: CommandRow | None,
    marks: Mapping[str, Callable[[], bool]] = MappingProxyType({}),
    synonyms: Mapping[str, str] = MappingProxyType({}),
) -> list[Command]:
    """Build commands of one menu, in order: a section of it, or several with None between them.

    `marks` and `synonyms` are those of some of the commands, by their ids.
    """
    result, begins = [], True
    for row in rows:
        if row is None:
            begins = True
            continue
        name, title, words, run, keys, icon = row
        result.append(
            Command(
                name,
                title,
                words,
                menu,
                run,
                shortcuts=keys,
                icon=icon,
                mark=marks.get(name),
                synonyms=synonyms.get(name, ""),
                begins_section=begins,
            )
        )
        begins = False
    return result

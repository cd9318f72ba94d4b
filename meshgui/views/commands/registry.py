"""The registry of commands behind menus, tool bar, palette, shortcuts and their sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.style.icons import IconShelf
from meshgui.views.widgets.command import Command, Condition, portable

_ARROWS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}


def key_text(shortcut: str) -> str:
    """The text of a shortcut in the notation of this system."""
    text = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    head, plus, key = text.rpartition("+")
    return f"{head}{plus}{_ARROWS.get(key, key)}" if key else text


class _Action(QAction):
    """The action of a command; its keys may do something else than its entry in a menu."""

    def __init__(self, command_id: str, registry: CommandRegistry) -> None:
        super().__init__(registry)
        self.setObjectName(command_id)
        self._registry = registry

    def event(self, event: QEvent) -> bool:
        """Run what the keys do."""
        if event.type() == QEvent.Type.Shortcut:
            by_key = self._registry[self.objectName()].by_key
            if by_key is not None:
                by_key()
                self._registry.refresh_marks()
                return True
        return super().event(event)


class CommandRegistry(QObject):
    """The commands of a window, each with one action; a page that fills the window brings its own."""

    def __init__(self, icons: IconShelf, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.icons = icons
        self._commands: dict[str, Command] = {}
        self._actions: dict[str, QAction] = {}
        self._owners: dict[str, str] = {}  # the command of each key
        self._conditions: dict[Condition, list[Command]] = {}  # what can be used only where it holds
        self._withheld: frozenset[str] = frozenset()  # those that may not be used now
        self._attached: QWidget | None = None  # in which the keys work
        self._beside_page: dict[str, Command] | None = None  # the window's commands while a page has others
        self._without_sense: frozenset[str] = frozenset()  # those of the window that the page has no use for

    def __iter__(self) -> Iterator[Command]:
        return iter(self._commands.values())

    def __len__(self) -> int:
        return len(self._commands)

    def __contains__(self, command_id: object) -> bool:
        return command_id in self._commands

    def __getitem__(self, command_id: str) -> Command:
        return self._commands[command_id]

    def register(self, *commands: Command) -> None:
        """Add commands; the order is kept in menus, palette and sheet."""
        for command in commands:
            if command.id in self._commands:
                raise ValueError(tr("command “{command}” is registered twice").format(command=command.id))
            for key in map(portable, command.shortcuts):
                if (owner := self._owners.setdefault(key, command.id)) != command.id:
                    raise ValueError(
                        tr("{key} is a key of two commands: “{owner}” and “{command}”").format(
                            key=key, owner=owner, command=command.id
                        )
                    )
            self._commands[command.id] = command
            if command.enabled_when is not None:
                self._watch(command.enabled_when).append(command)

    def groups(self) -> dict[str, list[Command]]:
        """The commands by their menu, in the order they were registered."""
        result: dict[str, list[Command]] = {}
        for command in self:
            result.setdefault(command.menu, []).append(command)
        return result

    def action(self, command_id: str, parent: QWidget | None = None) -> QAction:
        """The command's one action; `parent` joins the widgets in whose window its keys work."""
        if command_id not in self._actions:
            self._make(self._commands[command_id])
        action = self._actions[command_id]
        if parent is not None and action not in parent.actions():
            parent.addAction(action)
        return action

    def dress(self, *command_ids: str) -> None:
        """Set the icons of actions; those of menus after the first paint, which they would delay."""
        for command in self:
            if command.icon is not None and (not command_ids or command.id in command_ids):
                self.icons.dress(self.action(command.id), command.icon)

    def attach(self, window: QWidget) -> None:
        """Make every shortcut work throughout `window`, shown in a menu or not."""
        self._attached = window
        for command in self:
            self.action(command.id, window)

    @property
    def has_page(self) -> bool:
        """Whether a page has its commands here."""
        return self._beside_page is not None

    def show_page(self, commands: Sequence[Command], withheld: tuple[str, ...]) -> None:
        """Have a page's commands in place of those with the same id or key.

        Those of the window whose ids begin like one of `withheld` cannot be used meanwhile.
        """
        self.leave_page()
        self._beside_page = own = self._commands
        taken = {portable(key) for command in commands for key in command.shortcuts}
        self._commands = {name: _without_keys(command, taken) for name, command in own.items()}
        self._commands |= {command.id: command for command in commands}
        of_page = {command.id for command in commands}
        self._without_sense = frozenset(
            name for name in own if name not in of_page and name.startswith(withheld)
        )
        self._take_over(own)

    def leave_page(self) -> None:
        """Have the window's own commands again."""
        if self._beside_page is not None:
            before, self._commands = self._commands, self._beside_page
            self._beside_page, self._without_sense = None, frozenset()
            self._take_over(before)

    def _take_over(self, before: dict[str, Command]) -> None:
        """Have the actions do what the commands say now; keys first leave those that had them."""
        changed = [name for name in before | self._commands if before.get(name) != self._commands.get(name)]
        for name in changed:
            self.action(name).setShortcuts([])
        for name in changed:
            if name not in self._commands:
                self._actions[name].setEnabled(False)
            else:
                self._describe(self._commands[name])
                self.action(name, self._attached)
        for command in self:
            self._offer(command)

    def has_sense(self, command_id: str) -> bool:
        """Whether a command is not one that the page shown has no use for."""
        return command_id not in self._without_sense

    def title(self, command_id: str) -> str:
        """The command's title, which may say what it would do now."""
        return self.action(command_id).text()

    def trigger(self, command_id: str) -> None:
        """Run the command, if it is enabled."""
        self.action(command_id).trigger()

    def withhold(self, command_ids: Iterable[str]) -> None:
        """Disable these commands even where they could be used, and no others any longer."""
        before, self._withheld = self._withheld, frozenset(command_ids)
        for command_id in before ^ self._withheld:
            self._offer(self._commands[command_id])

    def refresh_marks(self) -> None:
        """Check the commands whose mark says that what they change is on."""
        for command in self:
            if command.mark is not None:
                self.action(command.id).setChecked(command.mark())

    def fill_menu_bar(self, bar: QMenuBar) -> None:
        """Build the menus with a line between sections, submenus at the place of their first command."""
        menus: dict[str, QMenu] = {}
        for command in self:
            path = ""
            menu: QMenu | None = None
            for name in command.group.split("/"):
                path = f"{path}/{name}"
                if path not in menus:
                    if menu is not None and command.begins_section:
                        menu.addSeparator()
                    menus[path] = bar.addMenu(name) if menu is None else menu.addMenu(name)
                    menus[path].aboutToShow.connect(self.refresh_marks)
                menu = menus[path]
            if menu is not None:
                if command.begins_section and menu.actions():
                    menu.addSeparator()
                menu.addAction(self.action(command.id))

    def _make(self, command: Command) -> None:
        action = _Action(command.id, self)
        action.triggered.connect(partial(self._run, command.id))
        self._actions[command.id] = action
        self._describe(command)
        self._offer(command)

    def _run(self, command_id: str, _checked: bool = False) -> None:
        """Run what the action stands for now; a click has turned its mark, also where the command fails."""
        command = self._commands[command_id]
        try:
            command.run()
        finally:
            if command.mark is not None:
                self.refresh_marks()

    def _describe(self, command: Command) -> None:
        """Give the action the words and keys of its command."""
        action = self._actions[command.id]
        action.setText(command.title)
        action.setStatusTip(command.help)
        action.setShortcuts([QKeySequence(shortcut) for shortcut in command.shortcuts])
        keys = f"  ({key_text(command.shortcuts[0])})" if command.shortcuts else ""
        action.setToolTip(f"{command.title}{keys}\n{command.help}")
        action.setCheckable(command.mark is not None)
        if command.mark is not None:
            action.setIconVisibleInMenu(False)  # the mark has its place

    def _watch(self, condition: Condition) -> list[Command]:
        """The commands of a condition, which is looked at again after each of its changes, once for all."""
        if condition not in self._conditions:
            self._conditions[condition] = []
            for change in condition.changes:
                change.connect(partial(self._follow, condition))
        return self._conditions[condition]

    def _follow(self, condition: Condition) -> None:
        usable = condition.holds()
        for command in self._conditions[condition]:
            if (now := self._commands[command.id]).enabled_when == condition:
                self._offer(now, usable=usable)

    def _offer(self, command: Command, *, usable: bool | None = None) -> None:
        if usable is None:
            usable = command.enabled_when is None or command.enabled_when.holds()
        action = self.action(command.id)
        action.setEnabled(usable and command.id not in self._withheld | self._without_sense)
        if command.wording is not None:
            action.setText(command.wording())


def _without_keys(command: Command, taken: set[str]) -> Command:
    """A command without the keys that are another's now."""
    left = tuple(key for key in command.shortcuts if portable(key) not in taken)
    return command if left == command.shortcuts else replace(command, shortcuts=left)

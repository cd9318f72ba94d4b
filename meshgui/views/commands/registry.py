"""The registry of commands behind menus, tool bar, palette, shortcuts and their sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


class _KeyAction(QAction):
    """An action whose keys do something else than its entry in a menu."""

    def __init__(self, command: Command, parent: QObject) -> None:
        super().__init__(command.title, parent)
        self._command = command

    def event(self, event: QEvent) -> bool:
        """Run what the keys do."""
        if event.type() != QEvent.Type.Shortcut or self._command.by_key is None:
            return super().event(event)
        self._command.by_key()
        return True


class CommandRegistry(QObject):
    """The commands of a window, each with one action."""

    def __init__(self, icons: IconShelf, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.icons = icons
        self._commands: dict[str, Command] = {}
        self._actions: dict[str, QAction] = {}
        self._owners: dict[str, str] = {}  # the command of each key
        self._conditions: dict[Condition, list[Command]] = {}  # what can be used only where it holds
        self._withheld: frozenset[str] = frozenset()  # those that may not be used now

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
                raise ValueError(tr("command {command!r} is registered twice").format(command=command.id))
            for key in map(portable, command.shortcuts):
                if (owner := self._owners.setdefault(key, command.id)) != command.id:
                    raise ValueError(
                        tr("{key} is a key of two commands: {owner!r} and {command!r}").format(
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
        for command in self:
            self.action(command.id, window)

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
            command = self._commands[command_id]
            condition = command.enabled_when
            self._offer(command, usable=condition is None or condition.holds())

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
        action = QAction(command.title, self) if command.by_key is None else _KeyAction(command, self)
        action.setObjectName(command.id)
        action.setStatusTip(command.help)
        action.setShortcuts([QKeySequence(shortcut) for shortcut in command.shortcuts])
        keys = f"  ({key_text(command.shortcuts[0])})" if command.shortcuts else ""
        action.setToolTip(f"{command.title}{keys}\n{command.help}")
        action.triggered.connect(lambda _checked: command.run())
        if command.mark is not None:
            action.setCheckable(True)
            action.setIconVisibleInMenu(False)  # the mark stands in its place
            action.triggered.connect(
                self.refresh_marks
            )  # a click has turned it, also where the command failed
        self._actions[command.id] = action
        self._offer(command, usable=command.enabled_when is None or command.enabled_when.holds())

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
            self._offer(command, usable=usable)

    def _offer(self, command: Command, *, usable: bool) -> None:
        action = self.action(command.id)
        action.setEnabled(usable and command.id not in self._withheld)
        if command.wording is not None:
            action.setText(command.wording())

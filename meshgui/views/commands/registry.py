"""The registry of commands behind menus, tool bar, palette, shortcuts and their sheet."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QTreeView,
    QWidget,
)

from meshgui.views.style.icons import IconShelf
from meshgui.views.widgets.command import Command, portable

__all__ = ["CommandRegistry", "KeyGuard", "key_text", "types_text", "wants_key"]

_ARROWS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}


def key_text(shortcut: str) -> str:
    """The text of a shortcut in the notation of this system."""
    text = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    head, plus, key = text.rpartition("+")
    return f"{head}{plus}{_ARROWS.get(key, key)}" if key else text


class CommandRegistry(QObject):
    """The commands of a window, each with one action."""

    def __init__(self, icons: IconShelf, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._commands: dict[str, Command] = {}
        self._actions: dict[str, QAction] = {}

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
                raise ValueError(f"command {command.id!r} is registered twice")
            self._commands[command.id] = command

    def groups(self) -> dict[str, list[Command]]:
        """The commands by their menu, in the order they were registered."""
        result: dict[str, list[Command]] = {}
        for command in self:
            result.setdefault(command.menu, []).append(command)
        return result

    def duplicates(self) -> list[tuple[str, str, str]]:
        """Shortcuts that two commands share: the key, the first command, the second."""
        owner: dict[str, str] = {}
        clashes = []
        for command in self:
            for shortcut in command.shortcuts:
                first = owner.setdefault(portable(shortcut), command.id)
                if first != command.id:
                    clashes.append((portable(shortcut), first, command.id))
        return clashes

    def action(self, command_id: str, parent: QWidget | None = None) -> QAction:
        """The command's one action; `parent` joins the widgets in whose window its keys work."""
        if command_id not in self._actions:
            self._actions[command_id] = self._make(self._commands[command_id])
        action = self._actions[command_id]
        if parent is not None and action not in parent.actions():
            parent.addAction(action)
        return action

    def dress(self, *command_ids: str) -> None:
        """Set the icons of actions; those of menus after the first paint, which they would delay."""
        for command in self:
            if command.icon is not None and (not command_ids or command.id in command_ids):
                self._icons.dress(self.action(command.id), command.icon)

    def attach(self, window: QWidget) -> None:
        """Make every shortcut work throughout `window`, shown in a menu or not."""
        for command in self:
            self.action(command.id, window)

    def trigger(self, command_id: str) -> None:
        """Run the command, if it is enabled."""
        self.action(command_id).trigger()

    def set_enabled(self, command_id: str, enabled: bool) -> None:
        """Enable or disable the command."""
        self.action(command_id).setEnabled(enabled)

    def set_checked(self, command_id: str, checked: bool) -> None:
        """Set the checked state of a command without running it."""
        self.action(command_id).setChecked(checked)

    def fill_menu_bar(self, bar: QMenuBar) -> None:
        """Build the menus, submenus at the place of their first command."""
        menus: dict[str, QMenu] = {}
        for command in self:
            path = ""
            menu: QMenu | None = None
            for name in command.group.split("/"):
                path = f"{path}/{name}"
                if path not in menus:
                    menus[path] = bar.addMenu(name) if menu is None else menu.addMenu(name)
                menu = menus[path]
            if menu is not None:
                menu.addAction(self.action(command.id))

    def _make(self, command: Command) -> QAction:
        action = QAction(command.title, self)
        action.setObjectName(command.id)
        action.setStatusTip(command.help)
        action.setShortcuts([QKeySequence(shortcut) for shortcut in command.shortcuts])
        keys = f"  ({key_text(command.shortcuts[0])})" if command.shortcuts else ""
        action.setToolTip(f"{command.title}{keys}\n{command.help}")
        if command.switch is not None:
            action.setCheckable(True)
            action.setChecked(command.checked)
            # Not `toggled`: that would also answer the program's own `set_checked`.
            action.triggered.connect(command.switch)
        elif command.run is not None:
            run = command.run
            action.triggered.connect(lambda _checked: run())
        return action


_TEXT_ENTRIES = (QLineEdit, QAbstractSpinBox)
_EDITORS = (QTextEdit, QPlainTextEdit)
_VERTICAL = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})
_SIDEWAYS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right})
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_ENDS = frozenset({Qt.Key.Key_Home, Qt.Key.Key_End})
_COMMANDING = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)


def types_text(widget: QObject) -> bool:
    """Whether keys go into a text."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    if isinstance(widget, _EDITORS):
        return not widget.isReadOnly()
    return isinstance(widget, _TEXT_ENTRIES)


def wants_key(widget: QObject, key: int, modifiers: Qt.KeyboardModifier) -> bool:
    """Whether a focused widget has its own use for a key that may be a window-wide shortcut."""
    if modifiers & _COMMANDING:
        return False
    if types_text(widget):
        return key != Qt.Key.Key_Escape and not Qt.Key.Key_F1 <= key <= Qt.Key.Key_F35
    if isinstance(widget, QAbstractButton):
        group = widget.group()
        one_of_many = group is not None and group.exclusive()
        return key == Qt.Key.Key_Space or (one_of_many and key in _SIDEWAYS)
    if isinstance(widget, QComboBox):
        return key in _VERTICAL | {Qt.Key.Key_Space}
    if isinstance(widget, QAbstractSlider):
        return key in _VERTICAL | _SIDEWAYS | _ENDS
    if isinstance(widget, QTreeView):
        return key in _VERTICAL | _SIDEWAYS | _ENTER
    if isinstance(widget, QAbstractItemView):
        return key in _VERTICAL | _ENTER
    return False


def _pops_up(widget: QObject) -> bool:
    """Whether a widget lies in a pop-up, such as the open list of a combo box."""
    return isinstance(widget, QWidget) and widget.window().windowType() == Qt.WindowType.Popup


class KeyGuard(QObject):
    """Reserves for a focused field, list or slider the keys that it uses itself.

    Space and the arrows are shortcuts of the whole window. Before Qt fires one it asks the focused
    widget; few widgets answer, so the guard does it for them. It listens to the focused widget
    alone: a filter on the application would see every event there is. What pops up is left to Qt,
    which lets no shortcut of the window through there, and takes Enter from this very question.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        application.focusChanged.connect(self._follow)
        self._follow(None, application.focusWidget())

    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None:
            old.removeEventFilter(self)
        if new is not None:
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent, /) -> bool:  # noqa: N802 - Qt's name
        """Claim the key for the focused widget."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and not _pops_up(watched)
            and wants_key(watched, event.key(), event.modifiers())
        ):
            event.accept()
            return True
        return False

"""Decides which keys belong to the focused widget, and which to the commands of the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QToolButton,
    QTreeView,
    QWidget,
)

_TEXT_ENTRIES = (QLineEdit, QAbstractSpinBox)
_EDITORS = (QTextEdit, QPlainTextEdit)
_PRESSED = (QPushButton, QToolButton)
_OF_REMOTES = frozenset({Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_B, Qt.Key.Key_Period})
_VERTICAL = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})
_SIDEWAYS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right})
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_ERASE = frozenset({Qt.Key.Key_Delete, Qt.Key.Key_Backspace})
_END_OF_LINE = QKeyCombination(Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_E)
"""What fields of one line claim on X11, as Emacs has it: the only such key that a command has, too."""

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
    """Whether a focused widget has its own use for a key that may be a window-wide shortcut.

    A printable key belongs to fields and to cells that can be typed into; everywhere else it is a command.
    The space bar presses what the keys were taken to by Tab; after a click it is the window's.
    Home and End go through time unless a text or an open list has them.
    """
    if modifiers & _COMMANDING:
        return False
    if types_text(widget):
        return key != Qt.Key.Key_Escape and not Qt.Key.Key_F1 <= key <= Qt.Key.Key_F35
    if isinstance(widget, QAbstractButton):
        group = widget.group()
        one_of_many = group is not None and group.exclusive()
        if key == Qt.Key.Key_Space:
            return _reached_by_key(widget)
        return (key in _ENTER and isinstance(widget, _PRESSED)) or (one_of_many and key in _SIDEWAYS)
    if isinstance(widget, QComboBox):
        return key in _VERTICAL or (_reached_by_key(widget) and key == Qt.Key.Key_Space)
    if isinstance(widget, QAbstractSlider):
        return key in _VERTICAL | _SIDEWAYS
    if isinstance(widget, QAbstractItemView):
        return _list_wants(widget, key)
    return False


def _list_wants(view: QAbstractItemView, key: int) -> bool:
    """Whether a list, table or tree has its own use for a key."""
    model, here = view.model(), view.currentIndex()
    cell = here if here.isValid() or model is None else model.index(0, 0)
    if key in _VERTICAL | _ENTER:
        return True
    if model is not None and _typed_into(view, model.flags(cell)):
        return _is_printable(key) or key in _SIDEWAYS | _ERASE
    if key == Qt.Key.Key_Space and model is not None:
        ticked = model.data(cell, Qt.ItemDataRole.CheckStateRole) is not None
        return ticked and _reached_by_key(view)
    return isinstance(view, QTreeView) and key in _SIDEWAYS


def _reached_by_key(widget: QWidget) -> bool:
    """Whether the keys were taken to a widget by Tab or a shortcut, and it is in sight."""
    by_key = widget.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
    return by_key and not widget.visibleRegion().isEmpty()


def _is_printable(key: int) -> bool:
    """Whether a key writes a character; Qt numbers all others from Escape on."""
    return Qt.Key.Key_Space <= key < Qt.Key.Key_Escape


def _typed_into(view: QAbstractItemView, flags: Qt.ItemFlag) -> bool:
    """Whether a key that is pressed over a cell begins to edit it."""
    by_any_key = view.editTriggers() & QAbstractItemView.EditTrigger.AnyKeyPressed
    return bool(by_any_key) and bool(flags & Qt.ItemFlag.ItemIsEditable)


def _pops_up(widget: QObject) -> bool:
    """Whether a widget lies in a pop-up, such as the open list of a combo box."""
    return isinstance(widget, QWidget) and widget.window().windowType() == Qt.WindowType.Popup


class KeyGuard(QObject):
    """Reserves for a focused field, list or slider the keys that it uses itself.

    Space and the arrows are shortcuts of the whole window. Before Qt fires one it asks the focused
    widget; few widgets answer, so the guard does it for them. It listens to the focused widget
    alone: a filter on the application would see every event there is. What pops up is left to Qt,
    which lets no shortcut of the window through there, and takes Enter from this very question.

    Enter presses a focused button, as the space bar does: Qt has that in dialogs only, and there gives every
    button the room of a frame that marks the one it would press.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self.presenting: QWidget | None = None  # a window in which a remote steps wherever the focus is
        application.focusChanged.connect(self._follow)
        self._follow(None, application.focusWidget())

    @classmethod
    def of(cls, application: QApplication) -> KeyGuard:
        """The one guard of an application."""
        return application.findChild(cls) or cls(application)

    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None:
            old.removeEventFilter(self)
        if new is not None:
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent, /) -> bool:  # noqa: N802 - Qt's name
        """Claim the key for the focused widget, or leave it to the commands."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            return self._decide(watched, event)
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and isinstance(watched, _PRESSED)
            and event.key() in _ENTER
            and not event.modifiers() & _COMMANDING
        ):
            if not event.isAutoRepeat():
                watched.click()
            return True
        return False

    def _decide(self, watched: QObject, event: QKeyEvent) -> bool:
        """Say whose a key is, or leave that to the focused widget."""
        if event.keyCombination() == _END_OF_LINE:
            event.ignore()
            return True
        if _pops_up(watched) or self._of_remote(watched, event.key()):
            return False
        if not wants_key(watched, event.key(), event.modifiers()):
            return False
        event.accept()
        return True

    def _of_remote(self, watched: QObject, key: int) -> bool:
        """Whether a key comes from a presenter's remote, and not for a text."""
        if self.presenting is None or key not in _OF_REMOTES or types_text(watched):
            return False
        return isinstance(watched, QWidget) and watched.window() is self.presenting

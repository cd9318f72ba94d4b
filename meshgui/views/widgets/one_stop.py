"""Makes several widgets one stop of Tab; Up and Down go from one to the next, as the arrows are of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, runtime_checkable

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

_WAYS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_PLAIN: Final = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
_OF_USE: Final = (QEvent.Type.EnabledChange, QEvent.Type.ShowToParent, QEvent.Type.HideToParent)


@runtime_checkable
class Walked(Protocol):
    """What has a use for Up and Down itself, as a table has."""

    def at_end(self, way: int) -> bool:
        """Whether it has nothing more that way: up (-1) or down (1)."""


class OneStop(QObject):
    """Lets Tab reach one of some widgets: the one that had the keys last, or the first that can be used."""

    def __init__(self, owner: QWidget, members: Sequence[QWidget] = ()) -> None:
        super().__init__(owner)
        self._policies: dict[QWidget, Qt.FocusPolicy] = {}  # each widget with its own
        self._current: QWidget | None = None
        self.hold(members)

    def __contains__(self, member: object) -> bool:
        return member in self._policies

    def hold(self, members: Sequence[QWidget]) -> None:
        """Take these widgets, in their order, in place of those before, which are about to be deleted."""
        before = self._policies
        self._policies = {member: before.get(member) or member.focusPolicy() for member in members}
        for member in members:
            if member not in before:
                member.installEventFilter(self)
        self._settle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the keys, and take them on with Up and Down."""
        if isinstance(watched, QWidget) and watched in self._policies:
            if event.type() == QEvent.Type.FocusIn:
                self._current = watched
                self._settle()
            elif event.type() in _OF_USE:
                self._settle()
            elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._walk(watched, event)
        return False

    def _walk(self, member: QWidget, event: QKeyEvent) -> bool:
        """Go to the next member that can be used, unless the key goes further in this one."""
        way = _WAYS.get(Qt.Key(event.key()))
        if way is None or event.modifiers() not in _PLAIN:
            return False
        if isinstance(member, Walked) and not member.at_end(way):
            return False
        usable = [each for each in self._policies if each is member or _can_be_used(each)]
        place = usable.index(member) + way
        if 0 <= place < len(usable):
            usable[place].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _settle(self) -> None:
        """Give the one its place in the order of Tab, and take that of all others."""
        if self._current not in self._policies or not _can_be_used(self._current):
            self._current = next(filter(_can_be_used, self._policies), None)
        for member, policy in self._policies.items():
            wanted = policy if member is self._current else policy & ~Qt.FocusPolicy.TabFocus
            if shiboken6.isValid(member) and member.focusPolicy() != wanted:
                member.setFocusPolicy(wanted)


def _can_be_used(member: QWidget | None) -> bool:
    return member is not None and shiboken6.isValid(member) and member.isEnabled() and not member.isHidden()

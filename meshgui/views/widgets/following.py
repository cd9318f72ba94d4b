"""Connects views to models: for as long as the view exists, drawing only while it is visible."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

from PySide6.QtCore import QObject
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from meshgui.model.base.signals import Signal
from meshgui.model.moment.moment_view import View
from meshgui.model.stepping.cursor import Cursor, CursorChange
from meshgui.model.stepping.selection import Selection, SelectionChange
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel

P = ParamSpec("P")


def follow(owner: QObject, signal: Signal[P], listener: Callable[P, object]) -> None:
    """Connect `listener` until the owner is gone: the models outlive a closed panel."""
    signal.connect(listener)
    owner.destroyed.connect(lambda: signal.disconnect(listener))


class FollowingView(QWidget):
    """A panel that follows the cursor and the selection; while hidden it delays its updates."""

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__()
        self._cursor, self._selection, self._themes = cursor, selection, themes
        self._moved = True
        self._reselected = True
        as_panel(self)
        follow(self, cursor.changed, self._cursor_changed)
        follow(self, selection.changed, self._selection_changed)

    @property
    def watched(self) -> bool:
        """Whether anything of it is visible, so that it draws."""
        return self.isVisible()

    def show_view(self, view: View | None) -> None:
        """Draw another position; implemented by a subclass."""
        raise NotImplementedError

    def show_selection(self) -> None:
        """Draw another selection; implemented by a subclass that shows one."""

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Make the updates delayed while hidden."""
        super().showEvent(event)
        self._catch_up()

    def _cursor_changed(self, _change: CursorChange) -> None:
        self._moved = True
        self._catch_up()

    def _selection_changed(self, _changes: SelectionChange) -> None:
        self._reselected = True
        self._catch_up()

    def _catch_up(self) -> None:
        if not self.watched:
            return
        if self._moved:
            self._moved = False
            self.show_view(self._cursor.view)
        if self._reselected:
            self._reselected = False
            self.show_selection()

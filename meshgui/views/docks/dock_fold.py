"""Folds a panel to the line of its title, by a button beside those that close it and have it float."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.dock import LEAST_HEIGHT
from meshgui.views.style.direction import is_rtl
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.soon import soon
from meshgui.views.widgets.tool_button import tool_button

_SIDE, _TOP, _FROM_END = 20, 6, 56  # beside the button that has it float
_ICON = 16
_HEAD = 32  # the height of the title
_ANY = 16_777_215  # Qt's greatest height


class DockFold(QObject):
    """Folds a dock and unfolds it; where its tab or its own window names it, it has no title to fold to."""

    changed = Signal()

    def __init__(self, dock: QDockWidget, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__(dock)
        self._dock, self._themes, self._icons = dock, themes, icons
        self._folded = False
        self._button = tool_button(icons, "", "", self.toggle)
        self._button.setParent(dock)
        self._button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        dock.installEventFilter(self)
        dock.topLevelChanged.connect(self._apply)
        sizing = Sizing(themes, self).call(self._button.setFixedSize, _SIDE, _SIDE)
        sizing.icons(_ICON, self._button).rule(self._apply)

    @property
    def folded(self) -> bool:
        """Whether it is folded wherever it has a title."""
        return self._folded

    @property
    def head(self) -> int:
        """The height of the title in the design's pixels."""
        return _HEAD

    def toggle(self) -> None:
        """Fold the panel, or unfold it."""
        self.fold(on=not self._folded)

    def fold(self, *, on: bool) -> None:
        """Fold the panel or unfold it."""
        if on != self._folded:
            self._folded = on
            self._apply()
            self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Keep the button at its place, and follow whether there is a title."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Show}:
            self._place()
        elif event.type() in {QEvent.Type.ChildAdded, QEvent.Type.ChildRemoved}:  # such as a title of its own
            soon(self, self._apply)
        return super().eventFilter(watched, event)

    def _apply(self) -> None:
        dock = self._dock
        titled = dock.titleBarWidget() is None and not dock.isFloating()
        folded = self._folded and titled
        self._button.setVisible(titled)
        words = tr("Unfold it") if folded else tr("Fold it to this line")
        self._button.setToolTip(words)
        self._button.setAccessibleName(words)
        self._icons.dress(self._button, "chevron-down" if folded else "chevron-up")
        if (inside := dock.widget()) is not None:  # hidden it would take the width of its column with it
            inside.setMinimumHeight(0 if folded else self._themes.px(LEAST_HEIGHT))
            inside.setMaximumHeight(0 if folded else _ANY)
        self._place()

    def _place(self) -> None:
        px = self._themes.px
        start = px(_FROM_END) if is_rtl() else self._dock.width() - px(_FROM_END) - px(_SIDE)
        self._button.move(start, px(_TOP))
        self._button.raise_()

"""The command palette: type a few letters, press Enter, and any command of the window is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QObject,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from meshgui.views.commands.registry import Command, CommandRegistry, key_text
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.matching import match_score
from meshgui.views.widgets.overlay_card import OverlayCard
from meshgui.views.widgets.table_model import ModelIndex

__all__ = ["CommandPalette", "ranked"]


_WIDTH = 640
_ROW = 52
_ROWS_SHOWN = 8


def ranked(query: str, commands: list[Command], recent: list[str]) -> list[Command]:
    """The commands that fit the query, best first; recently used ones lead among equals."""
    if not query.strip():
        order = {command_id: place for place, command_id in enumerate(recent)}
        return sorted(commands, key=lambda command: order.get(command.id, len(order)))
    scored = [(match_score(query, command.title, command.help), command) for command in commands]
    fitting = [
        (score + (0.05 if command.id in recent else 0.0), command) for score, command in scored if score
    ]
    return [command for _, command in sorted(fitting, key=lambda entry: -entry[0])]


def _usable(command: Command, registry: CommandRegistry) -> bool:
    """Whether a command can be used now."""
    return command.id not in registry or registry.action(command.id).isEnabled()


class _Commands(QAbstractListModel):
    """The commands now listed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: list[Command] = []

    def show(self, commands: list[Command]) -> None:
        """List these commands."""
        self.beginResetModel()
        self._rows = commands
        self.endResetModel()

    def command(self, row: int) -> Command | None:
        """The command in a row, if there is such a row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: ModelIndex | None = None, /) -> int:  # noqa: N802 - Qt's name
        """How many commands are listed."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole, /) -> str | None:
        """The title, for screen readers; the delegate draws the rest."""
        command = self.command(index.row())
        return command.title if command is not None and role == Qt.ItemDataRole.DisplayRole else None


class _Row(QStyledItemDelegate):
    """Draws a command: icon, title over help, and its keys at the right."""

    def __init__(
        self, model: _Commands, registry: CommandRegistry, icons: IconShelf, themes: ThemeManager
    ) -> None:
        super().__init__(model)
        self._model = model
        self._registry = registry
        self._icons = icons
        self._themes = themes

    def sizeHint(self, _option: QStyleOptionViewItem, _index: ModelIndex, /) -> QSize:  # noqa: N802 - Qt's name
        """Every row has the same height."""
        return QSize(self._themes.px(240), self._themes.px(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex, /) -> None:
        """Draw one row."""
        command = self._model.command(index.row())
        if command is None:
            return
        theme, px = self._themes.theme, self._themes.px
        usable = _usable(command, self._registry)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("selection"))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), px(8), px(8))
        side = px(20)
        if command.icon is not None:
            mode = QIcon.Mode.Normal if usable else QIcon.Mode.Disabled
            place = QRect(rect.left() + px(16), rect.center().y() - side // 2 + 1, side, side)
            self._icons.icon(command.icon).paint(painter, place, mode=mode)
        right = self._draw_keys(painter, rect, command)
        left = rect.left() + px(52)
        self._draw_text(
            painter, QRect(left, rect.top(), right - left - px(16), rect.height()), command, usable
        )
        painter.restore()

    def _draw_text(self, painter: QPainter, rect: QRect, command: Command, usable: bool) -> None:
        theme, half = self._themes.theme, rect.height() // 2
        lines = (
            (
                command.title,
                self._themes.text("lead", QFont.Weight.Medium),
                "text",
                Qt.AlignmentFlag.AlignBottom,
                0,
            ),
            (command.help, self._themes.text("caption"), "muted", Qt.AlignmentFlag.AlignTop, half),
        )
        for text, font, token, align, top in lines:
            painter.setFont(font)
            painter.setPen(theme.colour(token if usable else "faint"))
            line = QRect(rect.left(), rect.top() + top, rect.width(), half)
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
            painter.drawText(line, align | Qt.AlignmentFlag.AlignLeft, shown)

    def _draw_keys(self, painter: QPainter, rect: QRect, command: Command) -> int:
        """Draw the first shortcut as a key cap; returns where it begins."""
        px, right = self._themes.px, rect.right() - self._themes.px(12)
        if not command.shortcuts:
            return right
        text, font = key_text(command.shortcuts[0]), self._themes.text("caption")
        width = max(QFontMetrics(font).horizontalAdvance(text) + px(16), px(28))
        cap = QRect(right - width, rect.center().y() - px(11), width, px(22))
        painter.setPen(QPen(self._themes.theme.colour("outline"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(cap, px(4), px(4))
        painter.setFont(font)
        painter.setPen(self._themes.theme.colour("text"))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, text)
        return cap.left()


class CommandPalette(OverlayCard):
    """Search over every command of a window, and over what else can be done by name.

    The latter, `more`, is found once something is typed; it stands in no menu and has no keys.
    """

    def __init__(
        self,
        host: QWidget,
        registry: CommandRegistry,
        icons: IconShelf,
        themes: ThemeManager,
        more: Callable[[], Sequence[Command]] = tuple,
    ) -> None:
        super().__init__(host, themes)
        self._registry = registry
        self._ask_for_more = more
        self._recent: list[str] = []
        self._model = _Commands(self)

        self.search = QLineEdit(self.card)
        self.search.setProperty("search", True)
        self.search.setPlaceholderText("What do you want to do?")
        self.search.setAccessibleName("Find a command")
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        self._rule = QFrame(self.card)
        self._rule.setProperty("rule", True)
        self._nothing = QLabel("No command fits.", self.card)
        self._nothing.setProperty("type", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.list = QListView(self.card)
        self.list.setModel(self._model)
        self.list.setItemDelegate(_Row(self._model, registry, icons, themes))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.entered.connect(self.list.setCurrentIndex)
        self.list.clicked.connect(lambda index: self._run(index.row()))
        self._layout = QVBoxLayout(self.card)
        for part in (self.search, self._rule, self.list, self._nothing):
            self._layout.addWidget(part)

    def place(self) -> None:
        """In the middle, near the top, as tall as its rows."""
        px = self.themes.px
        self._layout.setContentsMargins(px(8), px(8), px(8), px(8))
        self._layout.setSpacing(px(8))
        self.search.setTextMargins(px(8), 0, px(8), 0)
        self._rule.setFixedHeight(1)
        rows = min(max(self._model.rowCount(), 1), _ROWS_SHOWN)
        top = px(56)
        head = self.search.sizeHint().height() + 4 * px(8) + 3
        room = max(self.height() - top - head - px(24), px(_ROW))
        height = min(rows * px(_ROW), room // px(_ROW) * px(_ROW))
        self.list.setFixedHeight(height)
        self._nothing.setFixedHeight(height)
        width = min(px(_WIDTH), self.width() - px(32))
        self.card.setGeometry((self.width() - width) // 2, top, width, head + height)
        self.update()

    def open(self) -> None:
        """Show every command, recently used ones first."""
        self.search.clear()
        self._filter("")
        super().open()
        self.search.setFocus()

    @cached_property
    def _more(self) -> list[Command]:
        return list(self._ask_for_more())

    def listed(self) -> list[str]:
        """The ids of the commands now listed, best first."""
        rows = (self._model.command(row) for row in range(self._model.rowCount()))
        return [command.id for command in rows if command is not None]

    def eventFilter(self, watched: QObject, event: QEvent, /) -> bool:  # noqa: N802 - Qt's name
        """Keys that move through the list while the field has the keyboard."""
        if watched is self.search and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        steps = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: 1 - _ROWS_SHOWN,
            Qt.Key.Key_PageDown: _ROWS_SHOWN - 1,
        }
        key = Qt.Key(event.key())
        if key in steps:
            self._move(steps[key])
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._run(self.list.currentIndex().row())
        elif key == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            return False
        return True

    def _move(self, step: int) -> None:
        count = self._model.rowCount()
        if not count:
            return
        row = self.list.currentIndex().row() + step
        # One step past an end goes round; a page stops at it.
        row = row % count if abs(step) == 1 else min(max(row, 0), count - 1)
        self.list.setCurrentIndex(self._model.index(row, 0))

    def _filter(self, query: str) -> None:
        more = self._more if query.strip() else []
        self._model.show(ranked(query, [*self._registry, *more], self._recent))
        found = self._model.rowCount() > 0
        self.list.setVisible(found)
        self._nothing.setVisible(not found)
        if found:
            self.list.setCurrentIndex(self._model.index(0, 0))
        if self.isVisible():
            self.place()

    def _run(self, row: int) -> None:
        command = self._model.command(row)
        if command is None or not _usable(command, self._registry):
            return
        self._recent = [command.id, *(entry for entry in self._recent if entry != command.id)][:8]
        # The keyboard goes back first: the command may move it again.
        self.dismiss()
        if command.id in self._registry:
            self._registry.trigger(command.id)
        elif command.run is not None:
            command.run()

"""The command palette: type a few letters, press Enter, and the command runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from meshgui.engine.basics.translation import in_english, tr
from meshgui.model.base.list_item import ListItem
from meshgui.views.commands.registry import CommandRegistry, key_text
from meshgui.views.style.direction import is_rtl, mirror, upright, write, write_named
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import hairline, label
from meshgui.views.widgets.command import Command
from meshgui.views.widgets.name_lines import fitted
from meshgui.views.widgets.overlay_card import OverlayCard
from meshgui.views.widgets.searchable_list import PLACE, SearchableList
from meshgui.views.widgets.table_model import ModelIndex

_WIDTH = 740
_BEFORE, _BEHIND = 52, 12  # pixels beside the words of a row
_ROW = 52
_ROWS_SHOWN = 8


def _usable(command: Command, registry: CommandRegistry) -> bool:
    """Whether a command can be used now."""
    return command.id not in registry or registry.action(command.id).isEnabled()


class _Row(QStyledItemDelegate):
    """Draws a command: icon, title over help, and its keys on the right."""

    def __init__(
        self, found: SearchableList, registry: CommandRegistry, icons: IconShelf, themes: ThemeManager
    ) -> None:
        super().__init__(found)
        self._found, self._registry, self._icons, self._themes = found, registry, icons, themes

    def sizeHint(self, _option: QStyleOptionViewItem, _index: ModelIndex, /) -> QSize:  # noqa: N802 - Qt's name
        """Every row has the same height."""
        return QSize(self._themes.px(240), self._themes.px(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex, /) -> None:
        """Draw one row."""
        command = self._found.items[index.data(PLACE)].value
        if not isinstance(command, Command):
            return
        theme, px = self._themes.theme, self._themes.px
        usable = _usable(command, self._registry)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if is_rtl(self._found):
            mirror(painter, rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("selection"))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), px(8), px(8))
        side = px(20)
        if command.icon is not None:
            mode = QIcon.Mode.Normal if usable else QIcon.Mode.Disabled
            place = QRect(rect.left() + px(16), rect.center().y() - side // 2 + 1, side, side)
            with upright(painter, QRectF(place)):
                self._icons.icon(command.icon).paint(painter, place, mode=mode)
        room = QRect(rect.left() + px(_BEFORE), rect.top(), self.help_room(rect.width()), rect.height())
        self._draw_text(painter, room, self._draw_keys(painter, room, command), command, usable)
        painter.restore()

    def help_room(self, width: int) -> int:
        """The width for the help in a row of this width: the keys stand above it."""
        return width - self._themes.px(_BEFORE + _BEHIND)

    def _draw_text(self, painter: QPainter, rect: QRect, end: int, command: Command, usable: bool) -> None:
        theme, half = self._themes.theme, rect.height() // 2
        lead, caption = self._themes.text("lead", QFont.Weight.Medium), self._themes.text("caption")
        first, second = rect.adjusted(0, 0, end - rect.right(), -half), rect.adjusted(0, half, 0, 0)
        title = (command.title, lead, "text", Qt.AlignmentFlag.AlignBottom, first)
        words = (command.help, caption, "muted", Qt.AlignmentFlag.AlignTop, second)
        for text, font, token, align, line in (title, words):
            painter.setFont(font)
            painter.setPen(theme.colour(token if usable else "faint"))
            shown = fitted(text, line.width(), QFontMetrics(font))
            quiet = theme.colour("muted" if usable else "faint")
            write_named(painter, line, shown, quiet, int(align | Qt.AlignmentFlag.AlignLeft))

    def _draw_keys(self, painter: QPainter, rect: QRect, command: Command) -> int:
        """Draw the first shortcut as a key cap beside the title; returns where that ends."""
        px, right = self._themes.px, rect.right()
        if not command.shortcuts:
            return right
        text, font = key_text(command.shortcuts[0]), self._themes.text("caption")
        width = max(QFontMetrics(font).horizontalAdvance(text) + px(16), px(28))
        cap = QRect(right - width, rect.top() + px(6), width, px(22))
        painter.setPen(QPen(self._themes.theme.colour("outline"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(cap, px(4), px(4))
        painter.setFont(font)
        painter.setPen(self._themes.theme.colour("text"))
        write(painter, cap, text, int(Qt.AlignmentFlag.AlignCenter))
        return cap.left() - px(16)


def _other_words(command: Command) -> str:
    """The words that find a command beside its title; in another language its English ones, too."""
    return " ".join((command.synonyms, *map(in_english, (command.title, command.synonyms))))


class CommandPalette(OverlayCard):
    """Searches every command of a window, and further actions by name.

    The further actions have no menu and no keys: `more` are found once a letter is typed, `answers`
    are those for what is typed, such as a job's number.
    """

    closing_key = "Ctrl+K"

    def __init__(
        self,
        host: QWidget,
        registry: CommandRegistry,
        themes: ThemeManager,
        more: Callable[[], Sequence[Command]] = tuple,
        answers: Callable[[str], Sequence[Command]] = lambda _query: (),
    ) -> None:
        super().__init__(host, themes)
        self._registry = registry
        self._more = more
        self._recent: list[str] = []
        self._found = SearchableList(
            themes,
            self.card,
            best_first=True,
            answers=lambda query: [self._item(command, only_found=True) for command in answers(query)],
        )
        self._found.used.connect(self._run)
        self._found.filled.connect(self._fit)
        self.search, self.list = self._found.search, self._found.list
        self.search.setProperty("search", True)
        self.search.setPlaceholderText(tr("What do you want to do?"))
        self.setAccessibleName(tr("Find a command"))
        self.search.setAccessibleName(tr("Find a command"))
        self._nothing = label(tr("No matching command."), "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.list.setItemDelegate(_Row(self._found, registry, registry.icons, themes))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.list.entered.connect(self.list.setCurrentIndex)
        self._found.column.insertWidget(1, hairline())
        self._found.column.addWidget(self._nothing)
        sizing = Sizing(themes, self).spacing(self._found.column, 8)
        sizing.call(self.search.setTextMargins, 8, 0, 8, 0)
        sizing.column(self._found, on=self.card, margins=(8, 8, 8, 8))

    def place(self) -> None:
        """Place the card in the middle, near the top, as tall as its rows."""
        px = self.themes.px
        rows = min(max(self.list.count(), 1), _ROWS_SHOWN)
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
        own = [
            replace(command, title=self._registry.title(command.id), synonyms=_other_words(command))
            for command in self._registry
        ]
        listed = [*own, *self._more()]
        known = {command.id for command in own}
        self._found.offer(
            [self._item(command, only_found=command.id not in known) for command in listed], set()
        )
        super().open()
        self.search.setFocus()

    def _item(self, command: Command, *, only_found: bool) -> ListItem:
        """A command as a line; among equals those used last lead."""
        last = self._recent.index(command.id) if command.id in self._recent else None
        bonus = 0.0 if last is None else 0.05 + (len(self._recent) - last) * 1e-6
        return ListItem(
            command,
            command.title,
            hint=command.help,
            bonus=bonus,
            only_found=only_found,
            synonyms=f"{command.synonyms} {command.menu}",
            names=command.names,
        )

    def commands(self) -> list[Command]:
        """The commands now listed, in order."""
        return [self._command(place) for place in self._found.shown()]

    def _command(self, place: int) -> Command:
        command = self._found.items[place].value
        if not isinstance(command, Command):
            raise TypeError(f"expected a command, got {command!r}")
        return command

    def _fit(self) -> None:
        found = self.list.count() > 0
        self.list.setVisible(found)
        self._nothing.setVisible(not found)
        if self.isVisible():
            self.place()

    def _run(self, place: int) -> None:
        command = self._command(place)
        if not _usable(command, self._registry):
            return
        self._recent = [command.id, *(entry for entry in self._recent if entry != command.id)][:8]
        # The keyboard goes back first: the command may move it again.
        self.dismiss()
        if command.id in self._registry:
            self._registry.trigger(command.id)
        elif command.run is not None:
            command.run()

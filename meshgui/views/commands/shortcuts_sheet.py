"""The sheet of shortcuts of the window, by menu, on one card."""

from __future__ import annotations

from itertools import product

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QSpacerItem, QVBoxLayout, QWidget

from meshgui.engine.basics.translation import is_rtl_language, tr
from meshgui.views.commands.registry import CommandRegistry, key_text
from meshgui.views.style.fonts import depth
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label
from meshgui.views.widgets.command import Command
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.overlay_card import OverlayCard

_LEAST_WIDTH = 240  # of a column; long titles and key caps widen theirs
_COLUMN_GAP = 16
_GAPS = 3, 0  # between rows, and where they have little room
_MARGIN = 16
_FRAME = 1  # the line around the card
_INSET = 8  # of the keys from the frame that shows the focus


def columns(groups: dict[str, list[Command]], count: int) -> list[list[str]]:
    """The groups, in order, shared out over at most `count` columns of nearly equal height."""

    def height(name: str) -> int:
        return len(groups[name]) + 2  # a heading and a gap

    def fill(limit: int) -> list[list[str]]:
        result: list[list[str]] = [[]]
        used = 0
        for name in groups:
            if result[-1] and used + height(name) > limit:
                result.append([])
                used = 0
            result[-1].append(name)
            used += height(name)
        return result

    limit = max((height(name) for name in groups), default=0)
    while len(fill(limit)) > count:
        limit += 1
    return fill(limit)


class ShortcutSheet(OverlayCard):
    """Shows every shortcut of the window, by menu, without those that a page has no use for."""

    def __init__(self, host: QWidget, registry: CommandRegistry, themes: ThemeManager) -> None:
        super().__init__(host, themes)
        self._registry = registry
        self.setAccessibleName(tr("Keys"))
        self._scroll = QScrollArea(self.card)
        self._scroll.setAccessibleName(tr("Keys"))
        FocusRing(self._scroll, themes)
        self._scroll.setWidgetResizable(True)
        self._title, self._hint = label(tr("Keys"), "title"), label(tr("Esc closes this sheet"), "muted")
        sizing = Sizing(themes, self)
        head = sizing.row(self._title, 0, self._hint)
        sizing.column(head, self._scroll, on=self.card, margins=(_MARGIN,) * 4, spacing=16)

    def open(self) -> None:
        """Show the sheet with the keys on it, so that arrows scroll."""
        super().open()
        self._scroll.setFocus(Qt.FocusReason.TabFocusReason)

    def place(self) -> None:
        """Centre the sheet, as large as the shortcuts need and the window allows."""
        px = self.themes.px
        room = self.size() - QSize(px(16), px(16))
        margin, bar = px(_MARGIN), px(12)
        across = bar + 2 * (margin + px(_FRAME))
        inside = room.width() - across
        for part in (self._title, self._hint):
            _fit_height(part)
        head = max(
            part.sizeHint().expandedTo(part.minimumSize()).boundedTo(part.maximumSize()).height()
            for part in (self._title, self._hint)
        )
        beside = head + px(16) + 2 * (margin + px(_FRAME))
        content = self._content(1, _GAPS[0])
        # The fewest columns, from two on, that show every key at once; else the most, with closer rows.
        for gap, count in product(_GAPS, range(2, len(self._registry.groups()) + 1)):
            wider = self._content(count, gap)
            if wider.sizeHint().width() > inside:
                wider.deleteLater()
                continue
            content.deleteLater()
            content = wider
            if content.sizeHint().height() + beside <= room.height():
                break
        self._scroll.setWidget(content)
        need = content.sizeHint()
        width = min(need.width() + across, room.width())
        height = min(need.height() + beside, room.height())
        self.card.setGeometry((self.width() - width) // 2, (self.height() - height) // 2, width, height)

    def keyPressEvent(self, event: QKeyEvent, /) -> None:  # noqa: N802 - Qt's name
        """Close on the shortcut that opened the sheet, too."""
        if event.text() == "?":
            self.dismiss()
        super().keyPressEvent(event)

    def _content(self, count: int, gap: int) -> QWidget:
        px = self.themes.px
        groups = {
            name: keyed
            for name, commands in self._registry.groups().items()
            if (keyed := [one for one in commands if one.shortcuts and self._registry.has_sense(one.id)])
        }
        content = QWidget(self.card)  # which dresses its caps
        row = QHBoxLayout(content)
        inset = px(_INSET)
        row.setContentsMargins(inset, inset, inset, inset)
        row.setSpacing(px(_COLUMN_GAP))
        for names in columns(groups, count):
            column = QVBoxLayout()
            column.setSpacing(px(gap))
            for name in names:
                self._add_group(column, name, groups[name])
            column.addStretch()
            column.addItem(QSpacerItem(px(_LEAST_WIDTH), 0))
            row.addLayout(column)
        for part in content.findChildren(QLabel):
            _fit_height(part)
        return content

    def _add_group(self, column: QVBoxLayout, name: str, commands: list[Command]) -> None:
        """Add a heading and its commands: in no line have title and keys to be narrower than in another."""
        px = self.themes.px
        if column.count():
            column.addSpacing(px(8))
        column.addWidget(label(name, "heading"))
        for command in commands:
            title = QLabel(command.title)
            title.setToolTip(command.help)
            line = QHBoxLayout()
            line.setSpacing(px(4))
            line.addWidget(title)
            line.addSpacing(px(4))
            line.addStretch()
            for shortcut in command.shortcuts:
                cap = QLabel(key_text(shortcut))
                cap.setProperty("keycap", True)
                cap.setAlignment(Qt.AlignmentFlag.AlignCenter)
                line.addWidget(cap)
            column.addLayout(line)


def _fit_height(part: QLabel) -> None:
    """Make a label as high as its ink: a line of Arabic letters is nearly twice as high."""
    part.ensurePolished()  # or it is measured without its dress
    if not is_rtl_language():
        return
    margins = part.contentsMargins()
    line = part.fontMetrics().ascent() + depth(part.font().pixelSize())
    part.setFixedHeight(line + margins.top() + margins.bottom())

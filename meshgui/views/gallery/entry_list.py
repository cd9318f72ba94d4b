"""The list of published results: each with its title and its count of verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from PySide6.QtCore import QElapsedTimer, QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from meshgui.catalogue.judging import Verdict
from meshgui.catalogue.results_in_words import verdict_counts, verdicts_in_words
from meshgui.catalogue.sources import cited
from meshgui.engine.basics.translation import tr
from meshgui.model.studies.gallery_session import EntryResults
from meshgui.views.gallery.verdict_look import counts_width, paint_bar, paint_counts
from meshgui.views.style.direction import is_rtl, mirror, write
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.elided_combo import ElidedCombo
from meshgui.views.widgets.table_model import ModelIndex

_ALL: Final = tr("All papers")
_ID: Final = Qt.ItemDataRole.UserRole
_EDGE, _GAP = 12, 7  # pixels around the words of a row


class EntryList(QWidget):
    """Chooses an entry; a chooser filters the list by paper."""

    chosen = Signal(str)  # the id of an entry

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._all_results: dict[str, EntryResults] = {}
        self.current = ""  # the id of the entry chosen
        self.paper = ElidedCombo()
        self.paper.setAccessibleName(tr("Paper"))
        self.paper.setToolTip(tr("List the results of one paper alone"))
        self.paper.addItem(_ALL, "")
        self.paper.currentIndexChanged.connect(self._filter)
        self.list = RowList()
        self.list.setItemDelegate(_Delegate(self.list, self._all_results, themes))
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(tr("Published results"))
        self.list.currentItemChanged.connect(self._choose_item)
        sizing = Sizing(themes, self)
        sizing.column(sizing.row(self.paper, margins=(12, 12, 12, 8)), (self.list, 1), on=self)
        themes.changed.connect(self.list.doItemsLayout)

    def fill(self, all_results: Iterable[EntryResults]) -> None:
        """List these entries and their papers."""
        self._all_results |= {results.entry.id: results for results in all_results}
        for paper in dict.fromkeys(map(_paper, self._all_results.values())):
            self.paper.addItem(cited(paper), paper)
        self._filter()

    def update_with(self, all_results: Iterable[EntryResults]) -> None:
        """Show the newest results of some entries; rows keep their places."""
        self._all_results |= {r.entry.id: r for r in all_results if r.entry.id in self._all_results}
        for row in range(self.list.count()):
            self._describe(self.list.item(row))
        self.list.viewport().update()

    def choose(self, name: str) -> None:
        """Select an entry if it is listed."""
        for row in range(self.list.count()):
            if self.list.item(row).data(_ID) == name:
                self.list.setCurrentRow(row)

    def _filter(self) -> None:
        paper, wanted = self.paper.currentData(), self.current
        self.list.clear()
        for name, results in self._all_results.items():
            if not paper or _paper(results) == paper:
                item = QListWidgetItem(_title(results), self.list)
                item.setData(_ID, name)
                self._describe(item)
        self.choose(wanted)
        if self.list.currentRow() < 0:
            self.list.setCurrentRow(0)

    def _describe(self, item: QListWidgetItem) -> None:
        results = self._all_results[item.data(_ID)]
        words = f"{_title(results)}: {verdicts_in_words(results.judged)}"
        item.setToolTip(words)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, words)

    def _choose_item(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_ID) != self.current:
            self.current = item.data(_ID)
            self.chosen.emit(self.current)


def _title(results: EntryResults) -> str:
    return f"{results.entry.readers_name}: {results.entry.title}"


def _paper(results: EntryResults) -> str:
    return results.entry.source.split(" ")[0]


class RowList(QListWidget):
    """A list without a row in part, which finds what is typed at the beginning of any word.

    The chosen row stays visible when its size changes, unless the user has scrolled away from it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._typed, self._since = "", QElapsedTimer()

    def is_sliced(self, row: QRect) -> bool:
        """Whether the end of the list would slice a row, which then is not there."""
        return row.top() > 0 and row.bottom() > self.viewport().rect().bottom()

    def indexAt(self, point: QPoint) -> QModelIndex:  # noqa: N802 - Qt's name
        """The row at a point, if all of it is in sight."""
        found = super().indexAt(point)
        return QModelIndex() if found.isValid() and self.is_sliced(self.visualRect(found)) else found

    def keyboardSearch(self, search: str) -> None:  # noqa: N802 - Qt's name
        """Go to the next row with a word that begins with what is typed: 3.2 is a table of that number."""
        goes_on = self._since.isValid() and self._since.elapsed() < QApplication.keyboardInputInterval()
        self._typed = (self._typed if goes_on else "") + search.casefold()
        self._since.start()
        here, count = max(self.currentRow(), 0), self.count()
        rows = [place % count for place in range(here + (not goes_on), here + (not goes_on) + count)]
        for wanted in (f"{self._typed} ", self._typed):  # 3.2 itself comes before 3.21
            for row in rows:
                words = re.split(r"[\s,:;(§]+", self.item(row).text().casefold())
                if any(" ".join((*words[place:], "")).startswith(wanted) for place in range(len(words))):
                    self.setCurrentRow(row)
                    return

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Scroll no farther than to the row."""
        row = self.visualRect(self.currentIndex())
        seen = QRect(self.viewport().rect().topLeft(), event.oldSize()).intersects(row)
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.doItemsLayout()  # as words are wrapped again
        if seen:
            self.scrollTo(self.currentIndex())


class _Delegate(QStyledItemDelegate):
    """Paints source and title as a whole, and a line with the bar and the counts; no row in part."""

    def __init__(self, view: RowList, all_results: Mapping[str, EntryResults], themes: ThemeManager) -> None:
        super().__init__(view)
        self._view, self._all_results, self._themes = view, all_results, themes

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:  # noqa: N802 - Qt's name
        """Return the room for all words, and for the bar."""
        del option
        px, width = self._themes.px, self._view.viewport().width()
        lines = self._lines(self._all_results[index.data(_ID)], width - 2 * px(_EDGE))
        return QSize(width, sum(height for _, _, height in lines) + self._foot + 2 * px(_GAP))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw one entry, unless the end of the list would slice it."""
        results = self._all_results[index.data(_ID)]
        theme, px, rect = self._themes.theme, self._themes.px, option.rect
        if self._view.is_sliced(rect):
            return
        state = option.state
        painter.save()
        if is_rtl(self._view):
            mirror(painter, rect)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.colour("selection"))
            if self._view.hasFocus():
                painter.fillRect(rect.x(), rect.y(), px(3), rect.height(), theme.colour("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.colour("hover"))
        inside = QRectF(rect).adjusted(px(_EDGE), px(_GAP), -px(_EDGE), -px(_GAP))
        quiet = "text" if state & QStyle.StateFlag.State_Selected else "muted"
        below = inside.top()
        for (words, font, height), tone in zip(
            self._lines(results, int(inside.width())), ("text", quiet), strict=True
        ):
            painter.setFont(font)
            painter.setPen(theme.colour(tone))
            room = QRectF(inside.left(), below, inside.width(), height)
            write(painter, room, words, int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap))
            below += height
        counts: dict[Verdict, int] = verdict_counts(results.judged)
        foot = QRectF(inside.left(), below, inside.width(), self._foot)
        paint_counts(painter, self._themes, foot, counts)
        free = inside.width() - counts_width(self._themes, counts) - px(8)
        bar = QRectF(inside.left(), foot.center().y() - px(2), free, px(4))
        paint_bar(painter, self._themes, bar, counts)
        painter.restore()

    @property
    def _foot(self) -> int:
        return QFontMetrics(self._themes.text("caption")).height()

    def _lines(self, results: EntryResults, room: int) -> list[tuple[str, QFont, int]]:
        """The source and the title, each with its letters and the height that it takes."""
        fonts = self._themes.text("body", QFont.Weight.DemiBold), self._themes.text("caption")
        words = results.entry.readers_name, results.entry.title
        wrapped = int(Qt.TextFlag.TextWordWrap)
        heights = (
            QFontMetrics(font).boundingRect(0, 0, room, 0, wrapped, each).height()
            for font, each in zip(fonts, words, strict=True)
        )
        return [*zip(words, fonts, heights, strict=True)]

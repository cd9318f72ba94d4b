"""The list of published results: each with its title and its count of verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from meshgui.catalogue.judging import Verdict
from meshgui.catalogue.results_in_words import verdict_counts, verdicts_in_words
from meshgui.catalogue.sources import PAPERS
from meshgui.model.gallery_session import EntryResults
from meshgui.views.gallery.verdict_look import counts_width, paint_bar, paint_counts
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.table_model import ModelIndex

__all__ = ["EntryList"]

_TOP: Final = QModelIndex()
_ALL: Final = "All papers"


class EntryList(QWidget):
    """Chooses an entry; those of one paper alone may be listed."""

    chosen = Signal(str)  # the id of an entry

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._all_results: dict[str, EntryResults] = {}
        self._wanted = ""
        self.paper = QComboBox()
        self.paper.setAccessibleName("Paper")
        self.paper.setToolTip("List the results of one paper alone")
        self.paper.addItem(_ALL, "")
        self.paper.currentIndexChanged.connect(self._filter)
        self.rows = _Rows()
        self.list = _List()
        self.list.setModel(self.rows)
        self.list.setItemDelegate(_Delegate(self.list, themes))
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Published results")
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        head = QHBoxLayout()
        head.addWidget(self.paper)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        Sizing(themes, self).margins(head, 12, 12, 12, 8)
        themes.changed.connect(self.list.doItemsLayout)

    @property
    def current(self) -> str:
        """The id of the entry chosen; empty: none."""
        return self._wanted

    def fill(self, all_results: Iterable[EntryResults]) -> None:
        """List these entries, and the papers they are from."""
        self._all_results = {results.entry.id: results for results in all_results}
        papers = dict.fromkeys(_paper(results) for results in self._all_results.values())
        for paper in papers:
            self.paper.addItem(PAPERS[paper].short if paper in PAPERS else paper, paper)
        self._filter()

    def update_with(self, all_results: Iterable[EntryResults]) -> None:
        """Show the newest results of some entries; rows keep their places."""
        for results in all_results:
            if results.entry.id in self._all_results:
                self._all_results[results.entry.id] = results
                self.rows.update(results)

    def choose(self, name: str) -> None:
        """Go to an entry, if it is there."""
        row = self.rows.row_of(name)
        if row is not None:
            self.list.setCurrentIndex(self.rows.index(row, 0))

    def _filter(self) -> None:
        paper = self.paper.currentData()
        wanted = self._wanted
        self.rows.fill([s for s in self._all_results.values() if not paper or _paper(s) == paper])
        if self.rows.rowCount():
            self.list.setCurrentIndex(self.rows.index(self.rows.row_of(wanted) or 0, 0))

    def _current_changed(self, index: ModelIndex) -> None:
        results = self.rows.results(index.row()) if index.isValid() else None
        if results is not None and results.entry.id != self._wanted:
            self._wanted = results.entry.id
            self.chosen.emit(self._wanted)


def _paper(results: EntryResults) -> str:
    return results.entry.source.split(" ")[0]


class _List(QListView):
    """Keeps the chosen row visible when its size changes, unless the user has scrolled away from it."""

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Scroll no farther than to the row."""
        row = self.visualRect(self.currentIndex())
        seen = QRect(self.viewport().rect().topLeft(), event.oldSize()).intersects(row)
        super().resizeEvent(event)
        if seen:
            self.scrollTo(self.currentIndex())


class _Rows(QAbstractListModel):
    """The entries listed."""

    def __init__(self) -> None:
        super().__init__()
        self._listed: list[EntryResults] = []

    def fill(self, all_results: Sequence[EntryResults]) -> None:
        self.beginResetModel()
        self._listed = list(all_results)
        self.endResetModel()

    def update(self, results: EntryResults) -> None:
        row = self.row_of(results.entry.id)
        if row is not None:
            self._listed[row] = results
            self.dataChanged.emit(self.index(row, 0), self.index(row, 0))

    def row_of(self, name: str) -> int | None:
        return next((row for row, s in enumerate(self._listed) if s.entry.id == name), None)

    def results(self, row: int) -> EntryResults | None:
        return self._listed[row] if 0 <= row < len(self._listed) else None

    def rowCount(self, parent: ModelIndex = _TOP) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self._listed)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's type
        """Words for searching by letters, for tooltips and for screen readers."""
        results = self.results(index.row())
        if results is None:
            return None
        words = f"{results.entry.id} {results.entry.title}"
        if role == Qt.ItemDataRole.DisplayRole:
            return words
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            return f"{words}: {verdicts_in_words(results.judged)}"
        return None


class _Delegate(QStyledItemDelegate):
    """Paints id and counts, the title, and the bar."""

    def __init__(self, view: QListView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view, self._themes = view, themes

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:  # noqa: N802 - Qt's name
        """Two lines and the bar, however long the title is."""
        del option, index
        px = self._themes.px
        lines = (
            QFontMetrics(self._themes.text()).height() + QFontMetrics(self._themes.text("caption")).height()
        )
        return QSize(px(200), lines + px(24))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw one entry."""
        results = model.results(index.row()) if isinstance(model := index.model(), _Rows) else None
        if results is None:
            return
        theme, px, rect = self._themes.theme, self._themes.px, option.rect
        state = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.colour("selection"))
            if self._view.hasFocus():
                painter.fillRect(rect.x(), rect.y(), px(3), rect.height(), theme.colour("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.colour("hover"))
        inside = QRectF(rect).adjusted(px(12), px(7), -px(12), -px(7))
        counts: dict[Verdict, int] = verdict_counts(results.judged)
        first = QRectF(
            inside.topLeft(), QSize(int(inside.width()), QFontMetrics(self._themes.text()).height())
        )
        paint_counts(painter, self._themes, first, counts)
        painter.setFont(self._themes.text("body", QFont.Weight.DemiBold))
        painter.setPen(theme.colour("text"))
        room = inside.width() - counts_width(self._themes, counts) - px(8)
        self._line(painter, first, results.entry.id, room)
        painter.setFont(self._themes.text("caption"))
        painter.setPen(theme.colour("text" if state & QStyle.StateFlag.State_Selected else "muted"))
        second = first.translated(0, first.height())
        second.setHeight(QFontMetrics(painter.font()).height())
        self._line(painter, second, results.entry.title, inside.width())
        bar = QRectF(inside.left(), inside.bottom() - px(4), inside.width(), px(4))
        paint_bar(painter, self._themes, bar, counts)
        painter.restore()

    def _line(self, painter: QPainter, rect: QRectF, words: str, room: float) -> None:
        shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, int(room))
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)

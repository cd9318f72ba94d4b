"""What of a window is cut: words, buttons, tabs, rows and captions that have less room than they need."""

from collections.abc import Iterator

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QTextLayout
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QTabBar,
    QWidget,
)

from meshgui.views.charts.plots import PlotsView
from meshgui.views.forms.row_table_editor import RowsView
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.list_popup import ListButton

__all__ = ["cuts_in"]


def cuts_in(room: QWidget) -> list[str]:
    """All that is cut of what is in sight, each with where it is."""
    return [f"{_place_of(widget)}: {fault}" for widget in _in_reach(room) for fault in _cuts_of(widget)]


def _in_reach(widget: QWidget) -> Iterator[QWidget]:
    """A widget and those in it that are in sight; a menu is a window of its own."""
    if not widget.visibleRegion().isEmpty():
        yield widget
    for part in widget.children():
        is_part = isinstance(part, QWidget) and part.isVisible() and not part.isWindow()
        if is_part and part.geometry().intersects(widget.rect()):
            yield from _in_reach(part)


def _place_of(widget: QWidget) -> str:
    """The panel that it is a part of."""
    above: QWidget | None = widget
    while above is not None and not above.objectName():
        above = above.parentWidget()
    while above is not None and above.parentWidget() is not None and not above.windowTitle():
        above = above.parentWidget()
    return "" if above is None else above.objectName() or type(above).__name__


def _cuts_of(widget: QWidget) -> Iterator[str]:
    match widget:
        case ElidedLabel():
            need = QFontMetrics(widget.face()).horizontalAdvance(widget.shown)
            if need > widget.contentsRect().width():
                yield f"“{widget.shown}” needs {need} of {widget.contentsRect().width()}"
            yield from _sliced(widget, widget.shown)
        case QLabel() if widget.text():
            yield from _cuts_of_label(widget)
        case ListButton():
            if QFontMetrics(widget.font()).horizontalAdvance(widget.words) > widget.words_room:
                yield f"“{widget.words}” is elided"
            yield from _sliced(widget, widget.words)
        case QAbstractButton() if widget.text():
            yield from _too_small(widget, widget.text())
            yield from _sliced(widget, widget.text())
        case QComboBox():
            yield from _sliced(widget, widget.currentText())
        case QTabBar():
            for tab in range(widget.count()):
                need = widget.fontMetrics().horizontalAdvance(widget.tabText(tab))
                if widget.isTabVisible(tab) and not widget.rect().contains(widget.tabRect(tab)):
                    yield f"the tab “{widget.tabText(tab)}” is cut"
                elif widget.isTabVisible(tab) and need > widget.tabRect(tab).width():
                    yield f"the tab “{widget.tabText(tab)}” is elided"
        case QPlainTextEdit() if widget.verticalScrollBar().maximum() > 0:
            yield f"“{widget.toPlainText()[:40]}” scrolls in its field"
        case DataTable():
            yield from _cuts_of_table(widget)
        case PlotsView():
            for chart in widget.shown:
                legend = chart.legend
                shown = [entry.words for _, entry in legend.placed]
                cut = (
                    words for words, entry in zip(shown, legend.entries, strict=True) if words != entry.words
                )
                yield from (f"the legend “{words}” is elided" for words in cut)
    if isinstance(widget, QScrollArea) and widget.widget() is not None:
        need, room = widget.widget().width(), widget.viewport().width()
        if need > room and widget.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
            yield f"what scrolls down only needs {need} of {room}"
    is_list = isinstance(widget, RowsView)  # captions and buttons are to stay beside hundreds of rows
    if isinstance(widget, QAbstractScrollArea) and widget.verticalScrollBar().isVisible() and not is_list:
        around = widget.parentWidget()
        while around is not None:
            if isinstance(around, QScrollArea) and around.verticalScrollBar().isVisible():
                yield f"{type(widget).__name__} “{widget.accessibleName()}” scrolls in what scrolls"
            around = around.parentWidget()


def _cuts_of_label(label: QLabel) -> Iterator[str]:
    text = label.text()
    if label.wordWrap():
        need = label.heightForWidth(label.width())
        if need > label.height():
            yield f"“{text[:40]}” needs a height of {need} of {label.height()}"
        longest = max(map(label.fontMetrics().horizontalAdvance, text.split()), default=0)
        if longest > label.width() and label.textFormat() != Qt.TextFormat.RichText:
            yield f"a word of “{text[:40]}” needs {longest} of {label.width()}"
    else:
        yield from _too_small(label, text)
        yield from _sliced(label, text)


def _too_small(widget: QWidget, words: str) -> Iterator[str]:
    need, has = widget.minimumSizeHint().expandedTo(widget.sizeHint()), widget.size()
    too_small = need.width() > has.width() + 1 or need.height() > has.height() + 1
    if too_small and not _has_all_ink(widget, words):
        yield f"“{words}” needs {need.width()}×{need.height()} of {has.width()}×{has.height()}"


def _has_all_ink(widget: QWidget, words: str) -> bool:
    """Whether one line of words, in the middle of a widget, is drawn whole between its edges.

    Padding may give way, and so may the height of a line, which is more in Arabic than its letters take.
    """
    text = QTextLayout(words, widget.font())
    text.beginLayout()
    line = text.createLine()
    text.endLayout()
    baseline = (widget.height() - line.height()) / 2 + line.ascent()
    ink = widget.fontMetrics().tightBoundingRect(words).translated(0, round(baseline))
    return ink.top() >= 0 and ink.bottom() < widget.height() and ink.width() < widget.width()


def _sliced(widget: QWidget, words: str) -> Iterator[str]:
    """A line of words is seen whole or not at all: an edge that scrolls goes through no line."""
    seen = _in_sight(widget)
    line = min(widget.fontMetrics().height(), widget.height())
    middle = widget.height() / 2
    top, bottom = middle - line / 2, middle + line / 2
    for low, high, whole in (
        (seen.top(), seen.bottom() + 1, (top, bottom)),
        (seen.left(), seen.right() + 1, (0, widget.width())),
    ):
        if (
            seen.isValid()
            and high > whole[0]
            and low < whole[1]
            and (low > whole[0] + 1 or high < whole[1] - 1)
        ):
            yield f"“{words[:40]}” is sliced at {low}–{high} of {whole[0]:.0f}–{whole[1]:.0f}"


def _in_sight(widget: QWidget) -> QRect:
    """The part of it that no parent cuts off."""
    seen = widget.rect()
    around, at = widget.parentWidget(), widget.pos()
    while around is not None:
        seen = seen.intersected(around.rect().translated(-at))
        if around.isWindow():
            break
        at += around.pos()
        around = around.parentWidget()
    return seen


def _cuts_of_table(table: DataTable) -> Iterator[str]:
    title, head, rows = table.accessibleName(), table.horizontalHeader(), table.rows
    seen = _in_sight(table.viewport())
    if head.isVisible() and rows.rowCount() and _in_sight(head).height() < head.height():
        yield f"the captions of “{title}” are cut"
    for column in range(rows.columnCount()):
        here = rows.columns[column]
        if head.isSectionHidden(column):
            continue
        edge = table.needed(column, 10**6)  # what the caption needs, without a text
        if head.sectionSize(column) + 2 < edge:
            yield f"the caption “{here.title}” of “{title}” needs {edge} of {head.sectionSize(column)}"
    if rows.rowCount() and rows.columnCount():
        height = table.rowHeight(0)
        if table.verticalScrollBar().value() == table.verticalScrollBar().minimum():
            for row in range(rows.rowCount()):
                top = table.rowViewportPosition(row)
                if top > seen.bottom():
                    break
                if top + height > seen.bottom() + 1 and table._cut_row() != top:
                    yield f"row {row} of “{title}” is sliced: {seen.bottom() + 1 - top} of {height}"
    elided: dict[int, tuple[str, str]] = {}
    for row in range(rows.rowCount()):
        if table.rowViewportPosition(row) > seen.bottom():
            break
        for column in range(rows.columnCount()):
            shown = table.shown(row, column)
            if not head.isSectionHidden(column) and shown.endswith("…"):
                elided.setdefault(column, (shown, rows.cell(row, column).text))
    for column, (shown, whole) in elided.items():
        yield f"“{whole}” is cut to “{shown}” under “{rows.columns[column].title}” of “{title}”"

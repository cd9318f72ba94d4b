"""A scroll area that ends between two rows of its content, so that none is cut before it is scrolled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QScrollArea,
    QTableView,
    QWidget,
)

from meshgui.views.widgets.building import as_panel

_WHOLE: Final = (QAbstractButton, QLineEdit, QComboBox)  # a row is as high as each


class RowScroll(QScrollArea):
    """Scrolls down only; at the top, and where it takes a row into sight, it leaves no part of a row."""

    def __init__(self, content: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self._content, self._cut = content, 0
        self._taken = 0  # where it has scrolled to by itself
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        content.setAutoFillBackground(False)  # which Qt has just turned on
        self.viewport().setAutoFillBackground(False)
        as_panel(self)
        self.verticalScrollBar().valueChanged.connect(self._end_between_rows)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """That of the content."""
        return self._content.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """End between two rows at another height, and show a part that has the keys whole if it was cut."""
        super().resizeEvent(event)
        self._end_between_rows()
        part, layout = self._content.focusWidget(), self._content.layout()
        if part is None or not part.hasFocus() or part.visibleRegion().isEmpty():
            return
        if part.height() <= self.viewport().height():
            above = 0 if layout is None else layout.contentsMargins().top()
            self.ensureWidgetVisible(part, 0, above)  # the first with what is over it

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """End between two rows where the content has others."""
        done = super().eventFilter(watched, event)
        if watched is self._content and event.type() == QEvent.Type.LayoutRequest:
            self._end_between_rows()
        return done

    def show_row(self, top: int, bottom: int) -> None:
        """Scroll as far as a row of the content needs, and there begin and end between two rows."""
        content, bar = self._content, self.verticalScrollBar()
        half = self.viewport().height() // 2
        self.ensureVisible(0, (top + bottom) // 2, 0, min(bottom - top, half))
        first = bar.value()
        cut = list(_cut_rows(content, content, first))
        if cut:
            above, below = min(top for top, _ in cut), max(bottom for _, bottom in cut)
            first = above if bottom - above <= self.viewport().height() else below
        self._taken = first
        bar.setValue(first)
        self._end_between_rows()

    def _end_between_rows(self) -> None:
        content, first = self._content, self.verticalScrollBar().value()
        room = first + self.contentsRect().height()
        layout = content.layout()
        if layout is not None:
            layout.activate()
        edge = room
        needed = content.heightForWidth(content.width())  # with words that take more lines: -1 without
        if first in {0, self._taken} and max(content.minimumSizeHint().height(), needed) > room:
            while above := [top for top, _ in _cut_rows(content, content, edge)]:
                edge = min(above)
        cut = room - edge if edge > first else 0
        if cut != self._cut:
            self._cut = cut
            self.setViewportMargins(0, 0, 0, cut)


def _cut_rows(widget: QWidget, content: QWidget, edge: int) -> Iterator[tuple[int, int]]:
    """Where the rows that an edge cuts begin and end: of labels and tables, buttons and fields."""
    for part in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        top = part.mapTo(content, QPoint()).y()
        bottom = top + part.height()
        if part.isHidden() or not top < edge < bottom:
            continue
        if isinstance(part, QTableView):
            rows = _rows_of(part, part.viewport().mapTo(content, QPoint()).y(), edge)
        elif isinstance(part, _WHOLE) or (isinstance(part, QLabel) and not part.wordWrap()):
            rows = iter([(top, bottom)])
        elif isinstance(part, QLabel):
            rows = _lines_of(part, top + part.contentsRect().y())
        else:
            rows = _cut_rows(part, content, edge)
        yield from ((above, below) for above, below in rows if above < edge < below)


def _lines_of(label: QLabel, top: int) -> Iterator[tuple[int, int]]:
    """The lines of a text that is wrapped."""
    text = QTextDocument()
    text.setDocumentMargin(0)
    text.setDefaultFont(label.font())
    if label.textFormat() == Qt.TextFormat.RichText:
        text.setHtml(label.text())
    else:
        text.setPlainText(label.text())
    text.setTextWidth(label.contentsRect().width())
    block = text.begin()
    while block.isValid():
        at = top + text.documentLayout().blockBoundingRect(block).top()
        for number in range(block.layout().lineCount()):
            line = block.layout().lineAt(number).rect()
            yield round(at + line.top()), round(at + line.bottom())
        block = block.next()


def _rows_of(table: QTableView, top: int, edge: int) -> Iterator[tuple[int, int]]:
    """The captions of a table with its first row, without which they say nothing, and the row at an edge."""
    first = table.rowHeight(0) or table.verticalHeader().defaultSectionSize()  # or what stands for rows
    yield top - table.viewport().y(), top + first
    row = table.rowAt(min(edge - top, table.viewport().height()) - 1)
    above = top + table.rowViewportPosition(row)
    if row >= 0 and above >= top:
        yield above, above + table.rowHeight(row)

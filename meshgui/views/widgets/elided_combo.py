"""A combo box for narrow panels, whose list shows all of its lines."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QComboBox, QSizePolicy, QStyle, QStyleOptionComboBox, QStylePainter

from meshgui.model.base.named import ids_in
from meshgui.views.style.direction import is_rtl, write_named
from meshgui.views.style.screens import screen_of
from meshgui.views.widgets.name_lines import NameLines, fitted
from meshgui.views.widgets.wheel import wheel_needs_focus

_LIST_EDGE: Final = 16  # pixels beside the words of a list


class ElidedCombo(QComboBox):
    """Shrinks with its row; a long text ends with an ellipsis, where Qt only cuts it."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.view().setItemDelegate(NameLines(self))
        wheel_needs_focus(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        """Show the list below, as wide as its longest text, with all rows that the screen has room for."""
        super().showPopup()
        view, screen = self.view(), screen_of(self).availableGeometry()
        popup = view.window()
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        wide = view.sizeHintForColumn(0) + bar + _LIST_EDGE
        around = view.contentsMargins()
        edges = around.top() + around.bottom()
        rows = accumulate(view.sizeHintForRow(row) for row in range(self.count()))
        size = QSize(
            min(max(wide, self.width()), screen.width()),
            max((high for high in rows if high + edges <= screen.height()), default=0) + edges,
        )
        place = QRect(popup.x(), self.mapToGlobal(QPoint(0, self.height())).y(), size.width(), size.height())
        place.moveTop(max(screen.top(), min(place.top(), screen.bottom() + 1 - place.height())))
        place.moveLeft(max(screen.left(), min(place.left(), screen.right() + 1 - place.width())))
        popup.setGeometry(place)
        view.scrollToTop()
        view.scrollTo(view.currentIndex())

    @property
    def whole_width(self) -> int:
        """The width in which no line is elided when it is chosen."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        width = QFontMetrics(self.font()).horizontalAdvance
        longest = max((width(self.itemText(row)) for row in range(self.count())), default=0)
        return longest + self.width() - self._words_room(option) + 1  # letters end between two pixels

    def _words_room(self, option: QStyleOptionComboBox) -> int:
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        return room.width() - 4

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return room for a few letters and the arrow."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), 3 * hint.height()), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw a long text with an ellipsis."""
        del event
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self._words_room(option)
        words = fitted(self.currentText(), room, self.fontMetrics())
        option.currentText = "" if ids_in(words) else words
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        if ids_in(words):
            self._write_name(painter, option, words)

    def _write_name(self, painter: QPainter, option: QStyleOptionComboBox, words: str) -> None:
        """Write the choice where Qt would, its id in the quiet colour."""
        part = QStyle.SubControl.SC_ComboBoxEditField
        place = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        side = Qt.AlignmentFlag.AlignRight if is_rtl(self) else Qt.AlignmentFlag.AlignLeft
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        quiet = self.palette().color(QPalette.ColorRole.PlaceholderText)
        flags = int(side | Qt.AlignmentFlag.AlignVCenter)
        write_named(painter, place.adjusted(1, 0, -1, 0), words, quiet, flags)

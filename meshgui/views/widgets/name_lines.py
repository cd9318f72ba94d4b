"""Lines of a list that hold full names with their ids, which are drawn in the quiet colour."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QAccessible, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.base.flow import in_rows
from meshgui.model.base.named import elided_name, ids_in
from meshgui.views.style.direction import mirror_in, write_named
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.table_model import ModelIndex

_GAP: Final = 16  # pixels between names of a legend


def fitted(text: str, room: float, metrics: QFontMetrics) -> str:
    """A text cut to the room, with an ellipsis; a name keeps its id."""
    if ids_in(text):
        return elided_name(text, room, metrics.horizontalAdvance)
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(room))


class NameLines(QStyledItemDelegate):
    """Draws lines as their style does, but ids behind names more quietly."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw all but the words, and then them."""
        words = str(index.data() or "")
        if not ids_in(words):
            super().paint(painter, option, index)
            return
        line = QStyleOptionViewItem(option)
        self.initStyleOption(line, index)
        widget = line.widget
        style = widget.style()
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, line, widget)
        beside = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, line, widget) + 1
        line.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, line, painter, widget)
        enabled = bool(line.state & QStyle.StateFlag.State_Enabled)
        palette = line.palette
        group = QPalette.ColorGroup.Active if enabled else QPalette.ColorGroup.Disabled
        own = index.data(Qt.ItemDataRole.ForegroundRole)  # of a line that cannot be picked
        text = palette.color(group, QPalette.ColorRole.Text) if own is None else own.color()
        quiet = palette.color(group, QPalette.ColorRole.PlaceholderText) if own is None else text
        painter.save()
        painter.setFont(line.font)
        painter.setPen(text)
        room.adjust(beside, 0, -beside, 0)
        shown = fitted(words, room.width(), painter.fontMetrics())
        side = Qt.AlignmentFlag.AlignLeft
        if line.direction == Qt.LayoutDirection.RightToLeft:
            side = Qt.AlignmentFlag.AlignRight
        write_named(painter, room, shown, quiet, int(side | Qt.AlignmentFlag.AlignVCenter))
        painter.restore()


class NameLegend(QWidget):
    """Full names with their ids, by which a table or chart below may go, in as many lines as needed."""

    accessible_role = QAccessible.Role.StaticText

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes, self._names = themes, tuple[str, ...]()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        themes.changed.connect(self.updateGeometry)

    def show_names(self, names: Iterable[str]) -> None:
        """Show other names."""
        self._names = tuple(names)
        self.setVisible(bool(self._names))
        self.setAccessibleName(tr(", ").join(self._names))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The room for all of them in a row."""
        gaps = max(len(self._names) - 1, 0) * self._themes.px(_GAP)
        return QSize(sum(self._widths()) + gaps + 1, self._metrics.height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The room for all of them one below another."""
        return QSize(max(self._widths(), default=0), self._metrics.height())

    def heightForWidth(self, width: int, /) -> int:  # noqa: N802 - Qt's name
        """The height of the lines they need."""
        rows = in_rows(self._widths(), width, self._themes.px(_GAP))
        return (rows[-1][0] + 1 if rows else 0) * self._metrics.height()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the names."""
        del event
        theme, metrics = self._themes.theme, self._metrics
        with QPainter(self) as painter:
            mirror_in(self, painter)
            painter.setFont(self._themes.text("caption"))
            painter.setPen(theme.colour("text"))
            places = in_rows(self._widths(), self.width(), self._themes.px(_GAP))
            for name, (row, left) in zip(self._names, places, strict=True):
                at = QPointF(left, row * metrics.height() + metrics.ascent())
                write_named(painter, at, name, theme.colour("muted"))

    @property
    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._themes.text("caption"))

    def _widths(self) -> list[int]:
        return [self._metrics.horizontalAdvance(name) for name in self._names]

"""Lines of a list that hold full names with their ids, which are drawn in the quiet colour."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QLabel, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from meshgui.engine.basics.translation import tr
from meshgui.model.base.named import BEFORE_ID, elided_name, ids_in
from meshgui.views.style.direction import write_named
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.table_model import ModelIndex


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


class NameLegend(QLabel):
    """Full names with the ids that stand for them in the table or chart below, in as many lines as needed."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes, self._names = themes, tuple[str, ...]()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setWordWrap(True)
        Sizing(themes, self).rule(self._say)

    def show_names(self, names: Iterable[str]) -> None:
        """Show other names; what is called by its id alone needs none."""
        self._names = tuple(name for name in names if ids_in(name))
        self.setVisible(bool(self._names))
        self._say()

    def _say(self) -> None:
        quiet = self._themes.theme.colour("muted").name()
        self.setFont(self._themes.text("caption"))
        parts = [name.partition(BEFORE_ID) for name in self._names]
        self.setText(
            " · ".join(
                f'{escape(title)} <font color="{quiet}">{escape(name)}</font>' for title, _, name in parts
            )
        )
        self.setAccessibleName(tr(", ").join(self._names))

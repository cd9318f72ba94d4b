"""Draws pseudo-code: numbered lines that wrap, a bar at the current one, a diamond at decisions.

Qt's text views would do less than half of it: they indent no wrapped part under its line, their margin for
numbers and signs is painted by hand as well, and they take the keys that step the run.
"""

from __future__ import annotations

from textwrap import wrap
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.basics.translation import tr
from meshgui.model.tables.tables import PlainTable
from meshgui.views.style.direction import mirror_in, place_in, write
from meshgui.views.style.fonts import mono_font
from meshgui.views.style.theme import SIZES, ThemeManager
from meshgui.views.style.theme_colours import Theme
from meshgui.views.widgets.tips import Tips

_INDENT = 2  # characters a level
_LEAST = 16  # characters a line keeps however narrow the pane


class _Place(NamedTuple):
    """A wrapped line of pseudo-code."""

    top: int
    height: int
    parts: list[str]


class CodePane(QWidget):
    """The lines of one strategy, as high as they need at its width; emits the line that was clicked."""

    accessible_role = QAccessible.Role.Graphic
    clicked = Signal(int)
    stop_toggled = Signal(int)  # the number of a line was clicked: a breakpoint comes or goes
    wrapped = Signal()

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self.lines: tuple[Line, ...] = ()
        self.current: int | None = None
        self._reached: frozenset[int] = frozenset()
        self._stops: frozenset[int] = frozenset()
        self._pointed: int | None = None
        self._places: list[_Place] = []
        self._zoom = 1.0
        self.setAccessibleName(tr("Pseudo-code"))
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        Tips(self, self._hint_at, self._current_rect)
        themes.changed.connect(self._wrap)

    def show_lines(self, lines: tuple[Line, ...]) -> None:
        """Show another strategy's lines."""
        if lines is not self.lines:
            self.lines = lines
            self.current, self._reached = None, frozenset()  # the current line was one of the others
            self._say()
            self._wrap()

    def show_current(self, current: int | None, reached: frozenset[int]) -> None:
        """Mark the current line; lines that this attempt reaches can be clicked."""
        if (current, reached) != (self.current, self._reached):
            self.current, self._reached = current, reached
            self._say()
            self.update()

    def show_stops(self, stops: frozenset[int]) -> None:
        """Mark the lines that have a breakpoint."""
        if stops != self._stops:
            self._stops = stops
            self.update()

    def table(self, title: str) -> PlainTable:
        """The lines, each with what its signs say."""
        return PlainTable(
            title,
            (tr("Line"), tr("Line of code"), tr("Marked as")),
            [(number + 1, line.text, self._signs(number)) for number, line in enumerate(self.lines)],
        )

    def _signs(self, number: int) -> str:
        signs = (
            (number == self.current, tr("current line")),
            (self.lines[number].decision, tr("decision")),
            (number in self._stops, tr("breakpoint")),
        )
        return tr(", ").join(words for there, words in signs if there)

    def _say(self) -> None:
        """Tell screen readers the current line."""
        at = self.current
        self.setAccessibleDescription(
            tr("No line is current.")
            if at is None
            else tr("Line {line}: {text}").format(line=at + 1, text=self.lines[at].text)
        )

    @property
    def enlarged(self) -> bool:
        """Whether code is larger than other text."""
        return self._zoom > 1

    def set_zoom(self, zoom: float) -> None:
        """Show code larger than other text."""
        self._zoom = zoom
        self._wrap()

    def line_rect(self, line: int) -> QRect:
        """The rectangle of a line."""
        place = self._places[line]
        return QRect(0, place.top, self.width(), place.height)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The height of the lines."""
        return QSize(self._themes.px(280), self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Wrap the lines at the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._wrap()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the lines: none without its beginning, and those cut off below as far as they are whole."""
        del event
        sight = self._sight()
        with QPainter(self) as painter:
            mirror_in(self, painter)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for number in range(len(self._places)):
                self._paint_line(painter, number, self._themes.theme, sight)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Show that a line can be clicked."""
        line = self._line_at(event.position().y())
        self._point_at(line)
        if line is not None and self._in_margin(event.position()):
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Emit the line that was clicked."""
        line = self._line_at(event.position().y())
        if line is not None and self._in_margin(event.position()):
            if event.button() == Qt.MouseButton.LeftButton:
                self.stop_toggled.emit(line)
        elif line in self._reached and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(line)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Stop hovering."""
        super().leaveEvent(event)
        self._point_at(None)

    def _current_rect(self) -> QRect | None:
        return None if self.current is None else self.line_rect(self.current)

    def _hint_at(self, at: QPointF) -> str:
        line = self._line_at(at.y())
        if line is not None and self._in_margin(at):
            return (
                tr("Remove the breakpoint on this line")
                if line in self._stops
                else tr("Stop at this line: set a breakpoint")
            )
        return tr("Run to the next step at this line") if line in self._reached else ""

    def _in_margin(self, at: QPointF) -> bool:
        """Whether a point lies on the numbers of the lines."""
        return place_in(self, at).x() < self._themes.px(30)

    def _point_at(self, line: int | None) -> None:
        line = line if line in self._reached else None
        self.setCursor(Qt.CursorShape.ArrowCursor if line is None else Qt.CursorShape.PointingHandCursor)
        if line != self._pointed:
            self._pointed = line
            self.update()

    def _line_at(self, y: float) -> int | None:
        return next((n for n, p in enumerate(self._places) if p.top <= y < p.top + p.height), None)

    def _sight(self) -> range:
        """The rows of pixels that the panel around the pane shows; without one all."""
        around = self.parentWidget()
        if around is None:
            return range(self.height())
        return range(max(-self.y(), 0), min(around.height() - self.y(), self.height()))

    def _paint_line(self, painter: QPainter, number: int, theme: Theme, sight: range) -> None:
        px, line, place = self._px, self.lines[number], self._places[number]
        rect = self.line_rect(number)
        current = number == self.current
        if current or number == self._pointed:
            painter.fillRect(rect, theme.colour("selection" if current else "hover"))
        if current:
            painter.fillRect(QRect(0, place.top, px(3), place.height), theme.colour("accent"))
        painter.setFont(self.face())
        metrics = QFontMetricsF(self.face())
        y = place.top + px(3) + metrics.ascent()

        headless = place.top < sight.start and place.height <= len(sight)

        def whole(part: int) -> bool:
            top = place.top + px(3) + part * metrics.height()
            return not headless and sight.start <= top and top + metrics.height() <= sight.stop

        if line.indent:  # a thin guide for the eye, a level
            painter.setPen(theme.colour("hairline"))
            for level in range(line.indent):
                x = self._text_left() + metrics.horizontalAdvance(" ") * (_INDENT * level + 0.5)
                painter.drawLine(QPointF(x, place.top), QPointF(x, place.top + place.height))
        if whole(0):
            self._paint_signs(painter, number, theme)
        painter.setFont(self.face())
        painter.setPen(theme.colour("text"))
        left = self._text_left() + metrics.horizontalAdvance(" ") * _INDENT * line.indent
        for index, part in enumerate(place.parts):
            hang = metrics.horizontalAdvance(" ") * _INDENT if index else 0
            if whole(index):
                write(painter, QPointF(left + hang, y + index * metrics.height()), part)

    def _paint_signs(self, painter: QPainter, number: int, theme: Theme) -> None:
        """Draw a line's number, its breakpoint, and the diamond of a decision."""
        px, line, place = self._px, self.lines[number], self._places[number]
        current = number == self.current
        painter.setFont(self.face())
        metrics = QFontMetricsF(self.face())
        y = place.top + px(3) + metrics.ascent()
        if number in self._stops:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("blocked"))
            painter.drawEllipse(QPointF(px(8), place.top + px(3) + metrics.height() / 2), px(4), px(4))
        painter.setPen(theme.colour("accent" if current else "muted"))
        label = str(number + 1)
        write(painter, QPointF(px(26) - metrics.horizontalAdvance(label), y), label)
        if line.decision:
            middle, r = QPointF(px(35), place.top + px(3) + metrics.height() / 2), px(3)
            painter.setBrush(theme.colour("accent" if current else "outline"))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawPolygon(
                QPolygonF([middle + QPointF(dx * r, dy * r) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))])
            )

    def face(self) -> QFont:
        """The letters of the lines."""
        return mono_font(self._px(SIZES["body"]))

    def _px(self, pixels: float) -> int:
        return self._themes.px(pixels * self._zoom)

    def _text_left(self) -> float:
        return self._px(44)

    def _wrap(self) -> None:
        metrics, px = QFontMetricsF(self.face()), self._px
        room = int((self.width() - self._text_left() - px(8)) / metrics.horizontalAdvance("0"))
        self._places, top = [], px(4)
        for line in self.lines:
            width = max(room - _INDENT * line.indent, _LEAST)
            parts = wrap(line.text, width, subsequent_indent=" " * _INDENT) or [""]
            height = round(len(parts) * metrics.height()) + px(6)
            self._places.append(_Place(top, height, [part.strip() for part in parts]))
            top += height
        self.setFixedHeight(top + px(4))
        self.wrapped.emit()
        self.update()

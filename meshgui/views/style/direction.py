"""Draws what is laid out from left to right mirrored where the language is read from right to left.

Painters and mouse places are mirrored as a whole, so that all geometry stays as it is from left to right;
only words and signs are turned upright again where they are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLineEdit, QWidget

from meshgui.model.base.named import ids_in

_ARABIC_AND_HEBREW: Final = (("\u0590", "\u08ff"), ("\ufb1d", "\ufeff"))
_NUMBER: Final = r"\d(?:[\d.,]{0,30}\d)?"  # bounded, as a page may be digits alone
_PLACE: Final = rf"\(?{_NUMBER}\)?"
_GROUPS: Final = "\\d{1,3}(?:\u202f\\d{3})+"  # thousands apart, which would change places, too
_SIGN: Final = r"(?<!\w)[+−]"
_QUOTED: Final = r'"[^"\u0590-\u06ff]*"'  # what was typed, say
_SIZE: Final = re.compile(  # also a box, a way, or a share
    rf"{_PLACE}(?:\s?[×–→]\s?{_PLACE})+|(?:{_SIGN})?(?:{_GROUPS}|{_NUMBER})\s?%|{_SIGN}{_NUMBER}"
    rf"|{_GROUPS}|{_QUOTED}"
)
_ISOLATED: Final = "\u2066"  # what follows is read from left to right, up to \u2069
_ISOLATES: Final = re.compile("[\u2066\u2069]")
_MARKS_BEHIND: Final = re.compile(r"(?<![.:;,!?…])([.:;,!?…]+)$")
_LITERAL: Final = int(Qt.AlignmentFlag.AlignAbsolute)
_IN_LINES: Final = int(Qt.TextFlag.TextWordWrap)
_UNCLIPPED: Final = int(Qt.TextFlag.TextDontClip)  # dots of Arabic letters lie below the room of a Latin line
_HEIGHTS: Final = int(Qt.AlignmentFlag.AlignVertical_Mask)
_ANY_WIDTH: Final = 1_000_000.0
_SIDES: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignRight)


def is_rtl(widget: QWidget | None = None) -> bool:
    """Whether a widget, or else the application, is laid out from right to left."""
    direction = widget.layoutDirection() if widget is not None else QGuiApplication.layoutDirection()
    return direction == Qt.LayoutDirection.RightToLeft


def against_reading() -> Qt.LayoutDirection:
    """The direction of a button whose arrow stands behind its words."""
    right = is_rtl()
    return Qt.LayoutDirection.LeftToRight if right else Qt.LayoutDirection.RightToLeft


def keys_of_time() -> tuple[str, str]:
    """The arrow keys that go on and back in time, which runs as one reads."""
    return ("Left", "Right") if is_rtl() else ("Right", "Left")


def columns() -> tuple[Qt.DockWidgetArea, Qt.DockWidgetArea]:
    """The side of a window where one begins to read, and the other."""
    left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
    return (right, left) if is_rtl() else (left, right)


def mirror(painter: QPainter, room: QRect | QRectF) -> None:
    """Mirror all that is drawn from now on about the middle of a room."""
    painter.translate(2 * room.x() + room.width(), 0)
    painter.scale(-1, 1)


def mirror_in(widget: QWidget, painter: QPainter) -> None:
    """Mirror what is drawn in a widget if it is laid out from right to left."""
    if is_rtl(widget):
        mirror(painter, widget.rect())


def place_in(widget: QWidget, place: QPointF) -> QPointF:
    """A place of a widget among what is drawn there, mirrored or not; and back."""
    return QPointF(widget.width() - place.x(), place.y()) if is_rtl(widget) else place


def rect_in(widget: QWidget, rect: QRect) -> QRect:
    """A rectangle of what is drawn in a widget as it lies there, mirrored or not; and back."""
    if not is_rtl(widget) or rect.isNull():
        return rect
    return QRect(QPoint(widget.width() - rect.x() - rect.width(), rect.y()), rect.size())


def ends_clause(text: str) -> bool:
    """Whether a word has a full stop, a colon or the like behind it."""
    return _MARKS_BEHIND.search(text) is not None


def among_arabic(text: str) -> str:
    """A number or Latin words in a sentence from right to left: the full stop behind stands on the left.

    Brackets alone are mirrored, as those around Arabic letters.
    """
    if not any(map(str.isalnum, text)):
        return f"\u200f{text}\u200f"
    if has_letters_from_the_right(text) or not ends_clause(text):
        return text
    return _MARKS_BEHIND.sub("\u2069\\1", f"{_ISOLATED}{text}")


def isolated_whole(text: str) -> str:
    """A text that keeps its order among Arabic letters from its first sign to its last: code, say."""
    return f"{_ISOLATED}{text}\u2069"


def among_words(text: str | Path) -> str:
    """A text such as a path or the name of a file that keeps to itself in a sentence that surrounds it."""
    return f"\u2068{text}\u2069" if is_rtl() else str(text)


def without_isolates(text: str) -> str:
    """A text without the signs that isolate parts of it."""
    return _ISOLATES.sub("", text)


def is_from_the_right(text: str) -> bool:
    """Whether a text is set from right to left: it has Arabic letters, or is isolated among such."""
    return has_letters_from_the_right(text) or text.startswith(_ISOLATED)


def isolated(text: str) -> str:
    """A text whose sizes, boxes, ways, shares, signs and quoted words keep their order among Arabic letters.

    4×2 would be read as 2×4, and of 200 % the sign would stand on the left.
    """
    if not has_letters_from_the_right(text):
        return text
    return _SIZE.sub(f"{_ISOLATED}\\g<0>\u2069", text)


def set_from_the_right(text: str) -> str:
    """A text that is set from right to left, though it may begin with Latin words, if it has Arabic ones."""
    return f"\u200f{isolated(text)}" if has_letters_from_the_right(text) else text


def has_letters_from_the_right(text: str) -> bool:
    """Whether a text has Arabic or Hebrew letters, and so begins on the right."""
    return not text.isascii() and any(low <= c <= high for c in text for low, high in _ARABIC_AND_HEBREW)


class LevelLine(QObject):
    """Keeps letters of all faces in a field on one line: Qt lifts those of a taller face."""

    def __init__(self, line: QLineEdit) -> None:
        super().__init__(line)
        line.textChanged.connect(self.level)

    def level(self) -> None:
        """Lower the text by as much as it is lifted."""
        line = self.parent()
        if isinstance(line, QLineEdit):
            layout = QTextLayout(line.displayText(), line.font())
            layout.beginLayout()
            row = layout.createLine()
            layout.endLayout()
            lifted = round(row.ascent()) - line.fontMetrics().ascent() if line.displayText() else 0
            margins = line.textMargins()
            if margins.top() != lifted:
                line.setTextMargins(margins.left(), lifted, margins.right(), -lifted)


@contextmanager
def upright(painter: QPainter, rect: QRectF) -> Iterator[None]:
    """Draw into a rectangle as it is from left to right, also where the painter is mirrored."""
    if not _is_mirrored(painter):
        yield
        return
    painter.save()
    mirror(painter, rect)
    yield
    painter.restore()


def write(painter: QPainter, where: QPointF | QRect | QRectF, text: str, flags: int = 0) -> None:
    """Write a text on from a place or into a rectangle, readable also where the painter is mirrored.

    Numbers and Latin words keep their order; what holds Arabic letters is set from right to left.
    """
    if not _is_mirrored(painter) and painter.layoutDirection() != Qt.LayoutDirection.RightToLeft:
        if isinstance(where, QPointF):
            painter.drawText(where, text)
        else:
            painter.drawText(where, flags, text)
        return
    before = painter.layoutDirection()
    arabic = is_from_the_right(text)
    if arabic:
        text = isolated(text)
    painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if arabic else Qt.LayoutDirection.LeftToRight)
    if isinstance(where, QPointF):
        width = QFontMetricsF(painter.font()).horizontalAdvance(text)
        with upright(painter, QRectF(where.x(), 0, width, 0)):
            painter.drawText(where, text)
    else:
        if arabic and not flags & _IN_LINES:
            flags |= _UNCLIPPED
        sides = _mirrored_sides(flags) if _is_mirrored(painter) else flags | _LITERAL
        with upright(painter, QRectF(where)):
            painter.drawText(where, sides, text)
    painter.setLayoutDirection(before)


def write_named(
    painter: QPainter, where: QPointF | QRect | QRectF, text: str, quiet: QColor, flags: int = 0
) -> None:
    """Write a text on one line as `write` does, with the ids behind names in a quiet colour."""
    if not ids_in(text):
        write(painter, where, text, flags)
        return
    arabic = is_rtl() and is_from_the_right(text)
    if arabic:
        text = _ids_isolated(isolated(text))
    layout, option = QTextLayout(text, painter.font()), QTextOption()
    option.setTextDirection(Qt.LayoutDirection.RightToLeft if arabic else Qt.LayoutDirection.LeftToRight)
    option.setAlignment(Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignLeft)
    layout.setTextOption(option)
    layout.setFormats([_in_colour(first, last - first, quiet) for first, last in ids_in(text)])
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(_ANY_WIDTH)
    layout.endLayout()
    metrics, width = QFontMetricsF(painter.font()), line.naturalTextWidth()
    if isinstance(where, QPointF):
        room, baseline, left = QRectF(where.x(), 0, width, 0), where.y(), where.x()
    else:
        room = QRectF(where)
        sides = _mirrored_sides(flags) if _is_mirrored(painter) else flags
        left = room.left()
        if sides & int(Qt.AlignmentFlag.AlignRight):
            left = room.right() - width
        elif sides & int(Qt.AlignmentFlag.AlignHCenter):
            left = room.center().x() - width / 2
        spare = room.height() - metrics.height()
        above = {int(Qt.AlignmentFlag.AlignVCenter): 0.5, int(Qt.AlignmentFlag.AlignBottom): 1.0}
        baseline = room.top() + metrics.ascent() + spare * above.get(flags & _HEIGHTS, 0.0)
    with upright(painter, room):
        layout.draw(painter, QPointF(left, baseline - line.ascent()))


def _in_colour(first: int, length: int, colour: QColor) -> QTextLayout.FormatRange:
    found, look = QTextLayout.FormatRange(), QTextCharFormat()
    look.setForeground(colour)
    found.start, found.length, found.format = first, length, look
    return found


def _ids_isolated(text: str) -> str:
    """A text whose ids keep their order among Arabic letters: paging(0) has its bracket at its end."""
    for first, last in reversed(ids_in(text)):
        text = text[:first] + isolated_whole(text[first:last]) + text[last:]
    return text


def _is_mirrored(painter: QPainter) -> bool:
    return painter.worldTransform().determinant() < 0


def _mirrored_sides(flags: int) -> int:
    """Alignment as Qt takes it literally, with left and right exchanged; left is the default."""
    if flags & _LITERAL:
        return flags
    sides = flags & _SIDES
    if sides == int(Qt.AlignmentFlag.AlignRight):
        swapped = int(Qt.AlignmentFlag.AlignLeft)
    elif flags & int(Qt.AlignmentFlag.AlignHCenter):
        swapped = 0
    else:
        swapped = int(Qt.AlignmentFlag.AlignRight)
    return flags & ~_SIDES | swapped | _LITERAL

"""The entries of the welcome page: a file, and a card with a picture for a ready scenario."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QEnterEvent,
    QFont,
    QFontMetrics,
    QIcon,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from meshgui.itself import resource
from meshgui.model.base.named import ids_in
from meshgui.views.style.direction import mirror_in, upright, write, write_named
from meshgui.views.style.theme import ThemeManager
from meshgui.views.style.tinting import tinted
from meshgui.views.widgets.name_lines import fitted

_PICTURE: Final = QSize(192, 120)  # at least
_PAD: Final = 12
_BETWEEN: Final = " · "  # the facts
_WRAPPED: Final = int(Qt.TextFlag.TextWordWrap)
_CHEVRON: Final = 14  # the side of the sign that it opens something


class ScenarioSummary(NamedTuple):
    """Title, description and a few facts of a scenario."""

    title: str
    about: str
    facts: str = ""


class ScenarioEntry(QAbstractButton):
    """A name that opens a scenario, as a chevron at its end says, over what it is about.

    What is longer than it has lines loses its middle, with all of it in the tool tip.
    """

    _title_lines = 3

    def __init__(self, summary: ScenarioSummary, themes: ThemeManager, hint: str = "") -> None:
        super().__init__()
        self.summary = summary
        self._themes = themes
        self._widest = 0
        self.setToolTip(hint or summary.about)
        self.setAccessibleName(summary.title)
        self._describe()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click it has no ring
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        themes.changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        """Measure the words again: layouts ask for the height of a card some hundred times."""
        self._titles: dict[int, tuple[str, int]] = {}
        self._heights: dict[int, int] = {}
        self.updateGeometry()

    def _describe(self) -> None:
        self.setAccessibleDescription(f"{self.summary.about} {self.summary.facts}".strip())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return room for its words in the narrowest column of a grid."""
        width = self._themes.px(_PICTURE.width() + 2 * _PAD)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the same: letters and lines of a smaller picture would not be legible."""
        return self.sizeHint()

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """Return room for the title and what is below it, beneath what stands above them."""
        if width not in self._heights:
            px = self._themes.px
            words = self._title_in(width)[1] + QFontMetrics(self._fonts()[1]).height()
            self._heights[width] = self._above(width) + words + px(2) + 2 * px(_PAD)
        return self._heights[width]

    def fit(self, widest: int, height: int) -> None:
        """Have this height, in a row whose widest card is a pixel wider perhaps."""
        self._widest = widest
        self.setFixedHeight(height)

    def _above(self, _width: int) -> int:
        """The height of what stands above the title of a card of this width."""
        return 0

    def _title_in(self, width: int) -> tuple[str, int]:
        """The title in a card of this width, and the height of as many lines as it takes."""
        if width not in self._titles:
            px, metrics = self._themes.px, QFontMetrics(self._fonts()[0])
            room, title = width - 2 * px(_PAD) - px(_CHEVRON) - px(4), self.summary.title
            whole = metrics.boundingRect(0, 0, room, 0, _WRAPPED, title)
            for share in range(20 * self._title_lines, 0, -1):
                if whole.height() <= self._title_lines * metrics.lineSpacing() + 1:
                    break
                title = metrics.elidedText(
                    self.summary.title, Qt.TextElideMode.ElideMiddle, room * share // 20
                )
                whole = metrics.boundingRect(0, 0, room, 0, _WRAPPED, title)
            self._titles[width] = title, whole.height()
        return self._titles[width]

    @property
    def lines(self) -> tuple[QRect, QRect]:
        """The places of the title and what is below it, as far down as in the other cards of the row."""
        px, pad = self._themes.px, self._themes.px(_PAD)
        title, below = self._title_in(self.width())[1], QFontMetrics(self._fonts()[1]).height()
        width, top = self.width() - 2 * pad, pad + self._above(max(self._widest, self.width()))
        return QRect(pad, top, width, title), QRect(pad, top + title + px(2), width, below)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Return opens, as the space bar does."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the hover highlight."""
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Remove the hover highlight."""
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the summary, a highlight under the pointer, and a ring for the focus."""
        del event
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            mirror_in(self, painter)
            self._draw_ground(painter)
            self._draw_title(painter)
            self._write(painter, self.summary.about, "muted")

    def _draw_title(self, painter: QPainter) -> None:
        """Draw the title, with the chevron behind its first line."""
        title, (first, _) = self._fonts()[0], self.lines
        line = QRect(first.topLeft(), QSize(first.width(), QFontMetrics(title).height()))
        first.setWidth(self._draw_chevron(painter, line).width())
        painter.setFont(title)
        painter.setPen(self._themes.theme.colour("text"))
        write(painter, first, self._title_in(self.width())[0], int(Qt.AlignmentFlag.AlignLeft) | _WRAPPED)

    def _draw_ground(self, painter: QPainter) -> None:
        """Draw the highlight under the pointer, and the ring of the focus."""
        theme, px = self._themes.theme, self._themes.px
        ring = self.rect().adjusted(1, 1, -1, -1)
        painter.setPen(QPen(theme.colour("focus"), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
        pointed = self.isDown() or self.underMouse()
        painter.setBrush(
            theme.colour("pressed" if self.isDown() else "hover") if pointed else Qt.BrushStyle.NoBrush
        )
        painter.drawRoundedRect(ring, px(6), px(6))

    def _draw_chevron(self, painter: QPainter, room: QRect) -> QRect:
        """Draw the sign of what opens something at the end of a line; the room that is left before it."""
        side = self._themes.px(_CHEVRON)
        place = QRect(room.right() + 1 - side, room.center().y() + 1 - side // 2, side, side)
        theme = self._themes.theme
        with upright(painter, QRectF(place)):  # which way it points is that of reading
            colour = theme.text if self.isDown() or self.underMouse() else theme.muted
            QIcon(tinted("chevron-right", colour)).paint(painter, place)
        return room.adjusted(0, 0, -side - self._themes.px(4), 0)

    def _write(self, painter: QPainter, text: str, token: str) -> None:
        """Write what is below the title; a path loses its middle, a name keeps its id."""
        place, metrics = self.lines[1], QFontMetrics(self._fonts()[1])
        painter.setFont(self._fonts()[1])
        painter.setPen(self._themes.theme.colour(token))
        elided = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, place.width())
        shown = fitted(text, place.width(), metrics) if ids_in(text) else elided
        side = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        write_named(painter, place, shown, self._themes.theme.colour("muted"), side)

    def _fonts(self) -> tuple[QFont, QFont]:
        return self._themes.text("body", QFont.Weight.DemiBold), self._themes.text("caption")


class ExampleCard(ScenarioEntry):
    """A ready scenario: what its mesh looks like during the run, its title, and what it is run with."""

    _title_lines = 9  # all of it

    def __init__(self, name: str, summary: ScenarioSummary, themes: ThemeManager) -> None:
        super().__init__(summary, themes)
        self._name = name
        self._picture, self._picture_theme = QPixmap(), ""

    def _above(self, width: int) -> int:
        """The picture and the gap below it."""
        return self._picture_size(width).height() + self._themes.px(8)

    def _picture_size(self, width: int) -> QSize:
        """The size of the picture in a card of this width."""
        inside = width - 2 * self._themes.px(_PAD)
        return QSize(inside, round(inside * _PICTURE.height() / _PICTURE.width()))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the picture in its frame, the title and the facts."""
        del event
        theme, px = self._themes.theme, self._themes.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            mirror_in(self, painter)
            self._draw_ground(painter)
            pad = px(_PAD)
            frame = QRect(QPoint(pad, pad), self._picture_size(self.width()))
            with upright(painter, QRectF(frame)):  # a mesh keeps its direction
                painter.drawPixmap(frame, self._drawn())
            painter.setPen(QPen(theme.colour("hairline"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(frame)
            self._draw_title(painter)
            facts = self.facts_shown
            self._write(painter, facts or self.summary.about, "text" if facts else "muted")

    def add_fact(self, fact: str) -> None:
        """Add another fact behind those there are."""
        self.summary = self.summary._replace(facts=f"{self.summary.facts}{_BETWEEN}{fact}")
        self._describe()
        self.setToolTip(f"{self.toolTip()}\n{fact}")
        self.update()

    @property
    def facts_shown(self) -> str:
        """As many of the facts as have room, the last before the others."""
        facts, width = self.summary.facts, QFontMetrics(self._fonts()[1]).horizontalAdvance
        while width(facts) > self.lines[1].width() and _BETWEEN in facts:
            facts = facts.partition(_BETWEEN)[2]
        return facts

    @property
    def _file(self) -> str:
        return str(resource("welcome", f"{self._name}-{self._themes.theme.name}.png"))

    def _drawn(self) -> QPixmap:
        """The picture for the theme; it is read when it is first in sight."""
        if self._themes.theme.name != self._picture_theme:
            self._picture_theme = self._themes.theme.name
            self._picture = QPixmap(self._file)
        return self._picture

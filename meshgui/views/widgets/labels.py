"""Labels of the panels: a line that is elided, the swatch of a job, a heading."""

from __future__ import annotations

from typing import Final, Self

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from meshgui.engine.basics.words import UNKNOWN
from meshgui.model.base.named import ids_in
from meshgui.model.scene.colours import job_colour, job_pattern, label_colour
from meshgui.model.scene.hatching import STRENGTH
from meshgui.views.style.direction import mirror_in, write_named
from meshgui.views.style.fonts import depth
from meshgui.views.style.hatching import draw_hatch
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import Dress, TextSize, ThemeManager
from meshgui.views.style.theme_colours import Theme
from meshgui.views.widgets.name_lines import fitted
from meshgui.views.widgets.tips import show_tip

SWATCH = 10
"""The side of a job's swatch, in the design's pixels."""

_ANY_HEIGHT: Final = 10_000


def job_qcolor(job: int, theme: Theme) -> QColor:
    """The colour of a job, for a painter."""
    return QColor.fromRgbF(*job_colour(job, theme.name))


def label_qcolor(job: int, theme: Theme) -> QColor:
    """The colour of a text on that colour, for a painter."""
    return QColor.fromRgbF(*label_colour(job, theme.name))


def line_qcolor(job: int, theme: Theme) -> QColor:
    """The colour of the hatching on that colour, for a painter."""
    red, green, blue = label_colour(job, theme.name)
    return QColor.fromRgbF(1 - red, 1 - green, 1 - blue, STRENGTH)


def paint_job(painter: QPainter, themes: Dress, job: int, rect: QRectF, corner: float = 0.0) -> None:
    """Fill a rectangle with a job's colour and hatching, the corners round."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(job_qcolor(job, themes.theme))
    painter.drawRoundedRect(rect, corner, corner)
    draw_hatch(painter, rect, job_pattern(job), line_qcolor(job, themes.theme), themes.scale, corner)
    painter.restore()


def paint_swatch(painter: QPainter, themes: Dress, job: int, left: float, middle: float) -> None:
    """Draw a job's colour and hatching as a small square at a left edge and a vertical middle."""
    side = themes.px(SWATCH)
    square = QRectF(QPointF(left, middle - side / 2), QSize(side, side))
    paint_job(painter, themes, job, square, side * 0.25)


def write_placeholder(painter: QPainter, rect: QRect, text: str, themes: Dress) -> None:
    """Write what an empty table or tree says, at the panels' margin."""
    painter.setFont(themes.text())
    painter.setPen(themes.theme.colour("muted"))
    room = rect.adjusted(themes.px(12), themes.px(6), -themes.px(12), 0)
    painter.drawText(room, int(Qt.TextFlag.TextWordWrap), text)


def placeholder_height(text: str, width: int, themes: Dress) -> int:
    """The height that this takes, with as much room below it as above."""
    room = QRect(0, 0, width - 2 * themes.px(12), _ANY_HEIGHT)
    lines = QFontMetrics(themes.text()).boundingRect(room, int(Qt.TextFlag.TextWordWrap), text)
    return lines.height() + 2 * themes.px(6)


def _depth(face: QFont) -> int:
    return depth(face.pixelSize(), QFont.Weight(face.weight()))


def _on_one_line(room: QRect, text: str, face: QFont) -> QRect:
    """A room moved so that what Qt centres in it, by its own reach, stands on the line of Latin letters."""
    metrics = QFontMetrics(face)
    reach = metrics.boundingRect(text)
    wanted = metrics.ascent() - _depth(face)
    return room.translated(0, (wanted + reach.top() + reach.bottom() + 1) // 2)


class ElidedLabel(QLabel):
    """One line of text, elided if it is too long, with all of it in the tooltip then.

    Of several wordings it shows the longest that fits: a number cut short is another number.
    """

    def __init__(
        self,
        themes: ThemeManager,
        size: TextSize = "body",
        colour: str = "text",
        weight: QFont.Weight = QFont.Weight.Normal,
    ) -> None:
        super().__init__()
        self._themes, self._size, self._colour, self._weight = themes, size, colour, weight
        self._known = True
        self._words, self._shorter = "", tuple[str, ...]()
        self.setTextFormat(Qt.TextFormat.PlainText)
        themes.changed.connect(self.update)
        Sizing(themes, self).rule(self._fit_height)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The width of the whole text."""
        return QSize(QFontMetrics(self.face()).horizontalAdvance(self.text()) + 1, self._line())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The height of a line, and any width: a long text must not widen its panel."""
        return QSize(0, self._line())

    @property
    def tone(self) -> str:
        """Which of the theme's colours it is drawn in."""
        return self._colour if self._known else "muted"

    def colour(self, token: str) -> None:
        """Draw it in another of the theme's colours."""
        if token != self._colour:
            self._colour = token
            self.update()

    def face(self) -> QFont:
        """The font the text is drawn in."""
        return self._themes.text(self._size, self._weight)

    def write_in(self, size: TextSize) -> None:
        """Draw it in another of the sizes of type."""
        self._size = size
        self._fit_height()
        self.update()

    def fill_width(self) -> Self:
        """Take the width that its layout leaves: another text then lays nothing out again."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return self

    def text(self) -> str:
        """The text, or its longest wording."""
        return self._words

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Show another text, without shorter wordings."""
        self._known, self._shorter = True, ()
        if text != self._words:
            # Not the label's own text: with each change of that Qt lays out and paints the whole window.
            self._words = text
            self.setAccessibleName(text)
            if self.sizePolicy().horizontalPolicy() != QSizePolicy.Policy.Ignored:
                self.updateGeometry()
        self.update()

    def say(self, *wordings: str) -> None:
        """Show the first of these texts that fits, longest first; without any, a dash for unknown."""
        if wordings:
            self.setText(wordings[0])
            self._shorter = wordings[1:]
        else:
            self.show_unknown()

    def show_unknown(self) -> None:
        """Show a dash for an unknown value."""
        self.setText(UNKNOWN)
        self._known = False

    @property
    def shown(self) -> str:
        """The wording that fits; if none does, the shortest, to be elided."""
        metrics, room = QFontMetrics(self.face()), self.contentsRect().width()
        wordings = (self.text(), *self._shorter)
        return next((words for words in wordings if metrics.horizontalAdvance(words) <= room), wordings[-1])

    @property
    def elided(self) -> bool:
        """Whether a part of the text cannot be seen."""
        return QFontMetrics(self.face()).horizontalAdvance(self.text()) > self.contentsRect().width()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the text, elided if necessary."""
        del event
        room = self.contentsRect()
        with QPainter(self) as painter:
            mirror_in(self, painter)
            painter.setFont(self.face())
            painter.setPen(self._themes.theme.colour(self.tone))
            shown = fitted(self.shown, room.width(), painter.fontMetrics())
            if self.alignment() & Qt.AlignmentFlag.AlignVCenter and not ids_in(shown):
                room = _on_one_line(room, shown, self.face())
            flags = int(self.alignment()) | int(Qt.TextFlag.TextSingleLine)
            write_named(painter, room, shown, self._themes.theme.colour("muted"), flags)

    def event(self, event: QEvent) -> bool:
        """Follow the margins; show an elided text whole as a tooltip where no other tooltip was given."""
        if event.type() == QEvent.Type.ContentsRectChange:
            self._fit_height()
        if event.type() == QEvent.Type.ToolTip and self.elided and not self.toolTip():
            show_tip(self, self.mapToGlobal(self.rect().bottomLeft()), self.text())
            return True
        return super().event(event)

    def _fit_height(self) -> None:
        margins = self.contentsMargins()
        self.setFixedHeight(self._line() + margins.top() + margins.bottom())

    def _line(self) -> int:
        """The height of its line."""
        return QFontMetrics(self.face()).ascent() + _depth(self.face())


class Swatch(QWidget):
    """A square in a job's colour; it keeps its room while there is no job."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._job: int | None = None
        themes.changed.connect(self.update)
        Sizing(themes, self).call(self.setFixedSize, SWATCH, SWATCH)

    def show_job(self, job: int | None) -> None:
        """Show the colour of another job, or none."""
        if job != self._job:
            self._job = job
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the swatch."""
        del event
        if self._job is not None:
            with QPainter(self) as painter:
                paint_swatch(painter, self._themes, self._job, 0, self.height() / 2)


class Heading(QWidget):
    """The title of a part of a panel, with a count beside it."""

    def __init__(self, title: str, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._title = ElidedLabel(themes, weight=QFont.Weight.DemiBold)
        self._title.setText(title)
        self._count = ElidedLabel(themes, "caption", "muted").fill_width()
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._sentence: ElidedLabel | None = None
        sizing = Sizing(themes, self)
        self._row = sizing.row(self._title, (self._count, 1), on=self, margins=(12, 8, 12, 4), spacing=8)

    @property
    def title(self) -> str:
        """The title."""
        return self._title.text()

    def rename(self, title: str) -> None:
        """Change the title."""
        self._title.setText(title)

    @property
    def count(self) -> str:
        """The text of the count."""
        return self._count.text()

    def show_count(self, *wordings: str) -> None:
        """Change the text of the count; of several it is the longest that fits."""
        self._count.say(*wordings)

    @property
    def said(self) -> str:
        """The sentence between title and count."""
        return self._sentence.text() if self._sentence is not None else ""

    def say(self, sentence: str) -> None:
        """Show a sentence between title and count, without moving them."""
        if self._sentence is None:
            self._sentence = ElidedLabel(self._themes, "caption", "muted").fill_width()
            self._row.insertWidget(1, self._sentence, 1)
            self._row.setStretchFactor(self._count, 0)
            self._count.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._sentence.setText(sentence)

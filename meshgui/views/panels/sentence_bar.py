"""The bar with one sentence about the last event or step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QFont, QFontMetricsF, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from meshgui.engine.basics.sentences import JobLink, PacketLink, pieces_of
from meshgui.engine.basics.translation import is_rtl_language, tr
from meshgui.model.moment.moment_view import View
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.links import Links
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.direction import (
    among_arabic,
    ends_clause,
    has_letters_from_the_right,
    is_rtl,
    mirror_in,
    place_in,
    write,
)
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import TextSize, ThemeManager
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import SWATCH, paint_swatch
from meshgui.views.widgets.tips import Tips

LINES = 2
_HIGH_AND_LOW = "لًّ مٍ"  # marks over and under Arabic letters; a few reach into the margin
_EMPTY = tr("Open a scenario to see a run.")


class SentenceWord(NamedTuple):
    """A word or a whole name, its rectangle, and the job or packet that it names."""

    text: str
    link: JobLink | PacketLink | None
    rect: QRectF


class SentenceBar(FollowingView):
    """The sentence, with room for two lines however long it is."""

    accessible_role = QAccessible.Role.StaticText

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(cursor, selection, themes)
        self.text: str = _EMPTY  # a sentence, or a text without links
        self._instead = ""  # what is said in place of every sentence
        self._hint = ""  # of the entry of a menu that is pointed at
        self._links = Links(selection)
        self._words: list[SentenceWord] = []
        self._cut = False
        self._size: TextSize = "lead"
        self._about: int | None = None  # the packet that was selected when the sentence was made
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        themes.changed.connect(self.update)
        Sizing(themes, self).rule(self._keep_two_lines)
        Tips(self, lambda _at: self.text if self.elided else "")

    def set_large(self, large: bool) -> None:
        """Show the sentence as a caption for the last row, or in the letters of the desk; a message ends."""
        self._size = "display" if large else "lead"
        self._keep_two_lines()
        self.show_view(self._cursor.view)

    @property
    def elided(self) -> bool:
        """Whether the sentence was too long for its two lines."""
        self._lay_out()
        return self._cut

    @property
    def words(self) -> Sequence[SentenceWord]:
        """The words that have room, each with its place."""
        self._lay_out()
        return self._words

    def say_instead(self, text: str) -> None:
        """Say this in place of every sentence, as they would give away what a question asks."""
        self._instead = text
        self.show_view(self._cursor.view)

    def show_view(self, view: View | None) -> None:
        """Show another sentence."""
        said = view.sentence_about(self._selection.packet) if view is not None and not self._instead else ""
        self.text = self._instead or said or _EMPTY
        self._about = self._selection.packet
        self.setAccessibleName(self.text)
        self.update()

    def tell(self, text: str) -> None:
        """Show a message about the program until the next step or selection."""
        self.text = text
        self.setAccessibleName(text)
        self.update()

    def take_back(self, text: str) -> None:
        """Show the sentence again in place of this message."""
        if self.text == text:
            self.show_view(self._cursor.view)

    def show_hint(self, text: str) -> None:
        """Show the hint of what is pointed at where the sentence is; without one the sentence again."""
        self._hint = text
        self.update()

    @property
    def first_line(self) -> int:
        """The height of a strip in whose middle the first line is."""
        return round(sum(self._line())) + self._themes.px(16)

    def show_selection(self) -> None:
        """Show the sentence about a newly selected packet."""
        if self._selection.packet != self._about:
            self.show_view(self._cursor.view)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The height of two lines."""
        return QSize(self._themes.px(400), self.height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the words, a swatch before each job's name."""
        super().paintEvent(event)
        with QPainter(self) as painter:
            if self._from_the_right:
                mirror_in(self, painter)
            painter.setFont(self.face())
            painter.setPen(self._themes.theme.colour("text" if self._cursor.view is not None else "muted"))
            above, _ = self._line()
            for word in self.words:
                left = word.rect.left()
                if word.link is not None:
                    paint_swatch(painter, self._themes, word.link.job, left, word.rect.center().y())
                    left += self._sign()
                text = among_arabic(word.text) if self._from_the_right else word.text
                write(painter, QPointF(left, word.rect.top() + above), text)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Hover the job or the packet whose name is below the pointer."""
        link = self._link_at(event)
        self._links.hover(link)
        self.setCursor(Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Select the job or the packet whose name is clicked."""
        link = self._link_at(event)
        if link is not None and event.button() == Qt.MouseButton.LeftButton:
            self._links.choose(link)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Stop hovering."""
        super().leaveEvent(event)
        self._selection.hover(None)

    def _link_at(self, event: QMouseEvent) -> JobLink | PacketLink | None:
        """The job or packet whose name is below the pointer."""
        at = place_in(self, event.position()) if self._from_the_right else event.position()
        return next((word.link for word in self.words if word.link and word.rect.contains(at)), None)

    @property
    def _from_the_right(self) -> bool:
        """Whether the sentence is set from right to left: it has letters that are."""
        return is_rtl(self) and has_letters_from_the_right(self._hint or self.text)

    def face(self) -> QFont:
        """The letters of the sentence."""
        return self._themes.text(self._size)

    def _sign(self) -> int:
        return self._themes.px(SWATCH) + self._themes.px(5)

    def _lay_out(self) -> None:
        """Lay the words out on at most two lines; the last that fits ends in an ellipsis if more follow."""
        px, metrics = self._themes.px, QFontMetricsF(self.face())
        left, right = float(px(12)), float(self.width() - px(12))
        height, space = sum(self._line()), metrics.horizontalAdvance(" ")
        words: list[SentenceWord] = []
        x, line = left, 0
        self._cut = False
        for text, link, apart in _parts(self._hint or self.text, join=self._from_the_right):
            if words and not apart:
                x -= space  # a bracket closes up to the name before it
            width = metrics.horizontalAdvance(text) + (self._sign() if link is not None else 0)
            limit = right if line < LINES - 1 else right - metrics.horizontalAdvance(" …")
            if x + width > limit and x > left:
                line, x = line + 1, left
            if line == LINES:
                self._cut = True
                break
            words.append(SentenceWord(text, link, QRectF(x, px(8) + line * height, width, height)))
            x += width + space
        if self._cut and words:
            last, more = words[-1], metrics.horizontalAdvance(" …")
            words[-1] = last._replace(text=f"{last.text} …", rect=last.rect.adjusted(0, 0, more, 0))
        self._words = words

    def _keep_two_lines(self) -> None:
        self.setFixedHeight(round(LINES * sum(self._line())) + self._themes.px(16))

    def _line(self) -> tuple[float, float]:
        """How far a line reaches above and below its baseline; marks of Arabic reach beyond Latin letters."""
        metrics = QFontMetricsF(self.face())
        above, below = metrics.ascent(), metrics.descent()
        if is_rtl_language():
            ink = QPainterPath()  # metrics leave marks out
            ink.addText(0, 0, self.face(), _HIGH_AND_LOW)
            above, below = max(above, -ink.boundingRect().top()), max(below, ink.boundingRect().bottom())
        return above, below


def _parts(text: str, *, join: bool = False) -> Iterator[tuple[str, JobLink | PacketLink | None, bool]]:
    """The words of a sentence, each name of a job or packet as one, and whether a space is before them.

    Joined, Latin words and numbers that follow one another are one: they are read from left to right.
    """
    apart = True
    for piece in pieces_of(text):
        if isinstance(piece.link, JobLink | PacketLink):
            yield piece.text, piece.link, apart
        else:
            apart = apart or piece.text[:1].isspace()
            words = piece.text.split()
            for word in _joined(words) if join else words:
                yield word, None, apart
                apart = True
        apart = piece.text[-1:].isspace()


def _joined(words: list[str]) -> Iterator[str]:
    run: list[str] = []
    for word in words:
        if has_letters_from_the_right(word) or word == "(":  # which belongs to the name behind it
            yield from [" ".join(run)] if run else []
            yield word
            run = []
        else:
            run.append(word)
            if ends_clause(word):  # what follows it stands further left
                yield " ".join(run)
                run = []
    yield from [" ".join(run)] if run else []

"""The bar with the one sentence that says what just happened, or why nothing does."""

from __future__ import annotations

import re
from typing import NamedTuple

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from meshgui.model.cursor import Cursor, View
from meshgui.model.selection import Selection
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import SWATCH, paint_swatch

__all__ = ["SentenceBar"]

LINES = 2
_EMPTY = "Open a scenario to see a run."
_WORD = re.compile(r"[Pp]acket (?P<packet>\d+)(?: of job \d+)?|[Jj]ob (?P<job>\d+)|\S+")


class _Piece(NamedTuple):
    """A word where it is drawn, and the job it names, or the packet and its job."""

    text: str
    job: int | None
    packet: int | None
    rect: QRectF


class SentenceBar(FollowingView):
    """The sentence, with two lines reserved for it whether it needs them or not."""

    def __init__(
        self, cursor: Cursor, selection: Selection, themes: ThemeManager, parent: QWidget | None = None
    ) -> None:
        super().__init__(cursor, selection, themes, parent)
        self.text = _EMPTY
        self._pieces: list[_Piece] = []
        self._cut = False
        self._about: int | None = None  # the packet that was selected when the sentence was made
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        themes.changed.connect(self._wear)
        self._wear()

    @property
    def elided(self) -> bool:
        """Whether the sentence was too long for its two lines."""
        self._lay_out()
        return self._cut

    def show_view(self, view: View | None) -> None:
        """Say another sentence."""
        self.text = view.sentence_about(self._selection.packet) if view is not None else _EMPTY
        self._about = self._selection.packet
        self.setAccessibleName(self.text)
        self.update()

    def tell(self, text: str) -> None:
        """Say how something went that is no part of the run, until the next step or selection."""
        self.text = text
        self.setAccessibleName(text)
        self.update()

    def show_selection(self) -> None:
        """Speak of a packet that is newly selected."""
        if self._selection.packet != self._about:
            self.show_view(self._cursor.view)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Two lines."""
        return QSize(self._themes.px(400), self.height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the words, a swatch before each job's name."""
        super().paintEvent(event)
        self._lay_out()
        painter = QPainter(self)
        painter.setFont(self._face())
        painter.setPen(self._themes.theme.colour("text" if self._cursor.view is not None else "muted"))
        for piece in self._pieces:
            left = piece.rect.left()
            if piece.job is not None:
                paint_swatch(painter, self._themes, piece.job, left, piece.rect.center().y())
                left += self._sign()
            painter.drawText(
                QRectF(left, piece.rect.top(), piece.rect.width() + 2, piece.rect.height()),
                int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter),
                piece.text,
            )
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Point at the job or the packet whose name the pointer is on."""
        piece = self._named_at(event)
        self._selection.hover(piece.job if piece else None, piece.packet if piece else None)
        self.setCursor(Qt.CursorShape.PointingHandCursor if piece else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Select the job or the packet whose name is clicked."""
        piece = self._named_at(event)
        if piece is None or piece.job is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if piece.packet is not None:
            self._selection.select_packet(piece.packet, piece.job)
        else:
            self._selection.select(piece.job)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Point at nothing."""
        super().leaveEvent(event)
        self._selection.hover(None)

    def event(self, event: QEvent) -> bool:
        """The whole sentence as a tooltip where it is elided."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.elided:
            QToolTip.showText(event.globalPos(), self.text, self)
            return True
        return super().event(event)

    def _named_at(self, event: QMouseEvent) -> _Piece | None:
        """The name under the pointer."""
        named = (piece for piece in self._pieces if piece.job is not None)
        return next((piece for piece in named if piece.rect.contains(event.position())), None)

    def _job_of(self, packet: int) -> int | None:
        recording = self._cursor.recording
        record = recording.network if recording is not None else None
        return int(record.jobs[packet]) if record is not None and packet < len(record) else None

    def _face(self) -> QFont:
        return self._themes.text("lead")

    def _sign(self) -> int:
        return self._themes.px(SWATCH) + self._themes.px(5)

    def _lay_out(self) -> None:
        """Put the words on at most two lines; the last that fits ends in an ellipsis if more follow."""
        px, metrics = self._themes.px, QFontMetricsF(self._face())
        left, right = float(px(12)), float(self.width() - px(12))
        height, space = metrics.height(), metrics.horizontalAdvance(" ")
        pieces: list[_Piece] = []
        x, line = left, 0
        self._cut = False
        for match in _WORD.finditer(self.text):
            text = match[0]
            packet = int(match["packet"]) if match["packet"] else None
            job = int(match["job"]) if match["job"] else None
            if packet is not None:
                job = self._job_of(packet)
            if match.start() and not self.text[match.start() - 1].isspace():
                x -= space  # a bracket closes up to the name before it
            width = metrics.horizontalAdvance(text) + (self._sign() if job is not None else 0)
            limit = right if line < LINES - 1 else right - metrics.horizontalAdvance(" …")
            if x + width > limit and x > left:
                line, x = line + 1, left
            if line == LINES:
                self._cut = True
                break
            pieces.append(_Piece(text, job, packet, QRectF(x, px(8) + line * height, width, height)))
            x += width + space
        if self._cut and pieces:
            last = pieces[-1]
            pieces[-1] = last._replace(text=f"{last.text} …")
        self._pieces = pieces

    def _wear(self) -> None:
        metrics = QFontMetricsF(self._face())
        self.setFixedHeight(round(LINES * metrics.height()) + self._themes.px(16))
        self.update()

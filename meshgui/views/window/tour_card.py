"""A card that goes from part to part of the window: all but the part is dimmed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.style.direction import keys_of_time
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, push_button
from meshgui.views.widgets.overlay_card import OverlayCard

_WIDTH: Final = 400
_GAP: Final = 16  # between a part and the card beside it
_ON: Final = ("Return", "Enter", "Space", "PgDown")
_BACK: Final = ("Backspace", "PgUp")


class TourStop(NamedTuple):
    """A part of the window: what it is for, where it is, and what is done before it is shown."""

    title: str
    text: str
    part: Callable[[], QWidget | None]
    prepare: Callable[[], object] = lambda: None


class TourCard(OverlayCard):
    """Dims the window but for one part of it; keys and buttons go on, go back and leave."""

    def __init__(self, host: QWidget, themes: ThemeManager, stops: Sequence[TourStop]) -> None:
        super().__init__(host, themes)
        self._stops = stops
        self.at = 0
        self.setAccessibleName(tr("Tour"))
        self.title = label("", "lead", wrap=True)
        self.text = label("", wrap=True)
        self.progress = label("", "muted")
        self.leave_button = push_button(
            tr("Leave"), tr("Leave the tour (Esc); you find it in Help"), self.dismiss
        )
        on, back = keys_of_time()
        self._on, self._back = (on, *_ON), (back, *_BACK)
        self.back_button = push_button(
            tr("Back"), tr("The previous part ({key})").format(key=back), self.back
        )
        self.next_button = push_button(
            tr("Next"), tr("The next part ({key})").format(key=on), self.next, primary=True
        )
        for button in (self.leave_button, self.back_button, self.next_button):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys belong to the tour
        sizing = Sizing(themes, self)
        top = Qt.AlignmentFlag.AlignTop
        head = sizing.row((self.title, 1), (self.progress, 0, top), spacing=8)
        foot = sizing.row(1, self.leave_button, self.back_button, self.next_button, spacing=8)
        sizing.column(head, self.text, foot, on=self.card, margins=(16, 16, 16, 16), spacing=12)

    def begin(self) -> None:
        """Show the first part."""
        self.at = 0
        self._show()

    def next(self) -> None:
        """Show the next part; after the last one leave."""
        if self.at + 1 < len(self._stops):
            self.at += 1
            self._show()
        else:
            self.dismiss()

    def back(self) -> None:
        """Show the part before."""
        if self.at:
            self.at -= 1
            self._show()

    def _show(self) -> None:
        stop = self._stops[self.at]
        stop.prepare()
        if (part := stop.part()) is not None:
            part.installEventFilter(self)
        last = self.at + 1 == len(self._stops)
        self.title.setText(stop.title)
        self.text.setText(stop.text)
        self.setAccessibleDescription(f"{stop.title}. {stop.text}")
        self.progress.setText(tr("{at} of {stops}").format(at=self.at + 1, stops=len(self._stops)))
        self.back_button.setEnabled(self.at > 0)
        self.next_button.setText(tr("Done") if last else tr("Next"))
        self.open()
        self.update()

    # Places

    @property
    def lit(self) -> QRect:
        """The rectangle of the part that is not dimmed; empty where the whole window is meant."""
        part = self._stops[self.at].part()
        if part is None or not part.isVisible() or part.window() is not self._host.window():
            return QRect()
        return QRect(part.mapTo(self._host, QPoint()), part.size()).intersected(self.rect())

    def place(self) -> None:
        """Place the card beside the part, narrower where there is little room; without a part in the middle.

        Where it would be too narrow beside it, it lies below or above it.
        """
        gap, lit = self.themes.px(_GAP), self.lit
        left, right = lit.left() - 2 * gap, self.width() - lit.right() - 2 * gap
        beside = not lit.isEmpty() and max(left, right) >= self.card.minimumSizeHint().width()
        width = min(self.themes.px(_WIDTH), max(left, right) if beside else self.width() - 2 * gap)
        self.card.setFixedWidth(width)
        self.card.resize(width, self.card.heightForWidth(width))
        card = self.card.rect()
        card.moveCenter(self.rect().center() if lit.isEmpty() else lit.center())
        if beside and left > right:
            card.moveRight(lit.left() - gap)
        elif beside:
            card.moveLeft(lit.right() + gap)
        elif not lit.isEmpty() and lit.top() > self.height() - lit.bottom():
            card.moveBottom(lit.top() - gap)
        elif not lit.isEmpty():
            card.moveTop(lit.bottom() + gap)
        last = self.rect().bottomRight() - QPoint(gap, gap) - card.bottomRight() + card.topLeft()
        self.card.move(min(max(card.x(), gap), last.x()), min(max(card.y(), gap), last.y()))

    def eventFilter(self, watched: QObject, event: QEvent, /) -> bool:  # noqa: N802 - Qt's name
        """Stay beside the part, which gets its last place when the window has laid out what was prepared."""
        moved = event.type() in {QEvent.Type.Move, QEvent.Type.Resize}
        if moved and self.isVisible() and watched is self._stops[self.at].part():
            self.place()
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        """Dim all but the part, and frame that."""
        lit = QRectF(self.lit)
        if lit.isEmpty():
            super().paintEvent(event)
            return
        dark = QPainterPath()
        dark.addRect(QRectF(self.rect()))
        hole = QPainterPath()
        hole.addRoundedRect(lit, 6, 6)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillPath(dark.subtracted(hole), QColor(0, 0, 0, 120))
            painter.setPen(QPen(self.themes.theme.colour("accent"), self.themes.px(2)))
            painter.drawPath(hole)

    # Keys

    def keyPressEvent(self, event: QKeyEvent, /) -> None:  # noqa: N802 - Qt's name
        """Go on and back with the keys that step a run."""
        key = QKeySequence(event.key()).toString(QKeySequence.SequenceFormat.PortableText)
        if key in self._on:
            self.next()
        elif key in self._back:
            self.back()
        else:
            super().keyPressEvent(event)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Keep the tour open where a click goes beside the card."""
        event.accept()

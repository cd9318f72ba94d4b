"""Sentences that the user must know, or what has been done, perhaps with what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from math import prod
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimerEvent, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import SelectableLabel, push_button
from meshgui.views.widgets.tool_button import tool_button

_LINES: Final = 2  # beside the buttons; a longer sentence has them below it, where that leaves it more room
_NARROW: Final = 0.3  # of the width, in which no sentence stands beside its buttons
_ROWS: Final = 3  # sentences that are shown at once, the latest below,
_SHARE: Final = 0.25  # where they take no more of the window's height than this, unless they float
_MARGINS: Final = (12, 3, 4, 3)
_BETWEEN: Final = 8
_ANY: Final = 100_000  # pixels
_KEPT: Final = 12  # sentences that wait to be read
_STAYS: Final = 15  # seconds that it is said what has been done

NoticeAction = tuple[str, str, Callable[[], object]]
"""The title of a button, its hint, and what it does."""


class Topic(Enum):
    """What a sentence is about: a later one about the same takes its place."""

    CHOICE = auto()
    CLOSING = auto()
    COMPARED = auto()
    COPIES = auto()
    DONE = auto()
    EDITS = auto()
    EXERCISE = auto()
    EXPORT = auto()
    FILE = auto()
    FILES = auto()
    FILM = auto()
    HELD = auto()
    LANGUAGE = auto()
    LEFT = auto()
    LESSON = auto()
    MOMENT = auto()
    RUN = auto()
    STORE = auto()


@dataclass(frozen=True, eq=False)
class _Saying:
    """A sentence, with its answers where it is a question, or what can be done next with what is done."""

    text: str
    actions: tuple[NoticeAction, ...]
    topic: Topic | None
    lasting: bool = False
    done: bool = False

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return bool(self.actions) and not self.done

    @property
    def stays(self) -> bool:
        """Whether it stays until it is dismissed."""
        return self.lasting or self.asks


class Notice(QWidget):
    """Shows sentences, with buttons where they are questions, each until it is dismissed or out of date.

    A later sentence stands below those before it. Where there is no room for all, the earlier ones wait and
    come back when later ones are dismissed; the latest is cut where it floats and is longer than its room.
    """

    closed = Signal()

    def __init__(self, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._themes, self._icons = themes, icons
        self._sayings: list[_Saying] = []
        self._put_off: list[_Saying] = []  # what comes back after a lecture
        self._rows: list[_Row] = []  # never deleted, as a window says things as long as it lives
        self._room: QSize | None = None  # where it floats
        self._column = Sizing(themes, self).column(on=self, spacing=4)
        self._passing = 0  # the timer of what has been done
        self.hide()

    @property
    def text(self) -> str:
        """The latest sentence, or an empty one."""
        return self._sayings[-1].text if self._sayings else ""

    @property
    def asks(self) -> bool:
        """Whether there is a question."""
        return any(saying.asks for saying in self._sayings)

    def tell(
        self, text: str, *actions: NoticeAction, topic: Topic | None = None, lasting: bool = False
    ) -> None:
        """Show a sentence, with a button for each answer if it is a question.

        It replaces an earlier one of its topic, if it has one. A lasting one stays when other work begins, as
        a question does.
        """
        self._say(_Saying(legible(text), actions, topic, lasting))

    def report(self, text: str, *actions: NoticeAction, topic: Topic) -> None:
        """Show for a while what has been done, with buttons for what to do next; other work ends it."""
        self._say(_Saying(legible(text), actions, topic, done=True))
        self._begin_to_pass()

    def _say(self, saying: _Saying) -> None:
        text, topic = saying.text, saying.topic
        self._put_off = [old for old in self._put_off if topic is None or old.topic != topic]
        said = [old for old in self._sayings if old.text != text and (topic is None or old.topic != topic)]
        passing = [old for old in said if not old.stays][: max(len(said) + 1 - _KEPT, 0)]
        self._sayings = [old for old in said if old not in passing]
        self._sayings.append(saying)
        self._arrange()

    def withdraw(self, topic: Topic) -> None:
        """Take back what was said about a topic."""
        self._put_off = [saying for saying in self._put_off if saying.topic != topic]
        self._keep([saying for saying in self._sayings if saying.topic != topic])

    def put_off(self) -> None:
        """Take everything back; what stays until it is dismissed is kept for later."""
        self._put_off = [saying for saying in self._sayings if saying.stays]
        self._keep([])

    def bring_back(self) -> None:
        """Show again what was put off, before what has been said since."""
        kept, self._put_off = self._put_off, []
        self._keep([*kept, *self._sayings])

    def clear(self) -> None:
        """Take back what has passed; a question, and what lasts, stays."""
        self._keep([saying for saying in self._sayings if saying.stays])

    def dismiss(self) -> None:
        """Take back the latest sentence."""
        self._keep(self._sayings[:-1])

    def float_in(self, room: QSize) -> None:
        """Be no wider than the sentences need, and neither wider nor higher than this."""
        self._room = room
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show as many sentences as there is room for."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def event(self, event: QEvent) -> bool:
        """Be as high as the sentences, also in a status bar, which does not ask for it."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return done

    def _fit(self) -> None:
        self._leave_room()
        self.setFixedHeight(max(self._column.heightForWidth(self.width()), 0))
        self._column.setGeometry(self.rect())  # Qt loses a height that is given as it shows a widget

    def _begin_to_pass(self) -> None:
        if self._passing:
            self.killTimer(self._passing)
        self._passing = self.startTimer(_STAYS * 1000)

    def timerEvent(self, _event: QTimerEvent) -> None:  # noqa: N802 - Qt's name
        """Say no longer what has been done, unless it is pointed at or has the keys."""
        if not (self.underMouse() or self.isAncestorOf(self.window().focusWidget() or self)):
            self.killTimer(self._passing)
            self._passing = 0
            self._keep([saying for saying in self._sayings if not saying.done])

    def _keep(self, sayings: list[_Saying]) -> None:
        if len(sayings) == len(self._sayings):
            return
        self._sayings = sayings
        self._arrange()
        if not sayings:
            self.closed.emit()

    def _arrange(self) -> None:
        """Have a row for each of the latest sentences; one that has a row keeps it, with the focus."""
        latest = self._sayings[-_ROWS:]
        for row in self._rows:
            if row.saying not in latest:
                row.show_saying(None)
        for place, saying in enumerate(latest):
            row = next((row for row in self._rows if row.saying is saying), None) or self._free_row()
            if row.saying is None:
                row.show_saying(saying)
            if self._column.indexOf(row) != place:
                self._column.removeWidget(row)
                self._column.insertWidget(place, row)
        self._leave_room()
        self.setVisible(bool(latest))

    def _leave_room(self) -> None:
        """Hide earlier sentences where all would take too much; the latest always stays."""
        rows = [row for row in self._rows if row.saying is not None]
        rows.sort(key=self._column.indexOf, reverse=True)
        left = most = _SHARE * self.window().height() if self._room is None else self._room.height()
        if self._room is not None and rows:
            self.setFixedWidth(min(self._room.width(), max(row.whole_width for row in rows)))
        for row in rows:
            row.fit(self.width(), _ANY if self._room is None else round(most))
            left -= max(row.heightForWidth(self.width()), row.minimumSizeHint().height())
            row.setVisible(left >= 0 or row is rows[0])

    def _free_row(self) -> _Row:
        for row in self._rows:
            if row.saying is None:
                return row
        row = _Row(self._themes, self._icons)
        row.dismissed.connect(partial(self._forget, row))
        self._rows.append(row)
        self._column.addWidget(row)
        return row

    def _forget(self, row: _Row) -> None:
        self._keep([saying for saying in self._sayings if saying is not row.saying])


class _Row(QFrame):
    """One sentence. The buttons stand beside it, or below it where it would be narrow and of many lines.

    What has no room is cut, and in the tooltip.
    """

    dismissed = Signal()

    def __init__(self, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._themes = themes
        self._icons = icons
        self.saying: _Saying | None = None
        self.setObjectName("notice")
        self._sign = sign = tool_button(icons, "", "")
        sign.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.sentence = SelectableLabel()  # plain: what it quotes may look like HTML
        self._close = close = tool_button(icons, "x", tr("Dismiss"), self.dismissed.emit)
        close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for button in (sign, close):
            button.setAutoRaise(True)
        self._actions = QHBoxLayout()
        self.buttons: list[QPushButton] = []
        self._actions.addStretch(0)
        sizing = Sizing(themes, self).spacing(self._actions, _BETWEEN)
        self._said: QBoxLayout = sizing.row((self.sentence, 1), self._actions, spacing=_BETWEEN)
        row = sizing.row(sign, (self._said, 1), close, on=self, margins=_MARGINS, spacing=_BETWEEN)
        for button in (sign, close):
            row.setAlignment(button, Qt.AlignmentFlag.AlignTop)
        self._dress()
        themes.changed.connect(self._dress)
        self.hide()

    def show_saying(self, saying: _Saying | None) -> None:
        """Show a sentence, or nothing."""
        self.saying = saying
        for old in self.buttons:
            self._actions.removeWidget(old)
            old.hide()
            old.deleteLater()
        said = () if saying is None else saying.actions
        self.buttons = [push_button(title, hint, act) for title, hint, act in said]
        for place, button in enumerate(self.buttons):
            self._actions.insertWidget(place, button)
        self.setAccessibleName("" if saying is None else saying.text)
        self._dress()
        self.fit(self.width(), _ANY)
        self.setVisible(saying is not None)

    def event(self, event: QEvent) -> bool:
        """Keep Escape from the window's shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Dismiss the sentence on Escape, where one of its buttons has the keys."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismissed.emit()
        else:
            super().keyPressEvent(event)

    @property
    def whole_width(self) -> int:
        """The width with which the whole sentence stands on one line, the buttons beside it."""
        return self._chrome.width() + self._beside + self._reach(self.accessibleName(), _ANY).width() + 1

    def fit(self, width: int, height: int) -> None:
        """Lay the sentence out in a width, and cut it where it would be higher than a height."""
        text = self.accessibleName()
        line = max(self._reach(text, _ANY).height(), 1)

        def lines(words: str, room: int) -> int:
            return self._reach(words, room).height() // line

        wide, high = width - self._chrome.width(), height - self._chrome.height()
        row = self.buttons[0].sizeHint().height() + self._themes.px(_BETWEEN) if self.buttons else 0
        room = beside = max(wide - self._beside, 1), max(high // line, 1)
        if self.buttons and lines(text, beside[0]) > min(beside[1], _LINES):
            below = wide, (high - row) // line
            if beside[0] < wide * _NARROW:
                room = wide, max(below[1], 1)
            else:
                room = below if lines(text, below[0]) <= below[1] else max(beside, below, key=prod)
        self._put_buttons(below=room is not beside)
        said = _cut(text, lambda words: lines(words, room[0]) <= room[1])
        self.sentence.setText(said)
        self.sentence.setToolTip("" if said == text else text)

    def _put_buttons(self, *, below: bool) -> None:
        way = QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight
        if way != self._said.direction():
            self._said.setDirection(way)
            self._actions.setStretch(
                self._actions.count() - 1, int(below)
            )  # they begin where the sentence does

    @property
    def _chrome(self) -> QSize:
        """What it takes beside a sentence of any length, and above and below it."""
        first, top, last, bottom = map(self._themes.px, _MARGINS)
        signs = self._sign.sizeHint().width() + self._close.sizeHint().width()
        edges = 2
        return QSize(first + last + signs + 2 * self._themes.px(_BETWEEN) + edges, top + bottom + edges)

    @property
    def _beside(self) -> int:
        """What the buttons take beside the sentence."""
        return sum(button.sizeHint().width() + self._themes.px(_BETWEEN) for button in self.buttons)

    def _reach(self, text: str, width: int) -> QSize:
        flag = int(Qt.TextFlag.TextWordWrap)
        return QFontMetrics(self.sentence.font()).boundingRect(0, 0, max(width, 1), 0, flag, text).size()

    def _dress(self) -> None:
        theme, saying = self._themes.theme, self.saying
        done, asks = saying is not None and saying.done, saying is not None and saying.asks
        sign = "check" if done else "circle-question-mark" if asks else "triangle-alert"
        self._icons.dress(self._sign, sign)
        self.sentence.setFont(self._themes.text("body"))
        colour = theme.outline if done or asks else theme.blocked
        edge = f"border: 1px solid {colour}; border-radius: {self._themes.px(6)}px;"
        self.setStyleSheet(f"#notice {{ background: {theme.raised}; {edge} }}")


def _cut(text: str, fits: Callable[[str], bool]) -> str:
    """A text, or as many of its words as fit, one at least."""
    words = text.split(" ")
    if fits(text) or len(words) == 1:
        return text
    begin = (" ".join(words[:count]) + "…" for count in range(len(words) - 1, 0, -1))
    return next(filter(fits, begin), f"{words[0]}…")

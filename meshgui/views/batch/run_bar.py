"""The foot of a window that makes batches of runs: its state in words, the progress, and the buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from meshgui.model.batch_session import BatchSession, Phase
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import TextSize, ThemeManager
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.progress_bar import ProgressBar

__all__ = ["RunBar", "button_for"]

_FINE: Final = 1000  # steps of the bar


class RunBar(QWidget):
    """Shows a session, and has buttons to pause and stop its runs; subclasses add those that start them."""

    pause_asked = Signal()  # or resume, where it is paused
    cancel_asked = Signal()
    again_asked = Signal()

    def __init__(self, session: BatchSession, themes: ThemeManager, size: TextSize = "body") -> None:
        super().__init__()
        self._session, self._themes, self._size = session, themes, size
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.bar = ProgressBar()
        keeps = self.bar.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(keeps)
        self.error_line = ErrorLine(themes)
        self.cancel = button_for("Cancel", "Stop; every run made is kept", self.cancel_asked)
        self.pause = button_for("Pause", "", self.pause_asked)
        self.again = button_for("Try again", "Go on; nothing has been lost", self.again_asked)
        self.again.setProperty("primary", True)
        self._starters: Sequence[QPushButton] = ()
        themes.changed.connect(self._fit_words)

    def take_focus(self) -> None:
        """Give the focus to what goes on, or to what begins; while it stops nothing has it but the foot."""
        phase = self._session.phase
        button = (
            self.again if phase is Phase.STUCK else self.pause if self._session.busy else self._starters[0]
        )
        (button if button.isEnabled() else self).setFocus()

    def show_session(self) -> None:
        """Show the buttons there is a use for; where the focus was on one that goes, it goes on."""
        session = self._session
        focused = self.window().focusWidget()  # before Qt gives the focus to the next widget
        held = focused in {self, *self._starters, self.pause, self.cancel, self.again}
        stuck, stopping = session.phase is Phase.STUCK, session.phase is Phase.STOPPING
        newly_stuck = stuck and self.again.isHidden()
        self.words.setText(session.words)
        self.error_line.say(session.fault)
        self.bar.setVisible(session.busy)
        self.bar.show_progress(round((session.share or 0.0) * _FINE), 0 if session.share is None else _FINE)
        for button in self._starters:
            button.setVisible(not session.busy)
            button.setEnabled(self._can_start())
        self.cancel.setVisible(session.busy)
        self.cancel.setEnabled(not stopping)
        self.pause.setVisible(session.busy and not stuck)
        self.pause.setEnabled(not stopping)
        self.pause.setText("Resume" if session.paused else "Pause")
        self.pause.setToolTip("Go on" if session.paused else "Hand out no more runs")
        self.again.setVisible(stuck)
        usable = focused is not None and focused.isVisibleTo(self) and focused.isEnabled()
        if newly_stuck:
            self.again.setFocus()
        elif held and (focused is self or not usable):
            self.take_focus()

    def _can_start(self) -> bool:
        """Whether the buttons that start runs can be used."""
        raise NotImplementedError

    def _lay_out(self, above: Sequence[QWidget | QLayout], starters: Sequence[QPushButton]) -> None:
        """Put parts above the words. The first starter is the main one and stands at the right."""
        self._starters = starters
        starters[0].setProperty("primary", True)
        buttons, body, column = QHBoxLayout(), QVBoxLayout(), QVBoxLayout(self)
        for button in (self.cancel, *starters[1:]):
            buttons.addWidget(button)
        buttons.addStretch(1)
        for button in (self.pause, self.again, starters[0]):
            buttons.addWidget(button)
        for part in (*above, self.words, self.bar, self.error_line, buttons):
            if isinstance(part, QWidget):
                body.addWidget(part)
            else:
                body.addLayout(part)
        rule = QFrame()
        rule.setProperty("rule", True)
        rule.setFixedHeight(1)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(rule)
        column.addLayout(body)
        sizing = Sizing(self._themes, self)
        sizing.margins(body, 12, 8, 12, 12).spacing(body, 8).spacing(buttons, 8)
        self._fit_words()
        self._session.changed.connect(self.show_session)
        self.show_session()

    def _fit_words(self) -> None:
        font = self._themes.text(self._size)
        self.words.setFont(font)
        self.words.setFixedHeight(2 * QFontMetrics(font).lineSpacing())


def button_for(text: str, hint: str, clicked: SignalInstance) -> QPushButton:
    """A button with a tooltip, and what it does."""
    button = QPushButton(text)
    button.setToolTip(hint)
    button.clicked.connect(clicked)
    return button

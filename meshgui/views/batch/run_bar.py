"""The foot of a window that makes batches of runs: its state, the progress, and the buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLayout, QPushButton, QSizePolicy, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.studies.batch_session import BatchSession, Phase
from meshgui.views.style.fonts import lines_height
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import TextSize, ThemeManager
from meshgui.views.widgets.building import as_panel, hairline, keep_room, label, push_button
from meshgui.views.widgets.command import Condition
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.progress_bar import ProgressBar

_FINE: Final = 1000  # steps of the bar
_LINES: Final = 3  # of the words, whose number moves no button


class RunBar(QWidget):
    """Shows a session, and has buttons to pause and stop its runs; subclasses add those that start them."""

    pause_asked = Signal()  # or resume, where it is paused
    cancel_asked = Signal()
    again_asked = Signal()
    shown = Signal()  # another state of the session

    def __init__(self, session: BatchSession, themes: ThemeManager, size: TextSize = "body") -> None:
        super().__init__()
        self._session, self._themes, self._size = session, themes, size
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        as_panel(self)
        self.words = label(wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.bar = ProgressBar()
        keep_room(self.bar)
        self.error_line = ErrorLine(themes)
        self.cancel = push_button(tr("Cancel"), tr("Stop; every run made is kept"), self.cancel_asked)
        self.pause = push_button(tr("Pause"), "", self.pause_asked)
        self.again = push_button(
            tr("Try again"), tr("Continue; nothing has been lost"), self.again_asked, primary=True
        )
        self._starters: Sequence[QPushButton] = ()
        themes.changed.connect(self._fit_words)

    def take_focus(self) -> None:
        """Focus the button that continues or starts; while the runs stop, the foot itself."""
        phase = self._session.phase
        button = (
            self.again if phase is Phase.STUCK else self.pause if self._session.busy else self._starters[0]
        )
        (button if button.isEnabled() else self).setFocus()

    def show_session(self) -> None:
        """Show the buttons that can be used; the focus moves on from one that is hidden."""
        session = self._session
        focused = self.window().focusWidget()  # before Qt gives the focus to the next widget
        held = focused in {self, *self._starters, self.pause, self.cancel, self.again}
        stuck, stopping = session.phase is Phase.STUCK, session.phase is Phase.STOPPING
        newly_stuck = stuck and self.again.isHidden()
        self.words.setText(session.words)
        self.error_line.say(session.fault)
        self.bar.setVisible(session.busy)
        unknown = session.share is None and session.at_work
        self.bar.show_progress(round((session.share or 0.0) * _FINE), 0 if unknown else _FINE)
        for button in self._starters:
            button.setVisible(not session.busy)
            button.setEnabled(self._may_start())
        self.cancel.setVisible(session.busy)
        self.cancel.setEnabled(not stopping)
        self.pause.setVisible(session.busy and not stuck)
        self.pause.setEnabled(not stopping)
        self.pause.setText(tr("Resume") if session.paused else tr("Pause"))
        self.pause.setToolTip(tr("Continue (Ctrl+Return)") if session.paused else tr("Start no more runs"))
        self.again.setVisible(stuck)
        usable = focused is not None and focused.isVisibleTo(self) and focused.isEnabled()
        if newly_stuck:
            self.again.setFocus()
        elif held and (focused is self or not usable):
            self.take_focus()
        self.shown.emit()

    @property
    def may_start(self) -> Condition:
        """Whether commands can start the runs, as their buttons can."""
        return Condition(self._may_start, (self.shown,))

    @property
    def may_start_or_resume(self) -> Condition:
        """Whether a command can start the runs, or continue those that are paused."""
        return Condition(lambda: self._may_start() or self._session.may_resume, (self.shown,))

    def _may_start(self) -> bool:
        return not self._session.busy and self._can_start()

    def _can_start(self) -> bool:
        """Whether the runs can be started."""
        raise NotImplementedError

    def _lay_out(self, above: Sequence[QWidget | QLayout], starters: Sequence[QPushButton]) -> None:
        """Put parts above the words. The first starter is the main one and stands on the right."""
        self._starters = starters
        starters[0].setProperty("primary", True)
        sizing = Sizing(self._themes, self)
        buttons = sizing.row(self.cancel, *starters[1:], 1, self.pause, self.again, starters[0], spacing=8)
        parts = (*above, self.words, self.bar, self.error_line, buttons)
        sizing.column(hairline(), sizing.column(*parts, spacing=8, margins=(12, 8, 12, 12)), on=self)
        self._fit_words()
        self._session.changed.connect(self.show_session)
        self.show_session()

    def _fit_words(self) -> None:
        font = self._themes.text(self._size)
        self.words.setFont(font)
        self.words.setFixedHeight(lines_height(font, _LINES))

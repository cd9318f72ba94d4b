"""The buttons that move through time, the speed and the size of a step; its timer is the player's clock."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from meshgui.model.cursor import Cursor
from meshgui.model.player import FACTORS, Granularity, Player
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.segmented import Segmented

__all__ = ["Transport"]

_FRAME_MS: Final = 16
_LONGEST_FRAME: Final = 0.25  # seconds; after a stall, time continues from the moment last drawn

_CHOICES: Final = (
    (Granularity.LINE, "Step from one pseudo-code line to the next"),
    (Granularity.DECISION, "Step to the next line that settles something"),
    (Granularity.EVENT, "Step from event to event; play through time"),
    (Granularity.CYCLE, "Step by one cycle of the network"),
    (Granularity.HOP, "Step to the next hop of any header, or of the selected packet's"),
    (Granularity.PACKET, "Step to where the next packet sets out or arrives"),
)
_STEPS: Final = {
    Granularity.LINE: "steps",
    Granularity.DECISION: "steps",
    Granularity.CYCLE: "cycles",
    Granularity.HOP: "hops",
    Granularity.PACKET: "steps",
}
_IN_NETWORK: Final = 3  # the choices from here on take a network


class Transport(QWidget):
    """First, back, play, on, last; speed; line, decision or event, and cycle, hop or packet in a network."""

    def __init__(self, player: Player, cursor: Cursor, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._player, self._cursor, self._themes, self._icons = player, cursor, themes, icons
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._tick)

        self.first_button = self._button("skip-back", "First", cursor.first)
        self.back_button = self._button("step-back", "Back", player.step_back)
        self.play_button = self._button("play", "Play", player.toggle)
        self.forward_button = self._button("step-forward", "On", player.step_forward)
        self.last_button = self._button("skip-forward", "Last", cursor.last)
        self.speed_button = self._speed_chooser()
        choices = [(choice.value, words) for choice, words in _CHOICES]
        self.granularity = Segmented(choices, themes, apart=_IN_NETWORK)
        self._in_network: bool | None = None  # whether the choices for a network are visible
        self.granularity.chosen.connect(self._choose)
        self._rule = QFrame(self)
        self._row = QHBoxLayout(self)
        self._buttons = (
            self.first_button,
            self.back_button,
            self.play_button,
            self.forward_button,
            self.last_button,
        )
        for widget in (*self._buttons, self.speed_button, self._rule, self.granularity):
            self._row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        follow(self, player.changed, self._refresh)
        follow(self, cursor.changed, self._refresh_reach)
        sizing = Sizing(themes, self).margins(self._row, 0, 0, 0, 0).spacing(self._row, 4)
        sizing.icons(20, *self._buttons).call(self.speed_button.setFixedWidth, 56)
        sizing.rule(lambda: self._rule.setFixedSize(1, themes.px(20)))
        themes.changed.connect(self._dress)
        self._dress()
        self._refresh()

    @property
    def ticking(self) -> bool:
        """Whether the clock runs: only while playing."""
        return self._timer.isActive()

    def _button(self, icon: str, title: str, run: object) -> QToolButton:
        button = QToolButton(self)
        button.setToolTip(title)
        button.setAccessibleName(title)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not take Space and the arrows
        button.clicked.connect(run)
        self._icons.dress(button, icon)
        return button

    def _speed_chooser(self) -> QToolButton:
        button = QToolButton(self)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName("Speed")
        menu = QMenu(button)
        group = QActionGroup(menu)
        for factor in FACTORS:
            action = QAction(_times(factor), menu)
            action.setCheckable(True)
            action.setData(factor)
            group.addAction(action)
            menu.addAction(action)
        menu.triggered.connect(self._choose_speed)
        button.setMenu(menu)
        return button

    def _choose_speed(self, action: QAction) -> None:
        self._player.factor = float(action.data())

    def _choose(self, index: int) -> None:
        self._player.granularity = _CHOICES[index][0]

    def _tick(self) -> None:
        passed = self._clock.restart() / 1000.0
        self._player.advance(min(passed, _LONGEST_FRAME))

    def _refresh(self) -> None:
        player = self._player
        if player.playing and not self._timer.isActive():
            self._clock.start()
            self._timer.start()
        elif not player.playing:
            self._timer.stop()
        name = "Pause" if player.playing else "Play"
        self._icons.dress(self.play_button, name.lower())
        self.play_button.setToolTip(name)
        self.play_button.setAccessibleName(name)
        self.speed_button.setText(_times(player.factor))
        for action in self.speed_button.menu().actions():
            action.setChecked(action.data() == player.factor)
        self._refresh_reach()

    def _refresh_reach(self) -> None:
        """Enable the buttons that have an effect at this position."""
        player, recording, position = self._player, self._cursor.recording, self._cursor.position
        end = len(recording) if recording is not None else 0
        self.first_button.setEnabled(position.events > 0 or position.attempt is not None)
        self.last_button.setEnabled(position.events < end)
        reach = player.reach
        self.back_button.setEnabled(reach.back)
        self.forward_button.setEnabled(reach.on)
        self.play_button.setEnabled(end > 0)
        if player.in_network != self._in_network:
            self._in_network = player.in_network
            self.granularity.reveal(all_of_them=self._in_network)
        self.granularity.choose([choice for choice, _ in _CHOICES].index(player.granularity))
        if player.granularity is Granularity.EVENT:
            pace = f"{player.speed:.3g} time units a second"
        else:
            pace = f"{player.pace:g} {_STEPS[player.granularity]} a second"
        self.speed_button.setToolTip(f"Speed: {pace}")

    def _dress(self) -> None:
        self._rule.setStyleSheet(f"background: {self._themes.theme.hairline}; border: none;")


def _times(factor: float) -> str:
    return f"{factor:g}×"

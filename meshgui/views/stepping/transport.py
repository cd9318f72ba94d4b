"""The buttons that move through time, the speed and the size of a step; its timer is the player's clock."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QToolButton, QWidget

from meshgui.engine.basics.translation import formatted, tr
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.player import FACTORS, Granularity, Player
from meshgui.views.style.direction import is_rtl, isolated_whole
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.segmented import Segmented
from meshgui.views.widgets.tool_button import tool_button

_FRAME_MS: Final = 16
_LONGEST_FRAME: Final = 0.25  # seconds; after a stall, time continues from the moment last drawn

_SIZES: Final = list(Granularity)
_OUTSIDE_NETWORKS: Final = sum(not size.record.of_network for size in _SIZES)


class Transport(QWidget):
    """First, back, play, on, last; the speed; the size of a step, with a network down to cycles and hops."""

    def __init__(self, player: Player, cursor: Cursor, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._player, self._cursor, self._themes, self._icons = player, cursor, themes, icons
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._tick)

        self.first_button = tool_button(icons, "skip-back", tr("First"), cursor.first)
        self.back_button = tool_button(icons, "step-back", tr("Step back"), player.step_back)
        self.play_button = tool_button(icons, "play", tr("Play"), player.toggle)
        self.forward_button = tool_button(icons, "step-forward", tr("Step forward"), player.step_forward)
        self.last_button = tool_button(icons, "skip-forward", tr("Last"), cursor.last)
        self.speed_button = self._speed_chooser()
        choices = [(size.record.word, size.record.help) for size in _SIZES]
        self.granularity = Segmented(choices, themes, apart=_OUTSIDE_NETWORKS)
        self._in_network: bool | None = None  # whether the choices for a network are visible
        self.granularity.chosen.connect(self._choose)
        self.rule = QFrame()
        steps = (self.first_button, self.back_button, self.play_button, self.forward_button, self.last_button)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        follow(self, player.changed, self._refresh)
        follow(self, cursor.changed, lambda _change: self._refresh_reach())
        sizing = Sizing(themes, self).icons(20, *steps).call(self.speed_button.setFixedWidth, 56)
        sizing.rule(lambda: self.rule.setFixedSize(1, themes.px(20)))
        parts = (*steps, self.speed_button, self.rule, self.granularity)
        sizing.row(*((part, 0, Qt.AlignmentFlag.AlignVCenter) for part in parts), on=self, spacing=4)
        for button in (*steps, self.speed_button, *self.granularity.findChildren(QToolButton)):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # each has a key, wherever the focus is
        themes.changed.connect(self._dress)
        self._dress()
        self._refresh()

    def _speed_chooser(self) -> QToolButton:
        button = QToolButton()
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setAccessibleName(tr("Speed"))
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
        self._player.granularity = _SIZES[index]

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
        name = tr("Pause") if player.playing else tr("Play")
        if name != self.play_button.accessibleName():  # an icon set again would lay the window out
            self._icons.dress(self.play_button, "pause" if player.playing else "play")
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
        self.first_button.setEnabled(position.events > 0 or position.inside)
        self.last_button.setEnabled(position.events < end)
        reach = player.reach
        self.back_button.setEnabled(reach.back)
        self.forward_button.setEnabled(reach.on)
        self.play_button.setEnabled(end > 0)
        if player.in_network != self._in_network:
            self._in_network = player.in_network
            self.granularity.reveal(all_of_them=self._in_network)
        self.granularity.choose(_SIZES.index(player.granularity))
        if player.granularity is Granularity.EVENT:
            pace = tr("{speed:.3g} time units a second").format(speed=player.speed)
        else:
            pace = player.granularity.record.pace_words.format(pace=player.pace)
        self.speed_button.setToolTip(tr("Speed: {pace}").format(pace=pace))

    def _dress(self) -> None:
        self.rule.setStyleSheet(f"background: {self._themes.theme.hairline}; border: none;")


def _times(factor: float) -> str:
    """How many times as fast, with the sign behind the number in every language."""
    return isolated_whole(f"{formatted(factor, 'g')}×") if is_rtl() else f"{formatted(factor, 'g')}×"

"""The clock of compared runs: what it reads, buttons and slider; its timer is that of playing."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QElapsedTimer, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QLabel, QSlider, QWidget

from meshgui.engine.basics.translation import formatted, tr
from meshgui.model.comparison.comparison_clock import ClockKind, ComparisonClock
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.segmented import Segmented
from meshgui.views.widgets.tool_button import tool_button

_FRAME_MS: Final = 33
_LONGEST_FRAME: Final = 0.25  # seconds; after a stall the clock continues from what was drawn last
_TICKS: Final = 10_000  # of the slider
_KINDS: Final = (
    (ClockKind.TIME, tr("Time"), tr("All runs at the same time")),
    (ClockKind.EVENT, tr("Event"), tr("All runs after the same number of events")),
    (ClockKind.JOB, tr("Job"), tr("Each run at the moment at which the same job starts in it")),
)


class ClockBar(QWidget):
    """First, back, play, on, last, the slider, and the present value; `kind` stands where there is room."""

    def __init__(self, clock: ComparisonClock, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._clock, self._icons = clock, icons
        self.kind = Segmented([(title, hint) for _, title, hint in _KINDS], themes)
        self.kind.chosen.connect(lambda index: clock.choose(_KINDS[index][0]))
        self.first_button = tool_button(icons, "skip-back", tr("First (Home)"), clock.first)
        self.back_button = tool_button(icons, "step-back", tr("Back (←)"), partial(clock.step, -1))
        self.play_button = tool_button(icons, "play", tr("Play (Space)"), clock.toggle)
        self.forward_button = tool_button(icons, "step-forward", tr("Forward (→)"), partial(clock.step, 1))
        self.last_button = tool_button(icons, "skip-forward", tr("Last (End)"), clock.last)
        buttons = (
            *(self.first_button, self.back_button, self.play_button, self.forward_button),
            self.last_button,
        )
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _TICKS)
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrows are those of the window
        self.slider.setAccessibleName(tr("Moment"))
        self.slider.valueChanged.connect(self._dragged)
        self.value, self.speed = QLabel(), QLabel()
        self.value.setAccessibleName(tr("Current moment"))
        self.speed.setToolTip(tr("Speed of playing (+ and −)"))
        sizing = Sizing(themes, self).icons(18, *buttons)
        row = (*buttons, self.speed, (self.slider, 1), self.value)
        sizing.row(*row, on=self, margins=(12, 4, 12, 4), spacing=6)
        sizing.call(self.slider.setMinimumWidth, 60)
        self._elapsed = QElapsedTimer()
        self._timer = QTimer(self, interval=_FRAME_MS)
        self._timer.timeout.connect(self._tick)
        follow(self, clock.changed, self._refresh)
        themes.changed.connect(self._dress)
        self._dress()
        self._refresh()

    def _dragged(self, tick: int) -> None:
        self._clock.pause()
        self._clock.go_to_share(tick / _TICKS)

    def _tick(self) -> None:
        seconds = min(self._elapsed.restart() / 1000, _LONGEST_FRAME)
        self._clock.advance(self._clock.pace * seconds)

    def _refresh(self) -> None:
        clock = self._clock
        if clock.playing != self._timer.isActive():
            name = tr("Pause") if clock.playing else tr("Play")
            self._icons.dress(self.play_button, "pause" if clock.playing else "play")
            self.play_button.setToolTip(f"{name} (Space)")
            self.play_button.setAccessibleName(name)
            if clock.playing:
                self._elapsed.start()
                self._timer.start()
            else:
                self._timer.stop()
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(clock.share * _TICKS))
        self.kind.choose([kind for kind, *_ in _KINDS].index(clock.kind))
        self.value.setText(clock.words)
        self.speed.setText(f"{formatted(clock.factor, 'g')}×")
        for button in (self.first_button, self.back_button):
            button.setEnabled(not clock.at_start)
        for button in (self.forward_button, self.last_button):
            button.setEnabled(not clock.at_end)
        self.play_button.setEnabled(clock.limit > 0)

    def _dress(self) -> None:
        metrics = self.fontMetrics()
        self.value.setMinimumWidth(metrics.horizontalAdvance(tr("event 00000 of 00000")))
        self.speed.setMinimumWidth(metrics.horizontalAdvance("0.25×"))

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Stop playing: the window is closed."""
        super().hideEvent(event)
        self._clock.pause()

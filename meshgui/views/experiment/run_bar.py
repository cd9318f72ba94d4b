"""The foot of an experiment's plan: what it takes, and Start; how far it is, and how to stop it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from meshgui.experiment.results import PointResult
from meshgui.experiment.sweep import SweepProgress
from meshgui.model.experiment_words import counted, progress_words
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.error_line import ErrorLine

__all__ = ["ExperimentRunBar"]

_FINE: Final = 1000  # steps of the bar
_FAILURES: Final = 3  # lines before they scroll


class ExperimentRunBar(QWidget):
    """Says how an experiment stands, and has the buttons that start, hold and stop it."""

    start_asked = Signal()
    pause_asked = Signal()
    resume_asked = Signal()
    cancel_asked = Signal()
    again_asked = Signal()

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._running = self._paused = self._stopping = False
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, _FINE)
        keeps = self.bar.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(keeps)
        self.complaint = ErrorLine(themes)
        self._failed = QLabel()
        self._failed.setProperty("type", "caption")
        self._failed.hide()
        self.failures = QListWidget()
        self.failures.setAccessibleName("Points that failed")
        self.failures.hide()
        self.failures.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.failures.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.start = _button("Start", "Make the runs (Ctrl+Return)")
        self.start.setProperty("primary", True)
        self.pause = _button("Pause", "Hand out no more runs")
        self.start.clicked.connect(self.start_asked)
        self.pause.clicked.connect(self._pause_or_resume)
        self.cancel = _button("Cancel", "Stop; every run made is kept")
        self.again = _button("Try again", "Go on; nothing has been lost")
        self.again.setProperty("primary", True)
        self.cancel.clicked.connect(self.cancel_asked)
        self.again.clicked.connect(self._try_again)
        self._buttons = QHBoxLayout()
        self._buttons.addWidget(self.cancel)
        self._buttons.addStretch(1)
        for button in (self.pause, self.again, self.start):
            self._buttons.addWidget(button)
        rule = QFrame()
        rule.setProperty("rule", True)
        rule.setFixedHeight(1)
        self._body = QVBoxLayout()
        for part in (self._failed, self.failures, self.words, self.bar, self.complaint):
            self._body.addWidget(part)
        self._body.addLayout(self._buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(rule)
        column.addLayout(self._body)
        themes.changed.connect(self._wear)
        self._wear()
        self.show_plan("", ready=False)

    def show_plan(self, words: str, *, ready: bool) -> None:
        """Say what it will take; whether it can be started."""
        self._running = self._paused = self._stopping = False
        self.complaint.say("")
        self.words.setText(words)
        self.bar.hide()
        self.start.setEnabled(ready)
        self._arrange()

    def show_start(self) -> None:
        """It has been started."""
        self._running, self._paused, self._stopping = True, False, False
        self.words.setText("The first runs begin.")
        self.bar.setRange(0, 0)  # busy: it is not known yet how far it is
        self.bar.show()
        self._arrange()

    def show_progress(self, progress: SweepProgress) -> None:
        """Say how far it is."""
        if self._running:
            words = progress_words(progress)
            state = "Stopping. " if self._stopping else "Paused. " if self._paused else ""
            self.words.setText(f"{state}{words}")
            if progress.completed or progress.failed_points or not progress.open_points:
                self.bar.setRange(0, _FINE)
            self.bar.setValue(max(self.bar.value(), round(progress.share * _FINE)))

    def show_waiting(self) -> None:
        """The store is locked; what comes next says what comes of it."""
        self.words.setText("Waiting for another program that uses the store.")

    def show_stuck(self, fault: str) -> None:
        """It waits until the store can be used again."""
        self.complaint.say(fault)
        self._arrange()
        self.again.setFocus()

    def show_fault(self, fault: str) -> None:
        """It cannot go on."""
        self.complaint.say(fault)

    def show_stopping(self) -> None:
        """It has been told to stop."""
        self._stopping = True
        self.words.setText("Stopping.")
        self.complaint.say("")
        self._arrange()

    def show_failures(self, results: Sequence[PointResult]) -> None:
        """Name the points that failed, and why."""
        lines = [f"{', '.join(r.point.labels) or 'The point'}: {r.fault}" for r in results if r.fault]
        if lines == [self.failures.item(row).text() for row in range(self.failures.count())]:
            return
        self._failed.setText(f"{counted(len(lines), 'point')} failed")
        self.failures.clear()
        self.failures.addItems(lines)
        for row, line in enumerate(lines):
            self.failures.item(row).setToolTip(line)
        self._failed.setVisible(bool(lines))
        self.failures.setVisible(bool(lines))
        self._fit_failures()

    def _pause_or_resume(self) -> None:
        self._paused = not self._paused
        words = self.words.text().removeprefix("Paused. ")
        self.words.setText(f"Paused. {words}" if self._paused else words)
        (self.pause_asked if self._paused else self.resume_asked).emit()
        self._arrange()

    def _try_again(self) -> None:
        self.complaint.say("")
        self._arrange()
        self.again_asked.emit()

    def _again_shown(self) -> bool:
        return self._running and not self._stopping and bool(self.complaint.words.text())

    def _arrange(self) -> None:
        stuck = self._again_shown()
        focused = self.focusWidget()
        held = focused in {self.start, self.pause, self.cancel, self.again} and focused is not None
        self.start.setVisible(not self._running)
        self.cancel.setVisible(self._running)
        self.cancel.setEnabled(not self._stopping)
        self.pause.setVisible(self._running and not stuck)
        self.pause.setEnabled(not self._stopping)
        self.pause.setText("Resume" if self._paused else "Pause")
        self.pause.setToolTip("Go on" if self._paused else "Hand out no more runs")
        self.again.setVisible(stuck)
        if held and not (focused is not None and focused.isVisibleTo(self)):
            (self.pause if self._running else self.start).setFocus()

    def _fit_failures(self) -> None:
        row = QFontMetrics(self._themes.text("caption")).height() + self._themes.px(8)
        self.failures.setFixedHeight(row * min(max(self.failures.count(), 1), _FAILURES) + 2)

    def _wear(self) -> None:
        px = self._themes.px
        self._body.setContentsMargins(px(12), px(8), px(12), px(12))
        self._body.setSpacing(px(8))
        self._buttons.setSpacing(px(8))
        self.words.setFont(self._themes.text())
        self.words.setFixedHeight(2 * QFontMetrics(self._themes.text()).lineSpacing())
        self.failures.setFont(self._themes.text("caption"))
        self._fit_failures()


def _button(text: str, hint: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(hint)
    return button

"""The foot of the gallery's list: what is run, how, where it is kept, how far it is, and how to stop it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSettings, Qt, Signal, SignalInstance
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from meshgui.catalogue.reproduction import ReproductionProgress
from meshgui.experiment.executors import cores
from meshgui.model.experiment_words import counted, duration
from meshgui.views.batch.store_chooser import StoreChooser
from meshgui.views.forms.field_schema import Limits
from meshgui.views.forms.fields import NumberEditor
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.segmented import Segmented

__all__ = ["GalleryRunBar"]

_FINE: Final = 1000  # steps of the bar
_MOST: Final = 512
_QUICK: Final = "A first answer, from few runs: all of it in minutes"
_FULL: Final = "Runs until every interval is narrow enough, or the most of an entry are made"


class GalleryRunBar(QWidget):
    """Asks for runs, and says how they stand; it makes none itself."""

    one_asked = Signal()  # the entry that is looked at
    all_asked = Signal()
    pause_asked = Signal()
    resume_asked = Signal()
    cancel_asked = Signal()
    again_asked = Signal()
    quick_changed = Signal()

    def __init__(self, themes: ThemeManager, icons: IconShelf, settings: QSettings) -> None:
        super().__init__()
        self._themes, self._settings = themes, settings
        self._running = self._paused = self._stopping = False
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.scale = Segmented([("Quick", _QUICK), ("Full", _FULL)], themes)
        self.scale.setAccessibleName("Quick or full")
        self.scale.choose(1 if settings.value("gallery/full", "false") == "true" else 0)
        self.scale.chosen.connect(self._scale_chosen)
        self.workers = NumberEditor(Limits(whole=True, least=1, most=_MOST), themes)
        self.workers.describe(
            "Processes", f"How many runs are made at once; this machine has {cores()} cores"
        )
        self.workers.set_value(cores())
        self.workers.edited.connect(self._arrange)
        self._of = QLabel("processes")
        self._of.setProperty("type", "muted")
        self.store = StoreChooser(themes, icons)
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
        self.one = _button(
            "Run this entry", "Run what the entry looked at still wants (Ctrl+Return)", self.one_asked
        )
        self.all = _button("Run all", "Run what all entries still want (Ctrl+Shift+Return)", self.all_asked)
        self.cancel = _button("Cancel", "Stop; every run made is kept", self.cancel_asked)
        self.pause = QPushButton("Pause")
        self.pause.clicked.connect(self._pause_or_resume)
        self.again = QPushButton("Try again")
        self.again.setToolTip("Go on; nothing has been lost")
        self.again.clicked.connect(self._try_again)
        for primary in (self.one, self.again):
            primary.setProperty("primary", True)
        self._lay_out()
        self.bar.hide()
        themes.changed.connect(self._wear)
        self._wear()
        self._arrange()

    @property
    def quick(self) -> bool:
        """Whether a first answer is enough."""
        return self.scale.index == 0

    @property
    def processes(self) -> int | None:
        """How many runs are made at once; None while that is no such number."""
        value = self.workers.value()
        return value if isinstance(value, int) and 1 <= value <= _MOST else None

    def take_focus(self) -> None:
        """Give the focus to what goes on, or to what begins; while it stops nothing has it but the foot."""
        button = self.again if self._stuck else self.pause if self._running else self.one
        (button if button.isEnabled() else self).setFocus()

    def show_idle(self, words: str) -> None:
        """Nothing is run; how everything stands."""
        self._running = self._paused = self._stopping = False
        self.words.setText(words)
        self.bar.hide()
        self._arrange()

    def show_start(self) -> None:
        """It has been started."""
        self._running, self._paused, self._stopping = True, False, False
        self.complaint.say("")
        self.words.setText("The first runs begin.")
        self.bar.setValue(0)
        self.bar.show()
        self._arrange()

    def show_progress(self, progress: ReproductionProgress) -> None:
        """Say how far it is."""
        if self._running:
            state = "Stopping. " if self._stopping else "Paused. " if self._paused else ""
            self.words.setText(state + _progress_words(progress))
            share = progress.done / progress.needed if progress.needed else 0.0
            self.bar.setValue(round(share * _FINE))

    def show_stopping(self) -> None:
        """It has been told to stop."""
        self._stopping = True
        self.complaint.say("")
        self.words.setText("Stopping.")
        self._arrange()

    def show_stuck(self, fault: str) -> None:
        """It waits until the store can be used again."""
        if self._running and not self._stopping:
            self.complaint.say(fault)
            self._arrange()
            self.again.setFocus()

    def show_fault(self, fault: str) -> None:
        """It cannot go on; or nothing any more is wrong."""
        self.complaint.say(fault)

    @property
    def _stuck(self) -> bool:
        return self._running and not self._stopping and bool(self.complaint.words.text())

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

    def _scale_chosen(self) -> None:
        self._settings.setValue("gallery/full", "false" if self.quick else "true")
        self.quick_changed.emit()

    def _arrange(self) -> None:
        """Show the buttons there is a use for; where the focus was on one that goes, it goes on."""
        stuck = self._stuck
        focused = self.window().focusWidget()  # before Qt gives it to whatever comes next
        held = focused in {self, self.one, self.all, self.pause, self.cancel, self.again}
        sound = self.processes is not None
        for button in (self.one, self.all):
            button.setVisible(not self._running)
            button.setEnabled(sound)
        for editor in (self.scale, self.workers, self.store):
            editor.setEnabled(not self._running)
        self.cancel.setVisible(self._running)
        self.cancel.setEnabled(not self._stopping)
        self.pause.setVisible(self._running and not stuck)
        self.pause.setEnabled(not self._stopping)
        self.pause.setText("Resume" if self._paused else "Pause")
        self.pause.setToolTip("Go on" if self._paused else "Hand out no more runs")
        self.again.setVisible(stuck)
        usable = focused is not None and focused.isVisibleTo(self) and focused.isEnabled()
        if held and (focused is self or not usable):
            self.take_focus()

    def _lay_out(self) -> None:
        self._how, self._buttons = QHBoxLayout(), QHBoxLayout()
        self._how.addWidget(self.scale)
        self._how.addStretch(1)
        self._how.addWidget(self.workers)
        self._how.addWidget(self._of)
        for button in (self.cancel, self.all):
            self._buttons.addWidget(button)
        self._buttons.addStretch(1)
        for button in (self.pause, self.again, self.one):
            self._buttons.addWidget(button)
        rule = QFrame()
        rule.setProperty("rule", True)
        rule.setFixedHeight(1)
        self._body = QVBoxLayout()
        self._body.addLayout(self._how)
        for part in (self.store, self.words, self.bar, self.complaint):
            self._body.addWidget(part)
        self._body.addLayout(self._buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(rule)
        column.addLayout(self._body)

    def _wear(self) -> None:
        px = self._themes.px
        self._body.setContentsMargins(px(12), px(8), px(12), px(12))
        self._body.setSpacing(px(8))
        self._how.setSpacing(px(8))
        self._buttons.setSpacing(px(8))
        self.workers.setFixedWidth(px(64))
        self.words.setFont(self._themes.text("caption"))
        self.words.setFixedHeight(2 * QFontMetrics(self._themes.text("caption")).lineSpacing())


def _progress_words(progress: ReproductionProgress) -> str:
    """How far it is: `37 of about 240 runs, 2 min left; 3 entries to go`."""
    if not progress.open_entries:
        return f"{counted(progress.done, 'run')}, all done"
    left = "" if progress.seconds_left is None else f", {duration(progress.seconds_left)} left"
    entries = "1 entry" if progress.open_entries == 1 else f"{progress.open_entries} entries"
    return f"{progress.done} of about {counted(progress.needed, 'run')}{left}; {entries} to go"


def _button(text: str, hint: str, asked: SignalInstance) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(hint)
    button.clicked.connect(asked)
    return button

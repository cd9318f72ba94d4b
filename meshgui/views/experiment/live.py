"""Live curves: a slider on a field of the scenario, and results that follow it while it is dragged."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QSlider, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of, counted
from meshgui.engine.basics.work import Stopped, Work
from meshgui.engine.scenario import Scenario, ScenarioError
from meshgui.experiment.fields import FieldError
from meshgui.experiment.grid import Experiment
from meshgui.experiment.preview import Preview, check_previewed, previews
from meshgui.model.base.list_item import ListItem
from meshgui.model.studies.experiment_draft import DraftError, ExperimentDraft
from meshgui.model.studies.live_fields import LiveField, live_fields
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, text_button, widget_of
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.flow_row import FlowRow
from meshgui.views.widgets.list_popup import ListButton
from meshgui.views.widgets.soon import soon
from meshgui.views.widgets.tasks import Tasks
from meshgui.views.widgets.wheel import wheel_needs_focus
from meshgui.views.widgets.work_thread import WorkThread

_LONGEST_REST: Final = 0.2  # seconds, where the window has something else to do
_HINT: Final = tr("Drag a slider and watch the curves follow; no run is kept")


class LiveWorker(WorkThread):
    """Makes previews of the latest experiment it was given; an earlier one is dropped at once.

    After each preview it rests until that is painted: two threads that take turns at the interpreter would
    have the curves wait for runs that come later.
    """

    previewed = Signal(object, object)  # an Experiment, and a Preview of it
    failed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._wake = threading.Condition()
        self._wanted: Callable[[], Experiment] | None = None
        self._resting = False
        self._latest = Work()  # on the experiment that is previewed
        self._ending = False

    def preview(self, experiment: Callable[[], Experiment]) -> None:
        """Go on to another experiment, which is made in the thread."""
        with self._wake:
            self._wanted = experiment
            self._latest.stop()
            self._wake.notify_all()

    def go_on(self) -> None:
        """What was previewed last is painted."""
        with self._wake:
            self._resting = False
            self._wake.notify_all()

    def end(self) -> None:
        """Stop at once."""
        with self._wake:
            self._ending, self._wanted = True, None
            self._latest.stop()
            self._wake.notify_all()

    def run(self) -> None:
        """The thread's work."""
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._ending or self._wanted is not None)
                wanted, self._wanted = self._wanted, None
                work = self._latest = Work()
            if self._ending or wanted is None:
                return
            try:
                with suppress(Stopped), work.under_way():
                    self._preview(wanted(), work)
            except (FieldError, DraftError, ScenarioError) as error:
                self.failed.emit(str(error))
            except Exception:  # noqa: BLE001 - reported; the next preview may do
                sys.excepthook(*sys.exc_info())

    def _preview(self, experiment: Experiment, work: Work) -> None:
        check_previewed(experiment)
        for preview in previews(experiment):
            self._resting = True
            self.previewed.emit(experiment, preview)
            with self._wake:
                self._wake.wait_for(lambda: not self._resting or work.stopped, _LONGEST_REST)


class LiveBar(QWidget):
    """Chooses the field and its value; says how rough the curves are."""

    toggled = Signal(bool)  # whether curves follow the slider
    previewed = Signal(object, object)  # an Experiment, and a Preview of it

    def __init__(self, themes: ThemeManager, draft: Callable[[], ExperimentDraft | None]) -> None:
        super().__init__()
        self._draft = draft
        self._fields: list[LiveField] = []
        self._based_on: ExperimentDraft | None = None
        self._tasks = Tasks[None, LiveWorker](self)
        self.button = text_button(tr("Live"), _HINT, checkable=True)
        self.button.toggled.connect(self._switch)
        self.field = ListButton(themes, empty=tr("Field"))
        self.field.setAccessibleName(tr("Field of the slider"))
        self.field.edited.connect(self._field_chosen)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(tr("Value of the field"))
        wheel_needs_focus(self.slider)
        self.slider.valueChanged.connect(self._dragged)
        self.value = QLabel()
        self.state = label(kind="muted")
        self.error_line = ErrorLine(themes)
        sizing = Sizing(themes, self)
        row = FlowRow()
        row.add(self.field, 1)
        row.add(widget_of(sizing.row((self.slider, 1), self.value, spacing=12)), 3)
        row.add(self.state, 1)
        sizing.spacing(row, 12)
        sizing.column(row, self.error_line, margins=(12, 0, 12, 0), spacing=4, on=self)
        sizing.call(self.field.setMinimumWidth, 112).call(self.value.setFixedWidth, 56)
        # With words of any length, the slider keeps its length under the pointer.
        self.state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        sizing.call(self.state.setMinimumWidth, 172)
        self.hide()

    @property
    def active(self) -> bool:
        """Whether curves follow the slider."""
        return self.button.isChecked()

    def allow(self, *, allowed: bool) -> None:
        """Let it be switched on, or switch it off: runs are being made."""
        if not allowed:
            self.button.setChecked(False)
        self.button.setEnabled(allowed)

    def follow_draft(self) -> None:
        """The draft was edited: start from it."""
        if not self.active:
            return
        draft = self._draft()
        if draft is None:
            self._based_on = None
            self._say_fault(tr("Fix what is marked on the left first."))
            return
        if draft != self._based_on:
            self._based_on = draft
            self._offer(live_fields(draft.scenario, [row.key for row in draft.rows]))
        self._order()

    def end(self) -> None:
        """Stop all work, without a question."""
        self.button.setChecked(False)
        self._tasks.end_all()

    # What the user does

    def _switch(self, on: bool) -> None:
        self.setVisible(on)
        self._based_on = None
        self.toggled.emit(on)
        if on:
            self.follow_draft()
        else:
            self._tasks.end_all()

    def _field_chosen(self) -> None:
        self._show_field()
        self._order()

    def _dragged(self, tick: int) -> None:
        self._show_value(tick)
        self._order()

    # What follows

    @property
    def chosen(self) -> LiveField | None:
        """The field of the slider."""
        places = [place for place in self.field.values() if isinstance(place, int)]
        return self._fields[places[0]] if places and places[0] < len(self._fields) else None

    def _offer(self, fields: list[LiveField]) -> None:
        before = self.chosen
        self._fields = fields
        self.field.offer([ListItem(place, one.label) for place, one in enumerate(fields)])
        same = [place for place, one in enumerate(fields) if before is not None and one.key == before.key]
        self.field.choose(same or (0,))
        if not same or fields[same[0]] != before:
            self._show_field()

    def _show_field(self) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, chosen.ticks)
            self.slider.setPageStep(max(chosen.ticks // 10, 1))
            self.slider.setValue(chosen.tick(chosen.now))
        self._show_value(self.slider.value())

    def _show_value(self, tick: int) -> None:
        self.value.setText("" if self.chosen is None else self.chosen.text(tick))

    def _order(self) -> None:
        draft, chosen, tick = self._based_on, self.chosen, self.slider.value()
        if draft is None or chosen is None:
            return
        self.state.setText("…")
        if (worker := self._tasks.latest) is None:
            worker = LiveWorker()
            heard = (worker.previewed, partial(self._take, worker)), (worker.failed, self._say_fault)
            self._tasks.start(None, worker, *heard)
        worker.preview(lambda: _experiment(draft, chosen, tick))

    def _take(self, worker: LiveWorker, experiment: Experiment, preview: Preview) -> None:
        self.error_line.say("")
        jobs = min(preview.passed.jobs, experiment.scenario.workload.job_count)
        words = tr("{runs} of {jobs}").format(
            runs=counted(preview.passed.runs, "run"), jobs=count_of(jobs, "job", apart=True)
        )
        self.state.setText(words if preview.last else f"{words} …")
        self.previewed.emit(experiment, preview)
        soon(self, worker.go_on, after=1)  # a timer's turn comes after what waits to be painted

    def _say_fault(self, fault: str) -> None:
        self.state.setText("")
        self.error_line.say(fault)


def _experiment(draft: ExperimentDraft, field: LiveField, tick: int) -> Experiment:
    """The experiment of a draft with the slider's value in its scenario."""
    scenario: Scenario = field.applied(draft.scenario, tick)
    return replace(draft, scenario=scenario).experiment()

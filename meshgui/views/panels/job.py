"""The card of one job: its request, its times, the cost of its allocation, and buttons that go there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
)

from meshgui.engine.geometry import Box, describe_size
from meshgui.engine.recording import NEVER, EventKind, Recording
from meshgui.engine.scenario import Scenario
from meshgui.engine.words import so_many
from meshgui.model.cursor import Cursor, Position, View
from meshgui.model.job_tables import job_facts
from meshgui.model.network_tables import job_traffic
from meshgui.model.selection import Selection
from meshgui.model.tables import PlainTable
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.fitting_label import FittingLabel
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import ElidedLabel, Swatch

__all__ = ["JobCard"]

_FACTS = ("Asks for", "Arrives", "Waits", "Service", "Place", "Turned", "Attempts", "Allocation")
_TRAFFIC = ("Messages", "Latency", "Blocked")  # of a job with a network

Wordings = tuple[str, ...]
"""What there is to say, and shorter ways to say it; nothing where nothing is known."""


class JobCard(FollowingView):
    """The selected job, or else the one pointed at, or else the one something just happened to."""

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(cursor, selection, themes)
        self.job: int | None = None
        self._scenario: Scenario | None = None
        self.title = ElidedLabel(themes, "lead", weight=QFont.Weight.DemiBold)
        self.state = ElidedLabel(themes, "caption", "muted")
        self.facts = {name: FittingLabel(themes) for name in (*_FACTS, *_TRAFFIC)}
        self._swatch = Swatch(themes)
        self.buttons = {
            "arrival": QPushButton("Arrival"),
            "start": QPushButton("Start"),
            "finish": QPushButton("Finish"),
            "step": QPushButton("Step through its allocation"),
        }
        self.buttons["arrival"].setToolTip("Go to when the job arrives")
        self.buttons["start"].setToolTip("Go to when the job starts")
        self.buttons["finish"].setToolTip("Go to when the job finishes")
        self.buttons["step"].setToolTip("Go into the last attempt to place the job, or the first to come")
        self._arrange()
        for name in ("arrival", "start", "finish"):
            self.buttons[name].clicked.connect(partial(self._go_to, name))
        self.buttons["step"].clicked.connect(self._step_through)

    def show_view(self, view: View | None) -> None:
        """Show the job as it is now."""
        self._show_rows(network=view is not None and view.recording.network is not None)
        scenario = view.recording.scenario if view is not None else None
        if scenario is not self._scenario:
            self._scenario = scenario
            self._scroll_up()
        self.job = self._job_to_show(view)
        if view is None or self.job is None:
            self._show_nothing(view)
            return
        self._swatch.show_job(self.job)
        self.title.setText(f"Job {self.job}")
        self.state.setText(_state(view, self.job))
        for name, wordings in _facts(view, self.job).items():
            self.facts[name].say(*wordings)
        recording = view.recording
        for name in ("arrival", "start", "finish"):
            self.buttons[name].setEnabled(self._event_of(name, recording) is not None)
        self.buttons["step"].setEnabled(bool(recording.attempts_of(self.job)))

    def tables(self) -> Sequence[PlainTable]:
        """The job's figures in full precision."""
        view = self._cursor.view
        return () if view is None or self.job is None else (job_facts(view, self.job),)

    def show_selection(self) -> None:
        """Show another job, if it is another."""
        view = self._cursor.view
        if self._job_to_show(view) != self.job:
            self.show_view(view)

    def _scroll_up(self) -> None:
        """Another scenario's job is read from the top where the card stands in a scroll area."""
        viewport = self.parentWidget()
        area = viewport.parentWidget() if viewport is not None else None
        if isinstance(area, QScrollArea):
            area.verticalScrollBar().setValue(0)

    def _job_to_show(self, view: View | None) -> int | None:
        if view is None:
            return None
        for job in (self._selection.job, self._selection.hovered):
            if job is not None and job < len(view.recording.jobs):
                return job
        if view.position.attempt is not None:
            return int(view.recording.attempt_jobs[view.position.attempt])
        event = view.snapshot.event
        return event.job if event is not None else None

    def _show_nothing(self, view: View | None) -> None:
        self._swatch.show_job(None)
        self.title.setText("No job yet" if view is not None else "No run yet")
        self.state.setText("")
        for label in self.facts.values():
            label.show_unknown()
        for button in self.buttons.values():
            button.setEnabled(False)

    def _show_rows(self, *, network: bool) -> None:
        """There are rows for a job's messages where there is a network."""
        for name in _TRAFFIC:
            self._captions[name].setVisible(network)
            self.facts[name].setVisible(network)

    def _event_of(self, name: str, recording: Recording) -> int | None:
        """The position just after that event of the job, or None if it never happens."""
        if self.job is None:
            return None
        happens = {"arrival": recording.arrived, "start": recording.started, "finish": recording.ended}
        index = int(happens[name][self.job])
        rejected = name == "finish" and recording.started[self.job] == NEVER
        return None if index == NEVER or rejected else index + 1

    def _go_to(self, name: str) -> None:
        recording = self._cursor.recording
        position = self._event_of(name, recording) if recording is not None else None
        if position is not None:
            self._selection.select(self.job)
            self._cursor.go_to(Position(position))

    def _step_through(self) -> None:
        view = self._cursor.view
        if view is None or self.job is None:
            return
        attempts = view.recording.attempts_of(self.job)
        if attempts:
            made = [a for a in attempts if view.recording.attempt_positions[a] <= view.position.events]
            self._cursor.enter_attempt(made[-1] if made else attempts[0])

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._swatch)
        head.addWidget(self.title, 1)
        head.addWidget(self.state)
        grid = QGridLayout()
        self._captions: dict[str, ElidedLabel] = {}
        for row, name in enumerate(self.facts):
            caption = self._captions[name] = ElidedLabel(self._themes, colour="muted")
            caption.setText(name)
            grid.addWidget(caption, row, 0)
            grid.addWidget(self.facts[name], row, 1)
        grid.setColumnStretch(1, 1)
        events = QHBoxLayout()
        for name in ("arrival", "start", "finish"):
            events.addWidget(self.buttons[name], 1)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        layout.addLayout(grid)
        layout.addStretch(1)
        layout.addLayout(events)
        layout.addWidget(self.buttons["step"])
        for button in self.buttons.values():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setProperty("compact", True)
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        sizing = Sizing(self._themes, self).margins(layout, 12, 8, 12, 12).spacing(layout, 8).spacing(head, 8)
        sizing.spacing(grid, 8, 2).spacing(events, 4)  # its buttons are to be seen without scrolling
        sizing.call(partial(grid.setColumnMinimumWidth, 0), 76)


def _state(view: View, job: int) -> str:
    recording, position = view.recording, view.position.events
    if recording.arrived[job] >= position:
        return "to come"
    if recording.ended[job] < position:
        rejected = recording.kinds[recording.ended[job]] == EventKind.REJECT
        return "rejected" if rejected else "finished"
    if recording.started[job] < position:
        return "running"
    return "reserved" if recording.reserved[job] < position else "waiting"


def _facts(view: View, job: int) -> dict[str, Wordings]:
    """The job's facts as far as they are known now."""
    recording, jobs = view.recording, view.recording.jobs
    position, dims = view.position.events, recording.mesh.dims
    arrival = float(jobs.arrival[job])
    started = bool(recording.started[job] < position)
    state = _state(view, job)
    boxes = recording.boxes_of(job) if started else ()
    attempts = recording.attempts_of(job)
    made = sum(1 for attempt in attempts if recording.attempt_positions[attempt] <= position)
    size = jobs.size(job)
    volume = size[0] * size[1] * size[2]
    facts: dict[str, Wordings] = dict.fromkeys((*_FACTS, *_TRAFFIC), ())
    asked = describe_size(size, dims)
    facts["Asks for"] = f"{asked} · {so_many(volume, 'processor')}", asked
    facts["Arrives"] = (f"at {arrival:.2f}",)
    facts["Service"] = (_service(view, job),)
    facts["Attempts"] = (str(made),) if made else ()
    if state in {"waiting", "reserved"}:
        waited = f"{view.time - arrival:.2f}"
        facts["Waits"] = f"{waited} so far", waited
    if state == "reserved" and (box := recording.reservation_of(job)) is not None:
        place = _place((box,), dims)[0]
        facts["Place"] = f"{place}, once it is free", place
    if started:
        start = float(recording.times[recording.started[job]])
        facts["Waits"] = f"{start - arrival:.2f}, starts at {start:.2f}", f"{start - arrival:.2f}"
        facts["Place"] = _place(boxes, dims)
        facts["Turned"] = _turned(boxes, size, dims)
        counted = so_many(int(recording.operations[job]), "operation")
        facts["Allocation"] = f"{counted} · {float(recording.seconds[job]) * 1e6:.0f} µs", counted
        facts |= _traffic(view, job)
    return facts


def _service(view: View, job: int) -> str:
    """How long it runs: as stated, or with a network as it turned out."""
    recording = view.recording
    if recording.network is None:
        return f"{float(recording.jobs.service[job]):.2f}"
    if _state(view, job) == "finished":
        ran = recording.times[recording.ended[job]] - recording.times[recording.started[job]]
        return f"{float(ran):.2f}"
    return "set by its messages"


def _traffic(view: View, job: int) -> dict[str, Wordings]:
    """A job's messages, as far as they have come."""
    record = view.recording.network
    if record is None:
        return {}
    traffic = job_traffic(record, job, view.cycle)
    facts: dict[str, Wordings] = {
        "Messages": (
            f"{traffic.sent} sent, {traffic.arrived} arrived",
            f"{traffic.arrived} of {traffic.sent} there",
            f"{traffic.arrived} arrived",
        )
    }
    if traffic.arrived:
        facts["Latency"] = f"{traffic.latency:.1f} cycles on the mean", f"{traffic.latency:.1f} cycles"
        facts["Blocked"] = f"{traffic.blocked:.1f} of them", f"{traffic.blocked:.1f}"
    return facts


def _place(boxes: tuple[Box, ...], dims: int) -> Wordings:
    """All the boxes, or where they do not fit how many: the tooltip has them."""
    places = "  ".join(box.describe(flat=dims == 2) for box in boxes)
    return (places,) if len(boxes) == 1 else (f"{len(boxes)} boxes  {places}", f"{len(boxes)} boxes")


def _turned(boxes: tuple[Box, ...], size: tuple[int, int, int], dims: int) -> Wordings:
    if len(boxes) != 1 or boxes[0].volume != size[0] * size[1] * size[2]:
        return ()
    return ("no" if boxes[0].size == size else f"to {describe_size(boxes[0].size, dims)}",)

"""The card of one job: its request and times, what it was given or why it waits, and buttons to go there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QScrollArea, QSizePolicy

from meshgui.engine.basics.geometry import Box, Mesh, Size, describe_size
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import count_of
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.scenario import Scenario
from meshgui.model.jobs.job_tables import JOB_STATES, job_facts, job_now
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.network.network_tables import JobTraffic
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.tables import PlainTable
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import push_button
from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import ElidedLabel, Swatch
from meshgui.views.widgets.one_stop import OneStop

if TYPE_CHECKING:
    from meshgui.views.panels.why import WaitSection

_NAMED: Final = 1000  # boxes in the tooltip
_FACTS: Final = {  # with their captions
    "Asks for": tr("Asks for"),
    "Arrives": tr("Arrives"),
    "Waits": tr("Waits"),
    "Service": tr("Service"),
    "Attempts": tr("Attempts"),
}
_PLACED: Final = {  # of a job that does not wait
    "Place": tr("Place"),
    "Turned": tr("Turned"),
    "Overhead": tr("Overhead"),
}
_TRAFFIC: Final = {  # likewise, with a network
    "Messages": tr("Messages"),
    "Latency": tr("Latency"),
    "Blocked": tr("Blocked"),
}
_ALL: Final = _FACTS | _PLACED | _TRAFFIC
_EVENTS: Final = {
    "arrival": (tr("Arrival"), tr("Go to when the job arrives")),
    "start": (tr("Start", "of the job"), tr("Go to when the job starts")),
    "finish": (tr("Finish"), tr("Go to when the job finishes")),
}

Wordings = tuple[str, ...]
"""A fact in words, longest first; empty where it is not known."""


class JobCard(FollowingView):
    """The selected job, or else the one hovered outside the card, or else that of the last event."""

    end_asked = Signal(int)  # a running job

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(cursor, selection, themes)
        self.job: int | None = None
        self._scenario: Scenario | None = None
        self.title = ElidedLabel(themes, "lead", weight=QFont.Weight.DemiBold).fill_width()
        self.state = ElidedLabel(themes, "caption", "muted").fill_width()
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.facts = {name: ElidedLabel(themes).fill_width() for name in _ALL}
        self._swatch = Swatch(themes)
        self.buttons = {
            name: push_button(title, tip, partial(self._go_to, name))
            for name, (title, tip) in _EVENTS.items()
        }
        hint = tr("Go into the last attempt to place the job, or the first to come")
        self.buttons["step"] = push_button(tr("Attempt"), hint, self._step_through)
        hint = tr("Go to the first step of what the strategy does when the job leaves")
        self.buttons["release"] = push_button(tr("Release"), hint, self._step_through_release)
        hint = tr("Let the job leave now; that becomes part of the scenario (X)")
        self.buttons["end"] = push_button(tr("End it"), hint, self._ask_to_end)
        self.why = Deferred(self._make_why)
        self._arrange()

    def _make_why(self) -> WaitSection:
        from meshgui.views.panels.why import WaitSection  # noqa: PLC0415 - not needed for the first paint

        return WaitSection(self._cursor, self._selection, self._themes, self._job_to_show)

    def show_view(self, view: View | None) -> None:
        """Show the job as it is now."""
        scenario = view.recording.scenario if view is not None else None
        if scenario is not self._scenario:
            self._scenario = scenario
            self._scroll_up()
        self.job = self._job_to_show(view)
        self._show_rows(view)
        if view is None or self.job is None:
            self._show_nothing(view)
            return
        self._swatch.show_job(self.job)
        self.state.show()
        self.title.setText(tr("Job {job}").format(job=self.job))
        self.state.setText(JOB_STATES[job_now(view, self.job).state])
        for name, wordings in _facts(view, self.job).items():
            self.facts[name].say(*wordings)
        recording = view.recording
        for name in _EVENTS:
            self.buttons[name].setEnabled(self._event_of(name, recording) is not None)
        self.buttons["step"].setEnabled(bool(recording.attempts_of(self.job)))
        self.buttons["release"].setVisible(bool(view.strategy.release_lines))
        self.buttons["release"].setEnabled(recording.leaving_at(int(recording.ended[self.job])) == self.job)
        self.buttons["end"].setEnabled(self.job in view.snapshot.running)

    def tables(self) -> Sequence[PlainTable]:
        """The job's figures in full precision, and where it waits who is in its way and what was tried."""
        view = self._cursor.view
        if view is None or self.job is None:
            return ()
        waits = self.why.made is not None and self.why.made.isVisible()
        return (job_facts(view, self.job), *(self.why.view.tables() if waits else ()))

    def show_selection(self) -> None:
        """Show another job, if it is another."""
        view = self._cursor.view
        if self._job_to_show(view) != self.job:
            self.show_view(view)

    def _scroll_up(self) -> None:
        """Scroll up: another scenario's job is read from the top."""
        viewport = self.parentWidget()
        area = viewport.parentWidget() if viewport is not None else None
        if isinstance(area, QScrollArea):
            area.verticalScrollBar().setValue(0)

    def _job_to_show(self, view: View | None) -> int | None:
        if view is None:
            return None
        # What is pointed at on the card does not take its place there.
        hovered = None if self.underMouse() else self._selection.hovered
        for job in (self._selection.job, hovered):
            if job is not None and job < len(view.recording.jobs):
                return job
        if view.job is not None:
            return view.job
        event = view.snapshot.event
        return event.job if event is not None else None

    def _show_nothing(self, view: View | None) -> None:
        self._swatch.show_job(None)
        self.title.setText(tr("No job yet") if view is not None else tr("No run yet"))
        self.state.setText("")
        self.state.hide()  # the words have its room
        for label in self.facts.values():
            label.show_unknown()
        for button in self.buttons.values():
            button.setEnabled(False)

    def _show_rows(self, view: View | None) -> None:
        """Show what the job was given, and with a network how its messages fare; or why it waits."""
        waits = view is not None and self.job in view.snapshot.queue
        network = view is not None and view.recording.network is not None
        for names, shown in ((_PLACED, not waits), (_TRAFFIC, network and not waits)):
            for name in names:
                self._captions[name].setVisible(shown)
                self.facts[name].setVisible(shown)
        self.why.setVisible(waits)

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

    def _ask_to_end(self) -> None:
        if self.job is not None:
            self.end_asked.emit(self.job)

    def _step_through(self) -> None:
        view = self._cursor.view
        if view is None or self.job is None:
            return
        attempts = view.recording.attempts_of(self.job)
        if attempts:
            made = bisect_left(attempts, view.recording.attempts_at(view.position.events).stop)
            self._cursor.enter_attempt(attempts[max(made - 1, 0)])

    def _step_through_release(self) -> None:
        if self.job is not None:
            self._cursor.enter_release(self.job)

    def _arrange(self) -> None:
        grid = QGridLayout()
        self._captions: dict[str, ElidedLabel] = {}
        for row, (name, title) in enumerate(_ALL.items()):
            caption = self._captions[name] = ElidedLabel(self._themes, colour="muted")
            caption.setText(title)
            grid.addWidget(caption, row, 0)
            grid.addWidget(self.facts[name], row, 1)
        grid.setColumnStretch(1, 1)
        for button in self.buttons.values():
            button.setProperty("compact", True)
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        OneStop(self, list(self.buttons.values()))
        sizing = Sizing(self._themes, self).spacing(grid, 8, 2)
        rows = [
            sizing.row(*((self.buttons[name], 1) for name in names), spacing=4)
            for names in (_EVENTS, ("step", "release", "end"))
        ]
        facts = sizing.column(
            sizing.row(self._swatch, (self.title, 1), (self.state, 1), spacing=8),
            sizing.column(*rows, spacing=4),
            grid,
            margins=(12, 8, 12, 4),
            spacing=8,
        )
        sizing.column(facts, (self.why, 1), 1, on=self)  # with a height it is seen, and so made
        sizing.call(partial(grid.setColumnMinimumWidth, 0), 76)


def _facts(view: View, job: int) -> dict[str, Wordings]:
    """The job's facts as far as they are known now."""
    now, recording = job_now(view, job), view.recording
    dims = recording.mesh.dims
    asked = describe_size(now.size, dims)
    facts: dict[str, Wordings] = dict.fromkeys(_ALL, ())
    facts["Asks for"] = f"{asked} · {count_of(prod(now.size), 'processor')}", asked
    facts["Arrives"] = (tr("at {arrival:.2f}").format(arrival=now.arrival),)
    by_messages = tr("set by its messages"), tr("messages")
    facts["Service"] = by_messages if now.service is None else (formatted(now.service, ".2f"),)
    ended = recording.jobs.ended_after
    if ended is not None and recording.jobs.ended_by_hand(job):
        facts["Service"] = (
            tr("{service:.2f}, ended after {ended:.2f}").format(service=now.service, ended=ended[job]),
            formatted(ended[job], ".2f"),
        )
    elif now.service is not None and now.requested_time is not None:
        facts["Service"] = (
            tr("{service:.2f}, requested {requested_time:.2f}").format(
                service=now.service, requested_time=now.requested_time
            ),
            formatted(now.service, ".2f"),
        )
    if recording.jobs.numbers is not None:
        said = tr("at {arrival:.2f}, as job {number} of the trace")
        arrives = said.format(arrival=now.arrival, number=recording.jobs.numbers[job])
        facts["Arrives"] = (arrives, *facts["Arrives"])
    facts["Attempts"] = (str(now.attempts),) if now.attempts else ()
    if now.state in {"waiting", "reserved"}:
        facts["Waits"] = tr("{waited:.2f} so far").format(waited=now.waited), formatted(now.waited, ".2f")
    if now.state == "reserved" and (box := recording.reservation_of(job)) is not None:
        place = _place((box,), recording.mesh)[0]
        facts["Place"] = tr("{box}, once it is free").format(box=place), place
    if now.start is not None:
        facts["Waits"] = (
            tr("{waited:.2f}, starts at {start:.2f}").format(waited=now.waited, start=now.start),
            formatted(now.waited, ".2f"),
        )
        facts["Place"] = _place(now.boxes, recording.mesh)
        facts["Turned"] = _turned(now.boxes, now.size, dims)
    if now.operations is not None and now.seconds is not None:
        counted = count_of(now.operations, "operation")
        took = round(now.seconds * 1e6) or "< 1"
        facts["Overhead"] = f"{counted} · {took} µs", counted, str(now.operations)
    if now.traffic is not None:
        facts |= _traffic_facts(now.traffic)
    return facts


def _traffic_facts(traffic: JobTraffic) -> dict[str, Wordings]:
    """A job's messages so far."""
    facts: dict[str, Wordings] = {
        "Messages": (
            tr("{sent} sent, {arrived} arrived").format(sent=traffic.sent, arrived=traffic.arrived),
            tr("{arrived} of {sent} there").format(arrived=traffic.arrived, sent=traffic.sent),
            tr("{arrived} arrived").format(arrived=traffic.arrived),
        )
    }
    if traffic.arrived:
        facts["Latency"] = (
            tr("{latency:.1f} cycles on average").format(latency=traffic.latency),
            tr("{latency:.1f} cycles").format(latency=traffic.latency),
        )
        facts["Blocked"] = (
            tr("{blocked:.1f} of them").format(blocked=traffic.blocked),
            formatted(traffic.blocked, ".1f"),
        )
    return facts


def _place(boxes: tuple[Box, ...], mesh: Mesh) -> Wordings:
    """All the boxes, or if they do not fit their number: the tooltip has them, or the first ones."""
    places = "  ".join(map(mesh.describe_box, boxes[:_NAMED]))
    if len(boxes) > _NAMED:
        places += "  …"
    return (
        (places,)
        if len(boxes) == 1
        else (
            f"{count_of(len(boxes), 'box')}  {places}",
            count_of(len(boxes), "box"),
        )
    )


def _turned(boxes: tuple[Box, ...], size: Size, dims: int) -> Wordings:
    if len(boxes) != 1 or sorted(boxes[0].size) != sorted(size):
        return ()
    return (
        tr("no")
        if boxes[0].size == size
        else tr("to {size}").format(size=describe_size(boxes[0].size, dims)),
    )

"""The cursor in a recording, and its moves. Stepping forwards and back is the same operation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from functools import partial, wraps
from math import ceil, floor
from typing import Concatenate, ParamSpec

import numpy as np

from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.runs.recording import Recording
from meshgui.model.base.signals import Signal
from meshgui.model.moment.instant import Instant, InstantPhase
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.stepping.breakpoints import Breakpoint, Stop
from meshgui.model.stepping.move_searches import MoveSearches, UnsearchedError
from meshgui.model.stepping.network_steps import (
    START,
    Times,
    hop_times,
    packet_times,
    time_after,
    time_before,
)
from meshgui.model.stepping.reading_order import ReadingOrder
from meshgui.model.stepping.search import Searcher

P = ParamSpec("P")


def _a_move(method: Callable[Concatenate[Cursor, P], None]) -> Callable[Concatenate[Cursor, P], None]:
    """Make a method a move that waits for the steps that it needs."""

    @wraps(method)
    def move(cursor: Cursor, /, *arguments: P.args, **named: P.kwargs) -> None:
        cursor.move(lambda: method(cursor, *arguments, **named))

    return move


class CursorChange(Enum):
    """What is new at the cursor."""

    MOVED = auto()  # it is elsewhere in the same recording
    GREW = auto()  # the recording is another part of the same run, such as a longer one
    RUN = auto()  # it shows another run, or none


class Cursor:
    """The position in a recording, and moves from there. Emits `changed` when it or the recording changes.

    Steps forward end at the first stop that a breakpoint makes, and emit `stopped` there; going to a place
    does not.
    """

    def __init__(self, searcher: Searcher | None = None) -> None:
        self.changed: Signal[[CursorChange]] = Signal()
        self.stopped: Signal[[Stop]] = Signal()
        self.breakpoints: Callable[[], Iterable[Breakpoint]] = tuple
        self.withheld = ""
        """What is said in place of why a job waits, while a question asks for what that shows."""
        self.searches = MoveSearches(searcher)
        self._view: View | None = None
        self._moving = False

    def withhold_reasons(self, words: str) -> None:
        """Say this in place of why a job waits; with nothing to say, say why again."""
        if words != self.withheld:
            self.withheld = words
            self.changed.emit(CursorChange.MOVED)

    @property
    def view(self) -> View | None:
        """The view at the cursor, or None while there is no recording."""
        return self._view

    @property
    def recording(self) -> Recording | None:
        """The recording shown."""
        return self._view.recording if self._view else None

    @property
    def network(self) -> NetworkRecord | None:
        """The network of the recording, if it has one."""
        return self._view.recording.network if self._view else None

    @property
    def position(self) -> Position:
        """The current position."""
        return self._view.position if self._view else Position(0)

    @property
    def time(self) -> float:
        """The current time; it may lie between two events."""
        return self._view.time if self._view else 0.0

    @property
    def instant(self) -> Instant:
        """The current place in reading order."""
        recording, (events, attempt, step, release) = self.recording, self.position
        if recording is None:
            return Instant(0)
        if release:
            return Instant.in_release(recording, events, step)
        if attempt is not None:
            return Instant.in_attempt(recording, attempt, step)
        after = Instant.after_events(recording, events)
        return (
            after if self.time <= after.time else after._replace(phase=InstantPhase.BETWEEN, time=self.time)
        )

    def go_to_instant(self, instant: Instant) -> None:
        """Go to a place."""
        if instant.phase == InstantPhase.BETWEEN:
            self.go_to_time(instant.time)
        else:
            leaving = instant.phase == InstantPhase.RELEASE
            self.go_to(Position(instant.events, instant.inside, instant.step, leaving))

    @_a_move
    def go_to_kept(self, kept: Instant, arrived: Callable[[Instant], object] = lambda _found: None) -> None:
        """Go to a place that was kept, perhaps of another run, and then call `arrived` with where that is."""
        recording = self.recording
        if recording is not None:
            found = self.searches.settled(kept, recording)
            self.go_to_instant(found)
            arrived(found)

    @contextmanager
    def moving(self) -> Iterator[None]:
        """Make several moves one change; a move forward ends at the first stop that it passes."""
        if self._moving:
            yield
            return
        before, start = self._view, self.instant
        self._moving = True
        try:
            yield
            stop = self._stop_between(start, self.instant)
            if stop is not None:
                self.go_to_instant(stop.instant)
        except UnsearchedError:
            self._view = before  # the moves are made together, once all is known
            raise
        finally:
            self._moving = False
            if self._view is not before:
                self.changed.emit(CursorChange.MOVED)
        if stop is not None:
            self.stopped.emit(stop)

    def move(self, make: Callable[[], object]) -> None:
        """Make moves together; where they need what is not known yet, once it is found."""
        self.searches.make(make)

    def run_to_stop(self) -> bool:
        """Go on to the next stop; whether there is one. Within `move` the search for it may come first."""
        stop = self.next_stop(self.breakpoints(), self.instant)
        if stop is not None:
            self.stop_at(stop)
        return stop is not None

    def next_stop(
        self, breakpoints: Iterable[Breakpoint], after: Instant, until: Instant | None = None
    ) -> Stop | None:
        """The next stop; within `move` one that takes long to find is searched for first."""
        if self._view is None:
            return None
        return self.searches.next_stop(self._view, tuple(breakpoints), after, until)

    @_a_move
    def stop_at(self, stop: Stop) -> None:
        """Go to where a breakpoint stops the run."""
        self.go_to_instant(stop.instant)
        self.stopped.emit(stop)

    def _stop_between(self, start: Instant, end: Instant) -> Stop | None:
        return self.next_stop(self.breakpoints(), start, end) if end > start else None

    def show(self, recording: Recording | None) -> None:
        """Show a recording from its start."""
        if recording is None:
            self.restore(None)
            return
        asks = not self.searches.waits_for_compiler(recording)
        self.restore(View(recording, Position(0), 0.0, asks_strategy=asks))

    def restore(self, view: View | None) -> None:
        """Show a recording at the position of a view that was there before."""
        before, self._view = self.recording, view
        self.searches.take_run(self.recording)
        self.changed.emit(_change(before, self.recording))

    def extend(self, recording: Recording) -> None:
        """Take a longer recording and keep the position; one of another run is shown from its start."""
        before = self._view
        if before is None or not recording.is_of_run(before.recording) or not before.asks_strategy:
            self.show(recording)
            return
        longer = View(recording, before.position, before.time)
        longer.take_state(before)
        self.restore(longer)

    @_a_move
    def go_to(self, position: Position) -> None:
        """Go to a position."""
        recording = self.recording
        if recording is not None:
            events = min(max(position.events, 0), len(recording))
            latest = events if position.release else events - 1  # a release has the time of the event
            time = float(recording.times[latest]) if latest >= 0 else 0.0
            if events == len(recording) and not position.inside:
                time = max(time, recording.reached)
            self._set(position._replace(events=events), time)

    @_a_move
    def go_to_time(self, time: float) -> None:
        """Go to a time: all events up to it have happened."""
        recording = self.recording
        if recording is not None:
            time = min(max(time, 0.0), recording.end_time)
            self._set(Position(recording.position_at(time)), time)

    def first(self) -> None:
        """Go to the start."""
        self.go_to(Position(0))

    def last(self) -> None:
        """Go to the end: the last event, or the deadlock after it."""
        if self.recording is not None:
            self.go_to(Position(len(self.recording)))
            self._go_on_to_deadlock()

    @_a_move
    def next_event(self, count: int = 1) -> None:
        """Go on by whole events, and from the last one to the deadlock in which the run ends."""
        at_last = self.recording is not None and self.position == Position(len(self.recording))
        with self.moving():
            self.go_to(Position(self.position.events + count))
            if at_last:
                self._go_on_to_deadlock()

    @_a_move
    def previous_event(self, count: int = 1) -> None:
        """Go back by whole events; from inside an attempt, a release or a deadlock, first to the last one."""
        inside = self.position.inside or (self.view is not None and self.view.deadlock is not None)
        self.go_to(Position(self.position.events - count + inside))

    def _go_on_to_deadlock(self) -> None:
        if self.recording is not None and self.recording.stuck:
            self.go_to_time(self.recording.end_time)

    @_a_move
    def next_cycle(self, count: int = 1) -> None:
        """Go on by cycles of the network."""
        with self.moving():
            self._go_to_clock(floor(self._clock) + count)

    def previous_cycle(self, count: int = 1) -> None:
        """Go back by cycles of the network."""
        self._go_to_clock(ceil(self._clock) - count)

    @_a_move
    def next_hop(self, packet: int | None = None, count: int = 1) -> None:
        """Go on to the next cycle in which a header enters a buffer: any, or that of one packet.

        Following one packet, the cycles in which it sets out and arrives count too; else the run's two ends.
        """
        with self.moving():
            self._on_to(self.hops(packet), count)

    def previous_hop(self, packet: int | None = None, count: int = 1) -> None:
        """Go back to the cycle before this one in which a header entered a buffer."""
        self._back_to(self.hops(packet), count)

    @_a_move
    def next_packet(self, count: int = 1) -> None:
        """Go on to the next cycle in which a packet sets out or arrives, or to the run's end."""
        with self.moving():
            self._on_to(self._packet_times, count)

    def previous_packet(self, count: int = 1) -> None:
        """Go back to the cycle before in which a packet set out or arrived, or to the run's start."""
        self._back_to(self._packet_times, count)

    def hops(self, packet: int | None = None) -> Times:
        """The times that steps by hop visit, of all packets or of one; the run's start is at -1."""
        return np.zeros(0) if self.recording is None else hop_times(self.recording, packet)

    @property
    def _packet_times(self) -> Times:
        return np.zeros(0) if self.recording is None else packet_times(self.recording)

    @property
    def _clock(self) -> float:
        """The current time, and `START` where what happens at time 0 has not happened yet."""
        recording = self.recording
        ahead = recording is not None and self.position.events == 0 and recording.position_at(0.0) > 0
        return START if ahead else self.time

    def _go_to_clock(self, clock: float | None) -> None:
        if clock is not None:
            if clock < 0:
                self.first()
            else:
                self.go_to_time(clock)

    def _on_to(self, times: Times, count: int) -> None:
        self._go_to_clock(time_after(times, self._clock, count))

    def _back_to(self, times: Times, count: int) -> None:
        self._go_to_clock(time_before(times, self._clock, count))

    @_a_move
    def next_step(self) -> None:
        """Go on by one pseudo-code line, into the attempts and releases between events."""
        with self.moving():
            self._go_along(ReadingOrder.after)

    @_a_move
    def previous_step(self) -> None:
        """Go back by one pseudo-code line."""
        self._go_along(ReadingOrder.before, back=True)

    @_a_move
    def next_decision(self) -> None:
        """Go on to the next step that settles something, or the next event."""
        with self.moving():
            self._go_along(ReadingOrder.decision_after)

    @_a_move
    def previous_decision(self) -> None:
        """Go back to the previous step that settles something, or the previous event."""
        self._go_along(ReadingOrder.decision_before, back=True)

    def _go_along(self, way: Callable[[ReadingOrder, Position], Position], *, back: bool = False) -> None:
        """Go the way from here; between two events all attempts of the earlier one lie behind."""
        if (order := self._order) is None:
            return
        position = self.position
        if self.instant.phase is InstantPhase.BETWEEN and position.events < len(order.recording):
            position = order.before_gap(position.events)
            position = order.after(position) if back else position
        self.go_to(way(order, position))

    @property
    def _order(self) -> ReadingOrder | None:
        view = self._view
        if view is None:
            return None
        return ReadingOrder(view.recording, partial(self.searches.view_at, shown=view))

    def enter_attempt(self, attempt: int) -> None:
        """Go to the first step of an attempt."""
        if self.recording is not None:
            self.go_to(Position(self.recording.attempts[attempt].position, attempt))

    def enter_release(self, job: int) -> None:
        """Go to the first step of a job's release, if it has steps and has happened."""
        if (
            self.recording is not None
            and self.recording.leaving_at(event := int(self.recording.ended[job])) == job
        ):
            self.go_to(Position(event, release=True))

    @property
    def following(self) -> Position | None:
        """The first step of the next attempt or release."""
        order = self._order
        return None if order is None else order.next_inside(self.position)

    def _set(self, position: Position, time: float) -> None:
        view = self._view
        if view is not None and (position, time) != (view.position, view.time):
            other = View(view.recording, position, time)
            if position.inside and self.searches.searches_beside(view.recording):
                other.take_steps(self.searches.view_at(position, view))
            self._view = other
            if not self._moving:
                self.changed.emit(CursorChange.MOVED)


def _change(before: Recording | None, now: Recording | None) -> CursorChange:
    """From one recording to the next."""
    if now is before:
        return CursorChange.MOVED
    return CursorChange.GREW if now is not None and now.is_of_run(before) else CursorChange.RUN

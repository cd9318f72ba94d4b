"""The cursor in a recording and the view there. Stepping forwards and back is the same operation.

A position is a number of events that have happened, and possibly a step of an allocation attempt made there,
or of the release of the job that leaves next. In reading order: after n events, the steps of each attempt
made there, those of a release, after n + 1 events.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial, wraps
from math import ceil, floor
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import AttemptTrace, Line, ReleaseTrace, Strategy
from meshgui.engine.allocation.guard import StrategyError, short_calls
from meshgui.engine.allocation.inspection import Inspection, Moment
from meshgui.engine.basics.sentences import Sentence
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.record import NEVER_YET, NetworkMoment, NetworkRecord
from meshgui.engine.runs.recording import Recording, Snapshot
from meshgui.engine.workload.job_stream import JobStream
from meshgui.model.bookmarks import counts_steps, settled
from meshgui.model.breakpoints import Breakpoint, Stop
from meshgui.model.instant import Instant, InstantPhase
from meshgui.model.job_tints import job_tints
from meshgui.model.narration import narrate, narrate_network, narrate_packet, narrate_step
from meshgui.model.search import Purpose, Search, Searcher, is_long
from meshgui.model.signals import Signal
from meshgui.model.stop_search import NO_PATIENCE, PATIENCE, SearchPaused, next_stop

__all__ = ["Cursor", "Position", "View", "search_steps"]

P = ParamSpec("P")
R = TypeVar("R")
Moments = NDArray[np.float64]
_START: Final = -1.0  # the moment before all that happens at time 0
_STATE: Final = frozenset({"snapshot", "trace", "moment", "inspection"})  # of a view: what was so stays so
_KEPT: Final = 2  # searches of large meshes, each of which may have millions of steps


class Position(NamedTuple):
    """The number of events that have happened, and the step of an attempt or a release, if inside one."""

    events: int
    attempt: int | None = None
    step: int = 0
    release: bool = False  # whether the step is one of the release that leads to the next event

    @property
    def inside(self) -> bool:
        """Whether it is a step of an attempt or of a release."""
        return self.release or self.attempt is not None

    @property
    def first_step(self) -> Position:
        """The first step of the same attempt or release."""
        return self._replace(step=0)


class View:
    """All that views draw at one position; computed at first use."""

    def __init__(self, recording: Recording, position: Position, time: float) -> None:
        self.recording = recording
        self.position = position
        self.time = time
        self.fault: str | None = None  # the strategy's fault, if it left parts of the view empty

    @cached_property
    def snapshot(self) -> Snapshot:
        """The state of the machine."""
        return self.recording.snapshot(self.position.events)

    def tint(self, job: int) -> int:
        """The tint of a job, which says its colour and pattern."""
        return int(job_tints(self.recording)[job])

    @property
    def cycle(self) -> int:
        """The cycle of the network whose end is shown."""
        return floor(self.time)

    @cached_property
    def network(self) -> NetworkMoment | None:
        """The state of the network, if there is one, without jobs that have not started yet."""
        record = self.recording.network
        if record is None:
            return None
        return record.at(self.cycle, self.recording.started[record.jobs] < self.position.events)

    @property
    def network_now(self) -> tuple[NetworkRecord, NetworkMoment] | None:
        """The network's record and its state, if there is a network."""
        record, moment = self.recording.network, self.network
        return None if record is None or moment is None else (record, moment)

    @cached_property
    def trace(self) -> AttemptTrace | ReleaseTrace | None:
        """The attempt or release at the cursor; None also if the strategy cannot be stepped."""
        recording, (events, attempt, _, release) = self.recording, self.position
        if release:
            return self._ask(lambda: recording.trace_release(events))
        return None if attempt is None else self._ask(lambda: recording.trace(attempt))

    def take_steps(self, other: View | None) -> None:
        """Take the steps from another view of the same attempt or release, which has searched for them."""
        if other is not None and "trace" in vars(other):
            self.trace = other.trace
            self.fault = other.fault if other.trace is None else None

    def take_state(self, other: View) -> None:
        """Take what is known from a view of the same place in a shorter recording of the same run."""
        vars(self).update({name: part for name, part in vars(other).items() if name in _STATE})
        self.fault = other.fault

    @property
    def job(self) -> int | None:
        """The job whose attempt or release is stepped."""
        if self.position.release:
            return self.recording.leaving_at(self.position.events)
        attempt = self.position.attempt
        return None if attempt is None else self.recording.attempts[attempt].job

    @property
    def lines(self) -> tuple[Line, ...]:
        """The pseudo-code: that of the release inside one, else that of allocations."""
        return self.strategy.release_lines if self.position.release else self.strategy.lines

    @property
    def strategy(self) -> type[Strategy]:
        """The strategy, for its words about itself; its state is the moment's."""
        return self.recording.strategy

    @cached_property
    def moment(self) -> Moment:
        """The strategy's state, and the steps made up to here."""
        trace = self.trace
        if trace is None:
            known = None if self.fault else self._ask(lambda: self.recording.state_at(self.position.events))
            return Moment(known or {})
        return trace.moment(self.position.step + 1)

    @cached_property
    def inspection(self) -> Inspection:
        """The contents of the strategy's inspectors."""
        return self._inspect(self.moment) or Inspection((), (), "")

    def with_whole_trees(self) -> Inspection | None:
        """The contents of the inspectors where trees are largest: an attempt's end, or a release's start."""
        trace = self.trace
        return (
            None
            if trace is None
            else self._inspect(trace.moment(0 if self.position.release else len(trace.steps)))
        )

    def _inspect(self, moment: Moment) -> Inspection | None:
        def inspect() -> Inspection:
            looker = self.recording.new_strategy()
            return looker.inspect(moment) if moment.leaving is None else looker.inspect_release(moment)

        return None if self.fault else self._ask(inspect)

    @property
    def line(self) -> int | None:
        """The pseudo-code line at the cursor."""
        step = self.moment.step
        return step.line if step is not None else None

    @cached_property
    def sentence(self) -> Sentence:
        """The last event, or why there is none."""
        now = self.network_now
        if now is not None and self.between_events:
            return narrate_network(*now, complete=self.recording.complete)
        job = self.job
        if job is not None:
            says = self.inspection.says
            return narrate_step(self.recording, job, self.fault or says, leaving=self.position.release)
        told = self._ask(lambda: narrate(self.recording, self.snapshot))
        return told if told is not None else Sentence(f"{self.fault}")

    @property
    def between_events(self) -> bool:
        """Whether the cursor lies between two events."""
        return not self.position.inside and self.position.events > 0 and self.time > self.snapshot.time

    def sentence_about(self, packet: int | None) -> Sentence:
        """The sentence; between events, what the selected packet does."""
        now = self.network_now
        if now is None or packet is None or packet >= len(now[0]) or not self.between_events:
            return self.sentence
        return narrate_packet(*now, packet)

    def _ask(self, question: Callable[[], R]) -> R | None:
        """Call the strategy with a short limit; None after a failure, whose reason is in `fault`."""
        try:
            with short_calls():
                return question()
        except StrategyError as error:
            self.fault = str(error)
            return None


def search_steps(recording: Recording, place: Position) -> View:
    """The view at the first step of an attempt or a release, with the steps found."""
    view = View(recording, place, 0.0)
    if view.trace is not None:  # what every view asks of all steps is looked up here, too
        for ask in (view.trace.steps.lines, view.with_whole_trees):
            ask()
        view.trace.steps.lines_passed, view.trace.steps.roles  # noqa: B018
    return view


def _step_search(recording: Recording, place: Position) -> Search:
    job = View(recording, place, 0.0).job
    words = tr("Searching the steps of job {job} …").format(job=job)
    return Search(recording, place, partial(search_steps, recording, place), words)


class _UnsearchedError(Exception):
    """A move needs what is yet to be searched for."""

    def __init__(self, search: Search) -> None:
        super().__init__(search.words)
        self.search = search


def _a_move(method: Callable[Concatenate[Cursor, P], None]) -> Callable[Concatenate[Cursor, P], None]:
    """Make a method a move that waits for the steps that it needs."""

    @wraps(method)
    def move(cursor: Cursor, /, *arguments: P.args, **named: P.kwargs) -> None:
        cursor.move(lambda: method(cursor, *arguments, **named))

    return move


class Cursor:
    """The position in a recording, and moves from there. Emits `changed` when it or the recording changes.

    Steps forward end at the first stop that a breakpoint makes, and emit `stopped` there; going to a place
    does not.

    With a `searcher`, a move that needs what takes long to find, such as the steps of an attempt on a large
    mesh, begins a search, and is made when it is found. Any other move meanwhile drops it.
    """

    def __init__(self) -> None:
        self.changed: Signal[[]] = Signal()
        self.stopped: Signal[[Stop]] = Signal()
        self.breakpoints: Callable[[], Iterable[Breakpoint]] = tuple
        self.searcher: Searcher | None = None
        self._searched: list[View] = []  # the latest last
        self._found: dict[Hashable, Any] = {}  # for the move that is to be made
        self._view: View | None = None
        self._run: JobStream | None = None  # by its jobs
        self._moving = False
        self._depth = 0  # of moves that make others

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
        if recording is None:
            return
        if self._searches_beside and counts_steps(kept):
            words, find = tr("Searching for the step …"), partial(settled, kept, recording)
            found: Instant = self._searched_for(Search(recording, kept, find, words))
        else:
            found = settled(kept, recording)
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
        except _UnsearchedError:
            self._view = before  # the moves are made together, once all is known
            raise
        finally:
            self._moving = False
            if self._view is not before:
                self.changed.emit()
        if stop is not None:
            self.stopped.emit(stop)

    def move(self, make: Callable[[], object]) -> None:
        """Make moves together; where they need what is not known yet, once it is found."""
        if self._depth:
            make()
            return
        self._depth += 1
        try:
            make()
        except _UnsearchedError as unsearched:
            if self.searcher is None:
                raise
            search = unsearched.search
            self.searcher.begin(search, lambda found: self._arrive(search, found, make), Purpose.MOVE)
        else:
            self._found.clear()
            self.drop(Purpose.MOVE)
        finally:
            self._depth -= 1

    def _arrive(self, search: Search, found: object, make: Callable[[], object]) -> None:
        """Go on with a move for which something has been found, in the same run."""
        if self.recording is not None and self.recording.jobs is search.recording.jobs:
            self._found[search.key] = found
            if isinstance(found, View):
                self._searched = [*self._searched[1 - _KEPT :], found]
            self.move(make)

    def _searched_for(self, search: Search) -> Any:  # noqa: ANN401 - what the search finds
        """What a search finds, where the move at hand has waited for it."""
        if search.key not in self._found:
            raise _UnsearchedError(search)
        return self._found[search.key]

    def look_up(
        self,
        search: Search,
        arrived: Callable[[Any], object],
        purpose: Purpose,
        stopped: Callable[[], object] = lambda: None,
    ) -> bool:
        """Hand over what a search finds: at once, or if that may take long later; whether it was at once."""
        if self.searcher is None or not is_long(search.recording):
            arrived(search.find())
            return True
        self.searcher.begin(search, arrived, purpose, stopped)
        return False

    def drop(self, purpose: Purpose) -> None:
        """Drop the search for a purpose, if there is one."""
        if self.searcher is not None:
            self.searcher.cancel(purpose)

    def _known(self, place: Position) -> View | None:
        """The view at the first step of an attempt or release whose steps are known."""
        recording, place = self.recording, place.first_step
        views = (view for view in (*self._searched, self._view) if view is not None)
        return next(
            (
                view
                for view in views
                if recording is not None
                and view.recording.jobs is recording.jobs
                and view.position.first_step == place
            ),
            None,
        )

    @property
    def _searches_beside(self) -> bool:
        """Whether steps are searched for beside the window, as that may take long."""
        recording = self.recording
        return self.searcher is not None and recording is not None and is_long(recording)

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
        recording, breakpoints = self.recording, tuple(breakpoints)
        if recording is None:
            return None
        if self.searcher is None:
            return next_stop(recording, breakpoints, after, until)
        key = (after, until, breakpoints)
        if key in self._found:
            stop: Stop | None = self._found[key]
            return stop
        patience = NO_PATIENCE if is_long(recording) else PATIENCE
        try:
            return next_stop(recording, breakpoints, after, until, patience, self._known_trace)
        except SearchPaused as pause:
            find = partial(next_stop, recording, breakpoints, pause.searched, until)
            search = Search(recording, key, find, tr("Searching for the next stop …"))
            raise _UnsearchedError(search) from None

    def _known_trace(self, instant: Instant) -> AttemptTrace | ReleaseTrace | None:
        """The steps of an attempt or release on a large mesh, where they are known."""
        release = instant.phase == InstantPhase.RELEASE
        view = self._known(Position(instant.events, instant.inside, 0, release))
        return None if view is None or "trace" not in vars(view) else view.trace

    @_a_move
    def stop_at(self, stop: Stop) -> None:
        """Go to where a breakpoint stops the run."""
        self.go_to_instant(stop.instant)
        self.stopped.emit(stop)

    def _stop_between(self, start: Instant, end: Instant) -> Stop | None:
        return self.next_stop(self.breakpoints(), start, end) if end > start else None

    def show(self, recording: Recording | None) -> None:
        """Show a recording from its start."""
        self.restore(View(recording, Position(0), 0.0) if recording is not None else None)

    def restore(self, view: View | None) -> None:
        """Show a recording at the position of a view that was there before."""
        self._view = view
        if view is None or view.recording.jobs is not self._run:
            for purpose in Purpose:
                self.drop(purpose)
            self._searched.clear()
            self._found.clear()
        self._run = None if view is None else view.recording.jobs
        self.changed.emit()

    def extend(self, recording: Recording) -> None:
        """Take a longer recording and keep the position; one of another run is shown from its start."""
        if self._view is None or self._view.recording.jobs is not recording.jobs:
            self.show(recording)
            return
        before = self._view
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
        """Go to the end."""
        if self.recording is not None:
            self.go_to(Position(len(self.recording)))

    @_a_move
    def next_event(self, count: int = 1) -> None:
        """Go on by whole events."""
        with self.moving():
            self.go_to(Position(self.position.events + count))

    @_a_move
    def previous_event(self, count: int = 1) -> None:
        """Go back by whole events; from inside an attempt or a release, first to the event it follows."""
        self.go_to(Position(self.position.events - count + self.position.inside))

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
            self._on_to(self._packets(), count)

    def previous_packet(self, count: int = 1) -> None:
        """Go back to the cycle before in which a packet set out or arrived, or to the run's start."""
        self._back_to(self._packets(), count)

    def hops(self, packet: int | None = None) -> Moments:
        """The moments that steps by hop visit, of all packets or of one; the run's start is at -1."""
        network = self.network
        if network is None:
            return np.zeros(0)
        if packet is None:
            return self._from_start_to_end(network.hop_times)
        ends = network.injected[packet], network.delivered[packet]
        times = np.unique(np.concatenate((ends[:1], network.hop_times_of(packet), ends[1:])))
        known: Moments = times[times != NEVER_YET].astype(np.float64)
        return known

    def _packets(self) -> Moments:
        network = self.network
        return np.zeros(0) if network is None else self._from_start_to_end(network.packet_times)

    def _from_start_to_end(self, times: NDArray[np.int64]) -> Moments:
        end = self.recording.end_time if self.recording is not None else 0.0
        known = times[: np.searchsorted(times, end)]
        return np.concatenate(([_START], known, [end]))

    @property
    def _clock(self) -> float:
        """The current time, and `_START` where what happens at time 0 has not happened yet."""
        recording = self.recording
        ahead = recording is not None and self.position.events == 0 and recording.position_at(0.0) > 0
        return _START if ahead else self.time

    def _go_to_clock(self, clock: float) -> None:
        if clock < 0:
            self.first()
        else:
            self.go_to_time(clock)

    def _on_to(self, times: Moments, count: int) -> None:
        at = min(int(np.searchsorted(times, self._clock, side="right")) + count, len(times)) - 1
        if at >= 0 and times[at] > self._clock:
            self._go_to_clock(float(times[at]))

    def _back_to(self, times: Moments, count: int) -> None:
        at = max(int(np.searchsorted(times, self._clock, side="left")) - count, 0)
        if at < len(times) and times[at] < self._clock:
            self._go_to_clock(float(times[at]))

    @_a_move
    def next_step(self) -> None:
        """Go on by one pseudo-code line, into the attempts and releases between events."""
        with self.moving():
            self.go_to(self._after(self.position))

    @_a_move
    def previous_step(self) -> None:
        """Go back by one pseudo-code line."""
        self.go_to(self._before(self.position))

    @_a_move
    def next_decision(self) -> None:
        """Go on to the next step that settles something, or the next event."""
        with self.moving():
            position = self._after(self.position)
            while position.inside:
                found = self._decisions(position)
                ahead = found[found >= position.step]
                if len(ahead):
                    position = position._replace(step=int(ahead[0]))
                    break
                position = self._after(position._replace(step=self._steps(position) - 1))
            self.go_to(position)

    @_a_move
    def previous_decision(self) -> None:
        """Go back to the previous step that settles something, or the previous event."""
        position = self._before(self.position)
        while position.inside:
            found = self._decisions(position)
            behind = found[found <= position.step]
            if len(behind):
                position = position._replace(step=int(behind[-1]))
                break
            position = self._before(position._replace(step=0))
        self.go_to(position)

    def tint(self, job: int) -> int:
        """The tint of a job as the view shows it; any will do for a job that the recording does not have."""
        view = self._view
        return view.tint(job) if view is not None and job < len(view.recording.jobs) else 0

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
        recording, position = self.recording, self.position
        if recording is None:
            return None
        attempt = recording.attempts_at(position.events).start
        leave = recording.next_release(position.events)
        places = [] if leave is None else [Position(leave, release=True)]
        if attempt < len(recording.attempts):
            places.append(Position(recording.attempts[attempt].position, attempt))
        return min(places, key=lambda place: (place.events, place.release), default=None)

    def _set(self, position: Position, time: float) -> None:
        view = self._view
        if view is not None and (position, time) != (view.position, view.time):
            other = View(view.recording, position, time)
            if position.inside and self._searches_beside:
                other.take_steps(self._view_at(position))
            self._view = other
            if not self._moving:
                self.changed.emit()

    def _after(self, position: Position) -> Position:
        recording, events = self.recording, position.events
        if recording is None:
            return position
        if position.inside and position.step + 1 < self._steps(position):
            return position._replace(step=position.step + 1)
        attempts = recording.attempts_at(events)
        following = attempts.start if position.attempt is None else position.attempt + 1
        if not position.release:
            if following < attempts.stop:
                return Position(events, following)
            if recording.leaving_at(events) is not None:
                return Position(events, release=True)
        return Position(events + 1) if events < len(recording) else position

    def _before(self, position: Position) -> Position:
        recording, events = self.recording, position.events
        if recording is None:
            return position
        if position.inside and position.step > 0:
            return position._replace(step=position.step - 1)
        if not position.inside:
            if events == 0:
                return position
            events -= 1
            if recording.leaving_at(events) is not None:
                return self._last_step(Position(events, release=True))
        attempts = recording.attempts_at(events)
        preceding = (attempts.stop if position.attempt is None else position.attempt) - 1
        if preceding < attempts.start:
            return Position(events)
        return self._last_step(Position(events, preceding))

    def _last_step(self, position: Position) -> Position:
        """The last step of an attempt or a release; a strategy may log none."""
        return position._replace(step=max(self._steps(position) - 1, 0))

    def _view_at(self, position: Position) -> View | None:
        """A view in an attempt or a release; where its steps are not known, a search for them comes first."""
        recording = self.recording
        if recording is None or not self._searches_beside:
            return None if recording is None else View(recording, position, 0.0)
        known = self._known(position)
        if known is None:
            known = self._searched_for(_step_search(recording, position.first_step))
        return known

    def _steps(self, position: Position) -> int:
        """The steps of an attempt or a release; none where the strategy cannot be stepped."""
        view = self._view_at(position)
        return len(view.trace.steps) if view is not None and view.trace is not None else 0

    def _decisions(self, position: Position) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        view = self._view_at(position)
        if view is None or view.trace is None:
            return np.zeros(0, dtype=np.intp)
        settles = np.array([line.decision for line in view.lines], dtype=bool)
        return np.flatnonzero(settles[view.trace.steps.lines()])

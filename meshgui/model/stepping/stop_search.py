"""Finds where a run stops: the first place after another at which a breakpoint's condition holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from heapq import merge
from itertools import takewhile
from math import inf
from time import monotonic
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import AttemptTrace, ReleaseTrace, Strategy
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.geometry import Box, ramps
from meshgui.engine.basics.guard import StrategyError, short_calls
from meshgui.engine.basics.kinds import AttemptOutcome, EventKind
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Progress, look, telling
from meshgui.engine.network.deadlock import can_deadlock
from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.runs.measures import external_fragmentation_steps
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.model.base.kept import kept
from meshgui.model.moment.clock_words import time_words
from meshgui.model.moment.instant import Instant, InstantPhase
from meshgui.model.stepping.breakpoints import BREAK_KINDS, BreakKind, Breakpoint, Stop

A = TypeVar("A", Floats, Ints)
Trace = AttemptTrace | ReleaseTrace
Known = Callable[[Instant], Trace | None]

PATIENCE: Final = 0.08
"""Seconds for which lines of code are searched, an attempt after another, before the search pauses."""

NO_PATIENCE: Final = -1.0
"""Pauses the search before the first attempt whose steps are not known."""

_OWN_KINDS: Final = frozenset({BreakKind.SPLIT, BreakKind.MERGE})
"""What lines of a strategy do to its blocks: the label of a line says it, or else its event."""


class SearchPaused(Exception):  # noqa: N818 - no error: the search can go on
    """The search for steps has taken long, or would; up to an instant nothing stops the run."""

    def __init__(self, searched: Instant) -> None:
        super().__init__(tr("nothing found up to {time}").format(time=time_words(searched.time)))
        self.searched = searched


def next_stop(
    recording: Recording,
    breakpoints: Iterable[Breakpoint],
    after: Instant,
    until: Instant | None = None,
    patience: float = inf,
    known: Known = lambda _place: None,
) -> Stop | None:
    """The first stop after an instant, and not after `until`; None where there is none.

    All breakpoints that are switched on are looked for; of several at one instant the first set is named.
    Raises SearchPaused where the search takes longer than `patience`: it goes on from there. `known` has the
    steps of attempts and releases that need no search.
    """
    best: Stop | None = None
    paused: SearchPaused | None = None
    for breakpoint_ in breakpoints:
        if not breakpoint_.enabled:
            continue
        limit = best.instant if best is not None else until
        try:
            found = _next(recording, breakpoint_, after, limit, patience, known)
        except SearchPaused as pause:
            paused = pause if paused is None or pause.searched < paused.searched else paused
            continue
        if found is None or (until is not None and found > until):
            continue
        if best is None or found < best.instant:
            best = Stop(found, breakpoint_)
    if paused is not None and (best is None or paused.searched < best.instant):
        raise paused
    return best


def can_happen(recording: Recording, kind: BreakKind) -> bool:
    """Whether a run of this scenario may have what a kind of breakpoint stops at."""
    strategy, record = recording.strategy, recording.network
    if BREAK_KINDS[kind].network:
        if record is None or kind == BreakKind.PACKET:
            return record is not None
        turns = record.law.routing != "xy"
        return turns if kind == BreakKind.DETOUR else can_deadlock(record.mesh, record.law)
    if kind == BreakKind.RESERVATION:
        return strategy.reserves(recording.scenario.allocator.options)
    if kind in {BreakKind.OUTAGE, BreakKind.KILL}:
        return recording.scenario.fails
    return kind not in _OWN_KINDS or bool(_own_labels(strategy, kind))


def _own_labels(strategy: type[Strategy], kind: BreakKind) -> frozenset[str]:
    lines = (*strategy.lines, *strategy.release_lines)
    return frozenset(line.label for line in lines if kind in {line.label, line.event})


def stops_of(recording: Recording, breakpoint_: Breakpoint) -> Floats:
    """The times of all stops of a breakpoint on events or times; none for those on attempts and lines."""
    if breakpoint_.kind in _EVENTS:
        return recording.times[_positions(recording, breakpoint_) - 1]
    if breakpoint_.kind in _TIMES:
        return _times(recording, breakpoint_)
    return np.zeros(0)


def causes_of(recording: Recording, stop: Stop) -> Ints:
    """The jobs or packets that a stop is about, as they have waited for so long; none where it has none."""
    if stop.breakpoint.kind not in _TIMES:
        return np.zeros(0, dtype=np.int64)
    times, whose = _TIMES[stop.breakpoint.kind](recording, stop.breakpoint)
    causes: Ints = whose[times == stop.instant.time]
    return causes


def _next(
    recording: Recording,
    wanted: Breakpoint,
    after: Instant,
    until: Instant | None,
    patience: float,
    known: Known,
) -> Instant | None:
    if wanted.kind in _EVENTS:
        return _next_event(recording, _positions(recording, wanted), after)
    if wanted.kind in _TIMES:
        return _next_time(recording, _times(recording, wanted), after)
    if wanted.kind == BreakKind.FAILURE:
        return _next_failure(recording, wanted.job, after, until, patience, known)
    own = wanted.kind in _OWN_KINDS
    labels = _own_labels(recording.strategy, wanted.kind) if own else frozenset({wanted.line})
    return _next_line(recording, labels, after, until, patience, known)


@kept
def _found(_recording: Recording) -> dict[Breakpoint, Any]:
    """What was found in a recording."""
    return {}


def _kept(recording: Recording, wanted: Breakpoint, find: Callable[[], A]) -> A:
    """What is to be found for a breakpoint, searched for once."""
    known = _found(recording)
    key = wanted._replace(enabled=True)
    if key not in known:
        known[key] = find()
    there: A = known[key]
    return there


# Events


def _next_event(recording: Recording, positions: Ints, after: Instant) -> Instant | None:
    at = int(np.searchsorted(positions, after.events, side="right"))
    return Instant.after_events(recording, int(positions[at])) if at < len(positions) else None


def _positions(recording: Recording, wanted: Breakpoint) -> Ints:
    """The positions right after the events at which to stop, in order."""
    return _kept(recording, wanted, lambda: np.unique(_EVENTS[wanted.kind](recording, wanted)))


def _of_kind(kind: EventKind) -> Callable[[Recording, Breakpoint], Ints]:
    def find(recording: Recording, wanted: Breakpoint) -> Ints:
        here = recording.kinds == kind
        if wanted.job is not None:
            here &= recording.event_jobs == wanted.job
        positions: Ints = np.flatnonzero(here) + 1
        return positions

    return find


def _node_changes(recording: Recording, wanted: Breakpoint) -> Ints:
    """Starts and finishes of the jobs that hold a node at some time."""
    jobs = np.flatnonzero(recording.box_count > 0)
    counts = recording.box_count[jobs]
    rows = np.repeat(recording.first_box[jobs], counts) + ramps(counts)
    boxes = recording.boxes[rows].astype(np.int64)
    node = np.array(wanted.node)
    inside = ((boxes[:, :3] <= node) & (node < boxes[:, :3] + boxes[:, 3:])).all(axis=1)
    holders = np.repeat(jobs, counts)[inside]
    positions = np.concatenate((recording.started[holders], recording.ended[holders])).astype(np.int64)
    happened: Ints = positions[positions != NEVER] + 1
    return happened if recording.outages is None else np.append(happened, _hit_changes(recording, wanted))


def _hit_changes(recording: Recording, wanted: Breakpoint) -> Ints:
    """The same of stints that failures have cut off, and when the node itself fails or is repaired."""
    outages, node = recording.outages, Box(*wanted.node, 1, 1, 1)
    found: list[int] = []
    if outages is not None:
        for kill in outages.requeued:
            start, end = int(kill["started"]), int(kill["position"])
            if any(box.overlaps(node) for box in recording.boxes_of(int(kill["job"]), end)):
                found += [start + 1, end + 1]
        for position in outages.changes["position"].tolist():
            if any(box.overlaps(node) for box in outages.boxes_at(position)):
                found.append(position + 1)
    return np.array(found, dtype=np.int64)


def _rises(recording: Recording, values: NDArray[np.number], limit: float) -> Ints:
    """The positions at which a value, as it stands when all of a time has happened, rises above a limit."""
    last = np.append(np.diff(recording.times) > 0, [True])[: len(values)]
    at = np.flatnonzero(last)
    above = values[at] > limit
    before = np.concatenate(([False], above[:-1]))
    positions: Ints = at[above & ~before] + 1
    return positions


def _queue_rises(recording: Recording, wanted: Breakpoint) -> Ints:
    return _rises(recording, recording.queue_steps()[1], wanted.value)


def _fragmentation_rises(recording: Recording, wanted: Breakpoint) -> Ints:
    _, idle = external_fragmentation_steps(recording)
    return _rises(recording, idle * (100.0 / recording.mesh.processors), wanted.value)


def _many_blocks(recording: Recording, wanted: Breakpoint) -> Ints:
    many = (recording.blocks > wanted.value) & (recording.started != NEVER)
    positions: Ints = recording.started[many].astype(np.int64) + 1
    return positions


_EVENTS: Final[Mapping[BreakKind, Callable[[Recording, Breakpoint], Ints]]] = {
    BreakKind.ARRIVAL: _of_kind(EventKind.ARRIVE),
    BreakKind.START: _of_kind(EventKind.START),
    BreakKind.FINISH: _of_kind(EventKind.FINISH),
    BreakKind.RESERVATION: _of_kind(EventKind.RESERVE),
    BreakKind.OUTAGE: _of_kind(EventKind.FAIL),
    BreakKind.KILL: _of_kind(EventKind.KILL),
    BreakKind.NODE: _node_changes,
    BreakKind.QUEUE: _queue_rises,
    BreakKind.FRAGMENTATION: _fragmentation_rises,
    BreakKind.BLOCKS: _many_blocks,
}

# Times between events


def _next_time(recording: Recording, times: Floats, after: Instant) -> Instant | None:
    for time in times[np.searchsorted(times, after.time, side="left") :].tolist():
        instant = Instant.at_time(recording, time)
        if instant > after:
            return instant
    return None


def _times(recording: Recording, wanted: Breakpoint) -> Floats:
    """The times at which to stop, in order, as far as the run is recorded."""

    def find() -> Floats:
        times = np.unique(_TIMES[wanted.kind](recording, wanted)[0])
        return times[times <= recording.end_time]

    return _kept(recording, wanted, find)


def _long_waits(recording: Recording, wanted: Breakpoint) -> tuple[Floats, Ints]:
    """When each job that waits longer has waited for so long, and the jobs."""
    arrived = recording.arrived != NEVER
    starts = np.full(len(arrived), np.inf)
    for events in (recording.started, recording.ended):  # a rejected job has no start
        happened = (events != NEVER) & np.isinf(starts)
        starts[happened] = recording.times[events[happened]]
    full = recording.jobs.arrival + wanted.value
    late = arrived & (starts > full)
    if wanted.job is not None:
        late &= np.arange(len(late)) == wanted.job
    return full[late], np.flatnonzero(late)


def _long_blocks(recording: Recording, wanted: Breakpoint) -> tuple[Floats, Ints]:
    """When each header that is blocked for longer has been blocked for so long, and the packets."""
    record = recording.network
    if record is None:
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    headers = record.headers(np.arange(len(record)))
    asked, granted = headers.asked, headers.granted
    known = (asked != NEVER_YET) & record.blocks(headers.steps)
    full = asked[known] + np.ceil(wanted.value)
    late = granted[known] > full
    return full[late].astype(np.float64), headers.packets[known][late]


def _detours(recording: Recording, _: Breakpoint) -> tuple[Floats, Ints]:
    """When headers are granted a link in another direction than xy, and the packets."""
    if recording.network is None:
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    times, packets = recording.network.detours
    return times.astype(np.float64), packets


def _deadlocks(recording: Recording, _: Breakpoint) -> tuple[Floats, Ints]:
    """When the network stands still for ever, and the packets of its circle."""
    found = recording.deadlock
    if found is None:
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    return np.full(len(found.circle), float(found.cycle)), np.array(found.circle)


_TIMES: Final[Mapping[BreakKind, Callable[[Recording, Breakpoint], tuple[Floats, Ints]]]] = {
    BreakKind.WAIT: _long_waits,
    BreakKind.PACKET: _long_blocks,
    BreakKind.DETOUR: _detours,
    BreakKind.DEADLOCK: _deadlocks,
}

# Attempts, releases, and their lines


def _next_failure(
    recording: Recording,
    job: int | None,
    after: Instant,
    until: Instant | None,
    patience: float,
    known: Known,
) -> Instant | None:
    """The last step of the next attempt that fails, where its failure is settled."""
    first = _first_attempt(recording, after)
    while (attempt := recording.attempts.next_with(AttemptOutcome.WAITS, first, job)) is not None:
        place = Instant.in_attempt(recording, attempt, 0)
        if until is not None and place > until:
            return None
        trace = known(place)
        if trace is None and patience < 0:
            raise SearchPaused(after)
        try:
            with short_calls():
                steps = len((trace or recording.trace(attempt)).steps)
        except StrategyError:
            steps = 0
        instant = place._replace(step=max(steps - 1, 0))
        if instant > after:
            return instant
        first = attempt + 1
    return None


def _first_attempt(recording: Recording, after: Instant) -> int:
    """The first attempt of which a step may lie after an instant."""
    if after.phase == InstantPhase.ATTEMPT:
        return after.attempt
    return recording.attempts.at(after.events + (after.phase > InstantPhase.ATTEMPT)).start


def _next_line(
    recording: Recording,
    labels: frozenset[str],
    after: Instant,
    until: Instant | None,
    patience: float,
    known: Known,
) -> Instant | None:
    strategy = recording.strategy
    in_attempts, in_releases = (
        _with_labels(strategy.lines, labels),
        _with_labels(strategy.release_lines, labels),
    )
    attempts = range(_first_attempt(recording, after), len(recording.attempts) if in_attempts else 0)
    leave = np.flatnonzero(recording.kinds[after.events :] == EventKind.FINISH) + after.events
    places: Iterator[Instant] = merge(
        (Instant.in_attempt(recording, attempt, 0) for attempt in attempts),
        (Instant.in_release(recording, position, 0) for position in (leave.tolist() if in_releases else ())),
    )
    if until is not None:
        places = takewhile(lambda place: place <= until, places)
    begun, searched = monotonic(), after
    with (
        telling(lambda: Progress(words=tr("t {time:.2f}").format(time=searched.time))),
        suppress(StrategyError),
    ):
        for place, search in _searches(recording, places):
            trace = known(place)
            if trace is None and patience < 0:
                raise SearchPaused(searched)
            look()
            steps = (trace or search()).steps
            lines = in_releases if place.phase == InstantPhase.RELEASE else in_attempts
            for step in np.flatnonzero(np.isin(steps.lines(), lines)).tolist():
                instant = place._replace(step=step)
                if instant > after:
                    return instant
            searched = max(searched, place._replace(step=max(len(steps) - 1, 0)))
            if searched > after and monotonic() - begun > patience >= 0:
                raise SearchPaused(searched)
    return None


def _with_labels(lines: tuple[Line, ...], labels: frozenset[str]) -> list[int]:
    return [number for number, line in enumerate(lines) if line.label in labels]


def _searches(
    recording: Recording, places: Iterable[Instant]
) -> Iterator[tuple[Instant, Callable[[], Trace]]]:
    """Attempts and releases, each with its search, made by the strategy as the one before left it."""
    working: Strategy | None = None
    position = 0

    def search(place: Instant) -> Trace:
        nonlocal working, position
        with short_calls():
            if working is None:
                working = recording.strategy_at(place.events)
            else:
                recording.replay(working, position, place.events)
            position = place.events
            if place.phase == InstantPhase.RELEASE:
                position += 1  # what is done is the next event
                return working.trace_release(int(recording.event_jobs[place.events]))
            if recording.attempts[place.attempt].outcome != AttemptOutcome.WAITS:
                position += 1
            return recording.repeated(place.attempt, working)

    for place in places:
        yield place, partial(search, place)

"""The next stop after any place of a run, against a search of all places one by one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.basics.kinds import AttemptOutcome, EventKind
from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.network.routing import WAYS
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.moment.instant import Instant, InstantPhase
from meshgui.model.moment.position import Position
from meshgui.model.stepping.breakpoints import BREAK_KINDS, BreakField, BreakKind, Breakpoint
from meshgui.model.stepping.player import Player
from meshgui.model.stepping.selection import Selection
from meshgui.model.stepping.stop_search import SearchPaused, can_happen, causes_of, next_stop, stops_of
from tests.networks import sent, sent_on_torus
from tests.runs import cursor_in, run_of
from tests.scenarios import PLANNERS, crowded, listed, scenario_of

EVENTS = {
    BreakKind.ARRIVAL: EventKind.ARRIVE,
    BreakKind.START: EventKind.START,
    BreakKind.FINISH: EventKind.FINISH,
    BreakKind.RESERVATION: EventKind.RESERVE,
}


def splits(name: str, label: str) -> bool:
    """Whether a line of a strategy splits a block; a busy list cuts border planes."""
    return label == "split" or (label == "cut" and name in {"ta", "fsl"})


@dataclass
class Naive:
    """Every place of a run at which a breakpoint stops, found place by place."""

    recording: Recording
    wanted: Breakpoint

    def stops(self) -> list[Instant]:
        """All of them, in reading order."""
        return sorted({*self._at_events(), *self._in_attempts(), *self._in_releases(), *self._at_times()})

    def _at_events(self) -> Iterator[Instant]:
        before = False
        for position in range(1, len(self.recording) + 1):
            settled = position == len(self.recording) or (
                self.recording.times[position] > self.recording.times[position - 1]
            )
            now = self._holds(position) if settled else before
            if self._happens(position) or (now and not before):
                yield Instant.after_events(self.recording, position)
            before = now

    def _happens(self, position: int) -> bool:
        """Whether the event that leads to a position is one to stop at."""
        wanted, recording = self.wanted, self.recording
        event = recording.event(position - 1)
        if wanted.kind in EVENTS:
            return event.kind == EVENTS[wanted.kind] and wanted.job in {None, event.job}
        boxes = recording.boxes_of(event.job)
        if wanted.kind == BreakKind.BLOCKS:
            return event.kind == EventKind.START and len(boxes) > wanted.value
        if wanted.kind == BreakKind.NODE and event.kind in {EventKind.START, EventKind.FINISH}:
            x, y, z = wanted.node
            return any(b.x <= x < b.x + b.w and b.y <= y < b.y + b.d and b.z <= z < b.z + b.h for b in boxes)
        return False

    def _holds(self, position: int) -> bool:
        """Whether what a breakpoint watches is above its limit."""
        snapshot = self.recording.snapshot(position)
        waiting = [job for job in snapshot.queue.tolist() if job not in snapshot.reserved]
        if self.wanted.kind == BreakKind.QUEUE:
            return len(snapshot.queue) > self.wanted.value
        if self.wanted.kind == BreakKind.FRAGMENTATION and waiting:
            w, d, h = self.recording.size(waiting[0])
            idle = snapshot.free if w * d * h <= snapshot.free else 0
            return 100 * idle / snapshot.mesh.processors > self.wanted.value
        return False

    def _in_attempts(self) -> Iterator[Instant]:
        for number, attempt in enumerate(self.recording.attempts):
            steps = self.recording.trace(number).steps
            if self.wanted.kind == BreakKind.FAILURE:
                if attempt.outcome == AttemptOutcome.WAITS and self.wanted.job in {None, attempt.job}:
                    yield Instant.in_attempt(self.recording, number, max(len(steps) - 1, 0))
                continue
            for place, step in enumerate(steps):
                label = self.recording.strategy.lines[step.line].label
                if (self.wanted.kind == BreakKind.LINE and label == self.wanted.line) or (
                    self.wanted.kind == BreakKind.SPLIT and splits(self.recording.strategy.id, label)
                ):
                    yield Instant.in_attempt(self.recording, number, place)

    def _in_releases(self) -> Iterator[Instant]:
        lines = self.recording.strategy.release_lines
        for position in releases(self.recording):
            for place, step in enumerate(self.recording.trace_release(position).steps):
                label = lines[step.line].label
                if (self.wanted.kind == BreakKind.LINE and label == self.wanted.line) or (
                    self.wanted.kind == BreakKind.MERGE and label == "merge"
                ):
                    yield Instant.in_release(self.recording, position, place)

    def _at_times(self) -> Iterator[Instant]:
        if self.wanted.kind != BreakKind.WAIT:
            return
        for job in range(len(self.recording.jobs)):
            time = float(self.recording.jobs.arrival[job]) + self.wanted.value
            left = min(int(self.recording.started[job]), int(self.recording.ended[job]))
            if left != NEVER and float(self.recording.times[left]) > time and self.wanted.job in {None, job}:
                yield Instant.at_time(self.recording, time)


def releases(recording: Recording) -> list[int]:
    """The positions at which a job leaves next whose release has steps."""
    return [position for position in range(len(recording)) if recording.leaving_at(position) is not None]


def places(recording: Recording) -> list[Instant]:
    """Some places of a run: after every event, between events, and at every step."""
    found = [Instant.after_events(recording, position) for position in range(len(recording) + 1)]
    times = recording.times.tolist()
    found += [Instant.at_time(recording, (a + b) / 2) for a, b in zip([0.0, *times], times, strict=False)]
    for number in range(len(recording.attempts)):
        steps = len(recording.trace(number).steps)
        found += [Instant.in_attempt(recording, number, step) for step in range(steps)]
    for position in releases(recording):
        steps = len(recording.trace_release(position).steps)
        found += [Instant.in_release(recording, position, step) for step in range(steps)]
    return sorted(set(found))


def breakpoints(recording: Recording) -> st.SearchStrategy[Breakpoint]:
    """Any breakpoint that may stop in a run."""
    w, d, h = recording.mesh.extents
    labels = [line.label for line in (*recording.strategy.lines, *recording.strategy.release_lines)]
    return st.builds(
        Breakpoint,
        st.sampled_from([kind for kind in BreakKind if not BREAK_KINDS[kind].network]),
        st.none() | st.integers(0, max(len(recording.jobs) - 1, 0)),
        st.integers(0, 4).map(float) | st.floats(0, 50),
        st.tuples(st.integers(0, w - 1), st.integers(0, d - 1), st.integers(0, h - 1)),
        st.sampled_from(labels),
    )


def fits(breakpoint_: Breakpoint) -> Breakpoint:
    """The breakpoint with only those fields that its kind has."""
    fields, bare = BREAK_KINDS[breakpoint_.kind].fields, Breakpoint(breakpoint_.kind)
    given = {field.value: getattr(breakpoint_, field.value) for field in BreakField if field in fields}
    return bare._replace(**given)


@settings(max_examples=60)
@given(scenario=crowded(most=8), data=st.data())
def test_the_next_stop_is_the_first_of_all_places_at_which_the_condition_holds(scenario, data):
    """From every place of the run; so going on from a stop never triggers it again."""
    name, shape = data.draw(st.sampled_from(["ff", "tbl", "mbs", "2dbs", "ta"])), scenario.mesh.shape
    if name in {"mbs", "2dbs", "ta"} and (len(shape) == 3 or len(set(shape)) > 1):
        name = "tff"
    if name == "2dbs" and shape[0] not in {1, 2, 4}:
        name = "mbs"
    if name != "ta" or scenario.scheduler.name not in PLANNERS:
        allocator = {"name": name, "options": {"eafr": True} if name == "ta" else {}}
        scenario = scenario_from({**scenario.model_dump(), "allocator": allocator})
    recording = simulate(scenario)
    wanted = fits(data.draw(breakpoints(recording)))
    stops = Naive(recording, wanted).stops()
    for place in places(recording):
        expected = next((stop for stop in stops if stop > place), None)
        found = next_stop(recording, [wanted], place)
        assert (found.instant if found is not None else None) == expected


@settings(max_examples=20)
@given(scenario=crowded(most=8), data=st.data())
def test_of_several_breakpoints_the_nearest_stops_and_none_behind_the_limit(scenario, data):
    """As if each were searched for alone; those that are off stop nothing."""
    recording = simulate(scenario)
    several = [fits(b) for b in data.draw(st.lists(breakpoints(recording), min_size=1, max_size=4))]
    off = [b._replace(enabled=False) for b in several]
    every = places(recording)
    until = data.draw(st.sampled_from(every))
    for place in every:
        alone = [stop.instant for b in several if (stop := next_stop(recording, [b], place)) is not None]
        near = min((instant for instant in alone if instant <= until), default=None)
        found = next_stop(recording, several, place, until)
        assert (found.instant if found is not None else None) == near
        assert next_stop(recording, off, place, until) is None


@pytest.mark.parametrize("cycles", [0, 3, 20])
def test_a_packet_that_is_blocked_for_long_stops_the_run_while_it_is(cycles):
    """In the cycle in which a header has waited so long, and is not granted its channel yet."""
    recording = run_of("blocking-chain-8x6")
    ways = map(recording.network.passages, range(len(recording.network)))
    passages = [passage for way in ways for passage in way[1:]]
    expected = sorted({p.asked + cycles for p in passages if p.granted - p.asked > cycles})
    wanted = Breakpoint(BreakKind.PACKET, value=float(cycles))
    assert stops_of(recording, wanted).tolist() == expected
    at, found = Instant(0), []
    while (stop := next_stop(recording, [wanted], at)) is not None:
        found.append(stop.instant.time)
        at = stop.instant
    assert found == expected


def test_a_stop_names_the_packets_that_caused_it_and_a_wait_is_found_between_two_events():
    """Those that have been blocked for so long just then; job 1 has waited 2 at 3."""
    recording = run_of("gabl-contention-16x16")
    record, wanted = recording.network, Breakpoint(BreakKind.PACKET, value=20.0)
    at = Instant(0)
    for _ in range(12):
        stop = next_stop(recording, [wanted], at)
        at, causes = stop.instant, causes_of(recording, stop).tolist()
        assert causes
        for packet in causes:
            waits = [(way.asked + 20, way.granted) for way in record.passages(packet)[1:]]
            assert any(full == at.time < granted for full, granted in waits)
    recording = simulate(listed((2, 2), [(0.0, (2, 2), 5.0), (1.0, (2, 2), 1.0)]))
    stop = next_stop(recording, [Breakpoint(BreakKind.WAIT, value=2.0)], Instant(0))
    assert stop.instant == Instant(recording.position_at(3.0), InstantPhase.BETWEEN, time=3.0)
    assert causes_of(recording, stop).tolist() == [1]
    arrival = next_stop(recording, [Breakpoint(BreakKind.ARRIVAL)], Instant(0))
    assert causes_of(recording, arrival).tolist() == []
    assert next_stop(recording, [Breakpoint(BreakKind.WAIT, value=4.0)], Instant(0)) is None


def test_a_long_search_for_a_line_pauses_and_goes_on_from_there(monkeypatch: pytest.MonkeyPatch):
    """The stop is that of a search in one go; lines of one label need not mean the same."""
    recording = run_of("tbl-under-load")
    never, fails = (Breakpoint(BreakKind.LINE, line=line) for line in ("no such line", "fail"))
    assert next_stop(recording, [never], Instant(0), patience=0.0) is None
    at, stop = [Instant(0)], None
    while stop is None:
        try:
            stop = next_stop(recording, [fails], at[-1], patience=0.0)
        except SearchPaused as pause:
            at.append(pause.searched)
    assert len(at) > 1
    assert at == sorted(set(at))
    assert stop == next_stop(recording, [fails], Instant(0))
    recording = simulate(listed((4, 4), [(0, (2, 2), 1), (0, (4, 4), 1)], "fsl"))
    by_label = next_stop(recording, [Breakpoint(BreakKind.LINE, line="cut")], Instant(0))
    assert by_label.instant == next_stop(recording, [Breakpoint(BreakKind.SPLIT)], Instant(0)).instant
    plain = tuple(replace(line, event="") for line in recording.strategy.lines)
    monkeypatch.setattr(recording.strategy, "lines", plain)
    assert next_stop(recording, [Breakpoint(BreakKind.SPLIT)], Instant(0)) is None
    assert next_stop(recording, [Breakpoint(BreakKind.LINE, line="cut")], Instant(0)) == by_label


@pytest.mark.parametrize(
    ("name", "have"),
    [
        ("tbl", set()),
        ("gabl", set()),
        ("mbs", {BreakKind.SPLIT, BreakKind.MERGE}),
        ("fsl", {BreakKind.SPLIT}),
        ("ff", set()),
        ("pald-ff", {BreakKind.SPLIT}),
    ],
)
def test_a_strategy_that_splits_no_block_has_no_stop_at_a_split(name, have):
    """Busy lists cut border planes; partitions and buddies are split, some are merged, few reserve."""
    own = {BreakKind.SPLIT, BreakKind.MERGE, BreakKind.RESERVATION, BreakKind.PACKET}
    own |= {BreakKind.DETOUR, BreakKind.DEADLOCK}
    recording = simulate(listed((4, 4), [(0, (2, 2), 1), (0, (4, 4), 1)], name))
    assert {kind for kind in own if can_happen(recording, kind)} == have
    for kind in own - have:
        assert next_stop(recording, [Breakpoint(kind)], Instant.after_events(recording, 0)) is None


def closed_ring():
    """Four packets around a ring of one channel, each of which holds what the one behind it wants."""
    return sent_on_torus(*((0, (x, 1), ((x + 2) % 4, 1)) for x in range(4)), flits=16)


def test_a_run_in_a_deadlock_stops_there_and_nowhere_else():
    """At its cycle, with the packets of the circle; it can be stepped back from, and is over."""
    recording, wanted = closed_ring(), Breakpoint(BreakKind.DEADLOCK)
    assert can_happen(recording, BreakKind.DEADLOCK)
    assert not can_happen(recording, BreakKind.DETOUR)
    stop = next_stop(recording, [wanted], Instant(0))
    assert stop.instant.time == recording.deadlock.cycle == recording.end_time
    assert sorted(causes_of(recording, stop).tolist()) == [0, 1, 2, 3]
    assert next_stop(recording, [wanted], stop.instant) is None
    assert recording.over
    assert not recording.complete
    cursor = cursor_in(recording)
    cursor.go_to(Position(len(recording)))
    cursor.next_event()
    assert cursor.time == recording.end_time
    cursor.previous_event()
    assert (cursor.position, cursor.time) == (Position(len(recording)), recording.times[-1])
    player = Player(cursor, Selection())
    cursor.go_to_time(recording.end_time - 1)
    assert player.reach.on
    cursor.last()
    assert not player.reach.on
    free = sent_on_torus((0, (0, 0), (1, 1)), channels=2)
    assert not can_happen(free, BreakKind.DEADLOCK)
    assert next_stop(free, [wanted], Instant(0)) is None


@pytest.mark.parametrize("routing", ["yx", "west-first", "negative-first", "adaptive"])
def test_another_direction_than_xy_stops_the_run_when_it_is_granted(routing):
    """Hop by hop against the rule in its own words: x is not done, and the link leads along y."""
    packets = [(n, (n % 4, n // 4), ((n + 2) % 4, (n * 7 + 3) % 4)) for n in range(16)]
    recording = sent(*packets, routing=routing, flits=12)
    record, expected = recording.network, set()
    for packet in range(len(record)):
        to = int(record.targets[packet]) % 4
        for way in record.passages(packet):
            node, direction = divmod(way.channel, WAYS)
            if way.granted != NEVER_YET and direction in {2, 3} and node % 4 != to:
                expected.add((way.granted, packet))
    times, whose = record.detours
    assert {*zip(times.tolist(), whose.tolist(), strict=True)} == expected
    assert expected
    assert stops_of(recording, Breakpoint(BreakKind.DETOUR)).tolist() == sorted({t for t, _ in expected})


def test_it_stops_where_a_processor_fails_and_where_a_job_is_hit():
    """And at a node that fails, is repaired, or loses its job to a hit; only where something may fail."""
    rows = [{"arrival": 0, "size": [2, 1], "service": 5}, {"arrival": 1, "size": [1, 1], "service": 1}]
    machine = {"failures": [{"node": [0, 0], "from": 2, "until": 4}]}
    recording = simulate(scenario_of((4, 1), rows, machine=machine))

    def stops(kind, **fields):
        return stops_of(recording, Breakpoint(kind, **fields)).tolist()

    assert stops(BreakKind.OUTAGE) == stops(BreakKind.KILL) == stops(BreakKind.KILL, job=0) == [2]
    assert stops(BreakKind.KILL, job=1) == []
    assert stops(BreakKind.NODE) == [0, 2, 2, 4]
    kinds = (BreakKind.OUTAGE, BreakKind.KILL)
    assert all(can_happen(recording, kind) for kind in kinds)
    assert not any(can_happen(run_of(), kind) for kind in kinds)

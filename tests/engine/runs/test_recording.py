"""A recording shows the machine at any moment: from a key frame, from the start, or while the run goes on."""

from dataclasses import replace
from itertools import pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.conformance import same_state
from meshgui.engine.basics.kinds import AttemptOutcome, EventKind
from meshgui.engine.basics.work import Work
from meshgui.engine.runs.attempts import Attempts
from meshgui.engine.runs.simulation import Simulation, simulate
from tests.networks import sending
from tests.runs import same_snapshot
from tests.scale import cases
from tests.scenarios import STRATEGIES, crowded, listed, scenario
from tests.twins.runs import NaiveRun


def from_the_start(recording):
    """The strategy at each position, led there event by event without a key frame."""
    working = recording.new_strategy()
    yield working
    for index in range(len(recording)):
        event = recording.event(index)
        if event.kind == EventKind.START:
            assert working.allocate(recording.request(recording.attempts_of(event.job)[-1])) is not None
        elif event.kind == EventKind.FINISH:
            working.release(event.job)
        yield working


@pytest.mark.parametrize("shape", [(8, 8), (4, 4, 4)], ids=["2d", "3d"])
@pytest.mark.parametrize("name", STRATEGIES)
def test_key_frames_lead_where_the_whole_run_leads(name, shape):
    """At every position the state by the nearest key frame equals the one searched for from the start."""
    recording = simulate(scenario(shape, name, jobs=250, load=3))
    assert len(recording.key_frames) > 3
    for position, working in enumerate(from_the_start(recording)):
        assert same_state(recording.state_at(position), working.capture())


@cases(200)
@given(of=crowded())
def test_a_snapshot_is_what_the_events_add_up_to(of):
    """At every position: boxes, owners, queue and counts as a naive walk has them; so do the curves."""
    recording, twin = simulate(of), NaiveRun(of)
    running, waiting, ended = {}, [], {EventKind.FINISH: 0, EventKind.REJECT: 0}
    curves = (recording.busy_steps()[1], recording.queue_steps()[1], recording.queue_heads())
    for position, event in enumerate([None, *twin.run().events]):
        if event is not None:
            _, kind, job = event
            if kind == EventKind.ARRIVE:
                waiting.append(job)
            elif kind == EventKind.FINISH:
                del running[job]
            else:
                waiting.remove(job)
            if kind == EventKind.START:
                [running[job]] = twin.told.boxes[job]
            if kind in ended:
                ended[kind] += 1
        snapshot = recording.snapshot(position)
        shown = zip(snapshot.owners.tolist(), map(tuple, snapshot.boxes.tolist()), strict=True)
        assert dict(shown) == running
        assert snapshot.running.tolist() == sorted(running)
        assert snapshot.queue.tolist() == sorted(waiting, key=lambda job: (twin.ranks[job], job))
        assert snapshot.busy == sum(prod(box[3:]) for box in running.values())
        assert (snapshot.finished, snapshot.rejected) == tuple(ended.values())
        if position:
            queue = snapshot.queue.tolist()
            seen = (snapshot.busy, len(queue), queue[0] if queue else -1)
            assert tuple(curve[position - 1] for curve in curves) == seen


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_run_in_progress_is_the_beginning_of_the_whole(name):
    """Every recording published on the way shows what the finished one shows at the same positions."""
    of = scenario((8, 8), name, jobs=400, load=3)
    simulation, published = Simulation(of), []

    def watch(*_):
        published.append(simulation.recording())

    whole = simulation.run(Work(watch))
    assert len(published) >= 3
    for partial in published:
        n = len(partial)
        assert not partial.complete
        for part in ("times", "kinds", "event_jobs"):
            np.testing.assert_array_equal(getattr(partial, part), getattr(whole, part)[:n])
        for position in {0, n // 3, n - 1, n}:
            assert same_snapshot(partial.snapshot(position), whole.snapshot(position))
            assert same_state(partial.state_at(position), whole.state_at(position))
        tried = len(partial.attempts)
        assert partial.attempts[:] == whole.attempts[:tried]


@pytest.mark.parametrize("name", STRATEGIES)
def test_an_attempt_traced_is_the_attempt_that_was_made(name):
    """Each attempt, stepped afterwards, gets what the run recorded for it."""
    recording = simulate(scenario((4, 4), name, jobs=60))
    for attempt, (position, job, outcome) in enumerate(recording.attempts):
        trace = recording.trace(attempt)
        assert trace.boxes == (recording.boxes_of(job) if outcome == AttemptOutcome.PLACED else None)
        assert same_state(trace.before, recording.state_at(position))


@given(time=st.floats(0, 30, allow_nan=False))
def test_the_position_at_a_time_has_all_events_up_to_it(time):
    """An event at the very time has happened; the next has not."""
    recording = simulate(scenario((4, 4), jobs=30))
    position = recording.position_at(time)
    assert all(recording.times[:position] <= time)
    assert all(recording.times[position:] > time)


@pytest.mark.parametrize("position", [-1, 10_000])
def test_there_is_nothing_outside_the_recording(position):
    """A position before the start or beyond the end is an error."""
    with pytest.raises(IndexError, match="position"):
        simulate(scenario((4, 4), jobs=10)).snapshot(position)


@pytest.mark.parametrize("scheduler", ["fcfs", "ssd", "ooo", "easy"])
@pytest.mark.parametrize("load", [3.0, 12.0])
def test_memory_per_event_stays_small(scheduler, load):
    """A recording takes at most 64 bytes an event on top of its job stream, however long the queue is."""
    recording = simulate(scenario((8, 8, 8), jobs=600, load=load, scheduler={"name": scheduler}))
    assert recording.nbytes / len(recording) <= 64


def test_the_event_log_says_what_happened():
    """Arrivals with size, service and messages, starts and reservations with boxes, rejections with why."""
    jobs = [(0, (2, 1), 5), (1, (2, 1), 2)]
    recording = simulate(listed((2, 1), jobs, "ta", options={"eafr": True}))
    assert [recording.request(n).service for n in range(3)] == [5.0, 2.0, 2.0]
    assert list(recording.log_lines()) == [
        {"t": 0.0, "event": "arrive", "job": 0, "size": [2, 1], "service": 5.0},
        {"t": 0.0, "event": "start", "job": 0, "blocks": [[0, 0, 0, 2, 1, 1]]},
        {"t": 1.0, "event": "arrive", "job": 1, "size": [2, 1], "service": 2.0},
        {"t": 1.0, "event": "reserve", "job": 1, "blocks": [[0, 0, 0, 2, 1, 1]]},
        {"t": 5.0, "event": "finish", "job": 0},
        {"t": 5.0, "event": "start", "job": 1, "blocks": [[0, 0, 0, 2, 1, 1]]},
        {"t": 7.0, "event": "finish", "job": 1},
    ]
    [_, rejected] = simulate(listed((2, 1), [(0, (1, 2), 1)], "ff")).log_lines()
    reason = "1×2 does not fit into the empty 2×1 mesh"
    assert rejected == {"t": 0.0, "event": "reject", "job": 0, "reason": reason}
    [arrival, *_] = simulate(sending([(0, (2, 2), 5)])).log_lines()
    assert arrival == {"t": 0.0, "event": "arrive", "job": 0, "size": [2, 2], "service": None, "messages": 5}


def test_the_memory_of_a_recording_is_that_of_its_arrays():
    """Key frames, attempts and packets count, the jobs themselves do not."""
    recording = simulate(scenario(jobs=250, load=3))
    frames = [values.nbytes for frame in recording.key_frames for values in frame.state.values()]
    positions = [0, *(frame.position for frame in recording.key_frames)]
    assert len(positions) > 3
    assert all(later - earlier >= 64 for earlier, later in pairwise(positions))
    assert recording.nbytes - replace(recording, key_frames=()).nbytes == sum(frames)
    assert recording.nbytes - replace(recording, attempts=Attempts()).nbytes == recording.attempts.nbytes > 0
    assert recording.nbytes - replace(recording, times=recording.times[:0]).nbytes == 8 * len(recording)
    sent = simulate(sending([(0, (2, 2), 5)]))
    assert sent.nbytes - replace(sent, packets=None).nbytes == sum(part.nbytes for part in sent.packets) > 0

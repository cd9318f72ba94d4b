"""What a recording holds: events, key frames and attempts."""

import random
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.conformance import same_state
from meshgui.engine.allocation.feedback import BLOCKING, LATENCY, NUMBER, SUM, TURNAROUND
from meshgui.engine.basics.kinds import AttemptOutcome, EventKind
from meshgui.engine.basics.work import Work
from meshgui.engine.runs.attempts import _BLOCK, Attempt, AttemptRecorder, Attempts
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.measures import JobFigures
from meshgui.engine.runs.queue_heads import queue_heads
from meshgui.engine.runs.simulation import Simulation, simulate
from tests.networks import sending
from tests.runs import same_snapshot
from tests.scale import COMPILED, cases
from tests.scenarios import STRATEGIES, crowded, listed, scenario, scenario_of
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


@pytest.mark.skipif(not (COMPILED and Path("/proc/self/status").exists()), reason="no kernels, or no peak")
def test_a_recorded_run_takes_at_most_300_bytes_a_job_with_all_that_it_needs_meanwhile():
    """What the process holds at most, in a run of 300,000 jobs, beyond what it held after one of 1000."""
    program = """
from meshgui.bench.large_run import most_memory
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
def run(jobs):
    workload = {"kind": "stochastic", "jobs": jobs, "load": 5.8}
    data = {"meshgui": 1, "mesh": {"shape": [8, 8, 8]}, "allocator": {"name": "tbl"}, "workload": workload}
    assert simulate(scenario_from(data)).complete
run(1000)
before = most_memory()
run(300_000)
print((most_memory() - before) / 300_000)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(done.stdout) <= 300


def test_a_recording_stays_as_it_was_when_its_run_goes_on():
    """All of its arrays, of which some lie where the run writes what happens later."""
    run = Simulation(scenario((8, 8), "mbs", jobs=200, load=3))
    while len(recording := run.recording()) < 150:
        run.step()
    before = {name: of.copy() for name, of in vars(recording).items() if isinstance(of, np.ndarray)}
    later = run.run()
    for name, of in before.items():
        assert np.array_equal(getattr(recording, name), of), name
    assert np.array_equal(later.times[: len(recording)], recording.times)
    assert np.array_equal(later.boxes[: len(recording.boxes)], recording.boxes)


HELD = [{"of": of, "target": 20.0, "reach": 15.0} for of in ("latency", "blocking", "turnaround", "blocks")]


@pytest.mark.parametrize("measure", ["current", "cumulative"])
def test_a_strategy_learns_from_jobs_again_what_it_learnt_in_the_run(measure):
    """At every position; and what it has heard in the end is what the figures of the jobs say."""
    options = {"fuzzy": True, "bound": 2, "indicators": HELD, "measure": measure}
    drawn = {"kind": "stochastic", "jobs": 80, "load": 0.3}
    network = {"pattern": "all-to-all", "messages": 6}
    of = scenario_of((6, 6), drawn, "bgp", options, network=network)
    run = Simulation(of)
    recording = run.run()
    assert same_state(recording.state_at(len(recording)), run.strategy.capture())
    assert len(set(recording.state_at(len(recording))["controller_history"][:, 2].tolist())) > 5
    figures, heard = JobFigures(recording), run.strategy.feedback
    for at, values in (
        (LATENCY, figures.latency),
        (BLOCKING, figures.blocking),
        (TURNAROUND, figures.turnaround),
    ):
        known = values[~np.isnan(values)]
        assert heard[at + NUMBER] == len(known)
        assert heard[at + SUM] == pytest.approx(known.sum())
    for attempt in range(0, len(recording.attempts), 9):
        assert recording.trace(attempt).steps


@cases(200)
@given(of=crowded())
def test_a_snapshot_is_what_the_events_add_up_to(of):
    """At every position: boxes, owners, queue and counts as a naive walk has them; so do the curves."""
    recording, twin = simulate(of), NaiveRun(of)
    running, waiting, ended = {}, [], {EventKind.FINISH: 0, EventKind.REJECT: 0}
    curves = (recording.busy_steps()[1], recording.queue_steps()[1], queue_heads(recording))
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
    """Arrivals, starts, reservations; key frames, attempts and packets count, the jobs do not."""
    jobs = [(0, (2, 1), 5), (1, (2, 1), 2)]
    recording = simulate(listed((2, 1), jobs, "ta", options={"eafr": True}))
    assert [recording.request(n).service for n in range(3)] == [5.0, 2.0, 2.0]
    assert list(log_lines(recording)) == [
        {"t": 0.0, "event": "arrive", "job": 0, "size": [2, 1], "service": 5.0},
        {"t": 0.0, "event": "start", "job": 0, "blocks": [[0, 0, 0, 2, 1, 1]]},
        {"t": 1.0, "event": "arrive", "job": 1, "size": [2, 1], "service": 2.0},
        {"t": 1.0, "event": "reserve", "job": 1, "blocks": [[0, 0, 0, 2, 1, 1]]},
        {"t": 5.0, "event": "finish", "job": 0},
        {"t": 5.0, "event": "start", "job": 1, "blocks": [[0, 0, 0, 2, 1, 1]]},
        {"t": 7.0, "event": "finish", "job": 1},
    ]
    [_, rejected] = log_lines(simulate(listed((2, 1), [(0, (1, 2), 1)], "ff")))
    reason = "1×2 does not fit into the empty 2×1 mesh"
    assert rejected == {"t": 0.0, "event": "reject", "job": 0, "reason": reason}
    [arrival, *_] = log_lines(simulate(sending([(0, (2, 2), 5)])))
    assert arrival == {"t": 0.0, "event": "arrive", "job": 0, "size": [2, 2], "service": None, "messages": 5}
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


JOBS = 40


def made(count):
    """Enough attempts, some with several at one position, some positions with more than a block holds."""
    chosen, position = random.Random(count), 0
    attempts = []
    while len(attempts) < count:
        position += chosen.choice((1, 1, 1, 2, 50))
        tried = chosen.choice((1, 3, 30, 30, 5000 if chosen.random() < 0.1 else 1))
        outcomes = (AttemptOutcome(chosen.randrange(3)) for _ in range(tried))
        attempts += [Attempt(position, chosen.randrange(JOBS), outcome) for outcome in outcomes]
    return attempts[:count]


def recorded(attempts):
    """The recorder that was given them all."""
    recorder = AttemptRecorder()
    recorder.extend(rows_of(attempts))
    return recorder


def rows_of(attempts):
    """Attempts as the loop hands them on."""
    return np.array(attempts, dtype=np.int32).reshape(-1, 3)


@pytest.mark.parametrize("count", [0, 1, 100, 4095, 4096, 4097, 30_000])
def test_attempts_are_read_as_they_were_recorded(count):
    """One by one, by their place from either end, at a position, and of a job."""
    attempts = made(count)
    kept = recorded(attempts).attempts()
    assert len(kept) == count
    assert list(kept) == attempts
    assert kept[-3:] == attempts[-3:]
    assert kept.nbytes < 12 * count + 100
    last = attempts[-1].position if attempts else 5
    for position in {0, *random.Random(1).choices(range(last + 2), k=50), last}:
        numbers = kept.at(position)
        assert [attempts[n] for n in numbers] == [one for one in attempts if one.position == position]
        assert numbers.start == sum(one.position < position for one in attempts)
    for job in (0, JOBS - 1):
        numbers = [n for n, attempt in enumerate(attempts) if attempt.job == job]
        assert kept.of(job, 0, last) == numbers
        if numbers:
            first, latest = attempts[numbers[0]].position, attempts[numbers[-1]].position
            assert kept.of(job, first, latest) == numbers


def test_what_was_published_stays_as_it_was():
    """Later ones are in later publications alone; one block may end within a time."""
    attempts = made(9000)
    recorder = recorded(attempts[:5000])
    published = recorder.attempts()
    recorder.extend(rows_of(attempts[5000:5001]))
    recorder.extend(rows_of(attempts[5001:]))
    assert list(published) == attempts[:5000]
    assert list(recorder.attempts()) == attempts
    waits, placed = AttemptOutcome.WAITS, AttemptOutcome.PLACED
    before = [(number, 0, waits) for number in range(_BLOCK - 1)]
    attempts = recorded(before + [(_BLOCK, 7, outcome) for outcome in (waits, waits, placed)]).attempts()
    expected = [_BLOCK - 1, _BLOCK, _BLOCK + 1]
    assert attempts.of(7, _BLOCK, _BLOCK) == expected
    assert list(attempts.at(_BLOCK)) == expected
    assert [attempts[number].outcome for number in expected] == [waits, waits, placed]
    assert attempts.next_with(placed, 0) == _BLOCK + 1


def test_the_next_attempt_with_an_outcome_is_found_and_there_is_no_attempt_behind_the_last():
    """From any number on, of any job or of one, across blocks; none behind the last."""
    attempts = made(9000)
    kept = recorded(attempts).attempts()
    for first in (0, 1, 4095, 4096, 4100, 8999):
        for job in (None, 0, 7):
            for outcome in AttemptOutcome:
                fits = (
                    n
                    for n, one in enumerate(attempts)
                    if n >= first and one.outcome == outcome and job in {None, one.job}
                )
                assert kept.next_with(outcome, first, job) == next(fits, None)
    with pytest.raises(IndexError):
        recorded(made(3)).attempts()[3]
    with pytest.raises(IndexError):
        Attempts()[0]

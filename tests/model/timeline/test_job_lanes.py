"""The lanes of jobs: a bar for each time on the machine, without overlaps."""

import numpy as np
import pytest

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.simulation import simulate
from meshgui.model.timeline.job_lanes import JobLanes, job_spans
from meshgui.model.timeline.run_curves import RunCurves
from tests.runs import first_events, run_of
from tests.scenarios import scenario_of


@pytest.fixture(scope="module")
def recording():
    """A thousand jobs."""
    return run_of()


def test_bars_in_a_lane_do_not_overlap_and_lanes_stay_as_the_run_goes_on(recording):
    """A job starts when the one before has finished; followed piece by piece, lanes stay."""
    lanes = JobLanes()
    lanes.follow(recording)
    jobs, start, finish, *_ = job_spans(recording, 0.0, recording.end_time)
    assert len(jobs) == 1000
    for lane in range(lanes.count):
        own = lanes.lane[jobs] == lane
        order = np.argsort(start[own], kind="stable")
        assert (start[own][order][1:] >= finish[own][order][:-1]).all()
    assert lanes.count == max(len(recording.snapshot(n).running) for n in range(len(recording) + 1))
    whole, piecemeal = JobLanes(), JobLanes()
    whole.follow(recording)
    piecemeal.follow(run_of(seed=7))
    for count in (*range(0, len(recording), 331), len(recording)):
        piecemeal.follow(first_events(recording, count))
    piecemeal.follow(recording)
    assert piecemeal.count == whole.count
    assert (piecemeal.lane == whole.lane).all()


def test_a_job_still_running_reaches_to_where_the_run_has_got(recording):
    """A bar ends at the last event; columns count every event once, the last one included."""
    part = first_events(recording, 500)
    jobs, _, finish, *_ = job_spans(part, 0.0, part.end_time)
    running = part.snapshot(500).running
    assert len(running)
    assert (finish[np.isin(jobs, running)] == part.end_time).all()
    curves = RunCurves(recording)
    readings = [curves.readings(position) for position in range(len(recording) + 1)]
    for position, reading in list(enumerate(readings))[::10]:
        snapshot = recording.snapshot(position)
        assert reading.in_use == pytest.approx(100 * snapshot.utilization)
        assert (reading.waiting, reading.running) == (len(snapshot.queue), len(snapshot.running))
    assert curves.most == tuple(max(values) for values in zip(*readings, strict=True))
    curves = RunCurves(recording)
    edges = np.linspace(0.0, recording.end_time, 801)
    for kind in EventKind:
        counts, jobs = curves.event_columns(kind, edges)
        assert counts.sum() == (recording.kinds == kind).sum()
        for column in np.flatnonzero(counts).tolist():
            events = np.flatnonzero((recording.kinds == kind) & (recording.event_jobs == jobs[column]))
            assert edges[column] <= recording.times[events[0]] <= edges[column + 1]


def test_a_job_has_a_bar_for_each_time_on_the_machine():
    """One that a failure has cut off says so, and stays in its lane."""
    rows = [{"arrival": 0, "size": [2, 1], "service": 5}, {"arrival": 0, "size": [1, 1], "service": 9}]
    machine = {"failures": [{"node": [0, 0], "from": 2, "until": 3}]}
    recording = simulate(scenario_of((4, 1), rows, machine=machine))
    spans, lanes = job_spans(recording, 0.0, recording.end_time), JobLanes()
    lanes.follow(recording)
    bars = zip(spans.jobs, spans.start, spans.finish, spans.hit, lanes.of(spans), strict=True)
    assert [tuple(bar) for bar in bars] == [(0, 0, 2, True, 0), (0, 3, 8, False, 0), (1, 0, 9, False, 1)]

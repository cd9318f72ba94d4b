"""The lanes of jobs, the layout of trees, and signals."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.inspection import NodeKind, TreeNode
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.simulation import simulate
from meshgui.model.base.signals import Signal
from meshgui.model.timeline.job_lanes import JobLanes, job_spans
from meshgui.model.timeline.run_curves import RunCurves
from meshgui.views.inspector.tree_layout import tidy
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


def fail(fault: BaseException):
    """A listener that raises."""

    def listener(_value: int) -> None:
        raise fault

    return listener


ONE, TWO = ZeroDivisionError("one"), KeyError("two")


@pytest.mark.parametrize(
    ("faults", "raised", "heard"),
    [
        ([ONE], ZeroDivisionError, [7]),
        ([ONE, TWO], ExceptionGroup, [7, 7]),
        ([KeyboardInterrupt()], KeyboardInterrupt, []),
    ],
    ids=["one", "several", "an interrupt"],
)
def test_a_listener_that_raises_keeps_no_other_from_hearing(faults, raised, heard):
    """Its error is raised once all others were called, those of several together; Ctrl+C ends all at once."""
    signal: Signal[[int]] = Signal()
    seen: list[int] = []
    for fault in faults:
        signal.connect(fail(fault))
        signal.connect(seen.append)
    with pytest.raises(raised) as caught:
        signal.emit(7)
    assert list(getattr(caught.value, "exceptions", [caught.value])) == faults
    assert seen == heard


GAP = 3.0


def nodes_of(parents):
    """A tree from the parent of each node, by its place."""
    return [TreeNode(key, parent, NodeKind.FREE, "") for key, parent in enumerate(parents)]


@st.composite
def trees(draw):
    """Trees and forests of up to forty nodes, each with a width."""
    count = draw(st.integers(1, 40))
    parents = [draw(st.one_of(st.none(), st.integers(0, key - 1))) if key else None for key in range(count)]
    return nodes_of(parents), draw(st.lists(st.integers(1, 30), min_size=count, max_size=count))


@given(trees())
def test_no_node_comes_closer_to_its_neighbour_than_the_gap(tree):
    """On each level nodes keep their order and their distance, and nothing lies left of 0."""
    nodes, widths = tree
    spots = tidy(nodes, lambda node: widths[node.key], GAP)
    levels = {}
    for node in nodes:
        spot = spots[node.key]
        assert spot.x - widths[node.key] / 2 > -1e-6
        levels.setdefault(spot.level, []).append((spot.x, widths[node.key]))
    for row in levels.values():
        row.sort()
        for (x, width), (after, after_width) in pairwise(row):
            assert after - after_width / 2 - (x + width / 2) > GAP - 1e-6


@given(trees())
def test_a_node_stands_in_the_middle_of_its_children_one_level_above_them(tree):
    """Children stand from left to right as they are listed."""
    nodes, widths = tree
    spots = tidy(nodes, lambda node: widths[node.key], GAP)
    for node in nodes:
        below = [spots[child.key] for child in nodes if child.parent == node.key]
        if below:
            assert abs(spots[node.key].x - (below[0].x + below[-1].x) / 2) < 1e-6
            assert {spot.level for spot in below} == {spots[node.key].level + 1}
            assert sorted(below) == below


def test_several_roots_stand_side_by_side():
    """Each with its own tree below it; a tree may be a chain."""
    spots = tidy(nodes_of([None, 0, 0, None]), lambda _node: 10, GAP)
    assert [spots[key].level for key in range(4)] == [0, 1, 1, 0]
    assert spots[3].x > spots[0].x
    spots = tidy(nodes_of([None, *range(1499)]), lambda _node: 10, GAP)
    assert spots[1499].level == 1499
    assert {spot.x for spot in spots.values()} == {5.0}


def test_a_job_has_a_bar_for_each_time_on_the_machine():
    """One that a failure has cut off says so, and stays in its lane."""
    rows = [{"arrival": 0, "size": [2, 1], "service": 5}, {"arrival": 0, "size": [1, 1], "service": 9}]
    machine = {"failures": [{"node": [0, 0], "from": 2, "until": 3}]}
    recording = simulate(scenario_of((4, 1), rows, machine=machine))
    spans, lanes = job_spans(recording, 0.0, recording.end_time), JobLanes()
    lanes.follow(recording)
    bars = zip(spans.jobs, spans.start, spans.finish, spans.hit, lanes.of(spans), strict=True)
    assert [tuple(bar) for bar in bars] == [(0, 0, 2, True, 0), (0, 3, 8, False, 0), (1, 0, 9, False, 1)]

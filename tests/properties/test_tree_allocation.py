"""What 004 promises of Tree Allocation and EAFR, over random lists of jobs run by the event loop."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.tree_allocation_kernel import (
    CHILD,
    JOB,
    NONE,
    PARENT,
    PLANNED,
    PROMISED,
    RTIME,
    D,
    W,
    X,
    Y,
)
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.recording import NEVER
from meshgui.engine.runs.simulation import simulate
from tests.scale import cases
from tests.scenarios import PLANNERS, listed, scenario_of

pytestmark = pytest.mark.kernel


@st.composite
def runs(draw, eafr=None, schedulers=("fcfs", "ssd", "ooo", *PLANNERS, "sjf", "ljf", "lcfs"), most=25):
    """A run of Tree Allocation on a small mesh, crowded enough for reservations."""
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    size = st.tuples(*(st.integers(1, n) for n in shape))
    time = st.one_of(st.integers(0, 12), st.floats(0, 12, allow_nan=False))
    service = st.one_of(st.integers(0, 6), st.floats(0, 9, allow_nan=False))
    jobs = draw(st.lists(st.tuples(time, size, service), min_size=1, max_size=most))
    search = draw(st.sampled_from(["best", "breadth-first"]))
    reserving = draw(st.booleans()) if eafr is None else eafr
    allowed = [name for name in schedulers if not (reserving and name in PLANNERS)]
    return simulate(
        listed(
            shape, jobs, "ta", {"name": draw(st.sampled_from(allowed))}, {"search": search, "eafr": reserving}
        )
    )


def trees(recording):
    """Every event, and the state after it."""
    for position in range(1, len(recording) + 1):
        yield recording.event(position - 1), recording.state_at(position)


def used(state):
    """The rows that are nodes."""
    return np.flatnonzero(state["nodes"][:, W] != NONE).tolist()


@cases(150)
@given(recording=runs(eafr=True))
def test_no_reserved_job_starts_later_than_promised(recording):
    """What is let in below a reserved node is gone when the node is to come free."""
    promises = {}
    for event, state in trees(recording):
        if event.kind == EventKind.RESERVE:
            [q] = np.flatnonzero(state["nodes"][:, PROMISED] == event.job)
            promises[event.job] = float(state["times"][q, RTIME])
    for job, promised in promises.items():
        assert float(recording.times[recording.started[job]]) <= promised


@cases(150)
@given(recording=runs())
def test_every_job_runs(recording):
    """Theorem 1: no job starves; all that were reserved for or waited have started and left."""
    assert recording.complete
    rejected = recording.kinds[recording.ended] == EventKind.REJECT
    assert np.all((recording.started != NEVER) | rejected)
    assert recording.strategy_at(len(recording)).capture()["nodes"].tolist() == [
        [0, 0, *recording.mesh.extents[:2], NONE, NONE, NONE, NONE]
    ]


@cases(100)
@given(recording=runs())
def test_the_leaves_tile_the_mesh_with_what_is_held(recording):
    """Children make up their parent, no two free siblings lie unjoined, and jobs hold what they got."""
    for position, (_, state) in enumerate(trees(recording), 1):
        nodes = state["nodes"]
        count = np.zeros(recording.mesh.extents[:2], dtype=int)
        held = {}
        for q in used(state):
            x, y, w, d = nodes[q, :PARENT].tolist()
            child = nodes[q, CHILD]
            if child == NONE:
                count[x : x + w, y : y + d] += 1
                if nodes[q, JOB] != NONE:
                    held[int(nodes[q, JOB])] = (x, y, 0, w, d, 1)
                continue
            left, right = nodes[child], nodes[child + 1]
            assert left[PARENT] == right[PARENT] == q
            assert nodes[q, JOB] == NONE
            assert left[W] * left[D] + right[W] * right[D] == w * d
            assert (left[X], left[Y]) == (x, y)
            leaves = all(n[CHILD] == n[JOB] == n[PROMISED] == NONE for n in (left, right))
            assert not leaves
        assert (count == 1).all()
        shown = recording.snapshot(position)
        assert held == {j: tuple(b) for j, b in zip(shown.owners.tolist(), shown.boxes.tolist(), strict=True)}


@cases(100)
@given(recording=runs())
def test_ready_times_are_exact(recording):
    """A job's end on its leaf, 0 on a free one, and above the latest of all that is held or planned below."""
    jobs = recording.jobs
    planned = {}
    for event, state in trees(recording):
        nodes, times = state["nodes"], state["times"]
        if event.kind == EventKind.RESERVE:
            [q] = np.flatnonzero(nodes[:, PROMISED] == event.job)
            planned[event.job] = times[q, RTIME] + jobs.service[event.job]
        for q in used(state):
            child, job, promised = nodes[q, CHILD], nodes[q, JOB], nodes[q, PROMISED]
            if child != NONE:
                assert times[q, RTIME] == times[child : child + 2].max()
            elif job != NONE:
                assert times[q, RTIME] == recording.times[recording.started[job]] + jobs.service[job]
            else:
                assert times[q, RTIME] == 0
            assert times[q, PLANNED] == (0 if promised == NONE else planned[promised])


@cases(150)
@given(recording=runs())
def test_the_number_of_nodes_is_bounded(recording):
    """Lemma 1: 2 N_B - 1 at the least; at most 4 N_B + 1 until a job leaves, then 4 a start."""
    started = finished = 0
    for event, state in trees(recording):
        count = len(used(state))
        busy = int((state["nodes"][:, JOB] != NONE).sum())
        started += event.kind == EventKind.START
        finished += event.kind == EventKind.FINISH
        assert 2 * busy - 1 <= count <= 4 * started + 1
        assert count <= 2 * recording.mesh.processors - 1
        if not finished:
            assert count <= 4 * busy + 1


@cases(100)
@given(recording=runs(eafr=True, schedulers=("fcfs",)))
def test_a_job_passes_another_only_by_a_reservation(recording):
    """First come, first served: jobs start or reserve in the order in which they arrive."""
    served = np.minimum(recording.started, recording.reserved)
    turns = [int(turn) for turn in served if turn != NEVER]
    assert all(one < other for one, other in pairwise(turns))


@pytest.mark.parametrize("search", ["best", "breadth-first"])
@pytest.mark.parametrize("eafr", [False, True])
def test_key_frames_hold_what_replaying_leads_to(search, eafr):
    """Doing the events again from the start gives the run's own states, down to the numbers of the nodes."""
    recording = simulate(
        scenario_of(
            (16, 16),
            {
                "kind": "stochastic",
                "jobs": 400,
                "load": 1.5,
                "sides": {"kind": "uniform", "low": 1, "high": 6},
                "service": {"kind": "exponential", "mean": 8.0},
            },
            "ta",
            {"search": search, "eafr": eafr},
        )
    )
    bare = replace(recording, key_frames=())
    assert len(recording.key_frames) > 3
    assert (np.count_nonzero(recording.kinds == EventKind.RESERVE) > 20) == eafr
    for frame in recording.key_frames:
        again = bare.state_at(frame.position)
        assert {key: array.tolist() for key, array in again.items()} == {
            key: array.tolist() for key, array in frame.state.items()
        }

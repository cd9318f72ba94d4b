"""Reservations, and how far jobs are spread over the machine."""

from itertools import combinations, product
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.kinds import AttemptOutcome, EventKind
from meshgui.engine.runs.measures import summary
from meshgui.engine.runs.queue_heads import queue_heads
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.runs.spread import dispersals, mean_pairwise_distances
from tests.properties.test_tree_allocation import runs
from tests.scale import cases
from tests.scenarios import listed, scenario_of


@pytest.mark.kernel
@cases(100)
@given(recording=runs(eafr=True))
def test_who_waits_for_a_reserved_box_is_who_has_reserved_and_not_started(recording):
    """At every position, the oldest reservation first; the queue's head is the first of the others.

    Each came to a reservation in an attempt.
    """
    reserved, heads = [], queue_heads(recording)
    for position in range(len(recording) + 1):
        event = recording.event(position - 1) if position else None
        if event is not None and event.kind == EventKind.RESERVE:
            reserved.append(event.job)
        elif event is not None and event.kind == EventKind.START and event.job in reserved:
            reserved.remove(event.job)
        assert recording.reserved_at(position).tolist() == reserved
        snapshot = recording.snapshot(position)
        assert snapshot.reserved.tolist() == reserved
        if position:
            others = [job for job in snapshot.queue.tolist() if job not in reserved]
            assert heads[position - 1] == (others[0] if others else -1)
    came_to = [attempt.outcome for attempt in recording.attempts]
    assert came_to.count(AttemptOutcome.RESERVED) == np.count_nonzero(recording.kinds == EventKind.RESERVE)
    assert came_to.count(AttemptOutcome.PLACED) == np.count_nonzero(recording.kinds == EventKind.START)


def test_a_job_with_a_reservation_is_no_head_for_which_processors_stay_idle():
    """Seven processors are free from 1 to 10, and the job that asked for six has left the queue."""
    of = listed((4, 4), [(0, (3, 3), 10), (1, (3, 2), 5)], "ta", options={"eafr": True})
    recording = simulate(of)
    assert EventKind.RESERVE in recording.kinds
    assert summary(recording)["external_fragmentation"] == 0


@pytest.mark.kernel
def test_what_was_reserved_is_given_before_the_queue_is_offered_anything():
    """When the machine comes free, the job with the reservation is asked for first."""
    jobs = [{"arrival": at, "size": [2, 1], "service": 5} for at in range(3)]
    of = scenario_of((2, 1), jobs, "ta", {"eafr": True})
    recording = simulate(of)
    assert [attempt.job for attempt in recording.attempts][:5] == [0, 1, 2, 1, 2]


class Promising(strategies()["ff"]):
    """First Fit that promises job 1 the corner; what it calls due is up to the test."""

    id = "promising"
    called_due = ()

    def allocate(self, request, log=None):
        if request.job == 1:
            return Reservation(Box(0, 0, 0, 1, 1, 1))
        return super().allocate(request, log)

    def due(self):
        return self.called_due


@pytest.mark.parametrize(
    ("called_due", "complaint"),
    [
        ((), "could not place job 1 on the empty machine"),
        ((0,), "which are not all jobs it reserved for"),
        ((1,), "did not give job 1 what it had reserved for it"),
    ],
)
def test_a_strategy_must_keep_what_it_has_promised(monkeypatch, called_due, complaint):
    """A reservation that never comes due, a job due that has none, or none given when due: the run stops."""
    broken = type("Broken", (Promising,), {"called_due": called_due})
    monkeypatch.setitem(strategies(), "promising", broken)
    jobs = [(0, (1, 1), 3), (1, (1, 1), 1), (2, (1, 1), 1)]
    with pytest.raises(StrategyError, match=complaint):
        simulate(listed((4, 4), jobs, "promising"))


def test_many_boxes_of_a_job_must_lie_apart(monkeypatch):
    """The same processor twice among nine boxes is a fault, though all were free."""

    class Twice(strategies()["ff"]):
        id = "twice"

        def allocate(self, request, log=None):
            del log
            return tuple(Box(min(x, request.size[0] - 2), 0, 0, 1, 1, 1) for x in range(9))

    monkeypatch.setitem(strategies(), "twice", Twice)
    with pytest.raises(StrategyError, match="part of which is held already"):
        simulate(listed((10, 1), [(0, (9, 1), 1)], "twice"))


@pytest.mark.kernel
def test_an_attempt_with_draws_is_repeated_with_the_same_draws():
    """The request made again from the recording has the run's seed, so the lots fall as they did."""
    recording = simulate(listed((4, 4), [(n, (3, 1), 2) for n in range(6)], "random"), seed=77)
    for number, attempt in enumerate(recording.attempts):
        assert recording.trace(number).boxes == recording.boxes_of(attempt.job)


def test_a_strategy_that_answers_otherwise_when_asked_again_is_found_out(monkeypatch):
    """A step view of an attempt that did not happen so is refused."""

    class Fickle(strategies()["ff"]):
        id = "fickle"
        asked = 0

        def allocate(self, request, log=None):
            if log is not None:
                return None
            return super().allocate(request, log)

    monkeypatch.setitem(strategies(), "fickle", Fickle)
    recording = simulate(listed((4, 4), [(0, (1, 1), 1)], "fickle"))
    with pytest.raises(StrategyError, match="answered differently"):
        recording.trace(0)


SIDES = st.integers(1, 3)
MESH = Mesh((12, 11, 12))
TORUS = Mesh((12, 11, 12), (True, True, False))


def rows_of(jobs: list[tuple[Box, ...]]) -> tuple[np.ndarray, np.ndarray]:
    """The boxes of jobs as the engine has them: rows, and how many each job has."""
    rows = np.array([box for boxes in jobs for box in boxes], dtype=np.int64).reshape(-1, 6)
    return rows, np.array([len(boxes) for boxes in jobs], dtype=np.int64)


def dispersal(boxes: tuple[Box, ...], mesh: Mesh = MESH) -> float:
    """The dispersal of one job."""
    return float(dispersals(*rows_of([boxes]), mesh)[0])


def mean_pairwise_distance(boxes: tuple[Box, ...], mesh: Mesh = MESH) -> float:
    """The mean pairwise distance of one job."""
    return float(mean_pairwise_distances(*rows_of([boxes]), mesh)[0])


@st.composite
def separate_boxes(draw: st.DrawFn) -> tuple[Box, ...]:
    """One to four boxes that do not overlap: each in a 4×4×4 cell of its own."""
    cells = draw(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=4, unique=True))
    return tuple(Box(4 * x, 4 * y, 4 * z, draw(SIDES), draw(SIDES), draw(SIDES)) for x, y, z in cells)


def nodes(boxes: tuple[Box, ...]) -> list[tuple[int, ...]]:
    """Every processor of the boxes."""
    return [
        node
        for box in boxes
        for node in product(*(range(b, b + n) for b, n in zip(box.base, box.size, strict=True)))
    ]


@given(separate_boxes())
def test_dispersal_is_the_share_of_the_enclosing_box_not_held(boxes: tuple[Box, ...]):
    """Counted node by node in the smallest enclosing box (001 §3.4.1)."""
    held = nodes(boxes)
    enclosing = list(product(*(range(min(axis), max(axis) + 1) for axis in zip(*held, strict=True))))
    assert dispersal(boxes) == pytest.approx(len(set(enclosing) - set(held)) / len(enclosing))


@given(separate_boxes())
def test_pairwise_distance_is_the_mean_over_all_pairs(boxes: tuple[Box, ...]):
    """Every pair's hops, one by one."""
    pairs = list(combinations(nodes(boxes), 2))
    hops = [sum(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in pairs]
    assert mean_pairwise_distance(boxes) == pytest.approx(sum(hops) / len(hops) if hops else 0.0)


@pytest.mark.parametrize("at_once", [1, 1 << 20])
@given(st.lists(separate_boxes(), max_size=6))
def test_all_jobs_at_once_are_each_as_alone(at_once: int, jobs: list[tuple[Box, ...]]):
    """Whatever stands before and after it, and however few are taken at a time, its figures are its own."""
    rows, counts = rows_of(jobs)
    with patch("meshgui.engine.runs.spread._CELLS_AT_ONCE", at_once):
        for mesh in (MESH, TORUS):
            assert dispersals(rows, counts, mesh).tolist() == [dispersal(boxes, mesh) for boxes in jobs]
            assert mean_pairwise_distances(rows, counts, mesh).tolist() == [
                mean_pairwise_distance(boxes, mesh) for boxes in jobs
            ]


@given(separate_boxes())
def test_around_a_ring_distances_are_those_of_the_shorter_way(boxes: tuple[Box, ...]):
    """Every pair's hops, one by one; and the enclosing box is the smallest at any base, across seams too."""
    held = nodes(boxes)
    sides, rings = TORUS.extents, TORUS.rings
    hops = [
        sum(
            min(abs(a - b), side - abs(a - b)) if ring else abs(a - b)
            for a, b, side, ring in zip(*pair, sides, rings, strict=True)
        )
        for pair in combinations(held, 2)
    ]
    expected = sum(hops) / len(hops) if hops else 0.0
    assert mean_pairwise_distance(boxes, TORUS) == pytest.approx(expected)
    enclosing = 1
    for axis, (side, ring) in enumerate(zip(sides, rings, strict=True)):
        at = {node[axis] for node in held}
        bases = range(side) if ring else [min(at)]
        enclosing *= min(1 + max((place - base) % side for place in at) for base in bases)
    assert dispersal(boxes, TORUS) == pytest.approx((enclosing - len(held)) / enclosing)

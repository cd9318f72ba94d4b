"""Gen-Algorithm against 000 §2.2.2: small average pairwise distance, exactly the processors asked for."""

from itertools import combinations
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.genalg import GenAlgorithm
from meshgui.engine.allocation.genalg_kernel import PART, SCORE, sum_of_distances
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.steps import Mark, Role, Step
from meshgui.engine.basics.geometry import Box, Mesh
from tests.scale import cases

pytestmark = pytest.mark.kernel


def total(nodes):
    """The sum of hops between all pairs."""
    return sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in combinations(nodes, 2))


def at_work(shape, *busy):
    """Gen-Algorithm on a mesh of which some processors are held."""
    working = GenAlgorithm(Mesh(shape))
    for job, (x, y) in enumerate(busy, start=100):
        working.replay(Request(job, (1, 1, 1)), (Box(x, y, 0, 1, 1, 1),))
    return working


def given_to(working, asked, job=1):
    """The processors a job gets."""
    return [box.base[:2] for box in working.allocate(Request(job, (asked, 1, 1)))]


def test_five_processors_are_as_close_as_can_be():
    """The corner, the two beside it and the first two beyond: 16 hops in all, and no five are closer."""
    nodes = given_to(at_work((4, 4)), 5)
    assert nodes == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)]
    every = [(x, y) for x in range(4) for y in range(4)]
    assert total(nodes) == min(map(total, combinations(every, 5))) == 16


def test_it_can_miss_the_closest_set():
    """No centre has a 2×2 square for its nearest, so four processors of an empty mesh are 9 apart, not 8."""
    nodes = given_to(at_work((4, 4)), 4)
    assert total(nodes) == 9
    assert total([(0, 0), (1, 0), (0, 1), (1, 1)]) == 8


def test_a_tight_corner_is_found_behind_busy_processors():
    """Of two free regions the one whose processors are closer together is taken, not the first in order."""
    scattered = {(0, 0), (2, 0), (4, 0)}
    together = {(3, 3), (4, 3), (4, 4)}
    busy = [(x, y) for y in range(5) for x in range(5) if (x, y) not in scattered | together]
    assert set(given_to(at_work((5, 5), *busy), 3)) == together


def test_the_first_centre_wins_among_equals():
    """Two by themselves at each end of a row: the pair at the left."""
    busy = [(2, 0), (3, 0)]
    assert given_to(at_work((6, 1), *busy), 2) == [(0, 0), (1, 0)]


@cases(40)
@given(data=st.data())
def test_it_is_less_than_twice_the_least(data):
    """Against all sets of so many free processors: a set around its best member cannot be far from it."""
    every = [(x, y) for y in range(3) for x in range(4)]
    busy = data.draw(st.lists(st.sampled_from(every), unique=True, max_size=6))
    free = [node for node in every if node not in busy]
    asked = data.draw(st.integers(2, min(len(free), 6)))
    nodes = given_to(at_work((4, 3), *busy), asked)
    assert set(nodes) <= set(free)
    assert total(nodes) < 2 * min(map(total, combinations(free, asked)))


@cases(15)
@given(data=st.data())
def test_it_always_gives_the_number_asked_for(data):
    """As long as so many are free, in whatever places, and never otherwise."""
    working, free, present = GenAlgorithm(Mesh((5, 4))), 20, []
    for job in range(data.draw(st.integers(5, 20))):
        if present and data.draw(st.booleans()):
            gone, count = present.pop(data.draw(st.integers(0, len(present) - 1)))
            working.release(gone)
            free += count
        asked = data.draw(st.integers(1, 20))
        boxes = working.allocate(Request(job, (asked, 1, 1)))
        assert (boxes is not None) == (asked <= free)
        if boxes is not None:
            assert len(set(boxes)) == asked
            present.append((job, asked))
            free -= asked


def test_large_meshes_do_not_overflow():
    """All of 128×128: an axis adds 128² × (128³ − 128) / 6 hops, together more than 32 bits hold."""
    side = 128
    hops = 2 * side**2 * (side**3 - side) // 6
    assert hops > 2**32
    assert 2 * sum_of_distances(np.full(side, side)) == hops
    working = GenAlgorithm(Mesh((side, side)))
    mark = Mark(Role.TRIED, Box(0, 0, 0, 1, 1, 1), (hops // PART, hops % PART, side * side))
    words = working.words(Step(SCORE, (mark,)), Moment(working.capture()))
    average = hops / (side**2 * (side**2 - 1) / 2)
    assert words["score"] == f"Their pairs are {hops} hops apart in all: {average:.2f} on average."


def test_the_scores_are_shown_as_heat():
    """After the last centre every free processor has its average, in hundredths of a hop."""
    working = at_work((3, 2), (1, 0))
    trace = working.trace(Request(1, (3, 1, 1)))
    inspection = working.inspect(Moment(trace.before, trace.request, trace.steps))
    # The corners at y = 0 take each other: 1 + 2 + 3 hops over 3 pairs. All others have 1 + 1 + 2.
    assert inspection.heat.values[0].tolist() == [[200, -1, 200], [133, 133, 133]]
    assert prod(inspection.heat.values.shape) == 6


def test_work_grows_with_centres_times_their_reach():
    """Every free processor as a centre, and each looks at what it passes and what it takes."""
    working = at_work((3, 1), (1, 0))
    working.operations = 0
    assert given_to(working, 2) == [(0, 0), (2, 0)]
    processors, passed, counted = 3, 3 + 3, 2 + 2
    assert working.operations == processors + passed + counted

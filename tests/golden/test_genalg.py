"""Gen-Algorithm against 000 §2.2.2: small average pairwise distance, exactly the processors asked for."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.genalg_kernel import PART, SCORE, sum_of_distances
from meshgui.engine.allocation.inspection import Moment
from meshgui.engine.allocation.steps import Mark, Role, Step
from tests.attempts import ask, at_work, box
from tests.scale import cases

pytestmark = pytest.mark.kernel


def total(nodes):
    """The sum of hops between all pairs."""
    return sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in combinations(nodes, 2))


def genalg(shape, *busy):
    """Gen-Algorithm on a mesh of which some processors are held."""
    return at_work("genalg", shape, *((x, y, 1) for x, y in busy))


def given_to(working, asked):
    """The processors a job gets."""
    return [node.base[:2] for node in ask(working, asked)]


def test_five_processors_are_as_close_as_can_be():
    """16 hops, and no five are closer; of two free regions the closer together."""
    nodes = given_to(genalg((4, 4)), 5)
    assert nodes == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)]
    assert total(nodes) == min(map(total, combinations(product(range(4), repeat=2), 5))) == 16
    assert total(given_to(genalg((4, 4)), 4)) == 9
    assert total([(0, 0), (1, 0), (0, 1), (1, 1)]) == 8
    assert given_to(genalg((6, 1), (2, 0), (3, 0)), 2) == [(0, 0), (1, 0)]
    scattered = {(0, 0), (2, 0), (4, 0)}
    together = {(3, 3), (4, 3), (4, 4)}
    busy = set(product(range(5), repeat=2)) - scattered - together
    assert set(given_to(genalg((5, 5), *busy), 3)) == together
    working = genalg((3, 1), (1, 0))
    working.operations = 0
    assert given_to(working, 2) == [(0, 0), (2, 0)]
    processors, passed, counted = 3, 3 + 3, 2 + 2
    assert working.operations == processors + passed + counted


@cases(40)
@given(data=st.data())
def test_it_is_less_than_twice_the_least(data):
    """Against all sets of as many free processors: a set around its best member cannot be far from it."""
    every = list(product(range(4), range(3)))
    busy = data.draw(st.lists(st.sampled_from(every), unique=True, max_size=6))
    free = [node for node in every if node not in busy]
    asked = data.draw(st.integers(2, min(len(free), 6)))
    nodes = given_to(genalg((4, 3), *busy), asked)
    assert set(nodes) <= set(free)
    assert total(nodes) < 2 * min(map(total, combinations(free, asked)))


def test_large_meshes_do_not_overflow():
    """All of 128×128: an axis adds 128² × (128³ − 128) / 6 hops, together more than 32 bits hold."""
    side = 128
    hops = 2 * side**2 * (side**3 - side) // 6
    assert hops > 2**32
    assert 2 * sum_of_distances(np.full(side, side)) == hops
    working = genalg((side, side))
    mark = Mark(Role.TRIED, box(0, 0, 1), (hops // PART, hops % PART, side * side))
    words = working.words(Step(SCORE, (mark,)), Moment(working.capture()))
    average = hops / (side**2 * (side**2 - 1) / 2)
    assert words["score"] == f"Their pairs are {hops} hops apart in all: {average:.2f} on average."

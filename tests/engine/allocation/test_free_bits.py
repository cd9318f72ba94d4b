"""Searches by bits where a line of processors needs more than one word of them."""

import random

import pytest

from meshgui.bench.first_fit import CountingFirstFit
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.free_bits import WORD, ones, ones_and_places
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh
from tests.twins import best_fit, first_fit

pytestmark = pytest.mark.kernel

TWINS = best_fit.TWINS | first_fit.TWINS
WIDE = [(70, 3), (64, 2), (2, 2, 40)]


def story(mesh, seed):
    """Requests with sides of all lengths, each with the jobs that leave after it."""
    chosen = random.Random(seed)
    jobs = []
    for job in range(24):
        size = tuple(chosen.randint(1, chosen.choice((min(side, 4), side))) for side in mesh.extents)
        jobs.append(job)
        leaving = [jobs.pop(chosen.randrange(len(jobs)))] if chosen.random() < 0.4 else []
        yield Request(job, size), leaving


@pytest.mark.parametrize("shape", WIDE)
@pytest.mark.parametrize("name", ["ff", "bf"])
def test_the_box_is_the_naive_twins_across_words(name, shape):
    """Bases, neighbours and free regions go on in the next word."""
    mesh = Mesh(shape)
    for seed in range(3):
        working = strategy(name)(mesh)
        twin = TWINS[name].make(mesh.extents, mesh.dims == 2, {})
        for request, leaving in story(mesh, seed):
            given, expected = working.allocate(request), twin.allocate(request.job, request.size)
            assert (given and [tuple(box) for box in given]) == expected
            for job in leaving:
                working.release(job)
                twin.release(job)


@pytest.mark.parametrize("shape", WIDE)
def test_the_operations_are_those_of_a_plain_count_across_words(shape):
    """Also where the box of a free processor reaches beyond the mesh."""
    mesh = Mesh(shape)
    working, counting = FirstFit(mesh), CountingFirstFit(mesh)
    for request, leaving in story(mesh, 7):
        assert working.allocate(request) == counting.allocate(request)
        assert working.operations == counting.operations
        for job in leaving:
            working.release(job)
            counting.release(job)


def test_bits_are_counted_and_their_places_added():
    """In words with none, all and some of them."""
    chosen = random.Random(9)
    for word in (0, (1 << WORD) - 1, 1 << WORD - 1, *(chosen.getrandbits(WORD) for _ in range(200))):
        places = [place for place in range(WORD) if word >> place & 1]
        assert ones(word) == len(places)
        assert ones_and_places(word) == (len(places), sum(places))

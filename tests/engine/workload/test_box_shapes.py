"""The boxes of a number of processors, and the jobs that are drawn."""

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from meshgui.engine.basics.geometry import Mesh, orientations
from meshgui.engine.workload.box_shapes import boxes_for, most_square, most_square_that_fits
from meshgui.engine.workload.generator import _powers_of_two
from meshgui.engine.workload.spec import StochasticWorkload

_SHAPES = st.one_of(
    st.tuples(st.integers(1, 20), st.integers(1, 20)),
    st.tuples(st.integers(1, 8), st.integers(1, 8), st.integers(1, 8)),
)


def boxes(sides):
    """All boxes with sides up to the given ones, in three dimensions."""
    return [(*box, 1)[:3] for box in product(*(range(1, side + 1) for side in sides))]


def least_sides(candidates):
    """The sides of the most square among boxes."""
    return min((sum(box), max(box), sorted(box)) for box in candidates)[2]


def lies_along(size, mesh):
    """Whether longer sides lie along longer sides of the mesh, and along x before y before z."""
    ranked = sorted(range(mesh.dims), key=lambda axis: (-mesh.shape[axis], axis))
    along = [size[axis] for axis in ranked]
    return along == sorted(along, reverse=True)


@given(_SHAPES, st.integers(1, 150))
def test_most_square_is_the_least_of_all_boxes_of_so_many(shape, processors):
    """Whether it fits the mesh or not."""
    mesh = Mesh(shape)
    size = most_square(processors, mesh)
    every = boxes((processors,) * (mesh.dims - 1))  # the last side follows from the others
    exact = [(*box[: mesh.dims - 1], processors // prod(box)) for box in every if processors % prod(box) == 0]
    assert prod(size) == processors
    assert sorted(size[: mesh.dims]) == least_sides(exact)
    assert lies_along(size, mesh)


@given(_SHAPES, st.data())
def test_most_square_that_fits_is_the_least_of_all_that_fit(shape, data):
    """Exactly this number of processors, else the fewest more; and it fits as it is, unturned."""
    mesh = Mesh(shape)
    processors = data.draw(st.integers(1, mesh.processors))
    size = most_square_that_fits(processors, mesh)
    enough = [box for box in boxes(shape) if prod(box) >= processors]
    fewest = min(map(prod, enough))
    assert prod(size) == fewest
    assert sorted(size) == least_sides(box for box in enough if prod(box) == fewest)
    assert mesh.fits(size)
    assert lies_along(size, mesh)


@given(_SHAPES, st.integers(1, 2000))
def test_more_than_the_mesh_has_stays_what_it_is(shape, more):
    """And fits in no orientation, so that it is rejected."""
    mesh = Mesh(shape)
    processors = mesh.processors + more
    size = most_square_that_fits(processors, mesh)
    assert size == most_square(processors, mesh)
    assert not any(mesh.fits(turned) for turned in orientations(size, mesh.dims))


def test_examples_of_both_rules_and_many_jobs_have_the_boxes_they_would_have_alone():
    """7 processors fit no 3×4 mesh as they are; 12 are 3×4; 36 are 3×3×4; many in their own order."""
    assert most_square(7, Mesh((3, 4))) == (1, 7, 1)
    assert most_square_that_fits(7, Mesh((3, 4))) == (2, 4, 1)
    assert most_square_that_fits(12, Mesh((4, 3))) == (4, 3, 1)
    assert most_square(36, Mesh((2, 9, 2))) == (3, 4, 3)
    assert most_square_that_fits(36, Mesh((2, 9, 2))) == (2, 9, 2)
    assert most_square(16_777_213, Mesh((1024, 1024))) == (16_777_213, 1, 1)  # a prime: no 16 bits hold it
    mesh = Mesh((4, 5, 3))
    processors = np.array([7, 61, 1, 7, 60, 100_003])
    for shape, rule in (("most-square", most_square), ("most-square-that-fits", most_square_that_fits)):
        sizes = boxes_for(processors, mesh, shape)
        assert [tuple(size) for size in sizes.tolist()] == [rule(n, mesh) for n in processors.tolist()]


def test_what_is_cut_and_how_many_jobs_there_may_be():
    """Only what fits is cut; ten million are drawn."""
    sizes = np.array([[3, 12, 1], [3, 7, 1], [12, 12, 1]], dtype=np.int32)
    assert _powers_of_two(sizes, Mesh((8, 8))).tolist() == [[4, 16, 1], [4, 8, 1], [12, 12, 1]]
    drawn = {"kind": "stochastic", "load": 1.0}
    assert StochasticWorkload.model_validate(drawn | {"jobs": 10_000_000}).jobs == 10_000_000
    with pytest.raises(ValidationError):
        StochasticWorkload.model_validate(drawn | {"jobs": 10_000_001})

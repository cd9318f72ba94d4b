"""What the strategies of today's machines find, against brute force: with any part of the machine held."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive
from tests.scale import cases

pytestmark = pytest.mark.kernel

CUBE = 4
RINGS = st.tuples(st.booleans(), st.booleans(), st.booleans())
CUBES = st.tuples(*[st.sampled_from([4, 8, 12])] * 3)
SMALL = st.tuples(*[st.integers(1, 4)] * 3).filter(lambda size: min(size) < CUBE)


def hold(data, working, boxes):
    """Have some of these boxes held, each by a job: their nodes."""
    busy = data.draw(st.lists(st.sampled_from(boxes), unique=True, max_size=len(boxes)))
    for job, box in enumerate(busy):
        working.replay(Request(job, box[3:]), (Box(*box),))
    return dict.fromkeys((node for box in busy for node in naive.nodes(box)), 0)


def pod(data, name, wrap=()):
    """A strategy at work on a pod whose cubes are busy here and there, in whole or in part."""
    shape = data.draw(st.sampled_from([(8, 8, 8), (16, 8, 4), (12, 12, 4)]))
    working = strategy(name)(Mesh(shape, wrap))
    whole = [(*corner, CUBE, CUBE, CUBE) for corner in product(*(range(0, side, CUBE) for side in shape))]
    return working, whole, hold(data, working, [data.draw(some_of(box)) for box in whole])


def some_of(cube):
    """A cube, or a part of it."""
    x, y, z, *_ = cube
    return st.sampled_from([cube, (x, y, z, 2, 4, 4), (x + 3, y + 3, z, 1, 1, 1)])


@cases(60)
@given(data=st.data(), wrap=RINGS, size=CUBES)
def test_wired_cubes_are_found_exactly_when_a_box_of_them_is_free(data, wrap, size):
    """Of all bases at multiples of 4 and all orientations, across the seams of rings alone."""
    working, _, held = pod(data, "tpu-static", wrap)
    free = any(
        not any(n % CUBE for n in base)
        for turn in naive.turns(size, flat=False)
        for base in naive.all_free_bases(held, working.mesh.extents, turn, wrap)
    )
    outcome = working.allocate(Request(100, size)) if working.refusal(size) is None else None
    assert (outcome is not None) == free


@cases(60)
@given(data=st.data(), size=CUBES)
def test_switched_cubes_are_found_exactly_when_enough_are_free(data, size):
    """Wherever they are, the lowest numbers first."""
    working, whole, held = pod(data, "tpu-ocs")
    free = [box for box in whole if naive.is_free(held, box)]
    outcome = working.allocate(Request(100, size)) if working.refusal(size) is None else None
    wanted = naive.volume(size) // CUBE**3
    assert (outcome is not None) == (wanted <= len(free))
    if outcome is not None:
        assert [tuple(box) for box in outcome] == sorted(free, key=lambda box: box[2::-1])[:wanted]


@pytest.mark.parametrize("name", ["tpu-static", "tpu-ocs"])
@cases(40)
@given(data=st.data(), size=SMALL)
def test_a_small_slice_is_found_exactly_when_a_cube_has_room(name, data, size):
    """In some orientation, within one cube, and in one that is in use where any such has room."""
    working, whole, held = pod(data, name)
    room = [cube for cube in whole if has_room(held, cube, size)]
    outcome = working.allocate(Request(100, size))
    assert (outcome is not None) == bool(room)
    if outcome is not None:
        [box] = outcome
        assert sorted(box.size) == sorted(size)
        [cube] = [cube for cube in whole if Box(*cube).overlaps(box)]
        in_use = [one for one in room if not naive.is_free(held, one)]
        assert cube in (in_use or room)


def has_room(held, cube, size):
    """Whether a box of this size, however turned, is free within a cube."""
    x, y, z, *_ = cube
    return any(
        naive.is_free(held, (x + i, y + j, z + k, *turn))
        for turn in naive.turns(size, flat=False)
        for i, j, k in product(*(range(CUBE - side + 1) for side in turn))
    )


@cases(60)
@given(data=st.data(), which=st.integers(0, 2))
def test_a_placement_is_found_exactly_when_the_box_of_an_anchor_is_free(data, which):
    """Of all anchors, across seams."""
    dims, seed, spacing = [(1, 2, 1), (2, 2, 3), (4, 3, 2)], (3, 1, 2), (2, 3, 2)
    cls, shape = strategy("torus3d"), (4, 6, 5)
    placements = [{"dims": size, "spacing": spacing, "seed": seed} for size in dims]
    working = cls(Mesh(shape, (True,) * 3), cls.options_model(placements=placements))
    held = hold(data, working, [(*node, 1, 1, 1) for node in naive.nodes((0, 0, 0, *shape))])
    anchors = [
        tuple((s + n * a) % side for s, n, a, side in zip(seed, place, spacing, shape, strict=True))
        for place in product(range(2), range(2), range(2))
    ]
    bases = naive.all_free_bases(held, shape, dims[which], (True,) * 3)
    assert (working.allocate(Request(1000, dims[which])) is not None) == any(a in bases for a in anchors)

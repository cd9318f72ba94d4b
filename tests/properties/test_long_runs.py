"""A million allocations and releases in all, beside an occupancy kept apart: nothing leaks, nothing overlaps.

Without compiled kernels a two-hundredth of that is done; each test's name says how much.
"""

import numpy as np
import pytest

from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.geometry import Mesh, region
from tests.scale import COMPILED

pytestmark = pytest.mark.kernel

SHAPES = [(8, 7), (5, 4, 4)]
NAMES = ["ff", "tff", "bl", "tbl"]
OPERATIONS = 1_000_000 // (len(SHAPES) * len(NAMES)) // (1 if COMPILED else 200)
FREE = -1


def held_in(name, working):
    """Who holds each node, read from the strategy's own state."""
    state = working.capture()
    if name in {"ff", "tff"}:
        return state["held"]
    held = working.mesh.occupancy()
    for x1, y1, z1, x2, y2, z2, job in state["busy"].tolist():
        part = held[z1 : z2 + 1, y1 : y2 + 1, x1 : x2 + 1]
        assert (part == FREE).all()
        part[...] = job
    return held


@pytest.mark.parametrize("shape", SHAPES, ids=["2d", "3d"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("operations", [OPERATIONS], ids=lambda n: f"{n}-operations")
def test_long_run(name, shape, operations):
    """Jobs come and go at random; every box is free when given, and only the job's own is freed."""
    mesh = Mesh(shape)
    working, empty = strategy(name)(mesh), strategy(name)(mesh).capture()
    rng = np.random.default_rng(20_090_101)
    held, present, free = mesh.occupancy(), [], mesh.processors
    boxes_of = {}
    given = 0
    # Sides lean towards small ones, so that the machine is crowded and cut up.
    sides = np.minimum(*rng.integers(1, np.array(mesh.extents) + 1, (2, operations, 3))).tolist()
    leaves = (rng.random(operations) < 0.45).tolist()
    picks = rng.integers(0, 1 << 30, operations).tolist()
    for number in range(operations):
        if leaves[number] and present:
            job = present.pop(picks[number] % len(present))
            working.release(job)
            part = region(held, boxes_of.pop(job))
            free += part.size
            part[...] = FREE
        else:
            boxes = working.allocate(Request(number, tuple(sides[number])))
            if boxes is None:
                continue
            [box] = boxes
            part = region(held, box)
            assert part.size == box.volume == np.prod(sides[number])
            assert part.max() == FREE
            part[...] = number
            free -= box.volume
            present.append(number)
            boxes_of[number] = box
            given += 1
        if number % 997 == 0:
            assert np.array_equal(held_in(name, working), held)
            assert free == (held == FREE).sum()
    assert np.array_equal(held_in(name, working), held)
    assert given > operations // 5
    for job in present:
        working.release(job)
    assert all(np.array_equal(working.capture()[key], empty[key]) for key in empty)

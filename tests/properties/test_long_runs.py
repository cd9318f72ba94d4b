"""Long runs of every strategy beside an occupancy kept apart: nothing leaks, nothing overlaps.

The strategies whose searches are cheapest do some hundred thousand allocations and releases between them, the
others some thousands each; without compiled kernels a two-hundredth of that. Each test's name says how much.
"""

import numpy as np
import pytest

from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.basics.geometry import Mesh, region
from tests.properties.stories import CASES, FIRST_CASES
from tests.scale import COMPILED

pytestmark = pytest.mark.kernel

FREE = -1
SHARE = 1 if COMPILED else 200
LONGEST = {"ff", "tff", "bl", "tbl"}
FLAT, DEEP = (8, 8), (4, 4, 4)  # meshes that every strategy of their dimensions works on


def runs():
    """Every strategy on every kind of mesh, with how many operations."""
    for case in FIRST_CASES:
        for shape in (FLAT, DEEP):
            try:
                case.make(Mesh(shape))
            except ValueError:  # its options ask for another mesh: those are left to the other properties
                continue
            operations = (40_000 if case.name in LONGEST else 4_000) // SHARE
            yield pytest.param(case, shape, operations, id=f"{case}-{len(shape)}d-{operations}-operations")


def test_every_strategy_runs_long():
    """No strategy is left out for want of a mesh it works on."""
    assert {param.values[0].name for param in runs()} == {case.name for case in CASES}


@pytest.mark.parametrize(("case", "shape", "operations"), list(runs()))
def test_long_run(case, shape, operations):
    """Jobs come and go at random; every box is free when given, and only the job's own is freed."""
    mesh = Mesh(shape)
    working, empty = case.make(mesh), case.make(mesh).capture()
    rng = np.random.default_rng(20_090_101)
    held, present, boxes_of = mesh.occupancy(), [], {}
    promised = {}
    given = 0
    # Sides lean towards small ones, so that the machine is crowded and cut up.
    sides = np.minimum(*rng.integers(1, np.array(mesh.extents) + 1, (2, operations, 3))).tolist()
    leaves = (rng.random(operations) < 0.45).tolist()
    picks = rng.integers(0, 1 << 30, operations).tolist()

    def take(request, boxes):
        for box in boxes:
            part = region(held, box)
            assert part.size == box.volume
            assert part.max() == FREE
            part[...] = request.job
        assert sum(box.volume for box in boxes) == working.granted(request.size)
        present.append(request.job)
        boxes_of[request.job] = boxes

    def leave(which):
        job = present.pop(which % len(present))
        working.release(job)
        for box in boxes_of.pop(job):
            region(held, box)[...] = FREE
        for due in working.due():
            take(promised[due], working.allocate(promised.pop(due)))

    for number in range(operations):
        if leaves[number] and present:
            leave(picks[number])
            continue
        request = Request(number, tuple(sides[number]), float(number), 3.0)
        outcome = working.allocate(request)
        if isinstance(outcome, Reservation):
            promised[number] = request
        elif outcome is not None:
            take(request, outcome)
            given += 1
    assert given > operations // 10
    while present:
        leave(0)
    assert not promised
    left = working.capture()
    assert all(np.array_equal(left[key], empty[key]) for key in empty if key not in working.learns)

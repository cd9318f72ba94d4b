"""The searches find what brute force finds, and the very box and cost of their naive twins."""

import pytest
from hypothesis import given

from meshgui.engine.allocation.steps import StepLog
from tests import naive
from tests.properties.worlds import NAMES, Ask, Bench, Place, worlds
from tests.scale import cases

pytestmark = pytest.mark.kernel


def asked(name, world):
    """Let the world go by; at each request yield the bench, the request, and what came out at which cost."""
    bench = Bench(name, world.mesh)
    for act in world.acts:
        if isinstance(act, Ask):
            request = bench.request(act.size)
            before = bench.working.operations
            boxes = bench.working.allocate(request)
            yield bench, request, boxes, bench.working.operations - before
            if boxes is not None:
                bench.take(request, boxes[0])
        elif isinstance(act, Place):
            bench.place(act.box)
        else:
            bench.leave(act.which)


@pytest.mark.parametrize("name", NAMES)
@cases(300)
@given(world=worlds())
def test_a_box_is_found_exactly_when_there_is_one(name, world):
    """Two thousand states a strategy: a base is found if and only if brute force finds a free box."""
    for bench, request, boxes, _ in asked(name, world):
        extents, held = world.mesh.extents, bench.twin.held
        bases = {turn: naive.all_free_bases(held, extents, turn) for turn in bench.twin.turns(request.size)}
        assert (boxes is not None) == any(bases.values())
        if boxes is not None:
            [box] = boxes
            assert box.base in bases[box.size]
            first = next(turn for turn in bases if bases[turn])
            assert box.size == first  # the first orientation that has a base, and none before it


@pytest.mark.parametrize("name", NAMES)
@cases(300)
@given(world=worlds())
def test_the_box_is_the_naive_twins(name, world):
    """Two thousand states a strategy: the same box as from the figures followed to the letter."""
    for bench, request, boxes, _ in asked(name, world):
        expected = bench.twin.find(request.size).box
        assert (boxes and tuple(boxes[0])) == expected


@pytest.mark.parametrize("name", ["ff", "tff"])
@cases(200)
@given(world=worlds())
def test_first_fit_costs_what_the_figure_costs(name, world):
    """A thousand states a strategy: as many nodes are looked at as in the loops of 000 figure 2.5."""
    for bench, request, _, operations in asked(name, world):
        assert operations == bench.twin.find(request.size).operations


@pytest.mark.parametrize("name", ["bl", "tbl"])
@cases(100)
@given(world=worlds())
def test_busy_list_costs_the_planes_it_takes_and_cuts(name, world):
    """An operation is a border plane taken, or a piece of it compared with a region, as the log tells."""
    bench = Bench(name, world.mesh)
    for act in world.acts:
        if not isinstance(act, Ask):
            bench.place(act.box) if isinstance(act, Place) else bench.leave(act.which)
            continue
        request, log = bench.request(act.size), StepLog(4096)
        before = bench.working.operations
        boxes = bench.working.allocate(request, log)
        labels = [bench.working.lines[step.line].label for step in log.steps()]
        planes = labels.count("plane")
        pieces = 0
        for earlier, step in zip(log.steps(), list(log.steps())[1:], strict=False):
            if bench.working.lines[step.line].label == "subtract":
                cut = bench.working.lines[earlier.line].label == "cut"
                pieces += 1 if cut else len(earlier.marks) - 1
        assert bench.working.operations - before == planes + pieces
        if boxes is not None:
            bench.take(request, boxes[0])

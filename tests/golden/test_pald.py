"""PALD against 002 §3: how a request is parted, in which order the parts are placed, and that it succeeds."""

from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.conformance import StoryRun
from meshgui.engine.allocation.inspection import Moment, NodeKind, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive
from tests.properties.stories import Case, stories
from tests.scale import cases

pytestmark = pytest.mark.kernel

NAMES = ["pald-ff", "pald-bf"]
every_one = pytest.mark.parametrize("name", NAMES)


def holding(name, shape, *boxes):
    """The strategy on a mesh where jobs 1, 2, … hold these boxes."""
    working = strategy(name)(Mesh(shape))
    for job, box in enumerate(boxes, start=1):
        working.replay(Request(job, box.size), (box,))
    return working


def told(working, trace):
    """The sizes that the steps outside the searches are about."""
    labels = [(working.lines[step.line].label, step) for step in trace.steps]
    return [
        (label, *(mark.box.size[:2] for mark in step.marks))
        for label, step in labels
        if label in {"part", "take", "split"}
    ]


@every_one
def test_one_is_taken_off_the_longest_side(name):
    """2×3, free nowhere, becomes 2×2 and 2×1, as α×β becomes α×(β−1) and α×1 (002 §3)."""
    working = holding(name, (2, 4), Box(0, 2, 0, 2, 1, 1))
    trace = working.trace(Request(2, (2, 3, 1)))
    assert told(working, trace) == [
        ("part", (2, 3)),
        ("split", (2, 3), (2, 2), (2, 1)),
        ("part", (2, 2)),
        ("take", (2, 2)),
        ("part", (2, 1)),
        ("take", (2, 1)),
    ]
    assert trace.boxes == (Box(0, 0, 0, 2, 2, 1), Box(0, 3, 0, 2, 1, 1))


@every_one
def test_of_equal_sides_the_second_is_shortened(name):
    """2×2 on two separate rows becomes 2×1 twice: algorithm 1 asks whether the first side is longer."""
    working = holding(name, (2, 3), Box(0, 1, 0, 2, 1, 1))
    assert working.allocate(Request(2, (2, 2, 1))) == (Box(0, 0, 0, 2, 1, 1), Box(0, 2, 0, 2, 1, 1))


@every_one
def test_a_request_longer_than_the_mesh_is_parted(name):
    """8×2 fits into the 6×6 mesh in no box, and does in 6×2 and the two columns cut off before."""
    working = holding(name, (6, 6))
    boxes = working.allocate(Request(1, (8, 2, 1)))
    assert [box.size[:2] for box in boxes] == [(6, 2), (1, 2), (1, 2)]


def test_first_fit_and_best_fit_differ_where_a_hole_fits_better():
    """Of a free corner and a hole that just fits, First Fit takes the corner below and Best Fit the hole."""
    walls = (Box(0, 2, 0, 1, 2, 1), Box(2, 2, 0, 1, 2, 1))
    placed = {name: holding(name, (4, 4), *walls).allocate(Request(3, (1, 2, 1))) for name in NAMES}
    assert placed == {"pald-ff": (Box(0, 0, 0, 1, 2, 1),), "pald-bf": (Box(1, 2, 0, 1, 2, 1),)}


@every_one
def test_it_misses_a_free_box_that_lies_the_other_way(name):
    """Parts are not turned: 1×3 is split though 3×1 is free."""
    working = holding(name, (3, 2), Box(0, 1, 0, 3, 1, 1))
    assert [box.size[:2] for box in working.allocate(Request(2, (1, 3, 1)))] == [(1, 1), (1, 1), (1, 1)]


@every_one
def test_the_tree_of_parts(name):
    """A part tried in vain has two below it; the last tree holds all, each placed where its box is."""
    working = holding(name, (2, 4), Box(0, 2, 0, 2, 1, 1))
    trace = working.trace(Request(2, (2, 3, 1)))
    tree = working.inspect(Moment(trace.before, trace.request, trace.steps)).panels[0]
    shown = [(node.label, node.parent, node.kind, node.mark and node.mark.box.base) for node in tree.nodes]
    assert shown == [
        ("2×3", None, NodeKind.FAILED, None),
        ("2×2", 0, NodeKind.PLACED, (0, 0, 0)),
        ("2×1", 0, NodeKind.PLACED, (0, 3, 0)),
    ]
    split = next(i for i, step in enumerate(trace.steps) if working.lines[step.line].label == "split")
    early = working.inspect(Moment(trace.before, trace.request, trace.steps[: split + 1])).panels[0]
    assert [node.kind for node in early.nodes] == [NodeKind.FAILED, NodeKind.OPEN, NodeKind.OPEN]
    assert [node.current for node in early.nodes] == [True, False, False]


@every_one
@cases(150)
@given(data=st.data())
def test_it_succeeds_exactly_when_enough_processors_are_free(name, data):
    """Dynamically optimal; one box exactly if the request is free as it is asked, and no part is larger."""
    story = data.draw(stories(Case(name, ())))
    stage = StoryRun(Case(name, ()).make, story.mesh)
    for answer in stage.play(story.acts):
        busy = np.argwhere(answer.before["held"] >= 0)
        held = {(x, y, z): 0 for z, y, x in busy.tolist()}
        asked = answer.request.size
        assert (answer.outcome is not None) == (prod(asked) <= story.mesh.processors - len(held))
        if answer.outcome is not None:
            whole = naive.all_free_bases(held, story.mesh.extents, asked)
            assert (len(answer.outcome) == 1) == bool(whole)
            assert all(box.w <= asked[0] and box.d <= asked[1] for box in answer.outcome)

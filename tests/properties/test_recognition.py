"""Which free boxes a strategy finds: complete ones whenever there is one, optimal ones always enough room."""

from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.conformance import StoryRun
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive
from tests.properties.stories import CASES, stories
from tests.scale import cases

pytestmark = pytest.mark.kernel

# 004 table 2 calls them complete; First and Best Fit are so in the one orientation they look at. Adjacency is
# by its authors' abstract, Line Sweep because every free box lies in a rectangle that a line closes.
COMPLETE = {"ff", "bf", "tff", "tbf", "bl", "tbl", "as", "qa", "fsl", "adj", "ls"}
# 001 definition 4: any legal sequence of requests and departures is accommodated, with nothing wasted.
OPTIMAL = {"random", "paging", "genalg", "mbs", "gabl", "arsgabl", "sdsc", "asmb", "pald-ff", "pald-bf"}


def accommodates_all(case):
    """Of Paging, only with pages of one processor; of PALD, only where boxes have no bound."""
    options = dict(case.options)
    return options.get("size_index", 0) == 0 and "bound" not in options


RINGS = [wrap for dims in (2, 3) for wrap in product((False, True), repeat=dims) if any(wrap)]

complete = pytest.mark.parametrize("case", [case for case in CASES if case.name in COMPLETE], ids=str)
optimal = pytest.mark.parametrize(
    "case", [case for case in CASES if case.name in OPTIMAL and accommodates_all(case)], ids=str
)


@complete
@cases(60)
@given(data=st.data())
def test_it_finds_a_box_exactly_when_there_is_one(case, data):
    """In the orientations it looks at, a request succeeds if and only if brute force finds a free box."""
    story = data.draw(stories(case))
    stage = StoryRun(case.make, story.mesh)
    for answer in stage.play(story.acts):
        others = {job: boxes for job, boxes in stage.held.items() if job != answer.request.job}
        held = {
            node: job for job, boxes in others.items() for box in boxes for node in naive.nodes(tuple(box))
        }
        turns = [answer.request.size]
        if stage.working.rotates:
            turns = naive.turns(answer.request.size, story.mesh.dims == 2)
        rings = story.mesh.rings if crosses(stage) else (False, False, False)
        free = any(naive.all_free_bases(held, story.mesh.extents, turn, rings) for turn in turns)
        assert (answer.outcome is not None) == free


def crosses(stage):
    """Whether the strategy places across seams."""
    return stage.working.crosses_seams(stage.working.options, stage.mesh)


@pytest.mark.parametrize("wrap", RINGS, ids=str)
@pytest.mark.parametrize("name", ["ff", "tff", "bf", "tbf"])
@cases(40)
@given(data=st.data())
def test_across_seams_it_finds_a_box_exactly_when_there_is_one(name, wrap, data):
    """With any part of a torus held, against all bases of it, whichever axes are rings."""
    most = 6 if len(wrap) == 2 else 4
    shape = data.draw(st.tuples(*(st.integers(3 if ring else 1, most) for ring in wrap)))
    mesh = Mesh(shape, wrap)
    every = list(naive.nodes((0, 0, 0, *mesh.extents)))
    busy = data.draw(st.lists(st.sampled_from(every), unique=True, max_size=len(every) - 1))
    working = strategy(name)(mesh)
    for job, node in enumerate(busy):
        working.replay(Request(job, (1, 1, 1)), (Box(*node, 1, 1, 1),))
    size = data.draw(st.tuples(*(st.integers(1, side) for side in mesh.extents)))
    held = dict.fromkeys(busy, 0)
    turns = naive.turns(size, mesh.dims == 2) if working.rotates else [size]
    bases = [(turn, naive.all_free_bases(held, mesh.extents, turn, mesh.rings)) for turn in turns]
    outcome = working.allocate(Request(len(every), size))
    turn, found = next(((turn, found) for turn, found in bases if found), (None, set()))
    if turn is None:
        assert outcome is None
        return
    box = mesh.joined(outcome)
    assert box.size == turn
    assert box.base in found
    assert [tuple(part) for part in outcome] == naive.parts(tuple(box), mesh.extents, mesh.rings)


@optimal
@cases(25)
@given(data=st.data())
def test_it_is_dynamically_optimal(case, data):
    """Whenever enough processors are free the job gets exactly its number, whatever happened before."""
    story = data.draw(stories(case))
    stage = StoryRun(case.make, story.mesh)
    for answer in stage.play(story.acts):
        held = sum(
            box.volume for job, boxes in stage.held.items() if job != answer.request.job for box in boxes
        )
        free, asked = story.mesh.processors - held, prod(answer.request.size)
        assert (answer.outcome is not None) == (asked <= free)
        if answer.outcome is not None:
            assert sum(box.volume for box in answer.outcome) == asked

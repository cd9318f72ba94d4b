"""BlueGene/L midplanes as 000 §2.2.1 describes them: whole units, turned boxes, idle processors."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from meshgui.engine.allocation.held_processors import FREE
from meshgui.engine.allocation.inspection import JobCell, Moment, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive
from tests.scale import cases

pytestmark = pytest.mark.kernel

BLUEGENE = strategy("bluegene")


def empty(shape, **options):
    """The strategy on an empty mesh."""
    return BLUEGENE(Mesh(shape), BLUEGENE.options_model(**options))


def test_a_midplane_has_8x8x8_processors():
    """000 §2.2.1: the allocation unit, which one processor asked for takes whole."""
    working = empty((16, 16, 16))
    assert working.granted((1, 1, 1)) == 512
    assert working.allocate(Request(1, (1, 1, 1))) == (Box(0, 0, 0, 8, 8, 8),)


def test_one_processor_more_than_a_midplane_takes_another():
    """A job can use whole midplanes only: 9×8×8 leaves 448 processors of two midplanes idle."""
    working = empty((16, 8, 8))
    assert working.granted((9, 8, 8)) - 9 * 8 * 8 == 448
    assert working.allocate(Request(1, (9, 8, 8))) == (Box(0, 0, 0, 16, 8, 8),)


def test_the_height_runs_fastest():
    """Midplanes are scanned as 000 figure 2.5 scans processors."""
    working = empty((4, 4, 4), unit=2)
    bases = [working.allocate(Request(job, (2, 2, 2)))[0].base for job in range(8)]
    assert bases == list(product((0, 2), repeat=3))


def test_a_box_of_midplanes_is_turned():
    """000 §2.2.1: rotation is supported, of the midplanes and not only of the processors asked for."""
    assert empty((2, 2, 6), unit=2).allocate(Request(1, (3, 1, 1))) == (Box(0, 0, 0, 2, 2, 4),)


def test_a_request_too_large_in_every_orientation_is_refused():
    """Rounded up it must fit: 3×3×1 needs 2×2×1 midplanes."""
    working = empty((2, 2, 8), unit=2)
    assert working.refusal((1, 8, 1)) is None
    assert working.refusal((3, 3, 1)) == "3×3×1 does not fit into the empty 2×2×8 mesh, however turned"


def test_the_cost_is_counted_in_midplanes():
    """000 §2.2.1: the overhead depends on the number of midplanes in the system."""
    small, large = empty((4, 4, 4), unit=2), empty((16, 16, 16), unit=8)
    for working, size in ((small, (2, 2, 2)), (large, (8, 8, 8))):
        for job in range(8):
            working.allocate(Request(job, size))
        assert working.allocate(Request(8, size)) is None
        working.release(0)
    assert small.operations == large.operations


def test_a_mesh_of_broken_midplanes_is_refused():
    """The sides of the mesh are multiples of the unit, and the error says so."""
    assert BLUEGENE.unfit(Mesh((16, 16, 12)), BLUEGENE.options_model()) == (
        "bluegene works on whole midplanes of 8×8×8 processors: expected a mesh whose sides are multiples "
        "of 8, but this one is 16×16×12"
    )
    assert BLUEGENE.unfit(Mesh((16, 16, 12)), BLUEGENE.options_model(unit=4)) is None
    assert BLUEGENE.unfit(Mesh((16, 16)), BLUEGENE.options_model()) is not None


@pytest.mark.parametrize("unit", [0, 65, 2.5])
def test_a_midplane_has_a_sensible_size(unit):
    """The option has limits."""
    with pytest.raises(ValidationError):
        BLUEGENE.options_model(unit=unit)


@cases(200)
@given(
    taken=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), max_size=14),
    size=st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6)),
)
def test_recognition_of_whole_midplanes_is_complete(taken, size):
    """A job gets a box exactly when brute force finds one of free midplanes in some orientation."""
    working = empty((6, 6, 6), unit=2)
    for job, (x, y, z) in enumerate(set(taken), start=100):
        working.replay(Request(job, (2, 2, 2)), (Box(2 * x, 2 * y, 2 * z, 2, 2, 2),))
    held = dict.fromkeys(taken, 0)
    rounded = tuple((n + 1) // 2 for n in size)
    exists = any(naive.all_free_bases(held, (3, 3, 3), turn) for turn in naive.turns(rounded, flat=False))
    assert (working.allocate(Request(1, size)) is not None) == exists


def test_a_free_box_across_midplanes_is_missed():
    """Each of two jobs leaves half of its midplane idle, and a third that would fit there waits."""
    working = empty((4, 2, 2), unit=2)
    for job in range(2):
        assert working.allocate(Request(job, (1, 2, 2))) is not None
    assert working.allocate(Request(2, (1, 2, 2))) is None


def test_a_midplane_of_job_0_is_busy_like_any_other():
    """The lowest number of a job is not taken for a free midplane, wherever in the box it lies."""
    working = empty((4, 2, 2), unit=2)
    working.replay(Request(0, (2, 2, 2)), (Box(2, 0, 0, 2, 2, 2),))
    assert working.allocate(Request(1, (4, 2, 2))) is None


def test_every_midplane_is_listed_with_its_job():
    """In scan order, z innermost; what is free may still be no base for the request."""
    working = empty((4, 2, 2), unit=2)
    working.allocate(Request(7, (2, 2, 2)))
    trace = working.trace(Request(8, (1, 1, 1)))
    idle, last = (
        working.inspect(Moment(trace.before, *rest)).panels[1] for rest in ((), (trace.request, trace.steps))
    )
    assert [row.cells[0] for row in idle.rows] == ["(0,0,0)", "(1,0,0)"]
    assert idle.rows[0].cells[1] == JobCell("job 7", 7)
    assert [row.cells[1] for row in (idle.rows[1], last.rows[1])] == ["free", "found"]


def test_the_free_processors_are_those_of_free_midplanes():
    """Counted as jobs come and go."""
    working = empty((4, 4, 4), unit=2)
    for job, size in enumerate(((2, 2, 2), (4, 2, 2), (1, 1, 1))):
        working.allocate(Request(job, size))
        assert working.state.free[0] == (working.state.held == FREE).sum()
    working.release(1)
    assert working.state.free[0] == (working.state.held == FREE).sum() == 6

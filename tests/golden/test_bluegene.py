"""BlueGene/L midplanes as 000 §2.2.1 describes them: whole units, turned boxes, idle processors."""

from itertools import product

import pytest
from pydantic import ValidationError

from meshgui.engine.allocation.held_processors import FREE
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh
from tests.attempts import ask, at_work, box

pytestmark = pytest.mark.kernel

BLUEGENE = strategy("bluegene")


@pytest.mark.parametrize(
    ("shape", "unit", "size", "granted", "boxes"),
    [
        ((16, 16, 16), 8, (1, 1, 1), 512, box(0, 0, 0, 8, 8, 8)),
        ((16, 8, 8), 8, (9, 8, 8), 9 * 8 * 8 + 448, box(0, 0, 0, 16, 8, 8)),
        ((2, 2, 6), 2, (3, 1, 1), 16, box(0, 0, 0, 2, 2, 4)),  # turned, as rotation is supported
    ],
    ids=["one processor", "one more than a midplane", "turned"],
)
def test_a_job_takes_whole_midplanes(shape, unit, size, granted, boxes):
    """000 §2.2.1: the allocation unit has 8×8×8 processors; what is over stays idle."""
    working = at_work("bluegene", shape, unit=unit)
    assert working.granted(size) == granted
    assert ask(working, size) == (boxes,)


def test_the_height_runs_fastest_and_the_cost_is_counted_in_midplanes():
    """000 figure 2.5 and §2.2.1; rounded up it must fit, and sides of the mesh are multiples of the unit."""
    working = at_work("bluegene", (4, 4, 4), unit=2)
    assert [ask(working, (2, 2, 2), job)[0].base for job in range(8)] == list(product((0, 2), repeat=3))
    costs = set()
    for unit in (2, 8):
        working = at_work("bluegene", (2 * unit,) * 3, unit=unit)
        assert [ask(working, (unit,) * 3, job) is None for job in range(9)] == [False] * 8 + [True]
        working.release(0)
        costs.add(working.operations)
    assert len(costs) == 1
    working = at_work("bluegene", (2, 2, 8), unit=2)
    assert working.refusal((1, 8, 1)) is None
    assert working.refusal((3, 3, 1)) == "3×3×1 does not fit into the empty 2×2×8 mesh, however turned"
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


def test_a_free_box_across_midplanes_is_missed():
    """Half of a midplane stays idle; job 0 is not taken for a free one; counted as jobs come and go."""
    working = at_work("bluegene", (4, 2, 2), unit=2)
    assert [ask(working, (1, 2, 2), job) is None for job in range(3)] == [False, False, True]
    working = at_work("bluegene", (4, 2, 2), unit=2)
    ask(working, (2, 2, 2), 1)
    ask(working, (2, 2, 2), 0)
    working.release(1)
    assert ask(working, (4, 2, 2), 2) is None
    working = at_work("bluegene", (4, 4, 4), unit=2)
    for job, size in enumerate(((2, 2, 2), (4, 2, 2), (1, 1, 1))):
        ask(working, size, job)
        assert working.state.processors.free[0] == (working.state.processors.held == FREE).sum()
    working.release(1)
    assert working.state.processors.free[0] == (working.state.processors.held == FREE).sum() == 6

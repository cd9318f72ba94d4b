"""Slurm's placements on a torus, worked out by hand: anchors, seams, and what is left to larger ones."""

import pytest
from pydantic import ValidationError

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh
from tests.attempts import Attempt, ask, at_work, box, cells

pytestmark = pytest.mark.kernel

SLURM = strategy("torus3d")
TORUS = (True, True, True)
CUBES = [{"dims": (1, 1, 1)}, {"dims": (2, 2, 2)}, {"dims": (4, 4, 2)}]


def test_a_box_goes_where_it_leaves_most_anchors_to_the_next_larger():
    """A 2×2×2 beside what is held already, rather than first in order; of equals the first, x fastest."""
    working = at_work("torus3d", (4, 4, 4), (2, 2, 2, 1, 1, 1), wrap=TORUS, placements=CUBES)
    attempt = Attempt(working, (2, 2, 2))
    assert attempt.boxes == (box(0, 0, 2, 2, 2, 2),)  # the lower 4×4×2 stays free
    assert working.say(attempt.moment("larger")) == "The next larger placement, 4×4×2, has 1 free anchor."
    assert attempt.labels.count("leaves") == 7
    assert attempt.labels.count("best") == 2
    assert cells(attempt.end().panels[2]) == [
        ("1×1×1", "64", "63", "2×2×2"),
        ("2×2×2", "8", "7", "4×4×2"),
        ("4×4×2", "2", "1", ""),
    ]
    assert ask(working, (4, 4, 2), 2) == (box(0, 0, 0, 4, 4, 2),)


def test_the_next_larger_is_the_least_that_is_larger_the_first_of_equals():
    """Whatever their order; a placement of the same volume is not larger."""
    dims = [(4, 4, 4), (1, 1, 4), (2, 2, 1), (4, 2, 1), (2, 2, 2)]
    options = SLURM.options_model(placements=[{"dims": size} for size in dims])
    assert [options.larger(n) for n in range(5)] == [-1, 3, 3, 0, 0]


def test_anchors_begin_at_the_seed_and_boxes_go_across_seams():
    """From 3 on with a spacing of 2 on a side of 4 they are 3 and 1; the box from 3 continues at 0."""
    shifted = [{"dims": (2, 4, 4), "spacing": (2, 4, 4), "seed": (3, 0, 0)}]
    working = at_work("torus3d", (4, 4, 4), wrap=TORUS, placements=shifted)
    assert ask(working, (2, 4, 4), 0) == (box(3, 0, 0, 1, 4, 4), box(0, 0, 0, 1, 4, 4))
    assert ask(working, (2, 4, 4), 1) == (box(1, 0, 0, 2, 4, 4),)
    assert ask(working, (2, 4, 4), 2) is None


def test_an_axis_has_as_many_anchors_as_the_spacing_goes_into_its_side():
    """Rounded down: on a side of 5 a spacing of 2 leaves the last processor without one."""
    working = at_work("torus3d", (5, 4, 4), wrap=TORUS, placements=[{"dims": (2, 4, 4)}])
    assert [ask(working, (2, 4, 4), job) is not None for job in range(3)] == [True, True, False]


def test_only_sizes_of_placements_are_taken_and_none_is_turned():
    """Refused in a sentence, as are meshes that are no torus, placements too large, or stated twice."""
    options = SLURM.options_model(placements=CUBES)
    working = SLURM(Mesh((4, 4, 4), TORUS), options)
    assert working.refusal((4, 4, 2)) is None
    assert working.refusal((2, 4, 4)) == (
        "2×4×4 is not the size of a placement: expected one of 1×1×1, 2×2×2, 4×4×2"
    )
    said = "torus3d works on tori: expected a mesh all of whose axes are rings"
    assert SLURM.unfit(Mesh((4, 4, 4), (True, True, False)), options) == said
    assert SLURM.unfit(Mesh((4, 3, 4), TORUS), options) == (
        "the placement 4×4×2 of torus3d does not fit: expected dims and a spacing up to the sides of the "
        "4×3×4 mesh"
    )
    with pytest.raises(ValidationError, match="expected each size once, got 2×2×2 again"):
        SLURM.options_model(placements=[*CUBES, {"dims": (2, 2, 2), "seed": (1, 1, 1)}])
    with pytest.raises(ValidationError):
        SLURM.options_model(placements=[])

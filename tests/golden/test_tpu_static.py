"""Boxes of whole cubes on a wired pod, worked out by hand: order, seams, small slices, refusals."""

import pytest

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh
from tests.attempts import Attempt, ask, at_work, box, cells

pytestmark = pytest.mark.kernel

STATIC = strategy("tpu-static")


def test_orientations_come_in_order_and_the_height_runs_fastest():
    """4×4×8 as asked, then 4×8×4, then 8×4×4; of each the first cube base in scan order."""
    working = at_work("tpu-static", (8, 8, 8))
    assert ask(working, (4, 4, 8), 0) == (box(0, 0, 0, 4, 4, 8),)
    assert ask(working, (4, 4, 4), 1) == (box(0, 4, 0, 4, 4, 4),)
    assert ask(working, (8, 4, 4), 2) == (box(0, 4, 4, 8, 4, 4),)
    assert ask(working, (4, 4, 8), 3) == (box(4, 0, 0, 4, 4, 8),)
    assert ask(working, (4, 4, 8), 4) is None
    working.release(0)
    assert ask(working, (8, 4, 4), 5) == (box(0, 0, 0, 4, 4, 8),)


def test_a_box_goes_across_the_seam_of_a_ring_and_of_no_other_axis():
    """Its parts are listed row-major from the base; the processes of the job lie in that order, too."""
    busy = (4, 0, 0, 4, 4, 4)
    assert ask(at_work("tpu-static", (12, 4, 4), busy), (8, 4, 4)) is None
    assert ask(at_work("tpu-static", (12, 4, 4), busy, wrap=(False, True, True)), (8, 4, 4)) is None
    working = at_work("tpu-static", (12, 4, 4), busy, wrap=(True, False, False))
    attempt = Attempt(working, (8, 4, 4))
    assert attempt.boxes == (box(8, 0, 0, 4, 4, 4), box(0, 0, 0, 4, 4, 4))
    assert working.say(attempt.moment("found")) == "All of (8,0,0)–(3,3,3) is free: the job gets it."
    assert working.nodes(attempt.boxes).tolist()[:12] == [8, 9, 10, 11, 0, 1, 2, 3, 20, 21, 22, 23]


def test_small_slices_share_a_cube():
    """Cubes in use first, by number; then orientations; the first base; and never a cube of a large slice."""
    working = at_work("tpu-static", (8, 8, 4))
    assert ask(working, (4, 4, 4), 0) == (box(0, 0, 0, 4, 4, 4),)
    assert ask(working, (4, 4, 2), 1) == (box(4, 0, 0, 4, 4, 2),)  # cube 1, the first that is free
    assert ask(working, (2, 2, 4), 2) == (box(4, 0, 2, 2, 4, 2),)  # turned to 2×4×2 it fits into cube 1
    assert ask(working, (3, 3, 3), 3) == (box(0, 4, 0, 3, 3, 3),)  # cube 2, as cube 1 has no room
    assert ask(working, (1, 1, 1), 4) == (box(6, 0, 2, 1, 1, 1),)
    assert ask(working, (8, 4, 4), 5) is None


def test_what_is_no_slice_is_refused_in_a_sentence():
    """As is what no empty machine could hold, and a mesh that has no whole cubes."""
    working = at_work("tpu-static", (16, 8, 8))
    assert working.refusal((4, 4, 16)) is None
    assert working.refusal((3, 2, 4)) is None
    assert working.refusal((1, 4, 8)) == (
        "1×4×8 is not a slice: expected sides that are all multiples of 4, or all at most 4"
    )
    assert working.refusal((12, 12, 4)) == "12×12×4 does not fit into the empty 16×8×8 mesh, however turned"
    assert STATIC.unfit(Mesh((8, 6, 4)), STATIC.options_model()) == (
        "tpu-static works on whole cubes of 4×4×4 processors: expected a mesh whose sides are multiples of "
        "4, but this one is 8×6×4"
    )
    assert STATIC.unfit(Mesh((8, 8)), STATIC.options_model()) is not None
    assert STATIC.unfit(Mesh((8, 8, 4)), STATIC.options_model()) is None


def test_the_inspector_shows_who_has_each_cube():
    """A slice of cubes by its job, small slices together, with the processors left."""
    working = at_work("tpu-static", (8, 4, 4), (0, 0, 0, 4, 4, 4))
    attempt = Attempt(working, (2, 2, 4), 7)
    assert attempt.labels == ["small", "found"]
    assert cells(attempt.at("found").panels[1]) == [
        ("0", "(0,0,0)–(3,3,3)", "job 100", "0"),
        ("1", "(4,0,0)–(7,3,3)", "", "64"),
    ]
    after = Attempt(working, (4, 4, 4), 8).end()
    assert cells(after.panels[1])[1] == ("1", "(4,0,0)–(7,3,3)", "small slices", "48")
    assert sorted(set(after.panels[0].values.ravel().tolist())) == [1, 2]

"""Boxes across the seams of a torus: where First Fit and Best Fit place them, and how such a box is held."""

from itertools import product

import numpy as np
import pytest

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.measures import JobFigures, summary
from meshgui.engine.runs.simulation import simulate
from tests.attempts import Attempt, ask, at_work, box
from tests.scenarios import listed

pytestmark = pytest.mark.kernel

BOTH = (True, True)
four = pytest.mark.parametrize("name", ["ff", "tff", "bf", "tbf"])


@four
def test_a_box_across_a_seam_is_held_as_its_parts(name):
    """With 2 to 5 of a ring of 8 held, 4×2 lies at 6, 7, 0, 1; on a mesh, or with `across` off, nowhere."""
    held = (2, 0, 4, 3)
    assert ask(at_work(name, (8, 3), held, wrap=(True, False)), (4, 2)) == (box(6, 0, 2, 2), box(0, 0, 2, 2))
    assert ask(at_work(name, (8, 3), held), (4, 2)) is None
    assert ask(at_work(name, (8, 3), held, wrap=(True, False), across=False), (4, 2)) is None
    assert ask(at_work(name, (8, 3), held, wrap=(False, True)), (4, 2)) is None


@four
def test_both_seams_at_once_make_four_parts_row_major_from_the_base(name):
    """On a 4×4 torus where only the corners are free, they are one 2×2 box."""
    corners = at_work(name, (4, 4), (1, 0, 2, 4), (0, 1, 1, 2), (3, 1, 1, 2), wrap=BOTH)
    parts = (box(3, 3, 1), box(0, 3, 1), box(3, 0, 1), box(0, 0, 1))
    assert ask(corners, (2, 2)) == parts
    assert corners.mesh.joined(parts) == box(3, 3, 2)
    assert corners.mesh.describe_box(box(3, 3, 2)) == "(3,3)–(0,0)"
    assert corners.nodes(parts).tolist() == [15, 12, 3, 0]


def test_processors_are_listed_from_the_base_on_and_not_part_by_part():
    """A 4×2 box from (6,2) of an 8×3 ring: its first row whole, then its second."""
    working = at_work("ff", (8, 3), wrap=(True, False))
    assert working.nodes((box(6, 1, 2, 2), box(0, 1, 2, 2))).tolist() == [14, 15, 8, 9, 22, 23, 16, 17]


def test_in_3d_a_box_crosses_three_seams():
    """The eight corners of a 3×3×3 torus are one 2×2×2 box based at (2,2,2)."""
    working = at_work("ff", (3, 3, 3), wrap=(True, True, True))
    corner = Box(2, 2, 2, 2, 2, 2)
    parts: Boxes = working.mesh.parts(corner)
    assert [part.base for part in parts] == [node[::-1] for node in product((2, 0), repeat=3)]
    assert working.mesh.joined(parts) == corner


def scores(working, size):
    """Per base looked at, in order: its corner, its busy neighbours, the free area it leaves, its places."""
    attempt = Attempt(working, size)
    marks = [attempt.marks("score", n)[0] for n in range(attempt.labels.count("score"))]
    return {mark.box.base[:2]: mark.values for mark in marks}


def test_best_fit_counts_neighbours_and_areas_across_the_seam():
    """On a ring of 6×2 with column 2 held: 2×2 at 3 touches it, at 0 touches it from the other side."""
    found = scores(at_work("bf", (6, 2), (2, 0, 1, 2), wrap=(True, False)), (2, 2))
    above_and_below = 4  # outside the mesh
    assert found == {
        (0, 0): (above_and_below + 2, 6, 8),
        (3, 0): (above_and_below + 2, 6, 8),
        (4, 0): (above_and_below, 6, 8),
        (5, 0): (above_and_below, 6, 8),
    }


def test_a_box_that_spans_a_ring_has_no_neighbours_along_it():
    """All around: only above and below. One short of that: the one place left is beside it once."""
    ring = (True, False)
    assert scores(at_work("bf", (4, 3), (0, 0, 4, 1), wrap=ring), (4, 1))[0, 1] == (4, 4, 8)
    assert scores(at_work("bf", (4, 3), (0, 0, 4, 1), (3, 1, 1), wrap=ring), (3, 1))[0, 1] == (3 + 1, 4, 7)


def test_the_steps_show_the_whole_box_by_its_corners_across_the_seam():
    """The sentence names where it begins and where it ends; the busy processor met lies in the mesh."""
    attempt = Attempt(at_work("ff", (8, 3), (2, 0, 4, 3), wrap=(True, False)), (4, 2))
    assert attempt.course[-1] == ("found", (6, 0))
    assert attempt.end().says == "The box (6,0)–(1,1) is free: the job gets it."
    meets = attempt.marks("count", 1)  # the second that is free, (1,0), reaches from 1 to 4
    assert [tuple(mark.box) for mark in meets] == [(1, 0, 0, 4, 2, 1), (2, 0, 0, 1, 1, 1)]
    seam = Attempt(at_work("ff", (8, 2), (0, 0, 1, 2), (2, 0, 3, 2), wrap=(True, False)), (4, 1))
    [tried, met] = seam.marks("count", 3)  # (7,0) reaches across the seam, and meets (0,0)
    assert (tuple(tried.box), tuple(met.box)) == ((7, 0, 0, 4, 1, 1), (0, 0, 0, 1, 1, 1))


def test_such_a_job_is_one_block_in_every_measure():
    """Two jobs leave a gap at both ends of a ring of 8: the third, across the seam, is one block of four."""
    jobs = [(0, (2, 2), 1), (0, (4, 2), 9), (2, (4, 2), 3)]
    recording = simulate(listed((8, 2), jobs, "ff", wrap=(True, False)))
    assert recording.boxes_of(2) == (box(6, 0, 2, 2), box(0, 0, 2, 2))
    assert recording.blocks_of(2) == (box(6, 0, 4, 2),)
    figures = JobFigures(recording)
    assert figures.blocks.tolist() == [1, 1, 1]
    assert figures.contiguous.all()
    assert figures.dispersal.tolist() == [0, 0, 0]
    assert figures.held.tolist() == [4, 8, 8]
    plain = simulate(listed((8, 2), [(0, (4, 2), 3)], "ff"))
    assert figures.pairwise_distance[2] == JobFigures(plain).pairwise_distance[0]
    assert summary(recording)["contiguous_ratio"] == summary(recording)["blocks_per_job"] == 1
    starts = [line for line in log_lines(recording) if line["event"] == "start"]
    assert starts[2]["blocks"] == [[6, 0, 0, 2, 2, 1], [0, 0, 0, 2, 2, 1]]


@pytest.mark.parametrize("length", [33, 63, 64, 97])
def test_rings_longer_than_a_word_of_bits_go_on_at_their_beginning(length):
    """Only the last 20 and the first 20 of a ring are free: any of 40 fits there, at the first such base."""
    held = (20, 0, length - 40, 1) if length > 40 else None
    working = at_work("ff", (length, 3), *([held] if held else []), wrap=(True, False))
    free = np.flatnonzero(working.capture()["held"][0, 0] < 0).tolist()
    size = min(40, length - 1)
    expected = next(base for base in range(length) if all((base + n) % length in free for n in range(size)))
    assert ask(working, (size, 1))[0].base == (expected, 0, 0)


def test_a_mesh_names_boxes_by_their_corners():
    """Modulo the sides only where there is something beyond them."""
    torus = Mesh((8, 4), BOTH)
    assert torus.describe_box(box(6, 3, 4, 2)) == "(6,3)–(1,0)"
    assert torus.describe_box(box(1, 0, 2, 4)) == "(1,0)–(2,3)"
    border_plane = Box(8, 0, 0, 1, 4, 1)  # of Busy List, which stays within the mesh
    assert torus.describe_box(border_plane) == "(8,0)–(8,3)"
    assert torus.parts(border_plane) == (border_plane,)
    assert Mesh((4, 4, 4)).describe_box(Box(0, 1, 2, 1, 1, 1)) == "(0,1,2)–(0,1,2)"

"""Busy List against 000 chapter 3 and 4: definition 7, figure 3.3 case by case, and both worked examples."""

import numpy as np
import pytest

from meshgui.engine.allocation import busy_list_kernel
from meshgui.engine.allocation.steps import Role, StepLog
from meshgui.engine.basics.geometry import Box
from tests.attempts import Attempt, ask, at_work
from tests.twins.busy_list import case_of, pieces_of

pytestmark = pytest.mark.kernel

REGION = (0, 3, 3, 9, 5, 5)  # u1, v1, w1, u2, v2, w2
IN_X, LEFT_OF_X, RIGHT_OF_X = 4, -1, 10

# Figure 3.3: the case, the plane's x and y1, z1, y2, z2, and the pieces that are left in the order printed.
CASES = [
    (1, LEFT_OF_X, (1, 1, 7, 8), [(1, 1, 7, 8)]),
    (1, RIGHT_OF_X, (1, 1, 7, 8), [(1, 1, 7, 8)]),
    (1, IN_X, (3, 0, 5, 2), [(3, 0, 5, 2)]),
    (1, IN_X, (0, 3, 2, 5), [(0, 3, 2, 5)]),
    (1, IN_X, (6, 3, 8, 5), [(6, 3, 8, 5)]),
    (1, IN_X, (3, 6, 5, 8), [(3, 6, 5, 8)]),
    (2, IN_X, (3, 1, 4, 4), [(3, 1, 4, 2)]),
    (3, IN_X, (4, 1, 7, 4), [(4, 1, 7, 2), (6, 3, 7, 4)]),
    (4, IN_X, (1, 1, 4, 4), [(1, 1, 4, 2), (1, 3, 2, 4)]),
    (5, IN_X, (3, 4, 4, 8), [(3, 6, 4, 8)]),
    (6, IN_X, (4, 4, 7, 8), [(6, 4, 7, 5), (4, 6, 7, 8)]),
    (7, IN_X, (1, 4, 4, 8), [(1, 4, 2, 5), (1, 6, 4, 8)]),
    (8, IN_X, (3, 1, 4, 8), [(3, 1, 4, 2), (3, 6, 4, 8)]),
    (9, IN_X, (4, 1, 7, 8), [(4, 1, 5, 2), (6, 1, 7, 8), (4, 6, 5, 8)]),
    (10, IN_X, (1, 1, 4, 8), [(1, 1, 2, 8), (3, 1, 4, 2), (3, 6, 4, 8)]),
    (11, IN_X, (1, 1, 7, 8), [(1, 1, 2, 8), (6, 1, 7, 8), (3, 1, 5, 2), (3, 6, 5, 8)]),
    (12, IN_X, (1, 3, 7, 4), [(1, 3, 2, 4), (6, 3, 7, 4)]),
    (13, IN_X, (1, 1, 7, 4), [(1, 1, 2, 4), (6, 1, 7, 4), (3, 1, 5, 2)]),
    (14, IN_X, (1, 4, 7, 8), [(1, 4, 2, 8), (6, 4, 7, 8), (3, 6, 5, 8)]),
    (15, IN_X, (3, 3, 5, 5), []),
    (16, IN_X, (4, 3, 7, 4), [(6, 3, 7, 4)]),
    (17, IN_X, (1, 3, 4, 4), [(1, 3, 2, 4)]),
]
CASE_NAMES = [f"case-{case}-{x},{plane}".replace(" ", "") for case, x, plane, _ in CASES]


def subtract(planes, region):
    """The pieces of some planes that a region meets, and whether the last of them ends the search."""
    _, v1, w1, _, v2, w2 = region
    room = np.zeros(128, dtype=np.int64)
    room[: len(planes)] = [busy_list_kernel.plane_word(*plane) for plane in planes]
    count, beyond = busy_list_kernel.subtract(room, 0, len(planes), 64, v1, w1, v2, w2)
    return [busy_list_kernel.plane_bounds(word) for word in room[64 : 64 + count].tolist()], beyond


def remainder(plane, x, region):
    """The pieces that a search for one processor leaves of a plane, and whether the last of them ends it."""
    far_away = (20, 0, 0, 20, 0, region[5])
    busy = np.array([(*region, 0), (*far_away, 1)], dtype=np.int32)
    log = StepLog(64)
    room, word = busy_list_kernel.room_for(busy, 64, 1, 2), busy_list_kernel.plane_word(*plane)
    found, *_ = busy_list_kernel.remainder(room, len(busy), word, x, (1, 1, 1), 1, -1, log.rows)
    first, *further = log.steps()
    pieces = [(*mark.box.base[1:], *mark.box.end[1:]) for mark in first.marks[1:]]
    return pieces, found and not further


@pytest.mark.parametrize(("case", "x", "plane", "pieces"), CASES, ids=CASE_NAMES)
def test_each_case_of_figure_3_3(case, x, plane, pieces):
    """The kernel leaves the paper's pieces in the paper's order; one beyond the region ends the search."""
    assert case_of(x, plane, REGION) == case
    assert pieces_of(case, plane, REGION) == pieces
    ends = any(z1 > REGION[5] for _, z1, _, _ in pieces)
    assert remainder(plane, x, REGION) == (pieces, ends)
    if REGION[0] <= x <= REGION[3]:
        assert subtract([plane], REGION) == (pieces, ends)


def test_the_pieces_of_several_planes_follow_one_another_and_definition_7():
    """In order; the prohibited region of a 2×2×2 request for the box (1,1,0)–(2,2,1)."""
    first, second = (1, 1, 7, 4), (4, 3, 7, 4)
    pieces = [(1, 1, 2, 4), (6, 1, 7, 4), (3, 1, 5, 2), (6, 3, 7, 4)]
    assert subtract([first, second], REGION) == (pieces, False)
    first, second, third = (1, 1, 7, 4), (3, 4, 4, 8), (4, 3, 7, 4)
    pieces = [(1, 1, 2, 4), (6, 1, 7, 4), (3, 1, 5, 2), (3, 6, 4, 8)]
    assert subtract([first, second, third], REGION) == (pieces, True)
    _, steps = stepped(at_work("bl", (4, 4, 4), *between((1, 1, 0), (2, 2, 1))), (2, 2, 2))
    [first, *_] = [boxes for label, boxes in steps if label == "subtract"]
    assert first[0] == (0, 0, 0, 2, 2, 1)


def stepped(working, size, job=1):
    """The box a job gets, and per step the label and the marked boxes by their corners."""
    attempt = Attempt(working, size, job)
    corners = [
        [(*mark.box.base, *mark.box.end) for mark in step.marks if mark.role != Role.NOTHING]
        for step in attempt.trace.steps
    ]
    return attempt.boxes, list(zip(attempt.labels, corners, strict=True))


def between(base, end):
    """The only box of a job, by its corners, as the paper writes it."""
    return (Box.from_corners(base, end),)


# The requests of the example of §3.3 on a 4×4×4 mesh, what each gets, and how TBL comes to it.
FIGURE_3_6 = [
    (  # the left face of the empty mesh, cut to one node
        (2, 4, 4),
        between((0, 0, 0), (1, 3, 3)),
        [
            ("turn", [(0, 0, 0, 1, 3, 3)]),
            ("plane", [(0, 0, 0, 0, 3, 3)]),
            ("cut", [(0, 0, 0, 0, 0, 0)]),
            ("found", [(0, 0, 0, 1, 3, 3)]),
        ],
    ),
    (  # as the paper goes through it: nothing is left of the left face, then (2,0,0) right of b1
        (2, 1, 2),
        between((2, 0, 0), (3, 0, 1)),
        [
            ("turn", [(0, 0, 0, 1, 0, 1)]),
            ("plane", [(0, 0, 0, 0, 3, 3)]),
            ("cut", [(0, 0, 0, 0, 3, 2)]),
            ("subtract", [(0, 0, 0, 1, 3, 3)]),
            ("gone", []),
            ("plane", [(2, 0, 0, 2, 3, 3)]),
            ("cut", [(2, 0, 0, 2, 3, 2)]),
            ("subtract", [(0, 0, 0, 1, 3, 3), (2, 0, 0, 2, 3, 2)]),
            ("found", [(2, 0, 0, 3, 0, 1)]),
        ],
    ),
    (  # by the same procedure: case 6 right of b1 leaves two planes, and the upper one serves
        (1, 2, 1),
        between((2, 0, 2), (2, 1, 2)),
        [
            ("turn", [(0, 0, 0, 0, 1, 0)]),
            ("plane", [(0, 0, 0, 0, 3, 3)]),
            ("cut", [(0, 0, 0, 0, 2, 3)]),
            ("subtract", [(0, 0, 0, 1, 3, 3)]),
            ("gone", []),
            ("plane", [(2, 0, 0, 2, 3, 3)]),
            ("cut", [(2, 0, 0, 2, 2, 3)]),
            ("subtract", [(0, 0, 0, 1, 3, 3), (2, 0, 0, 2, 2, 3)]),
            ("subtract", [(2, 0, 0, 3, 0, 1), (2, 1, 0, 2, 2, 1), (2, 0, 2, 2, 2, 3)]),
            ("found", [(2, 0, 2, 2, 1, 2)]),
        ],
    ),
]


def example(requests):
    """TBL on the mesh of the example, after this many of its requests."""
    working = at_work("tbl", (4, 4, 4))
    for job, (size, _, _) in enumerate(FIGURE_3_6[:requests], 1):
        ask(working, size, job)
    return working


@pytest.mark.parametrize("number", range(3), ids=["first", "second", "third"])
def test_example_of_figure_3_6(number):
    """Step by step, each request after those before it."""
    size, boxes, steps = FIGURE_3_6[number]
    assert stepped(example(number), size, number + 1) == (boxes, steps)


def test_example_of_figure_3_6_busy_list():
    """The busy list holds the paper's boxes in decreasing order of z, and a leaving job takes its own out."""
    working = example(3)
    assert working.capture()["busy"].tolist() == [
        [0, 0, 0, 1, 3, 3, 1],
        [2, 0, 2, 2, 1, 2, 3],
        [2, 0, 0, 3, 0, 1, 2],
    ]
    working.release(1)
    assert working.capture()["busy"][:, 6].tolist() == [3, 2]


def test_detection_example_of_figure_4_3():
    """6×6 with four busy boxes, 2×4 asked for: every border line and what each region leaves of it."""
    held = [(1, 4, 5, 2), (0, 2, 2), (4, 3, 2, 1), (5, 2, 1)]
    boxes, steps = stepped(at_work("tbl", (6, 6), *held), (2, 4))
    flat = [(label, [(x1, y1, x2, y2) for x1, y1, _, x2, y2, _ in marks]) for label, marks in steps]
    assert flat == [
        ("turn", [(0, 0, 1, 3)]),
        ("plane", [(0, 0, 0, 5)]),
        ("cut", [(0, 0, 0, 2)]),
        ("subtract", [(0, 1, 5, 5), (0, 0, 0, 0)]),
        ("subtract", [(0, 0, 1, 3)]),
        ("gone", []),
        ("plane", [(6, 1, 6, 5)]),
        ("cut", []),
        ("gone", []),
        ("plane", [(2, 0, 2, 3)]),  # from here on the paper describes it, for b2
        ("cut", [(2, 0, 2, 2)]),
        ("subtract", [(0, 1, 5, 5), (2, 0, 2, 0)]),
        ("subtract", [(0, 0, 1, 3), (2, 0, 2, 0)]),
        ("subtract", [(3, 0, 5, 3), (2, 0, 2, 0)]),
        ("subtract", [(4, 0, 5, 2), (2, 0, 2, 0)]),
        ("found", [(2, 0, 3, 3)]),
    ]
    assert boxes == between((2, 0, 0), (3, 3, 0))

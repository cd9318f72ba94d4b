"""GABL against 000 chapter 4: figure 4.3's state, its two requests, and what the strategy promises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Box
from tests.attempts import Attempt, ask, at_work, box
from tests.properties.stories import Case, Stage, stories
from tests.scale import cases

pytestmark = pytest.mark.kernel


def corners(x1, y1, x2, y2):
    """A box of a 2D mesh by its corners, as the paper writes it."""
    return Box.from_corners((x1, y1, 0), (x2, y2, 0))


@pytest.fixture
def figure_4_3():
    """GABL on the 6×6 mesh of figure 4.3, of which 19 processors are free."""
    held = [corners(1, 4, 5, 5), corners(0, 2, 1, 3), corners(4, 3, 5, 3), corners(5, 2, 5, 2)]
    return at_work("gabl", (6, 6), *held)


def test_detection_example_of_figure_4_3_and_8x2_of_figure_4_3_gets_two_boxes(figure_4_3):
    """2×4 gets (2,0)–(3,3) and 8×2 gets 6×2 and then 2×2, as 7×2 is not free."""
    assert ask(figure_4_3, (2, 4)) == (corners(2, 0, 3, 3),)
    assert figure_4_3.part_attempts == 0
    figure_4_3.release(1)
    attempt = Attempt(figure_4_3, (8, 2))
    assert attempt.boxes == (corners(0, 0, 5, 1), corners(2, 2, 3, 3))
    assert figure_4_3.part_attempts == 3
    sizes = {"whole", "shrink", "more", "again", "take"}
    marks = [(label, step.marks[0]) for label, step in zip(attempt.labels, attempt.trace.steps, strict=True)]
    assert [(label, mark.box.size[:2], mark.values[0]) for label, mark in marks if label in sizes] == [
        ("whole", (8, 2), 16),
        ("shrink", (8, 2), 16),
        ("again", (7, 2), 16),
        ("shrink", (7, 2), 16),
        ("again", (6, 2), 16),
        ("take", (6, 2), 4),
        ("more", (6, 2), 4),
        ("more", (5, 2), 4),
        ("more", (4, 2), 4),
        ("more", (3, 2), 4),
        ("again", (2, 2), 4),
        ("take", (2, 2), 0),
    ]


@pytest.mark.parametrize(
    ("options", "nodes"), [({}, [2, 3, 6, 7, 0, 4]), ({"mapping": "row-major"}, [0, 2, 3, 4, 6, 7])]
)
def test_the_order_of_processors_may_be_row_major_over_the_job(options, nodes):
    """With the option, the two boxes' processors are listed row by row through both."""
    boxes = (corners(2, 0, 3, 1), corners(0, 0, 0, 1))
    assert at_work("gabl", (4, 4), **options).nodes(boxes).tolist() == nodes


def test_in_3d_the_longest_side_is_shortened():
    """1×2×6 is taller than the 2×2×4 mesh, of which the top layer is busy: it gets 1×2×3 twice."""
    working = at_work("gabl", (2, 2, 4), (0, 0, 3, 2, 2, 1))
    assert ask(working, (1, 2, 6)) == (box(0, 0, 0, 1, 2, 3), box(1, 0, 0, 1, 2, 3))
    assert working.part_attempts == 4


@cases(100)
@given(data=st.data())
def test_it_counts_the_attempts_of_step_6(data):
    """The paper's b: the searches made after that for the whole, as the naive version counts them."""
    case = Case("gabl", ())
    story = data.draw(stories(case))
    stage = Stage(case, story.mesh)
    for _ in stage.play(story.acts):
        assert stage.working.part_attempts == stage.twin.attempts

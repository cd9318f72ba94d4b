"""Line Sweep by hand: which rectangles open and close on a line, and what its inspector shows of them."""

import pytest

from tests.attempts import Attempt, ask, at_work, box, cells

pytestmark = pytest.mark.kernel

# Heights of the columns on line 3 of a 7×4 mesh: 1 1 2 2 2 2 4.
STAIRS = [(0, 0, 3, 1), (3, 0, 3, 1), (0, 1, 2), (2, 1, 4, 1)]


def test_rectangles_open_where_columns_rise_and_close_where_they_fall_and_one_sweep_serves_both_ways():
    """Stairs up to the right edge; 1×3 lies down on the lowest row; a row costs its columns and boxes."""
    attempt = Attempt(at_work("ls", (7, 4), *STAIRS), (2, 2))
    assert attempt.boxes == (box(2, 2, 2),)
    assert attempt.labels[-6:] == ["open", "open", "open", "close", "close", "found"]
    opened, closed, _ = attempt.end().panels
    assert cells(opened) == [("0", "1", "(0,3)–(6,3)")]
    assert cells(closed) == [("(6,0)–(6,3)", "1×4", "too small"), ("(2,2)–(6,3)", "5×2", "holds it")]
    attempt = Attempt(at_work("ls", (7, 4)), (1, 3))
    assert attempt.boxes == (box(0, 0, 3, 1),)
    assert attempt.labels == ["row", "open", "close", "found"]
    working = at_work("ls", (6, 3), (0, 0, 2, 3))
    assert ask(working, (5, 1)) is None
    assert working.operations == 3 * (6 + 1) + 3

"""What kernels log: a line alone, with numbers, or with boxes; and nothing where there is no log."""

import numpy as np
import pytest

from meshgui.engine.allocation.steps import Mark, Role, Step, StepLog, note, note_boxes, note_numbers
from meshgui.engine.basics.geometry import Box

NOWHERE = Box(0, 0, 0, 0, 0, 0)
FIRST, SECOND = Box(1, 2, 0, 3, 4, 1), Box(5, 6, 7, 1, 1, 1)
BOXES = np.array((FIRST, SECOND), dtype=np.int32)

NOTED = {
    "a line alone": (lambda log: note(log, 3), (Mark(Role.NOTHING, NOWHERE, (0, 0, 0)),)),
    "numbers": (lambda log: note_numbers(log, 3, 7, 8), (Mark(Role.NOTHING, NOWHERE, (7, 8, 0)),)),
    "a box": (lambda log: note(log, 3, Role.TRIED, *FIRST, 9), (Mark(Role.TRIED, FIRST, (9, 0, 0)),)),
    "boxes": (
        lambda log: note_boxes(log, 3, Role.PLACED, BOXES, 2, 4, 0, 6),
        (Mark(Role.PLACED, FIRST, (4, 0, 6)), Mark(Role.PLACED, SECOND, (4, 0, 6))),
    ),
}


@pytest.mark.parametrize(("noting", "marks"), NOTED.values(), ids=NOTED)
def test_what_is_noted_is_one_step(noting, marks):
    """On the line, with its marks; without a log nothing is written."""
    log = StepLog(4)
    noting(log.rows)
    assert list(log.steps()) == [Step(3, marks)]
    assert noting(None) is None

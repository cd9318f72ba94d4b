"""Where we look: the step we stand at, and the steps since a line was last passed."""

import numpy as np

from meshgui.engine.allocation.inspection import Moment
from meshgui.engine.allocation.steps import Role, StepLog
from meshgui.engine.basics.geometry import Box


def steps_on(*lines: int):
    """The steps of a log that passed these lines, each with a box at so many columns."""
    log = StepLog(16)
    for x, line in enumerate(lines):
        log.note(line, Role.TRIED, Box(x, 0, 0, 1, 1, 1))
    return log.steps()


def test_a_moment_stands_at_its_last_step():
    """Its marks are what is looked at; before the first step nothing is."""
    moment = Moment({"held": np.zeros(1, dtype=np.int32)}, None, steps_on(3, 5))
    assert moment.step is not None
    assert moment.step.line == 5
    assert [mark.box.x for mark in moment.marks] == [1]
    before = Moment(moment.state)
    assert before.step is None
    assert before.marks == ()


def test_the_steps_since_a_line_begin_where_it_was_last_passed():
    """That step comes first; where the line was never passed these are all steps."""
    steps = steps_on(0, 1, 2, 1, 3)
    assert [step.line for step in steps.since(1)] == [1, 3]
    assert steps.since(1)[0].marks[0].box.x == 3
    assert [step.line for step in steps.since(7)] == [0, 1, 2, 1, 3]
    assert len(steps_on().since(1)) == 0

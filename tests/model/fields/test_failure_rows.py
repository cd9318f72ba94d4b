"""Failures of a file as rows of a table."""

import pytest

from meshgui.model.fields.failure_rows import boxes_in


@pytest.mark.parametrize(
    ("failures", "rows"),
    [
        ([{"node": [1, 2], "time": 3.0}], [{"box": [1, 2, 1, 1], "time": 3.0}]),
        ([{"node": None, "box": [0, 0, 2, 2]}], [{"node": None, "box": [0, 0, 2, 2]}]),
        (["no failure"], ["no failure"]),
        (7, []),
    ],
)
def test_a_processor_is_a_box_of_one_and_what_is_wrong_stays_as_it_is(failures, rows):
    """So that the table shows it, and the form names the fault."""
    assert boxes_in(failures) == rows

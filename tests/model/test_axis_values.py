"""Values of an axis as people type them."""

import pytest

from meshgui.experiment.fields import FieldError
from meshgui.model.axis_values import axis_of, text_of


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1, 2.5, 4", (1, 2.5, 4)),
        ("1..3", (1, 2, 3)),
        ("0.1..0.5/0.2", (0.1, 0.3, 0.5)),
        ("1..2/0.25, 5", (1, 1.25, 1.5, 1.75, 2, 5)),
        ("8×8, 16 x 16, 4*4*4", ([8, 8], [16, 16], [4, 4, 4])),
        ("tbl, ff", ("tbl", "ff")),
        ("[2, 5], [5, 10]", ([2, 5], [5, 10])),
        ("null, true", (None, True)),
    ],
)
def test_what_is_typed_is_what_is_meant(text, values):
    """Numbers, ranges with steps, shapes with any sign between, words and JSON."""
    assert axis_of("workload.load", text).values == values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "expected at least one value"),
        ("1,,2", "expected values separated by commas, got 1,,2"),
        ("5..1", "expected a step that leads from 5 to 1, got 5..1"),
        ("1..5/0", "expected a step that leads from 1 to 5, got 1..5/0"),
        ("0..1/0.00001", "expected at most 10000 values, got 0..1/0.00001"),
        ("1, 2, 1", "expected each value once, got 1 twice"),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_sentence(text, expected):
    """The sentence does not name the field: it stands beside it."""
    with pytest.raises(FieldError) as caught:
        axis_of("workload.load", text)
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    "values", [[1, 2.5], ["tbl", "12"], [[8, 8], [4, 4, 4]], [None, True, "true"]], ids=str
)
def test_values_written_out_are_read_back(values):
    """What a stored axis is shown as is that axis again."""
    assert list(axis_of("workload.load", text_of(values)).values) == values

"""Numbers as they are typed."""

import pytest

from meshgui.engine.basics.translation import speaking
from meshgui.views.forms.number_box import number_text, read_number


@pytest.mark.parametrize(
    ("text", "whole", "value"),
    [
        ("1.5", False, 1.5),
        ("1,5", False, 1.5),
        (" 12 ", True, 12),
        ("1,5", True, "1,5"),
        ("1.234,5", False, "1.234,5"),
        ("1,2,3", False, "1,2,3"),
        ("1_0", False, "1_0"),
        ("", False, None),
        ("many", False, "many"),
    ],
)
def test_a_number_is_read_with_a_point_or_a_comma(text, whole, value):
    """What is no number stays the text that was typed."""
    assert read_number(text, whole=whole) == value


def test_a_number_is_written_as_the_language_has_it_and_read_back():
    """With a comma in German."""
    assert [number_text(value) for value in (None, 2.0, 1.5, 7)] == ["", "2", "1.5", "7"]
    with speaking("de"):
        assert [number_text(value) for value in (None, 2.0, 1.5, 7)] == ["", "2", "1,5", "7"]
        assert read_number(number_text(0.25), whole=False) == 0.25

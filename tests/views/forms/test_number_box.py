"""Numbers as they are typed."""

import pytest

from meshgui.engine.basics.translation import speaking
from meshgui.model.fields.field_schema import Limits
from meshgui.views.forms.editors import TupleEditor
from meshgui.views.forms.number_box import number_text, read_number
from tests.views.showing import shown

_QT_EDGE = 2  # pixels that a line keeps free at each side of its text


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


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_five_digits_are_seen_whole_in_each_of_three_boxes(themes, qtbot, scale):
    """Side by side in the form of a scenario on a laptop; also a number that is too large."""
    themes.set_scale(scale)
    editor = TupleEditor([Limits(whole=True)] * 3, "xyz", themes, "×")
    shown(qtbot, editor, themes.px(176), themes.px(40))
    for box in editor.boxes:
        line = box.lineEdit()
        room = line.contentsRect().marginsRemoved(line.textMargins()).width() - 2 * _QT_EDGE
        assert room > line.fontMetrics().horizontalAdvance("99999")

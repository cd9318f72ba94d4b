"""Rows from CSV text: what people have on their clipboard."""

import pytest

from meshgui.views.forms.row_table import rows_from_csv

COLUMNS = ("arrival", "size", "service")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("0,2x4,6", [["0", "2×4", "6"]]),
        ("0,2,4,6\n1,3,3,2\n", [["0", "2×4", "6"], ["1", "3×3", "2"]]),
        ("0\t2\t4\t4\t6\r\n", [["0", "2×4×4", "6"]]),
        ("arrival;size;service\n0,5;2 × 4;6,25", [["0.5", "2×4", "6.25"]]),
        ("\n0, 2*4 , 6\n\n", [["0", "2×4", "6"]]),
        ('"0","2 4","6"', [["0", "2×4", "6"]]),
    ],
    ids=["size in one", "size in parts", "from a sheet", "decimal commas", "untidy", "quoted"],
)
def test_rows_are_read_in_every_usual_form(text, rows):
    """Separators, headings, sizes in one cell or several: the rows are the same."""
    assert rows_from_csv(text, COLUMNS, spread=1) == rows


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "expected rows of arrival, size, service to paste"),
        ("arrival,size,service", "expected rows of arrival, size, service to paste"),
        ("0,2x4,6\n1,2", "line 2: expected arrival, size, service, got 1,2"),
    ],
)
def test_what_is_no_row_is_named(text, fault):
    """The line and what it should have held are told."""
    with pytest.raises(ValueError, match=fault):
        rows_from_csv(text, COLUMNS, spread=1)

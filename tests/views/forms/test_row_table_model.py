"""Rows from CSV text: what people have on their clipboard."""

import pytest

from meshgui.engine.basics.translation import speaking
from meshgui.views.forms.row_table_model import CellColumn, RowTableModel, rows_from_csv

NUMBER = {"type": "number"}
COLUMNS = (
    CellColumn("arrival", NUMBER),
    CellColumn("size", {"type": "array"}),
    CellColumn("service", {"anyOf": [NUMBER, {"type": "null"}]}),
)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("0,2x4,6", [["0", "2×4", "6"]]),
        ("0,2,4,6\n1,3,3,2\n", [["0", "2×4", "6"], ["1", "3×3", "2"]]),
        ("0\t2\t4\t4\t6\r\n", [["0", "2×4×4", "6"]]),
        ("arrival;size;service\n0,5;2 × 4;6,25", [["0.5", "2×4", "6.25"]]),
        ("\n0, 2*4 , 6\n\n", [["0", "2×4", "6"]]),
        ('"0","2 4","6"', [["0", "2×4", "6"]]),
        ("0;2x3;5\n0\t2x3\t5\n0,2x3,5", [["0", "2×3", "5"]] * 3),
        ("0;2,3;5\n0,5\t(2, 3)\t1,5", [["0", "2×3", "5"], ["0.5", "2×3", "1.5"]]),
        ("arrival size service\n 0  2x3 5\n0,5 2×3  1,5", [["0", "2×3", "5"], ["0.5", "2×3", "1.5"]]),
        ("8   2  2 10\n9 2 x 3 4", [["8", "2×2", "10"], ["9", "2×3", "4"]]),
    ],
    ids=[
        *("size in one", "size in parts", "from a sheet", "decimal commas", "untidy", "quoted"),
        *("each line its own mark", "a comma in the size", "spaces", "spaces within the size"),
    ],
)
def test_rows_are_read_in_every_usual_form(text, rows):
    """Separators, headings, sizes in one cell or several: the rows are the same."""
    assert rows_from_csv(text, COLUMNS) == rows


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "expected rows of arrival, size, service to paste"),
        ("arrival,size,service", "expected rows of arrival, size, service to paste"),
        ("0,2x4,6\n1,2", "line 2: expected arrival, size, service, got 1,2"),
    ],
)
def test_what_is_no_row_is_named(text, fault):
    """The message names the line and what it should have held."""
    with pytest.raises(ValueError, match=fault):
        rows_from_csv(text, COLUMNS)


def test_pasted_numbers_have_a_comma_in_german_like_those_beside_them():
    """Whatever sign they had."""
    with speaking("de"):
        assert rows_from_csv("0.5\t2x3\t1,5", COLUMNS) == [["0,5", "2×3", "1,5"]]


@pytest.mark.parametrize(
    ("place", "cell", "value"),
    [
        (0, "2.5", 2.5),
        (0, "", ""),  # needed: the scenario says that it is missing
        (1, "2x4", [2, 4]),
        (1, "2×b", [2, "b"]),
        (1, "2×0", [2, 0]),  # a number, of which the scenario says what it expects
        (2, "", None),  # may be left out
        (2, "soon", "soon"),
    ],
)
def test_a_column_reads_its_cells(place, cell, value):
    """As the file has them; what is no such value is handed on as it was typed. It writes them likewise."""
    assert COLUMNS[place].value_of(cell) == value
    assert [COLUMNS[0].text_of(2.0), COLUMNS[1].text_of([2, 4]), COLUMNS[2].text_of(None)] == ["2", "2×4", ""]


JOBS = {"items": {"properties": {"arrival": NUMBER, "service": NUMBER}}}


def test_rows_are_written_when_they_are_looked_at_and_read_when_they_were_typed(themes, monkeypatch):
    """A list of 100,000 jobs took three seconds to be written as cells and read again; few are looked at."""
    model = RowTableModel(JOBS, "jobs", themes)
    items = [{"arrival": row, "service": 1} for row in range(1000)]
    worked: list[str] = []

    def note(name):
        call = getattr(CellColumn, name)
        monkeypatch.setattr(CellColumn, name, lambda *parts: worked.append(name) or call(*parts))

    note("text_of")
    note("value_of")
    model.set_items(items)
    assert model.number_of(999) == "999"
    assert model.holds_only("service", 1)
    assert all(one is other for one, other in zip(model.items(), items, strict=True))
    assert worked == []
    assert model.cells(7) == ["7", "1"]
    assert model.cells(7) == ["7", "1"]
    model.setData(model.index(7, 1), "4")
    after = model.items()
    assert worked == ["text_of"] * 2 + ["value_of"] * 2
    assert after[7] == {"arrival": 7, "service": 4}
    assert [row for row, item in enumerate(after) if item is not items[row]] == [7]


@pytest.fixture
def two(themes):
    """A table of two jobs, and their items."""
    model = RowTableModel(JOBS, "jobs", themes)
    first, second = {"arrival": 0, "service": 1}, {"arrival": 2, "service": 3}
    model.set_items([first, second])
    return model, first, second


def test_an_edited_cell_is_not_kept_for_the_item_it_had(two):
    """What an undo brings back is written as it was, not as it was typed over."""
    model, first, second = two
    kept = model.cells(0)
    model.setData(model.index(1, 1), "4")
    model.set_items([second, {"arrival": 5, "service": 6}, first])
    assert model.rows() == [["2", "3"], ["5", "6"], ["0", "1"]]
    assert model.cells(2) is kept


def test_rows_put_in_and_taken_out_keep_their_items(two):
    """An item belongs to its row wherever that stands."""
    model, _, second = two
    model.put(1, [["1", "9"]])
    model.take([0])
    assert model.items() == [{"arrival": 1, "service": 9}, second]
    assert model.items()[1] is second

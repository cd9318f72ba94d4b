"""The tables and grids of inspectors as they are built."""

import numpy as np

from meshgui.engine.allocation.inspection import GridValue, JobCell, Table, TableRow
from meshgui.engine.allocation.panels import (
    GridBuilder,
    TableBuilder,
    busy_table,
    job_cell,
    plain_mark,
    with_those_before,
)
from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import Box

BOX, OTHER = Box(1, 0, 0, 2, 1, 1), Box(0, 1, 0, 1, 1, 1)
MARK, SECOND = plain_mark(Role.TRIED, BOX, 7), plain_mark(Role.PLACED, OTHER)


def test_a_table_has_the_rows_that_were_added():
    """In their order, each with its mark; the current one is pointed out."""
    building = TableBuilder("Jumps", ("From", "Job"), "None yet.", jobs=("Job",))
    assert building.table() == Table("Jumps", ("From", "Job"), (), "None yet.", ("Job",))
    building.row("(0,0)", None)
    building.row("(1,0)", job_cell(3), mark=MARK, current=True)
    rows = (TableRow(("(0,0)", None)), TableRow(("(1,0)", JobCell("3", 3)), MARK, current=True))
    assert building.table().rows == rows
    assert building.table().current == 1


def test_a_grid_is_of_its_first_meaning_until_it_gets_others():
    """Boxes and places are given one each, the later ones over the earlier."""
    free, busy, tried = (GridValue(n, str(n), Role.NOTHING) for n in (4, 5, 6))
    building = GridBuilder((1, 2, 3), free, busy, tried)
    building.put(np.array([[[True, False, False], [False, False, True]]]), busy)
    building.fill([BOX, OTHER], tried)
    grid = building.grid("Scan")
    assert grid.values.tolist() == [[[5, 6, 6], [6, 4, 5]]]
    assert grid.legend == (free, busy, tried)


def test_busy_boxes_are_listed_with_their_jobs():
    """Each is marked in the mesh."""
    table = busy_table([(BOX, 3)], Role.TRIED)
    assert table.rows == (TableRow((JobCell("3", 3), "(1,0)–(2,0)"), plain_mark(Role.TRIED, BOX)),)


def test_a_box_that_the_step_marks_is_not_marked_twice():
    """Those of earlier steps stand after the step's own."""
    before = [plain_mark(Role.PLACED, BOX), SECOND]
    assert with_those_before((MARK,), before) == (MARK, SECOND)

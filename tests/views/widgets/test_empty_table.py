"""A table without rows: it says why it is empty, and all of the sentence is seen."""

import pytest

from meshgui.views.widgets.data_table import DataTable
from tests.views.window.test_right_to_left import inked_rows


@pytest.mark.parametrize("width", [120, 400])
def test_the_sentence_of_an_empty_table_that_shows_all_rows_is_whole(qtbot, themes, width):
    """Also where it takes several lines: at its least height as much is drawn as at any other."""
    table = DataTable((), themes)
    qtbot.addWidget(table)
    table.placeholder = "Empty: no processor is held by any job, so that no region is prohibited yet."
    table.show_rows(None)
    table.show_all_rows(True)
    table.resize(width, 400)
    with qtbot.waitExposed(table):
        table.show()
    whole = inked_rows(table.grab().toImage())
    table.resize(width, table.minimumHeight())
    assert len(inked_rows(table.grab().toImage())) == len(whole)

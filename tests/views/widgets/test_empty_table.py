"""A table without rows: it says why it is empty, and all of the sentence is seen."""

import pytest

from meshgui.model.stepping.bookmarks import Bookmarks
from meshgui.model.stepping.breakpoints import Breakpoints
from meshgui.model.stepping.cursor import Cursor
from meshgui.views.panels.stops import StopsPanel
from meshgui.views.widgets.data_table import DataTable
from tests.views.showing import shown
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


def test_an_empty_list_of_stops_says_so(qtbot, themes):
    """In words where the rows would be, as other panels do."""
    panel = shown(qtbot, StopsPanel(Cursor(), Breakpoints(), Bookmarks(), themes), 300, 500)
    for listed in (panel.list, panel.marks):
        assert len(inked_rows(listed.viewport().grab().toImage())) > 0

"""Columns of tables follow their texts: what gives way, which captions there are, and what the edges cut."""

import pytest
from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtWidgets import QScrollArea, QWidget

from meshgui.model.base.named import named
from meshgui.model.tables.columns import Column, GiveWay
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable
from tests.views.conftest import handle_events
from tests.views.showing import Heard

LONG = "a long text that needs its room"
NAME = named("Turning Busy List", "tbl")


class Rows:
    """Twenty rows; what was found is in each, or nothing."""

    title = scope = "rows"

    def __init__(self, found: str) -> None:
        self.found = found

    def __len__(self) -> int:
        return 20


COLUMNS = (
    Column[Rows]("What", lambda _d, _row: LONG, widest=lambda _: (LONG,), shrinks=True),
    Column[Rows](
        "Found", lambda d, _row: d.found, widest=lambda _: ("1234.5",), shorter=(lambda d: [d.found],), id="f"
    ),
)


def table_of(themes: ThemeManager, qtbot, columns, **more) -> DataTable[Rows]:
    """A table that is shown."""
    table = DataTable[Rows](columns, themes, **more)
    qtbot.addWidget(table)
    return table


@pytest.mark.parametrize(("found", "hidden"), [("–", True), ("", True), ("12.5", False)])
def test_an_empty_column_gives_way_to_texts_and_one_that_says_something_stays(qtbot, themes, found, hidden):
    """Where there is room for one of them."""
    table = table_of(
        themes, qtbot, COLUMNS, give_way=(GiveWay(("f",)), GiveWay(("f",), hide=True, if_empty=True))
    )
    table.show_rows(Rows(found))
    table.resize(table.needed(0) + 40, 200)
    table.show()
    assert table.isColumnHidden(1) == hidden
    assert (table.shown(0, 0) == LONG) == hidden
    table.resize(2 * table.width(), 200)
    assert not table.isColumnHidden(1)
    assert table.shown(0, 0) == LONG


def test_columns_of_other_widths_are_painted_once(qtbot, themes):
    """Qt's table would be painted again after it has come to rest."""
    found = Column[Rows]("Found", lambda d, _row: d.found, widest=lambda d: (d.found,))
    table = table_of(themes, qtbot, (found, COLUMNS[0]))
    table.resize(300, 200)
    with qtbot.waitExposed(table):
        table.show()
    table.show_rows(Rows("1"))
    handle_events()
    paints = Heard(table.viewport(), QEvent.Type.Paint)
    before = table.columnWidth(0)
    table.show_rows(Rows("12345678.5"))
    turns = list[None]()
    QTimer.singleShot(0, lambda: turns.append(None))  # after what Qt's table had to do by then
    qtbot.waitUntil(lambda: bool(turns))
    handle_events()
    assert table.columnWidth(0) > before
    assert paints.count == 1


def test_captions_are_names_in_full_until_that_gives_way(qtbot, themes):
    """A column that matters less goes before; then they are the ids, and the names are at the pointer."""
    value = Column[Rows]("tbl", lambda _d, _row: 1.5, widest=lambda _: ("1.5",), full_title=NAME)
    unit = Column[Rows]("Unit", lambda _d, _row: "ms", widest=lambda _: ("ms",), id="unit")
    ways = GiveWay(("unit",), hide=True), GiveWay()
    table = table_of(themes, qtbot, (COLUMNS[0], value, unit), give_way=ways)
    table.show_rows(Rows(""))
    said = table.rows.headerData
    both = table.needed(0) + table.needed(1) + 20
    for width, title, has_unit in ((900, NAME, True), (both, NAME, False), (both - 30, "tbl", False)):
        table.resize(width, 200)
        table.fit()
        assert table.isColumnHidden(2) != has_unit
        assert said(1, Qt.Orientation.Horizontal) == title
        tip = said(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert tip == (None if title == NAME else NAME)


def ground_alone(widget: QWidget, left: int, top: int, size: QSize) -> bool:
    """Whether a part of a widget has one colour."""
    image = widget.grab().toImage()
    ratio = image.devicePixelRatio()
    part = image.copy(*(int(n * ratio) for n in (left, top, size.width(), size.height())))
    return len({part.pixel(x, y) for x in range(part.width()) for y in range(part.height())}) == 1


def test_a_column_that_the_edge_cuts_is_left_out_until_the_table_is_scrolled(qtbot, themes):
    """With its caption: the scroll bar says that there is more."""
    table = table_of(themes, qtbot, (COLUMNS[0], COLUMNS[0]))
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    table.show_rows(Rows(""))
    table.fit = lambda: table.set_needed_widths(10)
    table.resize(table.needed(0) + 120, 200)
    table.show()
    table.fit()
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() > 0)
    assert table.cut_column() == 1
    left, view = table.columnViewportPosition(1), table.viewport()
    room = QSize(view.width() - left, view.height() // 2)
    assert ground_alone(view, left, 0, room)
    caption = QSize(room.width(), table.horizontalHeader().height() - 2)
    assert ground_alone(table.horizontalHeader().viewport(), left, 0, caption)
    table.horizontalScrollBar().setValue(table.horizontalScrollBar().maximum())
    assert table.cut_column() is None
    assert not ground_alone(view, table.columnViewportPosition(1), 0, room)


def test_a_row_that_the_edge_of_its_page_cuts_is_left_out_until_the_page_is_scrolled(qtbot, themes):
    """As is one that the table's own edge cuts."""
    table = DataTable[Rows](COLUMNS, themes)
    table.show_rows(Rows(""))
    height = table.verticalHeader().defaultSectionSize()
    page = QScrollArea()
    qtbot.addWidget(page)
    table.setFixedSize(400, 21 * height)
    page.setWidget(table)
    page.resize(420, 5 * height + table.horizontalHeader().height() + height // 2)
    page.show()
    qtbot.waitExposed(page)
    cut = table.rowAt(table.viewport().visibleRegion().boundingRect().bottom())
    top = table.rowViewportPosition(cut)
    assert 3 < cut < 7
    assert ground_alone(table.viewport(), 0, top, QSize(300, height // 2 - 4))
    page.verticalScrollBar().setValue(height)
    assert not ground_alone(table.viewport(), 0, top, QSize(300, height))

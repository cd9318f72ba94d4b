"""The inspectors show the strategy's structures in place, and what is pointed at lights up in the mesh."""

from typing import get_args

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QDialog, QPushButton, QScrollArea, QTableView

from meshgui.engine.allocation.inspection import JobCell, LongRows, Panel, Table, TableRow
from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.model.moment.position import Position
from meshgui.model.stepping.pin import Pin
from meshgui.model.stepping.selection import Selection
from meshgui.views.inspector.panel import BODIES, InspectorView
from meshgui.views.inspector.table_panel import TablePanel
from meshgui.views.inspector.tree_panel import TreePanel
from meshgui.views.widgets.focus_ring import FocusRing
from tests.counting import calls_in
from tests.views.conftest import handle_events
from tests.views.pointer import move_to


@pytest.fixture
def view(show, cursor, small_run):
    """The inspectors in the middle of job 2's second attempt."""
    view = show(InspectorView, height=700)
    cursor.show(small_run)
    cursor.enter_attempt(small_run.attempts_of(2)[1])
    return view


def table(view, title):
    """The table under a title."""
    return view.sections[title].body.table


def says(view):
    """All the tables say, and which rows are current."""
    return {
        title: [
            (*(rows.cell(r, c).text for c in range(rows.columnCount())), section.body.table.look(r).current)
            for r in range(rows.rowCount())
        ]
        for title, section in view.sections.items()
        for rows in [section.body.table.rows]
    }


def test_every_kind_of_data_has_what_draws_it():
    """And no more."""
    assert set(BODIES) == set(get_args(Panel))


def test_it_shows_what_the_strategy_keeps_the_same_forwards_and_back(view, cursor):
    """At each step the tables hold the inspection's rows, in the same widgets."""
    widgets = [section.body.table for section in view.sections.values()]
    seen = []
    for _ in range(12):
        seen.append(says(view))
        for panel in cursor.view.inspection.panels:
            rows = [tuple(getattr(cell, "text", cell or "–") for cell in row.cells) for row in panel.rows]
            assert [row[:-1] for row in says(view)[panel.title]] == rows
        cursor.next_step()
    assert len({str(words) for words in seen}) > 3
    for words in reversed(seen):
        cursor.previous_step()
        assert says(view) == words
    assert [section.body.table for section in view.sections.values()] == widgets


def test_pointing_at_a_row_points_its_box_out_and_at_its_job_hovers_that(view, selection):
    """While the pointer is there; a click selects the job, and one selected elsewhere is marked, too."""
    busy = table(view, "Busy list")
    assert not busy.look(0).selected
    selection.select(1)
    selection.hover(1)
    assert busy.look(0).selected
    assert busy.look(0).hovered
    selection.clear()
    busy.pointed.emit(0, 2)
    [mark] = selection.marks
    assert (mark.role, mark.box, selection.hovered) == (Role.TRIED, Box(0, 2, 0, 4, 2, 1), None)
    busy.pointed.emit(-1, -1)
    assert selection.marks == ()
    busy.pointed.emit(0, 1)
    assert selection.hovered == 1
    busy.chosen.emit(0, 1)
    assert selection.job == 1
    busy.pointed.emit(-1, -1)
    assert selection.hovered is None


def test_a_chosen_row_stays_pointed_out_from_step_to_step_and_under_the_pointer(view, cursor, selection):
    """Its mark follows what becomes of the row."""
    planes = table(view, "Right border planes")
    cursor.next_step()
    planes.chosen.emit(0, 1)
    whole = selection.marks
    assert whole[0].role == Role.BORDER
    cursor.next_step()
    assert selection.marks[0].box.volume < whole[0].box.volume
    cursor.previous_step()
    assert selection.marks == whole
    cursor.previous_step()
    assert selection.marks == ()  # in the step before, there was no plane yet
    assert planes.look(0).selected
    planes.chosen.emit(0, 1)
    assert not planes.look(0).selected
    # Off the tables again, it is pointed out again; another choice or clearing the mark lets go of it
    busy, planes = table(view, "Busy list"), table(view, "Right border planes")
    busy.chosen.emit(0, 2)
    assert busy.look(0).selected
    selection.clear()
    assert not busy.look(0).selected
    busy.chosen.emit(0, 2)
    chosen = selection.marks
    planes.pointed.emit(0, 1)
    assert selection.marks != chosen
    planes.pointed.emit(-1, -1)
    assert selection.marks == chosen
    planes.chosen.emit(0, 1)
    assert (planes.look(0).selected, busy.look(0).selected) == (True, False)


def test_a_column_of_jobs_keeps_room_for_their_colours_before_there_is_one(qtbot, selection, themes):
    """A free midplane above a held one, or none held yet: the widths stay when a job comes."""
    panel = TablePanel(selection, Pin(selection), themes)
    qtbot.addWidget(panel)
    panel.resize(200, 200)

    def widths(*holders, jobs=("Held by",)):
        rows = tuple(TableRow(("(0,0,0)", holder)) for holder in holders)
        described = Table("Midplanes", ("Midplane", "Held by"), rows, "", jobs=jobs)
        panel.show_data(described, Mesh((4, 4)), fresh=False)
        return panel.table.columnWidth(0), panel.table.needed(1)

    idle = widths("free", "job 7")
    assert widths("free", JobCell("job 7", 7)) == idle
    assert idle[1] > widths("free", "job 7", jobs=())[1]


def test_tables_scroll_only_to_their_current_row_and_columns_keep_their_place(show, cursor, run, qtbot):
    """Through a whole attempt with a long busy list: what is in sight already moves nothing."""
    many = run("tbl", [8, 8], [(n / 100, [1, 1], 9.0) for n in range(40)] + [(1.0, [8, 5], 1.0)])
    view = show(InspectorView, height=500)
    cursor.show(many)
    cursor.enter_attempt(many.attempts_of(40)[0])
    busy = table(view, "Busy list")
    bar = busy.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 120)
    bar.setValue(120)
    places = set()
    for _ in range(30):
        before, current = bar.value(), view.sections["Busy list"].body.current_row
        cursor.next_step()
        row = view.sections["Busy list"].body.current_row
        if row is None or row == current:
            assert bar.value() == before
        else:
            assert busy.viewport().rect().contains(busy.visualRect(busy.rows.index(row, 0)))
        places.add(tuple(table(view, t).columnViewportPosition(c) for t in view.sections for c in (0, 1)))
    assert len(places) == 1


def test_a_step_costs_little_and_nothing_when_it_is_shown_already(view, cursor):
    """Another step fills in what has changed; the same one again makes hardly a call."""
    cursor.next_step()
    shown = cursor.view
    cursor.previous_step()
    _ = shown.inspection
    first = calls_in(lambda: view.show_view(shown))
    again = calls_in(lambda: view.show_view(shown))
    assert first < 1500
    assert again < 20


def test_a_section_folds_away_and_stays_folded(view, cursor, qtbot, run):
    """Its table is gone and the others share the height; none has a larger window, or widens the panel."""
    busy, planes = view.sections["Busy list"], view.sections["Right border planes"]
    before = planes.height()
    busy.head.click()
    cursor.next_step()
    assert not busy.body.isVisible()
    qtbot.waitUntil(lambda: busy.height() < 60)
    assert planes.height() > before
    busy.head.click()
    assert busy.body.isVisible()
    assert all(section.larger.isHidden() for section in view.sections.values())
    assert view.minimumSizeHint().width() < 200
    view.resize(200, 700)
    assert all(section.width() <= 200 for section in view.sections.values())
    # Another strategy replaces the sections: tables go and a grid comes
    assert list(view.sections) == ["Busy list", "Prohibited regions", "Right border planes"]
    cursor.show(run("ff", [4, 4], [(0.0, [2, 2], 1.0)]))
    assert list(view.sections) == ["Base nodes"]
    cursor.show(None)
    assert not view.sections
    view.resize(160, 700)
    handle_events()
    assert view.empty.isVisible()
    assert view.empty.height() >= 2 * view.empty.fontMetrics().height()  # whole, in several lines


@pytest.mark.parametrize("shape", [[4, 3], [4, 3, 5]])
def test_a_grid_says_each_processors_value_where_it_is_drawn(show, cursor, selection, shape, run, qtbot):
    """Every processor has its own cell inside the panel, and pointing at it points it out."""
    sizes = [[2, 2, 1][: len(shape)], shape]
    recording = run("ff", shape, [(0.0, sizes[0], 9.0), (1.0, sizes[1], 1.0)])
    view = show(InspectorView)
    cursor.show(recording)
    cursor.go_to(Position(2))
    panel = view.sections["Base nodes"].body
    qtbot.waitUntil(lambda: panel.height() > 400)
    width, depth, height = recording.mesh.extents
    nodes = [(x, y, z) for z in range(height) for y in range(depth) for x in range(width)]
    for node in nodes:
        cell = panel.cell_rect(*node)
        assert panel.rect().contains(cell)
        assert panel.node_at(cell.center().toPointF()) == node
    assert panel.cell_rect(0, 0, 0).top() > panel.cell_rect(0, 1, 0).top()
    name = ",".join("0" * len(shape))
    assert panel.words((0, 0, 0)) == f"({name}): busy"
    at = panel.cell_rect(1, 1, 0).center().toPointF()
    move_to(panel, at)
    assert selection.marks[0].box == Box(1, 1, 0, 1, 1, 1)


@pytest.mark.parametrize("shape", [[4, 3], [4, 3, 5]])
def test_keys_go_through_a_grid(show, cursor, selection, shape, run, qtbot):
    """Return goes in, arrows and Page Up go on up to the edges, Esc gives the keys back to the window."""
    recording = run("ff", shape, [(0.0, [2, 2, 1][: len(shape)], 9.0)])
    view = show(InspectorView)
    cursor.show(recording)
    cursor.go_to(Position(2))
    panel = view.sections["Base nodes"].body
    assert panel.accessibleName() == "Base nodes"
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    panel.clearFocus()
    panel.setFocus(Qt.FocusReason.TabFocusReason)
    assert panel.findChild(FocusRing).isVisible()
    helped = panel.accessibleDescription()
    layer = min(1, len(shape) - 2)
    steps = [
        (Qt.Key.Key_Return, (0, 0, 0)),
        (Qt.Key.Key_Left, (0, 0, 0)),
        *((Qt.Key.Key_Right, (x, 0, 0)) for x in (1, 2, 3, 3)),
        (Qt.Key.Key_Up, (3, 1, 0)),
        (Qt.Key.Key_PageUp, (3, 1, layer)),
        (Qt.Key.Key_Down, (3, 0, layer)),
    ]
    for key, node in steps:
        qtbot.keyClick(panel, key)
        assert selection.marks[0].box == Box(*node, 1, 1, 1)
        assert panel.accessibleDescription() == panel.words(node)
    qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert selection.marks == ()
    assert panel.accessibleDescription() == helped
    at = cursor.position
    qtbot.keyClick(panel, Qt.Key.Key_Right)  # not its own now
    assert selection.marks == ()
    assert cursor.position == at


def rows_in(section, shown):
    """The title, captions and rows of a section: what each is, where it begins and ends in what is shown."""
    title = section.findChild(QAbstractButton)
    parts = [("title", title, title.rect())]
    for table in section.findChildren(QTableView):
        head = table.horizontalHeader()
        parts += [("captions", head, head.rect())] if head.isVisible() else []
        for row in range(table.model().rowCount()):
            parts.append((f"row {row}", table.viewport(), table.visualRect(table.model().index(row, 0))))
    for text, part, rect in parts:
        top = part.mapTo(shown, rect.topLeft()).y()
        if rect.height() and part.rect().contains(rect):
            yield text, top, top + rect.height()


def test_the_current_row_is_scrolled_into_sight_and_shown_whole(show, cursor, run):
    """Whichever table it is in: within the table, and within the panel that scrolls the tables."""
    recording = run("tbl", [12, 12], [(0.0, [1, 1], 50.0)] * 30)
    view = show(InspectorView, height=260)
    cursor.show(recording)
    cursor.enter_attempt(recording.attempts_of(29)[0])
    seen = set()
    for _ in range(60):
        cursor.next_step()
        handle_events()  # a table that has become longer is laid out again
        panels = cursor.view.inspection.panels if cursor.view.position.inside else ()
        panel = next((p for p in panels if any(row.current for row in p.rows)), None)
        if panel is None:
            continue
        body = view.sections[panel.title].body
        rect = body.stepped_rect()
        assert body.rect().contains(rect)
        shown = view.findChild(QScrollArea).viewport()
        top = body.mapTo(shown, rect.topLeft()).y()
        assert top >= 0
        assert top + rect.height() <= shown.height()
        sliced = [
            (name, text)
            for name, section in view.sections.items()
            for text, first, last in rows_in(section, shown)
            if first < 0 < last or first < shown.height() < last
        ]
        assert sliced == []
        seen.add((panel.title, body.current_row))
    assert len(seen) > 5


def test_a_tree_opens_in_a_large_window_that_follows_the_steps(show, cursor, run, qtbot):
    """It shows the tree of each step, also while the panel itself is hidden, and closes with Escape."""
    recording = run("ta", [8, 8], [(0.0, [2, 2], 5.0), (0.0, [3, 1], 5.0), (0.5, [1, 1], 5.0)])
    view = show(InspectorView, height=500)
    cursor.show(recording)
    cursor.enter_attempt(recording.attempts_of(2)[0])
    title, section = next((t, s) for t, s in view.sections.items() if isinstance(s.body, TreePanel))
    qtbot.mouseClick(section.larger, Qt.MouseButton.LeftButton)
    [window] = view.findChildren(QDialog)
    qtbot.waitExposed(window)
    body = window.section.body
    assert window.windowTitle() == title
    assert body.width() > 1.5 * section.body.width()
    assert body.tree == section.body.tree
    view.hide()
    cursor.next_step()
    tree = next(panel for panel in cursor.view.inspection.panels if panel.title == title)
    assert body.tree == tree
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: view.findChildren(QDialog) == [])


def test_tab_goes_from_the_inspector_into_its_sections(view, cursor, run, qtbot):
    """They are one stop, before what stands behind the inspector, whatever was made last."""
    behind = QPushButton(view)
    behind.show()
    cursor.show(run("mbs", [8, 8], [(0.0, [3, 3], 1.0)]))
    first, *_ = view.sections.values()
    qtbot.waitUntil(first.head.isVisible)
    expected = [first.head, behind]
    stops, here = [], view.findChild(QScrollArea)
    while len(stops) < len(expected):
        here = here.nextInFocusChain()
        takes = here.focusPolicy() & Qt.FocusPolicy.TabFocus and here.isVisibleTo(view)
        stops += [here] if takes else []
    assert stops == expected


def test_rows_of_a_long_table_are_made_only_when_they_are_looked_at(qtbot, themes):
    """Of a hundred thousand rows the table makes those that it shows, measures or points to."""
    made: list[int] = []

    def row(number: int) -> TableRow:
        made.append(number)
        return TableRow((f"row {number}",), current=number == 99_999)

    panel = TablePanel(Selection(), Pin(Selection()), themes)
    qtbot.addWidget(panel)
    panel.resize(300, 200)
    with qtbot.waitExposed(panel):
        panel.show()
    panel.show_data(
        Table("Long", ("Row",), LongRows(100_000, row, 99_999, (99_999,)), ""), Mesh((4, 4)), fresh=True
    )
    handle_events()
    assert panel.current_row == 99_999
    assert 99_999 in made
    assert len(set(made)) < 100

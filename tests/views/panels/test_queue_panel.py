"""The queue shows who waits and who runs, follows the selection and leads it, and stays cheap."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.moment.position import Position
from meshgui.views.panels.queue import QueuePanel
from tests.counting import calls_in
from tests.networks import three_in_a_row
from tests.runs import first_events, run_of
from tests.scenarios import scenario_of
from tests.views.conftest import handle_events
from tests.views.panels.conftest import seen_both_ways
from tests.views.tables import texts


def centre(table, row):
    """A point in a row's first cell."""
    return table.visualRect(table.rows.index(row, 0)).center()


@pytest.fixture
def queue(show, cursor, small_run):
    """Shows the queue at a time of a run; at 3.0 of the small one, forty jobs wait."""

    def shown(recording=small_run, at=3.0, **size):
        view = show(QueuePanel, **size)
        cursor.show(recording)
        cursor.go_to(Position(recording.position_at(at)))
        return view

    return shown


def test_it_shows_the_waiting_in_service_order_and_the_running_with_their_boxes(queue):
    """At 2.01 two jobs wait, for as long as they are there, and two run."""
    view = queue(at=2.015)
    assert texts(view.waiting.table) == [("2", "3×3", "0.01"), ("3", "3×3", "0.00")]
    assert texts(view.running.table) == [("0", "(0,0)–(3,1)", "2.99"), ("1", "(0,2)–(3,3)", "7.99")]
    assert view.waiting.heading.count == "2"
    assert view.running.heading.count == "2 · 16 of 16 in use"
    view.resize(150, view.height())  # narrower the number of jobs alone, and not a part of all that
    handle_events()
    assert view.running.heading._count.shown == "2"


def test_that_no_job_waits_is_whole_in_the_largest_letters(queue, themes):
    """On two lines in a narrow panel, the second of which was cut."""
    themes.set_scale(2.5)
    view = queue(at=0.0, width=240, height=500)
    handle_events()
    for part in (view.waiting, view.running):
        letters, room = QFontMetrics(themes.text()), part.table.viewport().rect()
        lines = letters.boundingRect(room.adjusted(30, 15, -30, 0), Qt.TextFlag.TextWordWrap, part.nothing)
        assert lines.bottom() <= room.bottom()


def test_a_job_with_a_reservation_is_marked(queue, cursor):
    """Job 4 of 004's Example 1 still waits, but for a box of its own."""
    recording = run_of("tree-allocation-example-1")
    view = queue(recording)
    cursor.go_to(Position(int(recording.reserved[4])))
    assert texts(view.waiting.table) == [("4", "1×4", "0.00")]
    cursor.go_to(Position(int(recording.arrived[6]) + 1))
    assert texts(view.waiting.table) == [("4", "1×4 · reserved", "2.00"), ("6", "1×1", "0.00")]


def test_going_back_shows_the_same_texts_in_the_same_places(queue, cursor, small_run):
    """Whatever was shown at a place is shown there again on the way back; no column moves."""
    view = queue()

    def seen():
        places = [view.waiting.table.columnViewportPosition(column) for column in range(3)]
        return texts(view.waiting.table), texts(view.running.table), places

    found = seen_both_ways(cursor.go_to, map(Position, range(len(small_run) + 1)), seen)
    assert len({tuple(places) for _, _, places in found}) == 1


def test_a_row_is_selected_by_a_click_and_by_the_arrow_keys(queue, selection, qtbot):
    """A click selects, and the pointer hovers."""
    view = queue()
    table = view.waiting.table
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=centre(table, 2))
    assert selection.job == 4
    table.pointed.emit(1, 0)
    assert selection.hovered == 3
    assert table.look(1).hovered
    assert table.look(2).selected
    # Down selects the next job; Right, which steps, is left alone
    table.setCurrentIndex(table.rows.index(0, 0))
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert selection.job == 3
    qtbot.keyClick(table, Qt.Key.Key_Right)
    assert table.currentIndex().column() == 0


def test_a_job_selected_elsewhere_is_scrolled_into_sight_and_stepping_scrolls_nothing(
    queue, selection, cursor
):
    """The last of forty rows is out of sight until it is selected."""
    table = queue(height=400).waiting.table
    assert not table.viewport().rect().contains(centre(table, 39))
    selection.select(41)
    assert table.viewport().rect().contains(centre(table, 39))
    assert table.look(39).selected
    # Neither steps nor events scroll, not even with a job selected
    view = queue(height=400)
    selection.select(3)
    bar = view.waiting.table.verticalScrollBar()
    bar.setValue(200)
    for _ in range(5):
        cursor.next_step()
    cursor.next_event()
    cursor.previous_event()
    assert bar.value() == 200


def test_ten_thousand_waiting_jobs_cost_nothing(show, cursor, themes):
    """Showing another place calls as much as with a hundred: the rows that are in sight."""
    service = {"kind": "constant", "value": 9}
    workload = {"kind": "stochastic", "jobs": 10_050, "load": 1e6, "service": service}
    data = {"meshgui": 1, "mesh": {"shape": [8, 8]}, "allocator": {"name": "ff"}, "workload": workload}
    recording = simulate(scenario_from(data))
    view = show(QueuePanel)
    cursor.show(recording)
    calls = {}
    for waiting in (100, 10_000):
        position = next(p for p in range(waiting, len(recording)) if len(recording.queue(p)) >= waiting)
        cursor.go_to(Position(position))
        shown = cursor.view
        assert view.waiting.table.rows.rowCount() >= waiting
        _ = shown.snapshot  # the machine's state is the recording's cost, not the panel's
        calls[waiting] = calls_in(lambda shown=shown: view.show_view(shown))
    assert calls[10_000] == calls[100]


def test_without_a_run_it_says_what_to_do(show, cursor, small_run):
    """Empty before a run and after it is closed."""
    view = show(QueuePanel)
    assert view.waiting.table.placeholder == "Open a scenario to see its jobs."
    cursor.show(small_run)
    assert view.waiting.table.placeholder == "No job waits."
    cursor.show(None)
    assert view.waiting.table.rows.rowCount() == 0
    # The columns share the panel's width before there is a job to measure
    for table in (view.waiting.table, view.running.table):
        head = table.horizontalHeader()
        assert sum(head.sectionSize(column) for column in range(head.count())) == table.room


def test_a_hidden_panel_does_no_work_and_catches_up_when_shown(queue, cursor):
    """Hidden, it keeps what it showed; shown again, it is up to date."""
    view = queue(at=0.0)
    view.hide()
    cursor.go_to_time(3.0)
    assert view.waiting.table.rows.rowCount() == 0
    view.show()
    assert view.waiting.table.rows.rowCount() == 40


def rows_in_sight(part):
    """How many rows of a list are whole."""
    table = part.table
    return sum(
        table.viewport().rect().contains(table.visualRect(table.rows.index(row, 0)))
        for row in range(table.rows.rowCount())
    )


def test_all_that_run_are_in_sight_where_they_need_less_than_half(queue, qtbot):
    """Three run and forty wait."""
    sizes = {"size": [4, 1], "service": 9}
    jobs = [{"arrival": 0, **sizes} for _ in range(3)] + [
        {"arrival": 1, "size": [4, 4], "service": 9} for _ in range(40)
    ]
    view = queue(simulate(scenario_of((4, 4), jobs)), at=1.0, height=270)
    qtbot.waitUntil(lambda: rows_in_sight(view.running) == 3)
    assert rows_in_sight(view.waiting) >= 3


def test_in_a_low_panel_a_long_list_has_the_room_that_a_short_one_leaves(queue, qtbot):
    """Four run and one waits, or forty wait and two run; an edge that the user has drawn stays."""
    sizes = {"size": [4, 1], "service": 9}
    jobs = [{"arrival": 0, **sizes} for _ in range(4)] + [{"arrival": 1, **sizes}]
    view = queue(simulate(scenario_of((4, 4), jobs)), at=1.0, height=260)
    qtbot.waitUntil(lambda: rows_in_sight(view.running) == 4)
    assert rows_in_sight(view.waiting) == 1
    view = queue(height=400)
    qtbot.waitUntil(lambda: rows_in_sight(view.running) == 2)
    assert rows_in_sight(view.waiting) > 8
    drawn = [200, 200]
    view._split.setSizes(drawn)
    view._split.splitterMoved.emit(200, 1)
    drawn = view._split.sizes()
    view.resize(300, 401)
    view.show_view(None)
    handle_events()
    assert abs(view._split.sizes()[1] - drawn[1]) <= 1


def test_what_is_elided_is_told_whole(queue):
    """In a panel too narrow for a box, the tooltip has it."""
    view = queue(width=120)
    table = view.running.table
    delegate = table.itemDelegate()
    assert delegate.whole(table.rows.index(0, 1)) == "(0,0)–(3,1)"
    assert delegate.whole(table.rows.index(0, 0)) == ""
    assert view.width() == 120
    assert table.indexAt(QPoint(2, 2)).row() == 0


def test_nobody_knows_when_a_job_with_a_network_ends(show, cursor):
    """While the run has not come to its end; afterwards the recording says it."""
    recording = three_in_a_row()
    view = show(QueuePanel)
    cursor.show(first_events(recording, 2))
    cursor.go_to(Position(2))
    assert texts(view.running.table) == [("0", "(0,0)–(3,3)", "–")]
    cursor.show(recording)
    cursor.go_to(Position(2))
    assert texts(view.running.table) == [("0", "(0,0)–(3,3)", "67.00")]


def test_a_selected_packets_job_is_marked(queue, selection):
    """The queue lights the job whose packet was selected."""
    view = queue(three_in_a_row(), at=10.0)
    selection.select_packet(1, 0)
    assert view.running.table.look(0).selected


def test_lengths_of_a_long_run_are_whole_beside_their_boxes(queue, cursor, run):
    """Decimals are left out where boxes would have no room, then a box's end; no number is cut."""
    jobs = [(0.0, [12, 12, 12], 12_345_678.5), (1.0, [12, 12, 12], 12_345_678.5)]
    long_run = run("ff", [12, 12, 12], jobs)
    view = queue(long_run, at=1.0, width=280)
    assert view.waiting.table.shown(0, 2) == "0.00"
    whole, end = "(0,0,0)–(11,11,11)", "12345677.50"
    for width, place, left in ((200, "at (0,0,0)", "12345678"), (280, whole, "12345678"), (420, whole, end)):
        view.resize(width, 600)
        cursor.show(long_run)
        cursor.go_to(Position(long_run.position_at(1.0)))
        assert [view.running.table.shown(0, column) for column in range(3)] == ["0", place, left]


def test_a_low_panel_shows_both_lists_without_scrolling_itself(queue):
    """So low as at 960×600, each list has a whole row; captions come back where two rows have room below."""
    view = queue(at=2.015, width=260, height=134)
    assert view.minimumSizeHint().height() <= 134
    for height, captions in ((134, False), (185, False), (230, True)):
        view.resize(260, height)
        handle_events()
        for table in (view.waiting.table, view.running.table):
            assert table.viewport().rect().contains(table.visualRect(table.rows.index(0, 0)))
            assert table.horizontalHeader().isVisible() == captions

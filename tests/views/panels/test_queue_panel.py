"""The queue shows who waits and who runs, follows the selection and leads it, and stays cheap."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.position import Position
from meshgui.views.panels.queue import QueuePanel
from tests.counting import calls_in
from tests.networks import three_in_a_row
from tests.runs import first_events, run_of


def texts(table):
    """All a table says."""
    rows = table.rows
    return [tuple(rows.cell(r, c).text for c in range(rows.columnCount())) for r in range(rows.rowCount())]


def when(recording, moment):
    """The place at a time."""
    return Position(recording.position_at(moment))


def centre(table, row):
    """A point in a row's first cell."""
    return table.visualRect(table.rows.index(row, 0)).center()


def test_it_shows_the_waiting_in_service_order_and_the_running_with_their_boxes(show, cursor, small_run):
    """At 2.01 two jobs wait, for as long as they are there, and two run."""
    view = show(QueuePanel)
    cursor.show(small_run)
    cursor.go_to(when(small_run, 2.015))
    assert texts(view.waiting.table) == [("2", "3×3", "0.01"), ("3", "3×3", "0.00")]
    assert texts(view.running.table) == [("0", "(0,0)–(3,1)", "2.99"), ("1", "(0,2)–(3,3)", "7.99")]
    assert view.waiting.heading.count == "2"
    assert view.running.heading.count == "2 · 16 of 16 in use"


def test_a_job_with_a_reservation_is_marked(show, cursor):
    """Job 4 of 004's Example 1 still waits, but for a box of its own."""
    recording = run_of("tree-allocation-example-1")
    view = show(QueuePanel)
    cursor.show(recording)
    cursor.go_to(Position(int(recording.reserved[4])))
    assert texts(view.waiting.table) == [("4", "1×4", "0.00")]
    cursor.go_to(Position(int(recording.arrived[6]) + 1))
    assert texts(view.waiting.table) == [("4", "1×4 · reserved", "2.00"), ("6", "1×1", "0.00")]


def test_going_back_shows_the_same_texts(show, cursor, small_run):
    """Whatever was shown at a place is shown there again on the way back."""
    view = show(QueuePanel)
    cursor.show(small_run)
    seen = []
    for position in range(len(small_run) + 1):
        cursor.go_to(Position(position))
        seen.append((texts(view.waiting.table), texts(view.running.table)))
    for position in reversed(range(len(small_run) + 1)):
        cursor.go_to(Position(position))
        assert (texts(view.waiting.table), texts(view.running.table)) == seen[position]


def test_clicking_a_row_selects_its_job(show, cursor, selection, small_run, qtbot):
    """A click selects, and the pointer hovers."""
    view = show(QueuePanel)
    cursor.show(small_run)
    cursor.go_to(when(small_run, 3.0))
    table = view.waiting.table
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=centre(table, 2))
    assert selection.job == 4
    table.pointed.emit(1, 0)
    assert selection.hovered == 3
    assert table.look(1).hovered
    assert table.look(2).selected


def test_the_arrow_keys_walk_through_the_queue_and_all_others_are_the_windows(
    show, cursor, selection, small_run, qtbot
):
    """Down selects the next job; Right, which steps, is left alone."""
    view = show(QueuePanel)
    cursor.show(small_run)
    cursor.go_to(when(small_run, 3.0))
    table = view.waiting.table
    table.setCurrentIndex(table.rows.index(0, 0))
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert selection.job == 3
    qtbot.keyClick(table, Qt.Key.Key_Right)
    assert table.currentIndex().column() == 0


def test_a_job_selected_elsewhere_is_scrolled_into_sight(show, cursor, selection, small_run):
    """The last of forty rows is out of sight until it is selected."""
    view = show(QueuePanel, height=400)
    cursor.show(small_run)
    cursor.go_to(when(small_run, 3.0))
    table = view.waiting.table
    assert not table.viewport().rect().contains(centre(table, 39))
    selection.select(41)
    assert table.viewport().rect().contains(centre(table, 39))
    assert table.look(39).selected


def test_stepping_leaves_the_scroll_position_alone(show, cursor, selection, small_run):
    """Neither steps nor events scroll, not even with a job selected."""
    view = show(QueuePanel, height=400)
    cursor.show(small_run)
    cursor.go_to(when(small_run, 3.0))
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
    workload = {
        "kind": "stochastic",
        "jobs": 10_050,
        "load": 1e6,
        "service": {"kind": "constant", "value": 9},
    }
    data = {"meshgui": 1, "title": "", "mesh": {"shape": [8, 8]}, "allocator": {"name": "ff"}}
    recording = simulate(scenario_from({**data, "workload": workload}))
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


def test_without_a_run_every_caption_has_room(show):
    """The columns share the panel's width before there is a job to measure."""
    view = show(QueuePanel)
    for table in (view.waiting.table, view.running.table):
        head = table.horizontalHeader()
        assert sum(head.sectionSize(column) for column in range(head.count())) == table.room


def test_columns_keep_their_place_from_first_to_last(show, cursor, small_run):
    """The numbers stand where they stood, whether there is much or little to show."""
    view = show(QueuePanel)
    cursor.show(small_run)
    places = set()
    for position in range(len(small_run) + 1):
        cursor.go_to(Position(position))
        places.add(tuple(view.waiting.table.columnViewportPosition(c) for c in range(3)))
    assert len(places) == 1


def test_a_hidden_panel_does_no_work_and_catches_up_when_shown(show, cursor, small_run):
    """Hidden, it keeps what it showed; shown again, it is up to date."""
    view = show(QueuePanel)
    cursor.show(small_run)
    view.hide()
    cursor.go_to(when(small_run, 3.0))
    assert view.waiting.table.rows.rowCount() == 0
    view.show()
    assert view.waiting.table.rows.rowCount() == 40


def test_what_is_elided_is_told_whole(show, cursor, small_run):
    """In a panel too narrow for a box, the tooltip has it."""
    view = show(QueuePanel, width=120)
    cursor.show(small_run)
    cursor.go_to(when(small_run, 3.0))
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


def test_a_selected_packets_job_is_marked(show, cursor, selection):
    """The queue lights the job whose packet was selected."""
    view = show(QueuePanel)
    cursor.show(three_in_a_row())
    cursor.go_to_time(10.0)
    selection.select_packet(1, 0)
    assert view.running.table.look(0).selected


def test_lengths_of_a_long_run_are_whole_beside_their_boxes(show, cursor, run):
    """Decimals are left out where boxes would have no room, then a box's end; no number is cut."""
    jobs = [(0.0, [12, 12, 12], 12_345_678.5), (1.0, [12, 12, 12], 12_345_678.5)]
    long_run = run("ff", [12, 12, 12], jobs)
    view = show(QueuePanel, width=280)
    cursor.show(long_run)
    cursor.go_to(when(long_run, 1.0))
    assert view.waiting.table.shown(0, 2) == "0.00"
    whole, end = "(0,0,0)–(11,11,11)", "12345677.50"
    for width, place, left in ((200, "at (0,0,0)", "12345678"), (280, whole, "12345678"), (420, whole, end)):
        view.resize(width, 600)
        cursor.show(long_run)
        cursor.go_to(when(long_run, 1.0))
        assert [view.running.table.shown(0, column) for column in range(3)] == ["0", place, left]


def test_a_low_panel_shows_both_lists_without_scrolling_itself(show, cursor, small_run):
    """So low as at 960×600, each list has a whole row, and its captions come back with the room."""
    view = show(QueuePanel, width=260, height=134)
    cursor.show(small_run)
    cursor.go_to(when(small_run, 2.015))
    assert view.minimumSizeHint().height() <= 134
    for part in (view.waiting, view.running):
        assert part.table.viewport().rect().contains(part.table.visualRect(part.table.rows.index(0, 0)))
        assert not part.table.horizontalHeader().isVisible()
    view.resize(260, 180)
    QApplication.processEvents()
    for part in (view.waiting, view.running):
        assert part.table.horizontalHeader().isVisible()
        assert part.table.viewport().rect().contains(part.table.visualRect(part.table.rows.index(0, 0)))

"""Breakpoints, bookmarks and going to places, by the keys and the mouse of the window."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.model.stepping import move_searches
from meshgui.model.stepping.breakpoints import BREAK_KINDS, BreakKind, Breakpoint, Stop
from meshgui.model.stepping.player import Granularity
from meshgui.model.stepping.stop_search import causes_of, next_stop
from meshgui.views.widgets.work_thread import WorkThread
from tests.views.conftest import handle_events
from tests.views.window.conftest import at_a_desk, open_and_run, press

CONTROL = Qt.KeyboardModifier.ControlModifier


def test_a_lecture_is_driven_from_breakpoint_to_breakpoint(window, qtbot):
    """The queue grows too long; a line of code; the next failure; each once, with the reason below."""
    open_and_run(window, qtbot, "tbl-under-load")
    cursor, stops = window.time_cursor, window.stops.view
    press(qtbot, window, Qt.Key.Key_B, CONTROL)
    qtbot.waitUntil(stops.isVisible)
    stops.kind.setCurrentIndex(stops.kind.findData(BreakKind.QUEUE))
    stops.value.set_value(20)
    qtbot.mouseClick(stops.add, Qt.MouseButton.LeftButton)
    assert stops.list.item(0).text() == "More than 20 jobs wait"
    press(qtbot, window, Qt.Key.Key_Space)
    assert window.player.playing  # the button that was clicked does not take the key
    press(qtbot, window, Qt.Key.Key_Space)
    window.time_cursor.first()
    window.mesh.canvas.setFocus()
    press(qtbot, window, Qt.Key.Key_F8)
    assert len(cursor.view.snapshot.queue) == 21
    assert window.sentence.text.startswith("Stopped: more than 20 jobs wait. Job ")
    first = cursor.time
    press(qtbot, window, Qt.Key.Key_Space)
    assert window.player.playing
    window.player.advance(0.05)
    assert cursor.time > first
    assert window.player.playing
    press(qtbot, window, Qt.Key.Key_Space)
    press(qtbot, window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    attempt = cursor.position.attempt
    assert cursor.recording.attempts[attempt].outcome == AttemptOutcome.WAITS
    assert window.player.granularity == Granularity.LINE


def test_a_click_beside_a_line_sets_a_breakpoint_that_is_switched_off_and_removed(lecture, qtbot):
    """A dot marks it; F8 continues to the next step on that line."""
    code = lecture.algorithm.code
    beside = code.line_rect(2).center()
    beside.setX(8)
    QTest.mouseClick(code, Qt.MouseButton.LeftButton, pos=beside)
    assert [b.line for b in lecture.driving.breakpoints.all] == [code.lines[2].label]
    press(qtbot, lecture, Qt.Key.Key_F8)
    assert lecture.time_cursor.view.line == 2
    again = lecture.time_cursor.position
    press(qtbot, lecture, Qt.Key.Key_F8)
    assert lecture.time_cursor.position != again
    QTest.mouseClick(code, Qt.MouseButton.LeftButton, pos=beside)
    assert lecture.driving.breakpoints.all == ()
    press(qtbot, lecture, Qt.Key.Key_F8)
    assert lecture.sentence.text == "No breakpoint is set."
    # Unticked in its list a breakpoint stops nothing; Delete removes it
    lecture.driving.breakpoints.add(Breakpoint(BreakKind.START))
    lecture.panels.show("stops")
    item = lecture.stops.view.list.item(0)
    item.setCheckState(Qt.CheckState.Unchecked)
    assert not lecture.driving.breakpoints.enabled
    lecture.stops.view.list.setCurrentRow(0)
    qtbot.keyClick(lecture.stops.view.list, Qt.Key.Key_Delete)
    assert lecture.driving.breakpoints.all == ()


def test_a_moment_gets_a_name_and_one_goes_back_to_it(lecture, qtbot):
    """Ctrl+D asks for a name, its list renames it, J goes there, and so does its flag below the timeline."""
    cursor = lecture.time_cursor
    cursor.enter_attempt(1)
    there = cursor.position
    press(qtbot, lecture, Qt.Key.Key_D, CONTROL)
    QTest.keyClicks(QApplication.focusWidget(), "Turning")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert [b.name for b in lecture.driving.bookmarks.all] == ["Turning"]
    lecture.panels.show("stops")
    lecture.stops.view.marks.item(0).setText("Here it turns")
    assert [b.name for b in lecture.driving.bookmarks.all] == ["Here it turns"]
    cursor.first()
    lecture.mesh.canvas.setFocus()
    press(qtbot, lecture, Qt.Key.Key_J)
    assert cursor.position == there
    cursor.last()
    overview = lecture.overview
    (flag,) = overview.flags()
    qtbot.mouseClick(overview, Qt.MouseButton.LeftButton, pos=flag.name.center().toPoint())
    assert cursor.position == there
    # The panel's button asks for the name in its list; at Escape a moment keeps its time as name
    lecture.driving.bookmarks.replace(())
    cursor.first()
    lecture.panels.show("stops")
    qtbot.mouseClick(lecture.stops.view.mark, Qt.MouseButton.LeftButton)
    editor = lecture.stops.view.marks.findChild(QLineEdit)
    qtbot.keyClicks(editor, "Start")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [b.name for b in lecture.driving.bookmarks.all] == ["Start"])
    lecture.time_cursor.enter_attempt(1)
    press(qtbot, lecture, Qt.Key.Key_D, CONTROL)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not lecture.driving.bookmark_card.isVisible()
    assert lecture.driving.bookmarks.all[1].name.startswith("t ")


def test_a_long_search_for_a_line_goes_on_until_it_is_found(window, qtbot, monkeypatch):
    """F8 says that it searches, and stops there in the end; a step meanwhile ends the search."""
    monkeypatch.setattr(move_searches, "PATIENCE", 0.0)
    lecture = open_and_run(window, qtbot, "tbl-under-load")
    cursor = lecture.time_cursor
    lecture.driving.breakpoints.add(Breakpoint(BreakKind.LINE, line="fail"))
    expected = next_stop(cursor.recording, lecture.driving.breakpoints.enabled, cursor.instant)
    press(qtbot, lecture, Qt.Key.Key_F8)
    assert lecture.search.words == "Searching for the next stop …"
    qtbot.waitUntil(lambda: cursor.instant == expected.instant)
    cursor.first()
    press(qtbot, lecture, Qt.Key.Key_F8)
    cursor.next_event()
    there = cursor.position
    assert not lecture.search.searching
    lecture.search.end()
    WorkThread.end_all()
    handle_events()
    assert cursor.position == there


def test_one_goes_to_a_place_by_typing_and_by_the_overview(window, qtbot):
    """A job is selected too; what does not exist is said, and the card stays."""
    open_and_run(window, qtbot, "tbl-under-load")
    window.mesh.canvas.setFocus()
    press(qtbot, window, Qt.Key.Key_G, CONTROL)
    card = window.driving.place_card
    qtbot.waitUntil(card.line.hasFocus)
    qtbot.keyClicks(card.line, "job 5000")
    qtbot.keyClick(card.line, Qt.Key.Key_Return)
    assert card.fault.words.text() == "The jobs of this run are numbered 0 to 999"
    card.line.selectAll()
    qtbot.keyClicks(card.line, "job 17")
    qtbot.keyClick(card.line, Qt.Key.Key_Return)
    assert not card.isVisible()
    assert window.selection.job == 17
    assert window.time_cursor.position.events == window.time_cursor.recording.started[17] + 1
    # Zoomed in, a click shows the part there; the whole run in sight, it goes to the time
    overview, time = window.overview, window.timeline.window_of_time
    middle = QPoint(overview.strip.center().x(), overview.strip.center().y())
    qtbot.mouseClick(overview, Qt.MouseButton.LeftButton, pos=middle)
    assert abs(window.time_cursor.time - time.end / 2) < time.end / 100
    time.zoom(0.0, 0.1)
    qtbot.mouseClick(overview, Qt.MouseButton.LeftButton, pos=middle)
    assert time.low < time.end / 2 < time.high


def test_a_limit_that_is_counted_is_whole_and_only_what_can_stop_this_run_is_offered(window, qtbot):
    """A queue has 5 jobs and not 5.00; a time may have a fraction."""
    window.commands.trigger("stop.list")
    stops = window.stops.view
    for kind, whole in ((BreakKind.QUEUE, True), (BreakKind.BLOCKS, True), (BreakKind.WAIT, False)):
        stops.kind.setCurrentIndex(stops.kind.findData(kind))
        assert stops.value.box.limits.whole == whole
    # Another strategy in the tool bar has events of its own
    open_and_run(window, qtbot, "first-fit-16x16")
    offered = {kind: stops.kind.model().item(stops.kind.findData(kind)).isEnabled() for kind in BreakKind}
    refused = {kind for kind in BreakKind if BREAK_KINDS[kind].network}
    refused |= {BreakKind.RESERVATION, BreakKind.SPLIT, BreakKind.MERGE}
    refused |= {BreakKind.OUTAGE, BreakKind.KILL}
    assert {kind for kind, on in offered.items() if not on} == refused
    open_and_run(window, qtbot, "multiple-buddy-16x16")
    assert stops.kind.model().item(stops.kind.findData(BreakKind.SPLIT)).isEnabled()


@at_a_desk
def test_a_wrong_number_of_a_breakpoint_is_marked_and_kept(window, qtbot):
    """As in every form: nothing is set, a sentence says what is expected, and the field keeps the keys."""
    open_and_run(window, qtbot, "tbl-under-load")
    window.commands.trigger("stop.list")
    stops, breakpoints = window.stops.view, window.driving.breakpoints
    qtbot.waitUntil(stops.isVisible)
    wrong = [
        (BreakKind.QUEUE, stops.value, "1.5", "Expected a whole number from 0"),
        (BreakKind.ARRIVAL, stops.job, "-2", "Expected the number of a job, or nothing for any job"),
        (BreakKind.NODE, stops.node[1], "8", "Expected a whole number from 0 to 7"),
    ]
    for kind, editor, typed, said in wrong:
        stops.kind.setCurrentIndex(stops.kind.findData(kind))
        editor.box.lineEdit().selectAll()
        qtbot.keyClicks(editor.box, typed)
        qtbot.mouseClick(stops.add, Qt.MouseButton.LeftButton)
        assert (stops.error_line.said, editor.box.text()) == (said, typed)
        handle_events()
        assert editor.visibleRegion().boundingRect() == editor.rect()  # nothing pushes it out of sight
        assert editor.box.property("invalid")
        assert editor.box.hasFocus()
        qtbot.keyClick(editor.box, Qt.Key.Key_Backspace)
        assert not stops.error_line.said
        assert not editor.box.property("invalid")
    assert not breakpoints.all
    stops.kind.setCurrentIndex(stops.kind.findData(BreakKind.ARRIVAL))
    stops.job.set_value(None)
    qtbot.mouseClick(stops.add, Qt.MouseButton.LeftButton)
    assert breakpoints.all == (Breakpoint(BreakKind.ARRIVAL),)


def test_a_stop_says_which_packet_or_job_it_was(window, qtbot):
    """In words like those of the form, of a packet that is blocked for so long just then."""
    open_and_run(window, qtbot, "gabl-contention-16x16")
    wanted = Breakpoint(BreakKind.PACKET, value=30.0)
    window.driving.breakpoints.add(wanted)
    window.mesh.canvas.setFocus()
    for _ in range(3):
        press(qtbot, window, Qt.Key.Key_F8)
        cursor = window.time_cursor
        packet = causes_of(cursor.recording, Stop(cursor.instant, wanted))[0]
        job = cursor.recording.network.jobs[packet]
        says = f"Stopped: a packet is blocked longer than 30 cycles. Cycle {cursor.time:g}: "
        assert window.sentence.text.startswith(f"{says}packet {packet} of job {job} ")
        assert "for 30 cycles so far" in window.sentence.text
    # Of a wait too: the last event may have been about another job
    open_and_run(window, qtbot, "tbl-under-load")
    wanted = Breakpoint(BreakKind.WAIT, value=3.0)
    window.driving.breakpoints.replace((wanted,))
    window.mesh.canvas.setFocus()
    press(qtbot, window, Qt.Key.Key_F8)
    cursor = window.time_cursor
    job = causes_of(cursor.recording, Stop(cursor.instant, wanted))[0]
    assert window.sentence.text.startswith(f"Stopped: job {job} waits longer than 3. ")


@pytest.mark.parametrize("scale", [1.0, 2.0])
@at_a_desk
def test_the_form_of_a_breakpoint_is_as_wide_as_its_panel_and_its_buttons_stay(window, qtbot, scale):
    """Whatever it asks for; nothing of it lies beyond the edge."""
    open_and_run(window, qtbot, "tbl-under-load")
    window.themes.set_scale(scale)
    window.commands.trigger("stop.list")
    stops = window.stops.view
    qtbot.waitUntil(stops.isVisible)
    places = set()
    for kind in BreakKind:
        stops.kind.setCurrentIndex(stops.kind.findData(kind))
        handle_events()  # its fields are laid out
        for part in (stops.kind, stops.job, stops.value, *stops.node, stops.add, stops.on, stops.mark):
            if part.isVisible():
                right = part.mapTo(stops, part.rect().topRight()).x()
                assert right < stops.width(), (kind, part.accessibleName())
        places.add(stops.add.mapTo(stops, QPoint()).y())
    assert len(places) == 1  # a line, a number, three coordinates or nothing to fill in


@at_a_desk
def test_a_click_on_a_waiting_job_says_why_and_leads_into_the_attempt(window, qtbot):
    """From the queue over the sentences to the step at which the strategy met another job, and back."""
    window.resize(1600, 1000)
    open_and_run(window, qtbot, "first-fit-16x16")
    window.time_cursor.go_to_time(30.0)
    table = window.queue.waiting.table
    place = table.visualRect(table.rows.index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    second = int(window.time_cursor.view.snapshot.queue[1])
    qtbot.waitUntil(lambda: window.why.made is not None and window.why.view.reason is not None)
    assert window.why.view.reason.job == second
    assert "all wait for job" in window.why.view.words.plain
    assert window.selection.marks
    window.why.view.tried.chosen.emit(0, 0)
    assert window.time_cursor.position.attempt == window.why.view.reason.attempt
    assert window.selection.marks == ()


def test_removing_is_offered_only_where_something_is_chosen(lecture, qtbot):
    """In words; a list without a choice has no button beside its heading."""
    stops, breakpoints, bookmarks = lecture.stops.view, lecture.driving.breakpoints, lecture.driving.bookmarks
    lecture.panels.show("stops")
    qtbot.waitUntil(stops.isVisible)
    assert not any(button.isVisible() for button in (stops.remove, stops.unmark))
    breakpoints.add(Breakpoint(BreakKind.START))
    bookmarks.add(lecture.time_cursor.instant)
    assert not any(button.isVisible() for button in (stops.remove, stops.unmark))
    for listed, button in ((stops.list, stops.remove), (stops.marks, stops.unmark)):
        height = stops.marks.mapTo(stops, QPoint(0, 0)).y()
        place = listed.visualItemRect(listed.item(0)).center()
        qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert button.text() == "Remove"
        qtbot.waitUntil(lambda button=button: not button.visibleRegion().isEmpty())
        assert stops.marks.mapTo(stops, QPoint(0, 0)).y() == height
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert listed.count() == 0
        assert not button.isVisible()


def test_a_stop_that_was_removed_is_put_back_where_it_was(lecture, qtbot):
    """The toast names it; it goes with its button, and with time."""
    stops, breakpoints, bookmarks = lecture.stops.view, lecture.driving.breakpoints, lecture.driving.bookmarks
    lecture.panels.show("stops")
    qtbot.waitUntil(stops.isVisible)
    for kind in (BreakKind.START, BreakKind.FINISH):
        breakpoints.add(Breakpoint(kind))
    for name in ("first", "second"):
        bookmarks.add(lecture.time_cursor.instant, name)
    for listed, kept, said in (
        (stops.list, breakpoints, f"The breakpoint “{stops.list.item(0).text()}” is removed."),
        (stops.marks, bookmarks, "The bookmark “first” is removed."),
    ):
        before = kept.all
        for way_back in (True, False):
            listed.setCurrentRow(0)
            listed.setFocus()
            press(qtbot, lecture, Qt.Key.Key_Delete)
            assert kept.all == before[1:]
            assert lecture.notice.text == said
            if way_back:
                qtbot.mouseClick(lecture.notice._rows[0].buttons[0], Qt.MouseButton.LeftButton)
                assert kept.all == before
            else:
                lecture.time_cursor.go_to_time(lecture.time_cursor.time + 1)
            assert lecture.notice.text == ""


def test_the_list_of_breakpoints_gives_its_place_back(lecture, qtbot):
    """Closed with its key it has the panel in front again that it was shown over."""
    panels = lecture.panels
    for under in ("scenario", "algorithm"):
        panels.show(under)
        qtbot.waitUntil(lambda under=under: panels.in_front(under))
        press(qtbot, lecture, Qt.Key.Key_B, CONTROL)
        qtbot.waitUntil(lambda: panels.in_front("stops"))
        press(qtbot, lecture, Qt.Key.Key_B, CONTROL)
        qtbot.waitUntil(panels.docks["stops"].isHidden)
        qtbot.waitUntil(lambda under=under: panels.in_front(under))


@pytest.mark.parametrize(
    ("opening", "card"),
    [
        (Qt.Key.Key_K, lambda window: window.commands.palette),
        (Qt.Key.Key_G, lambda window: window.driving.place_card),
    ],
)
def test_keys_do_nothing_behind_a_card_but_close_it(lecture, qtbot, opening, card):
    """A command of the window would act out of sight."""
    press(qtbot, lecture, opening, CONTROL)
    opened = card(lecture)
    assert opened.isVisible()
    press(qtbot, lecture, Qt.Key.Key_B, CONTROL)
    press(qtbot, lecture, Qt.Key.Key_F5)
    assert lecture.panels.docks["stops"].isHidden()
    assert not lecture.presenter.on
    press(qtbot, lecture, opening, CONTROL)
    assert not opened.isVisible()

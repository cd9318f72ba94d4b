"""The card shows one job as far as it is known, and leads to its events and its allocation."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea

from meshgui.engine.basics.translation import speaking
from meshgui.engine.runs.simulation import simulate
from meshgui.model.document.job_edits import JobEditError, end_job
from meshgui.model.moment.position import Position
from meshgui.views.panels.job import JobCard
from tests.networks import busy, three_in_a_row
from tests.runs import run_of
from tests.scenarios import listed
from tests.views.panels.conftest import seen_both_ways


@pytest.fixture
def card(show, cursor, selection, small_run):
    """Shows the card of a job that is selected."""

    def shown(job, recording=small_run, **size):
        view = show(JobCard, **size)
        cursor.show(recording)
        selection.select(job)
        return view

    return shown


def test_the_selected_job_comes_before_the_hovered_and_that_before_the_current(card, cursor, selection):
    """Which job the card is about."""
    view = card(None)
    assert view.title.text() == "No job yet"
    cursor.go_to(Position(1))
    assert view.title.text() == "Job 0"
    selection.hover(1)
    assert view.title.text() == "Job 1"
    selection.select(2)
    assert view.title.text() == "Job 2"
    selection.clear()
    assert view.title.text() == "Job 0"


def test_it_tells_what_a_turned_job_got_and_nothing_that_is_still_to_come(card, cursor, small_run):
    """Job 1 asked for 2×4 and got 4×2 at once."""
    view = card(1)
    cursor.go_to(Position(int(small_run.started[1]) + 1))
    assert view.state.text() == "running"
    assert view.facts["Asks for"].text() == "2×4 · 8 processors"
    assert view.facts["Place"].text() == "(0,2)–(3,3)"
    assert view.facts["Turned"].text() == "to 4×2"
    assert view.facts["Waits"].text() == "0.00, starts at 1.00"
    assert view.facts["Attempts"].text() == "1"
    assert "operation" not in view.facts["Overhead"].text()  # of which its release is a part
    cursor.go_to(Position(int(small_run.ended[1]) + 1))
    assert f"{small_run.operations[1]} operations" in view.facts["Overhead"].text()
    # While job 2 waits, where it will go is not said
    view = card(2)
    cursor.go_to(Position(1))
    assert view.state.text() == "to come"
    cursor.go_to(Position(int(small_run.arrived[2]) + 1))
    assert view.state.text() == "waiting"
    assert not view.facts["Place"].isVisible()
    assert view.facts["Waits"].text() == "0.00 so far"
    cursor.last()
    assert view.state.text() == "finished"


@pytest.mark.parametrize(("seconds", "said"), [(3e-7, "< 1 µs"), (3.2e-6, "3 µs")])
def test_no_allocation_takes_no_time(card, cursor, seconds, said):
    """One that took less than half a microsecond is not said to have taken none."""
    run = simulate(listed((4, 4), [(0, (1, 1), 1)]))
    run.seconds[0] = seconds
    view = card(0, run, width=400)
    cursor.last()
    assert view.facts["Overhead"].text().endswith(f" · {said}")


def test_it_tells_what_is_reserved(card, cursor):
    """Job 4 of 004's Example 1 has left the queue for the bottom row, which is not free yet."""
    recording = run_of("tree-allocation-example-1")
    view = card(4, recording)
    cursor.go_to(Position(int(recording.reserved[4])))
    assert (view.state.text(), view.facts["Place"].text()) == ("waiting", "–")
    cursor.go_to(Position(int(recording.arrived[6]) + 1))
    assert view.state.text() == "reserved"
    assert view.facts["Place"].text() == "(0,0)–(3,0), once it is free"
    assert view.facts["Waits"].text() == "2.00 so far"
    cursor.go_to(Position(int(recording.started[4]) + 1))
    assert (view.state.text(), view.facts["Place"].text()) == ("running", "(0,0)–(3,0)")
    assert view.facts["Turned"].text() == "to 4×1"


def test_the_buttons_go_to_arrival_start_and_finish(card, cursor, selection, small_run, qtbot):
    """Each leads to the place just after the event."""
    view = card(2)
    for name, column in (
        ("arrival", small_run.arrived),
        ("start", small_run.started),
        ("finish", small_run.ended),
    ):
        qtbot.mouseClick(view.buttons[name], Qt.MouseButton.LeftButton)
        assert cursor.position == Position(int(column[2]) + 1)
        assert selection.job == 2
    # A rejected job has neither start nor finish: only its arrival can be gone to
    view = card(0, simulate(listed((2, 4), [(0, (4, 2), 1), (1, (1, 1), 1)])))
    cursor.last()
    assert view.state.text() == "rejected"
    enabled = {name: view.buttons[name].isEnabled() for name in ("arrival", "start", "finish")}
    assert enabled == {"arrival": True, "start": False, "finish": False}


def test_stepping_through_enters_the_nearest_attempt_and_the_release(card, cursor, small_run, qtbot, run):
    """Job 2 is tried when it arrives, and again when processors become free."""
    view = card(2)
    attempts = small_run.attempts_of(2)
    assert len(attempts) > 1
    qtbot.mouseClick(view.buttons["step"], Qt.MouseButton.LeftButton)
    assert cursor.position.attempt == attempts[0]
    cursor.last()
    qtbot.mouseClick(view.buttons["step"], Qt.MouseButton.LeftButton)
    assert cursor.position.attempt == attempts[-1]
    # Its release is entered from anywhere in the run; there is no such button where it has no steps
    jobs = [(0.0, [2, 2], 2.0), (1.0, [2, 2], 9.0)]
    recording = run("bl", [4, 4], jobs)
    view = card(0, recording)
    qtbot.mouseClick(view.buttons["release"], Qt.MouseButton.LeftButton)
    assert cursor.position == Position(int(recording.ended[0]), release=True)
    assert view.title.text() == "Job 0"
    cursor.show(run("ff", [4, 4], jobs))
    assert not view.buttons["release"].isVisible()


def test_going_back_shows_the_same_card_in_which_nothing_has_moved(card, cursor, small_run):
    """Forwards and backwards, the same words; every label stays where it is, and it could be narrower."""
    view = card(None)

    def seen():
        places = tuple(label.geometry().getRect() for label in view.facts.values())
        return view.title.text(), view.state.text(), [label.text() for label in view.facts.values()], places

    found = seen_both_ways(cursor.go_to, map(Position, range(len(small_run) + 1)), seen)
    assert len({places for *_, places in found}) == 1
    view.facts["Place"].setText("(0,0)–(3,3)  " * 50)
    assert view.minimumSizeHint().width() < 280
    assert view.facts["Place"].elided


def test_without_a_run_its_buttons_are_off(show):
    """Nothing to go to."""
    view = show(JobCard)
    assert view.title.text() == "No run yet"
    assert not any(button.isEnabled() for button in view.buttons.values())


def test_without_a_job_the_words_have_the_room_of_its_state(show, cursor, small_run):
    """Whole in German in the narrowest column, too."""
    with speaking("de"):
        view = show(JobCard, width=228)
        assert (view.title.text(), view.title.elided) == ("Noch kein Lauf", False)
        cursor.show(small_run)
        assert (view.title.text(), view.title.elided) == ("Noch kein Job", False)
        cursor.last()
        assert (view.title.elided, view.state.text(), view.state.isVisible()) == (False, "finished", True)


def test_a_job_with_a_network_tells_how_its_messages_fare(card, cursor, small_run, selection):
    """As far as they have come; what it runs for is theirs to say, and known at its end only."""
    view = card(0, three_in_a_row(), height=700)

    def facts(*names):
        return tuple(view.facts[name].text() for name in names)

    cursor.go_to_time(10.0)
    assert facts("Service") == ("set by its messages",)
    assert facts("Messages", "Latency", "Blocked") == ("3 sent, 0 arrived", "–", "–")
    cursor.go_to_time(30.0)
    said = "3 sent, 1 arrived", "24.0 cycles on average", "0.0 of them"
    assert facts("Messages", "Latency", "Blocked") == said
    cursor.last()
    assert facts("Service", "Blocked") == ("67.00", "17.0 of them")
    assert view.facts["Messages"].isVisible()
    cursor.show(small_run)
    assert not view.facts["Messages"].isVisible()
    assert view.facts["Service"].isVisible()
    # A packet selected anywhere selects its job here
    view = card(None, busy())
    cursor.go_to_time(9000.0)
    packet = len(busy().network) - 1
    job = int(busy().network.jobs[packet])
    selection.select_packet(packet, job)
    assert view.title.text() == f"Job {job}"


def test_a_running_job_can_be_asked_to_end_in_a_network_too(card, cursor, qtbot):
    """Why it cannot is then said in a sentence, as for the key."""
    view = card(0, three_in_a_row())
    cursor.go_to_time(10.0)
    with qtbot.waitSignal(view.end_asked) as asked:
        view.buttons["end"].click()
    assert asked.args == [0]
    with pytest.raises(JobEditError, match="in a network a job ends when all its messages have arrived"):
        end_job(three_in_a_row(), 10.0, 0)


def test_numbers_that_have_no_room_are_left_out_rather_than_cut(card, cursor, run):
    """When a job starts late in a long run is left to its tooltip; how long it waits stands whole."""
    long_run = run("ff", [4, 4], [(0.0, [4, 4], 15_032_000.25), (60.0, [4, 4], 5.0)])
    view = card(1, long_run, width=256)
    cursor.last()
    waits = view.facts["Waits"]
    assert waits.text() == "15031940.25, starts at 15032000.25"
    assert waits.shown == "15031940.25"
    view.resize(420, 600)
    assert waits.shown == waits.text()


def test_a_number_left_alone_has_the_decimal_sign_of_the_language(card, cursor, run):
    """A comma in German, as in the sentence that it was part of."""
    with speaking("de"):
        view = card(1, run("ff", [4, 4], [(0.0, [4, 4], 15_032_000.25), (60.0, [4, 4], 5.0)]), width=256)
        cursor.last()
        assert view.facts["Waits"].shown == "15031940,25"


def test_another_scenarios_job_is_read_from_the_top(card, cursor, qtbot):
    """Going through one run leaves the card scrolled as it is; another scenario begins at the top."""
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    area.setWidget(card(None))
    area.resize(280, 120)
    with qtbot.waitExposed(area):
        area.show()
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    cursor.go_to(Position(3))
    assert bar.value() > 0
    cursor.show(three_in_a_row())
    assert bar.value() == 0
    area.takeWidget()  # each is closed by itself

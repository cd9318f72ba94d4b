"""A whole lecture, from the welcome page to the saved file, and the tour, by mouse and keyboard alone."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.document import SUFFIX
from meshgui.views.document.run_control import RunControl
from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.scenario_entry import ExampleCard
from meshgui.views.window.tour_card import TourCard
from tests.views.conftest import handle_events
from tests.views.window.conftest import open_and_run, picture, settle, wait_for_run

Key = Qt.Key
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Lecturer:
    """Presses keys where the focus is, and clicks what is in sight."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the window that is active."""
        QTest.keyClick(self.focus(), key, modifiers)
        handle_events()

    def type(self, words: str) -> None:
        """Type a line and Enter."""
        QTest.keyClicks(self.focus(), words)
        self.press(Key.Key_Return)

    def click(self, widget: QWidget) -> None:
        """Click the middle of a widget."""
        self.qtbot.waitUntil(widget.isVisible)
        self.qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)

    def wait_for_jobs(self, count: int) -> None:
        """Wait for the whole run of another list of jobs."""
        cursor = self.window.time_cursor
        self.qtbot.waitUntil(lambda: cursor.recording is not None and len(cursor.recording.jobs) == count)
        wait_for_run(self.window, self.qtbot)

    def focus(self) -> QWidget:
        """Who gets the keys."""
        return QApplication.focusWidget() or QApplication.activeWindow() or self.window


def test_a_whole_lecture(window, qtbot, tmp_path, monkeypatch):
    """Open, look, step, explain, present, change, compare, save: each as a lecturer would do it."""
    hand = Lecturer(window, qtbot)
    cursor = window.time_cursor

    # An example from the welcome page, large and dark for the back row
    cards = window.findChildren(ExampleCard)
    hand.click(next(card for card in cards if card.summary.title == "First Fit from above"))
    wait_for_run(window, qtbot)
    recording = cursor.recording
    hand.press(Key.Key_Plus, CONTROL)
    hand.press(Key.Key_D)
    assert window.themes.theme.name == "dark"
    assert window.themes.scale > 1

    # To the next attempt that fails, through it line by line, and back
    hand.press(Key.Key_Home)
    hand.press(Key.Key_F8, SHIFT)
    attempt = cursor.position.attempt
    assert recording.attempts[attempt].outcome == AttemptOutcome.WAITS
    there, said = cursor.position, window.sentence.text
    for _ in range(3):
        hand.press(Key.Key_Left)
    assert cursor.position != there
    for _ in range(3):
        hand.press(Key.Key_Right)
    assert cursor.position == there
    assert window.sentence.text == said

    # Why does it wait?
    job = recording.attempts[attempt].job
    hand.press(Key.Key_9, CONTROL)
    qtbot.waitUntil(lambda: window.panels.in_front("job"))
    qtbot.waitUntil(lambda: window.why.made is not None and window.why.view.reason is not None)
    assert window.why.view.reason.job == job

    # A bookmark, with a name at once, away, and back to it
    hand.press(Key.Key_D, CONTROL)
    hand.type("it waits")
    hand.press(Key.Key_Home)
    hand.press(Key.Key_J)
    assert cursor.position == there

    # Presenter mode: page down steps, B blanks, Esc leaves
    hand.press(Key.Key_F5)
    before = cursor.position
    hand.press(Key.Key_PageDown)
    assert cursor.position != before
    hand.press(Key.Key_B)
    hand.press(Key.Key_B)
    hand.press(Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.menuBar().isHidden())

    # One job more, and undone
    hand.press(Key.Key_A, SHIFT)
    hand.type("3x2 for 5")
    hand.wait_for_jobs(len(recording.jobs) + 1)
    hand.press(Key.Key_Z, CONTROL)
    hand.wait_for_jobs(len(recording.jobs))

    # Two strategies side by side, found in the palette
    hand.press(Key.Key_K, CONTROL)
    hand.type("compare runs")
    other = window.studies.comparison
    qtbot.waitUntil(other.isVisible)
    qtbot.waitUntil(lambda: len(other.comparison.recorded) == 2)
    qtbot.waitUntil(lambda: all(run.over for run in other.comparison.runs))
    hand.press(Key.Key_Home)
    hand.click(other.differences.later)
    assert other.sentence.plain.startswith("Difference 1 of ")
    hand.press(Key.Key_W, CONTROL)
    assert window.mesh.isVisible()

    # Saved, and the same when it is opened again
    file = tmp_path / f"lecture{SUFFIX}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(file), ""))
    window.mesh.setFocus()
    hand.press(Key.Key_S, CONTROL | SHIFT)
    assert load_scenario(file) == recording.scenario


def test_the_tour_shows_every_part_and_can_be_left_and_found_again(window, qtbot):
    """From the welcome page it opens a scenario; keys go on and back, Esc leaves, Help has it again."""
    window.welcome.tour_button.click()
    wait_for_run(window, qtbot)
    qtbot.waitUntil(lambda: window.tour.card is not None and window.tour.card.isVisible())
    card = window.tour.card
    assert card.lit.size() == window.mesh.size()
    titles = [card.title.text()]
    before = window.time_cursor.instant
    while card.next_button.text() != "Done":
        qtbot.keyClick(card, Qt.Key.Key_Right)
        handle_events()
        titles.append(card.title.text())
        assert card.rect().contains(card.card.geometry())
        assert not card.card.geometry().intersects(card.lit) or card.lit.width() > window.width() // 2
    assert len(set(titles)) == 8
    assert window.time_cursor.instant != before
    position = window.time_cursor.position  # in an attempt, for the algorithm: the keys were the tour's
    assert position.inside
    assert not position.release
    qtbot.keyClick(card, Qt.Key.Key_Left)
    assert card.title.text() == titles[-2]
    qtbot.keyClick(card, Qt.Key.Key_Escape)
    assert not card.isVisible()
    qtbot.keyClick(
        window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert card.isVisible()
    assert card.title.text() == titles[0]
    for _ in titles:
        card.next_button.click()
    assert not card.isVisible()


def test_the_tour_leaves_the_panels_as_they_were(window, qtbot):
    """At 960 by 600 each part is shown beside the panel that is there, and goes with the next one."""
    window.resize(960, 600)
    open_and_run(window, qtbot, "tbl-under-load")
    settle(window, qtbot)
    before = picture(window).keys()
    assert before == {"algorithm"}
    window.trigger("help.tour")
    card = window.tour.card
    while card.next_button.text() != "Done":
        card.next()
        settle(window, qtbot)
        assert len(picture(window)) <= 2
        assert window.mesh.width() >= 0.38 * 960
    card.next()
    settle(window, qtbot)
    assert picture(window).keys() == before


def test_the_card_of_the_tour_lies_beside_what_it_tells_of(window, qtbot, subtests):
    """At 960 by 600 as well: it is narrower where there is little room, and no panel is cut off beside it."""
    window.resize(960, 600)
    open_and_run(window, qtbot, "tbl-under-load")
    settle(window, qtbot)
    window.notice.tell("The program ended before changes were saved.", ("Open", "", lambda: None))
    window.trigger("help.tour")
    card = window.tour.card
    window.resize(961, 600)
    while card.next_button.text() != "Done":
        settle(window, qtbot)
        with subtests.test(card.title.text()):
            assert not card.lit.isEmpty()
            top = window.childAt(window.notice.geometry().center())
            assert top is card or card.isAncestorOf(top), "and over what was said before"
            assert card.rect().contains(card.card.geometry())
            assert not card.lit.intersects(card.card.geometry())
            assert min(window.panels.docks[name].width() for name in picture(window)) >= 250
        card.next()


def test_the_tour_begins_once_however_often_it_is_asked_for(window, qtbot, monkeypatch):
    """While its scenario is still being run."""
    begun = []

    def begin(card: TourCard) -> None:
        begun.append(card)

    monkeypatch.setattr(TourCard, "begin", begin)
    for _ in range(3):
        window.tour.begin()
    wait_for_run(window, qtbot)
    qtbot.waitUntil(lambda: bool(begun))
    window.time_cursor.last()
    assert len(begun) == 1


def test_the_tour_waits_until_the_machine_has_something_to_show(window, qtbot, monkeypatch):
    """Asked for while kernels are compiled, and says so; a run that was stopped has no more to come."""
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    whole, empty = window.time_cursor.recording, Simulation(window.document.scenario).recording()
    running = [True]
    monkeypatch.setattr(RunControl, "running", property(lambda _control: running[0]))
    window.time_cursor.show(empty)
    window.tour.begin()
    assert window.tour.card is None
    assert window.sentence.text == "The tour begins as soon as there is something to see."
    window.time_cursor.show(whole)
    assert window.tour.card.isVisible()
    window.tour.card.dismiss()
    window.time_cursor.show(empty)
    running[0] = False
    window.tour.begin()
    assert window.tour.card.isVisible()

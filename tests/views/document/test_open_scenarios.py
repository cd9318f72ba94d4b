"""Several scenarios in one window: each tab comes back at its moment, with its selection, edits and run."""

import gc
import weakref

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QTabBar
from pytestqt.qtbot import QtBot

from meshgui.model.document.document import DocumentState
from meshgui.model.document.examples import example
from meshgui.model.moment.position import Position
from meshgui.model.stepping.breakpoints import BreakKind, Breakpoint
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.start import _open_in_tabs
from tests.views.pointer import move_to
from tests.views.scenario.driving import box, retype
from tests.views.window.conftest import open_and_run, press, wait_for_run
from tests.views.window.test_main_window import wait_for_events

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


def click_tab(qtbot: QtBot, window: MainWindow, place: int, button: Qt.MouseButton = LEFT) -> None:
    """Click the words of a tab."""
    qtbot.mouseClick(window.tabs, button, pos=window.tabs.tabRect(place).center() - QPoint(12, 0))


def titles(window: MainWindow) -> list[str]:
    """The words on the tabs."""
    return [window.tabs.tabText(place) for place in range(window.tabs.count())]


@pytest.fixture
def two(lecture: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with two scenarios: the first inside an attempt with a job selected, the second shown."""
    lecture.time_cursor.go_to(Position(3, 1, 4))
    lecture.selection.select(1)
    press(qtbot, lecture, Qt.Key.Key_T, CONTROL)
    return open_and_run(lecture, qtbot, "first-fit-16x16")


def test_a_new_tab_offers_the_welcome_page_and_closing_the_last_one_leaves_it(lecture, qtbot):
    """With one scenario there are no tabs; Ctrl+T adds one in which another is chosen."""
    assert not lecture.tabs.isVisible()
    press(qtbot, lecture, Qt.Key.Key_T, CONTROL)
    assert lecture.welcome.isVisible()
    assert titles(lecture) == ["Three jobs, step by step", "No scenario"]
    press(qtbot, lecture, Qt.Key.Key_T, CONTROL)  # one empty tab is enough: the key leaves it again
    assert not lecture.tabs.isVisible()
    press(qtbot, lecture, Qt.Key.Key_T, CONTROL)
    open_and_run(lecture, qtbot, "first-fit-16x16")
    assert lecture.tabs.isVisible()
    assert titles(lecture) == ["Three jobs, step by step", "First Fit from above"]
    # The window stays, empty as at the start, and opens another one
    press(qtbot, lecture, Qt.Key.Key_W, CONTROL)
    press(qtbot, lecture, Qt.Key.Key_W, CONTROL)
    assert lecture.welcome.isVisible()
    assert lecture.windowTitle() == "No scenario – MeshGUI"
    assert lecture.time_cursor.recording is None
    open_and_run(lecture, qtbot, "first-fit-16x16")
    assert lecture.mesh.isVisible()


def test_a_tab_comes_back_at_its_moment_with_its_own_edits_and_undo(two, qtbot):
    """Step, time and selection of both, by click and by key, and the window shows them everywhere."""
    two.time_cursor.go_to_time(7.25)
    click_tab(qtbot, two, 0)
    assert two.windowTitle().startswith("Three jobs, step by step")
    assert two.time_cursor.position == Position(3, 1, 4)
    assert two.selection.job == 1
    assert two.algorithm.code.current == two.time_cursor.view.line
    press(qtbot, two, Qt.Key.Key_Tab, CONTROL)
    assert two.windowTitle().startswith("First Fit from above")
    assert two.time_cursor.time == 7.25
    assert two.selection.job is None
    press(qtbot, two, Qt.Key.Key_Tab, CONTROL | SHIFT)
    assert two.time_cursor.position == Position(3, 1, 4)
    # Left again, the welcome page shows the scenario it was opened beside, and not the last one
    press(qtbot, two, Qt.Key.Key_T, CONTROL)
    assert two.welcome.isVisible()
    press(qtbot, two, Qt.Key.Key_Escape)
    assert two.windowTitle().startswith("Three jobs, step by step")
    assert two.time_cursor.position == Position(3, 1, 4)
    # What is typed for one is marked on its tab alone, and undone there alone
    click_tab(qtbot, two, 1)
    two.panels.show("scenario")
    retype(qtbot, two.form.view, "seed", "9")
    assert titles(two) == ["Three jobs, step by step", "First Fit from above •"]
    press(qtbot, two, Qt.Key.Key_PageUp, CONTROL)
    assert box(two.form.view, "seed").text() == "1"
    assert not two.commands.action("edit.undo").isEnabled()
    press(qtbot, two, Qt.Key.Key_PageDown, CONTROL)
    assert box(two.form.view, "seed").text() == "9"
    two.commands.trigger("edit.undo")
    assert titles(two) == ["Three jobs, step by step", "First Fit from above"]


def test_a_copy_is_shown_at_the_same_moment(lecture, qtbot):
    """Another title, no file, nothing to save until it is edited; the first one stays as it is."""
    lecture.time_cursor.go_to(Position(3, 1, 4))
    lecture.selection.select(1)
    press(qtbot, lecture, Qt.Key.Key_D, CONTROL | SHIFT)
    assert titles(lecture) == ["Three jobs, step by step", "Three jobs, step by step copy"]
    assert lecture.tabs.currentIndex() == 1
    assert (lecture.time_cursor.position, lecture.selection.job) == (Position(3, 1, 4), 1)
    assert lecture.document.path is None
    lecture.panels.show("scenario")
    retype(qtbot, lecture.form.view, "seed", "5")
    press(qtbot, lecture, Qt.Key.Key_Return, CONTROL)
    wait_for_run(lecture, qtbot)
    click_tab(qtbot, lecture, 0)
    assert lecture.document.scenario.seed == 1
    assert lecture.time_cursor.position == Position(3, 1, 4)


def test_a_copy_keeps_edits_that_were_not_run_and_takes_breakpoints_along(lecture, qtbot):
    """Even wrong ones; it is unsaved then."""
    lecture.panels.show("scenario")
    retype(qtbot, lecture.form.view, "seed", "x")
    lecture.driving.breakpoints.add(Breakpoint(BreakKind.FAILURE))
    press(qtbot, lecture, Qt.Key.Key_D, CONTROL | SHIFT)
    assert box(lecture.form.view, "seed").text() == "x"
    assert titles(lecture) == ["Three jobs, step by step •", "Three jobs, step by step copy •"]
    # And breakpoints and bookmarks, until they are changed there
    assert len(lecture.driving.breakpoints.all) == 1
    lecture.driving.breakpoints.replace(())
    click_tab(qtbot, lecture, 0)
    assert len(lecture.driving.breakpoints.all) == 1


def test_a_run_goes_on_while_another_scenario_is_shown(window, qtbot, long_run):
    """Coming back one stands where one was, with all that has been recorded meanwhile."""
    window.files.open(long_run)
    cursor = window.time_cursor
    wait_for_events(window, qtbot, 300)
    cursor.go_to(Position(200))
    recorded, [run] = len(cursor.recording), window.runs.tasks.purposes
    press(qtbot, window, Qt.Key.Key_T, CONTROL)
    assert not window.progress.isVisible()
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    qtbot.waitUntil(lambda: len(run.recording) > recorded)
    click_tab(qtbot, window, 0)
    assert window.progress.isVisible()
    assert cursor.position == Position(200)
    assert len(cursor.recording) > recorded
    qtbot.mouseClick(window.tabs.tabButton(0, QTabBar.ButtonPosition.RightSide), LEFT)
    assert window.document.title == "Three jobs, step by step"
    assert not window.runs.running
    assert not window.tabs.isVisible()


def test_a_run_that_ends_out_of_sight_is_complete_when_one_returns(window, qtbot, monkeypatch):
    """Nothing of it is lost, and it is not run again."""
    window.files.open(example("tbl-under-load"), as_example=True)
    press(qtbot, window, Qt.Key.Key_T, CONTROL)
    qtbot.waitUntil(lambda: not WorkThread.under_way())
    monkeypatch.setattr(window.runs, "start", None)
    press(qtbot, window, Qt.Key.Key_Tab, CONTROL)
    assert window.time_cursor.recording.complete
    assert not window.runs.running


def test_closing_asks_about_each_unsaved_scenario(two, qtbot, answers):
    """Quitting shows each of them and can be called off at any; a saved tab is closed without a question."""
    two.panels.show("scenario")
    retype(qtbot, two.form.view, "seed", "9")
    click_tab(qtbot, two, 0)
    retype(qtbot, two.form.view, "seed", "8")
    answers += ["Discard", "Cancel"]
    press(qtbot, two, Qt.Key.Key_Q, CONTROL)
    qtbot.waitUntil(lambda: not two.closing.under_way)
    assert two.isVisible()
    assert answers.asked == [
        "“Three jobs, step by step” has been changed.",
        "“First Fit from above” has been changed.",
    ]
    assert two.tabs.currentIndex() == 1
    qtbot.waitUntil(two.isActiveWindow)
    two.commands.trigger("edit.undo")
    press(qtbot, two, Qt.Key.Key_W, CONTROL)
    assert two.document.title == "Three jobs, step by step"
    assert box(two.form.view, "seed").text() == "8"
    assert len(answers.asked) == 2


def test_the_middle_button_closes_a_tab_and_dragging_moves_it(two, qtbot):
    """The scenarios follow their tabs."""
    start = two.tabs.tabRect(1).center() - QPoint(12, 0)
    end = two.tabs.tabRect(0).center() - QPoint(60, 0)
    qtbot.mousePress(two.tabs, LEFT, pos=start)
    for step in range(1, 11):
        move_to(two.tabs, QPointF(start + (end - start) * step / 10), LEFT)
    qtbot.mouseRelease(two.tabs, LEFT, pos=end)
    qtbot.waitUntil(lambda: titles(two)[0] == "First Fit from above")
    assert two.document.title == "First Fit from above"
    click_tab(qtbot, two, 1)
    assert two.document.title == "Three jobs, step by step"
    assert two.time_cursor.position == Position(3, 1, 4)
    click_tab(qtbot, two, 0, Qt.MouseButton.MiddleButton)
    assert not two.tabs.isVisible()
    assert two.document.title == "Three jobs, step by step"


def test_breakpoints_bookmarks_and_the_camera_belong_to_their_tab(lecture, qtbot, screen_has_opengl):
    """A new tab begins without them, and each has its own when one returns."""
    if not screen_has_opengl:
        pytest.skip("the flat view has no camera")
    lecture.driving.breakpoints.add(Breakpoint(BreakKind.FAILURE))
    press(qtbot, lecture, Qt.Key.Key_D, CONTROL)  # a bookmark
    press(qtbot, lecture, Qt.Key.Key_Return)  # its name may stay
    lecture.mesh.canvas.turn(25, 10)
    pose = lecture.mesh.canvas.pose
    press(qtbot, lecture, Qt.Key.Key_T, CONTROL)
    assert lecture.driving.breakpoints.all == ()
    assert lecture.driving.bookmarks.all == ()
    open_and_run(lecture, qtbot, "tbl-under-load")
    lecture.mesh.canvas.set_camera_view("front", animated=False)
    click_tab(qtbot, lecture, 0)
    assert len(lecture.driving.breakpoints.all) == len(lecture.driving.bookmarks.all) == 1
    qtbot.waitUntil(lambda: lecture.mesh.canvas.pose == pose)
    click_tab(qtbot, lecture, 1)
    qtbot.waitUntil(lambda: lecture.mesh.canvas.viewpoint[0] == "front")


def test_files_that_are_dropped_together_open_in_tabs(window, qtbot):
    """The scenarios of a lecture, in one go; the last one is shown."""
    data = QMimeData()
    names = ("three-jobs-4x4x4", "first-fit-16x16", "turning-helps-3x3x2")
    data.setUrls([QUrl.fromLocalFile(str(example(name))) for name in names])
    action, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(10, 10), action, data, LEFT, none))
    wait_for_run(window, qtbot)
    assert titles(window)[:2] == ["Three jobs, step by step", "First Fit from above"]
    assert window.tabs.currentIndex() == 2
    click_tab(qtbot, window, 0)
    wait_for_run(window, qtbot)
    assert len(window.time_cursor.recording) == 9


def test_files_named_together_open_in_tabs(lecture, qtbot):
    """As where several are opened from a folder: each in its own, the last one shown."""
    path = example("first-fit-16x16")
    _open_in_tabs(lecture, [DocumentState.read(path)])
    wait_for_run(lecture, qtbot)
    assert titles(lecture) == ["Three jobs, step by step", "First Fit from above"]
    assert lecture.document.path == path


def test_what_was_run_goes_with_its_scenario(two, qtbot):
    """Nothing keeps the recording of a scenario that was left, however it was stepped through."""
    two.commands.trigger("time.by-line")
    for _ in range(3):
        two.commands.trigger("time.forward")
    left = weakref.ref(two.time_cursor.recording)
    two.commands.trigger("file.close-scenario")
    two.files.open(example("first-fit-16x16"), as_example=True)
    wait_for_run(two, qtbot)
    two.panels.show("plots")
    qtbot.waitUntil(lambda: gc.collect() >= 0 and left() is None)
    # What belonged to the closed tab is not sized again
    for command in ("window.larger-text", "window.smaller-text"):
        two.commands.trigger(command)
    assert len(two.scenarios.states) == 1

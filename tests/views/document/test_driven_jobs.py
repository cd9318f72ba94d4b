"""Driving the run by hand: jobs drawn on the mesh, ended, and dragged in the queue, all undone and saved."""

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMenu, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from meshgui.engine.basics.geometry import Mesh, Node
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.translation import speaking, tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.model.fields.names import strategy_name
from meshgui.model.moment.instant import Instant
from meshgui.model.moment.position import Position
from meshgui.views.document.job_card import read_request
from meshgui.views.widgets.list_popup import ListPopup
from meshgui.views.window.main_window import MainWindow
from tests.networks import sent
from tests.views.conftest import handle_events
from tests.views.window.conftest import open_and_run, press, settle, wait_for_run

LEFT = Qt.MouseButton.LeftButton
CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
ROWS = [(0.0, (3, 2), 10.0), (1.0, (4, 3), 4.0), (2.0, (4, 4), 5.0), (3.0, (2, 2), 6.0)]


def lecture_of(
    rows=ROWS, shape=(4, 4), queue: str = "fcfs", network: object = None, name: str = "ff"
) -> Scenario:
    """Few jobs on a small mesh: at 5 job 0 runs, 1 and 2 wait, and 3 waits behind them."""
    jobs = [{"arrival": at, "size": list(size), "service": service} for at, size, service in rows]
    return scenario_from(
        {
            "meshgui": 1,
            "title": "By hand",
            "mesh": {"shape": list(shape)},
            "allocator": {"name": name},
            "scheduler": {"name": queue},
            "workload": {"kind": "list", "jobs": jobs},
            "network": network,
        }
    )


@pytest.fixture
def show(window: MainWindow, qtbot: QtBot) -> Callable[..., MainWindow]:
    """Opens a scenario at a time of its run."""

    def show(scenario: Scenario, time: float, *, flat: bool = False) -> MainWindow:
        assert window.files.open_scenario(scenario)
        wait_for_run(window, qtbot)
        window.time_cursor.go_to_time(time)
        window.mesh.canvas.setFocus()
        if flat and not window.mesh.flat:
            press(qtbot, window, Qt.Key.Key_L)
        settle(window, qtbot)
        return window

    return show


def recording_of(window: MainWindow) -> Recording:
    """The run that is shown."""
    recording = window.time_cursor.recording
    assert recording is not None
    return recording


def rerun(window: MainWindow, qtbot: QtBot, done: Callable[[], bool]) -> None:
    """Wait until the run of the edited scenario is shown whole, and so much is true."""
    qtbot.waitUntil(
        lambda: (
            (recording := window.time_cursor.recording) is not None
            and recording.complete
            and recording.scenario == window.document.scenario
            and done()
        ),
    )


def middle_of(window: MainWindow, node: Node) -> QPoint:
    """The middle of a node of the lowest layer or the side that is seen: a box has margins."""
    canvas = window.mesh.canvas

    def within(x: int, y: int) -> bool:
        grip = canvas._grip_at(QPointF(x, y))
        return grip is not None and grip.node == node

    for apart in (24, 4):  # nearly always the first will do
        for y, x in product(range(2, canvas.height(), apart), range(2, canvas.width(), apart)):
            if within(x, y):
                row = [at for at in range(canvas.width()) if within(at, y)]
                middle = (row[0] + row[-1]) // 2
                column = [at for at in range(canvas.height()) if within(middle, at)]
                return QPoint(middle, (column[0] + column[-1]) // 2)
    raise AssertionError(f"{node} is not in sight")


def drag(qtbot: QtBot, widget: QWidget, start: QPoint, end: QPoint, *, release: bool = True) -> None:
    """Press, move in steps and release, as a hand does."""
    qtbot.mousePress(widget, LEFT, pos=start)
    for share in (0.3, 0.7, 1.0):
        here = start + (end - start) * share
        QTest.mouseMove(widget, here)
        handle_events()
    if release:
        qtbot.mouseRelease(widget, LEFT, pos=end)


def buttons_of(window: MainWindow) -> list[QPushButton]:
    """The buttons of the notices in sight."""
    return [button for button in window.notice.findChildren(QPushButton) if button.isVisible()]


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda window: window.jobs.draw((1, 2), 3.0), "Job 4 asks for 1×2 for 3."),
        (lambda window: window.jobs.end(0), "Job 0 is ended at 5."),
        (lambda window: window.jobs.move(2, 0), "Job 2 is now the next to be served."),
        (lambda window: window.strategy.run_with("bl"), "The same jobs run with Busy List now."),
    ],
    ids=["draw", "end", "move", "strategy"],
)
def test_what_was_done_is_said_with_a_way_back(show: Callable[..., MainWindow], qtbot: QtBot, act, said):
    """In one notice, whose Undo runs the scenario as it was; no question, and gone with the next step."""
    window = show(lecture_of(queue="fcfs"), 5.0)
    before = window.document.scenario
    for goes_back in (True, False):
        act(window)
        rerun(window, qtbot, lambda: not window.scenario_run.resuming and window.document.scenario != before)
        assert window.notice.isVisible()
        assert not window.notice.asks
        undo, *_ = buttons_of(window)
        assert undo.text() == "Undo"
        if goes_back:
            assert window.notice.text.startswith((said, "Job 4 waits behind"))
            qtbot.mouseClick(undo, LEFT)
            rerun(window, qtbot, lambda: window.document.scenario == before)
        else:
            press(qtbot, window, Qt.Key.Key_Right)
        assert not window.notice.isVisible()


def test_the_way_back_goes_when_another_edit_is_made(show: Callable[..., MainWindow], qtbot: QtBot):
    """Its Undo would undo that one."""
    window = show(lecture_of(), 5.0)
    window.jobs.end(0)
    rerun(window, qtbot, lambda: not window.scenario_run.resuming)
    assert window.notice.isVisible()
    window.document.change({**window.document.draft, "title": "Another"})
    assert not window.notice.isVisible()


@pytest.mark.parametrize("flat", [False, True])
def test_a_box_that_is_dragged_becomes_a_job(
    show: Callable[..., MainWindow], qtbot: QtBot, flat: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A, drag, Esc; the job arrives now and starts or waits; undo, redo, save and open: the same run."""
    window = show(lecture_of([*ROWS[:1], ROWS[3]]), 5.0, flat=flat)
    before = recording_of(window)
    press(qtbot, window, Qt.Key.Key_A)
    canvas = window.mesh.canvas
    assert canvas.cursor().shape() == Qt.CursorShape.CrossCursor
    pose = None if flat else canvas.pose
    drag(qtbot, canvas, middle_of(window, (0, 0, 0)), middle_of(window, (0, 1, 0)))
    rerun(window, qtbot, lambda: len(recording_of(window).jobs) == 3)
    after = recording_of(window)
    assert flat or canvas.pose == pose, "the drag has turned the camera"
    assert after.jobs.size(2) == (1, 2, 1)
    assert after.jobs.service[2] == 8.0  # the mean of the others
    assert window.selection.job == 2
    assert 5.0 < window.time_cursor.time < 5.01
    assert 2 in window.time_cursor.view.snapshot.running
    position = before.position_at(5.0)
    assert (after.times[:position] == before.times[:position]).all()
    assert window.notice.text == "Job 2 asks for 1×2 for 8, the mean of the others."
    press(qtbot, window, Qt.Key.Key_Escape)
    assert canvas.cursor().shape() == Qt.CursorShape.ArrowCursor
    assert window.commands.title("edit.undo") == "Undo drawing job 2"
    press(qtbot, window, Qt.Key.Key_Z, CONTROL)
    rerun(window, qtbot, lambda: len(recording_of(window).jobs) == 2)
    assert recording_of(window).times.tolist() == before.times.tolist()
    press(qtbot, window, Qt.Key.Key_Y, CONTROL)
    rerun(window, qtbot, lambda: len(recording_of(window).jobs) == 3)
    assert recording_of(window).times.tolist() == after.times.tolist()
    target = tmp_path / "drawn.meshgui.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    press(qtbot, window, Qt.Key.Key_S, CONTROL)
    assert window.files.open(target)
    wait_for_run(window, qtbot)
    again = recording_of(window)
    assert again.times.tolist() == after.times.tolist()
    assert all(again.boxes_of(job) == after.boxes_of(job) for job in range(3))


def test_a_job_without_room_waits(show: Callable[..., MainWindow], qtbot: QtBot):
    """It arrives at the end of the queue, at the present moment."""
    window = show(lecture_of(), 5.0)
    press(qtbot, window, Qt.Key.Key_A)
    drag(qtbot, window.mesh.canvas, middle_of(window, (0, 0, 0)), middle_of(window, (3, 3, 0)))
    rerun(window, qtbot, lambda: len(recording_of(window).jobs) == 5)
    assert recording_of(window).jobs.size(4) == (4, 4, 1)
    assert window.time_cursor.view.snapshot.queue.tolist() == [1, 2, 3, 4]


def test_a_job_that_is_drawn_into_a_queue_can_be_put_at_its_front(
    show: Callable[..., MainWindow], qtbot: QtBot
):
    """A notice says how many it waits behind, and its button has it served next."""
    window = show(lecture_of(), 5.0)
    window.jobs.draw((4, 4))
    qtbot.waitUntil(lambda: window.notice.text == "Job 4 waits behind 3 jobs.")
    undo, button = buttons_of(window)
    assert (undo.text(), button.text()) == ("Undo", "To the front")
    qtbot.mouseClick(button, LEFT)
    rerun(window, qtbot, lambda: window.time_cursor.view.snapshot.queue.tolist() == [4, 1, 2, 3])
    assert "waits behind" not in window.notice.text


def test_a_queue_with_an_order_of_its_own_offers_no_front(show: Callable[..., MainWindow], qtbot: QtBot):
    """A job that is drawn into it waits, and there is no more to be done than to undo it."""
    window = show(lecture_of(queue="ssd"), 5.0)
    window.jobs.draw((4, 4))
    rerun(window, qtbot, lambda: len(recording_of(window).jobs) == 5)
    assert 4 in window.time_cursor.view.snapshot.queue.tolist()
    assert [button.text() for button in buttons_of(window)] == ["Undo"]


@pytest.mark.parametrize("flat", [False, True])
def test_the_wheel_and_digits_set_how_deep_a_box_is(
    show: Callable[..., MainWindow], qtbot: QtBot, flat: bool
):
    """In a mesh of several layers; the digits are not the window's then, and the wheel does not zoom."""
    window = show(lecture_of([(0.0, (1, 1, 1), 9.0)], (4, 4, 4)), 5.0, flat=flat)
    if not flat:
        window.mesh.canvas.set_camera_view("top", animated=False)
    press(qtbot, window, Qt.Key.Key_A)
    canvas, drawing = window.mesh.canvas, window.mesh.drawing
    panel = window.panels.docks["queue"].isVisible()
    layer = 0 if flat else 3
    start, end = middle_of(window, (0, 0, layer)), middle_of(window, (2, 1, layer))
    drag(qtbot, canvas, start, end, release=False)
    press(qtbot, window, Qt.Key.Key_3)
    assert window.panels.docks["queue"].isVisible() == panel
    assert drawing.box(window.mesh.source.mesh).size == (3, 2, 3)
    wheel = QWheelEvent(
        QPointF(end), QPointF(canvas.mapToGlobal(end)), QPoint(), QPoint(0, -120), LEFT,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, wheel)
    qtbot.mouseRelease(canvas, LEFT, pos=end)
    rerun(window, qtbot, lambda: len(recording_of(window).jobs) == 2)
    assert recording_of(window).jobs.size(1) == (3, 2, 2)


def test_escape_gives_up_the_box_first_and_the_mode_second(show: Callable[..., MainWindow], qtbot: QtBot):
    """No job is asked for."""
    window = show(lecture_of(), 5.0)
    press(qtbot, window, Qt.Key.Key_A)
    canvas, drawing = window.mesh.canvas, window.mesh.drawing
    start, end = middle_of(window, (0, 0, 0)), middle_of(window, (1, 1, 0))
    drag(qtbot, canvas, start, end, release=False)
    assert drawing.box(window.mesh.source.mesh) is not None
    press(qtbot, window, Qt.Key.Key_Escape)
    assert drawing.active
    assert drawing.box(window.mesh.source.mesh) is None
    qtbot.mouseRelease(canvas, LEFT, pos=end)
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not drawing.active
    assert len(recording_of(window).jobs) == 4


def test_a_click_ends_a_running_job_in_the_drawing_mode_only(show: Callable[..., MainWindow], qtbot: QtBot):
    """Without it a click selects; with it the job leaves now, and what waits starts."""
    window = show(lecture_of(), 5.0)
    canvas = window.mesh.canvas
    at = middle_of(window, (1, 1, 0))
    qtbot.mouseClick(canvas, LEFT, pos=at)
    assert window.selection.job == 0
    assert len(recording_of(window)) == len(simulate(lecture_of()))
    press(qtbot, window, Qt.Key.Key_A)
    qtbot.mouseClick(canvas, LEFT, pos=at)
    rerun(window, qtbot, lambda: recording_of(window).end_time < simulate(lecture_of()).end_time)
    snapshot = window.time_cursor.view.snapshot
    assert snapshot.finished == 1
    assert snapshot.running.tolist() == [1]
    assert window.commands.title("edit.undo") == "Undo ending job 0"
    assert window.document.scenario.workload.jobs[0].service == 10.0
    press(qtbot, window, Qt.Key.Key_Z, CONTROL)
    rerun(window, qtbot, lambda: window.time_cursor.view.snapshot.running.tolist() == [0])


def test_undo_and_redo_come_back_to_the_step_that_was_left(show: Callable[..., MainWindow], qtbot: QtBot):
    """With what was selected there; by keys, one by one, and faster than the runs are made again."""
    window = show(lecture_of(name="tbl"), 1.0)
    cursor, left = window.time_cursor, []

    def leave_at_a_step(key: Qt.Key) -> None:
        for _ in range(3):
            press(qtbot, window, key)
        assert cursor.position.attempt is not None
        assert cursor.position.step
        left.append((cursor.instant, window.selection.job))

    def shows(edits: int) -> None:
        rerun(window, qtbot, lambda: not window.scenario_run.resuming)
        assert (cursor.instant, window.selection.job) == left[edits]

    def undo() -> None:
        press(qtbot, window, Qt.Key.Key_Z, CONTROL)

    def redo() -> None:
        press(qtbot, window, Qt.Key.Key_Y, CONTROL)

    press(qtbot, window, Qt.Key.Key_1)
    window.selection.select(0)
    leave_at_a_step(Qt.Key.Key_Right)
    press(qtbot, window, Qt.Key.Key_X)
    rerun(window, qtbot, lambda: not window.scenario_run.resuming)
    window.selection.select(1)
    leave_at_a_step(Qt.Key.Key_Left)
    window.strategy.run_with("bl")
    rerun(window, qtbot, lambda: not window.scenario_run.resuming)
    left.append((cursor.instant, window.selection.job))
    assert len(set(left)) == 3
    for step, edits in ((undo, 1), (undo, 0), (redo, 1), (redo, 2)):
        step()
        shows(edits)
    for steps, edits in (((undo, undo), 0), ((redo,), 1), ((redo, undo, undo), 0), ((redo, redo), 2)):
        for step in steps:
            step()
        shows(edits)


def test_undo_waits_until_the_run_that_is_made_again_has_come_so_far(
    window: MainWindow, qtbot: QtBot, long_run: Path
):
    """Until then it is shown from its start; what is undone and redone meanwhile loses no place."""
    window.files.open(long_run)
    cursor = window.time_cursor
    qtbot.waitUntil(lambda: cursor.recording is not None and len(recording_of(window)) > 1500)
    places = [attempt.position for attempt in recording_of(window).attempts]
    cursor.go_to(Position(places[-1], len(places) - 1, 2))
    left = cursor.instant

    def edit(make: Callable[[], object]) -> None:
        before = cursor.recording
        make()
        qtbot.waitUntil(lambda: cursor.recording is not None and not cursor.recording.is_of_run(before))

    def go(command: str) -> None:
        edit(lambda: window.commands.trigger(command))

    edit(lambda: window.strategy.run_with("bl"))
    early = []
    cursor.changed.connect(
        lambda _change: early.append(cursor.instant) if recording_of(window).end_time <= left.time else None
    )
    for command in ("edit.undo", "edit.redo", "edit.undo"):
        go(command)
    qtbot.waitUntil(lambda: not window.scenario_run.resuming)
    assert cursor.instant == left
    assert set(early) <= {Instant(0)}
    go("edit.redo")
    qtbot.waitUntil(lambda: not window.scenario_run.resuming)
    assert cursor.instant == Instant.at_time(recording_of(window), left.time)
    window.commands.trigger("run.stop")


@pytest.mark.parametrize("flat", [False, True])
def test_the_meshs_menu_ends_a_job_at_this_moment(
    show: Callable[..., MainWindow], qtbot: QtBot, once_open: Callable[..., None], flat: bool
):
    """A click with the right button on a running job offers it, beside what else there is."""
    window = show(lecture_of(), 5.0, flat=flat)
    canvas = window.mesh.canvas
    at = middle_of(window, (1, 1, 0))
    offered = []

    def end(menu: QMenu) -> None:
        offered.extend(action.text() for action in menu.actions())
        action = next(action for action in menu.actions() if action.text() == "End job 0 now")
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())

    once_open(QMenu, end)
    qtbot.mouseClick(canvas, Qt.MouseButton.RightButton, pos=at)
    rerun(window, qtbot, lambda: window.time_cursor.view.snapshot.running.tolist() == [1])
    assert offered[:3] == ["Select job 0", "End job 0 now", "Draw jobs"]
    assert window.commands.title("edit.undo") == "Undo ending job 0"


def test_the_selected_job_is_ended_by_key_and_by_its_panel(show: Callable[..., MainWindow], qtbot: QtBot):
    """X, and End it; with a network both say why not."""
    window = show(lecture_of(), 5.0)
    press(qtbot, window, Qt.Key.Key_X)
    assert "Select a job first" in window.sentence.text
    window.selection.select(0)
    press(qtbot, window, Qt.Key.Key_X)
    rerun(window, qtbot, lambda: window.time_cursor.view.snapshot.finished == 1)
    window.selection.select(1)
    qtbot.waitUntil(window.job_card.buttons["end"].isEnabled)
    qtbot.mouseClick(window.job_card.buttons["end"], LEFT)
    rerun(window, qtbot, lambda: window.time_cursor.view.snapshot.finished == 2)
    window.selection.select(3)
    press(qtbot, window, Qt.Key.Key_X)
    assert window.notice.text == "Job 3 cannot be ended: it does not run now."


def test_in_a_network_a_job_cannot_be_ended(show: Callable[..., MainWindow], qtbot: QtBot):
    """One sentence says why, by key and by button."""
    network = {"pattern": "all-to-all", "messages": 50}
    window = show(lecture_of(ROWS[:1], network=network), 5.0)
    window.selection.select(0)
    for ask in (
        lambda: press(qtbot, window, Qt.Key.Key_X),
        lambda: qtbot.mouseClick(window.job_card.buttons["end"], LEFT),
    ):
        ask()
        assert "in a network a job ends when all its messages have arrived" in window.notice.text
        window.notice.dismiss()
    press(qtbot, window, Qt.Key.Key_A)
    drag(qtbot, window.mesh.canvas, middle_of(window, (3, 0, 0)), middle_of(window, (3, 3, 0)))
    rerun(window, qtbot, lambda: len(recording_of(window).jobs) == 2)
    assert recording_of(window).jobs.messages[1] == recording_of(window).jobs.messages[0]


def test_where_packets_are_listed_no_drawing_begins(show: Callable[..., MainWindow], qtbot: QtBot):
    """By key or by button it says why at once, before a box is dragged."""
    window = show(sent((0, (0, 0), (1, 0))).scenario, 0.0)
    pencil = next(b for b in window.mesh.findChildren(QToolButton) if b.toolTip().startswith("Draw jobs"))
    for ask in (lambda: press(qtbot, window, Qt.Key.Key_A), pencil.click):
        ask()
        assert "No job can be drawn here: each sends the packets listed" in window.notice.text
        assert not window.mesh.drawing.active
        assert not pencil.isChecked()
        window.notice.dismiss()


def row_middle(window: MainWindow, row: int) -> QPoint:
    """The middle of a row of the queue."""
    table = window.queue.waiting.table
    return table.visualRect(table.rows.index(row, 0)).center()


def test_a_job_is_dragged_to_the_head_of_the_queue(show: Callable[..., MainWindow], qtbot: QtBot):
    """A line shows the place; the queue before that moment is as it was, and undo puts it back."""
    window = show(lecture_of(), 5.0)
    table = window.queue.waiting.table.viewport()
    top = row_middle(window, 0) - QPoint(0, 8)
    drag(qtbot, table, row_middle(window, 2), top, release=False)
    assert window.queue.dragger._line.isVisible()
    qtbot.mouseRelease(table, LEFT, pos=top)
    rerun(window, qtbot, lambda: bool(window.document.scenario.workload.moves))
    assert not window.queue.dragger._line.isVisible()
    snapshot = window.time_cursor.view.snapshot
    assert 3 in snapshot.running  # it fits beside job 0, and is the next to be served now
    assert snapshot.queue.tolist() == [1, 2]
    recording = recording_of(window)
    (moved,) = np.flatnonzero(recording.kinds == EventKind.MOVE).tolist()
    assert recording.queue(moved).tolist() == [1, 2, 3]
    assert window.commands.title("edit.undo") == "Undo moving job 3"
    press(qtbot, window, Qt.Key.Key_Z, CONTROL)
    rerun(window, qtbot, lambda: not window.document.scenario.workload.moves)
    assert window.time_cursor.view.snapshot.queue.tolist() == [1, 2, 3]


def test_the_keys_move_the_selected_job(show: Callable[..., MainWindow], qtbot: QtBot):
    """Alt+Down goes back, Alt+Up ahead; a click alone moves nothing."""
    window = show(lecture_of(), 5.0)
    qtbot.mouseClick(window.queue.waiting.table.viewport(), LEFT, pos=row_middle(window, 0))
    assert window.selection.job == 1
    press(qtbot, window, Qt.Key.Key_Down, ALT)
    rerun(window, qtbot, lambda: window.time_cursor.view.snapshot.queue.tolist() == [2, 1, 3])
    assert window.selection.job == 1
    press(qtbot, window, Qt.Key.Key_Down, ALT)
    rerun(window, qtbot, lambda: window.time_cursor.view.snapshot.queue.tolist() == [2, 3, 1])
    press(qtbot, window, Qt.Key.Key_Up, ALT)
    rerun(window, qtbot, lambda: window.time_cursor.view.snapshot.queue.tolist() == [2, 1, 3])
    window.selection.select(0)
    press(qtbot, window, Qt.Key.Key_Up, ALT)
    assert "Job 0" in window.sentence.text


def test_a_discipline_with_an_order_of_its_own_refuses(show: Callable[..., MainWindow], qtbot: QtBot):
    """In one sentence; the scenario stays."""
    window = show(lecture_of(queue="ssd"), 5.0)
    drag(
        qtbot,
        window.queue.waiting.table.viewport(),
        row_middle(window, 1),
        row_middle(window, 0) - QPoint(0, 8),
    )
    said = "The queue cannot be changed by hand: ssd keeps it in an order of its own."
    assert window.notice.text == said
    assert not window.document.modified


def test_a_size_is_typed(show: Callable[..., MainWindow], qtbot: QtBot):
    """Shift+A; what is wrong is said on the card, which stays with what was typed; a time may be stated."""
    window = show(lecture_of(ROWS[:1]), 5.0)
    press(qtbot, window, Qt.Key.Key_A, SHIFT)
    card = window.jobs.request_card
    qtbot.keyClicks(card.line, "2")
    qtbot.keyClick(card.line, Qt.Key.Key_Return)
    assert card.fault.words.text() == "Expected a size, as in 3×2, or 3×2 for 5"
    card.line.clear()
    qtbot.keyClicks(card.line, "1x2 for 2,5")
    qtbot.keyClick(card.line, Qt.Key.Key_Return)
    rerun(window, qtbot, lambda: len(recording_of(window).jobs) == 2)
    assert recording_of(window).jobs.size(1) == (1, 2, 1)
    assert recording_of(window).jobs.service[1] == 2.5
    press(qtbot, window, Qt.Key.Key_A, SHIFT)
    card.line.clear()
    qtbot.keyClicks(card.line, "9x9")
    qtbot.keyClick(card.line, Qt.Key.Key_Return)
    refused = "No such job can be drawn here: expected a request no larger than"
    assert card.fault.words.text().startswith(refused)
    assert card.isVisible()
    assert card.line.text() == "9x9"
    assert not window.notice.isVisible() or refused not in window.notice.text
    qtbot.keyClicks(card.line, " ")
    assert card.line.text() == "9x9 "  # nor is it a command


def test_the_card_is_as_tall_as_what_it_says(show: Callable[..., MainWindow], qtbot: QtBot):
    """Of a long fault, too: no room is left between its sign and its words."""
    window = show(lecture_of(ROWS[:1]), 5.0)
    press(qtbot, window, Qt.Key.Key_A, SHIFT)
    card = window.jobs.request_card
    card.refuse("No such job can be drawn here, " * 6)
    handle_events()
    words = card.fault.words
    assert words.height() <= words.heightForWidth(words.width()) + 1


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_the_example_of_a_size_can_be_typed(language: str):
    """As the card says it in each language, with the word for *for* in it."""
    flat = Mesh((4, 4))
    with speaking(language):
        for example in (tr("3x2, or 3x2 for 5"), read_request("", flat)):
            asked = re.search(r"3[x×]2 (\S+) 5", str(example))
            assert asked is not None
            assert (asked[1] == "for") == (language == "en")
            assert read_request(asked[0], flat) == ((3, 2), 5.0)


@pytest.mark.parametrize("typed", ["3x2 for 5", "3×2 für 5", "3*2 لمدة 5,0", "3x2: 5", "3x2 5"])
def test_a_time_is_stated_in_the_words_of_the_user(typed):
    """The card gives its example in the language of the program."""
    assert read_request(typed, Mesh((8, 8))) == ((3, 2), 5.0)
    assert read_request(typed.replace("2", "2x1"), Mesh((8, 8, 8))) == ((3, 2, 1), 5.0)
    assert "numbers" in read_request("3x2 x 5", Mesh((8, 8)))
    assert "size" in read_request("3x2x1 x 5", Mesh((8, 8, 8)))


@pytest.mark.parametrize(
    ("typed", "dims", "read"),
    [
        ("2 2 2", 3, ((2, 2, 2), None)),
        ("3 2  1 5", 3, ((3, 2, 1), 5.0)),
        ("3 2", 2, ((3, 2), None)),
        ("3 2 for 5,5", 2, ((3, 2), 5.5)),
        ("3x2 1", 2, ((3, 2), 1.0)),
    ],
)
def test_as_many_numbers_as_axes_are_a_size(typed, dims, read):
    """With spaces between them; one more is the time, and fewer are no size."""
    assert read_request(typed, Mesh((8,) * dims)) == read
    assert "Expected" in read_request("3 2" if dims == 3 else "3", Mesh((8,) * dims))


def test_drawn_jobs_become_a_list_with_a_way_back(window: MainWindow, qtbot: QtBot):
    """The notice says so, once; its Undo runs the jobs as they were drawn at random."""
    open_and_run(window, qtbot, "first-fit-16x16")
    before = recording_of(window)
    count, time = len(before.jobs), before.end_time / 3
    window.time_cursor.go_to_time(time)
    window.jobs.draw((2, 3))
    rerun(window, qtbot, lambda: len(recording_of(window).jobs) == count + 1)
    said = [label.text() for label in window.notice.findChildren(QLabel) if label.isVisible()]
    assert any("drawn at random became a list" in text for text in said)
    assert window.document.scenario.workload.kind == "list"
    position = before.position_at(time)
    after = recording_of(window)
    assert (after.times[:position] == before.times[:position]).all()
    assert (after.event_jobs[:position] == before.event_jobs[:position]).all()
    buttons = [button for button in window.notice.findChildren(QPushButton) if button.isVisible()]
    [undo] = (button for button in buttons if button.text() == "Undo")
    qtbot.mouseClick(undo, LEFT)
    rerun(window, qtbot, lambda: len(recording_of(window).jobs) == count)
    assert window.document.scenario.workload.kind == "stochastic"
    assert not window.notice.isVisible()
    assert not window.document.modified
    assert window.time_cursor.time == pytest.approx(time, rel=1e-2)


def test_a_job_drawn_at_random_into_a_queue_brings_one_notice(window: MainWindow, qtbot: QtBot):
    """With both ways on from there: the jobs as they were drawn, and the job before the others."""
    open_and_run(window, qtbot, "first-fit-16x16")
    time = window.time_cursor.recording.end_time
    while not window.time_cursor.view.snapshot.queue.size:
        time -= 1.0
        window.time_cursor.go_to_time(time)
    before = len(recording_of(window).jobs)
    window.jobs.draw((16, 16))
    qtbot.waitUntil(lambda: f"Job {before} waits behind" in window.notice.text)
    assert "drawn at random became a list" in window.notice.text
    sentences = [label for label in window.notice.findChildren(QLabel) if label.isVisible()]
    assert len(sentences) == 1
    buttons = [button for button in window.notice.findChildren(QPushButton) if button.isVisible()]
    assert [button.text() for button in buttons] == ["Undo", "To the front"]
    qtbot.mouseClick(buttons[1], LEFT)
    rerun(window, qtbot, lambda: bool(window.document.scenario.workload.moves))
    assert window.time_cursor.view.snapshot.queue.tolist()[0] == before
    assert "waits behind" not in window.notice.text


def test_edits_of_the_form_come_first(show: Callable[..., MainWindow], qtbot: QtBot):
    """Nothing typed is lost or run unseen: the notice asks to run or undo it."""
    window = show(lecture_of(), 5.0)
    draft = dict(window.document.draft)
    window.document.change(draft | {"title": "Another"})
    window.selection.select(0)
    press(qtbot, window, Qt.Key.Key_X)
    assert "run them (Ctrl+Return) or undo them" in window.notice.text
    assert window.document.draft["title"] == "Another"


def click_line(popup: ListPopup, start: str) -> None:
    """Click the line of a list that begins so."""
    [item] = popup.list.findItems(start, Qt.MatchFlag.MatchStartsWith)
    popup.list.scrollToItem(item)
    QTest.mouseClick(popup.list.viewport(), LEFT, pos=popup.list.visualItemRect(item).center())


def test_the_tool_bar_changes_the_strategy_at_the_same_moment(show: Callable[..., MainWindow], qtbot: QtBot):
    """By mouse: the same jobs, drawn ones too, and the same time; undo goes back."""
    window = show(lecture_of([*ROWS, (4.0, (1, 1), 2.0)]), 5.0)
    jobs = recording_of(window).jobs
    button = window.strategy
    assert button.isVisible()
    assert button.text() == strategy_name("ff")

    qtbot.mouseClick(button, LEFT)
    click_line(button.popup, strategy_name("gabl"))
    rerun(window, qtbot, lambda: window.document.scenario.allocator.name == "gabl")
    after = recording_of(window)
    assert window.time_cursor.time == 5.0
    assert (after.jobs.arrival == jobs.arrival).all()
    assert (after.jobs.sizes == jobs.sizes).all()
    assert (after.jobs.service == jobs.service).all()
    qtbot.waitUntil(lambda: button.text() == strategy_name("gabl"))
    assert window.commands.title("edit.undo") == "Undo change of strategy"
    press(qtbot, window, Qt.Key.Key_Z, CONTROL)
    rerun(window, qtbot, lambda: window.document.scenario.allocator.name == "ff")
    assert window.time_cursor.time == 5.0
    assert window.panels.in_front("algorithm"), "it was not switched in the form"
    button.resize(button.minimumSizeHint())  # where its title has no room
    assert button.text() == "ff"


def test_a_strategy_that_cannot_run_here_says_why(show: Callable[..., MainWindow], qtbot: QtBot):
    """It is in the list, faint, with the reason as its hint, and below the list where the keys are."""
    window = show(lecture_of(shape=(4, 3), rows=ROWS[:1]), 1.0)
    window.commands.trigger("run.strategy")
    popup = window.strategy.popup
    [item] = popup.list.findItems(strategy_name("2dbs"), Qt.MatchFlag.MatchStartsWith)
    assert "square" in item.toolTip()
    while popup.list.currentItem() is not item:
        before = popup.list.currentRow()
        qtbot.keyClick(popup.search, Qt.Key.Key_Up)
        assert popup.list.currentRow() < before
    assert "square" in popup.findChild(QLabel, "why").text()
    popup.close()


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 1.0), ((1280, 720), 2.0), ((960, 600), 2.5)])
def test_the_list_of_strategies_lies_in_the_window(
    show: Callable[..., MainWindow], qtbot: QtBot, size: tuple[int, int], scale: float
):
    """However large its letters: it scrolls."""
    window = show(lecture_of(shape=(4, 3), rows=ROWS[:1]), 1.0)
    window.showNormal()
    window.resize(*size)
    window.themes.set_scale(scale)
    qtbot.waitUntil(lambda: window.height() == size[1])
    window.commands.trigger("run.strategy")
    popup = window.strategy.popup
    assert window.geometry().top() <= popup.geometry().top()
    assert popup.geometry().bottom() <= window.geometry().bottom()
    assert popup.list.height() >= 3 * popup.list.sizeHintForRow(1)
    popup.close()


def test_a_strategy_that_cannot_run_here_says_why_when_it_is_clicked(
    show: Callable[..., MainWindow], qtbot: QtBot
):
    """In one sentence above the mesh, as a hint is seen by a mouse that rests; the list closes."""
    window = show(lecture_of(shape=(4, 3), rows=ROWS[:1]), 1.0)
    qtbot.mouseClick(window.strategy, LEFT)
    popup = window.strategy.popup
    click_line(popup, strategy_name("2dbs"))
    assert not popup.isVisible()
    assert window.notice.text.startswith("2dbs cannot run this scenario: ")
    assert "square" in window.notice.text
    assert window.document.scenario.allocator.name == "ff"

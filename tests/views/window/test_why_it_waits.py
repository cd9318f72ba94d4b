"""A waiting job is clicked in the queue, and the window says why it waits."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import open_and_run


def test_a_click_on_a_waiting_job_says_why_and_leads_into_the_attempt(window: MainWindow, qtbot: QtBot):
    """From the queue over the sentences to the step at which the strategy met another job, and back."""
    window.resize(1600, 1000)
    open_and_run(window, qtbot, "first-fit-16x16")
    window.time_cursor.go_to_time(30.0)
    table = window.queue.waiting.table
    place = table.visualRect(table.rows.index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(window.why.isVisible)
    second = int(window.time_cursor.view.snapshot.queue[1])
    qtbot.waitUntil(lambda: window.why.view.title.text() == f"Why job {second} waits")
    assert "all wait for job" in window.why.view.words.plain
    assert window.selection.marks
    qtbot.mouseClick(window.why.view.step, Qt.MouseButton.LeftButton)
    assert window.time_cursor.position.attempt == window.why.view.reason.attempt
    assert window.selection.marks == ()

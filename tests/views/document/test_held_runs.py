"""A run out of proportion: the window says what it needs, and leaves it to the user."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from meshgui.engine.runs import expectation
from meshgui.engine.runs.expectation import Pace
from meshgui.model.document.examples import example
from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import wait_for_run

Make = Callable[[], MainWindow]


def run_it(window: MainWindow, qtbot: QtBot) -> None:
    """Click the button of the question."""
    (button,) = (b for b in window.notice.findChildren(QPushButton) if b.text() == "Run it")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_large_network_is_asked_about_before_it_runs(make_window, qtbot, monkeypatch):
    """With its packets, memory and time; "Run it" runs it, and nothing of it was simulated before."""
    monkeypatch.setattr(expectation, "LONG", 0.0)
    window = make_window()
    window.open_example(example("hot-spot-8x8"))
    qtbot.waitUntil(lambda: window.notice.asks)
    assert window.notice.text.startswith("This run may take up to 0.")
    assert window.notice.text.endswith(" packets.")
    recording = window.time_cursor.recording
    assert not len(recording.times)
    run_it(window, qtbot)
    assert not window.notice.asks
    wait_for_run(window, qtbot)
    assert not window.notice.asks


def test_a_slow_run_is_asked_about_after_its_first_moments(make_window, qtbot, monkeypatch):
    """What has been simulated stays in sight; another scenario withdraws the question."""
    monkeypatch.setattr(Pace, "seconds", lambda *_: 4000.0)
    window = make_window()
    window.open_example(example("first-fit-16x16"))
    qtbot.waitUntil(lambda: window.notice.asks)
    assert window.notice.text == "This run will take about 67 min."
    run_it(window, qtbot)
    wait_for_run(window, qtbot)
    assert window.time_cursor.recording.complete
    window.scenario_run.run()
    qtbot.waitUntil(lambda: window.notice.asks)
    window.commands.action("file.welcome").trigger()
    assert not window.notice.asks


def test_a_run_that_may_not_take_what_it_needs_is_one_sentence(make_window, qtbot, monkeypatch):
    """The window stays in use, with the way to allow it."""
    window = make_window()
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "0.001")
    window.open_example(example("hot-spot-8x8"))
    qtbot.waitUntil(lambda: bool(window.notice.text))
    assert window.notice.text.startswith("The run stopped: the run ")
    assert "MESHGUI_MEMORY_GB changes the limit" in window.notice.text
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "8")
    window.commands.action("run.start").trigger()
    wait_for_run(window, qtbot)
    assert window.time_cursor.recording.complete

"""A window of one's own for each test: its settings and recent files lie in a folder that goes away."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from meshgui.model.examples import example
from meshgui.model.recent import RecentFiles
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow


@pytest.fixture
def make_window(qtbot: QtBot, themes: ThemeManager, tmp_path: Path) -> Iterator[Callable[[], MainWindow]]:
    """Opens windows that remember their layout in the test's own folder."""
    windows: list[MainWindow] = []

    def make() -> MainWindow:
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        window = MainWindow(themes, settings, RecentFiles(tmp_path))
        windows.append(window)
        with qtbot.waitSignal(window.painted):
            window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)  # keys go to the active window only
        return window

    yield make
    for window in windows:
        window.closing.close()
        window.deleteLater()
    WorkThread.end_all()


@pytest.fixture
def window(make_window: Callable[[], MainWindow]) -> MainWindow:
    """A window without a scenario."""
    return make_window()


@pytest.fixture
def lecture(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window on the small example, run to its end."""
    return open_and_run(window, qtbot, "three-jobs-4x4x4")


def open_and_run(window: MainWindow, qtbot: QtBot, name: str) -> MainWindow:
    """Open an example and wait for its run."""
    assert window.files.open(example(name), as_example=True)
    wait_for_run(window, qtbot)
    return window


def wait_for_run(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the run is over and all of it is shown."""
    qtbot.waitUntil(lambda: (recording := window.time_cursor.recording) is not None and recording.complete)


def drag_edge(window: MainWindow, qtbot: QtBot, right_of: str, by: int) -> None:
    """Drag the edge at the right of a panel with the mouse."""
    dock = window.panels.docks[right_of]
    at = dock.geometry().topRight() + QPoint(3, 60)
    qtbot.mousePress(window, Qt.MouseButton.LeftButton, pos=at)
    for step in (by // 2, by):
        move = QPoint(step, 0)
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(at + move),
            QPointF(window.mapToGlobal(at + move)),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(window, event)
        qtbot.wait(30)  # Qt moves the edge by a timer
    qtbot.mouseRelease(window, Qt.MouseButton.LeftButton, pos=at + QPoint(by, 0))
    qtbot.wait(30)

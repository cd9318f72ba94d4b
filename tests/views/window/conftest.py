"""A window of one's own for each test: its settings and recent files lie in a folder that goes away."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSettings, QSize, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from meshgui.engine.runs import simulation
from meshgui.engine.runs.loop_state import HowFar
from meshgui.engine.runs.simulation import Simulation
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.examples import example
from meshgui.views.mesh.solid import opengl
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window import main_window
from meshgui.views.window.main_window import MainWindow
from tests.views.conftest import handle_events
from tests.views.window.parts import WindowWithParts

MakeWindow = Callable[..., MainWindow]
DESK = QSize(1360, 850)  # where panels lie beside each other that share a place in a smaller window
at_a_desk = pytest.mark.parametrize("window_size", [DESK], ids=["desk"])


def new_window(themes: ThemeManager, folder: Path, qtbot: QtBot, name: str = "") -> MainWindow:
    """Open a window that keeps its settings in a folder, and recent files in one within it; on an example."""
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = WindowWithParts(themes, settings, RecentFiles(folder / "MeshGUI"))
    assert not name or window.files.open(example(name), as_example=True)
    with qtbot.waitSignal(window.painted):
        window.show()
    activate(window, qtbot)
    return window


def activate(window: MainWindow, qtbot: QtBot) -> None:
    """Keys go to the active window only."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


@pytest.fixture
def window_size() -> QSize:
    """A laptop, which has room for all panels; more pixels take the processor longer to draw."""
    return QSize(1366, 800)


@pytest.fixture
def make_window(
    qtbot: QtBot,
    themes: ThemeManager,
    tmp_path: Path,
    window_size: QSize,
    samples: int,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[MakeWindow]:
    """Opens windows that remember their layout in the test's own folder."""
    monkeypatch.setattr(main_window, "SIZE", window_size)
    monkeypatch.setattr(opengl, "SAMPLES", samples)
    windows: list[MainWindow] = []

    def make(name: str = "") -> MainWindow:
        windows.append(window := new_window(themes, tmp_path, qtbot, name))
        return window

    yield make
    for window in windows:
        window.closing.close()
        window.deleteLater()
    WorkThread.end_all()


@pytest.fixture
def window(make_window: MakeWindow) -> MainWindow:
    """A window without a scenario."""
    return make_window()


@pytest.fixture
def lecture(make_window: MakeWindow, qtbot: QtBot) -> MainWindow:
    """A window that is opened on the small example, run to its end."""
    window = make_window("three-jobs-4x4x4")
    wait_for_run(window, qtbot)
    return window


@pytest.fixture
def long_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scenario of a run that takes a minute: its loop pauses after every few events."""
    go_on = Simulation._go_on

    def go_on_slowly(run: Simulation) -> HowFar:
        sleep(0.02)
        return go_on(run)

    monkeypatch.setattr(Simulation, "_go_on", go_on_slowly)
    monkeypatch.setattr(simulation, "_MOST_EVENTS_AT_ONCE", 64)
    data = json.loads(example("tbl-under-load").read_text(encoding="utf-8"))
    data["workload"]["jobs"] = 60_000
    path = tmp_path / "long.meshgui.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def open_and_run(window: MainWindow, qtbot: QtBot, name: str) -> MainWindow:
    """Open an example and wait for its run."""
    assert window.files.open(example(name), as_example=True)
    wait_for_run(window, qtbot)
    return window


def wait_for_run(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the run is over and all of it is shown."""
    qtbot.waitUntil(lambda: (recording := window.time_cursor.recording) is not None and recording.complete)


def press(
    qtbot: QtBot,
    window: MainWindow,
    key: Qt.Key,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Press a key where the focus is, as a user does."""
    qtbot.keyClick(window.focusWidget() or window, key, modifiers)


def picture(window: MainWindow) -> dict[str, tuple[QRect, bool]]:
    """The panels in front, where they are, and which of them float."""
    docks = window.panels.docks.items()
    return {
        name: (dock.geometry(), dock.isFloating()) for name, dock in docks if window.panels.in_front(name)
    }


def settle(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until all has its place: nothing is put off, and nothing moves as all events are handled."""
    docks = window.panels.docks.values()

    def places() -> object:
        panels = [(dock.isVisible(), dock.geometry()) for dock in docks]
        return window.size(), window.mesh.geometry(), panels, window.panels.folded

    def rests() -> bool:
        before, canvas = places(), window.mesh.canvas
        if isinstance(canvas, MeshGL):
            canvas.come_to_rest()
        handle_events()
        waits = any(timer.isSingleShot() and timer.isActive() for timer in window.findChildren(QTimer))
        return not waits and places() == before

    qtbot.waitUntil(rests)


def opened(window: MainWindow, qtbot: QtBot, command: str) -> QWidget:
    """The window that a command opens, or the main window where it opens none, with all that is in sight."""
    before = {one for one in QApplication.topLevelWidgets() if one.isVisible()}
    window.commands.trigger(command)
    handle_events()
    new = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one not in before]
    wait_for_panels(window, qtbot)
    return (new or [window])[0]


def wait_for_panels(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the panels in sight have been made, and all has its place."""
    parts = window.findChildren(Deferred)
    qtbot.waitUntil(lambda: all(part.made or part.visibleRegion().isEmpty() for part in parts))
    settle(window, qtbot)


def drag_edge(window: MainWindow, qtbot: QtBot, right_of: str, by: int) -> None:
    """Drag the right edge of a panel with the mouse."""
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
        settle(window, qtbot)  # Qt moves the edge by a timer
    qtbot.mouseRelease(window, Qt.MouseButton.LeftButton, pos=at + QPoint(by, 0))
    settle(window, qtbot)

"""Windows for tests: one that is put back between them, or one of a test's own."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSettings, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from meshgui.model.examples import example
from meshgui.model.recent import RecentFiles
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from tests.views.conftest import light_theme
from tests.views.window.shared_window import SharedWindow

MakeWindow = Callable[[], MainWindow]


def new_window(themes: ThemeManager, folder: Path, qtbot: QtBot) -> MainWindow:
    """Open a window that keeps its settings and recent files in a folder."""
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(themes, settings, RecentFiles(folder))
    with qtbot.waitSignal(window.painted):
        window.show()
    activate(window, qtbot)
    return window


def activate(window: MainWindow, qtbot: QtBot) -> None:
    """Keys go to the active window only."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


@pytest.fixture(scope="package")
def room(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedWindow]:
    """Keeps the window that tests share."""
    room = SharedWindow(partial(tmp_path_factory.mktemp, "window"))
    yield room
    room.give_up()


@pytest.fixture
def kept_windows(room: SharedWindow) -> list[MainWindow]:
    """The window that tests share stays open after a test."""
    return room.windows


@pytest.fixture(autouse=True)
def shares_window(room: SharedWindow, request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether a test uses the window that others use, which is put back once nothing is patched any more."""
    names = request.fixturenames
    apart = "make_window" in names or request.node.get_closest_marker("own_window") is not None
    shares = "take_window" in names and not apart
    if apart or ("themes" in names and not shares):
        room.give_up()
    yield shares
    room.put_back()


@pytest.fixture
def make_window(qtbot: QtBot, themes: ThemeManager, tmp_path: Path) -> Iterator[MakeWindow]:
    """Opens windows that remember their layout in the test's own folder."""
    windows: list[MainWindow] = []

    def make() -> MainWindow:
        windows.append(window := new_window(themes, tmp_path, qtbot))
        return window

    yield make
    for window in windows:
        window.closing.close()
        window.deleteLater()
    WorkThread.end_all()


@pytest.fixture
def take_window(
    shares_window: bool, room: SharedWindow, request: pytest.FixtureRequest, qapp: QApplication, qtbot: QtBot
) -> Callable[[str], MainWindow]:
    """Gives the window that tests share, as if it were new, or one of its own; on an example or none."""

    def show(window: MainWindow, name: str) -> MainWindow:
        return open_and_run(window, qtbot, name) if name else window

    def take(name: str) -> MainWindow:
        window = room.take(
            name,
            lambda folder: new_window(ThemeManager(qapp, "light"), folder, qtbot),
            partial(show, name=name),
        )
        activate(window, qtbot)
        return window

    return take if shares_window else lambda name: show(request.getfixturevalue("make_window")(), name)


@pytest.fixture
def window(take_window: Callable[[str], MainWindow]) -> MainWindow:
    """A window without a scenario."""
    return take_window("")


@pytest.fixture
def lecture(take_window: Callable[[str], MainWindow]) -> MainWindow:
    """A window on the small example, run to its end."""
    return take_window("three-jobs-4x4x4")


@pytest.fixture
def themes(shares_window: bool, request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[ThemeManager]:
    """The light theme: that of the window that tests share, in a test that does."""
    if shares_window:
        name = "lecture" if "lecture" in request.fixturenames else "window"
        yield request.getfixturevalue(name).themes
    else:
        with light_theme(qapp) as themes:
            yield themes


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
    """Wait until all has its place: for several turns of the event loop nothing moves or is put off."""
    seen: list[object] = []

    def rests() -> bool:
        put_off = [
            timer for timer in window.findChildren(QTimer) if timer.isActive() and timer.isSingleShot()
        ]
        seen.append(
            (window.size(), window.mesh.geometry(), picture(window), window.panels.folded, len(put_off))
        )
        return not put_off and len(seen) > 3 and seen[-1] == seen[-2] == seen[-3]

    qtbot.waitUntil(rests)


def opened(window: MainWindow, qtbot: QtBot, command: str) -> QWidget:
    """The window that a command opens, or the main window where it opens none, with all that is in sight."""
    before = set(QApplication.topLevelWidgets())
    window.commands.trigger(command)
    QApplication.processEvents()
    new = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one not in before]
    wait_for_panels(window, qtbot)
    return (new or [window])[0]


def wait_for_panels(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the panels in sight have been made, and all has its place."""
    parts = window.findChildren(Deferred)
    qtbot.waitUntil(lambda: all(part.made or part.visibleRegion().isEmpty() for part in parts))
    settle(window, qtbot)


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
        settle(window, qtbot)  # Qt moves the edge by a timer
    qtbot.mouseRelease(window, Qt.MouseButton.LeftButton, pos=at + QPoint(by, 0))
    settle(window, qtbot)

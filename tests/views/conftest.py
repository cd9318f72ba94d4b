"""Marks and guards the tests of the window: they need a screen, and leave no thread or window behind."""

import gc
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partialmethod
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QThread, QThreadPool, QTimer
from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from meshgui.views.offscreen.screen import missing_screen
from meshgui.views.style import icons
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets import notice

_tests = count(1)
GRACE = 10.0  # seconds for a thread that was told to stop to be gone
PATIENCE = 180_000  # ms for anything to happen: a machine may be slow, and several suites may share it


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the window; without a screen they are skipped, where Qt would abort the process."""
    missing = missing_screen()
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("qt")
            if missing is not None:
                item.add_marker(pytest.mark.skip(f"{missing}; `make test-gui` starts a virtual one"))
    # Processes take file after file in this order: a long one that came last would run alone.
    tests_of = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.get_closest_marker("long") is None, -tests_of[item.path]))


def running_threads(known: set[threading.Thread], started: list[QThread]) -> list[str]:
    """Names of the threads begun since ``known`` was taken that still run."""
    # Numba, Qt and others call into Python from their own threads, which appear as dummies and stay listed.
    python = [
        thread.name
        for thread in threading.enumerate()
        if thread not in known and not isinstance(thread, threading._DummyThread)
    ]
    qt = [repr(thread) for thread in started if is_running(thread)]
    pool = QThreadPool.globalInstance().activeThreadCount()
    return python + qt + [f"{pool} in Qt's thread pool"] * bool(pool)


def is_running(thread: QThread) -> bool:
    """Whether a QThread runs; one whose C++ half is gone does not."""
    try:
        return thread.isRunning()
    except RuntimeError:
        return False


def open_windows() -> list[str]:
    """The top-level widgets on the screen."""
    return [repr(widget) for widget in QApplication.topLevelWidgets() if widget.isVisible()]


def settled(leftovers: Callable[[], list[str]]) -> list[str]:
    """What is still left over once events were handled and the grace has passed."""
    end = time.monotonic() + GRACE
    while (left := leftovers()) and time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.01)
    return left


class PatientBot(QtBot):
    """Waits as long as it takes on a slow machine, and no longer: then the test fails."""

    waitUntil = partialmethod(QtBot.waitUntil, timeout=PATIENCE)  # noqa: N815 - its name there
    waitSignal = partialmethod(QtBot.waitSignal, timeout=PATIENCE)  # noqa: N815 - its name there
    waitExposed = partialmethod(QtBot.waitExposed, timeout=PATIENCE)  # noqa: N815 - its name there

    def wait(self, ms: int) -> None:
        """Wait for something to happen, or for ``ms``: what waits for a condition then asks again."""
        tick = QTimer()
        tick.start(ms)
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        tick.stop()
        delete_now()


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """Drives the window, with patience."""
    return PatientBot(request)


def handle_events() -> None:
    """Handle all that was put off or is still to come from the screen: a single turn may leave some of it."""
    for _ in range(3):
        QGuiApplication.sync()


def type_over(field: QAbstractSpinBox, text: str) -> None:
    """Type a number in place of another."""
    field.selectAll()
    QTest.keyClicks(field, text)


def delete_now() -> None:
    """Delete what is to be deleted later: without an event loop that would be in the next test."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def themes(qapp: QApplication) -> Iterator[ThemeManager]:
    """The light theme, taken off again afterwards."""
    themes = ThemeManager(qapp, "light")
    yield themes
    delete_now()  # the windows, before they would be styled again
    qapp.setStyleSheet("")
    themes.deleteLater()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """As in the window, Python looks for garbage only when Qt is at rest: between tests."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """A test of the engine that comes next finds Python as ever."""
    gc.enable()


@pytest.fixture(autouse=True)
def collected() -> None:
    """Look for all garbage before a test: widgets in it would be styled again by every theme to come.

    What has been there for a few tests, such as modules, is no longer looked at, which makes it quick.
    After a test would be too early: pytest still holds its fixtures, which would then never be found.
    """
    gc.collect()
    if next(_tests) % 5 == 0:
        gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def each_icon_is_read_once(qapp: QApplication) -> Iterator[None]:
    """Every window reads a hundred icons, each in four colours: those of one serve all others."""
    kept = cache(icons.icon)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(icons, "icon", kept)
        yield
    kept.cache_clear()  # before the application is gone


@pytest.fixture
def samples() -> int:
    """Of a pixel of the mesh in 3D: one, where users have four, as the processor draws each one here."""
    return 0


@pytest.fixture(autouse=True)
def what_has_been_done_is_said_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is; the test of how it passes sets a time of its own."""
    monkeypatch.setattr(notice, "_STAYS", 1_000_000)


@pytest.fixture(autouse=True)
def nothing_left_behind(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails a test after which a thread still runs or a window is still open."""
    started: list[QThread] = []
    start = QThread.start

    def remember(thread: QThread, *priority: QThread.Priority) -> None:
        started.append(thread)
        start(thread, *priority)

    monkeypatch.setattr(QThread, "start", remember)
    known = set(threading.enumerate())
    windows_before = set(open_windows())
    widgets_before = set(QApplication.topLevelWidgets())
    yield
    # pytest-qt has closed the widgets it was given by now.
    threads = settled(lambda: running_threads(known, started))
    windows = settled(lambda: [window for window in open_windows() if window not in windows_before])
    for widget in QApplication.topLevelWidgets():
        widget.close()  # so that one test's window is not the next one's too
        if widget not in widgets_before and type(widget).__module__.startswith("meshgui."):
            widget.deleteLater()  # nor styled again by every theme to come
    delete_now()
    assert not threads, f"still running after the test: {', '.join(threads)}"
    assert not windows, f"still open after the test: {', '.join(windows)}"


@pytest.fixture(autouse=True)
def no_dialog_is_waited_in_for_ever(qapp: QApplication) -> Iterator[None]:
    """Closes a dialog or menu that stays open, whose event loop would not end, and fails the test."""
    closed: list[str] = []

    def close() -> None:
        if (widget := QApplication.activePopupWidget() or QApplication.activeModalWidget()) is not None:
            closed.append(repr(widget))
            widget.close()

    timer = QTimer(interval=2 * PATIENCE)
    timer.timeout.connect(close)
    timer.start()
    yield
    timer.stop()
    assert not closed, f"stayed open in the test: {', '.join(closed)}"


@pytest.fixture
def once_open(qapp: QApplication) -> Iterator[Callable[..., None]]:
    """Does something in a dialog or menu of some kind once it is open; where that fails, closes it."""
    pending: list[QTimer] = []

    def do(kind: type[QWidget], act: Callable[[QWidget], object]) -> None:
        timer = QTimer(interval=5)
        pending.append(timer)

        def look() -> None:
            widget = QApplication.activePopupWidget() or QApplication.activeModalWidget()
            if not isinstance(widget, kind):
                return
            timer.stop()
            pending.remove(timer)
            try:
                act(widget)
            except BaseException:
                widget.close()  # or its event loop would go on for ever
                raise

        timer.timeout.connect(look)
        timer.start()

    yield do
    for timer in pending:
        timer.stop()
    assert not pending, "what the test wanted to act in was not opened"


class Answers(list[str]):
    """The words of the buttons to click in questions to come; what was asked, and with which buttons."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.offered: list[set[str]] = []


@pytest.fixture
def answers(qapp: QApplication) -> Iterator[Answers]:
    """Answers questions by their buttons as they open; an answer that is left over was not asked for."""
    given = Answers()

    def look() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox) and given:
            words = given.pop(0)
            buttons = {button.text().replace("&", ""): button for button in box.buttons()}
            given.asked.append(box.text())
            given.offered.append(set(buttons))
            buttons[words].click()

    timer = QTimer(interval=5)
    timer.timeout.connect(look)
    timer.start()
    yield given
    timer.stop()
    assert not given, f"not asked for: {', '.join(given)}"


@pytest.fixture(scope="session")
def screen_has_opengl(qapp: QApplication) -> bool:
    """Whether an OpenGL context can really be made and made current here."""
    surface = QOffscreenSurface()
    surface.create()
    context = QOpenGLContext()
    if not context.create():
        return False
    current = context.makeCurrent(surface)
    context.doneCurrent()
    return current

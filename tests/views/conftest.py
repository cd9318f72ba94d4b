"""Marks and guards the tests of the window: they need a screen, and leave no thread or window behind."""

import gc
import os
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QThread, QThreadPool
from PySide6.QtGui import QOffscreenSurface, QOpenGLContext
from PySide6.QtWidgets import QApplication

from meshgui.views.offscreen.screen import missing_screen

_tests = count(1)
GRACE = 1.0  # seconds for a thread that was told to stop to be gone


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the window; without a screen they are skipped, where Qt would abort the process."""
    environment = dict(os.environ)
    if environment.get("QT_QPA_PLATFORM", "").startswith("xcb"):
        del environment["QT_QPA_PLATFORM"]
    missing = missing_screen(environment)
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("qt")
            if missing is not None:
                item.add_marker(pytest.mark.skip(f"{missing}; `make test-gui` starts a virtual one"))


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


@pytest.fixture(scope="package", autouse=True)
def garbage_between_tests_only() -> Iterator[None]:
    """As in the window, Python looks for garbage only when Qt is at rest: between tests."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Look for garbage after a test, for all of it now and then."""
    yield
    gc.collect(2 if next(_tests) % 20 == 0 else 1)


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
    yield
    # pytest-qt has closed the widgets it was given by now.
    threads = settled(lambda: running_threads(known, started))
    windows = settled(lambda: [window for window in open_windows() if window not in windows_before])
    for widget in QApplication.topLevelWidgets():
        widget.close()  # so that one test's window is not the next one's too
    assert not threads, f"still running after the test: {', '.join(threads)}"
    assert not windows, f"still open after the test: {', '.join(windows)}"


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

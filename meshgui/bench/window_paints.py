"""A window to be measured, on an example, with settings that go away; timed to the end of its last paint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from PySide6.QtCore import QEvent, QEventLoop, QObject, QSettings, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.examples import example
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from meshgui.views.window.main_window import MainWindow

_QUIET: Final = 0.08  # seconds without a paint: sooner than the mesh, at rest, draws its edges smooth
_PATIENCE: Final = 20.0


class LastPaint(QObject):
    """Records when a window was last painted, and how often."""

    at = 0.0
    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Note the time after the paints of an update request have been made."""
        if event.type() == QEvent.Type.UpdateRequest:
            watched.removeEventFilter(self)
            QApplication.sendEvent(watched, event)
            watched.installEventFilter(self)
            self.at = perf_counter()
            self.count += 1
            return True
        return False


@contextmanager
def window_on(name: str, time: float) -> Iterator[tuple[MainWindow, LastPaint]]:
    """Show a window of 1600×1000 on an example's run, in the middle of it."""
    themes = ThemeManager(qt_application(), "light")
    with TemporaryDirectory() as folder:
        settings = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
        window = MainWindow(themes, settings, RecentFiles(Path(folder)))
        try:
            scenario = load_scenario(example(name))
            window.document.take(scenario, None)
            window.time_cursor.show(simulate(scenario))
            window.time_cursor.go_to_time(time)
            window.resize(1600, 1000)
            window.show()
            painted = LastPaint()
            window.installEventFilter(painted)
            window.activateWindow()
            QTest.qWaitForWindowActive(window)  # keys go to the active window only
            repainted(painted, window)
            yield window, painted
        finally:
            window.close()
            window.deleteLater()
            themes.deleteLater()  # it belongs to the application, and would keep the window's objects
            # Without an event loop they would be there, with all of OpenGL's, until the program ends.
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def timed(painted: LastPaint, change: Callable[[], object]) -> float:
    """Milliseconds from a change to the end of the last paint before the window is at rest."""
    waking = QTimer(interval=5)  # the loop below waits, and leaves the processor to what the change has begun
    waking.start()
    begun = painted.at = perf_counter()
    change()
    called = perf_counter()
    while perf_counter() - max(painted.at, called) < _QUIET:
        if perf_counter() - begun > _PATIENCE:
            raise TimeoutError(tr("the window does not come to rest"))
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    return 1000 * (max(painted.at, called) - begun)


def repainted(painted: LastPaint, window: QWidget) -> float:
    """Milliseconds that painting a whole window takes, which has to be one in sight."""

    def paint() -> None:
        before, begun = painted.count, perf_counter()
        window.update()
        while painted.count == before:
            if perf_counter() - begun > _PATIENCE:
                raise TimeoutError(tr("the window is not painted"))
            QApplication.processEvents()

    return timed(painted, paint)

"""Times what changes the whole window, from its command to the end of the last paint."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QObject, QSettings
from PySide6.QtWidgets import QApplication

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario
from meshgui.model.examples import example
from meshgui.model.recent import RecentFiles
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from meshgui.views.window.main_window import MainWindow

__all__ = ["AppearanceFigures", "appearance_figures"]

_SCENARIO: Final = "gabl-16x16"
_ALL_PANELS: Final = ("scenario", "plots", "algorithm")  # the last two share places with the first
_ROUNDS: Final = 5
_QUIET: Final = 0.08  # seconds without a paint: sooner than the mesh, at rest, draws its edges smooth
_PATIENCE: Final = 20.0
_COMMANDS: Final = (
    ("window.theme", "light to dark or back"),
    ("window.presenter", "into or out of presenter mode"),
)


class AppearanceFigures(NamedTuple):
    """Milliseconds, each a median: from a command to the end of its last paint; painting all of it."""

    changes: list[tuple[str, float]]
    repaint: float
    window: str


class _LastPaint(QObject):
    """Records when a window was last painted."""

    at = 0.0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """See QObject: after the paints of an update request have been made."""
        if event.type() == QEvent.Type.UpdateRequest:
            watched.removeEventFilter(self)
            QApplication.sendEvent(watched, event)
            watched.installEventFilter(self)
            self.at = perf_counter()
            return True
        return False


def appearance_figures() -> AppearanceFigures:
    """Times each command in a window in which every panel has been used."""
    themes = ThemeManager(qt_application(), "light")
    with TemporaryDirectory() as folder:
        settings = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
        window = MainWindow(themes, settings, RecentFiles(Path(folder)))
        try:
            return _measure(window)
        finally:
            window.close()
            window.deleteLater()


def _measure(window: MainWindow) -> AppearanceFigures:
    scenario = load_scenario(example(_SCENARIO))
    window.document.take(scenario, None)
    window.time_cursor.show(simulate(scenario))
    window.time_cursor.go_to_time(20.0)
    window.resize(1600, 1000)
    window.show()
    painted = _LastPaint()
    window.installEventFilter(painted)
    for panel in _ALL_PANELS:
        window.panels.show(panel)
        _time(painted, window.update)
    changes, repaints = [], []
    for command, what in _COMMANDS:
        taken = [_time(painted, partial(window.commands.trigger, command)) for _ in range(2 * _ROUNDS)]
        changes.append((what, median(taken[2:])))  # the first ones also load icons
    for _ in range(_ROUNDS):
        begun = perf_counter()
        window.repaint()
        repaints.append(1000 * (perf_counter() - begun))
    return AppearanceFigures(changes, median(repaints), "1600×1000, every panel used")


def _time(painted: _LastPaint, change: Callable[[], object]) -> float:
    """Milliseconds from a change to the end of the last paint before the window is at rest."""
    begun = painted.at = perf_counter()
    change()
    called = perf_counter()
    while perf_counter() - max(painted.at, called) < _QUIET:
        if perf_counter() - begun > _PATIENCE:
            raise TimeoutError("the window does not come to rest")
        QApplication.processEvents()
    return 1000 * (max(painted.at, called) - begun)

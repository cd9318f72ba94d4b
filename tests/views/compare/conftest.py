"""A window of runs side by side on the screen, whose runs are over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import Scenario
from meshgui.views.compare.window import ComparisonWindow
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.work_thread import WorkThread
from tests.scenarios import scenario


@pytest.fixture
def make_comparison(
    qtbot: QtBot, themes: ThemeManager, tmp_path: Path
) -> Iterator[Callable[[Scenario], ComparisonWindow]]:
    """Opens windows whose layout is remembered in the test's own folder."""
    windows: list[ComparisonWindow] = []

    def make(made: Scenario) -> ComparisonWindow:
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        window = ComparisonWindow(themes, IconShelf(themes), settings)
        windows.append(window)
        window.show_scenario(made, 0.0, None)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)  # keys go to the active window only
        wait_for_runs(window, qtbot)
        return window

    yield make
    for window in windows:
        window.close()
        window.threads.stop()
        WorkThread.end_all()
        window.deleteLater()


@pytest.fixture
def comparison(make_comparison: Callable[[Scenario], ComparisonWindow]) -> ComparisonWindow:
    """Two strategies on the same forty jobs."""
    return make_comparison(scenario((6, 6), "tbl", 40))


def wait_for_runs(window: ComparisonWindow, qtbot: QtBot) -> None:
    """Wait until nothing more will be known of any run."""
    qtbot.waitUntil(lambda: all(run.over for run in window.comparison.runs))

"""A page of runs side by side in a window of its own, whose runs are over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import Scenario
from meshgui.views.commands.window_commands import WindowCommands
from meshgui.views.compare.page import ComparisonPage
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.notice import Notice
from meshgui.views.widgets.work_thread import WorkThread
from tests.scenarios import scenario


@pytest.fixture
def make_comparison(
    qtbot: QtBot, themes: ThemeManager, tmp_path: Path
) -> Iterator[Callable[[Scenario], ComparisonPage]]:
    """Opens pages, each in a window whose registry has its commands; layouts are the test's own."""
    pages: list[ComparisonPage] = []

    def make(made: Scenario) -> ComparisonPage:
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        window, icons = QWidget(), IconShelf(themes)
        page = ComparisonPage(themes, icons, settings, Notice(themes, icons))
        pages.append(page)
        column = QVBoxLayout(window)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(page.notice)
        column.addWidget(page)
        commands = WindowCommands(window, themes, icons)
        commands.attach(window)
        commands.show_page(page.commands(), page.WITHHELD)
        window.resize(1480, 920)
        page.show_scenario(made, 0.0, None)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)  # keys go to the active window only
        page.take_keys()
        wait_for_runs(page, qtbot)
        return page

    yield make
    for page in pages:
        page.end()
        WorkThread.end_all()
        page.window().close()
        page.window().deleteLater()


@pytest.fixture
def comparison(make_comparison: Callable[[Scenario], ComparisonPage]) -> ComparisonPage:
    """Two strategies on the same forty jobs."""
    return make_comparison(scenario((6, 6), "tbl", 40))


def wait_for_runs(window: ComparisonPage, qtbot: QtBot) -> None:
    """Wait until nothing more will be known of any run."""
    qtbot.waitUntil(lambda: all(run.over for run in window.comparison.runs))

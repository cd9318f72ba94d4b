"""An experiment window on the screen whose runs are made in its own thread, so that tests are quick."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.executors import InProcess
from meshgui.experiment.task import Task, TaskOutcome
from meshgui.views.experiment.window import ExperimentWindow
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.work_thread import WorkThread
from tests.experiments import SMALL


class Hands(InProcess):
    """Makes tasks one by one, as slowly as asked for; those of some strategies are lost."""

    seconds = 0.0
    lost: tuple[str, ...] = ()

    def __init__(self) -> None:
        super().__init__()
        self.made = 0
        self.closed = False
        self._task: Task | None = None

    def submit(self, task: Task) -> None:
        """Remember which."""
        self._task = task
        super().submit(task)

    def outcomes(self, seconds: float) -> list[TaskOutcome]:
        """Take time, then make it or lose it."""
        time.sleep(self.seconds)
        self.made += 1
        task = self._task
        found = super().outcomes(seconds)
        if task is not None and any(f'"name":"{name}"' in task.spec.text for name in self.lost):
            return [TaskOutcome(one.number, None, "it was lost") for one in found]
        return found

    def close(self) -> None:
        """Remember that."""
        self.closed = True
        super().close()


@pytest.fixture
def hands() -> Hands:
    """Who makes the runs of the window."""
    return Hands()


@pytest.fixture
def make_window(
    qtbot: QtBot, themes: ThemeManager, tmp_path: Path, hands: Hands
) -> Iterator[Callable[[], ExperimentWindow]]:
    """Opens windows that remember their layout in the test's own folder."""
    windows: list[ExperimentWindow] = []

    def make() -> ExperimentWindow:
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        window = ExperimentWindow(themes, IconShelf(themes), settings, lambda _place: hands)
        windows.append(window)
        window.resize(1280, 800)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return window

    yield make
    for window in windows:
        window.end()
        WorkThread.end_all()  # nothing is left to ask about
        window.close()
        window.deleteLater()


@pytest.fixture
def window(make_window: Callable[[], ExperimentWindow], qtbot: QtBot) -> ExperimentWindow:
    """A window on the small scenario, which knows what one point takes."""
    made = make_window()
    made.show_scenario(scenario_from(SMALL))
    wait_for_forecast(made, qtbot)
    return made


def wait_for_forecast(window: ExperimentWindow, qtbot: QtBot) -> None:
    """Wait until it is known what the draft takes, and how long, and no run is tried any more."""

    def known() -> bool:
        words = window.run_bar.words.text()
        return window.run_bar.start.isEnabled() and "about" in words and "trying" not in words

    qtbot.waitUntil(known)


def wait_for_end(window: ExperimentWindow, qtbot: QtBot) -> None:
    """Wait until nothing runs any more."""
    qtbot.waitUntil(lambda: not window.busy)


def fill(window: ExperimentWindow, qtbot: QtBot) -> None:
    """Two strategies at three loads, three to four runs each."""
    window.vary("allocator.name")
    row = window.plan.rows[-1]
    row.ticks.choose(("ff", "gabl"))
    row.ticks.edited.emit()
    window.vary("workload.load")
    line = window.plan.rows[-1].line
    line.selectAll()
    qtbot.keyClicks(line, "0.5, 1, 3")
    for box, number in ((window.plan.precision.least, 3), (window.plan.precision.most, 4)):
        box.set_value(number)
        box.edited.emit()
    qtbot.waitUntil(lambda: window.run_bar.words.text().startswith("6 points"))
    wait_for_forecast(window, qtbot)

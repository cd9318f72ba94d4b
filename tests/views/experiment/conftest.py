"""An experiment window on the screen whose runs are made in its own thread, so that tests are quick."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.executors import Executor
from meshgui.experiment.task import Task, TaskOutcome
from meshgui.model.studies.compute_target import ComputeTarget
from meshgui.views.experiment.window import ExperimentWindow
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.work_thread import WorkThread
from tests.experiments import SMALL
from tests.views.gated import Gated
from tests.views.resting import resting  # noqa: F401 - a fixture


class Hands(Gated):
    """Makes tasks one by one; those of some strategies are lost."""

    lost: tuple[str, ...] = ()

    def __init__(self) -> None:
        super().__init__()
        self.closed = False
        self.text = ""

    def submit(self, task: Task) -> None:
        """Remember what is to be run."""
        self.text = task.spec.text
        super().submit(task)

    def outcomes(self, seconds: float) -> list[TaskOutcome]:
        """Make it or lose it."""
        found = super().outcomes(seconds)
        if any(f'"name":"{name}"' in self.text for name in self.lost):
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
) -> Iterator[Callable[..., ExperimentWindow]]:
    """Opens windows that remember their layout in the test's own folder."""
    windows: list[ExperimentWindow] = []

    def make(executor_for: Callable[[ComputeTarget], Executor] = lambda _place: hands) -> ExperimentWindow:
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        window = ExperimentWindow(themes, IconShelf(themes), settings, executor_for)
        windows.append(window)
        window.resize(1280, 800)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        window.show_scenario(scenario_from(SMALL))
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
    wait_for_forecast(made, qtbot)
    return made


@pytest.fixture
def filled(window: ExperimentWindow, qtbot: QtBot) -> ExperimentWindow:
    """The window with two strategies at three loads."""
    fill(window, qtbot)
    return window


@pytest.fixture
def ended(filled: ExperimentWindow, qtbot: QtBot) -> ExperimentWindow:
    """The window with the results of its experiment, in memory."""
    filled.start()
    wait_for_end(filled, qtbot)
    return filled


def wait_for_forecast(window: ExperimentWindow, qtbot: QtBot) -> None:
    """Wait until it is known what the draft takes, and how long, and no run is tried any more."""

    def known() -> bool:
        words = window.run_bar.words.text()
        if "trying" in words:
            return False
        # Where nothing is drawn the one run of each point that is tried is all there is to make.
        return "left to run" in words or (window.run_bar.start.isEnabled() and "about" in words)

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

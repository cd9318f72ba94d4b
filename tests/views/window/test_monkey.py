"""A monkey in the window: the short form of `make monkey`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from meshgui.views.window.main_window import MainWindow
from tests.tools import tool

pytestmark = pytest.mark.own_window

monkey = tool("monkey")
ACTIONS = 150


@pytest.mark.parametrize("seed", [3, 11])
def test_nothing_happens_that_should_not(make_window: Callable[[], MainWindow], tmp_path: Path, seed: int):
    """Commands, clicks, keys, typing, the wheel and drags at random: no exception, and no warning of Qt."""
    window = make_window()
    actor = monkey.Monkey(window, seed, tmp_path)
    with monkey.watched(actor.faults), monkey.no_file_dialogs(tmp_path, seed):
        actor.act(ACTIONS)
    assert actor.faults == [], actor.done
    assert len(actor.done) > 30


def test_the_monkey_sees_what_goes_wrong(make_window: Callable[[], MainWindow], tmp_path: Path):
    """An error in a slot and a warning of Qt are faults; or the test above could not fail."""
    window = make_window()
    actor = monkey.Monkey(window, 1, tmp_path)
    window.runs.started.connect(lambda: 1 // 0)
    with monkey.watched(actor.faults):
        window.runs.started.emit()
        monkey.QTimer.singleShot(-5, window.update)
    assert len(actor.faults) == 2
    assert actor.faults[0].startswith("ZeroDivisionError at ")
    assert actor.faults[1].startswith("Qt: ")

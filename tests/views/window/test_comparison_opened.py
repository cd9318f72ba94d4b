"""Runs side by side from the main window: opened at its moment, closed with it."""

import pytest
from PySide6.QtCore import Qt

from meshgui.views.widgets.work_thread import WorkThread
from tests.views.window.conftest import open_and_run

KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def lecture_at(window, qtbot):
    """The main window on a run, at a moment with a job selected."""
    open_and_run(window, qtbot, "first-fit-16x16")
    window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 2)
    window.selection.select(3)
    yield window
    WorkThread.end_all()


def test_a_key_opens_it_at_the_present_moment(lecture_at, qtbot):
    """With the open scenario first, and its job selected in every run; again it comes to the front."""
    window = lecture_at
    qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_M, KEYS)
    comparison = window.studies.comparison
    assert comparison.isVisible()
    assert comparison.scenario is window.document.scenario
    runs = comparison.comparison.runs
    qtbot.waitUntil(lambda: all(run.over for run in runs))
    assert [run.name for run in runs] == ["ff", "tbl"]
    assert comparison.comparison.clock.value == window.time_cursor.time
    assert runs[0].cursor.position == window.time_cursor.position
    assert {run.selection.job for run in runs} == {3}
    window.time_cursor.first()
    window.commands.trigger("run.compare")
    assert window.studies.comparison is comparison
    assert comparison.comparison.clock.at_start
    assert comparison.comparison.runs == runs
    assert window.close()
    assert not comparison.isVisible()


def test_without_a_scenario_there_is_nothing_to_compare(window):
    """The command is switched off, and the window costs nothing before it is used."""
    assert not window.commands.action("run.compare").isEnabled()
    assert "comparison" not in vars(window.studies)

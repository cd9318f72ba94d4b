"""A moment is saved with its scenario, opened to the same picture, and shared as a link."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import load_scenario
from meshgui.model.breakpoints import BreakKind, Breakpoint
from meshgui.model.document import DocumentState
from meshgui.model.examples import example
from meshgui.model.player import Granularity
from meshgui.model.window_moment import selection_data
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import open_and_run, wait_for_run

BROUGHT = ("scenario", "network", "why")  # each in front of another panel


def set_up(window: MainWindow, qtbot: QtBot) -> None:
    """Stand inside an attempt, with a job selected, the camera turned and a panel hidden."""
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    window.time_cursor.enter_attempt(2)
    window.time_cursor.next_step()
    window.selection.select(1)
    window.driving.breakpoints.add(Breakpoint(BreakKind.FAILURE))
    window.driving.bookmarks.add(window.time_cursor.instant, "Here")
    if isinstance(window.mesh.canvas, MeshGL):
        window.mesh.canvas.turn(30.0, 5.0)
    window.panels.docks["plots"].hide()
    for name in BROUGHT:
        window.panels.show(name)
    window.player.step_by(Granularity.DECISION)


def same_moment(one: MainWindow, other: MainWindow) -> bool:
    """Whether two windows show the same moment."""
    return (
        one.time_cursor.position == other.time_cursor.position
        and selection_data(one.selection) == selection_data(other.selection)
        and one.mesh.camera_data() == other.mesh.camera_data()
        and one.driving.breakpoints.all == other.driving.breakpoints.all
        and one.driving.bookmarks.all == other.driving.bookmarks.all
        and one.player.granularity == other.player.granularity
        and other.panels.docks["plots"].isHidden()
        and all(other.panels.in_front(name) for name in BROUGHT)
    )


def test_a_saved_scenario_opens_at_the_moment_where_it_was_saved(
    make_window: Callable[[], MainWindow], qtbot: QtBot, tmp_path: Path
):
    """Step, selection, camera, panels, breakpoints and bookmarks; looking on afterwards changes nothing."""
    window, file = make_window(), tmp_path / "shared.meshgui.json"
    set_up(window, qtbot)
    window.files.saving.emit()
    window.document.save(file)
    assert not window.document.modified
    other = make_window()
    assert other.files.open(file)
    wait_for_run(other, qtbot)
    qtbot.waitUntil(lambda: same_moment(window, other))
    other.time_cursor.next_event()
    assert not other.document.modified
    assert other.windowTitle() == "Three jobs on 4×4×4 – MeshGUI" or "•" not in other.windowTitle()


def test_a_breakpoint_marks_a_saved_scenario_as_changed(window: MainWindow, qtbot: QtBot, tmp_path: Path):
    """It is the user's work: the title shows it until it is saved."""
    set_up(window, qtbot)
    window.files.saving.emit()
    window.document.save(tmp_path / "a.meshgui.json")
    window.driving.breakpoints.add(Breakpoint(BreakKind.START))
    assert "•" in window.windowTitle()
    window.commands.action("file.save").trigger()
    assert "•" not in window.windowTitle()


def test_another_scenario_has_breakpoints_of_its_own(window: MainWindow, qtbot: QtBot):
    """Those of the one before are gone with it."""
    set_up(window, qtbot)
    open_and_run(window, qtbot, "turning-helps-3x3x2")
    assert window.driving.breakpoints.all == ()
    assert window.driving.bookmarks.all == ()
    assert window.time_cursor.position.events == 0


def test_a_link_is_copied_and_opened(make_window: Callable[[], MainWindow], qtbot: QtBot):
    """To the same picture, with its breakpoints; what is no link is said."""
    window = make_window()
    set_up(window, qtbot)
    window.commands.action("file.copy-link").trigger()
    assert QGuiApplication.clipboard().text().startswith("meshgui://scenario/")
    other = make_window()
    other.commands.action("file.open-link").trigger()
    wait_for_run(other, qtbot)
    qtbot.waitUntil(lambda: same_moment(window, other))
    QGuiApplication.clipboard().setText("https://example.org")
    other.commands.action("file.open-link").trigger()
    assert other.notice.isVisible()


def test_a_moment_with_broken_parts_is_shown_as_far_as_it_goes(window: MainWindow, qtbot: QtBot):
    """Neither panels that are no state nor a camera out of this world hinder the time."""
    scenario = open_and_run(window, qtbot, "three-jobs-4x4x4").document.scenario
    camera = {"pose": [1, 2, 3], "cut": [9, 9, 9], "explode": "much", "flat": 0}
    view = {"time": 0.5, "panels": "%%%", "camera": camera, "selection": {"job": -1}}
    window.files.take(DocumentState.opened(scenario.model_copy(), view=view))
    wait_for_run(window, qtbot)
    qtbot.waitUntil(lambda: window.time_cursor.time == 0.5)
    assert window.selection.job is None
    assert window.notice.text == "The arrangement of the panels could not be read and is ignored."


def test_who_goes_on_before_the_run_has_come_so_far_stays_there(window: MainWindow, qtbot: QtBot):
    """The moment of the file is dropped then."""
    scenario = open_and_run(window, qtbot, "three-jobs-4x4x4").document.scenario
    window.document.take(scenario.model_copy(), None, {"time": 1.0})
    window.moments._show()
    window.time_cursor.show(None)
    window.scenario_run.run()
    wait_for_run(window, qtbot)
    window.time_cursor.next_event()
    qtbot.keyClick(window, Qt.Key.Key_Home)
    assert window.time_cursor.position.events in {0, 1}


@pytest.mark.parametrize("there", [True, False])
def test_a_step_at_a_time_without_an_attempt_is_said(window: MainWindow, qtbot: QtBot, there: bool):
    """As `--at 30 --step 2` asks for: the time is shown, and a line says that there is no such step."""
    scenario = load_scenario(example("three-jobs-4x4x4"))
    time = 0.0 if there else Simulation(scenario).run().end_time  # when the last job leaves
    window.files.take(DocumentState.opened(scenario, view={"time": time, "step": 2}))
    wait_for_run(window, qtbot)
    qtbot.waitUntil(lambda: window.moments._waiting is None)
    assert window.time_cursor.time == time
    assert window.time_cursor.position.inside == there
    assert window.notice.isVisible() != there
    assert there or window.notice.text.endswith("so there is no step 2.")

"""What a scenario brings along: its moment, saved and shared as a link, and its notes in a panel."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QToolButton
from pytestqt.qtbot import QtBot

from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.document import DocumentState
from meshgui.model.document.examples import example
from meshgui.model.document.window_moment import selection_data
from meshgui.model.stepping.breakpoints import BreakKind, Breakpoint
from meshgui.model.stepping.player import Granularity
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.window.main_window import MainWindow
from tests.scenarios import save_scenario
from tests.views.window.conftest import at_a_desk, open_and_run, settle, wait_for_run

BROUGHT = ("stops", "network", "job")  # the first two in front of other panels


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


def test_a_saved_scenario_opens_at_the_moment_where_it_was_saved(make_window, qtbot, tmp_path):
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


def test_a_breakpoint_marks_a_saved_scenario_as_changed(window, qtbot, tmp_path):
    """It is the user's work: the title shows it until it is saved."""
    set_up(window, qtbot)
    window.files.saving.emit()
    window.document.save(tmp_path / "a.meshgui.json")
    window.driving.breakpoints.add(Breakpoint(BreakKind.START))
    assert "•" in window.windowTitle()
    window.commands.action("file.save").trigger()
    assert "•" not in window.windowTitle()
    # Another scenario has breakpoints of its own: those of the one before are gone with it
    open_and_run(window, qtbot, "turning-helps-3x3x2")
    assert window.driving.breakpoints.all == ()
    assert window.driving.bookmarks.all == ()
    assert window.time_cursor.position.events == 0


def test_a_link_is_copied_and_opened(make_window, qtbot):
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


def test_a_moment_with_broken_parts_is_shown_as_far_as_it_goes(window, qtbot):
    """Neither panels that are no state nor a camera out of this world hinder the time."""
    scenario = open_and_run(window, qtbot, "three-jobs-4x4x4").document.scenario
    camera = {"pose": [1, 2, 3], "cut": [9, 9, 9], "explode": "much", "flat": 0}
    view = {"time": 0.5, "panels": "%%%", "camera": camera, "selection": {"job": -1}}
    window.files.take(DocumentState.opened(scenario.model_copy(), view=view))
    wait_for_run(window, qtbot)
    qtbot.waitUntil(lambda: window.time_cursor.time == 0.5)
    assert window.selection.job is None
    assert window.notice.text == "The arrangement of the panels could not be read and is ignored."
    # Who goes on before the run has come so far stays there: the moment of the file is dropped
    window.document.take(scenario.model_copy(), None, {"time": 1.0})
    window.moments._show()
    window.time_cursor.show(None)
    window.scenario_run.run()
    wait_for_run(window, qtbot)
    window.time_cursor.next_event()
    qtbot.keyClick(window, Qt.Key.Key_Home)
    assert window.time_cursor.position.events in {0, 1}


@pytest.mark.parametrize("there", [True, False])
def test_a_step_at_a_time_without_an_attempt_is_said(window, qtbot, there):
    """As `--at 30 --step 2` asks for: the time is shown, and a line says that there is no such step."""
    scenario = load_scenario(example("three-jobs-4x4x4"))
    time = 0.0 if there else Simulation(scenario).run().end_time  # when the last job leaves
    window.files.take(DocumentState.opened(scenario, view={"time": time, "step": 2}))
    wait_for_run(window, qtbot)
    qtbot.waitUntil(lambda: not window.moments._waiting)
    assert window.time_cursor.time == time
    assert window.time_cursor.position.inside == there
    assert window.notice.isVisible() != there
    assert there or window.notice.text.endswith("so there is no step 2.")


NOTES = "# Look *here*\n\n1. Press **5**\n2. Then `hop`\n\nSee [the page](https://example.org) <b>now</b>."


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    """A user's own scenario, with notes."""
    path = tmp_path / "own.meshgui.json"
    scenario = load_scenario(example("three-jobs-4x4x4"))
    save_scenario(scenario.model_copy(update={"notes": NOTES, "title": "My own"}), path)
    return path


def shown(window: MainWindow) -> str:
    """The notes that are read."""
    return window.notes.panel.page.toPlainText()


@at_a_desk
def test_an_example_brings_its_notes_and_leaves_the_keyboard(window, qtbot):
    """From the welcome page or the title's menu; they lie over nothing, and follow to the next example."""
    window.welcome.open_example.emit(example("blocking-chain-8x6"))
    wait_for_run(window, qtbot)
    dock = window.panels.docks["notes"]
    qtbot.waitUntil(dock.isVisible)
    assert window.isActiveWindow()
    assert not dock.isAncestorOf(window.focusWidget())
    assert shown(window) == window.document.scenario.notes
    others = [other for other in window.panels.docks.values() if other is not dock and other.isVisible()]
    assert not any(other.geometry().intersects(dock.geometry()) for other in others)
    assert window.tabifiedDockWidgets(dock) == []
    window.title.open()
    window.title.popup.search.setText("Two packets meet")
    qtbot.keyClick(window.title.popup.search, Qt.Key.Key_Return)
    assert dock.isVisible()
    assert shown(window) == window.document.scenario.notes


def test_without_notes_there_is_no_panel_and_ones_own_are_markdown(window, own_file, qtbot):
    """It goes with the notes and comes back with them; its command shows it all the same."""
    dock = window.panels.docks["notes"]
    assert not dock.isVisible()
    assert window.files.open(own_file)
    wait_for_run(window, qtbot)
    assert dock.isVisible()
    window.files.new_scenario()
    wait_for_run(window, qtbot)
    assert not dock.isVisible()
    window.commands.trigger("run.about-scenario")
    assert window.notes.panel.empty.isVisible()
    window.commands.trigger("run.about-scenario")
    assert not dock.isVisible()
    window.commands.trigger("run.about-scenario")
    assert window.files.open(own_file)
    assert dock.isVisible()
    wait_for_run(window, qtbot)
    # Headings, lists, code and links; HTML stays as it was typed. They change while they are written
    assert window.panels.docks["notes"].isVisible()
    assert shown(window).splitlines() == ["Look here", "Press 5", "Then hop", "See the page <b>now</b>."]
    assert window.notes.panel.page.document().begin().blockFormat().headingLevel() == 1
    window.document.change(window.document.draft | {"notes": "*Other* notes"})
    assert shown(window) == "Other notes"
    window.document.change(window.document.draft | {"notes": ""})
    assert window.notes.panel.empty.isVisible()
    qtbot.mouseClick(window.notes.panel.empty.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.form.view.isVisible)
    assert window.form.view.focusWidget().accessibleName() == "Notes"


@at_a_desk
@pytest.mark.parametrize("how", ["the button of the title", "the command"])
def test_notes_that_were_closed_stay_closed(window, qtbot, how):
    """Also over the next scenario, until they are asked for again; folding is no closing."""
    open_and_run(window, qtbot, "blocking-chain-8x6")
    dock = window.panels.docks["notes"]
    window.panels.toggle_fold()
    open_and_run(window, qtbot, "two-packets-meet-6x4")
    window.panels.toggle_fold()
    assert dock.isVisible()
    if how == "the command":
        qtbot.keyClick(window, Qt.Key.Key_F1, Qt.KeyboardModifier.ControlModifier)
    else:
        dock.close()
    open_and_run(window, qtbot, "blocking-chain-8x6")
    assert not dock.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_F1, Qt.KeyboardModifier.ControlModifier)
    open_and_run(window, qtbot, "two-packets-meet-6x4")
    assert dock.isVisible()


def test_the_place_is_remembered(make_window, qtbot):
    """A panel moved to the right is there in the next window; one that was closed is closed."""
    first = open_and_run(make_window(), qtbot, "blocking-chain-8x6")
    first.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, first.panels.docks["notes"])
    first.close()
    second = open_and_run(make_window(), qtbot, "blocking-chain-8x6")
    dock: QDockWidget = second.panels.docks["notes"]
    assert dock.isVisible()
    assert second.dockWidgetArea(dock) == Qt.DockWidgetArea.RightDockWidgetArea
    dock.close()
    second.close()
    third = open_and_run(make_window(), qtbot, "blocking-chain-8x6")
    assert not third.panels.docks["notes"].isVisible()
    third.commands.trigger("panel.reset")
    dock = third.panels.docks["notes"]
    assert dock.isVisible()
    assert third.dockWidgetArea(dock) == Qt.DockWidgetArea.LeftDockWidgetArea


@at_a_desk
def test_long_notes_scroll_and_short_ones_take_their_lines(window, themes, qtbot):
    """The panel begins with the height of the notes, within a limit."""
    open_and_run(window, qtbot, "turning-helps-3x3x2")
    bar = window.notes.panel.page.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() == 0)
    heights = [window.notes.panel.height()]
    window.files.new_scenario()
    wait_for_run(window, qtbot)
    open_and_run(window, qtbot, "blocking-chain-8x6")
    qtbot.waitUntil(lambda: window.notes.panel.height() > heights[0])
    assert window.notes.panel.height() <= themes.px(220)


@at_a_desk
def test_notes_fold_to_their_title(make_window, qtbot):
    """The panels below have their room; it is remembered, and the key of the notes unfolds them first."""
    first = open_and_run(make_window(), qtbot, "blocking-chain-8x6")
    settle(first, qtbot)
    notes, queue = (first.panels.docks[name] for name in ("notes", "queue"))
    room, width = queue.height(), queue.width()
    (button,) = [b for b in notes.findChildren(QToolButton) if b.toolTip() == "Fold it to this line"]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(first, qtbot)
    assert notes.widget().height() == 0
    assert notes.height() <= first.themes.px(36)
    assert queue.height() > room
    assert queue.width() == width
    first.close()
    second = open_and_run(make_window(), qtbot, "two-packets-meet-6x4")
    settle(second, qtbot)
    notes = second.panels.docks["notes"]
    assert notes.height() <= second.themes.px(36)
    qtbot.keyClick(second, Qt.Key.Key_F1, Qt.KeyboardModifier.ControlModifier)
    settle(second, qtbot)
    assert notes.widget().height() > 0
    assert notes.height() > 2 * second.themes.px(36)
    # As a tab, which has no such title, it shows its text
    (button,) = [b for b in notes.findChildren(QToolButton) if b.toolTip() == "Fold it to this line"]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert notes.widget().height() == 0
    second.tabifyDockWidget(second.panels.docks["queue"], notes)
    notes.raise_()
    qtbot.waitUntil(lambda: notes.widget().height() > 0)


@at_a_desk
def test_an_example_opens_on_the_panels_that_it_names(window, qtbot):
    """Also where others were put in front of them; what is closed stays closed."""
    in_front, player = window.panels.in_front, window.player
    open_and_run(window, qtbot, "one-packet-6x4")
    player.granularity = Granularity.CYCLE
    window.panels.show("inspector")
    open_and_run(window, qtbot, "first-fit-16x16")
    window.panels.show("stops")
    open_and_run(window, qtbot, "two-packets-meet-6x4")
    qtbot.waitUntil(lambda: player.granularity == Granularity.HOP)
    qtbot.waitUntil(lambda: in_front("network"))
    open_and_run(window, qtbot, "first-fit-16x16")
    settle(window, qtbot)
    assert in_front("algorithm")
    assert in_front("inspector")
    window.panels.hide("inspector")
    open_and_run(window, qtbot, "tbl-under-load")
    settle(window, qtbot)
    assert window.panels.docks["inspector"].isHidden()

"""The notes of a scenario: Markdown in a panel of its own, for any scenario, where one has put it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import load_scenario
from meshgui.model.examples import example
from meshgui.views.style.theme import ThemeManager
from meshgui.views.window.main_window import MainWindow
from tests.scenarios import save_scenario
from tests.views.window.conftest import open_and_run, wait_for_run

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


def test_an_example_brings_its_notes_and_leaves_the_keyboard(window: MainWindow, qtbot: QtBot):
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
    window.title.menu.aboutToShow.emit()
    next(a for a in window.title.menu.actions() if a.text() == "Two packets meet").trigger()
    assert dock.isVisible()
    assert shown(window) == window.document.scenario.notes


def test_the_notes_of_ones_own_file_are_markdown(window: MainWindow, own_file: Path, qtbot: QtBot):
    """Headings, lists, code and links; HTML stays as it was typed. They change while they are written."""
    assert window.files.open(own_file)
    wait_for_run(window, qtbot)
    assert window.panels.docks["notes"].isVisible()
    assert shown(window).splitlines() == [
        "Look here",
        "Press 5",
        "Then hop",
        "See the page <b>now</b>.",
    ]
    assert window.notes.panel.page.document().begin().blockFormat().headingLevel() == 1
    window.document.change(window.document.draft | {"notes": "*Other* notes"})
    assert shown(window) == "Other notes"
    window.document.change(window.document.draft | {"notes": ""})
    assert window.notes.panel.empty.isVisible()
    qtbot.mouseClick(window.notes.panel.empty.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.form.view.isVisible)
    assert window.form.view.focusWidget().accessibleName() == "Notes"


def test_without_notes_there_is_no_panel(window: MainWindow, own_file: Path, qtbot: QtBot):
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


@pytest.mark.parametrize("how", ["the button of the title", "the command"])
def test_notes_that_were_closed_stay_closed(window: MainWindow, qtbot: QtBot, how: str):
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


def test_the_place_is_remembered(make_window: Callable[[], MainWindow], qtbot: QtBot):
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


def test_long_notes_scroll_and_short_ones_take_their_lines(
    window: MainWindow, themes: ThemeManager, qtbot: QtBot
):
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

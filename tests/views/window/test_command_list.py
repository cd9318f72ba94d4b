"""The commands of the window in one list: no menu, key or entry of the palette changes unseen."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from meshgui.model.base.named import id_of
from meshgui.model.fields.names import strategy_name
from meshgui.views.commands.registry import CommandRegistry
from meshgui.views.widgets.command import Command
from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.panels import PANELS
from tests.views.window.conftest import open_and_run, settle, wait_for_run

LIST = Path(__file__).with_name("commands.json")


def actions_of(window: MainWindow) -> Iterator[tuple[str, QAction]]:
    """Every entry of every menu, with the name of the menu; separators too."""
    for entry in window.menuBar().actions():
        yield from ((entry.text(), action) for action in _entries(entry))


def _entries(entry: QAction) -> Iterator[QAction]:
    """The entries of a menu, with those of its submenus in their places."""
    menu = entry.menu()
    assert isinstance(menu, QMenu)
    for action in menu.actions():
        yield from [action] if action.menu() is None else _entries(action)


def test_the_commands_are_those_listed_each_with_help_in_sections_of_menus(window):
    """In their order: id, title, help, menu, keys and icon; that of a panel follows from its record."""
    of_panels = {f"panel.{spec.name}": spec for spec in PANELS if spec.icon}
    assert [
        [command.id, command.title, command.help, command.group, list(command.shortcuts), command.icon]
        for command in window.commands
        if command.id not in of_panels
    ] == json.loads(LIST.read_text("utf-8"))
    first, *_ = panels = [command for command in window.commands if command.group == "Panels"]
    assert [(command.id, command.shortcuts, command.icon) for command in panels[: len(of_panels)]] == [
        (name, spec.keys, spec.icon) for name, spec in of_panels.items()
    ]
    assert (first.title, first.help) == (
        "Queue panel", "Show or hide the queue panel; its key goes into it, and from there hides it",
    )  # fmt: skip
    # Each says in a sentence of its own what it does, under a title and an icon that says it again
    for command in window.commands:
        assert len(command.help.split()) > 1, command.id
        assert not command.help.endswith("."), command.id
        assert command.icon, command.id
        assert window.commands.action(command.id).toolTip().endswith(command.help)
    for what in ("title", "help", "run"):
        values = Counter(getattr(command, what) for command in window.commands)
        assert [value for value, count in values.items() if count > 1] == [], what
    # In menus a line stands between what belongs together: never first, last, or next to another
    for entry in window.menuBar().actions():
        menu = entry.menu()
        assert isinstance(menu, QMenu)
        lines = [action.isSeparator() for action in menu.actions()]
        assert not lines[0]
        assert not lines[-1]
        assert not any(first and second for first, second in pairwise(lines))
        assert any(lines) or len(lines) <= 4, entry.text()
    assert window.menuBar().actions()[-1].text() == "Help"


def test_the_sign_that_floats_a_panel_is_that_of_no_command(window):
    """Beside two sheets one takes a button for copying; the tool bar's chart opens the plots, not a study."""
    [floating] = re.findall(r"::float-button [^}]*/([a-z0-9-]+)\.svg", window.themes.application.styleSheet())
    assert floating not in {command.icon for command in window.commands}
    charts = [command.id for command in window.commands if command.icon == "chart-line"]
    assert charts == ["panel.plots"]


def test_the_chart_in_the_tool_bar_opens_the_plots_and_says_whether_they_are_shown(lecture, qtbot):
    """Also after another tab has been put in front; beside a comparison it opens the plots of its runs."""
    button = lecture.toolbar.buttons["panel.plots"]
    assert not button.isChecked()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: lecture.panels.in_front("plots"))
    assert button.isChecked()
    lecture.panels.show("timeline")
    qtbot.waitUntil(lambda: not button.isChecked())
    lecture.commands.trigger("run.compare")
    page = lecture.studies.comparison
    shown = page.figures.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert page.figures.isVisible() != shown


def test_every_menu_has_room_on_a_low_screen(window):
    """All entries are in sight at once on a screen of 600 pixels, also in letters a quarter larger."""
    heights = {menu.title(): menu.sizeHint().height() for menu in window.menuBar().findChildren(QMenu)}
    assert len(heights) > len(window.menuBar().actions())
    assert {title: height for title, height in heights.items() if height > 600 / 1.25} == {}


def test_every_command_is_reached_by_menu_palette_and_key(window):
    """Each stands once in the menu of its group and once in the palette, and has a key of its own."""
    in_menus = Counter(
        (name, action.objectName()) for name, action in actions_of(window) if action.objectName()
    )
    assert in_menus == Counter((command.menu, command.id) for command in window.commands)
    window.palette_sheet.open()
    in_palette = Counter(command.id for command in window.palette_sheet.commands())
    assert in_palette == Counter(command.id for command in window.commands)
    assert [command.id for command in window.commands if not command.shortcuts] == []
    window.palette_sheet.dismiss()
    # A command is found by other words: one types the word one knows
    for words, title in (
        ("dark mode", "Light or dark"),
        ("shortcuts", "Keys"),
        ("screenshot", "Export picture…"),
        ("pseudocode", "Algorithm panel"),
        ("gantt", "Timeline panel"),
        ("lecture", "Presenter mode"),
        ("exit", "Quit"),
        ("sweep", "Experiment…"),
        ("csv", "Export table as CSV…"),
        ("rewind", "Go to the start"),
        ("zoom in", "Closer"),
        ("2d", "Flat or solid"),
        ("literature", "Published results…"),
        ("version", "About MeshGUI"),
        ("start page", "Welcome page"),
        ("new tab", "Welcome page"),
        ("edit the scenario", "Scenario panel"),
    ):
        assert title in search(window, words)[:3], words


def test_marks_say_what_is_on(lecture, qtbot):
    """A panel that is shown, the size of a step, the flat mesh: as they are whenever a menu opens."""
    marked = {name for name, action in _refreshed(lecture).items() if action.isChecked()}
    assert {"panel.queue", "panel.timeline", "panel.algorithm", "time.by-event", "mesh.network"} <= marked
    assert not {"panel.plots", "panel.scenario", "time.by-line", "mesh.flat", "panel.fold"} & marked
    for name in ("panel.queue", "time.by-line", "mesh.flat"):
        lecture.commands.trigger(name)
    settle(lecture, qtbot)
    marked = {name for name, action in _refreshed(lecture).items() if action.isChecked()}
    assert {"time.by-line", "mesh.flat"} <= marked
    assert not {"panel.queue", "time.by-event"} & marked
    lecture.commands.trigger("panel.timeline")
    assert not lecture.panels.docks["timeline"].isVisible()


def _refreshed(window: MainWindow) -> dict[str, QAction]:
    """The entries that can have a mark, after their menus have been opened."""
    for entry in window.menuBar().actions():
        menu = entry.menu()
        assert isinstance(menu, QMenu)
        menu.aboutToShow.emit()
    return {action.objectName(): action for _, action in actions_of(window) if action.isCheckable()}


@pytest.fixture
def loaded(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with a run of a thousand jobs."""
    return open_and_run(window, qtbot, "tbl-under-load")


def search(window: MainWindow, words: str) -> list[str]:
    """The titles that the palette finds."""
    if not window.palette_sheet.isVisible():
        window.palette_sheet.open()
    window.palette_sheet.search.setText(words)
    return [command.title for command in window.palette_sheet.commands()]


def test_a_strategy_is_found_and_runs_the_same_jobs(loaded, qtbot):
    """By its id or a word of its title; the edit can be undone, and the moment stays."""
    loaded.time_cursor.go_to_time(20)
    jobs = loaded.time_cursor.recording.jobs.arrival.copy()
    assert search(loaded, "run first fit")[0].startswith("Run with ")
    found = search(loaded, "run with bl")
    loaded.palette_sheet.search.setText(next(title for title in found if id_of(title) == "bl"))
    QTest.keyClick(loaded.palette_sheet.search, Qt.Key.Key_Return)
    wait_for_run(loaded, qtbot)
    assert loaded.document.scenario.allocator.name == "bl"
    assert (loaded.time_cursor.recording.jobs.arrival == jobs).all()
    assert loaded.time_cursor.time == 20
    assert loaded.document.history.last.words == "change of strategy"
    loaded.commands.trigger("edit.undo")
    assert loaded.document.scenario.allocator.name == "tbl"
    # One that cannot use the mesh says so: the scenario stays, and the notice names strategy and reason
    title = next(title for title in search(loaded, "run with 2dbs"))
    loaded.palette_sheet.search.setText(title)
    QTest.keyClick(loaded.palette_sheet.search, Qt.Key.Key_Return)
    assert loaded.document.scenario.allocator.name == "tbl"
    assert loaded.notice.isVisible()


def test_what_has_just_the_name_that_is_typed_comes_first(loaded):
    """Before scenarios, lessons and strategies that have it in their titles."""
    gabl = f"Run with {strategy_name('gabl')}"
    for words in ("gabl", "GABL", "Greedy Available Busy List"):
        assert search(loaded, words)[0] == gabl, words
    assert len(search(loaded, "gabl")) > 2
    # A name typed whole finds no letters here and there: GABL's are in another title, too
    found = search(loaded, "gabl")
    assert gabl in found
    assert all("gabl" in title.casefold() for title in found)
    assert "Copy table" not in search(loaded, "tbl")
    assert "Step by event" in search(loaded, "sbe")  # initials
    # What shows a figure is found by its name: not only a lesson about it
    assert {"Breakpoints and bookmarks", "Experiment…", "Compare runs…"} <= set(search(loaded, "fragment"))
    assert "Plots panel" in search(loaded, "utilisation")
    assert "Job panel" in search(loaded, "why")


def test_a_job_and_a_time_are_found_as_one_writes_them(loaded):
    """Its arrival, start and end, with their times."""
    for words in ("17", "job 17", "#17", "j17"):
        titles = [title for title in search(loaded, words) if title.startswith("Job 17 ")]
        assert [title.split(",")[0] for title in sorted(titles)] == [
            "Job 17 arrives",
            "Job 17 finishes",
            "Job 17 starts",
        ]
        loaded.palette_sheet.search.setText(f"{words} starts" if " " not in words else "17")
        loaded.palette_sheet.dismiss()
    # Going to a job selects it, and the cursor stands just after the event
    found = {c.id: c for c in _answers(loaded, "17")}
    assert {"job.17.arrives", "job.17.starts", "job.17.finishes", "time.at"} <= set(found)
    found["job.17.starts"].run()
    recording = loaded.time_cursor.recording
    assert loaded.selection.job == 17
    assert loaded.time_cursor.position.events == recording.started[17] + 1
    # Enter goes to a time
    for words in ("12.4", "t 12.4", "time 12,4", "t=12.4", "at 12.4", "go to 12.4"):
        loaded.time_cursor.go_to_time(0.0)
        assert "Go to time 12.4" in search(loaded, words)
        QTest.keyClick(loaded.palette_sheet.search, Qt.Key.Key_Return)
        assert loaded.time_cursor.time == pytest.approx(12.4), words
    # What happens to a job may be named, in the words of the card that goes to a place
    assert [title.split(",")[0] for title in search(loaded, "job 17 starts")] == ["Job 17 starts"]
    # What the run does not have is not found: a job beyond the last, a time after the end
    assert search(loaded, "job 1000") == []
    assert search(loaded, "t 99999") == []


def _answers(window: MainWindow, words: str):
    """The commands that the palette finds."""
    search(window, words)
    found = window.palette_sheet.commands()
    window.palette_sheet.dismiss()
    return found


def test_moving_the_cursor_asks_of_no_command_whether_it_can_be_used(lecture, monkeypatch):
    """What depends on the run, the scenario or the edits is looked at when these change."""
    offered = []

    def offer(_registry: CommandRegistry, command: Command, *, usable: bool) -> None:
        offered.append((command.id, usable))

    monkeypatch.setattr(CommandRegistry, "_offer", offer)
    for move in (lecture.time_cursor.first, *[lecture.time_cursor.next_event] * 5, lecture.time_cursor.last):
        move()
    assert offered == []
    lecture.document.changed.emit()
    assert ("file.save", True) in offered
    assert ("edit.undo", False) in offered
    assert len(offered) == len({*offered})


def test_commands_of_the_network_and_of_three_dimensions_follow_the_run(window, qtbot):
    """They can be used only where there is one, and without a run those of a solid mesh can."""
    network, solid = ("time.by-hop", "mesh.use"), ("mesh.front", "mesh.explode")
    for name, there in (
        (None, (False, True)),
        ("two-packets-meet-6x4", (True, False)),
        ("three-jobs-4x4x4", (False, True)),
    ):
        if name is not None:
            open_and_run(window, qtbot, name)
        for commands, usable in zip((network, solid), there, strict=True):
            assert [window.commands.action(command).isEnabled() for command in commands] == [usable] * 2

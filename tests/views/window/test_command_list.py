"""The commands of the window stand in one list: no menu, key or entry of the palette changes unseen."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import open_and_run, settle

LIST = Path(__file__).with_name("commands.json")


def actions_of(window: MainWindow) -> Iterator[tuple[str, QAction]]:
    """Every entry of every menu, with the name of the menu; separators too."""
    for entry in window.menuBar().actions():
        menu = entry.menu()
        assert isinstance(menu, QMenu)
        yield from ((entry.text(), action) for action in menu.actions())


def test_the_commands_are_those_listed(window: MainWindow):
    """In their order: id, title, help, menu, keys and icon."""
    assert [
        [command.id, command.title, command.help, command.group, list(command.shortcuts), command.icon]
        for command in window.commands
    ] == json.loads(LIST.read_text("utf-8"))


def test_every_command_is_reached_by_menu_palette_and_key(window: MainWindow):
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


def test_no_command_is_without_help_or_there_twice(window: MainWindow):
    """Each says in a sentence of its own what it does, under a title and an icon that says it again."""
    for command in window.commands:
        assert len(command.help.split()) > 1, command.id
        assert not command.help.endswith("."), command.id
        assert command.icon, command.id
        assert window.commands.action(command.id).toolTip().endswith(command.help)
    for what in ("title", "help", "run"):
        values = Counter(getattr(command, what) for command in window.commands)
        assert [value for value, count in values.items() if count > 1] == [], what


def test_the_menus_have_sections(window: MainWindow):
    """A line stands between what belongs together: never first, last, or next to another."""
    for entry in window.menuBar().actions():
        menu = entry.menu()
        assert isinstance(menu, QMenu)
        lines = [action.isSeparator() for action in menu.actions()]
        assert not lines[0]
        assert not lines[-1]
        assert not any(first and second for first, second in pairwise(lines))
        assert any(lines) or len(lines) <= 4, entry.text()
    assert window.menuBar().actions()[-1].text() == "Help"


def test_marks_say_what_is_on(window: MainWindow, qtbot: QtBot):
    """A panel that is shown, the size of a step, the flat mesh: as they are whenever a menu opens."""
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    marked = {name for name, action in _refreshed(window).items() if action.isChecked()}
    assert {"panel.queue", "panel.timeline", "panel.algorithm", "time.by-event", "mesh.network"} <= marked
    assert not {"panel.plots", "panel.scenario", "time.by-line", "mesh.flat", "panel.fold"} & marked
    for name in ("panel.queue", "time.by-line", "mesh.flat"):
        window.commands.trigger(name)
    settle(window, qtbot)
    marked = {name for name, action in _refreshed(window).items() if action.isChecked()}
    assert {"time.by-line", "mesh.flat"} <= marked
    assert not {"panel.queue", "time.by-event"} & marked
    window.commands.trigger("panel.timeline")
    assert not window.panels.docks["timeline"].isVisible()


def _refreshed(window: MainWindow) -> dict[str, QAction]:
    """The entries that can have a mark, after their menus have been opened."""
    for entry in window.menuBar().actions():
        menu = entry.menu()
        assert isinstance(menu, QMenu)
        menu.aboutToShow.emit()
    return {action.objectName(): action for _, action in actions_of(window) if action.isCheckable()}

"""The commands of the window stand in one list: no menu, key or entry of the palette changes unseen."""

import json
from pathlib import Path

from meshgui.views.window.main_window import MainWindow

LIST = Path(__file__).with_name("commands.json")


def test_the_commands_are_those_listed(window: MainWindow):
    """In their order: id, title, help, menu, keys and icon."""
    assert [
        [command.id, command.title, command.help, command.group, list(command.shortcuts), command.icon]
        for command in window.commands
    ] == json.loads(LIST.read_text("utf-8"))


def test_the_menus_hold_all_of_them(window: MainWindow):
    """Each command is in the menu of its group, in the order of the list."""
    menus = {action.text(): action.menu() for action in window.menuBar().actions()}
    shown = [(name, action.objectName()) for name, menu in menus.items() for action in menu.actions()]
    assert shown == [(command.menu, command.id) for command in window.commands]

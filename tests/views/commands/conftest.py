"""A window with a handful of commands, dressed in the light theme."""

import pytest
from PySide6.QtWidgets import QMainWindow

from meshgui.views.commands.key_guard import KeyGuard
from meshgui.views.commands.registry import CommandRegistry
from meshgui.views.style.icons import IconShelf
from meshgui.views.widgets.command import Command
from tests.views.timeline.conftest import cursor, recording, selection, shown  # noqa: F401 - fixtures


@pytest.fixture
def look(themes):
    """The light theme."""
    return themes


@pytest.fixture
def done():
    """What the commands of the window did, in order."""
    return []


@pytest.fixture
def bench(look, done, qtbot, qapp):
    """A shown window with its registry, icons and themes."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.icons = IconShelf(look)
    window.themes = look
    window.registry = CommandRegistry(window.icons, window)
    KeyGuard.of(qapp)

    def says(word):
        return lambda: done.append(word)

    window.registry.register(
        Command("file.open", "Open scenario…", "Opens a scenario from a file.", "File", says("open"),
                shortcuts=("Ctrl+O",), icon="folder-open"),
        Command("time.play", "Play", "Lets time run.", "Time", says("play"),
                shortcuts=("Space",), icon="play"),
        Command("time.back", "Previous event", "Goes back.", "Time", says("back"), shortcuts=("Left",)),
        Command("time.next", "Next event", "Goes on.", "Time", says("next"), shortcuts=("Right",)),
        Command("time.up", "Previous job", "Goes up.", "Time", says("up"), shortcuts=("Up",)),
        Command("mesh.home", "Home view", "Turns the mesh back.", "Mesh/View", says("home"),
                shortcuts=("H",)),
        Command("mesh.labels", "Job numbers", "Writes the numbers.", "Mesh",
                switch=lambda on: done.append(("labels", on)), shortcuts=("L",), checked=True),
        Command("help.about", "About", "Says which version this is.", "Help", says("about")),
    )  # fmt: skip
    window.registry.attach(window)
    window.registry.dress()
    window.resize(1280, 720)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window

"""A window with a handful of commands, dressed in the light theme."""

import pytest
from PySide6.QtWidgets import QMainWindow

from meshgui.model.base.signals import Signal
from meshgui.views.commands.key_guard import KeyGuard
from meshgui.views.commands.registry import CommandRegistry
from meshgui.views.style.icons import IconShelf
from meshgui.views.widgets.command import Command, Condition
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
    """A shown window with its registry, icons and themes; `allowed` says what can be used."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.icons = IconShelf(look)
    window.themes = look
    window.registry = CommandRegistry(window.icons, window)
    KeyGuard.of(qapp)

    def says(word):
        return lambda: done.append(word)

    window.allowed, window.allowing = {"play": True, "next": True}, Signal()

    def allows(word):
        return Condition(lambda: window.allowed[word], (window.allowing,))

    window.registry.register(
        Command("file.open", "Open scenario…", "Opens a scenario from a file.", says("open"),
                ("Ctrl+O",), "folder-open", group="File"),
        Command("time.play", "Play", "Lets time run.", says("play"),
                ("Space",), "play", group="Time", enabled_when=allows("play")),
        Command("time.back", "Previous event", "Goes back.", says("back"), ("Left",), group="Time"),
        Command("time.next", "Next event", "Goes on.", says("next"),
                ("Right",), group="Time", enabled_when=allows("next")),
        Command("time.up", "Previous job", "Goes up.", says("up"), ("Up",), group="Time"),
        Command("mesh.home", "Home view", "Turns the mesh back.", says("home"), ("H",), group="Mesh/View"),
        Command("mesh.labels", "Job numbers", "Writes the numbers.", says("labels"),
                ("L",), group="Mesh", mark=lambda: done.count("labels") % 2 == 0),
        Command("help.about", "About", "Says which version this is.", says("about"), group="Help"),
    )  # fmt: skip
    window.registry.attach(window)
    window.registry.dress()
    window.resize(1280, 720)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window

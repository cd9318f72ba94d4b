"""The window that tests share is after each of them as if it were new, or is given up."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from meshgui.model.breakpoints import BreakKind, Breakpoint
from meshgui.model.examples import example
from meshgui.model.exercise import ExerciseKey
from meshgui.model.lesson_shelf import shipped_lessons
from meshgui.model.position import Position
from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import settle, wait_for_panels
from tests.views.window.shared_window import SharedWindow, seen_in, state_of

Deed = Callable[[MainWindow], object]


def command(name: str) -> Deed:
    """Something that the window offers."""
    return lambda window: window.commands.trigger(name)


def all_panels(window: MainWindow) -> None:
    """Every panel in front once, one of them afloat, one hidden, one of another size."""
    for name in window.panels.docks:
        window.panels.show(name)
    window.panels.docks["queue"].setFloating(True)
    window.panels.docks["job"].hide()
    window.panels.sizes._wishes["width"]["algorithm"] = 500.0


UNDONE: dict[str, Deed] = {
    "a step in an attempt": lambda window: window.time_cursor.go_to(Position(3, 1, 4)),
    "the last moment": lambda window: window.time_cursor.last(),
    "a selection": lambda window: window.selection.select(1),
    "a breakpoint": lambda window: window.driving.breakpoints.add(Breakpoint(BreakKind.FAILURE)),
    "a bookmark": lambda window: window.driving.bookmarks.add(window.time_cursor.instant, "Here"),
    "steps by line": command("time.by-line"),
    "the player": command("time.play"),
    "the dark theme": command("window.theme"),
    "high contrast": command("window.contrast"),
    "larger text": command("window.larger-text"),
    "a setting": lambda window: window.settings.setValue("export/scale", 3),
    "a recent file": lambda window: window.recent.add(example("gabl-16x16")),
    "the flat mesh": command("mesh.flat"),
    "the camera": command("mesh.top"),
    "drawing": command("job.draw"),
    "a notice": lambda window: window.notice.tell("Something is wrong.", lasting=True),
    "the welcome page": command("file.welcome"),
    "panels": all_panels,
    "folded panels": command("panel.fold"),
    "a small window": lambda window: window.resize(960, 600),
    "the palette": command("window.palette"),
    "the tour": command("help.tour"),
    "help": command("run.about"),
    "the manual": command("help.manual"),
    "an experiment": command("run.experiment"),
    "a comparison": command("run.compare"),
    "the focus": lambda window: window.strategy.setFocus(),
}
EDITED: dict[str, Deed] = {
    "an edited scenario": lambda window: window.document.change({**window.document.draft, "seed": 9}),
    "another tab": command("file.duplicate"),
    "no scenario": command("file.close-scenario"),
    "a run of its own": command("run.start"),
}
GIVEN_UP: dict[str, Deed] = {
    "closing": lambda window: window.closing.close(),
    "a lesson": lambda window: window.lessons.open(shipped_lessons()[2]),
    "an exercise": lambda window: window.exercises.ask(
        ExerciseKey(kind="place", strategy="bl", shape=(8, 8), seed=3)
    ),
    "another part": lambda window: window.search.__dict__.update(may_compile=lambda: True),
    "a widget": lambda window: QLabel("left behind", window).show(),
}


def do(window: MainWindow, qtbot: QtBot, deed: Deed) -> None:
    """Do it, and let the window come to rest."""
    before = state_of(window)
    deed(window)
    assert state_of(window) != before
    if window.isVisible():
        settle(window, qtbot)


@pytest.mark.parametrize("deed", (UNDONE | EDITED).values(), ids=(UNDONE | EDITED).keys())
def test_what_a_test_does_is_undone(lecture: MainWindow, room: SharedWindow, qtbot: QtBot, deed: Deed):
    """The next test finds the same window in the state of a new one."""
    do(lecture, qtbot, deed)
    room.put_back()
    assert room.windows == [lecture], room.differences


@pytest.mark.parametrize("deed", GIVEN_UP.values(), ids=GIVEN_UP.keys())
def test_a_window_that_cannot_be_put_back_is_given_up(
    lecture: MainWindow, room: SharedWindow, qtbot: QtBot, deed: Deed
):
    """The next test gets a new one."""
    do(lecture, qtbot, deed)
    room.put_back()
    assert room.windows == []


def test_a_window_that_was_put_back_looks_as_a_new_one(
    take_window: Callable[[str], MainWindow], room: SharedWindow, qtbot: QtBot
):
    """To the pixel; and the panels that were made meanwhile show the same words in the same places."""

    def look(window: MainWindow) -> list[object]:
        found: list[object] = [window.grab().toImage()]
        for name in ("plots", "why"):
            window.panels.show(name)
            settle(window, qtbot)
            wait_for_panels(window, qtbot)
            found.append(seen_in(window))
        return found

    new = look(take_window("three-jobs-4x4x4"))
    for deed in UNDONE.values():
        [window] = room.windows
        deed(window)
    room.put_back()
    assert room.windows == [window], room.differences
    assert look(take_window("three-jobs-4x4x4")) == new

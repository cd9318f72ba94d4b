"""No two commands open the same thing: one place has one command, with all the keys and words for it."""

from collections import defaultdict
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QDialog, QDockWidget, QFileDialog, QStackedWidget, QWidget

from meshgui.views.widgets.overlay_card import OverlayCard
from meshgui.views.window.main_window import MainWindow
from tests.views.conftest import handle_events
from tests.views.window.conftest import wait_for_panels

ENDS = ("file.close", "file.close-scenario", "file.record", "window.black")
"""What opens nothing, but ends what the others are tried in or lies over it."""

WITHOUT_AN_EXERCISE = ("exercise.next", "exercise.hand-in")
"""What offers the choice of exercises where none has been asked."""


@pytest.fixture
def window_size() -> QSize:
    """Large enough for every panel."""
    return QSize(1600, 1000)


@pytest.fixture
def asked(monkeypatch) -> set[str]:
    """The dialogs that wait for an answer, of files by what they would write; each is dismissed at once."""
    dialogs: set[str] = set()

    def ask_for_file(_parent: QWidget | None, title: str, path: str = "", *_rest: object, **_more: object):
        dialogs.add(f"{title}: {Path(path).name}")
        return "", ""

    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, staticmethod(ask_for_file))
    monkeypatch.setattr(QDialog, "exec", lambda dialog: dialogs.add(dialog.windowTitle()) or 0)
    return dialogs


def pages_in(dock: QDockWidget) -> str:
    """The pages that a panel shows of those that take turns in it."""
    stacks = (stack for stack in dock.findChildren(QStackedWidget) if stack.isVisible())
    return " ".join(type(stack.currentWidget()).__name__ + str(stack.currentIndex()) for stack in stacks)


def in_sight(window: MainWindow) -> set[str]:
    """What can be opened and is: a scenario, panels, the page in the middle, cards over it, other windows."""
    docks = window.panels.docks
    cards = (card for card in window.findChildren(OverlayCard) if card.isVisible())
    others = (other for other in QApplication.topLevelWidgets() if other.isVisible() and other is not window)
    return {
        *(f"{name} {pages_in(dock)}" for name, dock in docks.items() if window.panels.in_front(name)),
        *(f"{type(card).__name__} {card.accessibleName()}" for card in cards),
        *(f"{type(other).__name__} {other.windowTitle()}" for other in others),
        type(window.centre.pages.currentWidget()).__name__,
        window.document.title if window.document.scenario else "",
    }


def close_all(window: MainWindow, opened: Path) -> None:
    """Have nothing in sight but the mesh of the one scenario, of this file."""
    for other in QApplication.topLevelWidgets():
        if other is not window and other.isVisible():
            other.close()
    window.centre.tabs.close_page()
    while len(window.scenarios) > 1:
        window.scenarios.close(len(window.scenarios) - 1)
    for card in window.findChildren(OverlayCard):
        card.hide()
    if window.document.path != opened:
        assert window.files.open(opened)
    for dock in window.panels.docks.values():
        dock.hide()


def test_no_two_commands_open_the_same(lecture, qtbot, asked, tmp_path):
    """What is seen after a command and was not before, it alone opens; what has a file is saved there."""
    lecture.document.save(path := tmp_path / "lecture.meshgui.json")
    lecture.selection.select(1)
    openers: dict[frozenset[str], list[str]] = defaultdict(list)
    for command in list(lecture.commands):
        if command.id in {*ENDS, *WITHOUT_AN_EXERCISE}:
            continue
        close_all(lecture, path)
        wait_for_panels(lecture, qtbot)
        before = in_sight(lecture)
        asked.clear()
        lecture.commands.trigger(command.id)
        handle_events()
        openers[frozenset((in_sight(lecture) - before) | asked)].append(command.id)
    del openers[frozenset()]
    assert len(openers) > 30
    assert {seen: ids for seen, ids in openers.items() if len(ids) > 1} == {}

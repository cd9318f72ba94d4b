"""The keys go into a panel by its key, and from panel to panel by F6."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from tests.views.window.conftest import settle


def place_of_keys(window) -> str:
    """The panel that has the keys, or the mesh."""
    focused = QApplication.focusWidget()
    inside = [name for name, dock in window.panels.docks.items() if dock.isAncestorOf(focused)]
    return inside[0] if inside else "mesh"


def test_f6_goes_round_all_panels_in_sight(lecture, qtbot):
    """Column by column, each from above; Shift+F6 goes the same way back."""
    lecture.mesh.canvas.setFocus()
    settle(lecture, qtbot)
    in_front = {name for name in lecture.panels.docks if lecture.panels.in_front(name)}
    seen = []
    for _ in range(len(in_front) + 1):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6)
        seen.append(place_of_keys(lecture))
    assert seen[-1] == "mesh" or "mesh" in seen
    taken = seen[: seen.index("mesh") + 1]
    assert len(set(taken)) == len(taken) > 3
    lefts = [
        lecture.panels.docks[name].mapTo(lecture, QPoint()).x()
        for name in taken
        if name != "mesh" and not lecture.panels.docks[name].isFloating()
    ]
    turns = sum(before > after for before, after in pairwise(lefts))
    assert turns <= 1  # once round
    lecture.mesh.canvas.setFocus()
    back = []
    for _ in taken:
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
        back.append(place_of_keys(lecture))
    assert back == [*taken[-2::-1], "mesh"]


@pytest.mark.parametrize("name", ["queue", "algorithm"])
def test_the_key_of_a_panel_goes_into_it_and_then_closes_it(lecture, qtbot, name):
    """A menu entry shows and hides it, wherever the keys are."""
    panels, action = lecture.panels, lecture.commands.action(f"panel.{name}")
    key = action.shortcut()[0]

    def press() -> None:
        QTest.keyClick(QApplication.focusWidget(), key.key(), key.keyboardModifiers())
        settle(lecture, qtbot)

    panels.show(name)
    lecture.mesh.canvas.setFocus()
    settle(lecture, qtbot)
    press()
    assert panels.in_front(name)
    assert place_of_keys(lecture) == name
    press()
    assert panels.docks[name].isHidden()
    assert place_of_keys(lecture) == "mesh"
    press()
    assert panels.in_front(name)
    assert place_of_keys(lecture) == name
    lecture.mesh.canvas.setFocus()
    action.trigger()
    assert panels.docks[name].isHidden()


def test_a_panel_that_has_yet_to_be_made_takes_the_keys_once_it_is(lecture, qtbot):
    """The form of the scenario is made at its first sight."""
    lecture.mesh.canvas.setFocus()
    assert lecture.form.made is None
    action = lecture.commands.action("panel.scenario")
    key = action.shortcut()[0]
    QTest.keyClick(QApplication.focusWidget(), key.key(), key.keyboardModifiers())
    qtbot.waitUntil(lambda: lecture.form.made is not None)
    qtbot.waitUntil(lambda: place_of_keys(lecture) == "scenario")
    assert isinstance(QApplication.focusWidget(), QLineEdit)

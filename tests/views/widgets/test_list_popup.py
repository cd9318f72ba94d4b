"""Lists that pop up below a button: found by letters, walked by arrows, picked or ticked."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import qGray
from PySide6.QtWidgets import QListWidget, QListWidgetItem
from pytestqt.qtbot import QtBot

from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.list_popup import ListButton, ListItem
from meshgui.views.widgets.searchable_list import SearchableList
from tests.views.showing import shown

LINES = [
    ListItem(n, f"line {n}", "odd" if n % 2 else "even", refusal="not now" if n == 4 else "")
    for n in range(12)
]


def ink(view: QListWidget, item: QListWidgetItem) -> int:
    """How far the words of a line stand out from its ground."""
    view.scrollToItem(item)
    line = view.visualItemRect(item)
    picture = view.viewport().grab(line.adjusted(2 * line.height(), 0, 0, 0)).toImage()
    greys = [qGray(picture.pixel(x, y)) for x in range(picture.width()) for y in range(picture.height())]
    return max(greys) - min(greys)


@pytest.fixture
def button(qtbot: QtBot, themes: ThemeManager) -> ListButton:
    """A button with twelve lines, several of which can be ticked."""
    made = ListButton(themes, ticked=True)
    made.offer(LINES)
    return shown(qtbot, made, 200, 30)


def test_what_is_ticked_is_said_in_the_order_of_the_list(button: ListButton, qtbot: QtBot):
    """By clicks on the words as well as on the boxes; another click takes it off."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    view = button.popup.list
    for text in ("line 3", "line 1", "line 3", "line 6"):
        [item] = view.findItems(text, Qt.MatchFlag.MatchExactly)
        view.scrollToItem(item)
        place = view.visualItemRect(item).center()
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert button.values() == (1, 6)
    assert button.words == "line 1, line 6"
    button.popup.hide()


def test_what_is_refused_cannot_be_ticked_by_any_means(button: ListButton, qtbot: QtBot):
    """It says why when pointed at, and below the list when the keys are there."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    popup = button.popup
    [item] = popup.list.findItems("line 4", Qt.MatchFlag.MatchExactly)
    assert item.toolTip() == "not now"
    usable = popup.list.findItems("line 5", Qt.MatchFlag.MatchExactly)[0]
    assert ink(popup.list, item) < ink(popup.list, usable)
    popup.list.itemClicked.emit(item)
    qtbot.keyClicks(popup.search, "line 4")
    assert popup.list.currentItem().text() == "line 4"
    assert popup.findChild(SearchableList).why.text() == "not now"
    qtbot.keyClick(popup.search, Qt.Key.Key_Return)
    assert button.values() == ()
    popup.hide()


def test_headings_are_passed_over(button: ListButton, qtbot: QtBot):
    """Down goes from line to line, to those that are refused too, and stays at the last one."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    popup = button.popup
    walked = [popup.list.currentItem().text()]
    for _ in range(15):
        qtbot.keyClick(popup.search, Qt.Key.Key_Down)
        walked.append(popup.list.currentItem().text())
    assert walked == [f"line {min(n, 11)}" for n in range(16)]
    popup.hide()


def test_only_what_was_chosen_and_is_still_there_stays_chosen(button: ListButton):
    """As when another scenario has other fields."""
    button.choose((1, 3))
    button.offer(LINES[2:5])
    assert button.values() == (3,)


def test_a_list_closes_when_its_button_is_disabled(button: ListButton, qtbot: QtBot):
    """Disabled with it, it would have all keys and take none: not even Escape would close it."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.popup.isVisible()
    button.setEnabled(False)
    assert not button.popup.isVisible()
    button.setEnabled(True)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.popup.isVisible()
    qtbot.keyClick(button.popup, Qt.Key.Key_Escape)
    assert not button.popup.isVisible()

"""Lists that pop up below a button: found by letters, walked by arrows, picked or ticked."""

from collections.abc import Iterator
from itertools import chain, cycle

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import qGray
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QWidget
from pytestqt.qtbot import QtBot

from meshgui.model.stepping.bookmarks import Bookmarks
from meshgui.model.stepping.breakpoints import Breakpoints
from meshgui.model.stepping.cursor import Cursor
from meshgui.views.panels.stops import StopsPanel
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.list_popup import ListButton, ListItem, ListPopup
from meshgui.views.widgets.searchable_list import PLACE, SearchableList
from meshgui.views.widgets.tab_in_sight import tab_in_sight
from tests.views.conftest import handle_events
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


@pytest.fixture
def popup(button: ListButton, qtbot: QtBot) -> Iterator[ListPopup]:
    """The list below the button, open."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    yield button.popup
    button.setEnabled(False)  # which closes it


def line(popup: ListPopup, number: int) -> QListWidgetItem:
    """A line of the list."""
    [item] = popup.list.findItems(f"line {number}", Qt.MatchFlag.MatchExactly)
    return item


@pytest.mark.parametrize("upwards", [False, True])
def test_it_is_as_high_as_what_is_found(qtbot: QtBot, themes: ThemeManager, upwards: bool):
    """It stays at its button while it is narrowed down and opened out again."""
    window = shown(qtbot, QWidget(), 400, 900)
    place = QRect(window.mapToGlobal(QPoint(20, 860 if upwards else 10)), QSize(120, 30))
    popup = ListPopup(themes, window)
    popup.open_at(place, window, LINES, set())
    whole = popup.height()
    for typed, found in (("line 1", 3), ("line 11", 1), ("", len(LINES)), ("zebra", 0)):
        popup.search.setText(typed)
        rows = range(popup.list.count())
        assert sum(popup.list.item(row).data(PLACE) is not None for row in rows) == found
        lines = sum(popup.list.sizeHintForRow(row) for row in rows)
        assert popup.list.height() == lines + 2 * popup.list.frameWidth()
        assert (popup.height() == whole) == (not typed)
        assert popup.y() + popup.height() == place.top() if upwards else popup.y() == place.bottom() + 1
    popup.hide()


def test_it_closes_with_its_window(button: ListButton, popup: ListPopup):
    """Which a session that ends closes whatever is open."""
    assert popup.isVisible()
    button.window().close()
    assert not popup.isVisible()


def test_what_is_picked_may_open_a_dialog(qtbot: QtBot, themes: ThemeManager):
    """The list has closed by then: the dialog would close it, and delete it while it is at work."""
    button, seen = shown(qtbot, QWidget(), 200, 30), []
    popup = ListPopup(themes, button)

    def ask(place: int) -> None:
        seen.append((place, popup.isVisible()))
        dialog = QDialog(button)
        QTimer.singleShot(0, dialog.reject)
        dialog.exec()

    popup.picked.connect(ask)
    popup.open_at(button.geometry(), button, LINES, set())
    qtbot.keyClick(popup.search, Qt.Key.Key_Return)
    assert seen == [(0, False)]


def test_what_is_ticked_is_said_in_the_order_of_the_list_and_stays_while_it_is_there(
    button: ListButton, popup: ListPopup, qtbot: QtBot
):
    """By clicks on the words as well as on the boxes; another click takes it off."""
    view = popup.list
    for number in (3, 1, 3, 6):
        view.scrollToItem(line(popup, number))
        place = view.visualItemRect(line(popup, number)).center()
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert button.values() == (1, 6)
    assert button.words == "line 1, line 6"
    # What is no longer there, as when another scenario has other fields, is chosen no longer
    button.choose((1, 3))
    button.offer(LINES[2:5])
    assert button.values() == (3,)


def test_what_is_refused_cannot_be_ticked_by_any_means(button: ListButton, popup: ListPopup, qtbot: QtBot):
    """It says why when pointed at, and below the list when the keys are there."""
    refused = line(popup, 4)
    assert refused.toolTip() == "not now"
    assert ink(popup.list, refused) < ink(popup.list, line(popup, 5))
    popup.list.itemClicked.emit(refused)
    qtbot.keyClicks(popup.search, "line 4")
    assert popup.list.currentItem().text() == "line 4"
    assert popup.findChild(SearchableList).why.text() == "not now"
    qtbot.keyClick(popup.search, Qt.Key.Key_Return)
    assert button.values() == ()


def test_headings_are_passed_over(popup: ListPopup, qtbot: QtBot):
    """Down goes from line to line, to those that are refused too, and stays at the last one."""
    walked = [popup.list.currentItem().text()]
    for _ in range(15):
        qtbot.keyClick(popup.search, Qt.Key.Key_Down)
        walked.append(popup.list.currentItem().text())
    assert walked == [f"line {min(n, 11)}" for n in range(16)]


def test_a_list_closes_when_its_button_is_disabled(button: ListButton, popup: ListPopup, qtbot: QtBot):
    """Disabled with it, it would have all keys and take none: not even Escape would close it."""
    assert popup.isVisible()
    button.setEnabled(False)
    assert not popup.isVisible()
    button.setEnabled(True)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.popup.isVisible()  # another one
    qtbot.keyClick(button.popup, Qt.Key.Key_Escape)
    assert not button.popup.isVisible()


@pytest.mark.parametrize("height", [1000, 400])
def test_a_popup_shows_all_of_its_lines_or_whole_ones_that_have_room(qtbot, themes, height):
    """Nothing is empty below them, and no line is cut, where its window is high and where it is low."""
    button = ListButton(themes)
    button.offer([ListItem(number, f"line {number}", f"group {number // 10}") for number in range(25)])
    window = QWidget()
    Sizing(themes, window).column(button, 0, on=window)
    shown(qtbot, window, 400, height)
    button.open_list()
    lines = button.popup.list
    bottoms = [lines.visualItemRect(lines.item(row)).bottom() + 1 for row in range(lines.count())]
    assert min(abs(bottom - lines.viewport().height()) for bottom in bottoms) <= 1
    assert (lines.verticalScrollBar().maximum() == 0) == (height == 1000)
    button.popup.close()


@pytest.mark.parametrize("high_contrast", [False, True])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_a_list_shows_all_of_its_lines(qtbot, themes, scale, high_contrast):
    """Below the focus' thicker frame Qt makes that of breakpoints two pixels too low, and cuts the last."""
    themes.set_high_contrast(high_contrast)
    themes.set_scale(scale)
    panel = shown(qtbot, StopsPanel(Cursor(), Breakpoints(), Bookmarks(), themes), 300, 500)
    panel.activateWindow()
    panel.kind.setFocus()
    qtbot.waitUntil(panel.kind.hasFocus)
    qtbot.mouseClick(panel.kind, Qt.MouseButton.LeftButton)
    view = panel.kind.view()
    qtbot.waitUntil(view.isVisible)
    edges, lines = view.contentsMargins(), range(panel.kind.count())
    room = view.window().height() - 2 * view.y() - edges.top() - edges.bottom()
    assert room >= sum(view.sizeHintForRow(line) for line in lines)
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() == 0)
    panel.kind.hidePopup()


def test_a_way_that_does_not_lead_back_to_its_first_stop_ends(qtbot: QtBot) -> None:
    """Two fields out of sight lead to each other, and a third to them."""
    window = QWidget()
    window.setFixedSize(200, 100)
    fields = [QLineEdit(window) for _ in range(3)]
    for field in fields:
        field.move(5000, 0)
    shown(qtbot, window, active=True)
    way = chain(fields, cycle(fields[1:]))
    stepped: list[QWidget] = []

    def step() -> bool:
        stepped.append(field := next(way))
        field.setFocus()
        handle_events()
        return len(stepped) < 100  # where it does not end by itself

    assert tab_in_sight(window, step)
    assert len(stepped) == 4

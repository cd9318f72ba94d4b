"""The command palette."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit

from meshgui.views.commands.palette import CommandPalette


@pytest.fixture
def palette(bench, qtbot):
    """The palette of the window, open."""
    palette = CommandPalette(bench, bench.registry, bench.icons, bench.themes)
    palette.open()
    qtbot.waitUntil(palette.search.hasFocus)
    return palette


def listed(palette):
    """The ids of the commands listed, best match first."""
    return [command.id for command in palette.commands()]


def test_typing_and_enter_runs_the_best(palette, bench, done, qtbot):
    """All commands are listed in their order until a few letters choose; the one used last is on top then."""
    assert listed(palette) == [command.id for command in bench.registry]
    assert palette.list.currentIndex().row() == 0
    qtbot.keyClicks(palette.search, "next")
    assert listed(palette)[0] == "time.next"
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert done == ["next"]
    assert not palette.isVisible()
    palette.open()
    qtbot.keyClicks(palette.search, "home")
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    palette.open()
    assert listed(palette)[:2] == ["mesh.home", "time.next"]


def test_arrows_choose_and_go_round(palette, done, qtbot):
    """Down and Up move the choice, and Up from the first goes to the last."""
    qtbot.keyClick(palette.search, Qt.Key.Key_Down)
    assert palette.list.currentIndex().row() == 1
    qtbot.keyClick(palette.search, Qt.Key.Key_Up)
    qtbot.keyClick(palette.search, Qt.Key.Key_Up)
    assert palette.list.currentIndex().row() == len(listed(palette)) - 1
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert done == ["about"]


def test_escape_gives_the_keyboard_back(bench, palette, qtbot):
    """What had it before has it again; where that has been deleted, closing is no error."""
    palette.dismiss()
    field = QLineEdit()
    bench.setCentralWidget(field)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    palette.open()
    assert palette.search.hasFocus()
    qtbot.keyClick(palette.search, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert field.hasFocus()
    palette.open()
    with qtbot.waitSignal(field.destroyed):
        bench.takeCentralWidget().deleteLater()
    palette.dismiss()
    assert not palette.isVisible()


def test_a_click_on_a_row_runs_it_and_one_beside_the_card_closes(palette, done, qtbot):
    """One on the card does neither."""
    qtbot.mouseClick(palette, Qt.MouseButton.LeftButton, pos=palette.card.geometry().center())
    assert palette.isVisible()
    qtbot.mouseClick(palette, Qt.MouseButton.LeftButton, pos=QPoint(5, 400))
    assert not palette.isVisible()
    palette.open()
    row = palette.list.visualRect(palette.list.model().index(1, 0))
    qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    assert done == ["play"]


def test_where_nothing_fits_or_can_be_used_enter_does_nothing(palette, bench, done, qtbot):
    """A query that fits nothing lists nothing; a command that cannot be used leaves everything as it is."""
    bench.registry.set_enabled("time.next", False)
    for query, found in (("next event", True), ("zzzz", False)):
        palette.search.clear()
        qtbot.keyClicks(palette.search, query)
        assert bool(listed(palette)) is found
        qtbot.keyClick(palette.search, Qt.Key.Key_Return)
        assert palette.isVisible()
    qtbot.keyClick(palette.search, Qt.Key.Key_Down)
    assert done == []


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_it_stays_inside_the_window(palette, bench, look, scale):
    """The card is centred and inside, at every size and after the window shrinks."""
    look.set_scale(scale)
    for width, height in ((1280, 720), (700, 400)):
        bench.resize(width, height)
        card = palette.card.geometry()
        assert palette.rect().contains(card)
        assert abs(card.center().x() - palette.rect().center().x()) <= 1


def test_it_is_drawn_in_both_themes(palette, look):
    """Rows are painted, with a chosen one, in light and in dark."""
    for _ in range(2):
        look.toggle()
        picture = palette.list.viewport().grab().toImage()
        row = palette.list.visualRect(palette.list.currentIndex())
        assert picture.pixelColor(row.center().x(), row.top() + 5).name() == look.theme.selection

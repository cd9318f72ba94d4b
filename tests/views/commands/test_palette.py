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
    return [palette._command(place).id for place in palette._found.shown()]


def test_it_opens_with_every_command(palette, bench):
    """Nothing typed yet: all commands are listed in their order, the first is chosen."""
    assert listed(palette) == [command.id for command in bench.registry]
    assert palette.list.currentIndex().row() == 0


def test_typing_and_enter_runs_the_best(palette, done, qtbot):
    """A few letters and Enter do the command and put the palette away."""
    qtbot.keyClicks(palette.search, "next")
    assert listed(palette)[0] == "time.next"
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert done == ["next"]
    assert not palette.isVisible()


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
    """Escape closes, and what had the keyboard before has it again."""
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


def test_a_field_that_is_gone_does_not_get_the_keyboard(bench, palette, qtbot):
    """Closing after the former field was deleted is no error."""
    palette.dismiss()
    field = QLineEdit()
    bench.setCentralWidget(field)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    palette.open()
    with qtbot.waitSignal(field.destroyed):
        bench.takeCentralWidget().deleteLater()
    palette.dismiss()
    assert not palette.isVisible()


def test_a_click_beside_it_closes(palette, qtbot):
    """A click beside the card closes, one on the card does not."""
    qtbot.mouseClick(palette, Qt.MouseButton.LeftButton, pos=palette.card.geometry().center())
    assert palette.isVisible()
    qtbot.mouseClick(palette, Qt.MouseButton.LeftButton, pos=QPoint(5, 400))
    assert not palette.isVisible()


def test_a_click_on_a_row_runs_it(palette, done, qtbot):
    """The mouse works as well."""
    row = palette.list.visualRect(palette.list.model().index(1, 0))
    qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    assert done == ["play"]


def test_a_disabled_command_is_not_run(palette, bench, done, qtbot):
    """Enter on a command that cannot be used leaves everything as it is."""
    bench.registry.set_enabled("time.next", False)
    qtbot.keyClicks(palette.search, "next event")
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert done == []
    assert palette.isVisible()


def test_nothing_fits(palette, done, qtbot):
    """A query that fits nothing lists nothing, and Enter does nothing."""
    qtbot.keyClicks(palette.search, "zzzz")
    assert listed(palette) == []
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    qtbot.keyClick(palette.search, Qt.Key.Key_Down)
    assert done == []


def test_the_last_command_comes_first(palette, qtbot):
    """What was used is on top the next time."""
    qtbot.keyClicks(palette.search, "home")
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    palette.open()
    assert listed(palette)[0] == "mesh.home"


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

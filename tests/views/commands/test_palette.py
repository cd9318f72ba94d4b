"""The command palette."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QScrollArea

from meshgui.engine.basics.translation import speaking, tr
from meshgui.views.commands.palette import CommandPalette
from meshgui.views.commands.shortcuts_sheet import ShortcutSheet, columns
from meshgui.views.widgets.command import Command
from tests.views.conftest import handle_events


@pytest.fixture
def palette(bench, qtbot):
    """The palette of the window, open."""
    palette = CommandPalette(bench, bench.registry, bench.themes)
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


def test_arrows_choose_and_go_round_and_enter_does_nothing_where_nothing_fits(palette, done, qtbot, bench):
    """Down and Up move the choice, and Up from the first goes to the last."""
    qtbot.keyClick(palette.search, Qt.Key.Key_Down)
    assert palette.list.currentIndex().row() == 1
    qtbot.keyClick(palette.search, Qt.Key.Key_Up)
    qtbot.keyClick(palette.search, Qt.Key.Key_Up)
    assert palette.list.currentIndex().row() == len(listed(palette)) - 1
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert done == ["about"]
    # A query that fits nothing lists nothing; a command that cannot be used leaves everything as it is
    palette.open()
    bench.allowed["next"] = False
    bench.allowing.emit()
    for query, found in (("next event", True), ("zzzz", False)):
        palette.search.clear()
        qtbot.keyClicks(palette.search, query)
        assert bool(listed(palette)) is found
        qtbot.keyClick(palette.search, Qt.Key.Key_Return)
        assert palette.isVisible()
    qtbot.keyClick(palette.search, Qt.Key.Key_Down)
    assert done == ["about"]


@pytest.mark.parametrize("typed", ["vergleich", "compare runs", "versus"])
def test_in_another_language_english_words_find_a_command_too(bench, qtbot, typed):
    """Its title and its synonyms, as its papers and lectures have them."""
    with speaking("de"):
        synonyms = tr("difference versus side by side strategies schedulers networks seeds")
        command = Command("run.compare", tr("Compare runs…"), "", list, synonyms=synonyms)
        bench.registry.register(command)
        palette = CommandPalette(bench, bench.registry, bench.themes)
        palette.open()
        palette.search.setText(typed)
        assert listed(palette)[:1] == ["run.compare"]


def test_a_click_on_a_row_runs_it_and_escape_gives_the_keyboard_back(palette, done, qtbot, bench):
    """One on the card does neither."""
    qtbot.mouseClick(palette, Qt.MouseButton.LeftButton, pos=palette.card.geometry().center())
    assert palette.isVisible()
    qtbot.mouseClick(palette, Qt.MouseButton.LeftButton, pos=QPoint(5, 400))
    assert not palette.isVisible()
    palette.open()
    row = palette.list.visualRect(palette.list.model().index(1, 0))
    qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    assert done == ["play"]
    # Escape gives the keyboard back to what had it before; where that has been deleted, closing is no error
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


@pytest.fixture
def sheet(bench):
    """The sheet of the window, open."""
    sheet = ShortcutSheet(bench, bench.registry, bench.themes)
    sheet.open()
    return sheet


def opened(bench, look, qapp, scale):
    """The sheet in some size of letters."""
    look.set_scale(scale)
    sheet = ShortcutSheet(bench, bench.registry, look)
    sheet.open()
    handle_events()
    return sheet


def test_the_sheet_lists_every_command_with_a_key_in_columns_that_keep_their_order(sheet):
    """Titles and key caps come from the registry; a command without a key is left out."""
    texts = {label.text() for label in sheet.card.findChildren(QLabel)}
    assert {"Open scenario…", "Ctrl+O", "Play", "Space", "Next event", "→", "Time", "Mesh"} <= texts
    assert "About" not in texts
    # Groups stay whole and in order, in at most the number of columns asked for
    groups = {name: [None] * size for name, size in (("a", 9), ("b", 2), ("c", 5), ("d", 4))}
    assert columns(groups, 2) == [["a", "b"], ["c", "d"]]
    assert [name for column in columns(groups, 3) for name in column] == list("abcd")
    assert len(columns(groups, 3)) <= 3
    assert columns({}, 3) == [[]]


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_fifty_keys_fit_a_small_laptop(bench, look, qapp, scale):
    """At 1280 by 720 fifty commands are seen without scrolling; in lecture size none leaves the window."""
    for number in range(42):
        keys = f"Ctrl+{'Alt' if number < 26 else 'Shift'}+{chr(65 + number % 26)}"
        title, group = f"Extra command {number}", f"Extra {number // 7}"
        bench.registry.register(
            Command(f"extra.{number}", title, "Does nothing.", lambda: None, (keys,), group=group)
        )
    sheet = opened(bench, look, qapp, scale)
    assert sheet.rect().contains(sheet.card.geometry())
    if scale == 1.0:
        assert sheet.findChild(QScrollArea).verticalScrollBar().maximum() == 0


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_titles_and_key_caps_are_whole(bench, look, qapp, scale):
    """A column is as wide as its longest title and widest caps need, and the sheet stays in the window."""
    for name, title, keys in (
        ("a", "Open the link on the clipboard", ("Ctrl+L",)),
        ("b", "Previous scenario", ("Ctrl+Shift+Tab", "Ctrl+PgUp")),
        ("c", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y")),
    ):
        bench.registry.register(Command(name, title, "Does nothing.", lambda: None, keys, group="File"))
    sheet = opened(bench, look, qapp, scale)
    scroll = sheet.findChild(QScrollArea)
    labels = scroll.findChildren(QLabel)
    assert len(labels) > 20
    assert [label.text() for label in labels if label.width() < label.sizeHint().width()] == []
    assert sheet.rect().contains(sheet.card.geometry())
    assert scroll.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Question])
def test_escape_and_the_question_mark_close_it(sheet, done, qtbot, key):
    """The key that opened it closes it, and Escape does; the window below rests meanwhile."""
    qtbot.keyClick(sheet, Qt.Key.Key_Space)
    assert (sheet.isVisible(), done) == (True, [])
    qtbot.keyClick(sheet, key)
    assert not sheet.isVisible()


@pytest.mark.parametrize("had_keys", [False, True])
def test_its_keys_go_back_to_the_window(bench, done, qtbot, had_keys):
    """Closed, it has no keys any more: neither where nothing had them before nor where that is hidden now."""
    button = QPushButton("Below", bench)
    bench.setCentralWidget(button)
    if had_keys:
        button.setFocus()
    else:
        button.setEnabled(False)
    sheet = ShortcutSheet(bench, bench.registry, bench.themes)
    sheet.open()
    button.hide()
    qtbot.keyClick(bench.focusWidget(), Qt.Key.Key_Escape)
    qtbot.keyClick(bench.focusWidget() or bench, Qt.Key.Key_Space)
    assert (sheet.isVisible(), done) == (False, ["play"])

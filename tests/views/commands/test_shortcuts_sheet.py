"""The sheet of keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea

from meshgui.views.commands.shortcuts_sheet import ShortcutSheet, columns
from meshgui.views.widgets.command import Command


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
    qapp.processEvents()
    return sheet


def test_it_lists_every_command_with_a_key(sheet):
    """Titles and key caps come from the registry; a command without a key is left out."""
    texts = {label.text() for label in sheet.card.findChildren(QLabel)}
    assert {"Open scenario…", "Ctrl+O", "Play", "Space", "Next event", "→", "Time", "Mesh"} <= texts
    assert "About" not in texts


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_fifty_keys_fit_a_small_laptop(bench, look, qapp, scale):
    """At 1280 by 720 fifty commands are seen without scrolling; in lecture size none leaves the window."""
    for number in range(42):
        keys = f"Ctrl+{'Alt' if number < 26 else 'Shift'}+{chr(65 + number % 26)}"
        title, group = f"Extra command {number}", f"Extra {number // 7}"
        bench.registry.register(
            Command(f"extra.{number}", title, "Does nothing.", group, lambda: None, shortcuts=(keys,))
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
        bench.registry.register(Command(name, title, "Does nothing.", "File", lambda: None, shortcuts=keys))
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


def test_columns_keep_the_order_and_the_limit():
    """Groups stay whole and in order, in at most the number of columns asked for."""
    groups = {name: [None] * size for name, size in (("a", 9), ("b", 2), ("c", 5), ("d", 4))}
    assert columns(groups, 2) == [["a", "b"], ["c", "d"]]
    assert [name for column in columns(groups, 3) for name in column] == list("abcd")
    assert len(columns(groups, 3)) <= 3
    assert columns({}, 3) == [[]]

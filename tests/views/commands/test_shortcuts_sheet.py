"""The sheet of keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from meshgui.views.commands.shortcuts_sheet import ShortcutSheet, columns
from meshgui.views.widgets.command import Command


@pytest.fixture
def sheet(bench):
    """The sheet of the window, open."""
    sheet = ShortcutSheet(bench, bench.registry, bench.themes)
    sheet.open()
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
        keys = f"Ctrl+Alt+{chr(65 + number % 26)}" if number < 26 else f"Ctrl+Shift+{chr(65 + number - 26)}"
        name = f"extra.{number}"
        bench.registry.register(
            Command(name, f"Extra command {number}", "Does nothing.", f"Extra {number // 7}",
                    lambda: None, shortcuts=(keys,))
        )  # fmt: skip
    look.set_scale(scale)
    sheet = ShortcutSheet(bench, bench.registry, look)
    sheet.open()
    qapp.processEvents()
    assert sheet.rect().contains(sheet.card.geometry())
    if scale == 1.0:
        assert sheet._scroll.verticalScrollBar().maximum() == 0


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_titles_and_key_caps_are_whole(bench, look, qapp, scale):
    """A column is as wide as its longest title and widest caps need, and the sheet stays in the window."""
    for name, title, keys in (
        ("a", "Open the link on the clipboard", ("Ctrl+L",)),
        ("b", "Previous scenario", ("Ctrl+Shift+Tab", "Ctrl+PgUp")),
        ("c", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y")),
    ):
        bench.registry.register(Command(name, title, "Does nothing.", "File", lambda: None, shortcuts=keys))
    look.set_scale(scale)
    sheet = ShortcutSheet(bench, bench.registry, look)
    sheet.open()
    qapp.processEvents()
    labels = sheet._scroll.findChildren(QLabel)
    assert len(labels) > 20
    assert [label.text() for label in labels if label.width() < label.sizeHint().width()] == []
    assert sheet.rect().contains(sheet.card.geometry())
    assert sheet._scroll.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Question])
def test_escape_and_the_question_mark_close_it(sheet, qtbot, key):
    """The key that opened it closes it, and Escape does."""
    qtbot.keyClick(sheet, key)
    assert not sheet.isVisible()


def test_the_window_below_rests(sheet, done, qtbot):
    """Space does not play under an open sheet."""
    qtbot.keyClick(sheet, Qt.Key.Key_Space)
    assert done == []
    assert sheet.isVisible()


def test_columns_keep_the_order_and_the_limit():
    """Groups stay whole and in order, in at most the number of columns asked for."""
    groups = {name: [None] * size for name, size in (("a", 9), ("b", 2), ("c", 5), ("d", 4))}
    assert columns(groups, 2) == [["a", "b"], ["c", "d"]]
    assert [name for column in columns(groups, 3) for name in column] == list("abcd")
    assert len(columns(groups, 3)) <= 3
    assert columns({}, 3) == [[]]

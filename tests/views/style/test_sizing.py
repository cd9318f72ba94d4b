"""Lengths follow the size of everything, and cost nothing when only the colours change."""

import gc
import re
import weakref
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QFontInfo,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QRawFont,
)
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QWidget
from shiboken6 import dump, isValid

import meshgui
from meshgui.engine.basics.translation import PSEUDO_FROM_THE_RIGHT, speaking
from meshgui.views.style import fonts
from meshgui.views.style.direction import isolated
from meshgui.views.style.fonts import ARABIC_FAMILY, MONO_FAMILY, TEXT_FAMILY, mono_font, text_font
from meshgui.views.style.screens import screen_of
from meshgui.views.style.sizing import Sizing
from tests.views.conftest import handle_events


def test_lengths_follow_the_scale(qtbot, themes):
    """Margins, spacings, icons and any setter are given the design's pixels times the scale."""
    widget, button = QWidget(), QPushButton()
    qtbot.addWidget(widget)
    row, grid = QHBoxLayout(widget), QGridLayout()
    row.addWidget(button)
    row.addLayout(grid)
    sizing = Sizing(themes, widget)
    sizing.margins(row, 1, 2, 3, 4).spacing(row, 8).spacing(grid, 6, 2).icons(16, button)
    sizing.call(button.setFixedSize, 40, 20)
    for scale in (1.0, 2.0, 1.0):
        themes.set_scale(scale)
        margins = row.contentsMargins()
        sides = (margins.left(), margins.top(), margins.right(), margins.bottom())
        assert sides == tuple(scale * side for side in (1, 2, 3, 4))
        assert row.spacing() == 8 * scale
        assert (grid.horizontalSpacing(), grid.verticalSpacing()) == (6 * scale, 2 * scale)
        assert button.iconSize().width() == 16 * scale
        assert (button.width(), button.height()) == (40 * scale, 20 * scale)


def test_rows_and_columns_are_laid_out_in_one_call(qtbot, themes):
    """Parts in order with stretch and alignment; margins and spacing follow the scale."""
    widget, first, last = QWidget(), QPushButton(), QPushButton()
    qtbot.addWidget(widget)
    sizing = Sizing(themes, widget)
    row = sizing.row((first, 2), 1, (last, 0, Qt.AlignmentFlag.AlignTop), spacing=4)
    column = sizing.column(row, QWidget(), on=widget, margins=(1, 2, 3, 4))
    assert widget.layout() is column
    assert [row.itemAt(i).widget() for i in range(row.count())] == [first, None, last]
    assert [row.stretch(i) for i in range(row.count())] == [2, 1, 0]
    assert row.itemAt(2).alignment() == Qt.AlignmentFlag.AlignTop
    themes.set_scale(2.0)
    assert (row.spacing(), column.spacing(), column.contentsMargins().bottom()) == (8, 0, 8)


def test_another_theme_applies_nothing_again(qtbot, themes):
    """Rules run when they are made and when the scale changes, and no longer once the owner is gone."""
    owner, runs = QWidget(), []
    Sizing(themes, owner).rule(lambda: runs.append(themes.scale))
    themes.toggle()
    assert runs == [1.0]
    themes.set_scale(1.4)
    assert runs == [1.0, 1.4]
    owner.deleteLater()
    qtbot.waitUntil(lambda: not shiboken6.isValid(owner))
    themes.set_scale(1.0)
    assert runs == [1.0, 1.4]


def test_what_qt_has_deleted_is_forgotten(qtbot, themes):
    """A button of a list that was filled again is not sized again, and leaves no rule behind."""
    widget, layout = QWidget(), QHBoxLayout()
    qtbot.addWidget(widget)
    sizing = Sizing(themes, widget)
    kept = [weakref.ref(layout)]
    for _ in range(3):
        button = QPushButton(widget)
        sizing.icons(16, button).call(button.setFixedSize, 20, 20).margins(layout, 1, 1, 1, 1)
        shiboken6.delete(button)
        kept.append(weakref.ref(button))
    shiboken6.delete(layout)
    del button, layout
    assert None not in [part() for part in kept]
    themes.set_scale(2.0)
    assert [part() for part in kept] == [None] * 4


@pytest.mark.usefixtures("qapp")
def test_the_shipped_faces_are_used_in_real_weights():
    """Qt finds both faces instead of falling back to one of the system's."""
    assert QFontInfo(text_font(13)).family() == TEXT_FAMILY
    assert QFontInfo(mono_font(13)).family() == MONO_FAMILY
    # Regular, medium and semibold are different cuts, not synthetic ones
    weights = (QFont.Weight.Normal, QFont.Weight.Medium, QFont.Weight.DemiBold)
    widths = [QFontMetricsF(text_font(24, weight)).horizontalAdvance("allocation") for weight in weights]
    assert widths == sorted(set(widths))
    # Numbers do not jump when their digits change
    metrics = QFontMetricsF(text_font(15))
    assert len({metrics.horizontalAdvance(digit * 4) for digit in "0123456789"}) == 1
    # Every character of pseudo-code takes one cell: there are no ligatures
    metrics = QFontMetricsF(mono_font(13))
    assert metrics.horizontalAdvance("<=") == metrics.horizontalAdvance("ab")


@pytest.mark.usefixtures("qapp")
def test_arabic_letters_have_a_face_where_they_are_read_and_only_there(monkeypatch):
    """Inter and JetBrains Mono have none: theirs stands behind both, and English does not load it."""
    loaded, load = [], QFontDatabase.addApplicationFont
    monkeypatch.setattr(QFontDatabase, "addApplicationFont", lambda file: loaded.append(file) or load(file))
    monkeypatch.setattr(fonts, "_load", fonts._load.__wrapped__)  # once more in this process
    assert text_font(13).families() == [TEXT_FAMILY]
    fonts.load_fonts()
    assert loaded
    assert not any("Arabic" in file for file in loaded)
    with speaking(PSEUDO_FROM_THE_RIGHT):
        fonts.load_fonts()
        assert text_font(13).families() == [TEXT_FAMILY, ARABIC_FAMILY]
        assert fonts.depth(13) > QFontMetrics(text_font(13)).descent()
        assert set(fonts.shipped_families()) <= set(QFontDatabase.families())
    assert text_font(13).families() == [TEXT_FAMILY]
    assert fonts.depth(13) == QFontMetrics(text_font(13)).descent()
    letters = set("ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأإئؤةى؟،؛")
    for weight in (QFont.Weight.Normal, QFont.Weight.Bold):
        raw = QRawFont.fromFont(QFont(ARABIC_FAMILY, 13, weight))
        assert raw.familyName() == ARABIC_FAMILY
        assert all(raw.supportsCharacter(ord(letter)) for letter in letters)


def test_a_window_takes_no_screen_with_it(qapp):
    """The screen is no part of the window, so it outlives it."""
    window = QWidget()
    window.itself = window  # as in most windows, so the garbage collector deletes it
    window.show()
    screen = screen_of(window)
    assert screen is QGuiApplication.primaryScreen()
    assert "parent" not in dump(screen)
    del window
    gc.collect()
    handle_events()
    assert isValid(screen)
    # So no widget is asked for its screen, which would make that a part of it
    asked = [
        str(file)
        for file in (Path(meshgui.__file__).parent / "views").rglob("*.py")
        if re.search(r"\.screen\(\)[.\s]", file.read_text("utf-8")) and file.name != "screens.py"
    ]
    assert asked == []


@pytest.mark.parametrize("text", ["1" * 200_000, "1," * 100_000, "1." * 100_000])
def test_digits_alone_are_gone_through_once(text: str):
    """A page of them within the limits once took minutes."""
    assert isolated(f"\u0627 {text}") == f"\u0627 {text}"


def test_a_box_is_kept_in_order():
    """Its places and the sign between them, whatever stands before."""
    assert isolated("\u0627 (0,0,5)–(4,6,7)") == "\u0627 \u2066(0,0,5)–(4,6,7)\u2069"
    assert isolated("\u0627,4×5") == "\u0627,\u20664×5\u2069"

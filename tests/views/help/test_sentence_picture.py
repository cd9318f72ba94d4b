"""A sentence drawn as a picture: where its lines break, and on which side they begin."""

import pytest
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage
from pytestqt.qtbot import QtBot

from meshgui.views.help.sentence_picture import picture_of


def picture(sentence: str, letters: int) -> QImage:
    """The sentence where a number of wide letters have room."""
    face = QFont("sans", 12)
    room = QFontMetricsF(face).horizontalAdvance("m" * letters)
    return picture_of(sentence, face, QColor("black"), width=room)


def test_lines_break_between_words(qtbot: QtBot):
    """Where six letters have room, two words of four stand in two lines that look alike."""
    drawn = picture("mmmm mmmm", 6)
    line = drawn.height() // 2
    assert drawn.copy(0, 0, drawn.width(), line) == drawn.copy(0, line, drawn.width(), line)


def test_a_word_that_is_too_long_breaks_anywhere(qtbot: QtBot):
    """Nothing of the path of a file is cut."""
    assert picture("m" * 12, 4).height() == 3 * picture("mmmm", 4).height()


@pytest.mark.parametrize(("word", "side"), [("mmm", "left"), ("\u0644\u0627\u0644\u0627", "right")])
def test_lines_begin_on_the_side_of_the_script(qtbot: QtBot, word: str, side: str):
    """Also where the first word is a name in another script."""
    drawn = picture(f"x: {word} {word} mmmm\n{word}", 8)
    last_line = range(drawn.height() * 4 // 5, drawn.height())
    ink = [x for x in range(drawn.width()) if any(drawn.pixelColor(x, y).alpha() for y in last_line)]
    assert (ink[0] < drawn.width() - 1 - ink[-1]) == (side == "left")

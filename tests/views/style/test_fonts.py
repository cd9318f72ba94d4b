"""The shipped faces."""

import pytest
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF, QRawFont

from meshgui.engine.basics.translation import PSEUDO_FROM_THE_RIGHT, speaking
from meshgui.views.style import fonts
from meshgui.views.style.fonts import ARABIC_FAMILY, MONO_FAMILY, TEXT_FAMILY, mono_font, text_font


@pytest.mark.usefixtures("qapp")
def test_the_shipped_faces_are_used():
    """Qt finds both faces instead of falling back to one of the system's."""
    assert QFontInfo(text_font(13)).family() == TEXT_FAMILY
    assert QFontInfo(mono_font(13)).family() == MONO_FAMILY


@pytest.mark.usefixtures("qapp")
def test_weights_are_real():
    """Regular, medium and semibold are different cuts, not synthetic ones."""
    weights = (QFont.Weight.Normal, QFont.Weight.Medium, QFont.Weight.DemiBold)
    widths = [QFontMetricsF(text_font(24, weight)).horizontalAdvance("allocation") for weight in weights]
    assert widths == sorted(set(widths))


@pytest.mark.usefixtures("qapp")
def test_figures_share_one_width():
    """Numbers do not jump when their digits change."""
    metrics = QFontMetricsF(text_font(15))
    assert len({metrics.horizontalAdvance(digit * 4) for digit in "0123456789"}) == 1


@pytest.mark.usefixtures("qapp")
def test_mono_has_no_ligatures():
    """Every character of pseudo-code takes one cell."""
    metrics = QFontMetricsF(mono_font(13))
    assert metrics.horizontalAdvance("<=") == metrics.horizontalAdvance("ab")


@pytest.mark.usefixtures("qapp")
def test_arabic_letters_have_a_face_where_they_are_read_and_only_there():
    """Inter and JetBrains Mono have none: theirs stands behind both, and English does not load it."""
    assert text_font(13).families() == [TEXT_FAMILY]
    assert ARABIC_FAMILY not in QFontDatabase.families()
    loader = fonts.load_fonts.__wrapped__
    with speaking(PSEUDO_FROM_THE_RIGHT):
        loader()
        never_asked_for = 97  # as fonts are kept
        assert text_font(never_asked_for).families() == [TEXT_FAMILY, ARABIC_FAMILY]
        assert set(fonts.shipped_families()) <= set(QFontDatabase.families())
    letters = set("ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأإئؤةى؟،؛")
    for weight in (QFont.Weight.Normal, QFont.Weight.Bold):
        raw = QRawFont.fromFont(QFont(ARABIC_FAMILY, 13, weight))
        assert raw.familyName() == ARABIC_FAMILY
        assert all(raw.supportsCharacter(ord(letter)) for letter in letters)

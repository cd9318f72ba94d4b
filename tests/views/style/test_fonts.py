"""The shipped faces."""

import pytest
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF

from meshgui.views.style.fonts import MONO_FAMILY, TEXT_FAMILY, mono_font, text_font


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

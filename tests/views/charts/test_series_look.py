"""Series of a chart are distinct: by colour in both themes and for every eye, and by a second sign."""

from itertools import combinations

import numpy as np
import pytest

from meshgui.model.scene.colours import contrast, from_hex
from meshgui.views.charts.series_look import (
    COLOUR_COUNT,
    series_colour,
    series_pen,
    series_signs,
    symbol_outline,
)
from meshgui.views.style.theme import DARK, LIGHT
from meshgui.views.style.theme_colours import EXPORT
from tests.model.scene.test_colours import SIGHT, oklab

LEAST = 0.045  # in OKLab; about 0.02 is just noticeable side by side


def seen(place, theme, sight):
    """What an eye makes of a series' colour."""
    srgb = np.array(series_colour(place, theme.name).getRgbF()[:3])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return oklab(np.clip(SIGHT[sight] @ linear, 0, 1))


@pytest.mark.parametrize("theme", [LIGHT, DARK, EXPORT], ids=["light", "dark", "export"])
def test_lines_are_seen_on_every_ground(theme):
    """Each colour has 3 to 1 on the panel, and on the window around it."""
    for place in range(COLOUR_COUNT):
        colour = from_hex(series_colour(place, theme.name).name())
        assert contrast(colour, theme.rgb("panel")) >= 3
        assert contrast(colour, theme.rgb("window")) >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_colours_differ_for_every_eye(theme, sight):
    """Any two of the eight colours keep a least distance for normal sight and every dichromacy."""
    colours = [seen(place, theme, sight) for place in range(COLOUR_COUNT)]
    assert min(np.linalg.norm(a - b) for a, b in combinations(colours, 2)) >= LEAST


def test_series_differ_in_colour_or_in_symbol_and_dash():
    """Eight share neither a colour nor a symbol; of thirty-two, those of one colour share no other sign."""
    signs = [series_signs(place) for place in range(32)]
    colours, symbols, _ = (set(kind) for kind in zip(*signs[:8], strict=True))
    assert (len(colours), len(symbols)) == (8, 8)
    for (colour, symbol, dash), other in combinations(signs, 2):
        assert colour != other[0] or (symbol != other[1] and dash != other[2])
    assert not series_pen(0, "light", 2.0).dashPattern()
    assert series_pen(8, "light", 2.0).dashPattern()
    for place in range(8):
        box = symbol_outline(place, 4.0).boundingRect()
        assert 7 <= max(box.width(), box.height()) <= 11.5

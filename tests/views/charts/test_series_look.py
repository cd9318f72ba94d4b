"""Series of a chart are told apart: by colour in both themes and for every eye, and by a second sign."""

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

# Machado, Oliveira and Fernandes (2009), severity 1, applied to linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
LEAST = 0.045  # in OKLab; about 0.02 is just noticeable side by side


def oklab(linear):
    """OKLab of a row of linear RGB."""
    to_lms = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566]]
    to_lms.append([0.0883024619, 0.2817188376, 0.6299787005])
    to_lab = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099]]
    to_lab.append([0.0259040371, 0.7827717662, -0.8086757660])
    return np.array(to_lab) @ np.cbrt(np.array(to_lms) @ linear)


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

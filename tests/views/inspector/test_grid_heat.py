"""Heat maps and curves on the inspector's grids."""

import numpy as np
import pytest

from meshgui.engine.allocation.inspection import Grid, GridValue, Heat
from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import Mesh
from meshgui.model.scene.colours import contrast, luminance, to_hex
from meshgui.model.scene.heat import amounts, heat_colours
from meshgui.model.stepping.pin import Pin
from meshgui.views.inspector.grid_panel import GridPanel
from meshgui.views.style.theme import DARK, LIGHT

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
HEAT = Heat("busy neighbours", 0, 8)
BUSY = GridValue(-1, "busy", Role.BLOCKED)


FREE = (GridValue(0, "free", Role.NOTHING),)


@pytest.fixture
def panel(qtbot, selection, themes):
    """A grid panel on the screen."""
    made = GridPanel(selection, Pin(selection), themes)
    qtbot.addWidget(made)
    made.resize(300, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def colour_at(panel, *node):
    """What colour a cell has, beside its middle."""
    image, ratio = panel.grab().toImage(), panel.devicePixelRatioF()
    at = panel.cell_rect(*node).topLeft() * ratio
    return image.pixelColor(int(at.x() + 4 * ratio), int(at.y() + 4 * ratio)).name()


def near(colour, rgb):
    """Whether a colour is another one but for rounding."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return np.allclose(parts, rgb, atol=2 / 255)


@THEMES
def test_the_ramp_goes_one_way_and_what_is_high_stands_out_most(theme):
    """Lightness alone tells more from less, which every eye sees, and no part of the ramp looks flat."""
    colours = [tuple(colour) for colour in heat_colours(np.arange(9), HEAT, theme).tolist()]
    light = list(map(luminance, colours))
    assert light == sorted(light, reverse=theme is LIGHT)
    ratios = [contrast(colour, theme.rgb("panel")) for colour in colours]
    assert ratios[-1] == max(ratios) > 10
    assert ratios[0] < 2.5
    steps = np.abs(np.diff(np.cbrt(light)))
    assert steps.min() > 0.5 * steps.max()


def test_amounts_beyond_the_ends_look_like_the_ends():
    """And a heat map of one amount only is no error."""
    colours = heat_colours(np.array([-5, 0, 8, 99]), HEAT, LIGHT)
    assert np.array_equal(colours[0], colours[1])
    assert np.array_equal(colours[2], colours[3])
    assert heat_colours(np.array([3]), Heat("n", 3, 3), LIGHT).shape == (1, 3)


def test_numbers_the_legend_names_keep_their_colour(panel):
    """All others take the ramp's; the tooltip says the amount, or the meaning where the legend has one."""
    grid = Grid("Scores", np.array([[[0, 8], [-1, 4]]], dtype=np.int32), (BUSY,), HEAT)
    panel.show_data(grid, Mesh((2, 2)))
    assert amounts(grid).tolist() == [[[True, True], [False, True]]]
    low, middle, high = heat_colours(np.array([0, 4, 8]), HEAT, LIGHT).tolist()
    for node, rgb in (((0, 0, 0), low), ((1, 0, 0), high), ((1, 1, 0), middle)):
        assert near(colour_at(panel, *node), rgb)
    assert colour_at(panel, 0, 1, 0) == LIGHT.blocked
    assert to_hex(tuple(low)) == LIGHT.heat_low
    assert panel.words((1, 0, 0)) == "(1,0): busy neighbours 8"
    assert panel.words((0, 1, 0)) == "(0,1): busy"


def test_a_path_is_drawn_through_the_middles_of_its_cells(panel):
    """Where it does not go, nothing is drawn."""
    values = np.zeros((1, 4, 4), dtype=np.int32)
    path = np.array([(0, 0, 0), (3, 0, 0), (3, 3, 0)], dtype=np.float32)

    def middles(**more):
        panel.show_data(Grid("Pages", values, FREE, **more), Mesh((4, 4)))
        image, ratio = panel.grab().toImage(), panel.devicePixelRatioF()
        at = {(x, y): panel.cell_rect(x, y, 0).center() * ratio for x in range(4) for y in range(4)}
        return {node: image.pixelColor(place.x(), place.y()) for node, place in at.items()}

    before, after = middles(), middles(path=path)
    changed = {node for node in before if before[node] != after[node]}
    assert changed == {(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3)}
    # Through several layers each shows its own part; an empty path shows nothing
    values = np.zeros((2, 2, 2), dtype=np.int32)
    for path in ([(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1)], []):
        places = np.array(path, dtype=np.float32).reshape(-1, 3)
        panel.show_data(Grid("Pages", values, FREE, path=places), Mesh((2, 2, 2)))
        assert not panel.grab().isNull()


def test_the_board_makes_room_for_the_ramp_and_its_long_name(panel):
    """The ramp has its line in the legend; a name that would be cut off goes below, in a line of its own."""
    values, mesh = np.zeros((1, 40, 2), dtype=np.int32), Mesh((2, 40))
    named = (GridValue(7, "seven", Role.NOTHING),)
    panel.show_data(Grid("Scores", values, named), mesh)
    plain = panel.cell_rect(0, 0, 0)
    panel.show_data(Grid("Scores", values, named, HEAT), mesh)
    assert panel.cell_rect(0, 0, 0).bottom() < plain.bottom()
    heat = Heat("average distance, in hundredths", 133, 200)
    panel.show_data(Grid("Near", np.zeros((1, 4, 4), dtype=np.int32), (BUSY,), heat=heat), Mesh((4, 4)))
    panel.resize(320, 300)
    narrow = panel.minimumHeight()
    panel.resize(700, 300)
    assert panel.minimumHeight() < narrow

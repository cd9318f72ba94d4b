"""A heat map and a path that a strategy offers are drawn over the mesh, in both views."""

from dataclasses import replace

import numpy as np
import pytest

from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.held_processors import FREE
from meshgui.engine.allocation.inspection import Grid, GridValue, Heat, Inspection
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.allocation.steps import Role
from meshgui.model.selection import Selection
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.scene.builder import build_scene
from meshgui.views.mesh.scene.slicing import Slice
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.mesh.solid.layout import Layout
from meshgui.views.mesh.solid.space import Space
from meshgui.views.style.heat import heat_colours
from meshgui.views.style.theme import LIGHT
from tests.views.mesh.mesh_fixtures import after_all_started, inside_attempt, pixels, place_of

HEAT = Heat("distance", 0, 9)


class Warm(FirstFit):
    """Offers the sum of its coordinates for each free processor, and a path through the first row."""

    id = "warm"
    title = "Warm"

    def inspect(self, moment):
        """The heat and the path."""
        held = moment.state["held"]
        values = np.where(held == FREE, np.indices(held.shape).sum(axis=0), -1).astype(np.int32)
        grid = Grid("Distance", values, (GridValue(-1, "busy", Role.BLOCKED),), HEAT)
        path = np.array([(x, 0, 0) for x in range(held.shape[2])], dtype=np.float32)
        return Inspection((), (), "", path=path, heat=grid)


@pytest.fixture
def started(monkeypatch):
    """A machine of a given shape on which one job runs in the corner."""
    monkeypatch.setitem(strategies(), "warm", Warm)

    def start(*shape):
        return after_all_started(shape, [(2,) * len(shape)], "warm")

    return start


def scene_of(cursor, **options):
    """What is drawn."""
    return build_scene(cursor.view, Selection(), LIGHT, **options)


def test_the_free_processors_have_their_heat_s_colour(started):
    """Those that jobs hold have none."""
    scene = scene_of(started(4, 3))
    cells = {tuple(cell): tuple(c) for cell, c in zip(scene.heat.tolist(), scene.heat_colours, strict=True)}
    assert set(cells) == {(x, y, 0) for x in range(4) for y in range(3)} - {
        (x, y, 0) for x in (0, 1) for y in (0, 1)
    }
    for (x, y, z), colour in cells.items():
        assert np.allclose(colour, heat_colours(np.array([x + y + z]), HEAT, LIGHT)[0])


def test_a_3d_mesh_shows_heat_in_its_dots_and_a_2d_one_in_its_cells(started):
    """In 3D cells would hide each other."""
    solid = scene_of(started(3, 3, 3))
    by_node = {tuple(node): c for node, c in zip(solid.dots.tolist(), solid.dot_colours, strict=True)}
    for node, colour in zip(solid.heat.tolist(), solid.heat_colours, strict=True):
        assert np.allclose(by_node[tuple(node)], [*colour, 1.0])
    assert len(Layout(solid, Space(solid.mesh)).solids(glass=False)) == 1  # the job's box
    flat = scene_of(started(4, 3))
    assert len(Layout(flat, Space(flat.mesh)).solids(glass=False)) == 1 + len(flat.heat)


def test_the_path_goes_through_the_middles_and_is_cut_by_a_slice(started):
    """Exploded layers take it with them."""
    scene = scene_of(started(4, 3, 2))
    lines = Layout(scene, Space(scene.mesh)).outlines()
    assert lines[:, :6].tolist() == [[x + 0.5, 0.5, 0.5, x + 1.5, 0.5, 0.5] for x in range(3)]
    cut = Layout(scene, Space(scene.mesh, Slice(0, 1, 2))).outlines()
    assert cut[:, :6].tolist() == [[1.5, 0.5, 0.5, 2.5, 0.5, 0.5]]
    assert len(Layout(scene, Space(scene.mesh, Slice(1, 1, 2))).outlines()) == 0


def test_on_a_2d_mesh_the_path_lies_on_top(started):
    """Boxes do not hide it; First Fit offers neither heat nor path."""
    scene = scene_of(started(4, 3))
    layout = Layout(scene, Space(scene.mesh))
    assert layout.outlines()[:, 2].min() > layout.high[:, 2].max()
    without = scene_of(after_all_started((4, 4), [(2, 2)]))
    assert (len(without.heat), len(without.path)) == (0, 0)


def near(image, at, colour):
    """Whether a pixel has a colour, but for rounding."""
    pixel = image.pixelColor(round(at[0]), round(at[1]))
    return np.allclose([pixel.redF(), pixel.greenF(), pixel.blueF()], colour, atol=3 / 255)


def test_the_flat_view_colours_cells_and_draws_the_path(started, build):
    """A cell's colour shows beside its dot; along the first row runs the line."""
    view = build(MeshFlat, started(4, 4), (400, 400))
    image = view.grab_image(view.size())
    corner = place_of(view, 0)  # the middle of the job's box, which is two cells wide
    cell = (400 - 2 * 36) / 4
    beside = (corner.x() + 1.75 * cell, corner.y() - 1.25 * cell)
    assert near(image, beside, heat_colours(np.array([2 + 2]), HEAT, LIGHT)[0])
    on_the_path = (corner.x() + 1.25 * cell, corner.y() + cell / 2)
    assert not near(image, on_the_path, heat_colours(np.array([2]), HEAT, LIGHT)[0])


def test_the_3d_view_draws_them_as_well(started, build, opengl):
    """Tiles on a 2D mesh."""
    view = build(MeshGL, started(4, 4), (400, 400))
    view.set_camera_view("top", animated=False)
    seen = pixels(view.grab_image(view.size()))[::3, ::3]
    for colour in heat_colours(np.arange(2, 7), HEAT, LIGHT):
        assert np.isclose(seen, colour * 255, atol=3).all(axis=2).any()


class Judging(Warm):
    """Has judged the last processor of the first row as well."""

    id = "judging"

    def inspect(self, moment):
        """The heat and the path."""
        warm = super().inspect(moment)
        values = warm.heat.values.copy()
        values[0, 0, -1] = 99
        legend = (*warm.heat.legend, GridValue(99, "no base", Role.PROHIBITED))
        grid = replace(warm.heat, values=values, legend=legend)
        return replace(warm, panels=(grid,), heat=grid)


def test_a_heat_map_leaves_the_other_numbers_their_dots(monkeypatch):
    """Inside an attempt a processor that can be no base has its mark and no heat."""
    monkeypatch.setitem(strategies(), "judging", Judging)
    scene = scene_of(inside_attempt((4, 4), [(2, 2), (3, 2)], "judging"))
    row = scene.dots.tolist().index([3, 0, 0])
    assert np.allclose(scene.dot_colours[row, :3], LIGHT.rgb("prohibited"))
    assert [3, 0, 0] not in scene.heat.tolist()
    assert [2, 0, 0] in scene.heat.tolist()

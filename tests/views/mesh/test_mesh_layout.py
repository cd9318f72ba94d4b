"""Slicing, exploding and picking move and hit the boxes they should."""

from dataclasses import replace

import numpy as np
import pytest

from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.held_processors import FREE
from meshgui.engine.allocation.inspection import Grid, GridValue, Heat, Inspection
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.model.scene.heat import heat_colours
from meshgui.model.scene.mesh_scene import box_grid, build_scene
from meshgui.model.scene.slicing import Slice, cut_boxes
from meshgui.model.scene.solid_layout import Layout, buried
from meshgui.model.scene.space import Space
from meshgui.model.stepping.selection import Selection
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.style.theme import LIGHT
from tests.views.mesh.mesh_fixtures import after_all_started, cursor_of, inside_attempt, pixels, place_of


def layout_of(shape, sizes, cut=None, explode=0.0):
    """The layout of a machine on which all jobs run."""
    scene = build_scene(after_all_started(shape, sizes).view, Selection(), LIGHT)
    return Layout(scene, Space(scene.mesh, cut, explode))


def test_a_slice_cuts_boxes_and_exploding_parts_them():
    """A box that the slice crosses is cut at it; one beyond it is gone."""
    boxes = np.array([(0, 0, 0, 2, 2, 4), (0, 0, 5, 1, 1, 1)], dtype=np.int16)
    low, high, rows = cut_boxes(boxes, Slice(2, 1, 2), layered=False)
    assert rows.tolist() == [0]
    assert low.tolist() == [[0, 0, 1]]
    assert high.tolist() == [[2, 2, 3]]
    # A box of three layers becomes three pieces with equal gaps between them
    layout = layout_of((4, 4, 4), [(2, 2, 3)], explode=1.0)
    assert layout.rows.tolist() == [0, 0, 0]
    gaps = layout.low[1:, 2] - layout.high[:-1, 2]
    assert gaps.min() > 1.0
    assert gaps[0] == pytest.approx(gaps[1])


def test_a_ray_hits_the_nearest_box_that_is_shown():
    """Of two behind each other the first, from the other side the second; through what is sliced off."""
    jobs, forwards = [(1, 1, 1), (2, 1, 1)], np.array([1.0, 0.0, 0.0])
    layout = layout_of((4, 1, 1), jobs)
    assert layout.pick(np.array([-5.0, 0.5, 0.5]), forwards) == 0
    assert layout.pick(np.array([9.0, 0.5, 0.5]), -forwards) == 1
    assert layout.pick(np.array([-5.0, 3.5, 0.5]), forwards) is None
    sliced = layout_of((4, 1, 1), jobs, cut=Slice(0, 1, 3))
    assert sliced.pick(np.array([-5.0, 0.5, 0.5]), forwards) == 1
    assert layout.low[1, 0] > layout.high[0, 0]  # a gap between them, so that two never look like one


def test_only_what_no_box_hides_is_in_sight():
    """The face turned to the eye is seen; the one behind another box is not."""
    layout = layout_of((4, 1, 1), [(1, 1, 1), (1, 1, 1), (1, 1, 1)])
    eye = np.array([20.0, 0.5, 0.5])
    faces = layout.high.astype(float)[:, :] * [1, 0, 0] + [0, 0.5, 0.5]
    assert layout.in_sight(faces, eye).tolist() == [False, False, True]
    # A box does not hide its own places: seen at a grazing angle a face stays in sight
    layout = layout_of((4, 4, 4), [(4, 4, 2)])
    place, eye = np.array([[2.0, 2.0, 1.9]]), np.array([40.0, 2.0, 2.4])
    assert layout.in_sight(place, eye, np.array([0])).tolist() == [True]
    # The mark of the box that a job gets counts among the boxes, after those held
    cursor = inside_attempt((4, 1, 1), [(1, 1, 1), (1, 1, 1)], "ff")
    scene = build_scene(cursor.view, Selection(), LIGHT)
    layout = Layout(scene, Space(scene.mesh))
    assert layout.occupied.ravel().tolist() == [0, 1, -1, -1]
    assert layout.numbered.jobs.tolist() == [0, 1]
    held_face = np.array([[0.93, 0.5, 0.5]])
    assert layout.in_sight(held_face, np.array([20.0, 0.5, 0.5]), np.array([0])).tolist() == [False]
    cut = Layout(scene, Space(scene.mesh, Slice(0, 0, 0)))
    assert cut.occupied.ravel().tolist() == [0, -1, -1, -1]


def test_only_boxes_with_neighbours_all_around_are_buried():
    """In a full 3×3×3 mesh only the middle is; take one neighbour away and none is."""
    cells = [(x, y, z, 1, 1, 1) for z in range(3) for y in range(3) for x in range(3)]
    boxes = np.array(cells, dtype=np.int16)
    mesh = Mesh((3, 3, 3))
    hidden = buried(box_grid(mesh, boxes), np.arange(27))
    assert np.flatnonzero(hidden).tolist() == [13]
    assert not buried(box_grid(mesh, boxes[:-10]), np.arange(17)).any()


def test_no_two_solids_share_a_plane_with_a_mark():
    """Held boxes, the box placed and other marks keep different distances from the borders of their cells."""
    cursor = inside_attempt((4, 4, 4), [(2, 2, 2), (2, 2, 2)], "tbl")
    selection = Selection()
    selection.point_out(Mark(Role.TRIED, Box(2, 0, 0, 2, 2, 2), (0, 0, 0)))
    scene = build_scene(cursor.view, selection, LIGHT)
    layout = Layout(scene, Space(scene.mesh))
    planes = {}
    for rows in (layout.solids(glass=False), layout.solids(glass=True)):
        for row in rows:
            planes.setdefault(row[9] < 1.0, set()).update(np.round(row[:6] % 1, 3).tolist())
    assert not planes[False] & planes[True]


def test_of_free_nodes_those_on_the_walls_turned_away_are_shown():
    """In 3D the nodes at the back and on the ground, so that none lies before another; in 2D all."""
    layout = layout_of((4, 4, 4), [(4, 4, 1)])
    _, rows = layout.free_points(np.array([0.6, -0.6, 0.5]))
    x, y, z = layout.scene.dots[rows].T
    assert len(rows) == 12 + 12 - 3
    assert ((x == 0) | (y == 3) | (z == 0)).all()
    flat = layout_of((4, 4), [(4, 1)])
    assert len(flat.free_points(np.array([0.0, 0.0, 1.0]))[1]) == 12
    # Of a small empty mesh all are shown: there is no box that they could seem to lie in
    for shape, shown in (((4, 4, 4), 4**3), ((16, 16, 16), 16**3 - 15**3)):
        scene = build_scene(cursor_of(shape, [(1, 1, 1)]).view, Selection(), LIGHT)
        assert len(Layout(scene, Space(scene.mesh)).free_points(np.array([0.6, -0.6, 0.5]))[1]) == shown


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
    # A 3D mesh shows heat in its dots, where cells would hide each other, and a 2D one in its cells
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
    # On a 2D mesh it lies on top, and boxes do not hide it; First Fit offers neither heat nor path
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

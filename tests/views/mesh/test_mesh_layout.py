"""Slicing, exploding and picking move and hit the boxes they should."""

import numpy as np
import pytest

from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.model.selection import Selection
from meshgui.views.mesh.scene.builder import box_grid, build_scene
from meshgui.views.mesh.scene.slicing import Slice, cut_boxes
from meshgui.views.mesh.solid.layout import Layout, buried
from meshgui.views.mesh.solid.space import Space
from meshgui.views.style.theme import LIGHT
from tests.views.mesh.mesh_fixtures import after_all_started, cursor_of, inside_attempt


def layout_of(shape, sizes, cut=None, explode=0.0):
    """The layout of a machine on which all jobs run."""
    scene = build_scene(after_all_started(shape, sizes).view, Selection(), LIGHT)
    return Layout(scene, Space(scene.mesh, cut, explode))


def test_a_slice_cuts_boxes_and_drops_what_lies_outside():
    """A box that the slice crosses is cut at it; one beyond it is gone."""
    boxes = np.array([(0, 0, 0, 2, 2, 4), (0, 0, 5, 1, 1, 1)], dtype=np.int16)
    low, high, rows = cut_boxes(boxes, Slice(2, 1, 2), layered=False)
    assert rows.tolist() == [0]
    assert low.tolist() == [[0, 0, 1]]
    assert high.tolist() == [[2, 2, 3]]


def test_exploding_parts_a_box_into_its_layers():
    """A box of three layers becomes three pieces with equal gaps between them."""
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


def test_only_boxes_with_neighbours_all_around_are_buried():
    """In a full 3×3×3 mesh only the middle is; take one neighbour away and none is."""
    cells = [(x, y, z, 1, 1, 1) for z in range(3) for y in range(3) for x in range(3)]
    boxes = np.array(cells, dtype=np.int16)
    mesh = Mesh((3, 3, 3))
    hidden = buried(box_grid(mesh, boxes), np.arange(27))
    assert np.flatnonzero(hidden).tolist() == [13]
    assert not buried(box_grid(mesh, boxes[:-10]), np.arange(17)).any()


def test_a_box_does_not_hide_its_own_places():
    """Seen at a grazing angle a face stays in sight past the rest of its own box."""
    layout = layout_of((4, 4, 4), [(4, 4, 2)])
    place, eye = np.array([[2.0, 2.0, 1.9]]), np.array([40.0, 2.0, 2.4])
    assert layout.in_sight(place, eye, np.array([0])).tolist() == [True]


def test_a_box_just_placed_hides_what_lies_behind_it():
    """The mark of the box that a job gets counts among the boxes, after those held."""
    cursor = inside_attempt((4, 1, 1), [(1, 1, 1), (1, 1, 1)], "ff")
    scene = build_scene(cursor.view, Selection(), LIGHT)
    layout = Layout(scene, Space(scene.mesh))
    assert layout.occupied.ravel().tolist() == [0, 1, -1, -1]
    assert layout.numbered.jobs.tolist() == [0, 1]
    held_face = np.array([[0.93, 0.5, 0.5]])
    assert layout.in_sight(held_face, np.array([20.0, 0.5, 0.5]), np.array([0])).tolist() == [False]
    cut = Layout(scene, Space(scene.mesh, Slice(0, 0, 0)))
    assert cut.occupied.ravel().tolist() == [0, -1, -1, -1]


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


def test_all_nodes_of_a_small_empty_mesh_are_shown():
    """There is no box that they could seem to lie in; of a large one again those on the walls."""
    for shape, shown in (((4, 4, 4), 4**3), ((16, 16, 16), 16**3 - 15**3)):
        scene = build_scene(cursor_of(shape, [(1, 1, 1)]).view, Selection(), LIGHT)
        assert len(Layout(scene, Space(scene.mesh)).free_points(np.array([0.6, -0.6, 0.5]))[1]) == shown

"""Slicing, exploding and picking move and hit the boxes they should."""

import numpy as np
import pytest

from meshgui.engine.geometry import Mesh
from meshgui.model.selection import Selection
from meshgui.views.mesh.scene.builder import box_grid, build_scene
from meshgui.views.mesh.scene.slicing import Slice, cut_boxes
from meshgui.views.mesh.solid.layout import Layout, Space, buried
from meshgui.views.style.theme import LIGHT

from .mesh_fixtures import after_all_started


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


def test_a_ray_hits_the_nearest_box():
    """Of two boxes behind each other the first is picked, and from the other side the second."""
    layout = layout_of((4, 1, 1), [(1, 1, 1), (2, 1, 1)])
    forwards = np.array([1.0, 0.0, 0.0])
    assert layout.pick(np.array([-5.0, 0.5, 0.5]), forwards) == 0
    assert layout.pick(np.array([9.0, 0.5, 0.5]), -forwards) == 1
    assert layout.pick(np.array([-5.0, 3.5, 0.5]), forwards) is None


def test_what_is_sliced_off_is_not_picked():
    """With the nearer box cut off, the ray goes through to the next."""
    layout = layout_of((4, 1, 1), [(1, 1, 1), (2, 1, 1)], cut=Slice(0, 1, 3))
    assert layout.pick(np.array([-5.0, 0.5, 0.5]), np.array([1.0, 0.0, 0.0])) == 1


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


def test_neighbouring_boxes_stand_apart():
    """There is a gap between boxes that touch in the mesh, so that two never look like one."""
    layout = layout_of((4, 1, 1), [(1, 1, 1), (2, 1, 1)])
    assert layout.low[1, 0] > layout.high[0, 0]

"""Idle links are drawn as far as there is room for them, and a few lines stand for all of them."""

import numpy as np
import pytest

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.routing import WAYS
from meshgui.views.mesh.scene.network.idle_links import (
    channels_near,
    idle_apart,
    idle_channels,
    idle_rows,
    idle_strength,
)
from meshgui.views.mesh.solid.space import Space
from meshgui.views.style.theme import LIGHT


def whole(mesh):
    """All of a mesh."""
    return tuple((0, extent - 1) for extent in mesh.extents)


@pytest.mark.parametrize("shape", [(5, 3), (3, 4, 5), (1, 4), (1, 1)])
def test_rows_of_nodes_cover_every_link(shape):
    """Each link lies on exactly one of the lines, and there is a line for each row of nodes."""
    mesh = Mesh(shape)
    rows = idle_rows(mesh, LIGHT, whole(mesh))
    assert len(rows.starts) == sum(mesh.processors // side for side in shape if side > 1)
    lanes = idle_channels(mesh, LIGHT)
    middles = np.rint(lanes.starts + lanes.ends) / 2  # between two nodes
    low, high = rows.starts[None], rows.ends[None]
    on = ((middles[:, None] >= low) & (middles[:, None] <= high)).all(axis=2)
    assert (on.sum(axis=1) == 1).all()


def test_a_slice_shortens_rows_and_leaves_others_out():
    """Across one layer of a cube there are no rows, along it those of a square."""
    rows = idle_rows(Mesh((4, 4, 4)), LIGHT, ((0, 3), (0, 3), (2, 2)))
    assert len(rows.starts) == 8
    assert set(rows.starts[:, 2]) == set(rows.ends[:, 2]) == {2}


def test_links_fade_where_nodes_are_small_and_where_too_many_lie_behind_each_other():
    """Nothing is seen of them in a few pixels; in a large cube one needs a slice."""
    square, cube = Mesh((64, 64)), Mesh((32, 32, 32))
    assert idle_strength(square, 4.0, whole(square)) == 0.0
    assert 0.0 < idle_strength(square, 12.0, whole(square)) < 1.0
    assert idle_strength(square, 60.0, whole(square)) == 1.0
    assert idle_strength(cube, 60.0, whole(cube)) == 0.0
    assert idle_strength(cube, 60.0, ((0, 31), (0, 31), (5, 5))) == 1.0


def test_idle_links_of_a_large_cube_lie_on_the_walls_behind_it():
    """Those within it would be a moiré; a small cube shows all of them, and so does an exploded one."""
    back = np.array([0.6, -0.6, 0.5])
    large, small = Mesh((8, 8, 8)), Mesh((4, 4, 4))
    for links in (idle_rows(large, LIGHT, whole(large)), idle_channels(large, LIGHT)):
        shown = Space(large).in_the_open(links, back)
        places = np.rint((shown.starts, shown.ends))
        assert ((places == (0, 7, 0)).all(axis=0).any(axis=1)).all()
        assert 0 < len(shown.starts) < len(links.starts) / 3
        assert Space(large, None, 1.0).in_the_open(links, back) is links
    every = idle_rows(small, LIGHT, whole(small))
    assert Space(small).in_the_open(every, back) is every


def test_both_directions_are_drawn_where_they_can_be_told_apart():
    """Near enough, and not where so many lines would slow the eye."""
    assert not idle_apart(Mesh((8, 8)), 30.0)
    assert idle_apart(Mesh((8, 8)), 90.0)
    assert not idle_apart(Mesh((32, 32, 32)), 500.0)


def test_links_near_some_nodes_are_those_that_leave_them():
    """A corner of a square has two."""
    assert sorted(channels_near(Mesh((3, 3)), np.array([0])).channels) == [0, 2]
    assert len(channels_near(Mesh((3, 3)), np.array([4])).channels) == 4
    assert set(channels_near(Mesh((3, 3)), np.array([4])).channels // WAYS) == {4}

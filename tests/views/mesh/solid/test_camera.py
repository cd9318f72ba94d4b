"""The camera turns without tumbling, fits what it is given, and sends its rays where it projects."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.views.mesh.solid.camera import VIEWS, Camera, Pose, fitted, in_between

angles = st.floats(-400, 400)
poses = st.builds(Pose, st.floats(-180, 180), st.floats(-90, 90), st.just((1.0, 2.0, 3.0)), st.floats(2, 40))


@given(poses, st.lists(st.tuples(angles, angles), max_size=8))
def test_up_is_never_lost(pose, turns):
    """However it is turned, up on the screen never points down in the mesh, and the eye stays level."""
    for turn in turns:
        pose = pose.turned(*turn)
    camera = Camera(pose, 1.5)
    axes = np.array([camera.right, camera.up, camera.back])
    assert camera.up[2] >= -1e-12
    assert camera.right[2] == 0.0
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-9)


@given(poses, st.floats(-1, 1), st.floats(-1, 1))
def test_a_ray_ends_where_it_is_projected(pose, x, y):
    """Every point of a ray is projected to the point of the picture it was sent through."""
    camera = Camera(pose, 1.5)
    start, direction = camera.ray(x, y)
    seen = camera.project((start + camera.distance * direction)[None])[0]
    np.testing.assert_allclose(seen[:2], (x, y), atol=1e-6)


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("aspect", [0.4, 1.0, 2.5])
def test_a_fitted_view_shows_all_within_its_margins(name, aspect):
    """No corner of the mesh lies in the margins, and some corner touches them."""
    size = (8.0, 4.0, 6.0)
    camera = Camera(fitted(*VIEWS[name], size, aspect, (0.1, 0.2)), aspect)
    corners = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)]) * size
    reach = np.abs(camera.project(corners)[:, :2]).max(axis=0) / (0.8, 0.6)
    assert reach.max() == pytest.approx(1.0, abs=0.01)


def test_looking_along_an_axis_keeps_cells_square():
    """From above, equal lengths at the bottom and at the top of the mesh look equally long."""
    camera = Camera(fitted(*VIEWS["top"], (8.0, 8.0, 8.0), 1.0), 1.0)
    edges = np.array([[0, 0, 0], [8, 0, 0], [0, 0, 8], [8, 0, 8]], dtype=float)
    seen = camera.project(edges)
    assert seen[1, 0] - seen[0, 0] == pytest.approx(seen[3, 0] - seen[2, 0], rel=0.02)


def test_from_above_x_runs_right_and_y_runs_up():
    """The top view is a chess diagram with its first square at the lower left."""
    camera = Camera(fitted(*VIEWS["top"], (8.0, 8.0, 1.0), 1.0), 1.0)
    origin, right, up = camera.project(np.array([[0, 0, 1], [8, 0, 1], [0, 8, 1]], dtype=float))
    assert right[0] > origin[0]
    assert up[1] > origin[1]


@given(poses, st.floats(1.05, 3), st.floats(-0.6, 0.6), st.floats(-0.4, 0.4))
def test_zooming_keeps_the_point_under_the_pointer(pose, factor, right, up):
    """What lies under the pointer at the target's distance stays there."""
    camera = Camera(pose, 1.5)
    point = np.array(pose.target) + (camera.right * right + camera.up * up) * pose.extent
    nearer = Camera(pose.zoomed(factor, right, up), 1.5)
    np.testing.assert_allclose(
        nearer.project(point[None])[0, :2], camera.project(point[None])[0, :2], atol=1e-6
    )


def test_a_turn_takes_the_short_way():
    """From 170° to -170° it is 20° over the back, not 340° over the front."""
    start, end = (Pose(azimuth, 0.0, (0.0, 0.0, 0.0), 1.0) for azimuth in (170.0, -170.0))
    assert in_between(start, end, 0.5).azimuth == pytest.approx(180.0)

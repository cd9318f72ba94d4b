"""The mesh as SVG and PDF is made of shapes, and looks as in pixels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from meshgui.model.scene.camera import VIEWS, Camera, Pose, fitted, in_between
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.mesh.solid.painter import far_to_near
from tests.networks import crowd
from tests.views.mesh.mesh_fixtures import SOLIDS, after_all_started, inside_attempt, pixels
from tests.views.reading import svg_texts

SIZE = QSize(500, 400)


def crowded():
    """A cursor in the middle of a run with a network."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    cursor.show(crowd())
    cursor.go_to_time(40.0)
    return cursor


SCENES = {
    "solids": lambda: after_all_started((4, 4, 4), SOLIDS),
    "attempt": lambda: inside_attempt((4, 4, 4), SOLIDS, "tbl"),
    "from above": lambda: after_all_started((8, 8), [(3, 3), (2, 4), (5, 1)]),
    "network": crowded,
}


def image_of(path):
    """A picture as an array; an SVG is drawn."""
    if path.suffix == ".svg":
        image = QImage(SIZE, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        QSvgRenderer(str(path)).render(painter)
        painter.end()
    else:
        image = QImage(str(path))
    return pixels(image)


def written(view, folder, *endings):
    """The mesh as files of some kinds."""
    (picture,) = view.pictures()
    paths = [folder / f"p.{ending}" for ending in endings]
    for path in paths:
        write_picture(path, picture.paint, SIZE, title=picture.title)
    return paths


def look_alike(lines, points):
    """Whether what is made of shapes looks like what is made of pixels."""
    return np.abs(image_of(lines) - image_of(points)).mean() < 4.0


@pytest.mark.parametrize("flat", [False, True], ids=["solid", "flat"])
@pytest.mark.parametrize("scene", SCENES)
def test_in_lines_it_looks_as_in_pixels(opengl, panel, tmp_path, scene, flat):
    """The same colours in the same places, the same words, and no pixels in the file."""
    view = panel(SCENES[scene](), SIZE.toTuple())
    if flat:
        view.toggle_flat()
    svg, png, pdf = written(view, tmp_path, "svg", "png", "pdf")
    assert look_alike(svg, png)
    assert "<image" not in svg.read_text("utf-8")
    assert b"/Subtype /Image" not in pdf.read_bytes()
    assert "x" in svg_texts(svg)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), eye=st.tuples(*[st.floats(-40.0, 40.0)] * 3))
def test_no_box_is_drawn_over_one_before_it(seed, eye):
    """Along any ray that hits several boxes, those farther away come earlier."""
    rng = np.random.default_rng(seed)
    cells = rng.permutation(64)[:20]
    low = np.stack((cells % 4, cells // 4 % 4, cells // 16), axis=1).astype(np.float32) * 2
    high = low + rng.uniform(0.5, 2.0, low.shape).astype(np.float32)
    at = np.array(eye)
    if (at > -1).all() and (at < 9).all():
        at[2] = 30.0
    back = at - 4.0
    order = far_to_near(low, high, at, back / np.linalg.norm(back))
    assert sorted(order.tolist()) == list(range(20))
    rank = np.argsort(order)
    for target in rng.uniform(0, 8, (80, 3)):
        way = target - at
        safe = np.where(np.abs(way) < 1e-9, 1e-9, way)
        one, two = (low - at) / safe, (high - at) / safe
        enter, leave = np.minimum(one, two).max(axis=1), np.maximum(one, two).min(axis=1)
        hit = np.flatnonzero((enter < leave - 1e-6) & (leave > 0))
        near_first = hit[np.argsort(enter[hit])]
        assert (np.diff(rank[near_first]) < 0).all()


def test_a_mark_inside_the_box_placed_is_not_drawn_over_it(opengl, panel, tmp_path):
    """As in pixels, what is solid hides what lies in it; only its outline shows faintly."""
    cursor = inside_attempt((8, 8, 8), [(3, 3, 3), (2, 4, 2), (5, 1, 3)], "tbl")
    assert look_alike(*written(panel(cursor, SIZE.toTuple()), tmp_path, "svg", "png"))


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


def test_from_above_cells_are_square_and_a_turn_takes_the_short_way():
    """From above, equal lengths at the bottom and at the top of the mesh look equally long."""
    camera = Camera(fitted(*VIEWS["top"], (8.0, 8.0, 8.0), 1.0), 1.0)
    edges = np.array([[0, 0, 0], [8, 0, 0], [0, 0, 8], [8, 0, 8]], dtype=float)
    seen = camera.project(edges)
    assert seen[1, 0] - seen[0, 0] == pytest.approx(seen[3, 0] - seen[2, 0], rel=0.02)
    # From above x runs right and y runs up, as in a chess diagram
    camera = Camera(fitted(*VIEWS["top"], (8.0, 8.0, 1.0), 1.0), 1.0)
    origin, right, up = camera.project(np.array([[0, 0, 1], [8, 0, 1], [0, 8, 1]], dtype=float))
    assert right[0] > origin[0]
    assert up[1] > origin[1]
    # From 170° to -170° it is 20° over the back, not 340° over the front
    start, end = (Pose(azimuth, 0.0, (0.0, 0.0, 0.0), 1.0) for azimuth in (170.0, -170.0))
    assert in_between(start, end, 0.5).azimuth == pytest.approx(180.0)


@given(poses, st.floats(1.05, 3), st.floats(-0.6, 0.6), st.floats(-0.4, 0.4))
def test_zooming_keeps_the_point_under_the_pointer(pose, factor, right, up):
    """What lies under the pointer at the target's distance stays there."""
    camera = Camera(pose, 1.5)
    point = np.array(pose.target) + (camera.right * right + camera.up * up) * pose.extent
    nearer = Camera(pose.zoomed(factor, right, up), 1.5)
    np.testing.assert_allclose(
        nearer.project(point[None])[0, :2], camera.project(point[None])[0, :2], atol=1e-6
    )

"""The mesh as SVG and PDF is made of shapes, and looks as in pixels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

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

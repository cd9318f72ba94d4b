"""The mesh as SVG and PDF is made of shapes, and looks as in pixels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from meshgui.model.selection import Selection
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.mesh.panel import MeshView
from meshgui.views.mesh.solid.painter import far_to_near
from meshgui.views.style.theme import ThemeManager
from tests.networks import crowd
from tests.views.mesh.mesh_fixtures import after_all_started, inside_attempt
from tests.views.reading import svg_texts

SIZE = QSize(500, 400)
SOLIDS = [(2, 2, 2), (3, 1, 2), (1, 1, 1)]


@pytest.fixture
def make(qtbot, qapp, screen_has_opengl):
    """Shows a mesh view of a cursor."""
    if not screen_has_opengl:
        pytest.skip("this screen has no OpenGL")

    def show(cursor):
        view = MeshView(cursor, Selection(), ThemeManager(qapp, "light"))
        qtbot.addWidget(view)
        view.resize(SIZE)
        view.show()
        qtbot.waitExposed(view)
        return view

    return show


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
    image = image.convertToFormat(QImage.Format.Format_RGBX8888)
    flat = np.frombuffer(image.constBits(), dtype=np.uint8)
    return flat.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), :3].astype(float)


@pytest.mark.parametrize("flat", [False, True], ids=["solid", "flat"])
@pytest.mark.parametrize("scene", SCENES)
def test_in_lines_it_looks_as_in_pixels(make, tmp_path, scene, flat):
    """The same colours in the same places, the same words, and no pixels in the file."""
    view = make(SCENES[scene]())
    if flat:
        view.toggle_flat()
    (picture,) = view.pictures()
    for ending in ("svg", "png", "pdf"):
        write_picture(tmp_path / f"p.{ending}", picture.paint, SIZE, title=picture.title)
    lines, pixels = image_of(tmp_path / "p.svg"), image_of(tmp_path / "p.png")
    assert np.abs(lines - pixels).mean() < 4.0
    assert "<image" not in (tmp_path / "p.svg").read_text("utf-8")
    assert b"/Subtype /Image" not in (tmp_path / "p.pdf").read_bytes()
    assert "x" in svg_texts(tmp_path / "p.svg")


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


def test_a_mark_inside_the_box_placed_is_not_drawn_over_it(make, tmp_path):
    """As in pixels, what is solid hides what lies in it; only its outline shows faintly."""
    cursor = inside_attempt((8, 8, 8), [(3, 3, 3), (2, 4, 2), (5, 1, 3)], "tbl")
    view = make(cursor)
    (picture,) = view.pictures()
    for ending in ("svg", "png"):
        write_picture(tmp_path / f"p.{ending}", picture.paint, SIZE, title=picture.title)
    assert np.abs(image_of(tmp_path / "p.svg") - image_of(tmp_path / "p.png")).mean() < 4.0

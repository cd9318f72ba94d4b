"""The flat view shows every layer beside the others, and its pointer finds the same jobs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QImage

from meshgui.engine.basics.geometry import Mesh
from meshgui.model.cursor import Cursor
from meshgui.model.selection import Selection
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.flat.layout import FlatLayout
from meshgui.views.mesh.scene.slicing import Slice
from meshgui.views.mesh.scene.source import MeshLook, SceneSource
from meshgui.views.style.colours import job_colour
from meshgui.views.style.theme import ThemeManager
from tests.views.mesh.mesh_fixtures import after_all_started, inside_attempt, place_of

SOLIDS = [(2, 2, 2), (3, 1, 2), (1, 1, 1)]


@pytest.fixture
def make(qtbot, qapp):
    """Shows a flat view of a cursor."""

    def show(cursor):
        view = MeshFlat(SceneSource(cursor, Selection(), ThemeManager(qapp, "light")))
        qtbot.addWidget(view)
        view.resize(700, 500)
        view.show()
        qtbot.waitExposed(view)
        return view

    return show


def area(image, colour):
    """How many pixels have a colour, three floats."""
    image = image.convertToFormat(QImage.Format.Format_RGBX8888)
    seen = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), -1, 4)[
        :, : image.width(), :3
    ]
    return int((np.abs(seen.astype(int) - np.round(np.array(colour) * 255)).max(axis=2) <= 2).sum())


def test_every_job_is_drawn_in_its_colour(make):
    """Each job on the machine has pixels of its colour."""
    image = make(after_all_started((4, 4, 4), SOLIDS)).grab_image(QSize(900, 600))
    assert (image.width(), image.height()) == (900, 600)
    for job in range(len(SOLIDS)):
        assert area(image, job_colour(job, "light")) > 100


@pytest.mark.parametrize("job", range(len(SOLIDS)))
def test_the_pointer_finds_each_job_where_it_is_drawn(make, job):
    """A pick at the middle of a job's box returns the job."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    assert view.job_at(place_of(view, job)) == job


def test_a_click_selects_and_a_click_on_nothing_clears(make, qtbot):
    """The same clicks as in 3D."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_of(view, 1).toPoint())
    assert view._selection.job == 1
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert view._selection.job is None


def test_a_sliced_layer_is_not_shown(make):
    """With only the uppermost layer shown, jobs below it are gone and its board grows."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    view.source.show(MeshLook(Slice(2, 3, 3)))
    assert place_of(view, 0) is None
    assert area(view.grab_image(QSize(600, 400)), job_colour(0, "light")) == 0


def test_marks_of_an_attempt_are_drawn(make):
    """The box that a job gets is outlined in the accent."""
    cursor = inside_attempt((8, 8), [(3, 3), (2, 2)], "tbl")
    view = make(cursor)
    accent = view._themes.theme.rgb("accent")
    assert area(view.grab_image(QSize(600, 600)).copy(0, 30, 600, 570), accent) > 50
    cursor.go_to(cursor.position._replace(step=0))
    assert area(view.grab_image(QSize(600, 600)).copy(0, 30, 600, 570), accent) == 0


def test_without_a_recording_nothing_is_found(make):
    """The empty state draws its line, and pointing at it finds nothing."""
    view = make(Cursor())
    assert view.job_at(QPointF(100, 100)) is None
    ground = view._themes.theme.rgb("mesh_background")
    image = view.grab_image(QSize(300, 200))
    assert 0.9 * 60000 < area(image, ground) < 60000


def test_zooming_keeps_what_is_under_the_pointer(make):
    """The job under the pointer stays under it; zooming out again ends at the whole."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    at = place_of(view, 1)
    view.zoom(3.0, at)
    assert view.job_at(at) == 1
    view.zoom(0.01)
    assert view.job_at(place_of(view, 0)) == 0


shapes = st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(1, 12))


@given(shapes, st.floats(100, 2000), st.floats(100, 2000), st.data())
def test_boards_do_not_overlap_and_every_node_is_found(shape, width, height, data):
    """The node at the middle of any cell is that cell's."""
    layout = FlatLayout.fitted(Mesh(shape), None, (width, height), 20, 10)
    node = tuple(data.draw(st.integers(0, side - 1)) for side in shape)
    x, y, z = node
    assert layout.node_at(layout.rect(z, x, y, 1, 1).center()) == node

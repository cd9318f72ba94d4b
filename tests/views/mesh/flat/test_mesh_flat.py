"""The flat view shows every layer beside the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QSize

from meshgui.engine.basics.geometry import Mesh
from meshgui.views.mesh.flat.layout import FlatLayout
from meshgui.views.mesh.scene.slicing import Slice
from meshgui.views.mesh.scene.source import MeshLook
from meshgui.views.style.colours import job_colour
from tests.views.mesh.mesh_fixtures import SOLIDS, after_all_started, area, place_of


@pytest.fixture
def view(flat):
    """A cube with three jobs."""
    return flat(after_all_started((4, 4, 4), SOLIDS), (700, 500))


def test_layers_stand_beside_each_other(view):
    """Each job is drawn in its colour, and a sliced layer takes its jobs away."""
    image = view.grab_image(QSize(900, 600))
    assert all(area(image, job_colour(job, "light")) > 100 for job in range(len(SOLIDS)))
    view.source.show(MeshLook(Slice(2, 3, 3)))
    assert place_of(view, 0) is None
    assert area(view.grab_image(QSize(600, 400)), job_colour(0, "light")) == 0


def test_zooming_keeps_what_is_under_the_pointer(view):
    """The job under the pointer stays under it; zooming out again ends at the whole."""
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

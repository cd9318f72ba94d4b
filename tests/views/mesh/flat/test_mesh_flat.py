"""The flat view shows every layer beside the others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QSize

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.routing import WAYS
from meshgui.model.scene.colours import job_colour
from meshgui.model.scene.network_pointing import NOWHERE
from meshgui.model.scene.slicing import Slice
from meshgui.views.mesh.flat.layout import FlatLayout
from meshgui.views.mesh.scene.source import MeshLook
from tests.views.mesh.mesh_fixtures import SOLIDS, after_all_started, area, place_of
from tests.views.mesh.network_fixtures import ALONE, CUBE, channel_place, network_cursor
from tests.views.pointer import move_to


@pytest.fixture
def view(flat):
    """A cube with three jobs."""
    return flat(after_all_started((4, 4, 4), SOLIDS), (700, 500))


def test_layers_stand_beside_each_other_and_zooming_keeps_what_is_under_the_pointer(view):
    """Each job is drawn in its colour, and a sliced layer takes its jobs away."""
    image = view.grab_image(QSize(900, 600))
    assert all(area(image, job_colour(job, "light")) > 100 for job in range(len(SOLIDS)))
    view.source.show(MeshLook(Slice(2, 3, 3)))
    assert place_of(view, 0) is None
    assert area(view.grab_image(QSize(600, 400)), job_colour(0, "light")) == 0
    # The job under the pointer stays under it; zooming out again ends at the whole
    view.source.show(MeshLook())
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


THROUGH = [[0, 0, 0, 0, 0, 0, 2, 0]]  # straight up
UP = 4  # the channel from (0,0,0) to (0,0,1)


def test_what_leads_to_another_layer_is_seen_on_both_boards(flat):
    """A channel upwards is a dot on the board it leaves and on the one it comes to."""
    view = flat(network_cursor(THROUGH, 7, **CUBE), (700, 600))
    assert UP in view.source.view.network.held_channels
    for share in (0.0, 1.0):
        assert view.pointed_at(channel_place(view, UP, share)).packet == 0
    view.source.show(MeshLook(Slice(2, 2, 2)))
    assert view.pointed_at(channel_place(view, 2 * 9 * WAYS)) != NOWHERE
    assert area(view.grab_image(QSize(600, 600)), job_colour(0, "light")) == 0


def test_the_use_of_channels_has_its_legend_and_a_worm_its_card(flat, qtbot):
    """In the margin to the right of the axis, in place of that of packets."""
    view = flat(network_cursor(ALONE, 20))

    def drawn_in_margin():
        margin = view.grab_image(QSize(900, 600)).copy(200, 8, 690, 20)
        return {
            token: area(margin, view.source.themes.theme.rgb(token)) for token in ("muted", "blocked", "text")
        }

    packets = drawn_in_margin()
    assert all(packets.values())
    view.source.toggle_use()
    use = drawn_in_margin()
    assert use["muted"]
    assert use["text"]
    assert not use["blocked"]
    # With the pointer on a worm the picture of the view has a card that it has not without
    view = flat(network_cursor(ALONE, 14))
    before = view.grab().toImage()
    move_to(view, channel_place(view, 0))
    qtbot.waitUntil(lambda: view.source.selection.hovered_packet == 0)
    assert view.grab().toImage() != before


def test_a_worm_does_not_cover_a_jobs_number(flat):
    """Down the first column it runs through the corner of job 0, whose number stays as it was."""
    cursor = network_cursor([[0, 0, 3, 0, 0, 0, 0, 1], [90, 3, 1, 0, 3, 0, 0, 0]], 0)
    view = flat(cursor, (190, 190))
    corner = view.shown_layout.rect(0, 0, 1, 1, 1).toRect().adjusted(0, 0, -1, -1)
    ink = view.source.themes.theme.colour("text")

    def number():
        image = view.grab_image(view.size()).copy(corner)
        pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        return sum(abs(pixel.lightness() - ink.lightness()) < 40 for pixel in pixels)

    alone = number()
    cursor.go_to_time(18)
    assert np.isin(cursor.view.network.held_channels, WAYS * 8 + 3).any()
    assert number() >= alone > 5

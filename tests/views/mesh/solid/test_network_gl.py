"""The network in the 3D view: what it costs, and what is seen of it in space."""

import pytest

from meshgui.engine.network.routing import WAYS
from meshgui.views.mesh.scene.network.pointing import NOWHERE
from meshgui.views.mesh.scene.slicing import Slice
from meshgui.views.mesh.scene.source import MeshLook
from tests.views.mesh.network_fixtures import ALONE, CUBE, channel_place, network_cursor

THROUGH = [[0, 0, 0, 0, 2, 2, 2, 0]]
STROKE = 16  # numbers of an instance


def test_links_too_close_to_be_seen_are_not_pointed_at(solid):
    """In a large mesh seen whole, only worms are; near enough, the same link is found."""
    view = solid(network_cursor(ALONE, 14, shape=(100, 100), sizes=((100, 100),)))
    idle = (50 * 100 + 50) * WAYS
    assert view.pointed_at(channel_place(view, idle)) == NOWHERE
    view.zoom(20.0, channel_place(view, idle))
    assert view.pointed_at(channel_place(view, idle)).channel == idle


@pytest.mark.parametrize("turn", [(0.0, 0.0), (20.0, -30.0)])
def test_a_worm_is_found_from_above_and_askew(solid, turn):
    """Where it is projected."""
    view = solid(network_cursor(ALONE, 14))
    view.turn(*turn)
    assert tuple(view.pointed_at(channel_place(view, 0))) == (0, 0)


def test_worms_are_seen_inside_a_job_in_3d(solid):
    """Through the glass of the box around them, from every named side."""
    view = solid(network_cursor(THROUGH, 24, **CUBE))
    held = view.source.view.network.held_channels.tolist()
    for name in ("home", "top", "front", "side"):
        view.set_camera_view(name, animated=False)
        assert {view.pointed_at(channel_place(view, channel)).packet for channel in held} == {0}


def test_a_slice_cuts_the_network_too(solid):
    """With only the uppermost layer shown, a worm in the lowest is gone."""
    view = solid(network_cursor(THROUGH, 10, **CUBE))
    at = channel_place(view, 0)
    assert view.pointed_at(at).packet == 0
    view.source.show(MeshLook(Slice(2, 2, 2)))
    assert not len(view.shown_layout.strokes.starts)
    assert view.pointed_at(at).packet is None


def test_idle_links_are_uploaded_once(solid, uploads):
    """From cycle to cycle only what moves goes to the graphics card."""
    cursor = network_cursor(ALONE, 14)
    view = solid(cursor)
    view.grabFramebuffer()
    uploads.clear()
    cursor.go_to_time(15)
    view.grabFramebuffer()
    strokes = [rows for rows, numbers in uploads if numbers == STROKE]
    assert strokes == [len(view.shown_layout.strokes.starts)]
    assert strokes[0] > 0

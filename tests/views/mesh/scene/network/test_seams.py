"""A ring is cut at its seam: what crosses it leaves the mesh on one side and comes in on the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.deadlock import lanes_of
from meshgui.engine.network.routing import LINKS, WAYS, ends, links
from meshgui.model.scene.channels import SEAM, channel_segments, lanes, leaving_halves, link_segments
from meshgui.model.scene.idle_links import SEAM_SIGNS, idle_rows, seam_signs
from meshgui.model.scene.network_scene import build_network, point_at_network
from meshgui.model.scene.slicing import Slice
from meshgui.model.scene.space import Space
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.theme import LIGHT
from tests.networks import sent_on_torus

EAST, BODY = 0, 2  # a way; the level of bodies
TORI = [Mesh((4, 3), (True, True)), Mesh((4, 3), (False, True)), Mesh((3, 4, 3), (True, False, True))]


def cursor_at(cycle, *packets):
    """A cursor at a cycle of a run in which packets go over a torus of 4×3."""
    cursor = Cursor()
    cursor.show(sent_on_torus(*packets, shape=(4, 3), flits=16))
    cursor.go_to_time(cycle)
    return cursor


def whole(mesh):
    """All nodes of a mesh, as a slice names them."""
    return tuple((0, side - 1) for side in mesh.extents)


@pytest.mark.parametrize("mesh", TORI, ids=str)
def test_every_link_of_a_torus_is_drawn_and_only_those_across_a_seam_in_two_halves(mesh):
    """A half reaches from its node to the seam, and the two of a link lie in one row of nodes."""
    drawn = link_segments(mesh)
    assert set(drawn.channels.tolist()) == set(links(mesh).tolist())
    begin, beyond = ends(mesh, links(mesh))
    far = links(mesh)[np.abs(begin - beyond).max(axis=1) > 1]
    count = np.bincount(drawn.channels, minlength=mesh.processors * WAYS)
    assert set(np.flatnonzero(count == 2).tolist()) == set(far.tolist())
    size = np.array(mesh.extents)
    for part in (drawn.starts, drawn.ends):
        assert ((part > -0.5) & (part < size - 0.5)).all()  # within the cells of the mesh


def test_the_halves_of_a_link_across_a_seam():
    """East out of the last column, and in at the first: on the same side of the line between the nodes."""
    mesh = Mesh((4, 3), (True, True))
    channel = np.array([3 * WAYS + EAST])
    coming, (leaving, rows) = channel_segments(mesh, channel), leaving_halves(mesh, channel)
    assert rows.tolist() == [0]
    assert leaving.ends[0, 0] == pytest.approx(3 + SEAM)
    assert coming.starts[0, 0] == pytest.approx(-SEAM)
    assert leaving.ends[0, 1] == coming.starts[0, 1]
    plain = Mesh((4, 3))
    assert len(leaving_halves(plain, links(plain))[1]) == 0


@pytest.mark.parametrize("mesh", TORI, ids=str)
def test_both_ends_of_a_ring_have_its_sign_and_a_slice_keeps_it(mesh):
    """As many signs as rings have ends, the same at both; those of an axis that is no ring are missing."""
    signs = seam_signs(mesh, LIGHT, whole(mesh))
    for axis in range(mesh.dims):
        rings = mesh.processors // mesh.extents[axis] if mesh.rings[axis] else 0
        for place in (-SEAM, mesh.extents[axis] - 1 + SEAM):
            here = signs.only(np.isclose(signs.starts[:, axis], place))
            assert len(here.starts) == rings * len(SEAM_SIGNS[axis])
            assert set(here.looks[:, 0].tolist()) == (
                {float(np.float32(x.width)) for x in SEAM_SIGNS[axis]} if rings else set()
            )
    cut = Space(mesh, Slice(0, 0, 0))
    kept = cut.stretched(seam_signs(mesh, LIGHT, cut.shown))
    assert len(kept.starts) == len(seam_signs(mesh, LIGHT, cut.shown).starts) > 0
    assert not seam_signs(Mesh(mesh.shape), LIGHT, whole(mesh))


def test_rows_of_a_ring_reach_the_seam():
    """The one line of a row runs from seam to seam."""
    rows = idle_rows(TORI[0], LIGHT, whole(TORI[0]))
    along = rows.only(rows.ends[:, 0] > rows.starts[:, 0])
    assert np.allclose(along.starts[:, 0], -SEAM)
    assert np.allclose(along.ends[:, 0], 3 + SEAM)


def test_a_worm_across_a_seam_has_no_part_from_one_side_of_the_mesh_to_the_other():
    """Its body leaves on the right and comes in on the left, with the sign of x at both of its ends there."""
    cursor = cursor_at(14, (0, (3, 1), (1, 1)))
    scene = build_network(cursor.view, Selection(), LIGHT, use=False)
    body = scene.strokes.only(scene.strokes.looks[:, 4] == BODY)
    across = 3 + 4 * 1
    assert set(body.channels.tolist()) >= {across * WAYS + EAST, 4 * WAYS + EAST}
    assert np.abs(body.ends - body.starts).max() < 1
    signs = scene.strokes.only((scene.strokes.looks[:, 4] == 4.5) & (scene.strokes.owners == 0))
    assert np.allclose(np.sort(signs.starts[:, 0]), [-SEAM, 3 + SEAM])


def test_the_way_of_a_selected_packet_and_its_request_are_cut_as_well():
    """So are the dashes of a blocked header over the channel that it wants."""
    cursor = cursor_at(12, *((0, (x, 1), ((x + 2) % 4, 1)) for x in range(4)))
    selection = Selection()
    selection.select_packet(2, 0)
    scene = build_network(cursor.view, selection, LIGHT, use=False)
    assert len(cursor.view.network.blocked) == 4
    assert np.abs(scene.strokes.ends - scene.strokes.starts).max() < 1
    used = build_network(cursor.view, selection, LIGHT, use=True)
    assert np.abs(used.strokes.ends - used.strokes.starts).max() < 1


@given(st.integers(2, 8), st.sampled_from(TORI))
def test_virtual_channels_of_a_link_lie_beside_each_other(count, mesh):
    """No two lanes of a mesh lie on one another, and none beyond the middle between two rows."""
    every = np.repeat(links(mesh), count)
    virtual = np.tile(np.arange(count), len(links(mesh)))
    parts, _ = lanes(mesh, every, virtual, count)
    places = np.unique(np.concatenate((parts.starts, parts.ends), axis=1).round(4), axis=0)
    assert len(places) == len(parts.starts)
    axes = parts.channels % WAYS // 2
    assert (parts.channels % WAYS < LINKS).all()
    beside = parts.starts - np.rint(parts.starts)
    beside[np.arange(len(axes)), axes] = 0
    assert np.abs(beside).max() < 0.3


def test_the_circle_of_a_deadlock_is_a_closed_band_over_the_channels_that_its_packets_hold():
    """Every one that is waited for is in it, its parts meet, and a cycle earlier there is none."""
    packets = [(0, (x, 1), ((x + 2) % 4, 1)) for x in range(4)]
    recording = sent_on_torus(*packets, flits=16)
    cycle = recording.deadlock.cycle

    def band(at):
        cursor = Cursor()
        cursor.show(recording)
        cursor.go_to_time(at)
        drawn = build_network(cursor.view, Selection(), LIGHT, use=False).strokes
        return cursor.view.network, drawn.only(drawn.looks[:, 4] == -4)

    moment, circle = band(cycle)
    lanes_in = lanes_of(recording.network, recording.deadlock)
    assert set(moment.blocked_at.tolist()) <= set(lanes_in.channels.tolist())
    places = np.concatenate((circle.starts, circle.ends)).round(4)
    _, counts = np.unique(places, axis=0, return_counts=True)
    assert (counts == 1).sum() == 2  # but for the two sides of the seam it is closed
    assert not band(cycle - 1)[1]


@pytest.mark.parametrize(
    "law", [{"channels": 3, "buffer": 2}, {"routing": "adaptive", "channels": 2}, {}], ids=str
)
def test_a_hovered_packet_keeps_its_place_among_the_strokes(law):
    """Drawn alone it has as many parts as among all, each where it was."""
    packets = [(n % 2, (n % 4, n // 4), ((n + 2) % 4, (n * 2 + 1) % 3)) for n in range(12)]
    cursor = Cursor()
    cursor.show(sent_on_torus(*packets, shape=(4, 3), flits=10, **law))
    blocked = 0
    for cycle in range(6, 40, 4):
        cursor.go_to_time(cycle)
        whole_scene = build_network(cursor.view, Selection(), LIGHT, use=False)
        blocked += len(cursor.view.network.blocked)
        for packet in cursor.view.network.packets.tolist():
            pointer = Selection()
            pointer.hover(0, packet)
            pointed = point_at_network(whole_scene, pointer, LIGHT).strokes
            mine, before = (s.only(s.owners == packet) for s in (pointed, whole_scene.strokes))
            assert len(mine.starts) == len(before.starts)
            assert np.allclose(mine.starts, before.starts, atol=0.08)  # in a crowd its arrow is larger
            assert np.allclose(mine.ends, before.ends, atol=0.08)
    assert blocked > 10

"""Idle links are drawn as far as there is room for them, and a few lines stand for all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.inspection import Heat
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.routing import LINKS, WAYS
from meshgui.model.scene.colours import contrast
from meshgui.model.scene.descriptions import describe_packet, describe_use
from meshgui.model.scene.heat import heat_colours, line_colours
from meshgui.model.scene.idle_links import (
    channels_near,
    idle_apart,
    idle_channels,
    idle_rows,
    idle_strength,
)
from meshgui.model.scene.mesh_scene import build_scene
from meshgui.model.scene.network_scene import build_network
from meshgui.model.scene.space import Space
from meshgui.model.scene.strokes import NOTHING, Look, Strokes, strokes, under
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.theme import DARK, LIGHT
from tests.views.mesh.network_fixtures import MEETING, network_cursor


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


def test_a_slice_shortens_rows_and_links_fade_where_nodes_are_small():
    """Across one layer of a cube there are no rows, along it those of a square."""
    rows = idle_rows(Mesh((4, 4, 4)), LIGHT, ((0, 3), (0, 3), (2, 2)))
    assert len(rows.starts) == 8
    assert set(rows.starts[:, 2]) == set(rows.ends[:, 2]) == {2}
    # Nothing is seen of links in a few pixels; in a large cube one needs a slice
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
    """Near enough, and not where too many lines would slow the eye."""
    assert not idle_apart(Mesh((8, 8)), 30.0)
    assert idle_apart(Mesh((8, 8)), 90.0)
    assert not idle_apart(Mesh((32, 32, 32)), 500.0)
    # Links near some nodes are those that leave them: a corner of a square has two
    assert sorted(channels_near(Mesh((3, 3)), np.array([0])).channels) == [0, 2]
    assert len(channels_near(Mesh((3, 3)), np.array([4])).channels) == 4
    assert set(channels_near(Mesh((3, 3)), np.array([4])).channels // WAYS) == {4}


def test_cards_name_a_packet_and_what_it_does_and_a_channel_and_who_holds_it():
    """Its number and job, from where to where, its length; what a packet can do is tested with its states."""
    assert describe_packet(network_cursor(MEETING, 10).view, 0) == (
        "Packet 0   job 0",
        "(0,0) → (3,0)   8 flits",
        "waits at (1,0) for (1,0)→(2,0), held by packet 1, for 2 cycles so far",
    )
    # And in how many of the cycles looked at it carried a flit
    view = network_cursor(MEETING, 10).view
    assert describe_use(view, 8, (0, 10)) == (
        "Channel (1,0)→(2,0)",
        "held by packet 1 of job 0",
        "packet 0 waiting for it",
        "in use 20.0 % of cycles 0–10",
    )
    assert describe_use(view, 32, (0, 5)) == ("Channel (0,1)→(1,1)", "free", "in use 0.0 % of cycles 0–5")
    assert describe_use(view, 8, (5, 10))[-1] == "in use 33.3 % of cycles 5–10"


coordinate = st.floats(-100, 100)
points = st.tuples(coordinate, coordinate)


def flat(places):
    """Places in the plane as an array."""
    return np.array(places, dtype=float).reshape(-1, 2)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8))
def test_lower_levels_come_first_and_equals_keep_their_order(levels):
    """Whatever order parts are given in."""
    place = np.zeros((1, 3), dtype=np.float32)
    parts = [strokes(place, place, (0, 0, 0), Look(1.0, level=level), n) for n, level in enumerate(levels)]
    drawn = Strokes.together(parts)
    assert drawn.packets.tolist() == sorted(range(len(levels)), key=lambda n: levels[n])


@given(points, points, st.floats(0, 1), st.floats(0, 6.28), st.floats(0, 20))
def test_a_stroke_is_met_as_far_as_its_width_and_the_slack_reach(start, end, share, turn, away):
    """A point so far from a stroke meets it just when half the width and the slack are not less."""
    from_, to = np.array(start), np.array(end)
    point = from_ + (to - from_) * share + away * np.array([np.cos(turn), np.sin(turn)])
    steps = np.linspace(0.0, 1.0, 2001)[:, None]
    distance = np.hypot(*(from_ + (to - from_) * steps - point).T).min()
    if abs(distance - 9.0) > 0.2:  # the steps measure no finer
        found = under(flat(start), flat(end), np.array([10.0]), np.zeros(1), tuple(point), 4.0)
        assert (found == 0) == (distance < 9.0)


def test_of_strokes_that_are_met_the_nearest_to_the_eye_counts():
    """And one that is met goes before one that is missed by a little."""
    start, end = flat([(0, 0), (0, 0), (0, 4)]), flat([(9, 0), (9, 0), (9, 4)])
    widths, depths = np.array([2.0, 2.0, 2.0]), np.array([5.0, 3.0, 1.0])
    assert under(start, end, widths, depths, (4.0, 0.5), 4.0) == 1
    assert under(start, end, widths, depths, (4.0, 3.5), 4.0) == 2
    # An empty scene is falsy, and has nothing to point at
    assert not NOTHING
    assert under(flat([]), flat([]), np.zeros(0), np.zeros(0), (0.0, 0.0), 4.0) is None


ROWS = [*MEETING, [4, 1, 0, 0, 2, 0, 0, 0], [5, 1, 0, 0, 2, 0, 0, 0]]


def use_at(cycle, span=None, theme=LIGHT):
    """The scene of the use of channels at a cycle, and the record it tells of."""
    cursor, selection = network_cursor(ROWS, cycle), Selection()
    selection.select_span(span)
    return build_network(cursor.view, selection, theme, use=True), cursor.recording.network


@pytest.mark.parametrize("span", [None, (5, 20), (20, 40)])
def test_channels_are_as_thick_as_they_were_used(span):
    """Exactly the channels that carried a flit in the span are drawn, the busier the thicker."""
    scene, record = use_at(40, span)
    first, last = span or (1, 40)
    shares = record.use(first - 1, last)
    drawn = scene.strokes
    assert sorted(drawn.channels) == np.flatnonzero(shares).tolist()
    used = shares[drawn.channels]
    thicker = drawn.looks[:, 0]
    most = used[drawn.channels % WAYS < LINKS].max()
    assert np.allclose(np.interp(used, [0, most], [0.05, 0.17]), thicker, atol=1e-5)
    assert (scene.use.begin, scene.use.end) == (span or (0, 40))
    assert scene.use.most == most


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_busiest_channel_has_the_far_end_of_the_scale(theme):
    """Colours are those of every heat map of the theme, none of a job's."""
    scene, record = use_at(40, theme=theme)
    shares = record.use(0, 40)
    busiest = scene.strokes.channels == shares.argmax()
    far = heat_colours(np.array([1000]), Heat("use", 0, 1000), theme)[0]
    assert np.allclose(scene.strokes.colours[busiest, :3], far)
    assert len(np.unique(scene.strokes.colours, axis=0)) > 2


def test_a_busy_ejection_leaves_the_links_their_scale():
    """Sent to one node from all sides, its ejection carries more than any link: the scale is the links'."""
    rows = [[0, 0, 1, 0, 1, 1, 0, 0], [0, 2, 1, 0, 1, 1, 0, 0], [0, 1, 0, 0, 1, 1, 0, 0]]
    cursor, selection = network_cursor(rows, 40), Selection()
    scene = build_network(cursor.view, selection, LIGHT, use=True)
    shares = cursor.recording.network.use(0, cursor.view.cycle)
    links = shares[np.arange(len(shares)) % WAYS < LINKS].max()
    assert shares.max() > 2 * links
    assert scene.use.most == links
    far = line_colours(np.array([1.0]), LIGHT)[0]
    at_the_end = np.isclose(scene.strokes.colours[:, :3], far, atol=1e-6).all(axis=1)
    assert sorted(scene.strokes.channels[at_the_end]) == np.flatnonzero(shares >= links).tolist()
    # Before the first cycle nothing was used: a span of no length divides nothing by nothing
    scene, _ = use_at(0)
    assert not scene.strokes
    assert scene.use.most == 0.0


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_least_use_is_seen_and_more_is_seen_better(theme):
    """From 1.8 to 1 against the ground onwards, rising all the way; idle links stay fainter than that."""
    ground = theme.rgb("mesh_background")
    seen = [contrast(tuple(c), ground) for c in line_colours(np.linspace(0, 1, 60), theme).tolist()]
    assert seen[0] >= 1.8
    assert (np.diff(seen) > 0).all()
    for mesh in (Mesh((8, 8)), Mesh((4, 4, 4))):
        shown = tuple((0, side - 1) for side in mesh.extents)
        *colour, alpha = idle_channels(mesh, theme).colours[0].tolist()
        alpha *= idle_strength(mesh, 500.0, shown, beside_use=True)
        mixed = tuple(alpha * c + (1 - alpha) * g for c, g in zip(colour, ground, strict=True))
        assert 1.05 < contrast(mixed, ground) < 1.4 < seen[0]


def test_jobs_step_back_behind_worms_and_farther_behind_use():
    """Where there is a network jobs are of glass, the selected one less so; without it they are solid."""
    cursor, selection = network_cursor(ROWS, 10), Selection()
    selection.select(0)

    def opacity(**shown):
        scene = build_scene(cursor.view, selection, LIGHT, **shown)
        return scene.colours[scene.jobs == 0, 3].max(), scene.colours[scene.jobs == 1, 3].max()

    worms, use, alone = opacity(), opacity(show_use=True), opacity(show_network=False)
    assert worms[0] > worms[1] > use[1]
    assert alone == (1.0, 1.0)

"""What is drawn of the packets in the network is what the record says of them."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.routing import INJECT, LINKS, WAYS, ends
from meshgui.model.scene.channels import channel_segments, link_segments
from meshgui.model.scene.colours import job_colour
from meshgui.model.scene.network_pointing import NOWHERE, looked_at
from meshgui.model.scene.network_scene import build_network
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.theme import DARK, LIGHT
from tests.networks import PAPERS_LAWS, sent
from tests.properties.networks import channel_of
from tests.runs import run_of
from tests.twins.network import PER_HOP, PORTS, FlitNetwork
from tests.views.mesh.mesh_fixtures import after_all_started, inside_attempt
from tests.views.mesh.network_fixtures import ALONE, MEETING, network_cursor

LEVEL, TAPER, HOLE, WIDTH = 4, 2, 3, 0
BODY, BEAD, DASH, HEAD = 2, 5, 6.5, 7  # levels
BODY_WIDTH = 0.16
CYCLES = range(0, 42, 3)
LATE, BEHIND = [10, 2, 3, 0, 0, 3, 0, 1], [0, 0, 0, 0, 2, 0, 0, 0]
"""A packet sent in cycle 10, and one that waits for its injection."""


def scene_of(cursor, selection=None, theme=LIGHT):
    """The network's scene where a cursor stands."""
    return build_network(cursor.view, selection or Selection(), theme, use=False)


def at_level(scene, level):
    """The strokes of one level."""
    return scene.strokes.only(scene.strokes.looks[:, LEVEL] == level)


def coloured(strokes, colour):
    """Which of some strokes have a colour."""
    return np.isclose(strokes.colours[:, :3], colour, atol=1e-3).all(axis=1)


def ends_of(*channels):
    """Where channels of the 4×4 mesh begin and end."""
    way = channel_segments(Mesh((4, 4)), np.array(channels))
    return way.starts, way.ends


def test_flits_of_one_buffer_lie_one_behind_the_other():
    """In a buffer of four no two beads share a place, and the first lies nearest to the far end."""
    cursor = network_cursor(ALONE, 21, buffer=4)
    beads = at_level(scene_of(cursor), BEAD)
    busiest = np.bincount(beads.channels).argmax()
    mine = beads.only(beads.channels == busiest)
    away = np.linalg.norm(mine.starts - ends_of(*mine.channels)[1], axis=1)
    assert len(away) == 4
    assert (np.diff(away) > mine.looks[0, WIDTH]).all()
    # With room for sixteen flits they become a bar: a buffer shows how full it is, behind the head as well
    cursor = network_cursor(ALONE, 8, buffer=16, switching="store-and-forward")
    bars = at_level(scene_of(cursor), BEAD)
    short = np.linalg.norm(bars.ends - bars.starts, axis=1)
    cursor.go_to_time(6)
    shorter = at_level(scene_of(cursor), BEAD)
    assert len(bars.starts) == len(shorter.starts) == 1
    assert short[0] > np.linalg.norm(shorter.ends - shorter.starts, axis=1)[0] > 0


@pytest.mark.parametrize("cycle", CYCLES)
@pytest.mark.parametrize("law", [{}, *PAPERS_LAWS], ids=str)
def test_a_worm_covers_the_channels_that_its_packet_holds(law, cycle):
    """Its body lies on exactly those lanes, and the parts meet: no gap at a router."""
    cursor = network_cursor(MEETING, cycle, **law)
    scene, moment = scene_of(cursor), cursor.view.network
    body = at_level(scene, BODY)
    lane_of = channel_segments(scene.mesh, moment.held_channels)
    for packet in np.unique(moment.held_by):
        mine = body.only(body.packets == packet)
        assert set(mine.channels) == set(moment.held_channels[moment.held_by == packet])
        places = np.concatenate((mine.starts, mine.ends)).round(4)
        _, counts = np.unique(places, axis=0, return_counts=True)
        assert (counts == 1).sum() == 2  # where the worm begins and where it ends
    assert {tuple(p) for p in lane_of.starts.round(4)} <= {tuple(p) for p in body.starts.round(4)}


@pytest.mark.parametrize(("cycle", "thin"), [(3, []), (4, [0, 113]), (5, [8]), (12, [103]), (13, [26])])
def test_a_channel_granted_but_not_yet_entered_is_thin(cycle, thin):
    """The head enters it in the next cycle; a channel whose head has gone on by is not thin."""
    scene = scene_of(network_cursor(MEETING, cycle))
    body = at_level(scene, BODY)
    narrow = set(body.channels[body.looks[:, WIDTH] < 0.1].tolist())
    assert narrow - {103} == set(thin) - {103}
    assert (103 in narrow) == (cycle == 12)  # an ejection whose header has arrived is thick


def test_heads_point_the_way_they_go():
    """An arrow's point lies beyond its base, along its channel."""
    heads = at_level(scene_of(network_cursor(MEETING, 10)), HEAD)
    assert len(heads.starts) == 3
    assert (heads.looks[:, TAPER] == 1).all()
    way = channel_segments(Mesh((4, 4)), heads.channels).ways
    assert np.allclose((heads.ends - heads.starts) / 0.3, way, atol=1e-5)
    # A blocked one has a ring and dashes over what it waits for, both vermilion; else there is neither
    cursor = network_cursor(MEETING, 10)
    moment = cursor.view.network
    assert (moment.blocked.tolist(), moment.blocked_at.tolist()) == ([0], [8])
    drawn = scene_of(cursor).strokes
    marks = drawn.only(coloured(drawn, LIGHT.rgb("blocked")))
    rings, dashes = (marks.only(chosen) for chosen in (marks.looks[:, HOLE] > 0, marks.looks[:, HOLE] == 0))
    assert rings.packets.tolist() == [0]
    assert np.allclose(rings.starts[0], ends_of(0)[1])
    middles = (dashes.starts + dashes.ends) / 2
    assert np.isclose(middles[:, 1], ends_of(8)[0][0, 1]).sum() >= 3
    assert set(dashes.packets) == {-1}  # pointing there finds whoever holds the channel
    cursor.go_to_time(27)
    assert not coloured(scene_of(cursor).strokes, LIGHT.rgb("blocked")).any()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_worms_have_the_colours_of_their_jobs(theme):
    """The bodies of two jobs' packets differ as their boxes do."""
    cursor = network_cursor(MEETING, 10)
    body = at_level(scene_of(cursor, theme=theme), BODY)
    jobs = cursor.recording.network.jobs[body.packets]
    wanted = np.array([job_colour(int(job), theme.name) for job in jobs])
    assert set(jobs) == {0, 1}
    assert np.allclose(body.colours[:, :3], wanted, atol=1e-6)


def test_with_a_packet_or_a_job_selected_all_others_step_back():
    """The packet that holds what it waits for keeps its colour; the selected one has the accent around it."""
    cursor, selection = network_cursor(MEETING, 10), Selection()
    selection.select_packet(0, 0)
    scene = scene_of(cursor, selection)
    body = at_level(scene, BODY)
    full = coloured(body, job_colour(0, "light"))
    assert full[body.packets <= 1].all()
    pale = body.colours[body.packets == 2, :3]
    assert (pale > np.array(job_colour(1, "light"))).all()
    around = scene.strokes.only(coloured(scene.strokes, LIGHT.rgb("accent")))
    assert set(around.packets) == {0}
    assert np.isclose(around.ends, ends_of(31)[1], atol=1e-5).all(axis=1).any()  # its way is shown to its end
    # Those of the chain that is read do not, whichever of it is selected
    selection.chain_of = cursor.view.chain_of
    selection.select_packet(1, 1)
    kept = at_level(scene_of(cursor, selection), BODY)
    assert np.array_equal(kept.colours, body.colours)
    # With a job selected worms of others step back as their boxes do
    selection = Selection()
    selection.select(1)
    body = at_level(scene_of(cursor, selection), BODY)
    assert (coloured(body, job_colour(1, "light")) == (body.packets == 2)).all()


@pytest.mark.parametrize(("cycle", "packet"), [(2, 2), (27, 2), (4, 1)])
def test_a_packet_that_is_not_under_way_lets_no_worm_step_back(cycle, packet):
    """It has arrived, or is not sent, or waits for its injection: it has nothing to stand out with."""
    rows = {2: [*MEETING[:2], LATE], 27: MEETING, 4: [MEETING[0], BEHIND, MEETING[2]]}[cycle]
    cursor, selection = network_cursor(rows, cycle), Selection()
    assert packet not in cursor.view.network.packets
    plain = at_level(scene_of(cursor, selection), BODY)
    assert len(plain.starts)
    selection.select_packet(packet, int(cursor.recording.network.jobs[packet]))
    assert np.array_equal(at_level(scene_of(cursor, selection), BODY).colours, plain.colours)


@pytest.mark.parametrize(("cycle", "job"), [(27, 1), (2, 1)])
def test_a_job_without_a_packet_in_the_network_lets_no_worm_step_back(cycle, job):
    """Its packets have arrived, or are not sent yet: all would be pale, and nothing would stand out."""
    rows = {27: MEETING, 2: [*MEETING[:2], LATE]}[cycle]
    cursor, selection = network_cursor(rows, cycle), Selection()
    moment = cursor.view.network
    owners = cursor.recording.network.jobs
    assert job not in owners[moment.packets]
    assert job not in owners[moment.queued]
    plain = at_level(scene_of(cursor, selection), BODY)
    assert len(plain.starts)
    selection.select(job)
    assert np.array_equal(at_level(scene_of(cursor, selection), BODY).colours, plain.colours)


def test_a_queued_packet_whose_chain_is_read_does_not_step_back():
    """It heads the chain in the panel; in the mesh its dot was dim as the packet it waits for was chosen."""
    cursor, selection = network_cursor([MEETING[0], BEHIND, MEETING[2]], 4), Selection()
    moment = cursor.view.network
    assert moment.queued.tolist() == [1]
    selection.chain_of = cursor.view.chain_of
    selection.select_packet(1, int(cursor.recording.network.jobs[1]))
    selection.select_packet(0, 0)
    assert selection.chain_read(cursor.view.chain_of) == [1, 0]
    strokes = scene_of(cursor, selection).strokes
    dot = strokes.only((strokes.packets == 1) & (strokes.starts == strokes.ends).all(axis=1))
    assert len(dot.starts)
    assert coloured(dot, job_colour(int(cursor.recording.network.jobs[1]), "light")).all()
    assert looked_at(cursor.view, NOWHERE, selection) == [1, 0]


def test_in_a_crowd_marks_step_back_and_what_moves_stands_out():
    """Rings and dashes get slim, arrows that stand small, those that move large; none of a selected one."""
    cursor, selection = Cursor(), Selection()
    cursor.show(run_of("hot-spot-8x8"))
    cursor.go_to_time(60)
    moment = cursor.view.network
    assert len(moment.blocked) > 40
    stuck = int(moment.blocked[-1])
    few = scene_of(network_cursor(MEETING, 10))

    def ring_of(scene, packet):
        rings = scene.strokes.only((scene.strokes.looks[:, HOLE] > 0) & (scene.strokes.packets == packet))
        return rings.looks[0, WIDTH], rings.looks[0, HOLE]

    def dashes(scene):
        return at_level(scene, DASH).looks[:, WIDTH].min()

    crowded = scene_of(cursor, selection)
    assert ring_of(crowded, stuck)[1] > ring_of(few, 0)[1]
    assert dashes(crowded) < dashes(few) / 2 < BODY_WIDTH / 3
    heads = at_level(crowded, HEAD)
    moving = ~np.isin(heads.packets, moment.blocked)
    usual = at_level(few, HEAD).looks[:, WIDTH].max()
    assert 0 < moving.sum() < 5
    assert heads.looks[moving, WIDTH].min() > usual > heads.looks[~moving, WIDTH].max()
    selection.select_packet(stuck, int(cursor.recording.network.jobs[stuck]))
    assert ring_of(scene_of(cursor, selection), stuck) == ring_of(few, 0)


def test_packets_that_wait_are_counted_at_their_processor():
    """Three packets from one node at once: one goes, two wait there."""
    rows = [[0, 1, 1, 0, 3, 1, 0, 0]] * 3
    scene = scene_of(network_cursor(rows, 2))
    assert scene.queue_lengths.tolist() == [2]
    assert np.allclose(scene.queued[0], ends_of(5 * WAYS + INJECT)[0], atol=0.1)
    # Free ports: two wait for two links, with dashes over both
    rows = [[0, 1, 1, 0, 3, 1, 0, 0], [0, 1, 1, 0, 2, 1, 0, 0], [0, 1, 1, 0, 1, 0, 0, 0]]
    cursor = network_cursor([*rows, [1, 1, 1, 0, 1, 0, 0, 0]], 2, ports="free")
    scene = scene_of(cursor)
    assert scene.queue_lengths.tolist() == [2]
    assert np.allclose(scene.queued[0], ends_of(5 * WAYS + INJECT)[0], atol=0.1)
    assert cursor.view.network.blocked.tolist() == [1, 3]
    dashes = {tuple(end) for end in scene.strokes.ends.round(3).tolist()}
    east, south = ends_of(5 * WAYS, 5 * WAYS + 3)[0].round(3).tolist()
    assert {tuple(east), tuple(south)} <= dashes
    ready = build_network(cursor.view, Selection(), LIGHT, use=True)
    assert ready.queue_lengths.tolist() == []
    # Its last link leads to the processor; before the header is there, that link is thin
    for cycle, thin in ((4, {8}), (9, set())):
        body = at_level(scene_of(network_cursor([[0, 0, 0, 0, 2, 0, 0, 0]], cycle, ports="free")), BODY)
        assert set(body.channels[body.looks[:, WIDTH] < 0.1].tolist()) == thin


@pytest.mark.parametrize("shape", [(4, 3), (3, 4, 2)])
def test_opposing_worms_do_not_overlap(shape):
    """The two directions of every pair of neighbours are farther apart than a worm is thick, in space."""
    mesh = Mesh(shape)
    found = link_segments(mesh)
    begin, end = ends(mesh, found.channels)
    back = {(*b, *e): n for n, (b, e) in enumerate(zip(begin.tolist(), end.tolist(), strict=True))}
    assert len(found.channels) == len(back) == sum(2 * (n - 1) * mesh.processors // n for n in shape)
    for n, (b, e) in enumerate(zip(begin.tolist(), end.tolist(), strict=True)):
        other = back[(*e, *b)]
        apart = np.linalg.norm(found.starts[n] - found.ends[other])
        assert apart > 0.2
        assert found.channels[n] % WAYS < LINKS


def test_without_a_network_and_inside_an_attempt_there_is_nothing_to_draw():
    """The scene of a run without a network has none; inside an attempt it is about boxes alone."""
    assert scene_of(after_all_started((4, 4), [(2, 2)])) is None
    assert scene_of(inside_attempt((4, 4), [(2, 2)], "ff")) is None
    cursor = network_cursor(ALONE, 0)
    cursor.enter_attempt(0)
    assert scene_of(cursor) is None


HEAD, BEAD = 7, 5  # the levels at which a header's arrow and the other flits are drawn


@st.composite
def crowds(draw):
    """Packets on a small mesh, and how they are switched."""
    width, depth = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    nodes = st.tuples(st.integers(0, width - 1), st.integers(0, depth - 1))
    pairs = st.tuples(nodes, nodes).filter(lambda pair: pair[0] != pair[1])
    packets = draw(st.lists(st.tuples(st.integers(0, 20), pairs), min_size=1, max_size=12))
    switching = draw(st.sampled_from(["wormhole", "virtual-cut-through", "store-and-forward"]))
    flits = draw(st.integers(1, 8))
    law = {
        "flits": flits,
        "routing_delay": draw(st.integers(0, 3)),
        "buffer": draw(st.integers(1 if switching == "wormhole" else flits, 8)),
        "switching": switching,
        "per_hop": "header" if switching == "store-and-forward" else draw(st.sampled_from(PER_HOP)),
        "ports": draw(st.sampled_from(PORTS)),
    }
    return (width, depth), [(time, *pair) for time, pair in packets], law


@settings(max_examples=40)
@given(crowds(), st.data())
def test_every_flit_is_drawn_in_its_buffer(crowd, data):
    """Headers as arrows, the others as beads, each on the channel in whose buffer the flit lies."""
    shape, packets, law = crowd
    recording = sent(*packets, shape=shape, **law)
    cycle = data.draw(st.integers(0, int(recording.end_time)))
    twin = FlitNetwork((*shape, 1), **law)
    for time, source, target in packets:
        twin.send(time, (*source, 0), (*target, 0))
    while twin.now < cycle:
        twin.step()
    heads, beads = Counter(), Counter()
    for packet in range(len(packets)):
        path = twin.packets[packet].path
        for flit, place in enumerate(twin.places(packet)):
            if 0 <= place < len(path) - 1:
                counted = beads if flit else heads
                counted[packet, channel_of(shape, path[place])] += 1

    cursor = Cursor()
    cursor.show(recording)
    cursor.go_to_time(cycle)
    scene = build_network(cursor.view, Selection(), LIGHT, use=False)
    for level, expected in ((HEAD, heads), (BEAD, beads)):
        drawn = scene.strokes.only(scene.strokes.looks[:, 4] == level)
        assert Counter(zip(drawn.packets.tolist(), drawn.channels.tolist(), strict=True)) == expected
        way = channel_segments(recording.mesh, drawn.channels)
        spots, begins, ends = (drawn.starts + drawn.ends) / 2, way.starts, way.ends
        detours = np.abs(spots - begins).sum(axis=1) + np.abs(spots - ends).sum(axis=1)
        assert np.allclose(
            detours, np.abs(begins - ends).sum(axis=1), atol=1e-5
        )  # between the channel's ends


def test_a_channel_has_a_place_of_its_own():
    """No two of them are drawn over each other."""
    mesh = sent((0, (0, 0), (1, 0)), shape=(3, 3)).mesh
    used = [c for c in range(9 * WAYS) if c % WAYS < 6 and c % WAYS not in (4, 5)]
    way = channel_segments(mesh, used)
    middles = {tuple(spot) for spot in ((way.starts + way.ends) / 2).round(4).tolist()}
    assert len(middles) == len(used)

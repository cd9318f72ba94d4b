"""The flits that are drawn at any cycle are those that the naive network has there."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.network.routing import WAYS
from meshgui.model.cursor import Cursor
from meshgui.model.selection import Selection
from meshgui.views.mesh.scene.network.builder import build_network
from meshgui.views.mesh.scene.network.channels import channel_segments
from meshgui.views.style.theme import LIGHT
from tests.networks import sent
from tests.properties.networks import channel_of
from tests.twins.network import PER_HOP, PORTS, FlitNetwork

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

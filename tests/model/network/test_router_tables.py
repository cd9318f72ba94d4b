"""The channels of one router: every number in its table is what the record says of that cycle."""

import numpy as np
import pytest

from meshgui.engine.basics.translation import speaking
from meshgui.engine.network.routing import EJECT, LINKS, WAYS, ends
from meshgui.model.network.network_tables import channels_of
from meshgui.model.network.router_tables import ROUTER_COLUMNS, RouterRows, router_of
from tests.networks import sent, sent_on_torus

PACKETS = [(n, (n % 4, n // 4), (3 - n % 4, (n * 5 + 2) % 4)) for n in range(16) if n % 4 != 3]
RUNS = {
    "mesh": lambda: sent(*PACKETS, flits=12),
    "four channels": lambda: sent(*PACKETS, flits=12, channels=4, buffer=3),
    "torus": lambda: sent_on_torus(*PACKETS, flits=12, channels=2, buffer=2),
    "ports": lambda: sent(*PACKETS, flits=12, ports="free"),
}


@pytest.mark.parametrize("name", RUNS)
def test_every_channel_of_a_mesh_is_in_the_tables_of_its_two_routers(name):
    """Once as one that leaves and once as one that leads in; processors' own channels are in one."""
    record = RUNS[name]().network
    moment, count = record.at(20), np.zeros(record.mesh.processors * WAYS, dtype=int)
    for node in range(record.mesh.processors):
        for row in RouterRows(record, node, moment).channels:
            count[row.channel] += 1
            assert node in {row.channel // WAYS, *_far_node(record, row.channel)}
    own = channels_of(record.mesh, not record.law.has_ports)
    links = own % WAYS < LINKS
    assert (count[own[links]] == 2 * record.law.channels).all()
    assert (count[own[~links]] == 1).all()
    assert count.sum() == count[own].sum()


def _far_node(record, channel):
    x, y, z = ends(record.mesh, np.array([channel]))[1][0].tolist()
    return [(z * record.mesh.extents[1] + y) * record.mesh.extents[0] + x]


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("cycle", [6, 17, 30])
def test_holders_flits_and_credits_add_up_to_the_moment(name, cycle):
    """Over all routers each flit and each holder is counted once, and a buffer is flits and credits."""
    record = RUNS[name]().network
    moment, flits, held = record.at(cycle), 0, set()
    for node in range(record.mesh.processors):
        for row in RouterRows(record, node, moment).channels:
            if row.incoming:
                flits += row.flits
                assert row.flits + row.room == record.law.buffer
            if row.channel % WAYS == EJECT:
                assert row.room is None
            if row.holder >= 0:
                held.add((row.channel, row.number, row.holder))
    assert flits == len(moment.flit_packets)
    expected = zip(moment.held_channels, moment.held_virtual, moment.held_by, strict=True)
    assert held == {tuple(map(int, row)) for row in expected}


def test_without_a_selected_channel_the_router_is_where_a_packet_waits_longest():
    """With one, it is that into which the channel leads; and the table says so in its title."""
    record = RUNS["mesh"]().network
    cycle = next(t for t in range(200) if len(record.at(t).blocked))
    moment = record.at(cycle)
    assert router_of(record, moment) == moment.blocked_at[moment.blocked_since.argmin()] // WAYS
    assert router_of(record, moment, 0) == 1
    rows = RouterRows(record, 1, moment)
    assert rows.title == f"Router (1,0) at cycle {cycle}"
    assert [column.title for column in ROUTER_COLUMNS][:2] == ["Channel", "No."]
    assert rows.has(0)
    assert not rows.has(8 * 15)


def test_the_router_of_a_packet_is_the_one_that_its_header_leaves_next():
    """Along the whole way, from the injection to the destination, blocked or not."""
    record = RUNS["mesh"]().network
    packet = int(record.at(next(t for t in range(200) if len(record.at(t).blocked))).blocked[0])
    way = []
    for cycle in range(int(record.sent[packet]), int(record.delivered[packet])):
        moment = record.at(cycle)
        node = router_of(record, moment, packet=packet)
        at = np.flatnonzero(moment.blocked == packet)
        assert [node] * len(at) == (moment.blocked_at[at] // WAYS).tolist()
        way += [node] if [node] != way[-1:] else []
    nodes = record.raw.channels[record.raw.first[packet] : record.raw.first[packet + 1]] // WAYS
    assert way == list(dict.fromkeys(nodes.tolist()))
    assert len(way) > 1


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_names_of_channels_are_no_longer_than_their_column_has_room_for(language):
    """Those of a processor are in words: the German ones lost their end."""
    record = RUNS["mesh"]().network
    with speaking(language):
        rows = RouterRows(record, record.mesh.processors - 1, record.at(17))
        names = [rows.name(row) for row in range(len(rows))]
        assert max(map(len, ROUTER_COLUMNS[0].widest(rows))) >= max(map(len, names))

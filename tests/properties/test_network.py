"""The network by header hops against its naive twin, which moves every flit in every cycle."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.switching import Law
from meshgui.engine.network.wormhole import Network
from tests.properties.networks import (
    DEEP,
    FLAT,
    LAWS,
    LIMIT,
    SWITCHED,
    Case,
    Packet,
    cases_of,
    finish,
    network_of,
    outcomes,
    record_of,
    send,
    twin_of,
)
from tests.scale import cases

pytestmark = pytest.mark.kernel


@cases(300)
@given(case=cases_of())
def test_every_packet_fares_as_in_the_twin(case):
    """Injection, delivery, latency and blocking, cycle for cycle, whatever the law and the load."""
    assert outcomes(record_of(case)) == [tuple(delivery) for delivery in twin_of(case).run(LIMIT)]


@cases(200)
@given(case=cases_of(), pieces=st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30)), max_size=20))
def test_pieces_make_the_whole(case, pieces):
    """However far the network is advanced at once, in cycles or in hops, all headers go the same way."""
    network = network_of(case)
    for cycles, hops in pieces:
        now, before = network.now, network.hops
        network.advance(now + cycles, hops)
        assert now <= network.now <= now + cycles
        assert 0 <= network.hops - before <= hops + 8 * case.mesh.processors  # it ends with the cycle
    whole = network_of(case).advance(LIMIT)
    assert whole == [(0, max(record_of(case).delivered))]
    for part, same in zip(finish(network).packets(), finish(network_of(case)).packets(), strict=True):
        assert part.tolist() == same.tolist()


@st.composite
def conversations(draw):
    """Packets in several batches: those of each are sent when the network has come to some cycle.

    Each packet is given as cycles after that; many are sent for the very cycle just gone through.
    """
    case = draw(cases_of(most=8))
    batches = [case.packets]
    nodes = case.mesh.processors
    later = st.tuples(st.sampled_from([0, 0, 1, 5, 40]), st.integers(0, nodes - 2), st.integers(0, nodes - 1))
    rest = draw(st.lists(st.lists(later, max_size=8), max_size=5))
    batches += [[Packet(t, s + (s >= d), d) for t, s, d in rows] for rows in rest]
    return case, batches, draw(st.lists(st.integers(0, 60), min_size=len(batches), max_size=len(batches)))


@cases(300)
@given(conversation=conversations())
def test_packets_may_be_sent_on_the_way(conversation):
    """Also for the cycle just gone through: they come after all others of it, having higher numbers."""
    case, batches, pauses = conversation
    network = Network(case.mesh, case.law)
    sent = []
    for batch, pause in zip(batches, pauses, strict=True):
        packets = [packet._replace(time=network.now + packet.time) for packet in batch]
        send(network, packets)
        sent += packets
        network.advance(network.now + pause)
    case = case._replace(packets=sent)
    record = record_of(case, finish(network))
    assert outcomes(record) == [tuple(delivery) for delivery in twin_of(case).run(LIMIT)]


@cases(100)
@given(case=cases_of(), groups=st.integers(1, 6), pieces=st.lists(st.integers(1, 50), max_size=10))
def test_a_group_is_told_of_once_when_all_of_it_will_have_arrived(case, groups, pieces):
    """With the cycle in which its last tail arrives, no later than that cycle."""
    whose = [i % groups for i in range(len(case.packets))]
    network = Network(case.mesh, case.law, groups)
    send(network, case.packets, np.array(whose))
    told = []
    for hops in [*pieces, *[LIMIT] * len(case.packets)]:
        done = network.advance(LIMIT, hops)
        assert all(network.now <= cycle for _, cycle in done)
        told += done
    last = defaultdict(int)
    record = record_of(case, network)
    for group, delivered in zip(whose, record.delivered.tolist(), strict=True):
        last[group] = max(last[group], delivered)
    assert sorted(told) == sorted(last.items())
    assert record.jobs.tolist() == whose


@st.composite
def crowds(draw):
    """As many packets as the mesh has room for, and more: all at once, in ways that are known to hurt."""
    shape = draw(st.one_of(FLAT, DEEP))
    nodes = int(np.prod(shape))
    kind = draw(st.sampled_from(["anywhere", "hot spot", "transpose", "everybody to everybody"]))
    rounds = draw(st.integers(1, 8))
    if kind == "everybody to everybody":
        pairs = [(s, d) for s in range(nodes) for d in range(nodes)]
    elif kind == "transpose":  # the mesh turned over: far, and across its middle
        pairs = [(s, nodes - 1 - s) for s in range(nodes)] * rounds
    elif kind == "hot spot":
        spot = draw(st.integers(0, nodes - 1))
        pairs = [(s, spot) for s in range(nodes)] * rounds
    else:
        targets = draw(st.lists(st.integers(0, nodes - 1), min_size=nodes, max_size=nodes))
        pairs = list(enumerate(targets)) * rounds
    packets = [Packet(0, s, d) for s, d in pairs if s != d]
    return Case(shape, draw(LAWS), packets or [Packet(0, 0, 1)])


@cases(200)
@given(case=crowds())
def test_no_load_ends_in_a_deadlock(case):
    """All packets arrive, each once, in no more cycles than one after the other would take.

    While any is under way, some header or flit moves: alone, a packet takes its unblocked latency.
    """
    record = record_of(case)
    assert record.arrived.tolist() == list(range(len(case.packets)))
    alone = [case.law.unblocked(hops) for hops in record.distances.tolist()]
    assert max(record.delivered.tolist()) <= sum(alone)
    assert all(record.latency >= alone)
    assert all(record.blocked == record.latency - alone)


@cases(100)
@given(case=crowds())
def test_every_flit_crosses_every_channel_of_its_way_once(case):
    """One flit a cycle and channel, none lost and none doubled, and each way from source to target."""
    record = record_of(case)
    uses = defaultdict(int)
    for channel in record.raw.channels.tolist():
        uses[channel] += 1
    total = record.carried(int(record.delivered.max()))
    for channel, packets in uses.items():
        crossings = record.crossings(channel)
        assert (np.diff(crossings) >= case.law.cycles).all()
        assert len(crossings) == packets * case.law.flits == total[channel]
    assert total.sum() == (record.distances + case.law.ends).sum() * case.law.flits
    assert record.sources.tolist() == [packet.source for packet in case.packets]
    assert record.targets.tolist() == [packet.target for packet in case.packets]


@cases(100)
@given(case=cases_of(), axis=st.integers(0, 2))
def test_a_mirrored_mesh_mirrors_all_that_happens(case, axis):
    """Left for right, or up for down: the same packets in the same order fare the same."""
    extents = case.mesh.extents
    strides = (1, extents[0], extents[0] * extents[1])

    def mirrored(node):
        at = node // strides[axis] % extents[axis]
        return node + (extents[axis] - 1 - 2 * at) * strides[axis]

    packets = [Packet(t, mirrored(s), mirrored(d)) for t, s, d in case.packets]
    assert outcomes(record_of(case._replace(packets=packets))) == outcomes(record_of(case))


@cases(60)
@given(law=LAWS, time=st.integers(0, 9), ends=st.tuples(st.integers(0, 63), st.integers(0, 63)))
def test_a_packet_alone_takes_the_unblocked_latency(law, time, ends):
    """(h+1)(ts+1) + L over h hops, and what §5 and §12 say of the other settings: in closed form."""
    source, target = ends if ends[0] != ends[1] else (0, 63)
    case = Case((4, 4, 4), law, [Packet(time, source, target)])
    hops = sum(abs(source // n % 4 - target // n % 4) for n in (1, 4, 16))
    flits, delay, whole = law.flits, law.routing_delay, law.switching == "store-and-forward"
    latency = {
        ("header", "one"): (hops + 1) * (delay + (flits if whole else 1)) + flits,
        ("header", "free"): hops + (hops - 1) * (delay + (flits - 1 if whole else 0)) + flits - 1,
        ("flit", "one"): (delay + 1) * (hops + 2 + flits - 1),
        ("flit", "free"): (delay + 1) * (hops + flits - 1),
    }[law.per_hop, law.ports]
    assert law.unblocked(hops) == latency
    assert outcomes(record_of(case)) == [(time, time + latency, latency, 0)]


@cases(60)
@given(law=SWITCHED, hops=st.integers(1, 9))
def test_a_road_is_a_pipeline(law, hops):
    """Of two packets over one road the second is injected when the first's tail is through, and never waits.

    Where the buffers take in a whole packet that is after L cycles and one routing; with rigid worms when the
    header is L channels on, or would be.
    """
    record = record_of(Case((10, 1), law, [Packet(0, 0, hops), Packet(0, 0, hops)]))
    flits, delay = law.flits, law.routing_delay
    latency = law.unblocked(hops)
    [(*first, _), (*second, blocked)] = outcomes(record)
    assert first == [0, latency, latency]
    assert (second[2], blocked) == (latency, 0)
    if law.switching == "store-and-forward":
        assert second[0] == 2 * flits + delay
    elif law.buffer >= flits:
        assert second[0] == flits + 1 + delay
    elif law.buffer == 1:
        assert second[0] == 1 + min(flits, hops + 1) * (delay + 1) + max(flits - (hops + 1), 0)


def test_two_meshes_of_one_size_differ_in_their_roads_only():
    """A flat mesh, and the same with a height of one, are one machine."""
    packets = [Packet(0, s, d) for s in range(12) for d in range(12) if s != d]
    law = Law(flits=4)
    flat, deep = (record_of(Case(shape, law, packets)) for shape in [(4, 3), (4, 3, 1)])
    assert outcomes(flat) == outcomes(deep)
    assert Mesh((4, 3)).extents == Mesh((4, 3, 1)).extents

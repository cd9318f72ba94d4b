"""Packets worked out by hand, and the heap that gives them up in order of key, then of number."""

import numpy as np
import pytest

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import Kernel
from meshgui.engine.network import packets as packet_network
from meshgui.engine.network import record, wormhole
from meshgui.engine.network.heap import pop, push
from meshgui.engine.network.packets import LONGEST_WAIT
from meshgui.engine.network.patterns.base import NetworkError
from meshgui.engine.network.record import NEVER_YET, NetworkRecord
from meshgui.engine.network.switching import Law
from meshgui.engine.network.wormhole import Network
from tests.properties.networks import LIMIT, Case, Packet, finish, network_of, outcomes, record_of, send
from tests.scale import COMPILED
from tests.twins.network import PER_HOP, PORTS

pytestmark = pytest.mark.kernel

ROW = Mesh((6, 1))


def row_of(packets, **law):
    """What becomes of packets on a row of six nodes."""
    return record_of(Case((6, 1), Law(**law), [Packet(*packet) for packet in packets]))


def test_two_that_meet_and_two_that_meet_over_free_ports_and_where_every_flit_is_delayed():
    """Who asks second waits until the first's tail is out, three cycles a channel if each flit is delayed."""
    record = row_of([(0, 4, 5), (0, 3, 5)], flits=4, routing_delay=0)
    assert outcomes(record) == [(0, 6, 6, 0), (0, 11, 11, 4)]
    moment = record.at(4)
    assert moment.blocked.tolist() == [1]
    assert moment.blocked_since.tolist() == [2]
    assert moment.blocked_by.tolist() == [0]
    assert moment.chain(1) == [1, 0]
    first, second = record.passages(1)[1:3]
    assert (first.waited, second.waited, first.blockers, second.blockers) == (0, 4, (), (0,))
    law = {"flits": 4, "routing_delay": 2, "per_hop": "flit", "ports": "free"}
    record = row_of([(0, 4, 5), (0, 3, 5), (4, 4, 5)], **law)
    assert outcomes(record) == [(0, 12, 12, 0), (0, 24, 24, 9), (4, 36, 32, 20)]
    moment = record.at(5)
    assert (moment.packets.tolist(), moment.queued.tolist()) == ([0, 1, 2], [])
    assert dict(zip(moment.blocked.tolist(), moment.blocked_since.tolist(), strict=True)) == {1: 3, 2: 4}
    assert record.targets.tolist() == [5, 5, 5]
    header = row_of([(0, 4, 5), (0, 3, 5)], flits=4, routing_delay=2, ports="free")
    assert outcomes(header) == [(0, 4, 4, 0), (0, 8, 8, 1)]
    law = {"flits": 4, "routing_delay": 2, "per_hop": "flit"}
    record = row_of([(0, 4, 5), (0, 3, 5)], **law)
    assert outcomes(record) == [(0, 18, 18, 0), (0, 33, 33, 12)]
    assert [passage.entered for passage in record.passages(1)] == [3, 6, 21, 24]
    assert [passage.left for passage in record.passages(1)] == [27, 30, 33, 33]


def test_a_short_packet_is_named_by_the_next_that_gets_its_channel_and_a_chain_of_blocking():
    """Of one flit it holds a link for two cycles; a chain leads to the one that is not blocked."""
    record = row_of([(0, 3, 5), (0, 2, 5)], flits=1, routing_delay=0)
    first, second = record.passages(0)[1], record.passages(1)[2]
    assert first.channel == second.channel
    assert (first.granted, first.left) == (1, 3)
    assert (second.asked, second.granted, second.blockers) == (2, 3, (0,))
    record = row_of([(0, 4, 5), (1, 3, 5), (3, 2, 4), (3, 1, 3)], flits=9, routing_delay=0)
    chains = [record.at(cycle).chain(3) for cycle in range(40)]
    assert max(chains, key=len) == [3, 2, 1, 0]


def test_a_queue_is_kept_in_order_of_asking_then_number_though_another_is_heard_first():
    """Not in that of sending; from farther away and heard first, it goes before the higher number."""
    mesh = Mesh((3, 3))
    network = Network(mesh, Law(flits=20, routing_delay=0))
    # From the four sides into the middle: all ask for its ejection, the lower numbers later or as late.
    send(network, [Packet(5, 3, 4), Packet(2, 5, 4), Packet(2, 1, 4), Packet(1, 7, 4), Packet(1, 0, 4)])
    record = NetworkRecord(mesh, network.law, finish(network).packets())
    # The fourth asks first; then the second and the third in one cycle; then the first. The fifth comes last:
    # it sets out before most, but waits for the link that the third is in.
    assert np.argsort(record.delivered).tolist() == [3, 1, 2, 0, 4]
    arrivals = np.sort(record.delivered)
    assert (np.diff(arrivals) == 20).all()
    mesh = Mesh((5, 3))
    network = Network(mesh, Law(flits=20, routing_delay=0))
    send(network, [Packet(1, 12, 7), Packet(2, 8, 7), Packet(1, 5, 7), Packet(0, 2, 7)])
    record = NetworkRecord(mesh, network.law, finish(network).packets())
    assert [record.passages(packet)[-1].asked for packet in range(4)] == [3, 4, 4, 2]
    assert np.argsort(record.delivered).tolist() == [3, 0, 1, 2]


def test_a_network_without_packets_and_a_pause_of_any_length_costs_nothing():
    """Advances to wherever it is to; time leaps to the next packet when nothing is under way."""
    network = Network(ROW, Law())
    assert network.advance(50) == []
    assert (network.now, network.hops, network.delivered, network.count) == (50, 0, 0, 0)
    none = np.empty(0, dtype=np.int64)
    network.send(none, none, none)
    record = NetworkRecord(ROW, network.law, network.packets())
    assert len(record) == 0
    assert record.at(9).packets.tolist() == []
    assert not record.carried(9).any()
    assert record.crossings(0).tolist() == []
    assert record.packet_times.tolist() == record.hop_times.tolist() == []
    far = 10**12
    case = Case((6, 1), Law(), [Packet(far, 0, 1), Packet(0, 0, 1), Packet(far, 2, 1)])
    network = network_of(case)
    network.advance(2 * far)
    record = record_of(case, network)
    alone = Law().unblocked(1)
    assert record.delivered.tolist() == [far + alone, alone, far + alone + 8]


def test_what_has_not_happened_yet_is_never():
    """Of a packet on its way, and of one not yet sent out."""
    case = Case((6, 1), Law(flits=4, routing_delay=1), [Packet(0, 0, 5), Packet(0, 0, 4), Packet(500, 1, 0)])
    network = network_of(case)
    network.advance(5)
    record = record_of(case, network)
    assert record.injected.tolist() == [0, NEVER_YET, NEVER_YET]
    assert record.delivered.tolist() == [NEVER_YET] * 3
    assert [len(part) for part in (record.arrived, record.latency, record.blocked)] == [0, 0, 0]
    first, second, *_ = record.passages(0)
    assert (first.asked, first.granted, first.entered, first.left) == (0, 0, 1, NEVER_YET)
    assert (second.asked, second.granted, second.entered) == (2, 2, 3)
    assert {passage.granted for passage in record.passages(0)[3:]} == {NEVER_YET}
    queued, *rest = record.passages(1)
    assert (queued.asked, queued.granted, queued.blockers) == (0, NEVER_YET, (0,))
    assert {passage.asked for passage in rest} == {NEVER_YET}
    assert record.at(5).queued.tolist() == [1]
    assert record.passages(2)[0].asked == 500


@pytest.mark.skipif(not COMPILED, reason="packets by the hundred thousand need compiled kernels")
def test_a_wait_too_long_to_be_kept_is_an_error():
    """Rather than a wrong time: a header's times are kept in 32 bits, counted from when it was sent."""
    flits = 1 << 16
    each = flits * 2  # of these on one road, packets that fit into a buffer follow one another
    count = LONGEST_WAIT // flits + 10
    assert count * each > LONGEST_WAIT
    network = Network(Mesh((2, 1)), Law(flits, 0, flits, "store-and-forward"))
    zeros = np.zeros(count, dtype=np.int64)
    network.send(0, zeros, zeros + 1)
    with pytest.raises(NetworkError, match=f"waited for more than {LONGEST_WAIT} cycles"):
        network.advance(1 << 50)
    waited = network.packets().entered
    assert waited.max() <= LONGEST_WAIT
    assert waited.min() == -1


def test_the_longest_wait_fits_where_it_is_kept():
    """A longer one would come out as a negative number."""
    assert np.iinfo(Network(ROW, Law()).state.entered.dtype).max > LONGEST_WAIT


@pytest.mark.skipif(COMPILED, reason="what is compiled cannot be made to keep less")
def test_a_wait_longer_than_is_kept_ends_the_run(monkeypatch):
    """The last wait that can be kept is kept."""
    case = Case((2, 1), Law(flits=20, routing_delay=0), [Packet(0, 0, 1)] * 3)
    entered = 3 + 2 * 21  # the last header's arrival: two have been through the injection before it
    keep_waits_of(entered, monkeypatch)
    assert finish(network_of(case)).packets().entered.max() == entered
    keep_waits_of(entered - 1, monkeypatch)
    with pytest.raises(NetworkError, match="waited for more than"):
        finish(network_of(case))


def keep_waits_of(cycles, monkeypatch):
    """Have the kernels keep no longer waits; each has its own copy of what it reads."""
    monkeypatch.setattr(wormhole, "LONGEST_WAIT", cycles)
    for made in vars(wormhole).values():
        if isinstance(made, Kernel):
            monkeypatch.setattr(made, "_compiled", None)


def test_a_chain_that_came_back_would_end_there():
    """No routes in dimension order make one; the window must not hang if others ever do."""
    moment = row_of([(0, 0, 1), (0, 1, 0)]).at(1)
    round_about = moment._replace(blocked=np.array([0, 1]), blocked_by=np.array([1, 0]))
    assert round_about.chain(0) == [0, 1]


@pytest.mark.parametrize(("flits", "delay"), [(1, 0), (1, 1), (2, 0), (1 << 16, 0), (1, 1 << 16), (61, 3)])
@pytest.mark.parametrize("switching", ["wormhole", "store-and-forward"])
@pytest.mark.parametrize("per_hop", PER_HOP)
@pytest.mark.parametrize("ports", PORTS)
def test_the_longest_and_shortest_laws(flits, delay, switching, per_hop, ports):
    """The wheel of cycles has room for whatever lies between a header's hops."""
    if per_hop == "flit" and switching == "store-and-forward":
        return
    law = Law(flits, delay, 1 if switching == "wormhole" else flits, switching, per_hop, ports)
    case = Case((3, 1), law, [Packet(0, 0, 2), Packet(0, 1, 2), Packet(1, 2, 0)])
    record = record_of(case)
    alone = [law.unblocked(hops) for hops in (2, 1, 2)]
    assert (record.latency - record.blocked).tolist() == alone
    assert record.latency[2] == alone[2]
    first, second, _ = record.delivered.tolist()
    assert abs(first - second) >= flits
    for channel in (7, 15, 23):
        assert (np.diff(record.crossings(channel)) >= 1).all()


def test_messages_come_back_as_they_were_sent():
    """After thousands, in batches that outgrow their room; in the order of the grants."""
    network = Network(ROW, Law(flits=2, routing_delay=0), groups=3)
    rng = np.random.default_rng(1)
    batches = [1, 1023, 5, 2000, 1]
    sent = []
    for size in batches if COMPILED else batches[:3]:
        sources = rng.integers(0, 6, size)
        targets = (sources + rng.integers(1, 6, size)) % 6
        whose = rng.integers(0, 3, size)
        network.send(network.now + 3, sources, targets, whose)
        sent += list(
            zip([network.now + 3] * size, sources.tolist(), targets.tolist(), whose.tolist(), strict=True)
        )
        network.advance(network.now + 10)
    record = NetworkRecord(ROW, network.law, finish(network).packets())
    columns = (record.sent, record.sources, record.targets, record.jobs)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == sent
    assert record.arrived.tolist() == list(range(len(sent)))
    assert network.now < LIMIT
    record = row_of([(0, 4, 5), (1, 3, 5), (3, 2, 4), (3, 1, 3), (90, 0, 2)], flits=9, routing_delay=0)
    on_the_way = sorted(
        (passage.channel, passage.granted, packet, passage.left)
        for packet in range(5)
        for passage in record.passages(packet)
    )
    for channel in {channel for channel, *_ in on_the_way}:
        packets, granted, left = record.passers(channel)
        assert list(zip(granted, packets, left, strict=True)) == [
            p[1:] for p in on_the_way if p[0] == channel
        ]


def test_many_packets_are_taken_in_parts_and_what_the_channels_carried_is_counted_in_parts(monkeypatch):
    """A signal is noticed between two of them; numbers, routes, outcomes and counts are the same."""
    packets = [Packet(n // 3, n % 12, (5 * n + 1) % 12) for n in range(100) if n % 12 != (5 * n + 1) % 12]
    case = Case((4, 3), Law(flits=6), packets)
    whole = finish(network_of(case)).packets()
    taken = []

    def counted(state, rules, count, *columns):
        taken.append(count)
        return take(state, rules, count, *columns)

    take = wormhole.send
    monkeypatch.setattr(Network, "kernels", Network.kernels._replace(send=counted))
    monkeypatch.setattr(packet_network, "_SENT_AT_ONCE", 40)
    in_parts = finish(network_of(case)).packets()
    assert taken == [40, 40, len(packets) - 80]  # none of them twice: there was room for all
    for one, other in zip(whole, in_parts, strict=True):
        assert np.array_equal(one, other)
    packets = [Packet(n // 3, n % 12, (7 * n + 2) % 12) for n in range(60) if n % 12 != (7 * n + 2) % 12]
    seen = record_of(Case((4, 3), Law(flits=5), packets))
    last = int(seen.delivered.max())
    whole = [seen.carried(cycle).tolist() for cycle in (0, last // 2, last)]
    monkeypatch.setattr(record, "PIECE", 7)
    assert [seen.carried(cycle).tolist() for cycle in (0, last // 2, last)] == whole
    assert sum(whole[-1]) == 5 * int((seen.distances + 2).sum())


@pytest.mark.parametrize("keys", [[5] * 9, [3, 1, 2, 1, 3, 2, 1, 3, 2], [9, 8, 7, 6, 5, 4, 3, 2, 1]])
@pytest.mark.parametrize("stride", [1, 2, 4, 5])
def test_equal_keys_come_out_by_number(keys, stride):
    """In whatever order they were put in."""
    heap, of = np.zeros(len(keys), dtype=np.int32), np.array(keys, dtype=np.int64)
    for size in range(len(keys)):
        push(heap, size, of, size * stride % len(keys))
    taken = [pop(heap, size, of) for size in range(len(keys), 0, -1)]
    assert taken == sorted(range(len(keys)), key=lambda number: (keys[number], number))

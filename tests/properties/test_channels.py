"""Rings, turn models and virtual channels against their naive twin, which moves every flit in every cycle."""

from collections import defaultdict
from dataclasses import asdict, replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.network.deadlock import can_deadlock, deadlock_of
from meshgui.engine.network.flit_network import FlitNetwork
from meshgui.engine.network.networks import network_for
from meshgui.engine.network.record import NEVER_YET, NetworkRecord
from meshgui.engine.network.switching import ROUTINGS, Law
from tests.properties.networks import (
    LAWS,
    LIMIT,
    Case,
    Packet,
    cases_of,
    exhaust,
    node_of,
    send,
)
from tests.scale import cases
from tests.twins.channels import ChannelNetwork, directions, next_node
from tests.twins.channels import Packet as Walker

pytestmark = pytest.mark.kernel

FLAT_ROUTINGS = ROUTINGS
SOLID_ROUTINGS = ("xy", "yx", "negative-first", "adaptive")
RING_ROUTINGS = ("xy", "yx", "adaptive")
WAYS = ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1), "inject", "eject")


@st.composite
def networks(draw, most_channels=4):
    """The shape, which axes are rings, and a law that goes with them."""
    dims = draw(st.integers(2, 3))
    shape = draw(st.tuples(*[st.integers(1, 5 if dims == 2 else 3)] * dims).filter(lambda s: np.prod(s) > 1))
    wrap = tuple(draw(st.booleans()) and side >= 3 for side in shape) if draw(st.booleans()) else ()
    routings = RING_ROUTINGS if any(wrap) else FLAT_ROUTINGS if dims == 2 else SOLID_ROUTINGS
    routing, channels = draw(st.sampled_from(routings)), draw(st.integers(1, most_channels))
    if channels > 1 or draw(st.booleans()):
        flits, cut = draw(st.integers(1, 12)), draw(st.integers(0, 3)) == 0
        buffer = draw(st.integers(flits, flits + 2) if cut else st.integers(1, 4))
        switching = "virtual-cut-through" if cut else "wormhole"
        law = Law(flits, draw(st.integers(0, 3)), buffer, switching, credit=1)
    else:
        law = draw(LAWS)
    return shape, wrap, replace(law, routing=routing, channels=channels)


@st.composite
def loads(draw, most=60):
    """A network and what is sent through it."""
    shape, wrap, law = draw(networks())
    nodes, span = int(np.prod(shape)), draw(st.sampled_from([0, 20, 200]))
    one = st.tuples(st.integers(0, span), st.integers(0, nodes - 2), st.integers(0, nodes - 1))
    rows = draw(st.lists(one, min_size=1, max_size=most))
    return Case(shape, law, [Packet(t, s + (s >= d), d) for t, s, d in rows], wrap)


def twin_of(case):
    """The twin, all packets sent."""
    shape, wrap = (*case.shape, 1)[:3], (*case.wrap, False, False, False)[:3]
    twin = ChannelNetwork(shape, **asdict(case.law), wrap=wrap)
    for packet in case.packets:
        twin.send(packet.time, node_of(shape, packet.source), node_of(shape, packet.target))
    return twin


def started(case, kind=network_for):
    """The engine's network, all packets sent."""
    network = kind(case.mesh, case.law)
    send(network, case.packets)
    return network


def record_of(case, network):
    """What the network did."""
    return NetworkRecord(case.mesh, case.law, network.packets())


def known(times):
    """Cycles, None where it has not happened."""
    return [None if time == NEVER_YET else time for time in times.tolist()]


def fates(record):
    """Each packet's injection, delivery and blocking."""
    blocked = np.full(len(record), NEVER_YET)
    blocked[record.arrived] = record.blocked
    columns = map(known, (record.injected, record.delivered, blocked))
    return list(zip(*columns, strict=True))


def link_of(shape, channel):
    """The number of one of the twin's links."""
    (x, y, z), way, _ = channel
    return 8 * ((z * shape[1] + y) * shape[0] + x) + WAYS.index(way)


@cases(1000)
@given(case=loads())
def test_every_packet_fares_as_in_the_twin(case):
    """Its injection, delivery and blocking, its channels and the cycles of every flit; and any deadlock."""
    twin = twin_of(case)
    expected = twin.run(LIMIT)
    record = record_of(case, exhaust(started(case)))
    assert fates(record) == [tuple(fate) for fate in expected]
    found = deadlock_of(record)
    assert (None if found is None else found.cycle) == twin.deadlock
    if case.law.headers_decide:
        return
    raw = record.raw
    for packet in twin.packets:
        begin, end = raw.first[packet.number], raw.first[packet.number] + len(packet.path)
        assert raw.channels[begin:end].tolist() == [link_of(twin.shape, channel) for channel in packet.path]
        assert raw.virtual[begin:end].tolist() == [number for *_, number in packet.path]
        for row, entered in enumerate(packet.entered, int(begin)):
            moves = raw.moves[row * case.law.flits : (row + 1) * case.law.flits]
            assert (moves[moves >= 0] + packet.sent).tolist() == entered


@cases(200)
@given(case=loads())
def test_a_deadlock_names_a_circle(case):
    """Each of its packets waits for a channel, of all that it wants, that the next one holds."""
    record = record_of(case, exhaust(started(case)))
    found = deadlock_of(record)
    if found is None:
        return
    moment = record.at(found.cycle)
    wants = set(zip(moment.wanting.tolist(), moment.wanted_of.tolist(), strict=True))
    circle = found.circle
    assert len(set(circle)) == len(circle) > 1
    assert all(pair in wants for pair in zip(circle, circle[1:] + circle[:1], strict=True))
    assert (moment.wanted_of >= 0).all()
    later = record.at(found.cycle + 1000)
    assert later.flit_channels.tolist() == moment.flit_channels.tolist()


@cases(300)
@given(case=cases_of(), wrap=st.tuples(*[st.booleans()] * 3), backwards=st.booleans())
def test_both_kernels_agree(case, wrap, backwards):
    """With one channel and no credit, on every packet, and on the place of every flit in every cycle."""
    wrap = tuple(ring and side >= 3 for ring, side in zip(wrap, case.shape, strict=False))
    case = case._replace(wrap=wrap, law=replace(case.law, routing="yx" if backwards else "xy"))
    headers, flits = (record_of(case, exhaust(started(case, kind))) for kind in (network_for, FlitNetwork))
    assert fates(headers) == fates(flits)
    assert deadlock_of(headers) == deadlock_of(flits)
    for name in ("entered", "channels"):
        assert getattr(headers.raw, name).tolist() == getattr(flits.raw, name).tolist()
    end = max((time for time in headers.hop_times.tolist()), default=0) + case.law.flits
    for cycle in range(0, end, max(1, end // 20)):
        for one, other in zip(headers.at(cycle), flits.at(cycle), strict=True):
            assert np.array_equal(one, other)
        assert headers.busy(cycle).tolist() == flits.busy(cycle).tolist()


@cases(200)
@given(case=loads(), pieces=st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30)), max_size=20))
def test_pieces_make_the_whole(case, pieces):
    """However far the network is advanced at once, all flits go the same way."""
    network = started(case)
    for cycles, moves in pieces:
        now = network.now
        network.advance(now + cycles, moves)
        assert now <= network.now <= now + cycles
    for part, same in zip(exhaust(network).packets(), exhaust(started(case)).packets(), strict=True):
        assert part.tolist() == same.tolist()


@cases(200)
@given(
    case=loads(most=8),
    batches=st.lists(
        st.lists(
            st.tuples(st.sampled_from([0, 0, 1, 5]), st.integers(0, 99), st.integers(0, 99)), max_size=8
        ),
        max_size=5,
    ),
    pauses=st.lists(st.integers(0, 60), min_size=6, max_size=6),
)
def test_packets_may_be_sent_on_the_way(case, batches, pauses):
    """Also for the cycle just gone through: they come after all others of it, having higher numbers."""
    nodes = case.mesh.processors
    network, sent = started(case), list(case.packets)
    for batch, pause in zip(batches, pauses, strict=False):
        network.advance(network.now + pause)
        now = network.now
        rows = [Packet(now + t, s % nodes, d % nodes) for t, s, d in batch if s % nodes != d % nodes]
        send(network, rows)
        sent += rows
    case = case._replace(packets=sent)
    record = record_of(case, exhaust(network))
    assert fates(record) == [tuple(fate) for fate in twin_of(case).run(LIMIT)]


@st.composite
def full_loads(draw):
    """All that every node has to say at once, on networks that cannot deadlock: up to 6×6, and 4×4×4."""
    dims = draw(st.integers(2, 3))
    sides = st.integers(2, 6 if dims == 2 else 4)
    shape = draw(st.tuples(*[sides] * dims))
    wrap = tuple(draw(st.booleans()) and side >= 3 for side in shape)
    models = [name for name in FLAT_ROUTINGS if name != "adaptive"]
    safe = ["xy", "yx"] if any(wrap) else models if dims == 2 else ["xy", "yx", "negative-first"]
    channels = draw(st.integers(2 if any(wrap) else 1, 3))
    flits, buffer = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    law = Law(
        flits, draw(st.integers(0, 1)), buffer, routing=draw(st.sampled_from(safe)), channels=channels,
        credit=1 if channels > 1 else draw(st.integers(0, 1)),
    )  # fmt: skip
    nodes = int(np.prod(shape))
    rounds = draw(st.integers(1, 3))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["anywhere", "across", "one"]))
    packets = []
    for _ in range(rounds):
        for source in range(nodes):
            anywhere = int(random.integers(0, nodes))
            target = {"anywhere": anywhere, "across": nodes - 1 - source, "one": 0}[kind]
            if target != source:
                packets.append(Packet(0, source, target))
    return Case(shape, law, packets, wrap)


@cases(400)
@given(case=full_loads())
def test_turn_models_and_datelines_are_free_of_deadlock(case):
    """Under full load all packets arrive, each over as many links as it is hops from its target."""
    record = record_of(case, exhaust(started(case)))
    assert record.arrived.tolist() == list(range(len(case.packets)))
    assert not can_deadlock(case.mesh, case.law)


def dependencies(shape, wrap, routing, channels):
    """From each link's channel to those that a header may want while it holds that, for any packet."""
    law = {"flits": 1, "routing": routing, "channels": channels, "credit": int(channels > 1), "wrap": wrap}
    network, nodes = ChannelNetwork(shape, **law), list(np.ndindex(*shape))
    follow = defaultdict(set)
    for source, target in product(nodes, nodes):
        if source == target:
            continue
        seen, heads = set(), [(source, ())]
        while heads:
            here, path = heads.pop()
            walker = Walker(0, source, target, here, 0, 0, path=list(path))
            ways = directions(routing, shape, wrap, here, source, target)
            for channel in [(here, way, n) for way in ways for n in network.permitted(walker, way)]:
                if path:
                    follow[path[-1]].add(channel)
                # What follows depends on the hops along this axis alone
                run = [*path, channel]
                begin = next((i for i in range(len(run) - 1, -1, -1) if run[i][1][0] != channel[1][0]), -1)
                state = (tuple(run[begin + 1 :]), channel)
                if state not in seen:
                    seen.add(state)
                    heads.append((next_node(shape, channel[0], channel[1]), state[0]))
    return follow


def has_circle(follow):
    """Whether a walk along the arrows can come back to where it was."""
    open_, done = set(), set()

    def visit(channel):
        stack = [(channel, iter(follow.get(channel, ())))]
        open_.add(channel)
        while stack:
            here, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                stack.pop()
                open_.discard(here)
                done.add(here)
            elif step in open_:
                return True
            elif step not in done:
                open_.add(step)
                stack.append((step, iter(follow.get(step, ()))))
        return False

    return any(visit(channel) for channel in list(follow) if channel not in done)


FLAT_AND_SOLID = [
    *(((4, 4, 1), (False,) * 3, routing, 1, False) for routing in FLAT_ROUTINGS if routing != "adaptive"),
    ((5, 3, 1), (False,) * 3, "odd-even", 2, False),
    ((3, 3, 3), (False,) * 3, "negative-first", 1, False),
    ((3, 3, 2), (False,) * 3, "yx", 2, False),
    ((3, 3, 1), (False,) * 3, "adaptive", 1, True),
    ((5, 4, 1), (True, True, False), "xy", 2, False),
    ((4, 3, 1), (True, False, False), "yx", 3, False),
    ((3, 3, 3), (True, True, True), "xy", 2, False),
    ((5, 4, 1), (True, True, False), "xy", 1, True),
    ((4, 4, 1), (True, True, False), "adaptive", 2, True),
]


@pytest.mark.parametrize(("shape", "wrap", "routing", "channels", "circle"), FLAT_AND_SOLID)
def test_channel_graphs_have_no_circle(shape, wrap, routing, channels, circle):
    """Those of turn models and of datelines; adaptive routing, and rings with one channel, have some."""
    assert has_circle(dependencies(shape, wrap, routing, channels)) == circle

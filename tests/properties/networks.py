"""Leads the network and its naive twin through the same packets: random ones, on small meshes."""

from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.switching import SWITCHINGS, Law
from meshgui.engine.network.wormhole import Network
from tests.twins.network import PER_HOP, PORTS, FlitNetwork

WAYS = ("+x", "-x", "+y", "-y", "+z", "-z", "inject", "eject")
OLDER = ("flits", "routing_delay", "buffer", "switching", "per_hop", "ports")  # what the older twin knows
LIMIT = 10**6  # cycles: no packet here needs as many, and no test is to run for ever

FLAT = st.tuples(st.integers(1, 5), st.integers(1, 5)).filter(lambda shape: shape != (1, 1))
DEEP = st.tuples(*[st.integers(1, 4)] * 3).filter(lambda shape: shape != (1, 1, 1))
# A wormhole's buffers end where they could hold a packet; the other switchings' begin there.
SWITCHED = st.one_of(st.sampled_from(["wormhole"] * 3 + [*SWITCHINGS[1:]])).flatmap(
    lambda switching: st.integers(1, 32).flatmap(
        lambda flits: st.builds(
            Law,
            st.just(flits),
            st.integers(0, 3),
            st.integers(1, flits) if switching == "wormhole" else st.integers(flits, flits + 3),
            st.just(switching),
        )
    )
)
LAWS = st.builds(
    lambda law, per_hop, ports: replace(law, per_hop="header" if law.whole else per_hop, ports=ports),
    SWITCHED,
    st.sampled_from(["header", *PER_HOP]),
    st.sampled_from(["one", *PORTS]),
)


class Packet(NamedTuple):
    """When it is sent, and between which nodes by number."""

    time: int
    source: int
    target: int


class Case(NamedTuple):
    """What is sent through which network."""

    shape: tuple[int, ...]
    law: Law
    packets: list[Packet]
    wrap: tuple[bool, ...] = ()

    @property
    def mesh(self):
        """The mesh."""
        return Mesh(self.shape, self.wrap)


@st.composite
def cases_of(draw, most=50, laws=LAWS):
    """All kinds of networks, from nearly empty ones to such as take in all packets at once."""
    shape = draw(st.one_of(FLAT, DEEP))
    processors = int(np.prod(shape))
    count, span = draw(st.integers(1, most)), draw(st.sampled_from([0, 20, 200, 1500]))
    some = draw(st.sampled_from(["anywhere", "one", "two"]))
    targets = st.integers(0, processors - 1)
    if some != "anywhere":
        few = draw(st.lists(targets, min_size=1, max_size=1 if some == "one" else 2))
        targets = st.sampled_from(few)
    packet = st.tuples(st.integers(0, span), st.integers(0, processors - 2), targets)
    rows = draw(st.lists(packet, min_size=count, max_size=count))
    return Case(shape, draw(laws), [Packet(t, s + (s >= d), d) for t, s, d in rows])


def node_of(shape, number):
    """The coordinates of a node by its number, x fastest."""
    width, depth, *_ = shape
    return (number % width, number // width % depth, number // width // depth)


def channel_of(shape, channel):
    """The number of one of the twin's channels: eight a node, its ways in their order."""
    (x, y, z), way = channel
    return 8 * ((z * shape[1] + y) * shape[0] + x) + WAYS.index(way)


def twin_of(case):
    """The twin, all packets sent."""
    shape = (*case.shape, 1)[:3]
    law = asdict(case.law)
    twin = FlitNetwork(shape, *(law[name] for name in OLDER))
    for packet in case.packets:
        twin.send(packet.time, node_of(shape, packet.source), node_of(shape, packet.target))
    return twin


def send(network, packets, group=0):
    """Send packets through the engine's network."""
    times, sources, targets = np.array(packets, dtype=np.int64).reshape(-1, 3).T
    network.send(times, sources, targets, group)


def finish(network):
    """Let all that was sent arrive."""
    while network.delivered < network.count:
        before = network.hops
        network.advance(LIMIT)
        assert network.hops > before, "packets stand still"
    return network


def exhaust(network):
    """Let the network go on for as long as anything moves."""
    before = -1
    while network.hops > before:
        before = network.hops
        network.advance(LIMIT)
    return network


def network_of(case):
    """The engine's network, all packets sent and none moved yet."""
    network = Network(case.mesh, case.law)
    send(network, case.packets)
    return network


def record_of(case, network=None):
    """What the engine's network did: by default, all of it."""
    network = network or finish(network_of(case))
    return NetworkRecord(case.mesh, case.law, network.packets())


def outcomes(record):
    """Injection, delivery, latency and blocking of each packet that has arrived."""
    times = (record.injected[record.arrived], record.delivered[record.arrived])
    columns = (*times, record.latency, record.blocked)
    return list(zip(*(column.tolist() for column in columns), strict=True))


class Header(NamedTuple):
    """A header that waits, which channel for, since when and who holds that."""

    packet: int
    channel: int
    since: int
    holder: int


class Seen(NamedTuple):
    """The twin at the end of a cycle."""

    flits: dict[tuple[int, int], int]  # by packet and number, the channel in whose buffer each lies
    held: dict[int, int]  # who holds each channel
    headers: list[Header]
    under_way: list[int]
    queued: list[int]
    carried: dict[int, int]  # how many flits have entered each channel's buffer


@dataclass
class Watched:
    """A twin's whole run, by looking at it after every cycle."""

    twin: FlitNetwork
    cycles: list[Seen]
    crossings: dict[int, list[int]]  # the cycles in which a flit entered each channel's buffer
    left: list[list[int]]  # when the tail left each buffer of each packet's path
    deliveries: list[tuple[int, ...]]


def watch(case):
    """Run the twin and look."""
    twin = twin_of(case)
    shape = twin.shape
    paths = [[channel_of(shape, channel) for channel in packet.path] for packet in twin.packets]
    crossings, cycles = defaultdict(list), []
    left = [[0] * len(path) for path in paths]
    places = [[-1] * twin.flits for _ in paths]
    to_come = list(twin.packets)  # in which a flit may still move
    while not cycles or any(packet.arrived is None for packet in twin.packets):
        assert twin.now < LIMIT
        twin.step()
        flits, headers = {}, []
        for packet in [packet for packet in to_come if packet.granted]:
            p, path = packet.number, paths[packet.number]
            was, places[p] = places[p], twin.places(p)
            for flit, (before, after) in enumerate(zip(was, places[p], strict=True)):
                if after > before:
                    crossings[path[after]].append(twin.now)
                if 0 <= after < len(path) - 1:
                    flits[p, flit] = path[after]
            tail = places[p][-1]
            if tail > was[-1]:
                left[p][tail] = twin.now  # it has, if this is the processor; else until it moves on
                left[p][max(tail - 1, 0)] = twin.now
        for packet in [packet for packet in to_come if packet.granted or twin.ports == "free"]:
            p, path = packet.number, paths[packet.number]
            if packet.waiting and packet.asked[-1] <= twin.now:
                channel = packet.path[len(packet.granted)]
                headers.append(Header(p, path[len(packet.granted)], packet.asked[-1], twin.owners[channel]))
        to_come = [packet for packet in to_come if packet.arrived is None]
        cycles.append(
            Seen(
                flits,
                {channel_of(shape, channel): owner for channel, owner in twin.owners.items()},
                headers,
                [p.number for p in twin.packets if p.arrived is None and twin.injected(p) <= twin.now],
                [p.number for p in twin.packets if p.asked[0] <= twin.now < twin.injected(p)],
                {channel: len(times) for channel, times in crossings.items()},
            )
        )
    return Watched(twin, cycles, crossings, left, [tuple(d) for d in twin.delivered().values()])

"""The naive twin of networks with rings, turn models and virtual channels: every flit, in every cycle.

A cycle has three parts: flits enter buffers and the channels that a tail has left come free; headers that ask
are granted channels; links carry flits. Nothing is worked out ahead of its cycle. Names are those of the
contract: a node is (x, y, z), a direction is an axis and a sign, a channel is a link and a number.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from tests.twins.network import Delivery

__all__ = ["ChannelNetwork", "Fate", "directions", "next_node"]

Node = tuple[int, int, int]
Way = tuple[int, int]  # the axis, and +1 or -1
Channel = tuple[Node, Way | str, int]  # where it begins; its direction, inject or eject; its number

FIXED = ("xy", "yx")


class Fate(NamedTuple):
    """What became of a packet, in cycles; None: it never happened."""

    injected: int | None
    delivered: int | None
    blocked: int | None


def minimal(shape: Node, wrap: tuple[bool, ...], here: Node, target: Node) -> list[Way]:
    """The directions that lead nearer to the target, x first."""
    ways = []
    for axis in range(3):
        side, gap = shape[axis], target[axis] - here[axis]
        if wrap[axis]:
            forward = gap % side
            if forward:
                ways.append((axis, 1 if forward <= side - forward else -1))
        elif gap:
            ways.append((axis, 1 if gap > 0 else -1))
    return ways


def directions(
    routing: str, shape: Node, wrap: tuple[bool, ...], here: Node, source: Node, target: Node
) -> list[Way]:
    """The directions that a header may take at a router, in the stated order."""
    ways = minimal(shape, wrap, here, target)
    if not ways or routing == "adaptive":
        return ways
    if routing == "xy":
        return ways[:1]
    if routing == "yx":
        return ways[-1:]
    if routing == "west-first":
        return [(0, -1)] if (0, -1) in ways else ways
    if routing == "north-last":
        return [way for way in ways if way != (1, 1)] or [(1, 1)]
    if routing == "negative-first":
        return [way for way in ways if way[1] < 0] or ways
    if routing != "odd-even":
        raise ValueError(f"routing is {routing!r}")
    east, north = target[0] - here[0], target[1] - here[1]
    y = [way for way in ways if way[0] == 1]
    if east == 0:
        return y
    if east < 0:
        return [(0, -1), *(y if here[0] % 2 == 0 else [])]
    if north == 0:
        return [(0, 1)]
    may_go_east = target[0] % 2 == 1 or east != 1
    may_turn = here[0] % 2 == 1 or here[0] == source[0]
    return [*([(0, 1)] if may_go_east else []), *(y if may_turn else [])]


def next_node(shape: Node, here: Node, way: Way) -> Node:
    """Where a link leads."""
    axis, sign = way
    there = list(here)
    there[axis] = (there[axis] + sign) % shape[axis]
    return (there[0], there[1], there[2])


@dataclass
class Packet:
    """What a packet has been through; hop i is the i-th channel that it was granted."""

    number: int
    source: Node
    target: Node
    here: Node  # the router that its header has asked at last, or the one it is going to
    asks: int  # when its header asks next, or has asked
    sent: int
    path: list[Channel] = field(default_factory=list)
    granted: list[int] = field(default_factory=list)
    waited: list[int] = field(default_factory=list)
    entered: list[list[int]] = field(default_factory=list)  # of each hop, when each flit came into its buffer
    crossing: dict[int, int] = field(default_factory=dict)  # the hops that a flit is crossing, and until when
    complete: bool = False  # whether its last channel is granted
    arrived: int | None = None

    @property
    def ends(self) -> tuple[Node, Node]:
        """Its source and its target."""
        return self.source, self.target


class ChannelNetwork:
    """A network, cycle by cycle; `now` is the last cycle done."""

    def __init__(
        self,
        shape: Node,
        flits: int,
        routing_delay: int = 3,
        buffer: int = 1,
        switching: str = "wormhole",
        per_hop: str = "header",
        ports: str = "one",
        routing: str = "xy",
        channels: int = 1,
        credit: int = 0,
        wrap: tuple[bool, ...] = (False, False, False),
    ) -> None:
        self.shape, self.wrap, self.routing = shape, wrap, routing
        self.flits, self.buffer = flits, buffer
        self.crossing_time = 1 + routing_delay if per_hop == "flit" else 1
        self.delay = 0 if per_hop == "flit" else routing_delay
        self.asking_flit = flits - 1 if switching == "store-and-forward" else 0
        self.ports, self.channels, self.credit = ports, channels, credit
        self.now = -1
        self.packets: list[Packet] = []
        self.owners: dict[Channel, Packet] = {}
        self.last_sent: dict[Channel, int] = {}
        self.deadlock: int | None = None

    def send(self, time: int, source: Node, target: Node) -> None:
        """Let a packet ask for its first channel in a cycle to come."""
        self.packets.append(Packet(len(self.packets), source, target, source, time, time))

    def run(self, limit: int = 10**6) -> list[Fate]:
        """Step until all packets are delivered, or none can ever move again."""
        while self.deadlock is None and any(packet.arrived is None for packet in self.packets):
            assert self.now < limit, f"packets are still under way after cycle {limit}"
            self.step()
        return [self.fate(packet) for packet in self.packets]

    def fate(self, packet: Packet) -> Fate:
        """What became of a packet."""
        free = self.ports == "free"
        injected = packet.sent if free else packet.granted[0] if packet.granted else None
        if packet.arrived is None:
            return Fate(injected, None, None)
        return Fate(injected, packet.arrived, sum(packet.waited[0 if free else 1 :]))

    def step(self) -> None:
        """One cycle."""
        self.move()
        self.grant()

    def move(self) -> None:
        """A cycle up to its releases: requests for it can still come."""
        self.now += 1
        for packet in self.packets:
            self.enter(packet)

    def grant(self) -> None:
        """The rest of the cycle: channels are granted, and flits set off."""
        busy = self.serve()
        busy |= self.carry()
        under_way = [packet for packet in self.packets if packet.arrived is None]
        busy |= any(packet.crossing for packet in under_way)
        busy |= any(not packet.complete and packet.asks > self.now for packet in under_way)
        self.deadlock = self.now if under_way and not busy else None

    def delivered(self) -> dict[int, Delivery]:
        """What became of the packets delivered so far, by their numbers."""
        found = {}
        for packet in self.packets:
            injected, arrived, blocked = self.fate(packet)
            if arrived is not None:
                found[packet.number] = Delivery(injected, arrived, arrived - injected, blocked)
        return found

    # Flits enter buffers

    def enter(self, packet: Packet) -> None:
        """Take the flits of a packet in that have crossed a channel, and free what its tail has left."""
        for hop in [hop for hop, until in packet.crossing.items() if until == self.now]:
            del packet.crossing[hop]
            packet.entered[hop].append(self.now)
            flit = len(packet.entered[hop]) - 1
            last = packet.complete and hop == len(packet.path) - 1
            if flit == self.asking_flit and not last:
                packet.asks = self.now + self.delay
            if flit == self.flits - 1:
                if hop:
                    del self.owners[packet.path[hop - 1]]
                if last:
                    del self.owners[packet.path[hop]]
                    packet.arrived = self.now

    # Grants

    def serve(self) -> bool:
        """Serve the headers that ask: the earliest first, then the lower numbers. Whether any was served."""
        asking = [p for p in self.packets if not p.complete and p.asks <= self.now and self.is_asking(p)]
        served = False
        for packet in sorted(asking, key=lambda packet: (packet.asks, packet.number)):
            free = [channel for channel in self.wanted(packet) if channel not in self.owners]
            if free:
                self.take(packet, free[0])
                served = True
        return served

    def is_asking(self, packet: Packet) -> bool:
        """Whether the flit that lets its header ask has come to where the header is."""
        return not packet.path or len(packet.entered[-1]) > self.asking_flit

    def wanted(self, packet: Packet) -> list[Channel]:
        """The channels that a header may take, the first first."""
        if not packet.path and self.ports == "one":
            return [(packet.source, "inject", 0)]
        ways = directions(self.routing, self.shape, self.wrap, packet.here, packet.source, packet.target)
        if not ways:
            return [(packet.here, "eject", 0)]
        return [(packet.here, way, n) for way in ways for n in self.permitted(packet, way)]

    def permitted(self, packet: Packet, way: Way) -> range:
        """The numbers of the virtual channels that a header may take in a direction."""
        axis, _ = way
        if not self.wrap[axis] or self.channels == 1:
            return range(self.channels)
        first = -(-self.channels // 2)
        wraps = self.wraps(packet.here, way)
        for node, before, _ in reversed(packet.path):  # the hops along this axis, back to the last turn
            if isinstance(before, str) or before[0] != axis:
                break
            wraps |= self.wraps(node, before)
        return range(first, self.channels) if wraps else range(first)

    def wraps(self, here: Node, way: Way) -> bool:
        """Whether a link closes its ring."""
        axis, sign = way
        return here[axis] == (self.shape[axis] - 1 if sign > 0 else 0)

    def take(self, packet: Packet, channel: Channel) -> None:
        """Grant a channel to a header."""
        node, way, _ = channel
        self.owners[channel] = packet
        packet.path.append(channel)
        packet.granted.append(self.now)
        packet.waited.append(self.now - packet.asks)
        packet.entered.append([])
        if not isinstance(way, str):
            packet.here = next_node(self.shape, node, way)
        at_target = packet.here == packet.target
        packet.complete = way == "eject" or (self.ports == "free" and at_target)

    # Links carry flits

    def carry(self) -> bool:
        """Let flits set off over links; whether any did."""
        if not self.credit:
            return self.carry_without_credit()
        links: dict[tuple[Node, Way | str], list[Channel]] = {}
        for channel, packet in self.owners.items():
            hop = packet.path.index(channel)
            if self.has_flit(packet, hop) and (
                self.is_end(packet, hop) or self.lying(packet, hop) < self.buffer
            ):
                links.setdefault(channel[:2], []).append(channel)
        for channels in links.values():
            channel = min(channels, key=lambda channel: (self.last_sent.get(channel, -1), channel[2]))
            self.last_sent[channel] = self.now
            packet = self.owners[channel]
            packet.crossing[packet.path.index(channel)] = self.now + 1
        return bool(links)

    def carry_without_credit(self) -> bool:
        """A flit may go where the one before it leaves in the same cycle: so the far end goes first."""
        moved = False
        for packet in self.packets:
            for hop in reversed(range(len(packet.path) if packet.arrived is None else 0)):
                leaving = hop + 1 in packet.crossing
                room = self.is_end(packet, hop) or self.lying(packet, hop) - leaving < self.buffer
                if hop not in packet.crossing and self.has_flit(packet, hop) and room:
                    packet.crossing[hop] = self.now + self.crossing_time
                    moved = True
        return moved

    def has_flit(self, packet: Packet, hop: int) -> bool:
        """Whether a flit is in the buffer before a hop; at the source all are that have not left."""
        before = len(packet.entered[hop - 1]) if hop else self.flits
        return len(packet.entered[hop]) < before

    def lying(self, packet: Packet, hop: int) -> int:
        """The flits in the buffer of a hop."""
        gone = len(packet.entered[hop + 1]) if hop + 1 < len(packet.path) else 0
        return len(packet.entered[hop]) - gone

    def is_end(self, packet: Packet, hop: int) -> bool:
        """Whether the far end of a hop is the processor, which takes whatever comes."""
        return packet.complete and hop == len(packet.path) - 1

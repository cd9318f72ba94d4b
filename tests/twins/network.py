"""The naive twin of the mesh network: every flit is moved, one by one, in every cycle.

A cycle has four parts: flits enter buffers, the channels that a tail has left are released, requests are
granted, and flits set off over the channels that are clear. What is sent in answer to what a cycle brought,
and in that cycle, is sent before requests are granted. Nothing is worked out ahead of its cycle, so that this
can share no fault with what is compared with it.
"""

import math
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["PER_HOP", "PORTS", "Delivery", "FlitNetwork", "channels"]

Node = tuple[int, int, int]
Channel = tuple[Node, str]  # the node it injects into, ejects from or leaves, and its direction

SWITCHING = ("wormhole", "virtual-cut-through", "store-and-forward")
PER_HOP = ("header", "flit")
PORTS = ("one", "free")


class Delivery(NamedTuple):
    """What became of a packet, in cycles."""

    injected: int  # the injection channel was granted; with free ports, the packet was sent
    delivered: int  # the tail arrived at the processor
    latency: int  # from the one to the other
    blocked: int  # the header's waits for links and ejection, summed


def channels(shape: Node, source: Node, target: Node, ports: str = "one") -> list[Channel]:
    """The channels a packet takes: injection, the links in x, y and z, ejection; or the links alone."""
    for node in (source, target):
        if not all(0 <= at < side for at, side in zip(node, shape, strict=True)):
            raise ValueError(f"{node} lies outside the mesh {shape}")
    path: list[Channel] = []
    at = list(source)
    for axis, name in enumerate("xyz"):
        while at[axis] != target[axis]:
            forwards = at[axis] < target[axis]
            path.append(((at[0], at[1], at[2]), f"{'+' if forwards else '-'}{name}"))
            at[axis] += 1 if forwards else -1
    return path if ports == "free" else [(source, "inject"), *path, (target, "eject")]


@dataclass
class Packet:
    """Where a packet's flits lie, the header being flit 0, and what its header has been through."""

    number: int
    ends: tuple[Node, Node]
    path: list[Channel]
    source: deque[int]  # the flits not injected yet
    buffers: list[
        deque[int]
    ]  # the flits at the far end of each channel; at that of ejection is the processor
    asked: list[int]  # the cycle in which each channel so far was, or will be, asked for
    granted: list[int] = field(default_factory=list)
    entered: list[int] = field(default_factory=list)  # when the header entered each buffer so far
    crossing: dict[int, int] = field(default_factory=dict)  # over which channels flits are, until which cycle
    arrived: int | None = None  # the cycle in which the tail was delivered

    @property
    def under_way(self) -> bool:
        """Whether the packet holds any channel."""
        return bool(self.granted) and self.arrived is None

    @property
    def waiting(self) -> bool:
        """Whether a channel was asked for, or will be, that is not granted yet."""
        return len(self.granted) < len(self.asked)

    def before(self, i: int) -> deque[int]:
        """The flits that are to cross channel i next."""
        return self.buffers[i - 1] if i else self.source


class FlitNetwork:
    """A mesh of channels and buffers, cycle by cycle; `now` is the last cycle done, -1 before cycle 0."""

    deadlock = None  # routes in a fixed order of axes have none

    def __init__(
        self,
        shape: Node,
        flits: int,
        routing_delay: int = 3,
        buffer: int = 1,
        switching: str = "wormhole",
        per_hop: str = "header",
        ports: str = "one",
    ) -> None:
        for name, value, known in (
            ("switching", switching, SWITCHING),
            ("per_hop", per_hop, PER_HOP),
            ("ports", ports, PORTS),
        ):
            if value not in known:
                raise ValueError(f"{name} is {value!r}; expected one of {', '.join(known)}")
        if flits < 1 or buffer < 1 or routing_delay < 0:
            raise ValueError(f"no packets of {flits} flits, buffers of {buffer}, delay of {routing_delay}")
        if switching != "wormhole" and buffer < flits:
            raise ValueError(f"{switching} needs buffers for a packet of {flits} flits, not for {buffer}")
        if switching == "store-and-forward" and per_hop == "flit":
            raise ValueError("store-and-forward delays headers, not every flit")
        self.shape = shape
        self.flits = flits
        # Where every flit takes the router's time, it takes it on the channel, and headers ask at once.
        self.crossing_time = 1 + routing_delay if per_hop == "flit" else 1
        self.routing_delay = 0 if per_hop == "flit" else routing_delay
        self.buffer = buffer
        self.ports = ports
        # The flit that must be in a buffer before the header may be routed onwards.
        self.asking_flit = flits - 1 if switching == "store-and-forward" else 0
        self.now = -1
        self.open = 0  # the first cycle in which requests can still be made
        self.packets: list[Packet] = []
        self.owners: dict[Channel, int] = {}

    def send(self, time: int, source: Node, target: Node) -> int:
        """Let a packet ask for its first channel in a cycle to come; its number."""
        if time < self.open:
            raise ValueError(f"cycle {time} is past: cycle {self.now} is done")
        path = channels(self.shape, source, target, self.ports)
        number = len(self.packets)
        buffers: list[deque[int]] = [deque() for _ in path]
        self.packets.append(Packet(number, (source, target), path, deque(range(self.flits)), buffers, [time]))
        return number

    def step(self) -> None:
        """One cycle."""
        self.move()
        self.grant()

    def move(self) -> None:
        """A cycle up to its releases: what arrives in it has arrived, and requests for it can still come."""
        self.now += 1
        moving = [packet for packet in self.packets if packet.under_way]
        for packet in moving:
            for i in [i for i, until in packet.crossing.items() if until == self.now]:
                for channel in self._enter(packet, i):
                    del self.owners[channel]
        self._check(moving)

    def run(self, limit: int = 10**6) -> list[Delivery]:
        """Step until all packets are delivered."""
        while any(packet.arrived is None for packet in self.packets):
            assert self.now < limit, f"packets are still under way after cycle {limit}"
            self.step()
        return list(self.delivered().values())

    def places(self, packet: int) -> list[int]:
        """The buffer in which each flit lies: its index in the path, -1 if not injected yet."""
        places = [-1] * self.flits
        for i, buffer in enumerate(self.packets[packet].buffers):
            for flit in buffer:
                places[flit] = i
        return places

    def hop_times(self, packet: int) -> list[int | None]:
        """The cycle in which the header entered each buffer of the path."""
        entered, path = self.packets[packet].entered, self.packets[packet].path
        return [*entered, *[None] * (len(path) - len(entered))]

    def owner(self, node: Node, direction: str) -> int | None:
        """The packet that holds a channel."""
        return self.owners.get((node, direction))

    def injected(self, packet: Packet) -> int | float:
        """When a packet was granted its injection, or sent where it needs none; infinity before."""
        if self.ports == "free":
            return packet.asked[0]
        return packet.granted[0] if packet.granted else math.inf

    def delivered(self) -> dict[int, Delivery]:
        """What became of the packets delivered so far, by their numbers."""
        found = {}
        for packet in self.packets:
            if packet.arrived is not None:
                waits = [granted - asked for asked, granted in zip(packet.asked, packet.granted, strict=True)]
                injected = self.injected(packet)
                blocked = sum(waits) if self.ports == "free" else sum(waits[1:])
                latency = packet.arrived - injected
                found[packet.number] = Delivery(injected, packet.arrived, latency, blocked)
        return found

    def _set_off(self) -> None:
        """Let a flit begin to cross each held channel that is clear, has one before it and room behind."""
        begun: set[Channel] = set()
        for packet in self.packets:
            # The far end first: the room of a flit that sets off is taken by the next one in the same cycle.
            for i in reversed(range(len(packet.granted) if packet.under_way else 0)):
                channel = packet.path[i]
                clear = self.owners.get(channel) == packet.number and i not in packet.crossing
                if clear and packet.before(i) and self._room(packet, i):
                    assert channel not in begun, f"two flits cross {channel} in cycle {self.now}"
                    begun.add(channel)
                    packet.crossing[i] = self.now + self.crossing_time

    def _room(self, packet: Packet, i: int) -> bool:
        """Whether a flit may come in; the processor takes whatever comes."""
        leaving = i + 1 in packet.crossing
        return i == len(packet.path) - 1 or len(packet.buffers[i]) - leaving < self.buffer

    def _enter(self, packet: Packet, i: int) -> list[Channel]:
        """Take the foremost flit over channel i into its buffer; the channels that the packet leaves."""
        del packet.crossing[i]
        flit = packet.before(i).popleft()
        packet.buffers[i].append(flit)
        at_processor = i == len(packet.path) - 1
        left: list[Channel] = []
        if flit == 0:
            packet.entered.append(self.now)
        if flit == self.asking_flit and not at_processor:
            packet.asked.append(self.now + self.routing_delay)
        if flit == self.flits - 1:
            if i > 0:
                left.append(packet.path[i - 1])
            if at_processor:
                left.append(packet.path[i])
                packet.arrived = self.now
        return left

    def grant(self) -> None:
        """Give free channels to those that ask, the earliest first, then the lower number; flits set off."""
        self.open = self.now + 1
        asking = [packet for packet in self.packets if packet.waiting and packet.asked[-1] <= self.now]
        for packet in sorted(asking, key=lambda packet: (packet.asked[-1], packet.number)):
            channel = packet.path[len(packet.granted)]
            if channel not in self.owners:
                self.owners[channel] = packet.number
                packet.granted.append(self.now)
        self._set_off()

    def _check(self, moved: list[Packet]) -> None:
        """No flit is lost or out of its order, no buffer too full or used by one that does not hold it."""
        for packet in moved:
            lying = [flit for buffer in reversed(packet.buffers) for flit in buffer]
            assert lying + list(packet.source) == list(range(self.flits))
            for channel, buffer in zip(packet.path[:-1], packet.buffers[:-1], strict=True):
                assert len(buffer) <= self.buffer
                assert not buffer or self.owners.get(channel) == packet.number

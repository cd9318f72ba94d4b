"""How packets are switched: the parameters that all packets of a network share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

from meshgui.engine.basics.arrays import Ints

SWITCHINGS: Final = ("wormhole", "virtual-cut-through", "store-and-forward")
PER_HOP: Final = ("header", "flit")  # which flits take the routing delay in each router
PORTS: Final = ("one", "free")  # how many packets a processor injects or takes in at once

N = TypeVar("N", int, Ints)


@dataclass(frozen=True, slots=True)
class Law:
    """The switching parameters that all packets share."""

    flits: int = 8
    routing_delay: int = 3
    buffer: int = 1
    switching: str = "wormhole"
    per_hop: str = "header"
    ports: str = "one"

    @property
    def whole(self) -> bool:
        """Whether a packet needs all its flits in a buffer before it moves on."""
        return self.switching == "store-and-forward"

    @property
    def reach(self) -> int:
        """How many buffers behind that of its header a packet can hold."""
        return (self.flits - 1) // self.buffer

    @property
    def cycles(self) -> int:
        """The cycles that a flit takes for a channel."""
        return 1 + self.routing_delay if self.per_hop == "flit" else 1

    @property
    def pause(self) -> int:
        """The cycles from a header's entry into a buffer to its next request."""
        if self.per_hop == "flit":
            return 0
        return self.routing_delay + (self.flits - 1 if self.whole else 0)

    @property
    def has_ports(self) -> bool:
        """Whether processors have channels of their own, which carry one packet at a time."""
        return self.ports == "one"

    @property
    def ends(self) -> int:
        """How many channels of a route are processors' own: its injection and its ejection, or none."""
        return 2 if self.has_ports else 0

    def unblocked(self, hops: N) -> N:
        """The latency over some hops of packets that are never blocked."""
        channels = hops + self.ends
        return channels * self.cycles + (channels - 1) * self.pause + (self.flits - 1) * self.cycles

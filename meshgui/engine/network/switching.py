"""How packets are switched: the parameters that all packets of a network share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeVar, get_args

from meshgui.engine.basics.arrays import Ints

Switching = Literal["wormhole", "virtual-cut-through", "store-and-forward"]
PerHop = Literal["header", "flit"]  # which flits take the routing delay in each router
Ports = Literal["one", "free"]  # how many packets a processor injects or takes in at once
Routing = Literal["xy", "yx", "west-first", "north-last", "negative-first", "odd-even", "adaptive"]
SWITCHINGS: Final[tuple[str, ...]] = get_args(Switching)
ROUTINGS: Final[tuple[str, ...]] = get_args(Routing)
FLAT_ROUTINGS: Final = ("west-first", "north-last", "odd-even")  # those for 2D meshes alone
RING_ROUTINGS: Final = ("xy", "yx", "adaptive")  # those for tori
FIXED_ROUTINGS: Final = ("xy", "yx")  # those that leave a header no choice
XY, YX, WEST_FIRST, NORTH_LAST, NEGATIVE_FIRST, ODD_EVEN, ADAPTIVE = range(len(ROUTINGS))
MAX_CHANNELS: Final = 8  # virtual channels of a link

N = TypeVar("N", int, Ints)


@dataclass(frozen=True, slots=True)
class Law:
    """The switching parameters that all packets share."""

    flits: int = 8
    routing_delay: int = 3
    buffer: int = 1
    switching: Switching = "wormhole"
    per_hop: PerHop = "header"
    ports: Ports = "one"
    routing: Routing = "xy"
    channels: int = 1
    credit: int = 0

    @property
    def headers_decide(self) -> bool:
        """Whether the times of headers decide where every flit is: each has one way, and its links alone."""
        return self.routing in FIXED_ROUTINGS and self.channels == 1 and not self.credit

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
        return self.delay + self.asking_flit

    @property
    def delay(self) -> int:
        """The cycles from the entry of the flit that lets a header ask to its next request."""
        return 0 if self.per_hop == "flit" else self.routing_delay

    @property
    def asking_flit(self) -> int:
        """The flit whose entry into a buffer lets the header ask for the next channel."""
        return self.flits - 1 if self.whole else 0

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
        spacing = 2 if self.credit and self.buffer == 1 else self.cycles  # of the flits behind the header
        return channels * self.cycles + (channels - 1) * self.pause + (self.flits - 1) * spacing

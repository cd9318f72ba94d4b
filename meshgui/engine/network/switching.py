"""How packets are switched: the parameters that all packets of a network share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["SWITCHINGS", "Law"]

SWITCHINGS: Final = ("wormhole", "virtual-cut-through", "store-and-forward")


@dataclass(frozen=True, slots=True)
class Law:
    """The switching parameters that all packets share."""

    flits: int = 8
    routing_delay: int = 3
    buffer: int = 1
    switching: str = "wormhole"

    @property
    def whole(self) -> bool:
        """Whether a packet needs all its flits in a buffer before it moves on."""
        return self.switching == "store-and-forward"

    @property
    def reach(self) -> int:
        """How many buffers behind that of its header a packet can hold."""
        return (self.flits - 1) // self.buffer

    @property
    def pause(self) -> int:
        """The cycles from a header's entry into a buffer to its next request."""
        return self.routing_delay + (self.flits - 1 if self.whole else 0)

    def unblocked(self, hops: int) -> int:
        """The latency of a packet that is never blocked."""
        return (hops + 1) * (self.pause + 1) + self.flits

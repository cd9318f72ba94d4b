"""Packets in a network, whichever kernel moves them: their numbers, their progress, and room for them."""

from __future__ import annotations

from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Mesh, places
from meshgui.engine.basics.kernel import Kernel, kernel
from meshgui.engine.basics.limits import MAX_HOPS
from meshgui.engine.basics.memory import require
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import PIECE
from meshgui.engine.network.heap import push
from meshgui.engine.network.patterns.base import NetworkError
from meshgui.engine.network.routing import Roads, distances, lay_route, roads_of, route_length, spans
from meshgui.engine.network.switching import ROUTINGS, YX, Law

N = TypeVar("N", bound=np.generic)
S = TypeVar("S")  # the state of a kernel: a named tuple of arrays

HELD: Final = 1 << 62  # the cycle in which a channel comes free while that is not known yet
LONGEST_WAIT: Final = (1 << 31) - 2  # a header's times are kept as cycles since its packet was sent
_SENT_AT_ONCE: Final = 1 << 16  # packets between which Ctrl+C is noticed
NO_PACKET: Final = -1
NO_CHANNEL: Final = -1
NO_END: Final = HELD >> 1  # a cycle later than any
_NO_NUMBERS: Final = np.empty(0, dtype=np.int32)
_NO_VIRTUAL: Final = np.empty(0, dtype=np.int8)

# The clock's numbers; HOPS are those of headers, or of flits where a kernel moves these. The last two are the
# room that was missing for packets and for the channels of their routes.
NOW, SCHEDULED, UNSENT, HOPS, DELIVERED, DONE, SENT, ROOM_FOR_PACKETS, ROOM_FOR_HOPS = range(9)


class Packets(NamedTuple):
    """Packets in order of number: the messages, and the progress of each header.

    The last five arrays are empty where headers decide everything.
    """

    sent: Ints  # the cycle in which it asked for its first channel
    group: Ints32  # the group it belongs to, such as a job
    first: Ints  # [n + 1], where each route begins in the arrays below
    channels: Ints32  # the routes; where a header still has a choice, that of its first choices
    entered: Ints32  # cycles from `sent` until the header entered each channel's buffer; -1: not yet
    sources: Ints32 = _NO_NUMBERS
    targets: Ints32 = _NO_NUMBERS
    virtual: NDArray[np.int8] = _NO_VIRTUAL  # the number of the virtual channel; -1: not granted yet
    granted: Ints32 = _NO_NUMBERS  # cycles from `sent` until each channel was granted; -1: not yet
    moves: Ints32 = _NO_NUMBERS  # [hops * flits], cycles from `sent` until each flit entered; -1: not yet

    def copy(self) -> Packets:
        """The same in arrays of its own."""
        arrays: tuple[NDArray[Any], ...] = self
        return Packets._make(copied(array) for array in arrays)

    def chosen(self, packets: NDArray[np.integer]) -> Packets:
        """Some of the packets, as if there were no others."""
        rows, _ = spans(self.first, packets)
        lengths = self.first[packets + 1] - self.first[packets]
        then = Packets(
            self.sent[packets],
            self.group[packets],
            np.concatenate(([0], np.cumsum(lengths))),
            self.channels[rows],
            self.entered[rows],
        )
        if not len(self.granted):
            return then
        flits = len(self.moves) // len(self.granted)
        return then._replace(
            sources=self.sources[packets],
            targets=self.targets[packets],
            virtual=self.virtual[rows],
            granted=self.granted[rows],
            moves=self.moves.reshape(-1, flits)[rows].ravel(),
        )

    def until(self, cycle: float, law: Law) -> Packets:
        """The packets at the end of a cycle; a grant is kept even if the header has not entered."""
        lengths = np.diff(self.first)
        sent = np.repeat(self.sent, lengths)
        if not len(self.granted):
            later = self.entered + sent - law.cycles > cycle
            return self._replace(entered=np.where(later, -1, self.entered).astype(np.int32))
        moves = np.where(self.moves + np.repeat(sent, law.flits) > cycle, -1, self.moves).astype(np.int32)
        later = self.granted + sent > cycle
        return self._replace(
            entered=moves[:: law.flits].copy(),
            virtual=np.where(later, -1, self.virtual).astype(np.int8),
            granted=np.where(later, -1, self.granted).astype(np.int32),
            moves=moves,
        )


class NetworkRules(NamedTuple):
    """What the kernels know of the mesh and the switching, in cycles where no other unit is named."""

    cycles: int  # that a flit takes for a channel
    spacing: int  # from a header's grant to its next request, at least
    trail: int  # by which the tail follows the header
    step: int  # in which a whole buffer of flits crosses a channel
    reach: int  # how many buffers behind that of its header a packet can hold
    ends: int  # how many channels of a route are processors' own
    roads: Roads
    routing: int  # its place among ROUTINGS
    flits: int
    buffer: int
    delay: int  # from the entry of the flit that lets a header ask
    asks: int  # the number of that flit
    channels: int  # virtual ones of a link
    credit: int


def rules_of(mesh: Mesh, law: Law) -> NetworkRules:
    """The rules of a network."""
    return NetworkRules(
        law.cycles,
        law.cycles + law.pause,
        (law.flits - 1) * law.cycles,
        law.buffer * law.cycles,
        law.reach,
        law.ends,
        roads_of(mesh),
        ROUTINGS.index(law.routing),
        law.flits,
        law.buffer,
        law.delay,
        law.asking_flit,
        law.channels,
        law.credit,
    )


@kernel
def number_packets(
    state: Any,  # noqa: ANN401 - of either network
    rules: NetworkRules,
    count: int,
    asks: Ints,
    sources: Ints,
    targets: Ints,
    groups: Ints,
) -> int:
    """Number packets, lay their routes and have them ask for their first channels in cycles not yet past.

    Where the first route begins; -1, and nothing done, when there is no room for them: how much is wanted
    is then in the clock.
    """
    clock, nodes = state.clock, state.nodes
    number = clock[SENT]
    at = begin = state.first[number]
    wanted = at
    for i in range(count):
        wanted += route_length(sources[i], targets[i], nodes, rules.roads, rules.ends)
    if number + count > state.sent.size or wanted > state.channels.size:
        clock[ROOM_FOR_PACKETS], clock[ROOM_FOR_HOPS] = number + count, wanted
        return -1
    for i in range(count):
        packet = number + i
        state.sent[packet] = asks[i]
        state.group[packet] = groups[i]
        state.pending[groups[i]] += 1
        state.hop[packet] = at
        at = lay_route(
            sources[i], targets[i], nodes, rules.roads, rules.routing == YX, rules.ends, state.channels, at
        )
        state.first[packet + 1] = at
        push(state.unsent, clock[UNSENT] + i, state.sent, packet)
    clock[UNSENT] += count
    clock[SENT] += count
    return int(begin)


class NetworkKernels(NamedTuple):
    """What sends packets, and what moves them."""

    send: Kernel[..., bool]
    advance: Kernel[..., bool]


class PacketNetwork(Generic[S]):
    """The network of a mesh, and all packets ever sent through it, numbered from 0."""

    state: S
    kernels: ClassVar[NetworkKernels]
    # The arrays of the state that grow, and the kinds of their numbers
    by_packet: ClassVar[dict[str, type[np.generic]]]
    by_row: ClassVar[dict[str, type[np.generic]]]  # by channel of a route

    def __init__(self, mesh: Mesh, law: Law, clock: int = 9) -> None:
        self.mesh, self.law, self.rules = mesh, law, rules_of(mesh, law)
        self.clock: Ints = np.zeros(clock, dtype=np.int64)

    def arrays(self, groups: int) -> dict[str, Any]:
        """Those of the state that every kernel has, without a packet."""
        growing = self.by_packet | self.by_row
        return {
            **{name: np.empty(0, dtype=kind) for name, kind in growing.items()},
            "first": np.zeros(1, dtype=np.int64),
            "pending": np.zeros(groups, dtype=np.int64),
            "ends": np.zeros(groups, dtype=np.int64),
            "done": np.empty(groups, dtype=np.int32),
            "clock": self.clock,
            "nodes": places(self.mesh, np.arange(self.mesh.processors)).astype(np.int32),
        }

    @property
    def now(self) -> int:
        """The last cycle simulated."""
        return int(self.clock[NOW])

    @property
    def count(self) -> int:
        """How many packets have been sent."""
        return int(self.clock[SENT])

    @property
    def hops(self) -> int:
        """How many channels headers have passed, or flits where these are moved one by one."""
        return int(self.clock[HOPS])

    @property
    def delivered(self) -> int:
        """How many packets' arrivals are known."""
        return int(self.clock[DELIVERED])

    def send(
        self,
        times: NDArray[np.integer] | int,
        sources: NDArray[np.integer],
        targets: NDArray[np.integer],
        group: NDArray[np.integer] | int = 0,
    ) -> None:
        """Have packets ask for their first channels, in cycles not yet past, from nodes to others."""
        n = len(sources)
        columns = [np.empty(n, dtype=np.int64) for _ in range(4)]
        for column, values in zip(columns, (times, sources, targets, group), strict=True):
            column[:] = values
        if n > _SENT_AT_ONCE:  # room for all, so that it is not copied again and again as it grows
            hops = int(distances(self.mesh, columns[1], columns[2]).sum()) + self.law.ends * n
            self.reserve(self.count + n, self.routed + hops)
        for start in range(0, n, _SENT_AT_ONCE):
            part = [column[start : start + _SENT_AT_ONCE] for column in columns]
            while not self.kernels.send(self.state, self.rules, len(part[0]), *part):
                self.make_room()

    def advance(self, until: int, most_hops: int = NO_END) -> list[tuple[int, int]]:
        """Advance to a cycle or less far, as the kernel does; the groups completed, and when."""
        if not self.kernels.advance(self.state, self.rules, until, most_hops):
            raise waited_too_long()
        done = self._array("done")[: int(self.clock[DONE])].tolist()
        return [(group, int(self._array("ends")[group])) for group in done]

    def packets_now(self) -> Packets:
        """All packets, in the arrays of the kernels themselves."""
        raise NotImplementedError

    def packets(self) -> Packets:
        """A copy of all packets as they are now."""
        return self.packets_now().copy()

    def make_room(self) -> None:
        """Make the room that a kernel has found missing; the arrays of the state are then others."""
        self.reserve(int(self.clock[ROOM_FOR_PACKETS]), int(self.clock[ROOM_FOR_HOPS]))

    def reserve(self, packets: int, hops: int) -> None:
        """Have room for this many packets, and channels on their routes."""
        if hops > MAX_HOPS:
            said = tr("its packets pass more than {MAX_HOPS} channels in all, the most that can be recorded")
            raise NetworkError(said.format(MAX_HOPS=MAX_HOPS))
        known = len(self._array("sent"))
        if packets > known:
            room = max(packets, 2 * known, 1024)
            require(room * self.packet_bytes())
            self._replace(
                **{name: longer(self._array(name), room) for name in self.by_packet},
                first=longer(self._array("first"), room + 1),
            )
        known = len(self._array("channels"))
        if hops > known:
            room = max(hops, 3 * known // 2, 8192)
            require(room * self.row_bytes(self.law))
            self._replace(
                **{name: longer(self._array(name), room * _numbers(name, self.law)) for name in self.by_row}
            )

    @classmethod
    def packet_bytes(cls) -> int:
        """The bytes of a packet in all arrays."""
        first = np.dtype(np.int64).itemsize
        return first + sum(np.dtype(kind).itemsize for kind in cls.by_packet.values())

    @classmethod
    def row_bytes(cls, law: Law) -> int:
        """The bytes of a channel of a route in all arrays."""
        return sum(np.dtype(kind).itemsize * _numbers(name, law) for name, kind in cls.by_row.items())

    @property
    def routed(self) -> int:
        """How many channels the routes of all packets have."""
        return int(self._array("first")[self.count])

    def _array(self, name: str) -> NDArray[Any]:
        return cast("NDArray[Any]", getattr(self.state, name))

    def _replace(self, **arrays: NDArray[Any]) -> None:
        self.state = cast("Any", self.state)._replace(**arrays)


def _numbers(name: str, law: Law) -> int:
    """The numbers that an array by channel of a route has for each."""
    return law.flits if name == "moves" else 1


def copied(array: NDArray[N]) -> NDArray[N]:
    """A copy, which is made in parts: of hundreds of millions of hops it takes tenths of a second.

    A signal is noticed between them. Who polls the run is not called: it may be who asks for the copy.
    """
    copy = np.empty_like(array)
    for begin in range(0, len(array), PIECE):
        copy[begin : begin + PIECE] = array[begin : begin + PIECE]
    return copy


def waited_too_long() -> NetworkError:
    """The fault of a packet whose waiting time cannot be kept."""
    said = tr("a packet waited for more than {LONGEST_WAIT} cycles, the longest wait that can be recorded")
    return NetworkError(said.format(LONGEST_WAIT=LONGEST_WAIT))


def longer(array: NDArray[N], length: int) -> NDArray[N]:
    """The same array with room behind it."""
    grown = np.empty(length, dtype=array.dtype)
    grown[: len(array)] = array
    return grown

"""A run's packets over time: which are under way when, and in which lane each one's bar lies."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.network.record import NEVER_YET, NetworkRecord
from meshgui.engine.runs.recording import Recording
from meshgui.model.charts.curves import StepCurve
from meshgui.model.moment.position import Position

_MOST_LANES: Final = 1024  # more bars than this are not distinguishable; further packets have no lane


@kernel
def lowest_lanes(begin: Ints, end: Ints, busy_until: Ints, lanes: NDArray[np.int32]) -> int:
    """The lowest free lane for each of some spans in order of their begins; how many lanes that takes."""
    count = 0
    for i in range(begin.size):
        lane = 0
        while lane < count and busy_until[lane] > begin[i]:
            lane += 1
        if lane == busy_until.size:
            lanes[i] = -1
            continue
        count = max(count, lane + 1)
        busy_until[lane] = end[i]
        lanes[i] = lane
    return count


class PacketSpans:
    """From when to when each packet that has set out is under way: looked up by time, not gone through.

    Of all packets, or of some alone.
    """

    def __init__(self, record: NetworkRecord, some: Ints | None = None) -> None:
        self.record = record
        packets = np.arange(len(record)) if some is None else some
        injected = record.injected[packets]
        order = np.argsort(injected, kind="stable")
        order = order[: np.searchsorted(injected[order], NEVER_YET)]
        self._order, self._begin = packets[order], injected[order]
        self._end = record.delivered[self._order]
        self._of_job: tuple[int, PacketSpans] | None = None  # the last ones, needed at every zoom
        self._around: tuple[int, PacketSpans] | None = None
        self._over = np.maximum.accumulate(self._end)  # by then all that set out so far have arrived

    def __len__(self) -> int:
        """How many packets have set out."""
        return len(self._order)

    @cached_property
    def under_way(self) -> StepCurve:
        """How many packets are under way over time."""
        arrived = np.sort(self._end)
        times = np.sort(np.concatenate((self._begin, arrived)))
        times = times[: np.searchsorted(times, NEVER_YET)]
        counts = np.searchsorted(self._begin, times, "right") - np.searchsorted(arrived, times, "right")
        return StepCurve(times.astype(np.float64), counts)

    @cached_property
    def most(self) -> int:
        """The most that are ever under way at once."""
        return int(self.under_way.extremes(np.array([-1.0, np.inf])).high[0]) if len(self) else 0

    def now(self, recording: Recording, position: Position, time: float) -> int:
        """How many are under way, seen from a position; none yet of jobs that have not started there."""
        if recording.position_at(time) == position.events:
            return int(self.under_way.at(time))
        packets = self.in_sight(time, time)
        running = recording.started[self.record.jobs[packets]] < position.events
        return int(np.count_nonzero(running & (self.record.delivered[packets] > time)))

    def in_sight(self, low: float, high: float) -> Ints:
        """The packets under way at some time from low to high, in the order in which they set out."""
        first = int(np.searchsorted(self._over, low, side="left"))
        last = int(np.searchsorted(self._begin, high, side="right"))
        return self._order[first:last][self._end[first:last] >= low]

    def at_most(self, low: float, high: float) -> int:
        """An upper bound for how many are in sight, without searching them."""
        first, last = np.searchsorted(self._over, low), np.searchsorted(self._begin, high, side="right")
        return int(last - first)

    def of_job(self, job: int) -> PacketSpans:
        """One job's packets alone."""
        if self._of_job is None or self._of_job[0] != job:
            self._of_job = job, PacketSpans(self.record, np.flatnonzero(self.record.jobs == job))
        return self._of_job[1]

    def around(self, packet: int) -> PacketSpans:
        """A packet and those that blocked it."""
        if self._around is None or self._around[0] != packet:
            blockers = {who for passage in self.record.passages(packet) for who in passage.blockers}
            self._around = packet, PacketSpans(self.record, np.array(sorted(blockers | {packet})))
        return self._around[1]

    @cached_property
    def lanes(self) -> NDArray[np.int32]:
        """The lane of each packet by number, the lowest free when it set out; -1 for none.

        A lane belongs to a packet for good, so that no bar moves when others come in sight.
        """
        lanes = np.full(len(self.record), -1, dtype=np.int32)
        placed = np.empty(len(self), dtype=np.int32)
        lowest_lanes(self._begin, self._end, np.zeros(_MOST_LANES, dtype=np.int64), placed)
        lanes[self._order] = placed
        return lanes


@lru_cache(maxsize=1)
def packet_spans(record: NetworkRecord) -> PacketSpans:
    """The spans of a record; the last one's are kept."""
    return PacketSpans(record)


def load_kernels() -> None:
    """Compile the kernel of lanes before the first zoom needs it."""
    none = np.zeros(0, dtype=np.int64)
    lowest_lanes(none, none, none, np.zeros(0, dtype=np.int32))

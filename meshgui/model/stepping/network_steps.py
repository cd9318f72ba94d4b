"""The times that steps through the network go to: when a header hops, when a packet sets out or arrives."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.runs.recording import Recording

Times = NDArray[np.float64]

START: Final = -1.0
"""The moment before all that happens at time 0."""


def hop_times(recording: Recording, packet: int | None = None) -> Times:
    """When a header enters a buffer: any, or that of one packet.

    Of one packet, the times when it sets out and arrives count too; of all, the run's two ends.
    """
    network = recording.network
    if network is None:
        return np.zeros(0)
    if packet is None:
        return _from_start_to_end(recording, network.hop_times)
    ends = network.injected[packet], network.delivered[packet]
    times = np.unique(np.concatenate((ends[:1], network.hop_times_of(packet), ends[1:])))
    known: Times = times[times != NEVER_YET].astype(np.float64)
    return known


def packet_times(recording: Recording) -> Times:
    """When a packet sets out or arrives, and the run's start and end."""
    network = recording.network
    return np.zeros(0) if network is None else _from_start_to_end(recording, network.packet_times)


def _from_start_to_end(recording: Recording, times: NDArray[np.int64]) -> Times:
    end = recording.end_time
    known = times[: np.searchsorted(times, end)]
    return np.concatenate(([START], known, [end]))


def time_after(times: Times, now: float, count: int) -> float | None:
    """The time that lies `count` on, or the last; None if none is later than now."""
    at = min(int(np.searchsorted(times, now, side="right")) + count, len(times)) - 1
    return float(times[at]) if at >= 0 and times[at] > now else None


def time_before(times: Times, now: float, count: int) -> float | None:
    """The time that lies `count` back, or the first; None if none is earlier than now."""
    at = max(int(np.searchsorted(times, now, side="left")) - count, 0)
    return float(times[at]) if at < len(times) and times[at] < now else None

"""The moment of a run that a picture of its scenario shows, and at which the example opens."""

from __future__ import annotations

import math

import numpy as np

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.runs.recording import Recording


def pictured_time(recording: Recording) -> float:
    """A time at which there is much to see: a deadlock, packets on their way, or most jobs."""
    if recording.deadlock is not None:
        return recording.end_time
    if recording.packets is not None and recording.network is not None:
        return float(_with_packets(recording.network, math.floor(recording.end_time * 0.45)))
    starts, ends = recording.kinds == EventKind.START, recording.kinds == EventKind.FINISH
    running = np.cumsum(np.select([starts, ends], [1, -1], 0))
    return float(recording.times[int(np.argmax(running))])


def _with_packets(network: NetworkRecord, cycle: int) -> int:
    """Return this cycle if packets are on their way in it, else the middle of the way of the next one."""
    coming = np.flatnonzero(network.injected >= cycle)
    if len(network.at(cycle).packets) or not len(coming):
        return cycle
    packet = coming[network.injected[coming].argmin()]
    return int(network.injected[packet] + network.delivered[packet]) // 2

"""What a run reports to a strategy of a job that leaves: where, and the means of the job's messages."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.feedback import NO_FEEDBACK, NOW
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.packets import Packets
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.switching import Law


def feedback_of(working: Strategy) -> Floats:
    """Where a run reports to a strategy; one in plain Python learns from no job."""
    return working.feedback if isinstance(working, KernelStrategy) else NO_FEEDBACK


def tell_time(working: Strategy, now: float) -> None:
    """Report when a job is taken off a machine that failed: nothing else is known of it."""
    if (feedback := feedback_of(working)).size:
        feedback[NOW] = now


class MessageMeans(NamedTuple):
    """Means over the messages of a job; NaN where it sent none."""

    blocking: float
    latency: float


NO_MESSAGES = MessageMeans(np.nan, np.nan)


def message_means(mesh: Mesh, law: Law, packets: Packets, job: int) -> MessageMeans:
    """The means of a job whose messages have arrived."""
    record = NetworkRecord(mesh, law, packets.chosen(np.flatnonzero(packets.group == job)))
    if not len(record.arrived):
        return NO_MESSAGES
    return MessageMeans(float(record.blocked.mean()), float(record.latency.mean()))

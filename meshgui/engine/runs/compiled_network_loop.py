"""The event loop of runs with a network in one kernel: messages decide when jobs finish."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.entry_points import borrowed
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.network.sending import (
    COMPLETED,
    DONE_JOBS,
    DONE_TIME,
    IDLE,
    NO_ROOM,
    SENDS_NOTHING,
    JobMessages,
    SendingRules,
    begin_job,
    list_processors,
    run_until_completion,
)
from meshgui.engine.network.wormhole import NO_END, NetworkRules, NetworkState
from meshgui.engine.runs.compiled_loop import (
    BOXES,
    DONE,
    EVENTS,
    FAULT,
    MORE,
    NOW,
    ROOM,
    STARTED,
    STOPPED,
    Loop,
    StrategyCalls,
    push_finish,
    step,
    upcoming,
)

__all__ = ["NETWORK", "advance_with_network"]

NETWORK: Final = 1 << 8
"""Added to what a kernel of the network has returned for want of: `Traffic.serve` supplies it."""


@kernel
def advance_with_network(
    loop: Loop,
    machine: StrategyCalls,
    network: NetworkState,
    rules: NetworkRules,
    jobs: JobMessages,
    sending: SendingRules,
    row_major: bool,
    begun: Ints,
    most_events: int,
    most_hops: int,
) -> int:
    """Go on until this many events have happened, or until the end: how far that is, as of `advance`.

    `begun` is how many of the jobs that started in the latest step send; 0 at first.
    """
    loop, machine, network, jobs = borrowed(loop), borrowed(machine), borrowed(network), borrowed(jobs)
    while True:
        while begun[0] < loop.counters[STARTED]:
            job = loop.started[begun[0]]
            asking = loop.jobs[job]
            held = loop.boxes[asking["first_box"] : asking["first_box"] + asking["box_count"]]
            asked = int(asking["w"]) * int(asking["d"]) * int(asking["h"])
            nodes = list_processors(held, rules, asked, row_major)
            cycle = math.ceil(loop.clock[NOW])
            outcome = begin_job(network, rules, jobs, sending, job, nodes, cycle)
            if outcome == NO_ROOM:
                return NETWORK + outcome
            if outcome == SENDS_NOTHING:
                push_finish(loop, loop.clock[NOW], job)
            begun[0] += 1
        if loop.counters[EVENTS] >= most_events or loop.counters[STOPPED]:
            return MORE
        if loop.counters[BOXES] + loop.occupied.size > loop.boxes.shape[0]:  # each holds a processor
            return ROOM
        now = upcoming(loop)
        until = NO_END if now == np.inf else math.floor(now)
        outcome = run_until_completion(network, rules, jobs, sending, until, most_hops)
        if outcome == COMPLETED:
            now = float(jobs.numbers[DONE_TIME])
            for i in range(jobs.numbers[DONE_JOBS]):
                push_finish(loop, now, jobs.done[i])
            jobs.numbers[DONE_JOBS] = 0
        elif outcome != IDLE:
            return NETWORK + outcome
        if now == np.inf:
            return DONE
        begun[0] = 0
        if not step(loop, machine, now):
            return FAULT

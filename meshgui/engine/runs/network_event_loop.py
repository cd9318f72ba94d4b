"""The event loop of runs with a network in one kernel: messages decide when jobs finish."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.entry_points import borrowed
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.network.packets import NO_END, NetworkRules
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
    computes_alone,
    list_processors,
    run_until_completion,
    with_flits,
)
from meshgui.engine.network.wormhole import NetworkState
from meshgui.engine.runs.event_loop import has_room, step, upcoming
from meshgui.engine.runs.loop_jobs import processors_asked
from meshgui.engine.runs.loop_queue import push_finish
from meshgui.engine.runs.loop_state import Clock, Count, HowFar, Loop, StrategyCalls

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
    ranks: Ints,
    begun: Ints,
    most_events: int,
    most_hops: int,
) -> int:
    """Go on by a number of events, or to the end: how far that is, as of `advance`.

    `begun` is how many of the jobs that started in the latest step send; 0 at first.
    """
    loop, machine, network, jobs = borrowed(loop), borrowed(machine), borrowed(network), borrowed(jobs)
    most = loop.counters[Count.EVENTS] + most_events
    while True:
        while begun[0] < loop.counters[Count.STARTED]:
            job = loop.started[begun[0]]
            asking = loop.jobs[job]
            held = loop.boxes[asking["first_box"] : asking["first_box"] + asking["box_count"]]
            nodes = list_processors(held, rules, processors_asked(loop, job), ranks, loop.across)
            cycle = math.ceil(loop.clock[Clock.NOW])
            outcome = begin_job(network, rules, jobs, sending, job, nodes, cycle)
            if outcome == NO_ROOM:
                return NETWORK + outcome
            if outcome == SENDS_NOTHING:
                push_finish(loop, loop.clock[Clock.NOW] + computes_alone(jobs, sending, job), job)
            begun[0] += 1
        if loop.counters[Count.EVENTS] >= most or loop.counters[Count.STOPPED]:
            return HowFar.MORE
        if not has_room(loop):
            return HowFar.ROOM
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
            return HowFar.DONE
        begun[0] = 0
        if step(loop, machine, now) == HowFar.FAULT:
            return HowFar.FAULT


advance_with_flits: Final = with_flits(advance_with_network)
"""The same with a network in which every flit is moved."""

"""The messages of a run without its allocation, sent in compiled code."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import BlockOptions, Options
from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.entry_points import borrowed
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.network.packets import NO_END, NetworkRules
from meshgui.engine.network.sending import (
    DONE_JOBS,
    IDLE,
    NO_ROOM,
    JobMessages,
    SendingRules,
    begin_job,
    list_processors,
    run_until_completion,
    with_flits,
)
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.network.traffic import Traffic
from meshgui.engine.network.wormhole import NetworkState
from meshgui.engine.runs.recording import NEVER, Recording


@kernel
def send_jobs(
    network: NetworkState,
    rules: NetworkRules,
    jobs: JobMessages,
    sending: SendingRules,
    begun: int,
    starts: NDArray[np.float64],
    order: Ints,
    boxes: NDArray[np.int16],
    first: NDArray[np.int32],
    counts: NDArray[np.int32],
    asked: Ints,
    ranks: Ints,
) -> int:
    """Begin jobs at their starts and let all send: -1 in the end, or how many had begun when room ran out."""
    network, jobs = borrowed(network), borrowed(jobs)
    while True:
        until = math.floor(starts[begun]) if begun < order.size else NO_END
        outcome = run_until_completion(network, rules, jobs, sending, until, NO_END)
        jobs.numbers[DONE_JOBS] = 0
        if outcome == IDLE and begun == order.size:
            return -1
        if outcome == IDLE:
            job = order[begun]
            held = boxes[first[job] : first[job] + counts[job]]
            processes = list_processors(held, rules, asked[job], ranks, 0)
            cycle = math.ceil(starts[begun])
            outcome = begin_job(network, rules, jobs, sending, job, processes, cycle)
            begun += 0 if outcome == NO_ROOM else 1
        if outcome == NO_ROOM:
            return begun


send_jobs_by_flits: Final = with_flits(send_jobs)
"""The same in a network in which every flit is moved."""


class Messages:
    """The messages of a run without its allocation: jobs begin where and when they did in a recording."""

    def __init__(self, recorded: Recording, spec: NetworkSpec) -> None:
        self._recorded = recorded
        self.traffic = Traffic(spec, recorded.mesh, recorded.jobs.messages, recorded.seed)

    def send(self, options: Options | None = None) -> None:
        """Send all, and let them arrive, with the processes of jobs where a strategy's options lay them."""
        recorded, network = self._recorded, self.traffic.network
        blocks = options if isinstance(options, BlockOptions) else BlockOptions()
        ranks = blocks.ranks(recorded.mesh)
        order = np.argsort(recorded.started, kind="stable")
        order = order[recorded.started[order] < NEVER]
        starts = recorded.times[recorded.started[order]]
        begun = 0
        kernel_of = send_jobs if network.law.headers_decide else send_jobs_by_flits
        while begun >= 0:
            begun = kernel_of(
                self.traffic.state, network.rules, self.traffic.jobs, self.traffic.sending,
                begun, starts, order, recorded.boxes, recorded.first_box, recorded.box_count,
                recorded.jobs.processors, ranks,
            )  # fmt: skip
            network.make_room()

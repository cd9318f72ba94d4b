"""Sends the messages of a run's jobs, and reports when all those of a job have arrived."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.geometry import Box, Mesh
from meshgui.engine.network.patterns.base import Processes, Stage, stages
from meshgui.engine.network.patterns.registry import FILE, pattern
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.network.wormhole import NO_END, Network, Packets

__all__ = ["Traffic", "departures"]

_HOPS_AT_ONCE: Final = 1 << 20  # a run must stay stoppable while its network works
_DRAWS: Final = 0x6D657368  # makes the random numbers of messages independent of the jobs'


class Traffic:
    """The network at work for the jobs of a run."""

    def __init__(self, spec: NetworkSpec, mesh: Mesh, quotas: NDArray[np.int64], seed: int) -> None:
        self.spec = spec
        self._mesh = mesh
        self._quotas = quotas
        self._seed = seed
        self._network = Network(mesh, spec.law, len(quotas))
        self._stages: dict[int, Iterator[Stage]] = {}
        self._nodes: dict[int, NDArray[np.int64]] = {}
        self._barriers: list[tuple[int, int]] = []  # when all messages sent by jobs will have arrived
        self._sent = 0
        self._own = spec.packets_by_job(mesh, len(quotas)) if spec.pattern == FILE else None

    def begin(self, job: int, nodes: NDArray[np.int64], boxes: tuple[Box, ...], now: float) -> bool:
        """Let a job send, from the next whole cycle on; False if it sends nothing and is done at once.

        `nodes` are the processors of its processes, which lie in its boxes.
        """
        cycle = math.ceil(now)
        if self._own is not None:
            times, sources, targets = self._own[job]
            self._stages[job] = iter(())
            self._send(job, departures(times + cycle, sources, self.spec.startup), sources, targets)
            return len(times) > 0
        draws = np.random.Generator(np.random.PCG64(np.random.SeedSequence((self._seed, _DRAWS, job))))
        processes = Processes(self._mesh, tuple(boxes), nodes)
        made = pattern(self.spec.pattern)()
        self._stages[job] = stages(made, processes, int(self._quotas[job]), draws)
        self._nodes[job] = nodes
        return self._send_stage(job, cycle)

    def next_barrier(self, limit: float, poll: Callable[[], None]) -> float:
        """When a job's messages have next all arrived, if that is not after `limit`; infinity otherwise.

        `poll` is called in between; an exception of it ends the wait.
        """
        network, barriers = self._network, self._barriers
        while True:
            bound = min(limit, barriers[0][0]) if barriers else limit
            cycle = NO_END if bound == math.inf else math.floor(bound)
            if network.delivered == self._sent or network.now >= cycle:
                return barriers[0][0] if barriers and barriers[0][0] <= limit else math.inf
            for job, arrived in network.advance(cycle, _HOPS_AT_ONCE):
                heappush(barriers, (arrived, job))
            poll()

    def completed(self, now: float) -> list[int]:
        """The jobs done at a time; the next stages of the others are sent."""
        done = []
        while self._barriers and self._barriers[0][0] == now:
            cycle, job = heappop(self._barriers)
            if not self._send_stage(job, cycle):
                self._nodes.pop(job, None)
                del self._stages[job]
                done.append(job)
        return done

    def packets(self) -> Packets:
        """All packets sent so far."""
        return self._network.packets()

    def _send_stage(self, job: int, cycle: int) -> bool:
        stage = next(self._stages[job], None)
        if stage is None:
            return False
        nodes = self._nodes[job]
        sources, targets = nodes[stage.sources], nodes[stage.targets]
        times = departures(np.full(len(sources), cycle), sources, self.spec.startup)
        self._send(job, times, sources, targets)
        return True

    def _send(
        self, job: int, times: NDArray[np.int64], sources: NDArray[np.int64], targets: NDArray[np.int64]
    ) -> None:
        self._network.send(times, sources, targets, job)
        self._sent += len(sources)


def departures(times: NDArray[np.int64], sources: NDArray[np.int64], startup: int) -> NDArray[np.int64]:
    """The cycles in which messages request injection: a processor needs `startup` cycles before each."""
    if not startup:
        return times
    ready: dict[int, int] = {}
    asks = np.empty_like(times)
    for i in np.lexsort((np.arange(len(times)), times)).tolist():
        source = int(sources[i])
        ready[source] = asks[i] = max(int(times[i]), ready.get(source, 0)) + startup
    return asks

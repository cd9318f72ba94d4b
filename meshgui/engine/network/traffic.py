"""Sends the messages of a run's jobs, and reports when all those of a job have arrived."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, cast

import numpy as np

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.work import look
from meshgui.engine.network import sending as kernels
from meshgui.engine.network.networks import network_for
from meshgui.engine.network.packets import NO_END, waited_too_long
from meshgui.engine.network.patterns.base import FirstStage, Pattern, Processes, Stage, stages
from meshgui.engine.network.patterns.compiled import COMPILED
from meshgui.engine.network.patterns.registry import FILE, pattern
from meshgui.engine.network.random_numbers import PARTS, words_of
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.network.wormhole import NetworkState

HOPS_AT_ONCE: Final = 1 << 20  # a run must stay stoppable while its network works
_FIRST_PACKETS: Final = 1 << 16  # room for these at first, and for their hops; it grows as they are sent
_FIRST_HOPS: Final = 1 << 20
_DRAWS: Final = 0x6D657368  # makes the random numbers of messages independent of the jobs'


class Traffic:
    """The network at work for the jobs of a run.

    Its arrays and numbers (`state`, `network.rules`, `jobs`, `sending`) are what the kernels of `sending`
    work on. A compiled event loop may call these itself: `serve` then supplies whatever a kernel has returned
    for want of, after which `state` is another.
    """

    def __init__(
        self, spec: NetworkSpec, mesh: Mesh, quotas: Ints, seed: int, computing: Ints | None = None
    ) -> None:
        """`computing` has the cycles of each job as `spec.compute` means them: in all, or each time."""
        self.spec = spec
        self.network = network_for(mesh, spec.law, len(quotas))
        self._kernels = kernels.BY_HEADERS if spec.law.headers_decide else kernels.BY_FLITS
        packets = min(int(quotas.sum()), _FIRST_PACKETS)
        hops = packets * (2 + sum(mesh.extents) // 3)  # of routes of mean length, roughly
        self.network.reserve(packets, min(hops, _FIRST_HOPS))
        self._mesh = mesh
        self._pattern = None if spec.pattern == FILE else pattern(spec.pattern)
        self._generator_words = (seed, _DRAWS)
        self._stages: dict[int, Iterator[Stage]] = {}  # of patterns in plain Python
        self.sending = _rules_of(self._pattern, spec)
        self.seed = seed
        self.jobs = _messages_of(self, quotas, seed, computing)

    @property
    def state(self) -> NetworkState:
        """The network's arrays as the kernels of `sending` take them, which are made for each kind."""
        return cast("NetworkState", self.network.state)

    @property
    def stuck(self) -> bool:
        """Whether packets are under way after all that could ever happen has happened."""
        return self.network.now == NO_END and self.network.delivered < self.network.count

    @property
    def compiled(self) -> bool:
        """Whether no stage need be written by Python."""
        return self.sending.pattern != kernels.PLAIN_PYTHON

    def begin(self, job: int, nodes: Ints, boxes: tuple[Box, ...], now: float) -> bool:
        """Let a job send, from the next whole cycle on; False if it sends nothing and is done at once.

        `nodes` are the processors of its processes, which lie in its boxes.
        """
        if not self.compiled and self._pattern is not None:
            seed = np.random.SeedSequence((*self._generator_words, job))
            draws = np.random.Generator(np.random.PCG64(seed))
            processes = Processes(self._mesh, tuple(boxes), nodes)
            quota = int(self.jobs.left[job])
            law = self._pattern(), processes, quota
            if self.sending.computes == kernels.SHARED:
                again = np.random.Generator(np.random.PCG64(seed))
                sent = stages(*law, again, by_iteration=bool(self.sending.by_iteration))
                self.jobs.iterations[job] = sum(isinstance(stage, FirstStage) for stage in sent)
            self._stages[job] = stages(*law, draws, by_iteration=bool(self.sending.by_iteration))
        while True:
            outcome = self._kernels.begin_job(
                self.state, self.network.rules, self.jobs, self.sending, job, nodes, math.ceil(now)
            )
            if not self.serve(outcome):
                return outcome != kernels.SENDS_NOTHING

    def computes_alone(self, job: int) -> int:
        """The cycles for which a job computes that sends nothing."""
        return kernels.computes_alone.python(self.jobs, self.sending, job)

    def next_completion(self, limit: float) -> float:
        """When next all messages of a job have arrived, if that is not after `limit`; infinity otherwise."""
        until = NO_END if limit == math.inf else math.floor(limit)
        while True:
            outcome = self._kernels.run_until_completion(
                self.state, self.network.rules, self.jobs, self.sending, until, HOPS_AT_ONCE
            )
            look()
            if outcome == kernels.COMPLETED:
                return float(self.jobs.numbers[kernels.DONE_TIME])
            if outcome == kernels.IDLE:
                return math.inf
            self.serve(outcome)

    def completed(self) -> list[int]:
        """The jobs done at the time of the next completion; each is returned once."""
        jobs = self.jobs
        done: list[int] = jobs.done[: jobs.numbers[kernels.DONE_JOBS]].tolist()
        jobs.numbers[kernels.DONE_JOBS] = 0
        for job in done:
            self._stages.pop(job, None)
        return done

    def serve(self, outcome: int) -> bool:
        """Supply what a kernel has returned for want of; whether it is to be called again."""
        if outcome == kernels.NO_ROOM:
            self.network.make_room()
        elif outcome == kernels.STAGE_WANTED:
            jobs = self.jobs
            stage = next(self._stages[int(jobs.numbers[kernels.WANTING])])
            sources, targets = stage
            jobs.numbers[kernels.BEGINS] = isinstance(stage, FirstStage)
            jobs.given_sources[: len(sources)] = sources
            jobs.given_targets[: len(sources)] = targets
            jobs.numbers[kernels.WRITTEN] = len(sources)
        elif outcome == kernels.WAITED_TOO_LONG:
            raise waited_too_long()
        return outcome in {kernels.NO_ROOM, kernels.STAGE_WANTED, kernels.PAUSED}


def _rules_of(cls: type[Pattern] | None, spec: NetworkSpec) -> kernels.SendingRules:
    by_iteration, computes = int(spec.barrier == "iteration"), kernels.NOTHING
    if spec.compute is not None:
        computes = kernels.SHARED if spec.compute.kind == "stated" else kernels.EACH
    for number, compiled in enumerate(COMPILED):
        if cls is compiled:
            draws = compiled.draws, compiled.draws_each
            return kernels.SendingRules(
                number, *draws, spec.startup, spec.between_sends, by_iteration, computes
            )
    number = kernels.EXPLICIT if cls is None else kernels.PLAIN_PYTHON
    return kernels.SendingRules(number, 0, 0, spec.startup, spec.between_sends, by_iteration, computes)


def _messages_of(traffic: Traffic, quotas: Ints, seed: int, computing: Ints | None) -> kernels.JobMessages:
    """The kernels' arrays. What is never written takes no memory."""
    jobs, mesh, sending = len(quotas), traffic.network.mesh, traffic.sending
    most = int(quotas.max(initial=0))  # messages of a stage
    given, asks, sources, targets = _given(traffic, jobs, most)
    return kernels.JobMessages(
        left=quotas.copy(),
        stage=np.zeros(jobs, dtype=np.int32),
        processes=np.zeros(jobs, dtype=np.int32),
        first=np.zeros(jobs, dtype=np.int64),
        generators=np.empty((jobs, PARTS), dtype=np.uint64),
        computing=np.zeros(0, dtype=np.int64) if computing is None else computing.copy(),
        iterations=np.zeros(0 if computing is None else jobs, dtype=np.int64),
        begun=np.zeros(0 if computing is None else jobs, dtype=np.int64),
        nodes=np.empty(2 * mesh.processors, dtype=np.int32),
        holders=np.empty(2 * mesh.processors, dtype=np.int32),
        given=given,
        given_asks=asks,
        given_sources=sources,
        given_targets=targets,
        barriers=np.empty(jobs, dtype=np.int32),
        done=np.empty(jobs, dtype=np.int32),
        sources=np.empty(most, dtype=np.int64),
        targets=np.empty(most, dtype=np.int64),
        asks=np.empty(most, dtype=np.int64),
        groups=np.empty(most, dtype=np.int64),
        drawn=np.empty(sending.draws + sending.draws_each * most),
        generator=np.zeros(PARTS, dtype=np.uint64),
        ready=np.zeros(mesh.processors, dtype=np.int64),
        seed=words_of(seed, _DRAWS, 0),
        numbers=np.zeros(8, dtype=np.int64),
    )


def _given(traffic: Traffic, jobs: int, most: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Where each job's explicit packets begin, their cycles, sources and targets; or room for a stage."""
    room = 0 if traffic.compiled else most
    none = np.empty(0, dtype=np.int64)
    if traffic.sending.pattern != kernels.EXPLICIT:
        return none, none, np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    own = traffic.spec.packets_by_job(traffic.network.mesh, jobs, traffic.seed)
    spec = traffic.spec
    asks = [departures(times, sources, spec.startup, spec.between_sends) for times, sources, _ in own]
    return (
        np.cumsum([0, *map(len, asks)]),
        np.concatenate([none, *asks]),
        np.concatenate([none, *(sources for _, sources, _ in own)]),
        np.concatenate([none, *(targets for _, _, targets in own)]),
    )


def departures(times: Ints, sources: Ints, startup: int, between: int) -> Ints:
    """The cycles in which messages request injection: a processor's own come one after the other.

    It needs `startup` cycles before each, and leaves `between` from one to the next.
    """
    if not (startup or between) or not len(times):
        return times
    order = np.argsort(times, kind="stable")
    asks = times[order]
    ready = np.zeros(int(sources.max()) + 1, dtype=np.int64)
    kernels.take_turns(asks, sources[order], len(asks), startup, between, ready)
    departed = np.empty_like(asks)
    departed[order] = asks
    return departed

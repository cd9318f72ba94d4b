"""Computes the figures of a run, of its jobs and of the machine over time (000 §3.4, 001 §3.4)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import ramps
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.routing import describe_channel, links
from meshgui.engine.runs.dictionary import SLOWDOWN_BOUND
from meshgui.engine.runs.quantiles import quantile
from meshgui.engine.runs.queue_heads import queue_heads
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.runs.spread import dispersals, mean_pairwise_distances


class JobFigures:
    """Figures of each finished job, in order of number; slow ones are computed at their first use."""

    def __init__(self, recording: Recording) -> None:
        done = np.flatnonzero((recording.started != NEVER) & (recording.ended != NEVER))
        if recording.outages is not None:
            done = done[recording.kinds[recording.ended[done]] == EventKind.FINISH]
        start = recording.times[recording.started[done]]
        before = _time_in_cut_stints(recording)[done]
        self._recording = recording
        self.job: Ints = done
        self.arrival: Floats = recording.jobs.arrival[done]
        self.start: Floats = start
        self.finish: Floats = recording.times[recording.ended[done]]
        self.turnaround: Floats = self.finish - self.arrival
        self.waiting: Floats = start - self.arrival - before
        self.service: Floats = self.finish - start + before
        self.processors: Ints = recording.jobs.processors[done]
        self.held: Ints = recording.held_processors()[done]
        self.blocks: Ints = recording.blocks[done].astype(np.int64)
        self.operations: Ints = recording.operations[done]
        self.seconds: Floats = recording.seconds[done]

    @property
    def contiguous(self) -> Ints:
        """1 if it is held in one block, else 0."""
        alone: Ints = (self.blocks == 1).astype(np.int64)
        return alone

    @property
    def internal_fragmentation(self) -> Floats:
        """The share of the processors held beyond those asked for."""
        return (self.held - self.processors) / self.held

    @property
    def slowdown(self) -> Floats:
        """How many times its service a job is there; NaN where the service is 0."""
        ratio = np.full(len(self.job), np.nan)
        np.divide(self.turnaround, self.service, out=ratio, where=self.service > 0)
        return ratio

    @property
    def bounded_slowdown(self) -> Floats:
        """The same with short services counted as longer, and at least 1 (Feitelson et al. 1997)."""
        ratio = self.turnaround / np.maximum(self.service, SLOWDOWN_BOUND)
        return np.maximum(ratio, 1.0)

    @cached_property
    def attempts(self) -> Ints:
        """How often its allocation was tried."""
        return self._recording.attempt_counts[self.job].astype(np.int64)

    @cached_property
    def dispersal(self) -> Floats:
        """The share of its enclosing box that each job does not hold."""
        return dispersals(*self._boxes, self._recording.mesh)

    @property
    def weighted_dispersal(self) -> Floats:
        """Dispersal times the processors held (001 §3.4.1)."""
        return self.dispersal * self.held

    @cached_property
    def pairwise_distance(self) -> Floats:
        """The mean distance between two processors of each job, in hops."""
        return mean_pairwise_distances(*self._boxes, self._recording.mesh)

    @cached_property
    def messages(self) -> Ints:
        """How many of its messages have arrived; 0 without a network."""
        return self._counts[self.job].astype(np.int64)

    @cached_property
    def latency(self) -> Floats:
        """The mean latency of its messages; NaN where it sent none."""
        network = self._recording.network
        return self._mean_of_messages(None if network is None else network.latency)

    @cached_property
    def blocking(self) -> Floats:
        """The mean blocking time of its messages; NaN where it sent none."""
        network = self._recording.network
        return self._mean_of_messages(None if network is None else network.blocked)

    @cached_property
    def message_distance(self) -> Floats:
        """The mean hops of its messages; NaN where it sent none."""
        network = self._recording.network
        return self._mean_of_messages(None if network is None else network.distances[network.arrived])

    @cached_property
    def _boxes(self) -> tuple[Ints, Ints]:
        """The boxes of all, job after job, and how many each has."""
        recording = self._recording
        counts = recording.box_count[self.job].astype(np.int64)
        rows = np.repeat(recording.first_box[self.job], counts) + ramps(counts)
        return recording.boxes[rows].astype(np.int64), counts

    @cached_property
    def _senders(self) -> Ints:
        """The job of each message that has arrived."""
        network = self._recording.network
        return np.empty(0, np.int64) if network is None else network.jobs[network.arrived].astype(np.int64)

    @cached_property
    def _counts(self) -> Ints:
        return np.bincount(self._senders, minlength=len(self._recording.jobs))

    def _mean_of_messages(self, figures: Ints | None) -> Floats:
        means = np.full(len(self._recording.jobs), np.nan)
        if figures is not None:
            total = np.bincount(self._senders, weights=figures, minlength=len(means))
            np.divide(total, self._counts, out=means, where=self._counts > 0)
        return means[self.job]


def _time_in_cut_stints(recording: Recording) -> Floats:
    """How long each job was on the machine before its last start: undone, or up to a checkpoint."""
    before = np.zeros(len(recording.jobs))
    if recording.outages is not None:
        kills, (_, lasted) = recording.outages.kills, recording.cut_stints()
        again = kills["requeued"]
        np.add.at(before, kills["job"][again], lasted[again])
    return before


def external_fragmentation_steps(recording: Recording) -> tuple[Floats, Ints]:
    """Times of all events, and the processors idle after each though the queue's head asks for no more.

    Read after the starts of that time: at one time the allocator has had its turn last.
    """
    times, busy = recording.busy_steps()
    free = recording.mesh.processors - recording.down_steps() - busy
    heads = queue_heads(recording)
    asked = recording.jobs.processors[np.maximum(heads, 0)]
    idle: Ints = np.where((heads >= 0) & (asked <= free), free, 0)
    return times, idle


def summary(recording: Recording, of_jobs: JobFigures | None = None) -> dict[str, Any]:
    """The means and distributions of a run, under the names the command line promises."""
    figures = JobFigures(recording) if of_jobs is None else of_jobs
    span = recording.end_time
    processors = recording.mesh.processors
    held = figures.held.astype(np.float64)
    times, idle = recording.remembered(external_fragmentation_steps)

    def over_time(amount: Floats, steps: Callable[[], Ints]) -> float:
        """The mean over time: by jobs, or, where they had several stints or none was finished, by steps."""
        if recording.outages is not None:
            return _mean_of_steps(times, steps(), span)
        return _sum_of_products(amount, figures.service) / span if span else 0.0

    return {
        "jobs": len(figures.job),
        "rejected": int(np.count_nonzero(recording.kinds == EventKind.REJECT)),
        "turnaround": distribution(figures.turnaround),
        "waiting": distribution(figures.waiting),
        "service": distribution(figures.service),
        "slowdown": distribution(figures.slowdown[figures.service > 0]),
        "bounded_slowdown": distribution(figures.bounded_slowdown),
        **_offered(recording, figures),
        "utilization": over_time(held, lambda: recording.busy_steps()[1]) / processors,
        "utilization_requested": over_time(
            figures.processors.astype(np.float64), lambda: recording.steps_of(recording.jobs.processors)
        )
        / processors,
        "finish_time": span,
        "queue_length_mean": _queue_length(recording, figures, span),
        "busy_list_mean": over_time(figures.blocks.astype(np.float64), recording.busy_list_steps),
        "blocks_per_job": _mean(figures.blocks),
        "contiguous_ratio": _mean(figures.contiguous),
        "dispersal": _mean(figures.dispersal),
        "weighted_dispersal": _mean(figures.weighted_dispersal),
        "pairwise_distance": _mean(figures.pairwise_distance),
        "internal_fragmentation": float((held - figures.processors).sum() / held.sum()) if len(held) else 0.0,
        "external_fragmentation": _mean_of_steps(times, idle, span) / processors,
        "attempts_per_job": _mean(figures.attempts),
        **_part_attempts(recording, figures.job),
        "overhead": {"operations_mean": _mean(figures.operations), "seconds_mean": _mean(figures.seconds)},
        **_of_messages(recording, figures),
        **_of_deadlock(recording),
        **_of_failures(recording, span),
    }


def _queue_length(recording: Recording, figures: JobFigures, span: float) -> float:
    if recording.outages is not None:
        return _mean_of_steps(*recording.queue_steps(), span)
    return float(figures.waiting.sum()) / span if span else 0.0


def _of_failures(recording: Recording, span: float) -> dict[str, float]:
    """What failures cost, where there may be any."""
    if recording.outages is None:
        return {}
    down = _mean_of_steps(recording.times, recording.down_steps(), span)
    return {
        "killed": len(recording.outages.kills),
        "lost_time": float(recording.outages.kills["lost"].sum()),
        "availability": 1 - down / recording.mesh.processors,
    }


def _of_deadlock(recording: Recording) -> dict[str, Any]:
    """What a run leaves that stands still for ever."""
    if recording.deadlock is None:
        return {}
    unfinished = np.count_nonzero((recording.arrived != NEVER) & (recording.ended == NEVER))
    cycle, circle = recording.deadlock
    return {"unfinished": int(unfinished), "deadlock": {"cycle": cycle, "packets": list(circle)}}


def channel_use(network: NetworkRecord, begin: int, end: int) -> dict[str, Any]:
    """In which share of the cycles after `begin` up to `end` the mesh's links carried a flit.

    The mean over all links and the greatest, with the first link that has it; None where nothing moved.
    """
    of_links = links(network.mesh)
    use = network.use(begin, end)[of_links]
    if not use.any():
        return {"mean": 0.0, "max": 0.0, "busiest": None}
    busiest = int(use.argmax())
    return {
        "mean": float(use.mean()),
        "max": float(use[busiest]),
        "busiest": describe_channel(network.mesh, int(of_links[busiest])),
    }


def message_figures(network: NetworkRecord, begin: int, end: int) -> dict[str, Any]:
    """Figures of the packets that have arrived, and of the links after `begin` up to `end`."""
    return {
        "latency": distribution(network.latency),
        "blocking": distribution(network.blocked),
        "packets": len(network.arrived),
        "blocked_packets": _mean(network.blocked > 0),
        "message_distance": _mean(network.distances[network.arrived]),
        "channel_use": channel_use(network, begin, end),
    }


def _of_messages(recording: Recording, figures: JobFigures) -> dict[str, Any]:
    """What went through the network, if there is one."""
    if recording.network is None:
        return {}
    whole = message_figures(recording.network, 0, math.ceil(recording.end_time))
    return {**whole, "messages_per_job": _mean(figures.messages), "energy": energy(recording)}


def energy(recording: Recording) -> float:
    """What a run takes: of processors by the time in which they are free or held, and of flits on links."""
    spec, network = recording.scenario.network, recording.network
    if spec is None or network is None:
        return 0.0
    times, busy = recording.busy_steps()
    span = recording.end_time
    held = _sum_of_products(np.diff(np.append(times, span)), busy.astype(np.float64))
    free = span * recording.mesh.processors - held
    passed = int(network.carried(math.ceil(span))[links(network.mesh)].sum())
    return spec.idle_energy * free + spec.busy_energy * held + spec.flit_energy * passed


def _offered(recording: Recording, figures: JobFigures) -> dict[str, float]:
    """Arrivals per time, and the work that they bring over what the machine can do; 0 where all come at 0."""
    last = float(recording.jobs.arrival.max(initial=0.0))
    if not last:
        return {"arrival_rate": 0.0, "offered_load": 0.0}
    work = _sum_of_products(figures.processors.astype(np.float64), figures.service)
    return {
        "arrival_rate": len(recording.jobs) / last,
        "offered_load": work / (recording.mesh.processors * last),
    }


def _part_attempts(recording: Recording, jobs: Ints) -> dict[str, float]:
    """000's b, of strategies that count it."""
    counted = recording.part_attempts
    return {"part_attempts_per_job": _mean(counted[jobs])} if len(counted) else {}


def _mean_of_steps(times: Floats, values: Ints, span: float) -> float:
    """The mean over time of a step function that is 0 before its first step."""
    return _sum_of_products(np.diff(times), values[:-1]) / span if span else 0.0


def _sum_of_products(one: NDArray[Any], other: NDArray[Any]) -> float:
    """Not `@`: BLAS adds up in another order with other processors, or with more of them."""
    return float((one * other).sum())


def _mean(values: NDArray[Any]) -> float:
    return float(values.mean()) if len(values) else 0.0


def distribution(values: NDArray[Any]) -> dict[str, float]:
    """The mean, the spread and quantiles of values."""
    if not len(values):
        return dict.fromkeys(("mean", "sd", "min", "median", "p95", "max"), 0.0)
    ordered = np.sort(values)
    return {
        "mean": float(values.mean()),
        "sd": float(values.std(ddof=1)) if len(values) > 1 else 0.0,
        "min": float(ordered[0]),
        "median": quantile(ordered, 0.5),
        "p95": quantile(ordered, 0.95),
        "max": float(ordered[-1]),
    }

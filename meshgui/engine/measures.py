"""What a run comes to: the figures of its jobs and of the machine over time (000 §3.4, 001 §3.4)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.recording import NEVER, EventKind, Recording

__all__ = [
    "JobFigures",
    "dispersal",
    "external_fragmentation_steps",
    "job_figures",
    "mean_pairwise_distance",
    "summary",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class JobFigures(NamedTuple):
    """Per finished job, in order of number."""

    job: Ints
    turnaround: Floats
    waiting: Floats
    service: Floats
    finish: Floats
    asked: Ints
    held: Ints
    blocks: Ints
    attempts: Ints
    operations: Ints
    seconds: Floats


def job_figures(recording: Recording) -> JobFigures:
    """The figures of all jobs that have finished."""
    done = np.flatnonzero((recording.started != NEVER) & (recording.ended != NEVER))
    arrival = recording.jobs.arrival[done]
    start = recording.times[recording.started[done]]
    finish = recording.times[recording.ended[done]]
    attempts = np.bincount(recording.attempt_jobs, minlength=len(recording.jobs))
    return JobFigures(
        done,
        finish - arrival,
        start - arrival,
        finish - start,
        finish,
        recording.jobs.processors[done],
        recording.held_processors()[done],
        recording.box_count[done].astype(np.int64),
        attempts[done],
        recording.operations[done],
        recording.seconds[done],
    )


def dispersal(boxes: Boxes) -> float:
    """The share of the smallest enclosing box that the job does not hold (001 §3.4.1); 0 for one block.

    Weighted dispersal is this times the processors held.
    """
    rows = np.array(boxes, dtype=np.int64)
    low, size = rows[:, :3], rows[:, 3:]
    enclosing = int(((low + size).max(axis=0) - low.min(axis=0)).prod())
    return (enclosing - int(size.prod(axis=1).sum())) / enclosing


def mean_pairwise_distance(boxes: Boxes) -> float:
    """The mean number of hops between two of a job's processors; 0 for a single one."""
    rows = np.array(boxes, dtype=np.int64)
    low, size = rows[:, :3], rows[:, 3:]
    volumes = size.prod(axis=1)
    held = int(volumes.sum())
    if held < 2:
        return 0.0
    hops = 0
    for axis in range(3):
        first, share = low[:, axis] - low[:, axis].min(), volumes // size[:, axis]
        # A box adds its share to each coordinate from its first to its last: mark both ends, then add up.
        ends = np.zeros(int((first + size[:, axis]).max()) + 1, dtype=np.int64)
        np.add.at(ends, first, share)
        np.add.at(ends, first + size[:, axis], -share)
        below = np.cumsum(
            np.cumsum(ends)
        )  # every pair crosses each gap that lies between its two coordinates
        hops += int((below * (held - below)).sum())
    return hops / (held * (held - 1) / 2)


def external_fragmentation_steps(recording: Recording) -> tuple[Floats, Ints]:
    """Times of all events, and the processors idle after each though the queue's head asks for no more.

    Read after the starts of that time: at one time the allocator has had its turn last.
    """
    times, busy = recording.busy_steps()
    free = recording.mesh.processors - busy
    heads = recording.queue_heads()
    asked = recording.jobs.processors[np.maximum(heads, 0)]
    idle: Ints = np.where((heads >= 0) & (asked <= free), free, 0)
    return times, idle


def summary(recording: Recording) -> dict[str, Any]:
    """The means and distributions of a run, under the names the command line promises."""
    figures = job_figures(recording)
    span = recording.end_time
    processors = recording.mesh.processors
    held = figures.held.astype(np.float64)
    times, idle = external_fragmentation_steps(recording)
    boxes = [recording.boxes_of(int(job)) for job in figures.job]
    spread = np.array([dispersal(b) for b in boxes])

    def over_time(amount: Floats) -> float:
        return float(amount @ figures.service) / span if span else 0.0

    return {
        "jobs": len(figures.job),
        "rejected": int(np.count_nonzero(recording.kinds == EventKind.REJECT)),
        "turnaround": _distribution(figures.turnaround),
        "waiting": _distribution(figures.waiting),
        "service": _distribution(figures.service),
        "utilization": over_time(held) / processors,
        "finish_time": span,
        "queue_length_mean": float(figures.waiting.sum()) / span if span else 0.0,
        "busy_list_mean": over_time(figures.blocks.astype(np.float64)),
        "blocks_per_job": _mean(figures.blocks),
        "contiguous_ratio": _mean(figures.blocks == 1),
        "dispersal": _mean(spread),
        "weighted_dispersal": _mean(spread * held),
        "pairwise_distance": _mean(np.array([mean_pairwise_distance(b) for b in boxes])),
        "internal_fragmentation": float((held - figures.asked).sum() / held.sum()) if len(held) else 0.0,
        "external_fragmentation": _mean_of_steps(times, idle, span) / processors,
        "attempts_per_job": _mean(figures.attempts),
        **_part_attempts(recording, figures.job),
        "overhead": {
            "operations_mean": _mean(figures.operations),
            "seconds_mean": _mean(figures.seconds),
        },
    }


def _part_attempts(recording: Recording, jobs: Ints) -> dict[str, float]:
    """000's b, of strategies that count it."""
    counted = recording.part_attempts
    return {"part_attempts_per_job": _mean(counted[jobs])} if len(counted) else {}


def _mean_of_steps(times: Floats, values: Ints, span: float) -> float:
    """The mean over time of a step function that is 0 before its first step."""
    return float(np.diff(times) @ values[:-1]) / span if span else 0.0


def _mean(values: NDArray[Any]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _distribution(values: Floats) -> dict[str, float]:
    if not len(values):
        return dict.fromkeys(("mean", "sd", "min", "median", "p95", "max"), 0.0)
    low, median, high = np.quantile(values, (0.0, 0.5, 1.0)).tolist()
    return {
        "mean": float(values.mean()),
        "sd": float(values.std(ddof=1)) if len(values) > 1 else 0.0,
        "min": low,
        "median": median,
        "p95": float(np.quantile(values, 0.95)),
        "max": high,
    }

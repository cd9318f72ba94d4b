"""What a run comes to: the figures of its jobs and of the machine (000 §3.4, 001 §3.4)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.recording import NEVER, EventKind, Recording

__all__ = ["JobFigures", "job_figures", "summary"]


class JobFigures(NamedTuple):
    """Per finished job, in order of number."""

    job: NDArray[np.int64]
    turnaround: NDArray[np.float64]
    waiting: NDArray[np.float64]
    service: NDArray[np.float64]
    operations: NDArray[np.int64]
    seconds: NDArray[np.float64]
    finish: NDArray[np.float64]


def job_figures(recording: Recording) -> JobFigures:
    """The figures of all jobs that have finished."""
    done = np.flatnonzero((recording.started != NEVER) & (recording.ended != NEVER))
    arrival = recording.jobs.arrival[done]
    start = recording.times[recording.started[done]]
    finish = recording.times[recording.ended[done]]
    return JobFigures(
        done,
        finish - arrival,
        start - arrival,
        finish - start,
        recording.operations[done],
        recording.seconds[done],
        finish,
    )


def summary(recording: Recording) -> dict[str, Any]:
    """The means of a run, under the names the command line promises."""
    figures = job_figures(recording)
    done = figures.job
    span = recording.end_time
    held = recording.held_processors()[done].astype(np.float64)
    asked = recording.jobs.processors[done].astype(np.float64)
    blocks = recording.box_count[done].astype(np.float64)
    rejected = int(np.count_nonzero(recording.kinds == EventKind.REJECT))
    attempts = len(recording.attempt_jobs)

    def over_time(amount: NDArray[np.float64]) -> float:
        return float(amount @ figures.service) / span if span else 0.0

    return {
        "jobs": len(done),
        "rejected": rejected,
        "turnaround": {"mean": _mean(figures.turnaround)},
        "waiting": {"mean": _mean(figures.waiting)},
        "service": {"mean": _mean(figures.service)},
        "utilization": over_time(held) / recording.mesh.processors,
        "finish_time": span,
        "queue_length_mean": float(figures.waiting.sum()) / span if span else 0.0,
        "busy_list_mean": over_time(blocks),
        "blocks_per_job": _mean(blocks),
        "contiguous_ratio": _mean((blocks == 1).astype(np.float64)),
        "internal_fragmentation": float((held - asked).sum() / held.sum()) if len(done) else 0.0,
        "external_fragmentation": external_fragmentation(recording),
        "attempts_per_job": attempts / len(done) if len(done) else 0.0,
        "overhead": {
            "operations_mean": _mean(figures.operations.astype(np.float64)),
            "seconds_mean": _mean(figures.seconds),
        },
    }


def external_fragmentation(recording: Recording) -> float:
    """The share of time in which the head of the queue waits though enough processors are free."""
    if len(recording) < 2 or recording.end_time == 0:
        return 0.0
    times, busy = recording.busy_steps()
    free = recording.mesh.processors - busy
    asked = recording.jobs.processors[np.maximum(recording.queue_heads(), 0)]
    blocked = (recording.queue_heads() >= 0) & (asked <= free)
    spans = np.diff(times)
    return float(spans[blocked[:-1]].sum()) / recording.end_time


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else 0.0

"""Computes the median, 95th percentile and maximum of figures of which `summary` has the mean alone.

Over jobs and packets they are NumPy's quantiles; over time, the least value at or below which the run is for
that share of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.network.routing import links
from meshgui.engine.runs.dictionary import FIGURES, MIDDLE
from meshgui.engine.runs.measures import JobFigures, external_fragmentation_steps
from meshgui.engine.runs.quantiles import quantile
from meshgui.engine.runs.recording import Recording

_SHARES: Final = (0.5, 0.95)


def middles(recording: Recording, jobs: JobFigures) -> dict[str, float]:
    """By their names, `blocks_per_job.p95` and so on."""
    found: dict[str, float] = {}
    for name, rows in (*_of_jobs(recording, jobs), *_of_network(recording)):
        for part, value in zip(MIDDLE, middle(rows), strict=True):
            found[FIGURES[name].spread_name(part)] = value
    times = recording.times
    lasting = np.diff(times, prepend=0.0)
    for name, first, values, of in _over_time(recording):
        for part, value in zip(MIDDLE, _middle_over_time(first, values, lasting), strict=True):
            found[FIGURES[name].spread_name(part)] = value / of
    return found


def _of_jobs(recording: Recording, jobs: JobFigures) -> Iterator[tuple[str, NDArray[Any]]]:
    yield "blocks_per_job", jobs.blocks
    yield "dispersal", jobs.dispersal
    yield "weighted_dispersal", jobs.weighted_dispersal
    yield "pairwise_distance", jobs.pairwise_distance
    yield "internal_fragmentation", jobs.internal_fragmentation
    yield "attempts_per_job", jobs.attempts
    yield "overhead_operations", jobs.operations
    if len(recording.part_attempts):
        yield "part_attempts_per_job", recording.part_attempts[jobs.job]
    if recording.network is not None:
        yield "messages_per_job", jobs.messages


def _of_network(recording: Recording) -> Iterator[tuple[str, NDArray[Any]]]:
    network = recording.network
    if network is not None:
        yield "message_distance", network.distances[network.arrived]
        yield "channel_use", network.use(0, math.ceil(recording.end_time))[links(network.mesh)]


def _over_time(recording: Recording) -> Iterator[tuple[str, int, Ints, int]]:
    """Numbers before the first event and after each, and what they are divided by."""
    processors = recording.mesh.processors
    _, held = recording.busy_steps()
    yield "utilization", 0, held, processors
    yield "utilization_requested", 0, recording.steps_of(recording.jobs.processors), processors
    yield "queue_length_mean", 0, recording.queue_steps()[1], 1
    yield "busy_list_mean", 0, recording.busy_list_steps(), 1
    yield "external_fragmentation", 0, recording.remembered(external_fragmentation_steps)[1], processors
    if recording.outages is not None:
        yield "availability", processors, processors - recording.down_steps(), processors


def middle(values: NDArray[Any]) -> tuple[float, float, float]:
    """NumPy's quantiles and the maximum; 0 where there is nothing."""
    if not len(values):
        return 0.0, 0.0, 0.0
    ordered = np.sort(values)
    return (*(quantile(ordered, share) for share in _SHARES), float(ordered[-1]))  # type: ignore[return-value]


def _middle_over_time(first: int, after: Ints, lasting: Floats) -> tuple[float, float, float]:
    """Of a number before the first event, and after each until the next; the last one lasts no time."""
    if not len(after):
        return float(first), float(first), float(first)
    before = np.concatenate(([first], after[:-1]))
    time_at = np.bincount(before, weights=lasting)
    passed = np.cumsum(time_at)
    there = np.flatnonzero(time_at > 0)
    if not len(there):
        return float(first), float(first), float(first)
    places = there[np.searchsorted(passed[there], np.array(_SHARES) * passed[-1])]
    return float(places[0]), float(places[1]), float(there[-1])

"""Batch means: one long run cut into batches, whose means are taken for independent samples.

Jobs go into batches in order of arrival, equally many into each, after a warm-up that is left out. What is a
mean over time is taken over as many equal spans between the arrivals of the first and the last job counted,
so that neither the filling nor the emptying of the machine is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.parts import Part
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.figures import Figures
from meshgui.engine.runs.measures import JobFigures
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import Scenario
from meshgui.experiment.statistics import autocorrelation

BATCHED: Final = (
    "turnaround",
    "waiting",
    "service",
    "utilization",
    "utilization_requested",
    "queue_length_mean",
    "busy_list_mean",
    "blocks_per_job",
    "contiguous_ratio",
    "dispersal",
    "weighted_dispersal",
    "pairwise_distance",
    "attempts_per_job",
    "overhead_operations",
    "latency",
    "blocking",
    "message_distance",
)
"""The figures that a batch has of its own."""

LARGEST_AUTOCORRELATION: Final = 0.2
"""From this lag-1 autocorrelation on, the means of batches are not to be taken for independent."""


class BatchError(Exception):
    """A run that cannot be cut as wanted, in one sentence."""


class Batches(Part):
    """How a long run is cut."""

    count: Annotated[int, Field(ge=2, le=1000, strict=True)] = 20
    warm_up: Annotated[int, Field(ge=0, strict=True, description=tr("Jobs left out at the beginning"))] = 0

    @property
    def least_jobs(self) -> int:
        """How many jobs have to finish."""
        return self.count + self.warm_up

    def unfit(self, scenario: Scenario) -> str:
        """Why no run of a scenario can be cut so, as far as is known before it; empty if it can."""
        return "" if scenario.job_count >= self.least_jobs else self.too_few(scenario.job_count)

    def too_few(self, finished: int) -> str:
        """The complaint about a run of too few jobs."""
        return tr(
            "expected at least {least_jobs} finished jobs for {count} batches after {warm_up} of "
            "warm-up, got {finished}"
        ).format(least_jobs=self.least_jobs, count=self.count, warm_up=self.warm_up, finished=finished)


class Autocorrelation(NamedTuple):
    """A figure whose batches hang together."""

    name: str
    autocorrelation: float


def worst_autocorrelation(samples: Sequence[Figures], names: Iterable[str]) -> Autocorrelation | None:
    """Of some figures, the one whose successive batches are most alike, if that is too much."""
    there = [name for name in names if samples and all(name in sample for sample in samples)]
    found = [Autocorrelation(name, autocorrelation([sample[name] for sample in samples])) for name in there]
    worst = max(found, key=lambda joined: joined.autocorrelation, default=None)
    return worst if worst is not None and worst.autocorrelation > LARGEST_AUTOCORRELATION else None


def batch_figures(recording: Recording, batches: Batches) -> list[Figures]:
    """The figures of each batch of a run."""
    jobs = JobFigures(recording)
    counted = len(jobs.job) - batches.warm_up
    size = counted // batches.count
    if size < 1:
        raise BatchError(batches.too_few(len(jobs.job)))
    per_job: dict[str, NDArray[Any]] = {
        "turnaround": jobs.turnaround,
        "waiting": jobs.waiting,
        "service": jobs.service,
        "blocks_per_job": jobs.blocks,
        "contiguous_ratio": jobs.contiguous,
        "dispersal": jobs.dispersal,
        "weighted_dispersal": jobs.weighted_dispersal,
        "pairwise_distance": jobs.pairwise_distance,
        "attempts_per_job": jobs.attempts,
        "overhead_operations": jobs.operations,
    }
    begin = batches.warm_up
    means: dict[str, Floats] = {
        name: values[begin : begin + size * batches.count].reshape(batches.count, size).mean(axis=1)
        for name, values in per_job.items()
    }
    if recording.network is not None:
        messages = jobs.messages.astype(np.float64)
        for name in ("latency", "blocking", "message_distance"):
            means[name] = _weighted(getattr(jobs, name), messages, begin, batches.count, size)
    held = jobs.held.astype(np.float64)
    processors = recording.mesh.processors
    spans = np.linspace(jobs.arrival[begin], jobs.arrival[-1], batches.count + 1)
    if spans[-1] > spans[0] and recording.outages is not None:
        means |= _of_steps(recording, spans)  # jobs may be on the machine several times
    elif spans[-1] > spans[0]:
        for name, amounts in (
            ("utilization", held / processors),
            ("utilization_requested", jobs.processors / processors),
            ("busy_list_mean", jobs.blocks.astype(np.float64)),
        ):
            means[name] = _over_spans(jobs.start, jobs.finish, amounts, spans)
        means["queue_length_mean"] = _over_spans(jobs.arrival, jobs.start, np.ones(len(held)), spans)
    return [{name: float(values[b]) for name, values in means.items()} for b in range(batches.count)]


def _of_steps(recording: Recording, spans: Floats) -> dict[str, Floats]:
    """The means over each span of time, from what is so after each event."""
    processors, times = recording.mesh.processors, recording.times
    steps = {
        "utilization": recording.busy_steps()[1] / processors,
        "utilization_requested": recording.steps_of(recording.jobs.processors) / processors,
        "busy_list_mean": recording.busy_list_steps(),
        "queue_length_mean": recording.queue_steps()[1],
    }
    return {
        name: _over_spans(times[:-1], times[1:], values[:-1].astype(np.float64), spans)
        for name, values in steps.items()
    }


def _weighted(values: Floats, weights: Floats, begin: int, count: int, size: int) -> Floats:
    """The means of batches over all messages of their jobs; 0 for a batch that sent none."""
    cut = slice(begin, begin + size * count)
    totals = np.where(weights > 0, np.nan_to_num(values) * weights, 0.0)[cut].reshape(count, size).sum(axis=1)
    sent = weights[cut].reshape(count, size).sum(axis=1)
    means: Floats = np.divide(totals, sent, out=np.zeros(count), where=sent > 0)
    return means


def _over_spans(begin: Floats, end: Floats, amount: Floats, spans: Floats) -> Floats:
    """The mean over each span of time of a sum of amounts, each there from its begin to its end."""
    lengths = np.diff(spans)
    means: Floats = (
        np.array(
            [
                (amount * np.clip(np.minimum(end, late) - np.maximum(begin, early), 0.0, None)).sum()
                for early, late in pairwise(spans.tolist())
            ]
        )
        / lengths
    )
    return means

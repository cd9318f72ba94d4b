"""The data of the live plots: figures of jobs and packets in order of completion, and their means so far."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.runs.measures import JobFigures
from meshgui.engine.runs.recording import Recording
from meshgui.model.charts.curves import StepCurve, running_mean
from meshgui.model.timeline.run_curves import run_curves


class PlotSeries(NamedTuple):
    """A figure of each job or packet at the time it was done, and the mean of all up to it."""

    times: Floats
    values: Floats
    mean: Floats
    jobs: Ints
    packets: Ints | None = None  # None: it is about the jobs themselves


class PlotData:
    """The finished jobs in order of finishing, and the utilisation curve."""

    def __init__(self, recording: Recording) -> None:
        self.figures = figures = JobFigures(recording)
        ended = recording.ended[figures.job]
        self._order = order = np.argsort(ended, kind="stable")
        self._finished_at = ended[order]  # the events
        self.end = recording.end_time
        self.jobs: Ints = figures.job[order]
        self.finish: Floats = figures.finish[order]
        self.turnaround = self.of_jobs(figures.turnaround)
        self.operations = self.of_jobs(figures.operations.astype(np.float64))
        self.microseconds = self.of_jobs(figures.seconds * 1e6)
        self.in_use: StepCurve = run_curves(recording).in_use
        self.has_network = recording.network is not None
        self.recording = recording

    @property
    def axis(self) -> str:
        """What its time counts: cycles, in a run with a network."""
        return tr("cycle") if self.has_network else tr("time")

    @cached_property
    def latency(self) -> PlotSeries:
        """Of each packet, in order of arrival; empty without a network."""
        return self._of_packets("latency")

    @cached_property
    def blocked(self) -> PlotSeries:
        """How long each packet's header was blocked, in order of arrival; empty without a network."""
        return self._of_packets("blocked")

    @cached_property
    def under_way(self) -> StepCurve:
        """The packets in the network."""
        return run_curves(self.recording).under_way

    def finished_after(self, events: int) -> int:
        """How many jobs have finished after that many events."""
        return int(np.searchsorted(self._finished_at, events))

    def in_use_after(self, events: int) -> float:
        """The processors in use after that many events, in percent."""
        return run_curves(self.recording).readings(events).in_use

    def of_jobs(self, values: Floats) -> PlotSeries:
        """A figure of each job, in the order of `figures`."""
        ordered = values[self._order]
        return PlotSeries(self.finish, ordered, running_mean(ordered), self.jobs)

    def _of_packets(self, figure: Literal["latency", "blocked"]) -> PlotSeries:
        record = self.recording.network
        if record is None:
            nothing, nobody = np.zeros(0), np.zeros(0, dtype=np.int64)
            return PlotSeries(nothing, nothing, nothing, nobody, nobody)
        arrival = record.delivered[record.arrived]
        order = np.argsort(arrival, kind="stable")
        values = (record.latency if figure == "latency" else record.blocked)[order].astype(np.float64)
        packets = record.arrived[order]
        jobs = record.jobs[packets].astype(np.int64)
        return PlotSeries(arrival[order].astype(np.float64), values, running_mean(values), jobs, packets)


@lru_cache(maxsize=1)
def plot_data(recording: Recording) -> PlotData:
    """The data of a recording; the last one's is kept."""
    return PlotData(recording)


def run_title(recording: Recording) -> str:
    """The scenario and the strategy of a run, for the title of a picture."""
    scenario, strategy = tr_page(recording.scenario.title), recording.strategy.title
    return strategy if not scenario or strategy in scenario else f"{scenario} · {strategy}"

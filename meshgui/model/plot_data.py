"""What the plots draw: the figures of the jobs in order of finishing, and the mean so far at each of them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.measures import job_figures
from meshgui.engine.recording import Recording
from meshgui.model.curves import StepCurve, running_mean
from meshgui.model.run_curves import run_curves

__all__ = ["PlotData", "Series", "plot_data"]

Floats = NDArray[np.float64]


class Series(NamedTuple):
    """A figure of each job, and the mean of all up to it."""

    values: Floats
    mean: Floats


class PlotData:
    """The finished jobs in order of finishing, and the utilisation curve."""

    def __init__(self, recording: Recording) -> None:
        figures = job_figures(recording)
        order = np.argsort(figures.finish, kind="stable")
        self.stream = recording.jobs  # the same one as long as a run goes on
        self.end = recording.end_time
        self.jobs: NDArray[np.int64] = figures.job[order]
        self.finish: Floats = figures.finish[order]
        self.turnaround = _series(figures.turnaround[order])
        self.operations = _series(figures.operations[order].astype(np.float64))
        self.microseconds = _series(figures.seconds[order] * 1e6)
        self.in_use: StepCurve = run_curves(recording).in_use

    def finished_by(self, time: float) -> int:
        """How many jobs have finished by a time."""
        return int(np.searchsorted(self.finish, time, side="right"))


def _series(values: Floats) -> Series:
    return Series(values, running_mean(values))


@lru_cache(maxsize=1)
def plot_data(recording: Recording) -> PlotData:
    """The data of a recording; the last one's is kept."""
    return PlotData(recording)

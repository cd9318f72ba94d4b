"""The lane of each running job's bar: the lowest that is free when it starts, so that bars never move."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.recording import NEVER, Recording


class JobSpans(NamedTuple):
    """Jobs that hold processors, and from when to when."""

    jobs: NDArray[np.intp]
    start: NDArray[np.float64]
    finish: NDArray[np.float64]  # where the run has got, for a job still running there


def job_spans(recording: Recording, low: float, high: float) -> JobSpans:
    """The jobs that run at some time from low to high."""
    begun = np.flatnonzero(recording.started != NEVER)
    if not len(begun):
        return JobSpans(begun, np.zeros(0), np.zeros(0))
    start = recording.times[recording.started[begun]]
    ends = recording.ended[begun]
    finish = np.where(
        ends == NEVER, recording.end_time, recording.times[np.minimum(ends, len(recording) - 1)]
    )
    seen = (start <= high) & (finish >= low)
    return JobSpans(begun[seen], start[seen], finish[seen])


class JobLanes:
    """The lanes of a run's jobs. Follows a run in progress by looking at its new events only."""

    def __init__(self) -> None:
        self._followed: Recording | None = None
        self._free: list[int] = []
        self.lane = np.zeros(0, dtype=np.int32)  # of each job; -1 before it starts
        self.count = 0

    def follow(self, recording: Recording) -> None:
        """Take a recording: a longer one of the same run, or another."""
        before = self._followed
        if before is None or not recording.is_of_run(before) or len(before) > len(recording):
            before = None
            self._free = []
            self.lane = np.full(len(recording.jobs), -1, dtype=np.int32)
            self.count = 0
        begin = len(before) if before is not None else 0
        self._followed = recording
        kinds = recording.kinds[begin:]
        turns = np.flatnonzero((kinds == EventKind.START) | (kinds == EventKind.FINISH))
        jobs = recording.event_jobs[begin:][turns].tolist()
        starts = (kinds[turns] == EventKind.START).tolist()
        lane, free = self.lane, self._free
        for job, start in zip(jobs, starts, strict=True):
            if not start:
                heappush(free, int(lane[job]))
            elif free:
                lane[job] = heappop(free)
            else:
                lane[job] = self.count
                self.count += 1

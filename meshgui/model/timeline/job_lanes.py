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
    started: NDArray[np.int32]  # the positions of their starts
    hit: NDArray[np.bool_]  # whether a failure is the end of it


def job_spans(recording: Recording, low: float, high: float) -> JobSpans:
    """The jobs that run at some time from low to high."""
    jobs, started, ends = _stints(recording)
    if not len(jobs):
        return JobSpans(jobs, np.zeros(0), np.zeros(0), started, np.zeros(0, dtype=np.bool_))
    start = recording.times[started]
    finish = np.where(
        ends == NEVER, recording.end_time, recording.times[np.minimum(ends, len(recording) - 1)]
    )
    seen = (start <= high) & (finish >= low)
    kinds = np.append(recording.kinds, np.uint8(EventKind.START))[np.minimum(ends, len(recording))]
    return JobSpans(jobs[seen], start[seen], finish[seen], started[seen], (kinds == EventKind.KILL)[seen])


def _stints(recording: Recording) -> tuple[NDArray[np.intp], NDArray[np.int32], NDArray[np.int32]]:
    """The jobs on the machine, with the positions at which they start and leave; some several times."""
    jobs = np.flatnonzero(recording.started != NEVER)
    started, ends = recording.started[jobs], recording.ended[jobs]
    if recording.outages is None:
        return jobs, started, ends
    cut = recording.outages.requeued
    return (
        np.append(cut["job"].astype(np.intp), jobs),
        np.append(cut["started"], started),
        np.append(cut["position"], ends),
    )


class JobLanes:
    """The lanes of a run's jobs. Follows a run in progress by looking at its new events only."""

    def __init__(self) -> None:
        self._followed: Recording | None = None
        self._free: list[int] = []
        self.lane = np.zeros(0, dtype=np.int32)  # of each job; -1 before it starts
        self._cut: dict[int, int] = {}  # of each stint that a failure has cut off, by its start
        self._begun: dict[int, int] = {}  # where each running job has started
        self.count = 0

    def follow(self, recording: Recording) -> None:
        """Take a recording: a longer one of the same run, or another."""
        before = self._followed
        if before is None or not recording.is_of_run(before) or len(before) > len(recording):
            before = None
            self._free, self._cut, self._begun = [], {}, {}
            self.lane = np.full(len(recording.jobs), -1, dtype=np.int32)
            self.count = 0
        begin = len(before) if before is not None else 0
        self._followed = recording
        kinds = recording.kinds[begin:]
        turns = np.flatnonzero(np.isin(kinds, (EventKind.START, EventKind.FINISH, EventKind.KILL)))
        jobs = recording.event_jobs[begin:][turns].tolist()
        starts = (kinds[turns] == EventKind.START).tolist()
        killed = (kinds[turns] == EventKind.KILL).tolist()
        lane, free = self.lane, self._free
        for index, job, start, hit in zip((begin + turns).tolist(), jobs, starts, killed, strict=True):
            if start:
                self._begun[job] = index
            if hit:
                self._cut[self._begun[job]] = int(lane[job])
            if not start:
                heappush(free, int(lane[job]))
            elif free:
                lane[job] = heappop(free)
            else:
                lane[job] = self.count
                self.count += 1

    def of(self, spans: JobSpans) -> NDArray[np.int64]:
        """The lane of each span."""
        lanes: NDArray[np.int64] = self.lane[spans.jobs].astype(np.int64)
        for row in np.flatnonzero(spans.hit).tolist():
            lanes[row] = self._cut[int(spans.started[row])]
        return lanes

    def lane_of(self, job: int, started: int) -> int:
        """The lane of a job that started at a position."""
        return self._cut.get(started, int(self.lane[job]))

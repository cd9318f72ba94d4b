"""The rows of jobs on a web page: a job that failures have put back into the queue has a row for each stint.

To the page such a row is a job that arrives when the stint before it ends.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.recording import NEVER, Recording


class WebStints(NamedTuple):
    """The rows, in order of jobs and then of time."""

    jobs: Ints
    arrived: Ints32
    started: Ints32
    ended: Ints32
    first_box: Ints32
    box_count: Ints32
    ranks: Floats
    hit: NDArray[
        np.uint8
    ]  # 1 where a failure ends it and the job goes back to the queue, 2 where the job ends

    def rows_at(self, jobs: Ints32, positions: NDArray[np.integer]) -> Ints:
        """The row of each job at a position: its first that has not ended by then; -1 where it has none."""
        last = np.full(max(int(jobs.max(initial=0)), int(self.jobs.max(initial=0))) + 2, -1, dtype=np.int64)
        last[self.jobs] = np.arange(len(self.jobs))
        rows: Ints = last[jobs]  # of no job: that at the end, which has none
        rows_of_hit = np.flatnonzero(self.hit == 1)[::-1]
        for row in rows_of_hit.tolist():  # the earliest that fits wins
            rows[(jobs == self.jobs[row]) & (positions <= self.ended[row])] = row
        return rows


def _ends_hit(recording: Recording, jobs: Ints) -> NDArray[np.bool_]:
    """Whether a failure is the end of each job."""
    ends = np.minimum(recording.ended[jobs], len(recording))
    hit: NDArray[np.bool_] = np.append(recording.kinds, np.uint8(EventKind.ARRIVE))[ends] == EventKind.KILL
    return hit


def web_stints(recording: Recording, jobs: Ints) -> WebStints:
    """The stints of some jobs."""
    outages = recording.outages
    last = WebStints(
        jobs,
        recording.arrived[jobs],
        recording.started[jobs],
        recording.ended[jobs],
        recording.first_box[jobs],
        recording.box_count[jobs],
        recording.ranks[jobs],
        np.where(_ends_hit(recording, jobs), np.uint8(2), np.uint8(0)),
    )
    if outages is None or not len(outages.requeued):
        return last
    cut = outages.requeued[np.isin(outages.requeued["job"], jobs)]
    columns = (
        cut["job"], np.zeros(len(cut)), cut["started"], cut["position"], cut["first_box"], cut["box_count"],
        recording.ranks[cut["job"]], np.ones(len(cut)),
    )  # fmt: skip
    pairs: Any = zip(columns, last, strict=True)
    every = [np.append(part, end).astype(end.dtype) for part, end in pairs]
    order = np.lexsort((every[3], every[0]))
    made = WebStints(*(column[order] for column in every))
    first = np.append(True, made.jobs[1:] != made.jobs[:-1])
    made.arrived[first] = recording.arrived[made.jobs[first]]
    made.arrived[~first] = made.ended[np.flatnonzero(~first) - 1]
    for row in np.flatnonzero(~first).tolist():
        made.ranks[row] = recording.ranks_at(int(made.arrived[row]))[made.jobs[row]]
    made.box_count[made.started == NEVER] = 0
    return made

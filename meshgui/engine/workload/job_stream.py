"""The jobs of a run: arrivals, sizes, service times and messages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Size
from meshgui.engine.basics.work import pieces


@dataclass(frozen=True, eq=False)
class JobStream:
    """The jobs of a run in order of arrival: job number `j` is row `j`."""

    arrival: Floats
    sizes: Ints32  # [j, 3]; a job of a trace may be larger than any mesh
    service: Floats  # as stated: what plans and ranks go by; not a number where it is not stated
    messages: Ints  # how many each job sends; none without a network
    ended_after: Floats | None = None  # not a number where a job is not ended by hand
    run_time: Floats | None = None  # how long each runs, where that is not the service stated
    numbers: Ints | None = None  # what a trace calls them
    computing: Ints | None = None  # cycles: in all, or before each iteration, as the network says

    def __len__(self) -> int:
        return len(self.arrival)

    @property
    def processors(self) -> Ints:
        """Processors each job asks for."""
        asked: Ints = self.sizes.prod(axis=1, dtype=np.int64)
        return asked

    @property
    def actual(self) -> Floats:
        """How long each job runs if it is not ended by hand; not a number where its messages decide."""
        return self.service if self.run_time is None else self.run_time

    @cached_property
    def lasting(self) -> Floats:
        """How long each job runs: less than its time where it is ended by hand."""
        return self.actual if self.ended_after is None else np.fmin(self.actual, self.ended_after)

    def ended_by_hand(self, job: int) -> bool:
        """Whether the job is ended before its time."""
        return self.ended_after is not None and bool(self.ended_after[job] < self.actual[job])

    def requested_time(self, job: int) -> float | None:
        """The time that the job asks for, where that is not the time it runs."""
        stated = float(self.service[job])
        return None if self.run_time is None or stated == self.run_time[job] else stated

    def size(self, job: int) -> Size:
        """The size of one job's request."""
        return self.size_list[job]

    @cached_property
    def size_list(self) -> list[Size]:
        """The sizes of all requests, for loops in plain Python."""
        made: list[Size] = []
        for part in pieces(len(self)):
            made += zip(*self.sizes[part].T.tolist(), strict=True)  # three long lists, not one for each job
        return made

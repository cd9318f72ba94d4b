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
    service: Floats  # not a number where it is not stated
    messages: Ints  # how many each job sends; none without a network
    ended_after: Floats | None = None  # not a number where a job is not ended by hand

    def __len__(self) -> int:
        return len(self.arrival)

    @property
    def processors(self) -> Ints:
        """Processors each job asks for."""
        asked: Ints = self.sizes.astype(np.int64).prod(axis=1)
        return asked

    @cached_property
    def lasting(self) -> Floats:
        """How long each job runs: its service, or less where it is ended by hand."""
        return self.service if self.ended_after is None else np.fmin(self.service, self.ended_after)

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

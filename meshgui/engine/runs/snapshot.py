"""The machine at a moment of a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Box, Mesh, region
from meshgui.engine.basics.kinds import EventKind


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened."""

    time: float
    kind: EventKind
    job: int


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The machine at a position. Equal positions of a recording give equal snapshots."""

    position: int
    time: float
    event: Event | None  # the one that led here
    mesh: Mesh
    boxes: NDArray[np.int16]  # [k, 6], what is held
    owners: Ints32  # [k], by whom
    running: Ints32  # the jobs that hold processors, in order of number
    queue: Ints32  # the jobs that wait, the next to be served first
    reserved: Ints32  # those of them that have left the queue for a reserved box, the oldest first
    busy: int  # processors held
    finished: int
    rejected: int
    down: Boxes = ()  # what has failed and is not repaired

    @cached_property
    def failed(self) -> int:
        """Processors that are down, but for those that a job is about to lose."""
        if not self.down:
            return 0
        mask = np.zeros(self.mesh.extents[::-1], dtype=np.bool_)
        for box in self.down:
            region(mask, box)[:] = True
        for row in self.boxes.tolist():
            region(mask, Box(*row))[:] = False
        return int(np.count_nonzero(mask))

    @property
    def free(self) -> int:
        """Processors neither held nor down."""
        return self.mesh.processors - self.busy - self.failed

    @property
    def utilization(self) -> float:
        """The fraction of processors held now."""
        return self.busy / self.mesh.processors

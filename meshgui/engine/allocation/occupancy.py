"""Deprecated bases for plain strategies, kept for packages written for an earlier `meshgui.api`."""

from __future__ import annotations

from abc import abstractmethod
from math import prod
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Boxes, Options, Strategy
from meshgui.engine.allocation.held_processors import FREE, vacate
from meshgui.engine.allocation.inspection import Request, State
from meshgui.engine.allocation.steps import Role, StepLog
from meshgui.engine.basics.geometry import Box, Mesh, region


class SearchResult(NamedTuple):
    """The boxes a search found, if any, and how many processors or boxes it examined."""

    boxes: Boxes | None
    examined: int


class SearchStrategy(Strategy):
    """Allocates by searching; a strategy adds its search, and how it takes the boxes found."""

    @abstractmethod
    def search(self, request: Request, log: NDArray[np.int32] | None) -> SearchResult:
        """Look for the job's boxes and change nothing."""

    @abstractmethod
    def replay(self, request: Request, boxes: Boxes) -> None:
        """Take these boxes for the job."""

    def allocate(self, request: Request, log: StepLog | None = None) -> Boxes | None:
        boxes, examined = self.search(request, None if log is None else log.rows)
        self.operations += examined
        if boxes is not None:
            self.replay(request, boxes)
        return boxes


class OccupancyStrategy(SearchStrategy):
    """Holds an array `[z, y, x]` of jobs; a strategy adds its search."""

    enough: ClassVar[int | None] = (
        None  # the line that fails when too few processors are free, if there is one
    )

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self.held = mesh.occupancy()
        self.free = mesh.processors

    def allocate(self, request: Request, log: StepLog | None = None) -> Boxes | None:
        asked = prod(request.size)
        if self.enough is not None and asked > self.free:
            self.operations += 1
            if log is not None:
                log.note(self.enough, Role.NOTHING, Box(0, 0, 0, 0, 0, 0), (self.free, asked, 0))
            return None
        return super().allocate(request, log)

    def replay(self, request: Request, boxes: Boxes) -> None:
        for box in boxes:
            region(self.held, box)[:] = request.job
            self.free -= box.volume

    def release(self, job: int, log: StepLog | None = None) -> None:
        del log
        self.free += vacate(self.held, job)
        self.operations += self.mesh.processors

    def capture(self) -> State:
        return {"held": self.held.copy()}

    def restore(self, state: State) -> None:
        self.held[:] = state["held"]
        self.free = int(np.count_nonzero(self.held == FREE))

"""The base of strategies that keep, for each processor, the job that holds it."""

from __future__ import annotations

from math import prod
from typing import ClassVar

import numpy as np

from meshgui.engine.allocation.base import Boxes, Options
from meshgui.engine.allocation.held_processors import FREE, vacate
from meshgui.engine.allocation.inspection import Request, State
from meshgui.engine.allocation.search_strategy import SearchStrategy
from meshgui.engine.allocation.steps import Role, StepLog
from meshgui.engine.basics.geometry import Box, Mesh, region

__all__ = ["FREE", "OccupancyStrategy"]


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

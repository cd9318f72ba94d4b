"""Checks the answers of a strategy in a run: boxes inside the mesh, free, and enough of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Allocation, Boxes, Reservation
from meshgui.engine.allocation.guard import StrategyError
from meshgui.engine.geometry import Box, Mesh, Size, cells

__all__ = ["Audit"]

_MOST_MARKED_SINGLY = 8  # boxes; more are marked faster together


class Audit:
    """The processors each job holds, kept apart from the strategy; errors name the strategy."""

    def __init__(self, strategy: str, mesh: Mesh) -> None:
        self._strategy, self._mesh = strategy, mesh
        self.free = mesh.processors
        self._occupied = np.full(mesh.extents[::-1], False)
        self._held: dict[int, NDArray[np.int64]] = {}  # the boxes of the running jobs
        self.reserved: set[int] = set()  # the jobs that wait for their reserved boxes

    def take(self, job: int, size: Size, given: Boxes) -> NDArray[np.int16]:
        """Mark the boxes given to a job as held; return them as rows."""
        try:
            some = len(given) > 0
        except TypeError:
            raise self._fault(f"gave job {job} {given!r}: expected a sequence of boxes") from None
        rows = self._rows(job, given) if some else np.empty((0, 6), dtype=np.int64)
        held = int(rows[:, 3:].prod(axis=1).sum())
        if held < math.prod(size):
            raise self._fault(f"gave job {job} fewer processors than it asked for")
        self._occupy(job, rows)
        self.free -= held
        self._held[job] = rows
        return rows.astype(np.int16)

    def give_back(self, job: int) -> None:
        """Mark all that a job holds as free."""
        rows = self._held.pop(job)
        self.free += int(rows[:, 3:].prod(axis=1).sum())
        if len(rows) > _MOST_MARKED_SINGLY:
            self._occupied.reshape(-1)[cells(rows, self._mesh)] = False
            return
        for x, y, z, w, d, h in rows.tolist():
            self._occupied[z : z + h, y : y + d, x : x + w] = False

    def reserve(self, job: int, reservation: Reservation) -> list[int]:
        """Note that a box is reserved for a job; return it as a row."""
        [row] = self._rows(job, (reservation.box,)).tolist()
        self.reserved.add(job)
        return list(row)

    def due(self, jobs: Sequence[int]) -> Sequence[int]:
        """Check the jobs whose reserved boxes are free now, as the strategy says."""
        if not self.reserved.issuperset(jobs):
            raise self._fault(f"calls {jobs!r} due, which are not all jobs it reserved for")
        return jobs

    def fulfil(self, job: int, outcome: Allocation) -> Boxes:
        """Check that a job with a reservation gets its boxes."""
        if outcome is None or isinstance(outcome, Reservation):
            raise self._fault(f"did not give job {job} what it had reserved for it")
        self.reserved.discard(job)
        return outcome

    def _rows(self, job: int, given: Boxes) -> NDArray[np.int64]:
        """Boxes as rows of an array, if they are boxes inside the mesh."""
        if isinstance(given, Box):
            raise self._fault(f"gave job {job} the bare box {tuple(given)}: expected a sequence of boxes")
        try:
            rows = np.array([tuple(box) for box in given]).reshape(len(given), 6)
        except (TypeError, ValueError, OverflowError):
            rows = np.empty((0, 6))
        if rows.dtype.kind not in "iu":
            raise self._fault(f"gave job {job} {given!r}: expected a sequence of boxes")
        low, size = rows[:, :3], rows[:, 3:]
        if low.min() < 0 or size.min() < 1 or ((low + size).max(axis=0) > self._mesh.extents).any():
            box = next(box for box in rows.tolist() if not self._mesh.holds(Box(*box)))
            raise self._fault(f"gave job {job} the box {tuple(box)}, which is not inside the mesh")
        return rows

    def _occupy(self, job: int, rows: NDArray[np.int64]) -> None:
        """Mark boxes as held, which they must not be yet."""
        if len(rows) > _MOST_MARKED_SINGLY:
            places = cells(rows, self._mesh)
            flat = self._occupied.reshape(-1)
            if not flat[places].any() and len(np.unique(places)) == len(places):
                flat[places] = True
                return
        for x, y, z, w, d, h in rows.tolist():
            part = self._occupied[z : z + h, y : y + d, x : x + w]
            if part.any():
                box = (x, y, z, w, d, h)
                raise self._fault(f"gave job {job} the box {box}, of which a part is held already")
            part[...] = True

    def _fault(self, what: str) -> StrategyError:
        return StrategyError(f"{self._strategy} {what}")

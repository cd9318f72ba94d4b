"""Checks the answers of a strategy in a run: boxes inside the mesh, free, and enough of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Allocation, Boxes, BoxRows, Reservation
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Box, Mesh, Size
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

__all__ = ["Audit", "is_inside", "mark"]


@kernel
def is_inside(occupied: NDArray[np.bool_], x: int, y: int, z: int, w: int, d: int, h: int) -> bool:
    """Whether a box is one inside the mesh; `mark` asks that by itself, as a call takes a tenth of a job."""
    height, depth, width = occupied.shape
    beyond = x + w > width or y + d > depth or z + h > height
    return not (min(x, y, z) < 0 or min(w, d, h) < 1 or beyond)


@kernel
def mark(
    occupied: NDArray[np.bool_], x: int, y: int, z: int, w: int, d: int, h: int, held: bool | np.bool_
) -> bool:
    """Mark a box as held or free; False where a part of it was so already, or lies outside the mesh."""
    height, depth, width = occupied.shape
    if min(x, y, z) < 0 or min(w, d, h) < 1 or x + w > width or y + d > depth or z + h > height:
        return False
    for k in range(z, z + h):
        for j in range(y, y + d):
            for i in range(x, x + w):
                if occupied[k, j, i] == held:
                    return False
                occupied[k, j, i] = held
    return True


@kernel
def _mark_all(occupied: NDArray[np.bool_], rows: BoxRows, held: bool | np.bool_) -> tuple[int, int]:
    """Mark boxes one after another: how many processors they have, and the first that cannot be, or -1."""
    processors = 0
    for n in range(rows.shape[0]):
        x, y, z, w, d, h = rows[n]
        if not mark(occupied, x, y, z, w, d, h, held):
            return processors, n
        processors += w * d * h
    return processors, -1


class Audit:
    """The processors each job holds, kept apart from the strategy; errors name the strategy."""

    def __init__(self, strategy: str, mesh: Mesh) -> None:
        self._strategy, self._mesh = strategy, mesh
        self.free = mesh.processors
        self._occupied = np.full(mesh.extents[::-1], False)
        self._held: dict[int, BoxRows] = {}  # the boxes of the running jobs
        self.reserved: set[int] = set()  # the jobs that wait for their reserved boxes

    @cached_property
    def _mark_all(self) -> Callable[[NDArray[np.bool_], BoxRows, bool], tuple[int, int]]:
        """The compiled marking; an empty machine is shown without it."""
        return _mark_all.compile()

    def take(self, job: int, size: Size, given: Boxes | BoxRows) -> BoxRows:
        """Mark the boxes given to a job as held; return them as rows."""
        rows = _rows(given)
        held, wrong = self._mark_all(self._occupied, rows, True)
        if wrong >= 0:
            self._check_inside(job, rows)
            box = tuple(rows[wrong].tolist())
            raise self._fault(
                tr("gave job {job} the box {box}, part of which is held already").format(job=job, box=box)
            )
        if held < math.prod(size):
            raise self._fault(tr("gave job {job} fewer processors than it asked for").format(job=job))
        self.free -= held
        self._held[job] = rows
        return rows

    def give_back(self, job: int) -> None:
        """Mark all that a job holds as free."""
        processors, _ = self._mark_all(self._occupied, self._held.pop(job), False)
        self.free += processors

    def reserve(self, job: int, reservation: Reservation) -> BoxRows:
        """Note that a box is reserved for a job; return it as a row."""
        rows = _rows((reservation.box,))
        self._check_inside(job, rows)
        self.reserved.add(job)
        return rows

    def due(self, jobs: Sequence[int]) -> Sequence[int]:
        """Check the jobs whose reserved boxes are free now, as the strategy says."""
        if not self.reserved.issuperset(jobs):
            raise self._fault(
                tr("calls {jobs!r} due, which are not all jobs it reserved for").format(jobs=jobs)
            )
        return jobs

    def fulfil(self, job: int, outcome: Allocation | BoxRows) -> Boxes | BoxRows:
        """Check that a job with a reservation gets its boxes."""
        if outcome is None or isinstance(outcome, Reservation):
            raise self._fault(tr("did not give job {job} what it had reserved for it").format(job=job))
        self.reserved.discard(job)
        return outcome

    def _check_inside(self, job: int, rows: BoxRows) -> None:
        for box in map(Box._make, rows.tolist()):
            if not self._mesh.holds(box):
                raise self._fault(
                    tr("gave job {job} the box {tuple}, which is not inside the mesh").format(
                        job=job, tuple=tuple(box)
                    )
                )

    def _fault(self, what: str) -> StrategyError:
        return StrategyError(f"{self._strategy} {what}")


def _rows(given: Boxes | BoxRows) -> BoxRows:
    """The boxes of an answer as rows of base and size; those of kernels are, and are new."""
    return given if isinstance(given, np.ndarray) else np.array(given, dtype=np.int64).reshape(-1, 6)

"""The machine at a position of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Box, Mesh, Size, ramps, region
from meshgui.engine.basics.kinds import EventKind

if TYPE_CHECKING:
    from meshgui.engine.allocation.base import Boxes
    from meshgui.engine.runs.recording import Recording


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened."""

    time: float
    kind: EventKind
    job: int


class Snapshot:
    """The machine after that many events of a recording; each part is worked out when it is asked for."""

    def __init__(self, recording: Recording, position: int) -> None:
        self.position = position
        self.event: Event | None = recording.event(position - 1) if position else None  # led here
        self.time = self.event.time if self.event else 0.0
        self._recording = recording
        self._free: tuple[tuple[Size, ...], bool] | None = None  # whether one of the sizes asked for last is

    @property
    def mesh(self) -> Mesh:
        """The machine itself."""
        return self._recording.mesh

    @cached_property
    def running(self) -> Ints32:
        """The jobs that hold processors, in order of number."""
        of = self._recording.stints_at(self.position)
        held = (of.started < self.position) & (of.ended >= self.position)
        return np.flatnonzero(held).astype(np.int32)

    @cached_property
    def _counts(self) -> Ints32:
        return self._recording.stints_at(self.position).box_count[self.running]

    @cached_property
    def boxes(self) -> NDArray[np.int16]:
        """What is held: [k, 6]."""
        first = self._recording.stints_at(self.position).first_box[self.running]
        rows = np.repeat(first, self._counts) + ramps(self._counts)
        boxes: NDArray[np.int16] = self._recording.boxes[rows]
        return boxes

    @cached_property
    def owners(self) -> Ints32:
        """By whom: [k]."""
        return np.repeat(self.running, self._counts)

    @cached_property
    def queue(self) -> Ints32:
        """The jobs that wait, the next to be served first."""
        return self._recording.queue(self.position)

    @cached_property
    def reserved(self) -> Ints32:
        """Those of them that have left the queue for a reserved box, the oldest first."""
        return self._recording.reserved_at(self.position)

    @cached_property
    def busy(self) -> int:
        """Processors held."""
        return int(self.boxes[:, 3:].astype(np.int64).prod(axis=1).sum())

    @property
    def finished(self) -> int:
        """How many jobs have finished."""
        return self._happened(EventKind.FINISH)

    @property
    def rejected(self) -> int:
        """How many jobs have been rejected."""
        return self._happened(EventKind.REJECT)

    def _happened(self, kind: EventKind) -> int:
        return int(np.count_nonzero(self._recording.kinds[: self.position] == kind))

    @property
    def down(self) -> Boxes:
        """What has failed and is not repaired."""
        return self._recording.down_at(self.position)

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

    def has_free_box(self, sizes: tuple[Size, ...]) -> bool:
        """Whether a box of one of these sizes is free anywhere, or across seams where jobs may lie so."""
        if self._free is None or self._free[0] != sizes:
            free = any(bool((_sums_over(self._taken_before, size) == 0).any()) for size in sizes)
            self._free = sizes, free
        return self._free[1]

    @cached_property
    def _taken_before(self) -> NDArray[np.int32]:
        """How many processors are taken or down before each corner, in all of the mesh from its origin on.

        Where boxes lie across the seams of rings, the mesh continues there with its beginning.
        """
        taken = np.zeros(self.mesh.extents[::-1], dtype=np.int32)
        for box in (*map(Box._make, self.boxes.tolist()), *self.down):
            region(taken, box)[:] = 1
        if self._recording.across:
            rings = zip(self.mesh.rings[::-1], taken.shape, strict=True)
            taken = np.pad(taken, [(0, side - 1 if ring else 0) for ring, side in rings], mode="wrap")
        sums = np.zeros([side + 1 for side in taken.shape], dtype=np.int32)
        sums[1:, 1:, 1:] = taken
        for axis in range(3):
            np.cumsum(sums, axis=axis, out=sums)
        return sums


def _sums_over(sums: NDArray[np.int32], size: Size) -> NDArray[np.int32]:
    """The taken processors in each box of a size, from the sums before every corner."""
    for axis, length in enumerate(reversed(size)):
        places = max(sums.shape[axis] - length, 0)
        near = tuple(slice(places) if other == axis else slice(None) for other in range(3))
        far = tuple(slice(length, None) if other == axis else slice(None) for other in range(3))
        sums = sums[far] - sums[near]
    return sums

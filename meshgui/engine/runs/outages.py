"""What failed in a run: which processors were down when, which jobs that hit, and what was lost by it.

A job that went back to the queue has had several *stints* on the machine; the columns of a recording have its
last one, and those that a failure has cut off stand here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Box, Mesh, boxes_of, region

CHANGE: Final = np.dtype([("position", "i4"), ("boxes", "i4"), ("down", "?")])
"""A fail or repair event: its position, and how many boxes of processors went down, or came up again."""
HOLD: Final = np.dtype([("position", "i4"), ("out", "?"), ("box", "i2", (6,))])
"""A box that the strategy held out from a position on, or let in again."""
KILL: Final = np.dtype(
    [
        ("job", "i4"),
        ("started", "i4"),  # the position of its start,
        ("position", "i4"),  # and of the kill event
        ("first_box", "i4"),
        ("box_count", "i4"),
        ("requeued", "?"),  # else it ended
        ("saved", "f8"),  # how much of its work is done by then, for the next stint
        ("lost", "f8"),  # processor-time
    ],
    align=True,
)
_REMEMBERED: Final = 16


class Stints(NamedTuple):
    """A stint of each job: its events' positions and its boxes, as the columns of a recording have them."""

    started: Ints32
    ended: Ints32
    first_box: Ints32
    box_count: Ints32


@dataclass(frozen=True, eq=False)
class Outages:
    """All that failed, in order of events."""

    mesh: Mesh
    changes: NDArray[Any]  # of CHANGE
    boxes: NDArray[np.int16]  # of all changes, one after another
    holds: NDArray[Any]  # of HOLD
    kills: NDArray[Any]  # of KILL

    @property
    def nbytes(self) -> int:
        """Memory taken."""
        return self.changes.nbytes + self.boxes.nbytes + self.holds.nbytes + self.kills.nbytes

    @cached_property
    def _first_boxes(self) -> Ints:
        return np.concatenate(([0], np.cumsum(self.changes["boxes"], dtype=np.int64)))

    def boxes_at(self, position: int) -> tuple[Box, ...]:
        """The processors that a fail or repair event is about, by its position."""
        at = int(np.searchsorted(self.changes["position"], position))
        first, end = self._first_boxes[at : at + 2].tolist()
        return tuple(map(Box._make, self.boxes[first:end].tolist()))

    def down(self, position: int) -> tuple[Box, ...]:
        """The processors that are down after that many events, as boxes."""
        return self._down(int(np.searchsorted(self.changes["position"], position)))

    @cached_property
    def _down(self) -> Callable[[int], tuple[Box, ...]]:
        return lru_cache(maxsize=_REMEMBERED)(self._boxes_down)

    def _boxes_down(self, changes: int) -> tuple[Box, ...]:
        if not changes:
            return ()
        mask = np.zeros(self.mesh.extents[::-1], dtype=np.bool_)
        states = np.repeat(self.changes["down"][:changes], self.changes["boxes"][:changes])
        for row, down in zip(self.boxes[: len(states)].tolist(), states.tolist(), strict=True):
            region(mask, Box._make(row))[:] = down
        return boxes_of(mask)

    def until(self, events: int) -> Outages:
        """What failed within the first events."""
        changes = self.changes[: np.searchsorted(self.changes["position"], events)]
        return Outages(
            self.mesh,
            changes,
            self.boxes[: int(changes["boxes"].sum())],
            self.holds[: np.searchsorted(self.holds["position"], events, side="right")],
            self.kills[: np.searchsorted(self.kills["position"], events)],
        )

    def down_steps(self, events: int) -> Ints:
        """After each of the first events, how many processors are down."""
        volumes = self.boxes[:, 3:].astype(np.int64).prod(axis=1)
        changes = np.add.reduceat(volumes, self._first_boxes[:-1]) if len(self.changes) else volumes
        steps = np.zeros(events, dtype=np.int64)
        steps[self.changes["position"]] = np.where(self.changes["down"], changes, -changes)
        return np.cumsum(steps)

    def holds_between(self, start: int, position: int) -> NDArray[Any]:
        """What the strategy held out or let in after one position, up to another."""
        first, end = np.searchsorted(self.holds["position"], (start, position), side="right").tolist()
        held: NDArray[Any] = self.holds[first:end]
        return held

    @cached_property
    def requeued(self) -> NDArray[Any]:
        """The kills after which the job went back to the queue."""
        again: NDArray[Any] = self.kills[self.kills["requeued"]]
        return again

    @cached_property
    def cut_stints(self) -> dict[int, tuple[int, int]]:
        """The first box and how many there are, of each stint that ended in the queue, by its start."""
        names = ["started", "first_box", "box_count"]
        return {start: (first, count) for start, first, count in self.requeued[names].tolist()}

    def stints_at(self, position: int, last: Stints) -> Stints:
        """Of each job the stint that is under way at a position, or else its next, or else its last."""
        later = self.requeued[self.requeued["position"] >= position][::-1]  # the earliest of a job wins
        if not len(later):
            return last
        jobs, columns = later["job"], [column.copy() for column in last]
        for column, name in zip(columns, ("started", "position", "first_box", "box_count"), strict=True):
            column[jobs] = later[name]
        return Stints(*columns)

    def saved(self, job: int, position: int) -> float:
        """How much of a job's work is done and kept at a position, from stints before."""
        before = self.kills[(self.kills["job"] == job) & (self.kills["position"] < position)]
        return float(before["saved"][-1]) if len(before) else 0.0

    def lost_at(self, position: int) -> float:
        """The processor-time that the kill event at a position lost."""
        at = int(np.searchsorted(self.kills["position"], position))
        return float(self.kills["lost"][at])


def held_in_cut_stints(outages: Outages, times: Floats, volumes: Ints) -> tuple[Ints, Floats]:
    """Of each kill the processors that the job held, by the volumes of all boxes, and for how long."""
    kills = outages.kills
    ends = np.concatenate(([0], np.cumsum(volumes)))
    held = ends[kills["first_box"] + kills["box_count"]] - ends[kills["first_box"]]
    return held, times[kills["position"]] - times[kills["started"]]

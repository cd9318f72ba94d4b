"""Round strokes, discs, rings and arrow heads as arrays, for both canvases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats32, Ints


class Look(NamedTuple):
    """The shape of a stroke. One of length 0 is a disc, or with a hole a ring."""

    width: float  # in nodes, where it begins
    least: float = 1.0  # its least width in pixels
    taper: float = 0.0  # 1: it ends in a point
    hole: float = 0.0  # the share of its radius that is empty
    level: float = 0.0  # higher ones lie over lower ones
    fades: float = 0.0  # 1: fainter instead of wider where it is too small


class Strokes(NamedTuple):
    """Strokes in node coordinates, lower levels first."""

    starts: Floats32  # [n, 3]
    ends: Floats32  # [n, 3]
    colours: Floats32  # [n, 4]
    looks: Floats32  # [n, 6], the fields of a Look
    packets: Ints  # [n], the packet that the pointer finds there; -1: none
    channels: Ints  # [n], the channel that it finds there; -1: none
    owners: Ints  # [n], the packet that each is part of; -1: none

    def __bool__(self) -> bool:
        """Whether there are any."""
        return len(self.starts) > 0

    def only(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Strokes:
        """The strokes of some rows."""
        return Strokes._make(column[rows] for column in self)

    def of(self, packets: Sequence[int]) -> Strokes:
        """The strokes that are part of some packets."""
        return self.only(np.isin(self.owners, packets))

    def with_part(self, packet: int, part: Strokes) -> Strokes:
        """The same with other strokes for a packet, as many as before and in the same order."""
        rows = self.owners == packet
        columns: list[NDArray[Any]] = [column.copy() for column in self]
        for column, other in zip(columns, part, strict=True):
            column[rows] = other
        return Strokes._make(columns)

    @classmethod
    def together(cls, parts: list[Strokes]) -> Strokes:
        """Several strokes as one, lower levels first."""
        if not parts:
            return NOTHING
        joined = cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        return joined.only(np.argsort(joined.looks[:, 4], kind="stable"))


def strokes(
    starts: Floats32,
    ends: Floats32,
    colours: NDArray[np.floating] | tuple[float, ...],
    look: Look | Floats32,
    packets: NDArray[np.integer] | int = -1,
    channels: NDArray[np.integer] | int = -1,
    owners: NDArray[np.integer] | int | None = None,
) -> Strokes:
    """Build strokes of one look or several; a single value holds for all.

    Without `owners` each is part of the packet that the pointer finds there.
    """
    count = len(starts)
    tint = np.empty((count, 4), dtype=np.float32)
    tint[:, 3] = 1.0
    given = np.asarray(colours, dtype=np.float32)
    tint[:, : given.shape[-1]] = given
    looks = np.empty((count, 6), dtype=np.float32)
    looks[:] = np.asarray(look, dtype=np.float32)
    found, where, whose = (np.empty(count, dtype=np.int64) for _ in range(3))
    found[:], where[:], whose[:] = packets, channels, packets if owners is None else owners
    return Strokes(starts.astype(np.float32), ends.astype(np.float32), tint, looks, found, where, whose)


_NONE: Final = np.zeros((0, 3), dtype=np.float32)
NOTHING: Final = strokes(_NONE, _NONE, (0.0, 0.0, 0.0, 0.0), Look(0.0))


def under(
    starts: NDArray[np.floating],
    ends: NDArray[np.floating],
    widths: NDArray[np.floating],
    depths: NDArray[np.floating],
    point: tuple[float, float],
    slack: float,
) -> int | None:
    """The stroke under a point of the picture, all in its pixels: of several the nearest to the camera.

    If none is under it, the closest one within `slack` pixels.
    """
    if not len(starts):
        return None
    at = np.array(point)
    way = ends - starts
    share = ((at - starts) * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-9)
    nearest = starts + way * np.clip(share, 0.0, 1.0)[:, None]
    missed = np.maximum(np.hypot(*(at - nearest).T) - widths / 2, 0.0)
    close = np.flatnonzero(missed <= slack)
    if not len(close):
        return None
    return int(close[np.lexsort((depths[close], missed[close]))[0]])

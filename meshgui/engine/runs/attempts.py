"""Keeps the allocation attempts of a run in compressed blocks.

Under saturation most attempts are the same jobs tried again, in the same order, without success. What changes
from one attempt to the next is therefore short and repeats itself: zlib keeps it in a byte or less an
attempt. A block is unpacked when one of its attempts is wanted; those unpacked latest are kept so.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, overload

import numpy as np

from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.kinds import AttemptOutcome

_BLOCK = 4096  # attempts
_COLUMNS = 3
_LEVEL = 4  # a quarter of the time of the usual one, for a tenth more bytes


class Attempt(NamedTuple):
    """An allocation attempt: after how many events it was made, and for whom."""

    position: int
    job: int
    outcome: AttemptOutcome


class _Block(NamedTuple):
    """Attempts with consecutive numbers: their number, the first one's position, and all of them packed."""

    length: int
    position: int
    packed: bytes


def _pack(rows: Ints32) -> _Block:
    # Differences lie column by column, and their bytes apart, so that those which are all 0 stand together.
    changes = np.diff(rows, axis=0, prepend=np.int32(0))
    apart = changes.view(np.uint8).reshape(len(rows), -1).T
    return _Block(len(rows), int(rows[0, 0]), zlib.compress(apart.tobytes(), _LEVEL))


@lru_cache(maxsize=64)
def _unpacked(block: _Block) -> Ints32:
    apart = np.frombuffer(zlib.decompress(block.packed), dtype=np.uint8).reshape(_COLUMNS * 4, -1)
    rows: Ints32 = np.ascontiguousarray(apart.T).view(np.int32)
    return np.cumsum(rows, axis=0, dtype=np.int32)


class Attempts(Sequence[Attempt]):
    """The attempts of a run, or of as much of it as has been simulated, in order."""

    def __init__(self, blocks: tuple[_Block, ...] = ()) -> None:
        self._blocks = blocks  # all full but the last
        self._positions = [block.position for block in blocks]

    def __len__(self) -> int:
        return _BLOCK * (len(self._blocks) - 1) + self._blocks[-1].length if self._blocks else 0

    @overload
    def __getitem__(self, number: int) -> Attempt: ...
    @overload
    def __getitem__(self, number: slice) -> list[Attempt]: ...
    def __getitem__(self, number: int | slice) -> Attempt | list[Attempt]:
        if isinstance(number, slice):
            return [self[n] for n in range(*number.indices(len(self)))]
        block, place = divmod(range(len(self))[number], _BLOCK)
        position, job, outcome = _unpacked(self._blocks[block])[place].tolist()
        return Attempt(position, job, AttemptOutcome(outcome))

    @property
    def nbytes(self) -> int:
        """The memory taken."""
        return sum(len(block.packed) for block in self._blocks)

    def columns(self) -> tuple[Ints, Ints, Ints]:
        """Positions, jobs and outcomes of all, in order."""
        rows = np.concatenate([np.empty((0, _COLUMNS), np.int32), *map(_unpacked, self._blocks)])
        positions, jobs, outcomes = rows.astype(np.int64).T
        return positions, jobs, outcomes

    def at(self, position: int) -> range:
        """The numbers of the attempts made after that many events, before the next one."""
        return range(self._first_from(position), self._first_from(position + 1))

    def of(self, job: int, first: int, last: int) -> list[int]:
        """The numbers of a job's attempts, which were all made from one position to another."""
        begin = max(bisect_left(self._positions, first) - 1, 0)
        found: list[int] = []
        for block in range(begin, bisect_right(self._positions, last)):
            places = np.flatnonzero(_unpacked(self._blocks[block])[:, 1] == job)
            found += (block * _BLOCK + places).tolist()
        return found

    def next_with(self, outcome: AttemptOutcome, first: int, job: int | None = None) -> int | None:
        """The number of the first attempt from one on that had this outcome, of one job or of any."""
        for block in range(first // _BLOCK, len(self._blocks)):
            rows = _unpacked(self._blocks[block])
            fits = rows[:, 2] == outcome
            if job is not None:
                fits &= rows[:, 1] == job
            fits[: max(first - block * _BLOCK, 0)] = False
            if fits.any():
                return block * _BLOCK + int(fits.argmax())
        return None

    def _first_from(self, position: int) -> int:
        """The number of the first attempt at that position or behind it."""
        block = bisect_left(self._positions, position) - 1
        if block < 0:
            return 0
        return block * _BLOCK + int(_unpacked(self._blocks[block])[:, 0].searchsorted(position))


class AttemptRecorder:
    """Takes down attempts as they are made; another thread may ask for those made so far meanwhile."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[_Block, ...], list[int]] = (), []

    def extend(self, rows: Ints32) -> None:
        """Add attempts in order, each a row."""
        blocks, latest = self._kept
        rows = np.concatenate([_as_rows(latest), rows])
        full = len(rows) // _BLOCK * _BLOCK
        packed = tuple(_pack(rows[first : first + _BLOCK]) for first in range(0, full, _BLOCK))
        self._kept = (*blocks, *packed), rows[full:].ravel().tolist()

    def attempts(self) -> Attempts:
        """The attempts made so far."""
        blocks, latest = self._kept
        return Attempts((*blocks, _pack(_as_rows(latest))) if latest else blocks)


def _as_rows(numbers: list[int]) -> Ints32:
    return np.array(numbers, dtype=np.int32).reshape(-1, _COLUMNS)

"""The step log: the pseudo-code lines that a search passed, with the boxes examined there.

One row is one mark; a row whose line is `SAME_STEP` adds a further mark to the step before it. A full array
continues counting, so that the caller can repeat the call with enough room.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

Log: TypeAlias = Ints32 | None
"""What a kernel gets for its steps: the rows of a log, or none, where the compiler drops what is logged."""

SAME_STEP = -1
_COLUMNS = 11  # line, role, box (6), values (3)
_FARTHEST = 2**15  # the greatest coordinate that can be drawn


class Role(IntEnum):
    """The meaning of a box in a step; every view draws a role the same way."""

    NOTHING = 0
    TRIED = 1  # looked at now
    CANDIDATE = 2  # could serve
    PROHIBITED = 3  # cannot hold a base
    BORDER = 4  # a right border plane
    BLOCKED = 5  # what rules the tried box out
    PLACED = 6  # what the job gets
    DOWN = 7  # in no step: what has failed


class Mark(NamedTuple):
    """A box with its meaning and up to three numbers that belong to it."""

    role: Role
    box: Box
    values: tuple[int, int, int]


def parted(marks: Iterable[Mark], mesh: Mesh) -> tuple[Mark, ...]:
    """The marks with plain boxes alone: one across the seams of rings becomes its parts."""
    return tuple(mark._replace(box=part) for mark in marks for part in mesh.parts(mark.box))


def mark_faults(marks: Iterable[Mark | None]) -> Iterator[str]:
    """What is wrong with the boxes of marks."""
    return box_faults(np.array([mark.box for mark in marks if mark is not None]).reshape(-1, 6))


def box_faults(boxes: NDArray[Any]) -> Iterator[str]:
    """A box of a negative size, or too far away to be drawn."""
    for box in boxes[(boxes[:, 3:] < 0).any(axis=1) | (np.abs(boxes) >= _FARTHEST).any(axis=1)]:
        yield tr("the box {tuple}, which is not valid").format(tuple=tuple(box.tolist()))


class Step(NamedTuple):
    """A pseudo-code line that a search passed, with the boxes examined."""

    line: int
    marks: tuple[Mark, ...]


class StepLog:
    """Room for the steps of one allocation attempt."""

    def __init__(self, capacity: int) -> None:
        self.rows = np.zeros((capacity + 1, _COLUMNS), dtype=np.int32)  # rows[0, 0] counts

    @property
    def count(self) -> int:
        """Rows written, or that would have been written with more room."""
        return int(self.rows[0, 0])

    @property
    def overflowed(self) -> bool:
        """Whether rows were lost."""
        return self.count > len(self.rows) - 1

    def note(self, line: int, role: Role, box: Box, values: tuple[int, int, int] = (0, 0, 0)) -> None:
        """Add a row from plain Python."""
        note(self.rows, line, int(role), *box, *values)

    def steps(self) -> Steps:
        """The steps in the log; of one made for them they keep the array."""
        rows = self.rows[1 : self.count + 1]
        return Steps(rows if self.count == len(self.rows) - 1 else rows.copy())


@kernel
def note(
    log: Log,
    line: int,
    role: int = 0,
    x: int = 0,
    y: int = 0,
    z: int = 0,
    w: int = 0,
    d: int = 0,
    h: int = 0,
    value: int = 0,
    second: int = 0,
    third: int = 0,
) -> None:
    """Add a row to a log from a kernel: a line alone, or with a box and up to three numbers."""
    if log is not None:
        log[0, 0] += 1
        n = log[0, 0]
        if n < log.shape[0]:
            log[n, 0], log[n, 1] = line, role
            log[n, 2], log[n, 3], log[n, 4] = x, y, z
            log[n, 5], log[n, 6], log[n, 7] = w, d, h
            log[n, 8], log[n, 9], log[n, 10] = value, second, third


@kernel
def note_numbers(log: Log, line: int, value: int, second: int = 0, third: int = 0) -> None:
    """Log a line with numbers and no box."""
    note(log, line, 0, 0, 0, 0, 0, 0, 0, value, second, third)


@kernel
def note_boxes(
    log: Log, line: int, role: int, boxes: Ints32, count: int, value: int, second: int = 0, third: int = 0
) -> None:
    """Log boxes, base and size, in one step."""
    if log is not None:
        for n in range(count):
            x, y, z, w, d, h = boxes[n]
            note(log, SAME_STEP if n else line, role, x, y, z, w, d, h, value, second, third)


class _Whole:
    """All rows of an attempt, with those of each line once they were asked for."""

    def __init__(self, rows: Ints32) -> None:
        self._rows = rows
        self._known: dict[int, tuple[NDArray[np.intp], Ints32]] = {}

    def rows_of(self, line: int, first: int, beyond: int) -> Ints32:
        """Those of a line among some rows."""
        if line not in self._known:
            at = np.flatnonzero(self._rows[:, 0] == line)
            self._known[line] = at, self._rows[at]
        at, rows = self._known[line]
        begin, end = np.searchsorted(at, (first, beyond))
        return rows[begin:end]


class Steps(Sequence[Step]):
    """The steps of one attempt, each read from the log's rows when it is needed.

    A run of them shares with the whole what was looked up there: an attempt can have millions of steps.
    """

    def __init__(
        self,
        rows: Ints32,
        starts: NDArray[np.intp] | None = None,
        whole: _Whole | None = None,
        first: int = 0,  # its first row in the whole
    ) -> None:
        self.rows = rows
        self._starts = np.flatnonzero(rows[:, 0] != SAME_STEP) if starts is None else starts
        self._whole, self._first = whole or _Whole(rows), first
        self._latest: tuple[int, Step] | None = None  # asked for: a step can have a million marks

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Steps: ...
    def __getitem__(self, index: int | slice) -> Step | Steps:
        if isinstance(index, slice):
            start, stop, stride = index.indices(len(self))
            if stride != 1:
                raise ValueError(tr("steps are cut into runs only: expected a stride of 1"))
            stop = max(start, stop)
            first = self._row(start)
            starts = self._starts[start:stop]
            return Steps(
                self.rows[first : self._row(stop)],
                starts - first if first else starts,
                self._whole,
                self._first + first,
            )
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        if self._latest is None or self._latest[0] != index:
            rows = self.rows[self._row(index) : self._row(index + 1)].tolist()
            marks = tuple(Mark(Role(r[1]), Box(*r[2:8]), (r[8], r[9], r[10])) for r in rows)
            self._latest = index, Step(rows[0][0], marks)
        return self._latest[1]

    def lines(self) -> Ints32:
        """The pseudo-code line of each step."""
        lines: Ints32 = self.rows[self._starts, 0]
        return lines

    def rows_of(self, line: int) -> Ints32:
        """The first row of each step on a line."""
        return self._whole.rows_of(line, self._first, self._first + len(self.rows))

    @cached_property
    def lines_passed(self) -> frozenset[int]:
        """The pseudo-code lines that are passed."""
        return frozenset(np.flatnonzero(np.bincount(self.lines())).tolist())

    @cached_property
    def roles(self) -> frozenset[Role]:
        """The roles that its marks have."""
        return frozenset(map(Role, np.flatnonzero(np.bincount(self.rows[:, 1])).tolist()))

    def with_roles(self, roles: Iterable[Role]) -> NDArray[np.intp]:
        """The steps that mark a box in one of these roles, not only an empty one."""
        rows = np.flatnonzero(np.isin(self.rows[:, 1], list(roles)) & (self.rows[:, 5:8] > 0).all(axis=1))
        return np.unique(np.searchsorted(self._starts, rows, side="right") - 1)

    def since(self, line: int) -> Steps:
        """The steps from the last one on that line on; all where there is none."""
        there = np.flatnonzero(self.lines() == line)
        return self[int(there[-1]) :] if len(there) else self

    def _row(self, step: int) -> int:
        return int(self._starts[step]) if step < len(self._starts) else len(self.rows)

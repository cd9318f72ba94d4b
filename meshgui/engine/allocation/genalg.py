"""Gen-Algorithm (000 §2.2.2): the set of processors with a small average distance between any two.

Every free processor is tried as a centre: with the free processors nearest to it, it makes up a candidate
set, and the set with the least sum of distances between its pairs is allocated. Distances are hops. The sum
needs no look at the pairs: it is that along the columns plus that along the rows, and each follows from how
many processors of the set stand in each column or row. Sums grow past 32 bits on large meshes, so they are
64 bits wide, and the log has them in two parts.
"""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Line, Source
from meshgui.engine.allocation.inspection import (
    Grid,
    GridValue,
    Heat,
    Inspection,
    Moment,
    Request,
    Table,
    TableRow,
)
from meshgui.engine.allocation.occupancy import FREE
from meshgui.engine.allocation.search_strategy import SearchResult
from meshgui.engine.allocation.single_processors import SingleProcessorsStrategy
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, note
from meshgui.engine.geometry import Box
from meshgui.engine.kernel import kernel
from meshgui.engine.words import counted

__all__ = ["GenAlgorithm"]

# The lines of the pseudo-code, by their place in `LINES`.
ENOUGH, CENTRE, NEAREST, SCORE, BEST, FOUND = range(6)
PART = 1_000_000_000  # a sum is logged as so many of these and the rest

LINES = (
    Line(
        "enough",
        "if fewer processors are free than asked for: fail",
        decision=True,
        says="It asks for {asked} and {few} free, so it waits.",
    ),
    Line("centre", "for each free processor, in row-major order: make it the centre", says="Centre {base}."),
    Line(
        "nearest",
        "add the free processors nearest to it, row-major among equals, until they are enough",
        1,
        says="{nearest}",
    ),
    Line(
        "score",
        "add up the distances between all pairs of them",
        1,
        says="{score}",
    ),
    Line(
        "best",
        "if no sum before was as small: remember this set",
        1,
        decision=True,
        says="No set before was as close together: it is remembered.",
    ),
    Line(
        "found",
        "allocate the set remembered",
        decision=True,
        says="The job gets {drawn}.",
    ),
)


@kernel
def nearest(held: NDArray[np.int32], cx: int, cy: int, chosen: NDArray[np.int64]) -> tuple[int, int]:
    """Fill `chosen` with the free processors nearest to a centre: (the farthest's distance, looked at).

    The processors lie on diamonds around the centre, so they come in order of distance without sorting.
    """
    length, width = held.shape
    count, looked_at = 0, 0
    for distance in range(width + length - 1):
        for y in range(max(cy - distance, 0), min(cy + distance, length - 1) + 1):
            aside = distance - abs(y - cy)
            x = cx - aside
            if x >= 0:
                looked_at += 1
                if held[y, x] == FREE:
                    chosen[count] = y * width + x
                    count += 1
                    if count == chosen.size:
                        return distance, looked_at
            x = cx + aside
            if aside > 0 and x < width:
                looked_at += 1
                if held[y, x] == FREE:
                    chosen[count] = y * width + x
                    count += 1
                    if count == chosen.size:
                        return distance, looked_at
    return -1, looked_at


@kernel
def _along(counts: NDArray[np.int64]) -> int:
    """The sum of distances between all pairs on a line, from how many stand at each place."""
    total, before, places = 0, 0, 0
    for n in range(counts.size):
        total += counts[n] * (n * before - places)
        before += counts[n]
        places += counts[n] * n
    return total


@kernel
def spread(chosen: NDArray[np.int64], width: int, columns: NDArray[np.int64], rows: NDArray[np.int64]) -> int:
    """The sum of distances between all pairs of a set; `columns` and `rows` are room to count in."""
    columns[:] = 0
    rows[:] = 0
    for i in range(chosen.size):
        columns[chosen[i] % width] += 1
        rows[chosen[i] // width] += 1
    return _along(columns) + _along(rows)


@kernel
def search(
    held: NDArray[np.int32], asked: int, log: NDArray[np.int32] | None
) -> tuple[NDArray[np.int64], int]:
    """The closest candidate set in row-major order; processors looked at, or counted for a sum."""
    length, width = held.shape
    chosen, best = np.empty(asked, dtype=np.int64), np.empty(asked, dtype=np.int64)
    columns, rows = np.empty(width, dtype=np.int64), np.empty(length, dtype=np.int64)
    least, examined = -1, 0
    for cy in range(length):
        for cx in range(width):
            examined += 1
            if held[cy, cx] != FREE:
                continue
            reach, looked_at = nearest(held, cx, cy, chosen)
            total = spread(chosen, width, columns, rows)
            examined += looked_at + asked
            closer = least < 0 or total < least
            if log is not None:
                note(log, CENTRE, Role.TRIED, cx, cy, 0, 1, 1, 1, 0, 0, 0)
                note(log, NEAREST, Role.TRIED, cx, cy, 0, 1, 1, 1, reach, asked, 0)
                note(log, SCORE, Role.TRIED, cx, cy, 0, 1, 1, 1, total // PART, total % PART, asked)
                if closer:
                    note(log, BEST, Role.CANDIDATE, cx, cy, 0, 1, 1, 1, 0, asked, 0)
            if closer:
                least = total
                best[:] = chosen
    best.sort()
    if log is not None:
        line = FOUND
        for i in range(asked):
            note(log, line, Role.PLACED, best[i] % width, best[i] // width, 0, 1, 1, 1, i, asked, 0)
            line = SAME_STEP
    return best, examined


class GenAlgorithm(SingleProcessorsStrategy):
    """The candidate set with the least average pairwise distance."""

    id = "genalg"
    title = "Gen-Algorithm"
    dims = frozenset({2})
    source = Source("000", "§2.2.2, Paging variants")
    lines = LINES
    enough = ENOUGH

    def search(self, request: Request, log: NDArray[np.int32] | None) -> SearchResult:
        """See SearchStrategy."""
        chosen, examined = search(self.held[0], prod(request.size), log)
        return SearchResult(self.boxes_at(chosen), examined)

    def inspect(self, moment: Moment) -> Inspection:
        """The candidate sets scored so far, their scores as heat, and the set at hand."""
        so_far = _Progress(moment)
        scores = so_far.heat()
        panels = (so_far.table(), scores, so_far.sets())
        return Inspection(panels, so_far.marks(), self.say(moment), heat=scores)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """See Strategy."""
        mark = step.marks[0]
        n, k, i = mark.values
        base = f"({mark.box.x},{mark.box.y})"
        total = n * PART + k
        return super().words(step, moment) | {
            "nearest": f"The {k} free processors nearest to {base} reach {counted(n, 'hop')} away."
            if k > 1
            else f"The job is to have one processor: {base} itself.",
            "score": _scored(total, i),
            "drawn": "the processor" if k == 1 else f"these {k} processors, listed in row-major order",
        }


def _scored(total: int, processors: int) -> str:
    if processors == 1:
        return "A single processor is in no pair, so its sum is 0."
    hops, average = counted(total, "hop"), f"{_average(total, processors):.2f}"
    return f"Their pairs are {hops} apart in all: {average} on average."


def _average(total: int, processors: int) -> float:
    """The average distance between two of so many processors whose distances add up to this."""
    return total / max(processors * (processors - 1) // 2, 1)


_BUSY, _UNKNOWN = -1, -2


class _Progress:
    """What the steps have established: a row per centre scored, the centre at hand, and the best."""

    def __init__(self, moment: Moment) -> None:
        self.held = np.ascontiguousarray(moment.state["held"][0])
        rows = moment.steps.rows
        self.step = moment.step
        self.asked = prod(moment.request.size) if moment.request else 1
        scored = rows[rows[:, 0] == SCORE]
        self.x, self.y = scored[:, 2], scored[:, 3]
        self.totals = scored[:, 8].astype(np.int64) * PART + scored[:, 9]
        self.reach = rows[rows[:, 0] == NEAREST][:, 8]
        best = rows[rows[:, 0] == BEST]
        self.best = _base(best[-1]) if len(best) else None
        centres = rows[rows[:, 0] == CENTRE]
        self.centre = _base(centres[-1]) if len(centres) else None
        if self.step is not None and self.step.line == FOUND:
            self.centre = None

    def _set(self, centre: tuple[int, int] | None) -> list[Box]:
        """The candidate set of a centre, found again: the log would be too long if it held every set."""
        if centre is None:
            return []
        chosen = np.empty(self.asked, dtype=np.int64)
        nearest(self.held, *centre, chosen)
        width = self.held.shape[1]
        return [Box(n % width, n // width, 0, 1, 1, 1) for n in chosen.tolist()]

    def marks(self) -> tuple[Mark, ...]:
        """What to draw: the set of the centre at hand around it, or what was found."""
        if self.step is None or self.step.line == CENTRE or self.centre is None:
            marks = self.step.marks if self.step is not None else ()
            return tuple(mark for mark in marks if mark.box.w)
        around = self._set(self.centre)[1:]
        return (*self.step.marks, *(Mark(Role.CANDIDATE, box, (0, 0, 0)) for box in around))

    def table(self) -> Table:
        """A row per candidate set."""
        rows = tuple(
            TableRow(
                (
                    f"({x},{y})",
                    str(reach),
                    str(total),
                    f"{_average(total, self.asked):.2f}",
                    "best" if (x, y) == self.best else "",
                ),
                Mark(Role.CANDIDATE, Box(x, y, 0, 1, 1, 1), (0, 0, 0)),
                current=(x, y) == self.centre,
            )
            for x, y, reach, total in zip(
                self.x.tolist(), self.y.tolist(), self.reach.tolist(), self.totals.tolist(), strict=False
            )
        )
        columns = ("Centre", "Reach", "Sum", "Average", "")
        return Table("Candidate sets", columns, rows, "None: no set has been scored.")

    def heat(self) -> Grid:
        """The average distance in each centre's set, where it is known."""
        values = np.where(self.held == FREE, _UNKNOWN, _BUSY).astype(np.int32)
        pairs = max(self.asked * (self.asked - 1) // 2, 1)
        hundredths = np.rint(self.totals * 100 / pairs).astype(np.int32)
        values[self.y, self.x] = hundredths
        low = int(hundredths.min()) if len(hundredths) else 0
        high = int(hundredths.max()) if len(hundredths) else 0
        legend = (
            GridValue(_UNKNOWN, "not yet scored", Role.NOTHING),
            GridValue(_BUSY, "busy", Role.BLOCKED),
        )
        label = "hundredths of a hop"
        return Grid("Scores", values[np.newaxis], legend, heat=Heat(label, low, max(high, low + 1)))

    def sets(self) -> Grid:
        """The set at hand and the best so far."""
        values = np.where(self.held == FREE, 0, 1).astype(np.int32)
        for box in self._set(self.best):
            values[box.y, box.x] = 3
        if self.step is not None and self.step.line != CENTRE:
            for box in self._set(self.centre):
                values[box.y, box.x] += 2
        if self.centre is not None:
            values[self.centre[1], self.centre[0]] = 6
        legend = (
            GridValue(0, "free", Role.NOTHING),
            GridValue(1, "busy", Role.BLOCKED),
            GridValue(2, "in the set at hand", Role.TRIED),
            GridValue(3, "in the best set so far", Role.CANDIDATE),
            GridValue(5, "in both", Role.CANDIDATE),
            GridValue(6, "centre", Role.BORDER),
        )
        return Grid("Sets", values[np.newaxis], legend)


def _base(row: NDArray[np.int32]) -> tuple[int, int]:
    return int(row[2]), int(row[3])

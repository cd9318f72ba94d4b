"""Gen-Algorithm (000 §2.2.2): the set of processors with a small average distance between any two."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation import genalg_kernel as sets
from meshgui.engine.allocation.base import Source
from meshgui.engine.allocation.genalg_kernel import GenState, search
from meshgui.engine.allocation.held_processors import FREE, SingleProcessorsStrategy, no_jobs, release, take
from meshgui.engine.allocation.inspection import (
    Grid,
    GridValue,
    Heat,
    Inspection,
    LongRows,
    Moment,
    Table,
    TableRow,
)
from meshgui.engine.allocation.kernel_strategy import StrategyKernels, new_tally
from meshgui.engine.allocation.panels import GridBuilder, plain_mark
from meshgui.engine.allocation.steps import Mark, Role, Step
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Box, Mesh, runs_of_processors
from meshgui.engine.basics.translation import formatted, language, tr
from meshgui.engine.basics.words import counted


class GenAlgorithm(SingleProcessorsStrategy):
    """The candidate set with the least average pairwise distance."""

    id = "genalg"
    title = tr("Gen-Algorithm")
    dims = frozenset({2})
    source = Source("000", "§2.2.2, Paging variants")
    lines = sets.CODE.lines
    kernels = StrategyKernels(release, search=search, take=take)

    @classmethod
    def search_steps(cls, sizes: NDArray[np.integer[Any]], mesh: Mesh) -> float:
        """For each centre, the columns and rows of a diamond with this many processors."""
        across = 2 * np.sqrt(sizes.prod(axis=1, dtype=np.float64) / 2) + 1
        lines = sum(np.minimum(across, side) for side in mesh.extents[:2])
        return float(mesh.processors * np.sum(lines))

    def empty_state(self) -> GenState:
        width, length, _ = self.mesh.extents
        below, before = (np.zeros((n, m + 1), dtype=np.int32) for n, m in ((width, length), (length, width)))
        corner = np.zeros((width + length, width + length), dtype=np.int32)
        columns, rows = (np.zeros(n, dtype=np.int64) for n in (width, length))
        return GenState(new_tally(), no_jobs(self.mesh), below, before, corner, columns, rows)

    def inspect(self, moment: Moment) -> Inspection:
        """The candidate sets scored so far, their scores as heat, and the set at hand."""
        so_far = _Progress(moment)
        panels = (so_far.table(), scores := so_far.heat(), so_far.sets())
        return Inspection(panels, so_far.marks(), self.say(moment), heat=scores)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        mark = step.marks[0]
        n, k, i = mark.values
        base = f"({mark.box.x},{mark.box.y})"
        alone = tr("The job gets a single processor: {base} itself.")
        nearest = tr("The {k} free processors nearest to {base} reach {hops} away.") if k > 1 else alone
        drawn = tr("the processor") if k == 1 else tr("these {k} processors, listed in row-major order")
        return super().words(step, moment) | {
            "nearest": nearest.format(k=k, base=base, hops=counted(n, "hop")),
            "score": _scored(n * sets.PART + k, i),
            "drawn": drawn.format(k=k),
        }


def _scored(total: int, processors: int) -> str:
    if processors == 1:
        return tr("A single processor is in no pair, so its sum is 0.")
    hops, average = counted(total, "hop"), formatted(_average(total, processors), ".2f")
    return tr("Their pairs are {hops} apart in all: {average} on average.").format(hops=hops, average=average)


@lru_cache(maxsize=4096)  # every later step shows it, too
def _scored_set(_spoken: str, x: int, y: int, reach: int, total: int, asked: int) -> TableRow:
    """The row of a candidate set that is neither the best nor at hand."""
    average = formatted(_average(total, asked), ".2f")
    mark = plain_mark(Role.CANDIDATE, Box(x, y, 0, 1, 1, 1))
    return TableRow((f"({x},{y})", str(reach), str(total), average, ""), mark)


def _average(total: int, processors: int) -> float:
    """The average distance between two of this many processors whose distances add up to this."""
    return total / max(processors * (processors - 1) // 2, 1)


_SCORES = (
    _UNKNOWN := GridValue(-2, tr("not yet scored"), Role.NOTHING),
    _BUSY := GridValue(-1, tr("busy"), Role.BLOCKED),
)
_SETS = (
    GridValue(0, tr("free"), Role.NOTHING),
    GridValue(1, tr("busy"), Role.BLOCKED),
    GridValue(2, tr("in the set at hand"), Role.TRIED),
    GridValue(3, tr("in the best set so far"), Role.CANDIDATE),
    GridValue(5, tr("in both"), Role.CANDIDATE),
    GridValue(6, tr("centre"), Role.BORDER),
)
_APART = 1000  # processors of a set that are marked one by one
_MEASURED = 1000  # rows of a table whose texts are all measured


class _Progress:
    """What the steps have established: a row per centre scored, the centre at hand, and the best."""

    def __init__(self, moment: Moment) -> None:
        self.held = moment.state["held"][0]
        steps = moment.steps
        self.step = moment.step
        self.asked = prod(moment.request.size) if moment.request else 1
        scored = steps.rows_of(sets.SCORE)
        self.x, self.y = scored[:, 2], scored[:, 3]
        self.totals = scored[:, 8].astype(np.int64) * sets.PART + scored[:, 9]
        self.nearest = steps.rows_of(sets.NEAREST)
        best = steps.rows_of(sets.BEST)
        self.best = _base(best[-1]) if len(best) else None
        centres = steps.rows_of(sets.CENTRE)
        self.centre = _base(centres[-1]) if len(centres) else None
        if self.step is not None and self.step.line == sets.FOUND:
            self.centre = None

    def _set(self, centre: tuple[int, int] | None) -> list[Box]:
        """The candidate set of a centre, found again: the log would be too long if it held every set."""
        if centre is None:
            return []
        (cx, cy), reach = centre, self.nearest[self._row(centre, self.nearest), 8]
        left, top = max(cx - reach, 0), max(cy - reach, 0)
        y, x = np.nonzero(self.held[top : cy + reach + 1, left : cx + reach + 1] == FREE)
        x, y = x + left, y + top
        nearest = np.argsort(abs(x - cx) + abs(y - cy), kind="stable")[: self.asked]
        return [Box(x, y, 0, 1, 1, 1) for x, y in zip(x[nearest].tolist(), y[nearest].tolist(), strict=True)]

    def _row(self, centre: tuple[int, int], rows: Ints32) -> int:
        """The row of a centre among rows of the log, which are row-major."""
        x, y = centre
        first, beyond = np.searchsorted(rows[:, 3], (y, y + 1))
        return int(first + np.searchsorted(rows[first:beyond, 2], x))

    def marks(self) -> tuple[Mark, ...]:
        """What to draw: the set of the centre at hand around it, or what was found."""
        if self.step is None or self.step.line == sets.CENTRE or self.centre is None:
            marks = self.step.marks if self.step is not None else ()
            shown = tuple(mark for mark in marks if mark.box.w)
            if len(shown) <= _APART:
                return shown
            runs = runs_of_processors([mark.box for mark in shown])
            return tuple(plain_mark(shown[0].role, box) for box in runs)
        around = self._set(self.centre)[1:]
        around = around if len(around) <= _APART else runs_of_processors(around)
        return (*self.step.marks, *(plain_mark(Role.CANDIDATE, box) for box in around))

    def table(self) -> Table:
        """A row per candidate set."""
        scored = len(self.x)

        def row(number: int) -> TableRow:
            x, y, total = int(self.x[number]), int(self.y[number]), int(self.totals[number])
            known = _scored_set(language(), x, y, int(self.nearest[number, 8]), total, self.asked)
            if (x, y) not in {self.best, self.centre}:
                return known
            cells = (*known.cells[:-1], tr("best") if (x, y) == self.best else "")
            return TableRow(cells, known.mark, current=(x, y) == self.centre)

        return Table(
            tr("Candidate sets"),
            (tr("Centre"), tr("Reach"), tr("Sum"), tr("Average"), ""),
            LongRows(scored, row, self._scored(self.centre), self._widest()),
            tr("None: no set has been scored."),
        )

    def _scored(self, centre: tuple[int, int] | None) -> int | None:
        """The row of a centre in the table, once it has one."""
        at = len(self.x) - 1
        return at if at >= 0 and centre == (self.x[at], self.y[at]) else None

    def _widest(self) -> Iterable[int]:
        """The rows with the longest texts; of many, those with the largest numbers."""
        if len(self.x) <= _MEASURED:
            return range(len(self.x))
        largest = (self.x, self.nearest[: len(self.x), 8], self.totals)
        best = () if self.best is None else (self._row(self.best, self.nearest),)
        return (len(self.x) - 1, *(int(np.argmax(numbers)) for numbers in largest), *best)

    def heat(self) -> Grid:
        """The average distance in each centre's set, where it is known."""
        scores = GridBuilder((1, *self.held.shape), *_SCORES)
        scores.put(self.held[np.newaxis] != FREE, _BUSY)
        pairs = max(self.asked * (self.asked - 1) // 2, 1)
        hundredths = np.rint(self.totals * 100 / pairs).astype(np.int32)
        scores.values[0, self.y, self.x] = hundredths
        low = int(hundredths.min()) if len(hundredths) else 0
        high = int(hundredths.max()) if len(hundredths) else 0
        return scores.grid(tr("Scores"), Heat(tr("hundredths of a hop"), low, max(high, low + 1)))

    def sets(self) -> Grid:
        """The set at hand and the best so far."""
        values = np.where(self.held == FREE, 0, 1).astype(np.int32)
        for box in self._set(self.best):
            values[box.y, box.x] = 3
        if self.step is not None and self.step.line != sets.CENTRE:
            for box in self._set(self.centre):
                values[box.y, box.x] += 2
        if self.centre is not None:
            values[self.centre[1], self.centre[0]] = 6
        return Grid(tr("Sets"), values[np.newaxis], _SETS)


def _base(row: Ints32) -> tuple[int, int]:
    return int(row[2]), int(row[3])

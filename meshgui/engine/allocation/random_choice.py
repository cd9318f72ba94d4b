"""Random (001 §3.1): a job gets as many free processors as it asks for, drawn by lot.

The draws come from the run's seed and the job's number alone, so that an attempt can be repeated at any time;
the free processors are numbered anew for every attempt, so that nothing else is remembered.
A job's processors stay in the order in which they were drawn. That is how 001 must have mapped processes:
latency less blocking is the same 71 to 75 cycles under all five patterns of its table 2, so no pattern
profited from the order, while Paging's falls from 62 to 31.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Bound, Complexity, Line, Source
from meshgui.engine.allocation.held_processors import FREE, no_jobs, take, too_few, vacate
from meshgui.engine.allocation.inspection import Grid, GridValue, Inspection, Moment, Table, TableRow
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked, StrategyKernels, new_tally
from meshgui.engine.allocation.single_processors import SingleProcessorsStrategy, give
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, note
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.philox import draw_four
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import are

__all__ = ["RandomChoice"]

# The lines of the pseudo-code, by their place in `LINES`.
_, POOL, DRAW, CLOSE_UP, FOUND = range(5)
_SIGN = np.uint64(1)  # lots are halved, to be signed as the numbers they are combined with

LINES = (
    Line(
        "enough",
        "if fewer processors are free than asked for: fail",
        decision=True,
        says="It asks for {asked} and {few} free, so it waits.",
    ),
    Line(
        "pool",
        "number the free processors in row-major order",
        says="{n} free, numbered from 1 in row-major order; {k} to be drawn.",
    ),
    Line(
        "draw",
        "for each processor asked for: draw one of the numbers left",
        decision=True,
        says="Draw {n}: number {k} of {i}, processor {base}.",
    ),
    Line(
        "close up",
        "the processor with the highest number takes over the number drawn",
        1,
        says="{swapped}",
    ),
    Line("found", "allocate what was drawn", decision=True, says="The job gets {drawn}."),
)


class RandomState(NamedTuple):
    """The state of the kernels."""

    tally: NDArray[np.int64]
    held: NDArray[np.int32]  # [z, y, x]
    free: NDArray[np.int64]
    pool: NDArray[np.int32]  # room for the free processors, by their numbers


@kernel
def search(state: RandomState, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:
    """A Fisher–Yates shuffle that stops early; an operation is a processor drawn."""
    if too_few(state, asked, log):
        return WAITS
    pool, flat, left = state.pool, state.held.ravel(), 0
    _, depth, width = state.held.shape
    layer = depth * width
    for n in range(flat.size):
        if flat[n] == FREE:
            pool[left] = n
            left += 1
    wanted = asked.w * asked.d * asked.h
    state.tally[OPERATIONS] += wanted
    if log is not None:
        note(log, POOL, Role.NOTHING, 0, 0, 0, 0, 0, 0, left, wanted, 0)
    lots = draw_four(asked.seed, asked.job, 0)
    for i in range(wanted):
        if i > 0 and i % 4 == 0:
            lots = draw_four(asked.seed, asked.job, i // 4)
        j = int(lots[i % 4] >> _SIGN) % left
        n = pool[j]
        give(given, i, n % width, n % layer // width, n // layer)
        left -= 1
        last = pool[left]
        pool[j] = last
        if log is not None:
            x, y, z = given[i, 0], given[i, 1], given[i, 2]
            u, v, w = last % width, last % layer // width, last // layer
            note(log, DRAW, Role.CANDIDATE, x, y, z, 1, 1, 1, i + 1, j + 1, left + 1)
            note(log, CLOSE_UP, Role.TRIED, u, v, w, 1, 1, 1, j + 1, left, 0)
    if log is not None:
        for i in range(wanted):
            x, y, z = given[i, 0], given[i, 1], given[i, 2]
            note(log, FOUND if i == 0 else SAME_STEP, Role.PLACED, x, y, z, 1, 1, 1, i + 1, wanted, 0)
    return wanted


@kernel
def release(state: RandomState, job: int, _log: NDArray[np.int32] | None) -> None:
    """An operation is a processor given back, since 001 counts no others."""
    freed = vacate(state.held, job)
    state.free[0] += freed
    state.tally[OPERATIONS] += freed


class RandomChoice(SingleProcessorsStrategy):
    """As many free processors as asked for, drawn by lot."""

    id = "random"
    title = tr("Random")
    dims = frozenset({2, 3})
    source = Source("001", "§3.1")
    complexity = Complexity(Bound("O(k)", n=1), Bound("O(k)", n=1), tr("001 §3.1, for k processors"))
    lines = LINES
    kernels = StrategyKernels(release, search=search, take=take)

    def empty_state(self) -> RandomState:
        pool = np.empty(self.mesh.processors, dtype=np.int32)
        return RandomState(new_tally(), *no_jobs(self.mesh), pool)

    def inspect(self, moment: Moment) -> Inspection:
        """The free set with its numbers, and what has been drawn."""
        so_far = _Progress(moment)
        flat = self.mesh.dims == 2
        panels = (so_far.grid(), so_far.drawn_table(flat), so_far.pool_table(flat))
        return Inspection(panels, so_far.marks(), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, _ = step.marks[0].values
        base = _name(step.marks[0].box, self.mesh.dims == 2)
        if step.line == CLOSE_UP and n > k:
            swapped = tr("It had the highest number, so the others keep theirs.")
        else:
            left = tr("{k} {are} left").format(k=k, are=are(k))
            swapped = tr("Its number, {n}, goes to {base}, which had the highest; {left}.").format(
                n=n, base=base, left=left
            )
        return super().words(step, moment) | {
            "swapped": swapped,
            "drawn": tr("the processor")
            if k == 1
            else tr("these {k} processors, in the order drawn").format(k=k),
        }


def _name(box: Box, flat: bool) -> str:
    return f"({','.join(map(str, box.base[: 2 if flat else 3]))})"


class _Progress:
    """The free set and the draws as the steps have left them."""

    def __init__(self, moment: Moment) -> None:
        self.held = moment.state["held"]
        z, y, x = np.nonzero(self.held == FREE)
        self.pool = [Box(u, v, w, 1, 1, 1) for u, v, w in np.stack((x, y, z), axis=1).tolist()]
        self.drawn: list[Mark] = []
        self.numbers: list[tuple[int, int]] = []  # each number drawn, and how many there were
        self.current: tuple[Mark, ...] = ()
        for step in moment.steps:
            self.current = step.marks
            mark = step.marks[0]
            if step.line == DRAW:
                self.drawn.append(mark)
                self.numbers.append(mark.values[1:])
            elif step.line == CLOSE_UP:
                self.pool[mark.values[0] - 1] = self.pool[-1]
                del self.pool[-1]

    def marks(self) -> tuple[Mark, ...]:
        """The marks to draw: those of the step, and what was drawn before."""
        shown = {mark.box for mark in self.current}
        before = (mark._replace(role=Role.PLACED) for mark in self.drawn if mark.box not in shown)
        return (*self.current, *before)

    def grid(self) -> Grid:
        """Who is free, held or drawn."""
        values = np.where(self.held == FREE, 0, 1).astype(np.int32)
        for mark in self.drawn:
            values[mark.box.z, mark.box.y, mark.box.x] = 2
        legend = (
            GridValue(0, tr("free"), Role.NOTHING),
            GridValue(1, tr("busy"), Role.BLOCKED),
            GridValue(2, tr("drawn"), Role.PLACED),
        )
        return Grid(tr("Free set"), values, legend)

    def drawn_table(self, flat: bool) -> Table:
        """The draws, in order."""
        rows = tuple(
            TableRow(
                (str(i), tr("{j} of {left}").format(j=j, left=left), _name(mark.box, flat)),
                mark,
                current=mark in self.current,
            )
            for i, (mark, (j, left)) in enumerate(zip(self.drawn, self.numbers, strict=True), start=1)
        )
        return Table(tr("Drawn"), ("", tr("Number"), tr("Processor")), rows, tr("Nothing has been drawn."))

    def pool_table(self, flat: bool) -> Table:
        """The processors still to be drawn from, with their numbers."""
        looked_at = {mark.box for mark in self.current}
        rows = tuple(
            TableRow((str(j), _name(box, flat)), Mark(Role.TRIED, box, (j, 0, 0)), current=box in looked_at)
            for j, box in enumerate(self.pool, start=1)
        )
        return Table(tr("Numbers"), (tr("Number"), tr("Processor")), rows, tr("Empty: no processor is free."))

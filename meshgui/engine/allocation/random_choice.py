"""Random (001 §3.1): a job gets as many free processors as it asks for, drawn by lot.

The draws come from the run's seed and the job's number alone, so that an attempt can be repeated at any time;
the free processors are numbered again for every attempt, so that nothing else is remembered.
A job's processors stay in the order in which they were drawn. That is how 001 must have mapped processes:
latency less blocking is the same 71 to 75 cycles under all five patterns of its table 2, so no pattern
profited from the order, while Paging's falls from 62 to 31.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation.base import Bound, Complexity, Source
from meshgui.engine.allocation.held_processors import (
    FREE,
    Processors,
    SingleProcessorsStrategy,
    no_jobs,
    take,
    too_few,
    vacate,
)
from meshgui.engine.allocation.inspection import Grid, GridValue, Inspection, Moment, Table
from meshgui.engine.allocation.kernel_strategy import (
    OPERATIONS,
    WAITS,
    KernelRequest,
    StrategyKernels,
    new_tally,
)
from meshgui.engine.allocation.panels import GridBuilder, TableBuilder, plain_mark, with_those_before
from meshgui.engine.allocation.pseudo_code import NOT_ENOUGH_TO_GIVE, PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Mark, Role, Step, note, note_boxes, note_numbers
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Box, write_box
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.philox import draw_four
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import are

_SIGN = np.uint64(1)  # lots are halved, to be signed as the numbers they are combined with

CODE = PseudoCode(NOT_ENOUGH_TO_GIVE)
POOL = CODE.line("pool", "number the free processors in row-major order")
CODE.says("{n} free, numbered from 1 in row-major order; {k} to be drawn.")
DRAW = CODE.decision("draw", "for each processor asked for: draw one of the numbers left")
CODE.says("Draw {n}: number {k} of {i}, processor {base}.")
CLOSE_UP = CODE.line("close up", "the processor with the highest number takes over the number drawn", 1)
CODE.says("{swapped}")
FOUND = CODE.decision("found", "allocate what was drawn")
CODE.says("The job gets {drawn}.")


class RandomState(NamedTuple):
    """The state of the kernels."""

    tally: Ints
    processors: Processors
    pool: Ints32  # room for the free processors, by their numbers


@kernel
def search(state: RandomState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """A Fisher–Yates shuffle that stops early; an operation is a processor drawn."""
    if too_few(state, request, log):
        return WAITS
    pool, flat, left = state.pool, state.processors.held.ravel(), 0
    _, depth, width = state.processors.held.shape
    layer = depth * width
    for n in range(flat.size):
        if flat[n] == FREE:
            pool[left] = n
            left += 1
    wanted = request.w * request.d * request.h
    state.tally[OPERATIONS] += wanted
    note_numbers(log, POOL, left, wanted)
    lots = draw_four(request.seed, request.job, 0)
    for i in range(wanted):
        if i > 0 and i % 4 == 0:
            lots = draw_four(request.seed, request.job, i // 4)
        j = int(lots[i % 4] >> _SIGN) % left
        n = pool[j]
        write_box(boxes_out, i, n % width, n % layer // width, n // layer, 1, 1, 1)
        left -= 1
        last = pool[left]
        pool[j] = last
        if log is not None:
            note_boxes(log, DRAW, Role.CANDIDATE, boxes_out[i:], 1, i + 1, j + 1, left + 1)
            x, y, z = last % width, last % layer // width, last // layer
            note(log, CLOSE_UP, Role.TRIED, x, y, z, 1, 1, 1, j + 1, left)
    if log is not None:
        for i in range(wanted):
            note_boxes(log, SAME_STEP if i else FOUND, Role.PLACED, boxes_out[i:], 1, i + 1, wanted)
    return wanted


@kernel
def release(state: RandomState, job: int, _log: Log) -> None:
    """An operation is a processor given back, since 001 counts no others."""
    freed = vacate(state.processors.held, job)
    state.processors.free[0] += freed
    state.tally[OPERATIONS] += freed


class RandomChoice(SingleProcessorsStrategy):
    """As many free processors as asked for, drawn by lot."""

    id = "random"
    title = tr("Random")
    dims = frozenset({2, 3})
    draws_lots = True
    source = Source("001", "§3.1")
    complexity = Complexity(Bound("O(k)", n=1), Bound("O(k)", n=1), tr("001 §3.1, for k processors"))
    lines = CODE.lines
    kernels = StrategyKernels(release, search=search, take=take)

    def empty_state(self) -> RandomState:
        pool = np.empty(self.mesh.processors, dtype=np.int32)
        return RandomState(new_tally(), no_jobs(self.mesh), pool)

    def inspect(self, moment: Moment) -> Inspection:
        """The free set with its numbers, and what has been drawn."""
        so_far = _Progress(moment)
        flat = self.mesh.dims == 2
        panels = (so_far.grid(), so_far.drawn_table(flat), so_far.pool_table(flat))
        return Inspection(panels, so_far.marks(), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, _ = step.marks[0].values
        base = step.marks[0].box.corner(flat=self.mesh.dims == 2)
        left = tr("{k} {are} left").format(k=k, are=are(k))
        swapped = tr("Its number, {n}, goes to {base}, which had the highest; {left}.")
        if step.line == CLOSE_UP and n > k:
            swapped = tr("It had the highest number, so the others keep theirs.")
        drawn = tr("the processor") if k == 1 else tr("these {k} processors, in the order drawn")
        return super().words(step, moment) | {
            "swapped": swapped.format(n=n, base=base, left=left),
            "drawn": drawn.format(k=k),
        }


_SET = (
    GridValue(0, tr("free"), Role.NOTHING),
    _BUSY := GridValue(1, tr("busy"), Role.BLOCKED),
    _DRAWN := GridValue(2, tr("drawn"), Role.PLACED),
)


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
        return with_those_before(self.current, (mark._replace(role=Role.PLACED) for mark in self.drawn))

    def grid(self) -> Grid:
        """Who is free, held or drawn."""
        free = GridBuilder(self.held.shape, *_SET)
        free.put(self.held != FREE, _BUSY)
        free.fill((mark.box for mark in self.drawn), _DRAWN)
        return free.grid(tr("Free set"))

    def drawn_table(self, flat: bool) -> Table:
        """The draws, in order."""
        columns = ("", tr("Number"), tr("Processor"))
        table = TableBuilder(tr("Drawn"), columns, tr("Nothing has been drawn."))
        for i, (mark, (j, left)) in enumerate(zip(self.drawn, self.numbers, strict=True), start=1):
            number = tr("{j} of {left}").format(j=j, left=left)
            table.row(str(i), number, mark.box.corner(flat=flat), mark=mark, current=mark in self.current)
        return table.table()

    def pool_table(self, flat: bool) -> Table:
        """The processors still to be drawn from, with their numbers."""
        looked_at = {mark.box for mark in self.current}
        columns = (tr("Number"), tr("Processor"))
        table = TableBuilder(tr("Numbers"), columns, tr("Empty: no processor is free."))
        for j, box in enumerate(self.pool, start=1):
            mark = plain_mark(Role.TRIED, box, j)
            table.row(str(j), box.corner(flat=flat), mark=mark, current=box in looked_at)
        return table.table()

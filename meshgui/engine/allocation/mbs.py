"""Multiple Buddy (001 §3.3, figures 3 and 4; 000 appendix A): square blocks for a request in base 4.

On a 3D mesh, which both leave to later work, blocks are cubes of eight octants, and the request is in base 8.

What is counted: a record looked into, a block made, taken or put back, a buddy looked at when merging.
"""

from __future__ import annotations

from math import prod
from typing import ClassVar

import numpy as np

from meshgui.engine.allocation.base import Bound, Complexity, Source
from meshgui.engine.allocation.block_lists import (
    BlockState,
    drop,
    free_processors,
    part,
    parts,
    place_of,
    put,
)
from meshgui.engine.allocation.block_records import (
    BlockStrategy,
    block_name,
    note_block,
    release,
    take,
)
from meshgui.engine.allocation.buddy_blocks import Blocks
from meshgui.engine.allocation.held_boxes import hold
from meshgui.engine.allocation.inspection import Inspection, Moment, Table, Tree
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest, StrategyKernels
from meshgui.engine.allocation.panels import TableBuilder, plain_mark, with_those_before
from meshgui.engine.allocation.pseudo_code import NOT_ENOUGH_TO_GIVE, PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Mark, Role, Step, Steps, note_boxes, note_numbers
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Box, Mesh, write_box
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import are, counted

CODE = PseudoCode()
ENOUGH = CODE.add(NOT_ENOUGH_TO_GIVE)
FACTOR = CODE.decision(
    "factor",
    "write the number asked for in base 4, in 3D in base 8: each digit is a number of blocks of one size",
)
CODE.says("{asked} is {written} in base {base}: {digits}.")
SIZE = CODE.line("size", "for each size of which blocks are wanted, the largest first:")
CODE.says("{wanted}, {have}.")
LOOK = CODE.line("look", "if too few are free: look for a larger free block, the next size first", 1)
CODE.says("{found}.")
SPLIT = CODE.line(
    "split",
    "if there is one: break it into four buddies, in 3D eight, and the first of them again, down to the size",
    2,
)
CODE.says("{block} is broken into {parts} of {half}.")
DIVIDE = CODE.decision(
    "divide", "else: want four blocks, in 3D eight, of the next smaller size for each that is missing", 2
)
CODE.says("No larger block is free, so {more} instead of {missing}.")
TAKE = CODE.line("take", "take the first free blocks of the size, as many as are wanted", 1)
CODE.says("It takes {block}.")
FOUND = CODE.decision("found", "allocate the blocks taken")
CODE.says("The job gets {got}.")


@kernel
def _larger(state: BlockState, level: int, highest: int, log: Log) -> tuple[int, int]:
    """The next larger size of which a block is free, up to the highest: (level or -1, records seen)."""
    for j in range(level + 1, highest + 1):
        free = state.counts[j]
        if free > 0:
            node = int(state.places[state.starts[j]])
            note_block(log, state, LOOK, Role.CANDIDATE, node, j, (int(free), 1 << j, 1 << level))
            return j, j - level
        note_numbers(log, LOOK, 0, 1 << j, 1 << level)
    return -1, max(highest - level, 0)


@kernel
def _split(state: BlockState, level: int, down_to: int, log: Log) -> int:
    """Break the first free block of a size until blocks of a smaller size are there; how many were made."""
    node = int(state.places[state.starts[level]])
    for j in range(level, down_to, -1):
        drop(state, j, node)
        note_block(log, state, SPLIT, Role.TRIED, node, j)
        for n in range(parts(state)):
            buddy = part(state, node, 1 << (j - 1), n)
            put(state, j - 1, buddy)
            note_block(log, state, SAME_STEP, Role.CANDIDATE, buddy, j - 1)
    return parts(state) * (level - down_to)


@kernel
def _take_first(state: BlockState, level: int, boxes_out: Ints32, taken: int, log: Log) -> None:
    """Take the first free block of a size."""
    node, side = int(state.places[state.starts[level]]), 1 << level
    drop(state, level, node)
    x, y, z = place_of(state, node)
    write_box(boxes_out, taken, x, y, z, side, side, side if state.dims == 3 else 1)
    note_block(log, state, TAKE, Role.PLACED, node, level)


@kernel
def allocate(state: BlockState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Break blocks in the records themselves, as enough processors are free."""
    counts, wanted, base = state.counts, state.wanted, parts(state)
    processors, free = request.w * request.d * request.h, free_processors(state)
    if processors > free:
        state.tally[OPERATIONS] += 1
        note_numbers(log, ENOUGH, free, processors)
        return WAITS
    note_numbers(log, FACTOR, processors)
    for i in range(wanted.shape[0]):
        wanted[i] = processors >> state.dims * i & (base - 1)
    taken, examined = 0, 0
    highest = wanted.shape[0] - 1  # larger blocks than this are known not to be needed
    for i in range(wanted.shape[0] - 1, -1, -1):
        if wanted[i] == 0:
            continue
        examined += 1
        note_numbers(log, SIZE, wanted[i], counts[i], 1 << i)
        if wanted[i] > counts[i]:
            larger, looked_at = _larger(state, i, highest, log)
            examined += looked_at
            # What was broken leaves a block of this size over, and if nothing was there is nothing larger.
            highest = i
            if larger > 0:
                examined += _split(state, larger, i, log)
            else:
                missing = wanted[i] - counts[i]
                wanted[i - 1] += base * missing
                wanted[i] = counts[i]
                note_numbers(log, DIVIDE, missing, base * missing, 1 << i)
        for _ in range(wanted[i]):
            _take_first(state, i, boxes_out, taken, log)
            taken += 1
    state.tally[OPERATIONS] += examined + taken
    hold(state, request.job, boxes_out, taken)
    note_boxes(log, FOUND, Role.PLACED, boxes_out, taken, taken)
    return taken


class MultipleBuddy(BlockStrategy):
    """Square blocks for the base 4 digits of the request; larger ones are broken into four. In 3D, cubes."""

    id = "mbs"
    title = tr("Multiple Buddy")
    keeps_lists = True
    dims = frozenset({2, 3})
    needs_box = False
    source = Source("001", "§3.3, figures 3 and 4; 000 appendix A")
    complexity: ClassVar[Complexity | None] = Complexity(
        Bound("O(n)", n=1), Bound("O(n)", n=1), tr("001 §3.3.4, at worst")
    )
    lines = CODE.lines
    kernels = StrategyKernels(release, allocate=allocate, take=take)

    def inspect(self, moment: Moment) -> Inspection:
        """The free block records with what is still wanted of each size, and the blocks as a tree."""
        so_far = BlockProgress(self.mesh, moment)
        return Inspection(so_far.panels(), so_far.marks(), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        mark, dims = step.marks[0], self.mesh.dims
        n, k, i = mark.values
        asked, base = prod(moment.request.size) if moment.request is not None else 0, 1 << dims
        block, boxes = block_name(mark.box, flat=dims == 2), len(step.marks)
        found = tr("{blocks} free, {block} first").format(blocks=_blocks(n, k, dims), block=block)
        these = tr("these {marks} blocks").format(marks=boxes)
        nothing = tr("No block of {square} is free").format(square=_square(k, dims))
        return super().words(step, moment) | {
            "asked": asked,
            "base": base,
            "parts": tr("its eight buddies") if dims == 3 else tr("its four buddies"),
            "written": np.base_repr(asked, base),
            "digits": _in_words(asked, dims),
            "wanted": tr("{blocks} wanted").format(blocks=_blocks(n, i, dims)),
            "have": tr_n("{number} is free", "{number} are free", k) if k else tr("none is free"),
            "found": found if n else nothing,
            "block": block,
            "half": _square(mark.box.w // 2, dims),
            "more": tr("{blocks} wanted").format(blocks=_blocks(k, i // 2, dims)),
            "missing": tr("{n} of {square}").format(n=n, square=_square(i, dims)),
            "got": these if boxes > 1 else tr("the block {block}").format(block=block),
        }


def _digits(number: int, count: int, dims: int) -> list[int]:
    """The digits of a number in base 4 or 8, the lowest first."""
    return [number >> dims * i & ((1 << dims) - 1) for i in range(count)]


def _in_words(number: int, dims: int) -> str:
    """The digits that are not 0, the highest first, each with the size of its blocks."""
    digits = list(enumerate(_digits(number, number.bit_length(), dims)))
    return tr(" and ").join(
        tr("{digit} of {square}").format(digit=digit, square=_square(1 << i, dims))
        for i, digit in reversed(digits)
        if digit
    )


def _square(side: int, dims: int) -> str:
    return "×".join([str(side)] * dims)


def _blocks(count: int, side: int, dims: int) -> str:
    said = tr("{blocks} of {square} {are}")
    return said.format(blocks=counted(count, "block"), square=_square(side, dims), are=are(count))


_LISTED = 12  # this many blocks of a record are named


class BlockProgress(Blocks):
    """The blocks as the steps of an attempt leave them, and how many of each size it still wants."""

    def __init__(self, mesh: Mesh, moment: Moment, shift: int = 0) -> None:
        super().__init__(mesh, moment, SPLIT + shift)
        self.shift, self.step = shift, moment.step
        self.job = None if moment.request is None else moment.request.job
        self.wanted: list[int] | None = None
        self.levels = len(moment.state["counts"])
        asked = prod(moment.request.size) if moment.request is not None else 0
        self._follow(moment.steps, _digits(asked, self.levels, mesh.dims))

    def _follow(self, steps: Steps, wanted: list[int]) -> None:
        for at in np.flatnonzero(steps.lines() >= FACTOR + self.shift).tolist():
            mark, line = steps[at].marks[0], steps[at].line - self.shift
            self.wanted = wanted
            if line == DIVIDE:
                missing, more, side = mark.values
                level = side.bit_length() - 1
                wanted[level] -= missing
                wanted[level - 1] += more
            elif line == TAKE:
                self.free.remove(mark.box)
                self.taken.append(mark.box)
                wanted[mark.box.w.bit_length() - 1] -= 1

    def marks(self) -> tuple[Mark, ...]:
        """The marks to draw: those of the step, and the blocks taken so far."""
        now = self.step.marks if self.step is not None else ()
        return with_those_before(now, (plain_mark(Role.PLACED, box) for box in self.taken))

    def panels(self) -> tuple[Table, Tree]:
        """The free block records with what is still wanted of each size, and the blocks as a tree."""
        current = {mark.box for mark in self.step.marks} if self.step is not None else set()
        return self._records(), self.tree(tr("Blocks"), current, self.job)

    def _records(self) -> Table:
        records: list[list[Box]] = [[] for _ in range(self.levels)]
        for block in sorted(self.free, key=lambda block: (block.z, block.y, block.x)):
            records[block.w.bit_length() - 1].append(block)
        columns = (tr("Size"), tr("Wanted"), tr("Free", "blocks, how many"), tr("Blocks"))
        table = TableBuilder(tr("Free block records"), columns)
        for level, record in reversed(list(enumerate(records))):
            first = plain_mark(Role.CANDIDATE, record[0]) if record else None
            flat, more = self.mesh.dims == 2, len(record) - _LISTED
            listed = " ".join(block_name(block, flat=flat) for block in record[:_LISTED])
            listed += tr(" and {record} more").format(record=more) if more > 0 else ""
            wanted = None if self.wanted is None else str(self.wanted[level])
            cells = (_square(1 << level, self.mesh.dims), wanted, str(len(record)), listed)
            table.row(*cells, mark=first, current=self._side() == 1 << level)
        return table.table()

    def _side(self) -> int | None:
        """The side of the blocks whose record the step looks into."""
        if self.step is None:
            return None
        line, mark = self.step.line - self.shift, self.step.marks[0]
        sides = {SIZE: mark.values[2], DIVIDE: mark.values[2], LOOK: mark.values[1]}
        return sides.get(line, mark.box.w if line in {SPLIT, TAKE} else None)

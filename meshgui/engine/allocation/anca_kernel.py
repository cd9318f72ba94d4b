"""The kernels of Adaptive Non-contiguous Allocation: scanning for a part, cutting parts in two."""

from __future__ import annotations

from typing import Final, NamedTuple

from meshgui.engine.allocation.held_boxes import BusyBoxes, HeldBoxesStrategy, hold, listed, note_row
from meshgui.engine.allocation.held_boxes import release as drop
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest
from meshgui.engine.allocation.nested_search import rows_in, stand_at
from meshgui.engine.allocation.pseudo_code import NOT_ENOUGH, PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, note, note_boxes, note_numbers
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.kernel import kernel

CODE = PseudoCode()
ENOUGH = CODE.add(NOT_ENOUGH)
ROUND = CODE.decision(
    "round", "for each round: take the request whole, later cut every part in two across its longer side"
)
CODE.says("Round {n}: {parts}.")
PART = CODE.line("part", "for each part: scan the rows for a free box", 1)
CODE.says("Part {n} of {k} needs a box of {size}.")
BUSY = CODE.line("busy", "if a processor of the box is busy: continue right of the last such column", 2)
CODE.says("The box {box} would hold a processor of {whose}.")
PLACE = CODE.line("place", "else: put the part there", 2)
CODE.says("Part {n} of {k} fits into {box}.")
BACK = CODE.decision("back", "if a part has found no box: give back what the others have", 1)
CODE.says("Part {n} of {k} fits nowhere{given}.")
FOUND = CODE.decision("found", "else: allocate the boxes", 1)
CODE.says("{all}: the job gets {boxes}.")
FAIL = CODE.decision("fail", "the rounds are used up, or a part cannot be cut: fail")
CODE.says("{why}, so the job waits.")

NO_JOB: Final = -1

RELEASE = PseudoCode()
FREED = RELEASE.decision("free", "mark the processors of the job's boxes free")
RELEASE.says("{freed} free.")
RELEASE_SHIFT = RELEASE.add(*HeldBoxesStrategy.release_lines)


@kernel
def _first_fit(held: Ints32, a: int, b: int, log: Log) -> tuple[int, int, int]:
    """The first free box of a×b, jumping over busy processors: (x or -1, y, processors examined)."""
    length, width = held.shape
    examined = 0
    for y in range(length - b + 1):
        x = 0
        while x + a <= width:
            busy = -1  # the last column with a busy processor: no box based up to there is free in this row
            for u in range(x + a - 1, x - 1, -1):
                for v in range(y, y + b):
                    examined += 1
                    if held[v, u] != NO_JOB:
                        busy = u
                        note(log, BUSY, Role.TRIED, x, y, 0, a, b, 1, held[v, u])
                        note(log, SAME_STEP, Role.BLOCKED, u, v, 0, 1, 1, 1, held[v, u])
                        break
                if busy >= 0:
                    break
            if busy < 0:
                return x, y, examined
            x = busy + 1
    return -1, 0, examined


class PartsState(NamedTuple):
    """The state of the kernels."""

    tally: Ints
    busy: BusyBoxes
    held: Ints32  # the job that holds each processor [y, x], or -1
    free: Ints  # one number: how many processors are
    rounds: int  # how often a request may be cut
    least: int  # the shortest side that a part may have


@kernel
def fill(held: Ints32, x1: int, y1: int, x2: int, y2: int, job: int) -> int:
    """Note a box as the job's, or for -1 as free: how many processors it has."""
    for y in range(y1, y2 + 1):
        for x in range(x1, x2 + 1):
            held[y, x] = job
    return (x2 - x1 + 1) * (y2 - y1 + 1)


@kernel
def _fill_part(state: PartsState, part: Ints32, job: int) -> int:
    """The same for a part with its base."""
    x, y = int(part[0]), int(part[1])
    return fill(state.held, x, y, x + part[3] - 1, y + part[4] - 1, job)


@kernel
def place(state: PartsState, parts: Ints32, count: int, job: int, log: Log) -> bool:
    """Find bases for the parts one after another, each beside those before it: whether all have one."""
    placed = 0
    while placed < count:
        part = parts[placed]
        note(log, PART, Role.TRIED, 0, 0, 0, part[3], part[4], 1, placed + 1, count)
        x, y, examined = _first_fit(state.held, part[3], part[4], log)
        state.tally[OPERATIONS] += examined
        if x < 0:
            note_numbers(log, BACK, placed + 1, count)
            break
        part[0], part[1] = x, y
        _fill_part(state, part, job)
        placed += 1
        note(log, PLACE, Role.PLACED, x, y, 0, part[3], part[4], 1, placed, count)
    for p in range(placed):
        _fill_part(state, parts[p], NO_JOB)
    return placed == count


@kernel
def halve(parts: Ints32, count: int, least: int) -> int:
    """Cut each part across its longer side: how many there are, 0 where a half had a side below the least."""
    for p in range(count):
        w, d = parts[p, 3], parts[p, 4]
        if max(w, d) < 2 * least or min(w, d) < least:
            return 0
    for p in range(count - 1, -1, -1):
        w, d = parts[p, 3], parts[p, 4]
        across = w >= d
        for half in range(1, -1, -1):
            part = parts[2 * p + half]
            part[3] = (w + 1 - half) // 2 if across else w
            part[4] = d if across else (d + 1 - half) // 2
            part[2], part[5] = 0, 1
    return 2 * count


@kernel
def search(state: PartsState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Place the parts, in `boxes_out`; processors examined are the operations."""
    wanted = request.w * request.d
    state.tally[OPERATIONS] += 1
    if wanted > state.free[0]:
        note_numbers(log, ENOUGH, state.free[0], wanted)
        return WAITS
    boxes_out[0, 2], boxes_out[0, 3], boxes_out[0, 4], boxes_out[0, 5] = 0, request.w, request.d, 1
    count, turn = 1, 0
    while count > 0 and turn <= state.rounds:
        note_numbers(log, ROUND, turn, count)
        if place(state, boxes_out, count, request.job, log):
            note_boxes(log, FOUND, Role.PLACED, boxes_out, count, count)
            return count
        turn += 1
        if turn <= state.rounds:
            count = halve(boxes_out, count, state.least)
    note_numbers(log, FAIL, 0 if count > 0 else state.least, state.rounds)
    return WAITS


@kernel
def take(state: PartsState, job: int, boxes: Ints32, count: int) -> None:
    """Mark the boxes as held by the job."""
    hold(state, job, boxes, count)
    for n in range(count):
        state.free[0] -= _fill_part(state, boxes[n], job)


@kernel
def release(state: PartsState, job: int, log: Log) -> None:
    """Free what the job holds."""
    busy, line = listed(state.busy), FREED
    for n in range(busy.shape[0]):
        x1, y1, _, x2, y2, _, holder = busy[n]
        if holder == job:
            state.free[0] += fill(state.held, int(x1), int(y1), int(x2), int(y2), NO_JOB)
            note_row(log, line, Role.CANDIDATE, busy, n, 0)
            line = SAME_STEP
    before = rows_in(log)
    drop(state, job, log)
    stand_at(log, before, RELEASE_SHIFT)

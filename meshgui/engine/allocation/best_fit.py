"""Best Fit and Turning Best Fit (000 §2.2.1, 001 §2, 002 §2.1): the free box that fits most tightly.

The papers name two measures and define neither, so here they are exactly. The *busy neighbours* of a box are
the places that touch it by a face and hold no free processor: busy processors, and places outside the mesh
(on a 2D mesh only the four sides count). The *surrounding free area* is what the box would leave over of the
free region it lies in: the free processors that can be reached from it over links between free processors,
without its own. The most busy neighbours win, then the least free area, then scan order: First Fit's.

On a torus all of this continues across seams. Along a ring that a box spans it has no neighbours, and a place
that it touches from both sides counts once.

As in Zhu's bit arrays, no processor is looked at more than a fixed number of times: a summed-area table
answers how many busy processors any box has.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation.base import Bound, Complexity, Source
from meshgui.engine.allocation.first_fit import FirstFit, SeamStrategy, count_busy, find, first_state
from meshgui.engine.allocation.free_bits import (
    NO_BASE,
    WORD,
    FreeBits,
    Rings,
    bases_end,
    grow,
    in_scan,
    is_base,
    mark_bases,
    next_base,
    ones,
    ring_axes,
)
from meshgui.engine.allocation.held_processors import FREE, Processors
from meshgui.engine.allocation.inspection import Heat, Inspection, Moment, Table
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, AnyState
from meshgui.engine.allocation.panels import BASES, BUSY, NOT_A_BASE, GridBuilder, TableBuilder
from meshgui.engine.allocation.pseudo_code import NOT_ENOUGH, PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Mark, Role, Step, note, note_numbers
from meshgui.engine.allocation.summed_area import busy_in, no_sums, sum_up
from meshgui.engine.allocation.turning import Turning
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Box, Mesh, Size
from meshgui.engine.basics.kernel import kernel, with_parts
from meshgui.engine.basics.translation import said_again, tr
from meshgui.engine.basics.words import count_of, counted

UNKNOWN = -1  # area: a free region that need not be measured

CODE = PseudoCode(NOT_ENOUGH)
SURVEY = CODE.line("survey", "sum up the busy processors, and measure the free regions")
CODE.says("{busy}; the free ones form {regions}.")
TURN = CODE.decision("turn", "for each orientation of the request:")
CODE.says("Try it {way}.")
CODE.line("scan", "for each base whose box stays inside the mesh, in scan order:", 1)
BLOCKED = CODE.line("blocked", "if a processor of the box is busy: this is not a base", 2)
CODE.says("The box based at {base} has {n} busy, so this is not a base.")
SCORE = CODE.line("score", "else: count the box's busy neighbours and the free area it leaves", 2)
CODE.says("The box {box} is free: {n} of {i} places around it are busy or outside, and {k}.")
KEEP = CODE.decision("keep", "if there are more, or equally many and less area: it is the best so far", 2)
CODE.says("{why}: {base} is the best base so far.")
FOUND = CODE.decision("found", "if there was a base: allocate the best one's box", 1)
CODE.says("No base is better than {base}: the job gets {box}.")
NEXT = CODE.line("next", "else: go to the next orientation", 1)
CODE.says("Turned this way, it has no base.")
FAIL = CODE.decision("fail", "no orientation has a base: fail")
CODE.says("No processor can be its base, so the job waits.")


class Regions(NamedTuple):
    """The part of a state that knows the free regions."""

    sums: Ints32  # see `sum_up`
    sizes: Ints32  # [line, place]: of the region that a free processor lies in, where it is known


class BestFitState(NamedTuple):
    """First Fit's state, and the free regions."""

    tally: Ints
    processors: Processors
    turning: Turning
    bits: FreeBits  # with room, in `scratch`, for the bits of a free region, too
    weights: Ints
    regions: Regions


def best_state(mesh: Mesh, *, turns: bool, across: bool = False) -> BestFitState:
    """The state on an empty machine."""
    first = first_state(mesh, turns=turns, across=across)
    lines = first.bits.bases.shape[1]
    sizes = np.zeros((lines, mesh.processors // lines), dtype=np.int32)
    return BestFitState(*first, Regions(no_sums(mesh), sizes))


@kernel
def region_size(
    free: Ints, region: Ints, sizes: Ints32, rings: Rings, depth: int, line: int, place: int
) -> int:
    """The size of the free region that a processor lies in, measured unless `sizes` has it already."""
    if sizes[line, place]:
        return int(sizes[line, place])
    region[...] = 0
    region[place // WORD, line] = 1 << place % WORD
    grow(free, region, rings, depth, sizes.shape[1])
    words, lines = region.shape
    size = 0
    for word in range(words):
        for n in range(lines):
            size += ones(region[word, n])
    for n in range(lines):
        for there in range(sizes.shape[1]):
            sizes[n, there] = size if is_base(region, n, there) else sizes[n, there]
    return size


@kernel
def free_regions(free: Ints, region: Ints, sizes: Ints32, rings: Rings, depth: int) -> int:
    """Measure all free regions: how many there are."""
    regions = 0
    for line in range(sizes.shape[0]):
        place = next_base(free, line, 0)
        while place != NO_BASE:
            if sizes[line, place] == 0:
                region_size(free, region, sizes, rings, depth, line, place)
                regions += 1
            place = next_base(free, line, place + 1)
    return regions


@kernel
def busy_neighbours(sums: Ints32, x: int, y: int, z: int, a: int, b: int, c: int, flat: int) -> int:
    """How many places that touch the box by a face are busy or outside the mesh."""
    height, depth, width = sums.shape[0] - 1, sums.shape[1] - 1, sums.shape[2] - 1
    n = b * c if x == 0 else busy_in(sums, x - 1, y, z, 1, b, c)
    n += b * c if x + a == width else busy_in(sums, x + a, y, z, 1, b, c)
    n += a * c if y == 0 else busy_in(sums, x, y - 1, z, a, 1, c)
    n += a * c if y + b == depth else busy_in(sums, x, y + b, z, a, 1, c)
    if not flat:
        n += a * b if z == 0 else busy_in(sums, x, y, z - 1, a, b, 1)
        n += a * b if z + c == height else busy_in(sums, x, y, z + c, a, b, 1)
    return n


@kernel
def _busy_across(sums: Ints32, x: int, y: int, z: int, w: int, d: int, h: int) -> int:
    """How many busy processors a box has that may lie across seams."""
    height, depth, width = sums.shape[0] - 1, sums.shape[1] - 1, sums.shape[2] - 1
    n = 0
    for k in range(2):
        bottom, high = (z, min(h, height - z)) if k == 0 else (0, z + h - height)
        for j in range(2):
            south, deep = (y, min(d, depth - y)) if j == 0 else (0, y + d - depth)
            for i in range(2):
                west, wide = (x, min(w, width - x)) if i == 0 else (0, x + w - width)
                if min(high, deep, wide) > 0:
                    n += busy_in(sums, west, south, bottom, wide, deep, high)
    return n


@kernel
def faces(ring: int, side: int, extent: int) -> int:
    """On how many sides a box has neighbours along an axis: it may span a ring, or leave one place of it."""
    return int(min(extent - side, 2)) if ring else 2


@kernel
def busy_around(
    sums: Ints32,
    rings: tuple[int, int, int],
    base: tuple[int, int, int],
    size: tuple[int, int, int],
    flat: int,
) -> int:
    """The busy neighbours of a box where some axes are rings."""
    extents, n = (sums.shape[2] - 1, sums.shape[1] - 1, sums.shape[0] - 1), 0
    x, y, z = base
    w, d, h = size
    for axis in range(2 if flat else 3):
        first, side, extent, ring = base[axis], size[axis], extents[axis], rings[axis]
        for face in range(faces(ring, side, extent)):
            at = first + side if face else first - 1
            if not ring and (at < 0 or at == extent):
                n += w * d * h // side
                continue
            at %= extent
            if axis == 0:
                n += _busy_across(sums, at, y, z, 1, d, h)
            elif axis == 1:
                n += _busy_across(sums, x, at, z, w, 1, h)
            else:
                n += _busy_across(sums, x, y, at, w, d, 1)
    return n


@kernel
def _note_blocked(log: Log, held: Ints32, x: int, y: int, z: int, a: int, b: int, c: int) -> None:
    """Log a box that is not free, and the first busy processor in it."""
    busy, u, v, t = count_busy(held, x, y, z, a, b, c)
    note(log, BLOCKED, Role.TRIED, x, y, z, a, b, c, busy, a * b * c)
    note(log, SAME_STEP, Role.BLOCKED, u, v, t, 1, 1, 1, held[t, v, u])


@kernel
def _next(
    bases: Ints, depth: int, across: int, deep: int, long: int, u: int, v: int, place: int, log: Log
) -> tuple[int, int, int]:
    """What follows in scan order, of the places in the given bounds; without a log, of the bases there."""
    while True:
        place = place + 1 if log is not None else next_base(bases, u * depth + v, place + 1)
        if place < long:
            return u, v, place
        place, v = -1, v + 1
        if v == deep:
            u, v = u + 1, 0
            if u == across:
                return u, v, NO_BASE


@kernel
def search(state: AnyState, turns: Ints32, log: Log) -> tuple[int, int, int, int]:
    """The free box that fits most tightly: (turn or -1, x, y, z).

    Without a log only bases are visited, and a free region is measured when that has to decide.
    """
    held, flat, summed = state.processors.held, state.bits.flat, False
    free, bases, region, around = state.bits.free, state.bits.bases, state.bits.scratch, state.bits.rings
    sums, sizes, rings = state.regions.sums, state.regions.sizes, ring_axes(state.bits)
    height, depth, width = held.shape
    state.tally[OPERATIONS] += 2 * held.size
    sizes[...] = 0
    if log is not None:
        busy, regions = held.size - state.processors.free[0], free_regions(free, region, sizes, around, depth)
        note_numbers(log, SURVEY, busy, regions)
    for t in range(turns.shape[0]):
        a, b, c = turns[t, 0], turns[t, 1], turns[t, 2]
        first, second, third = in_scan(flat, a, b, c)
        across, deep, long = bases_end(state, first, second, third)
        state.tally[OPERATIONS] += across * deep * long
        sides = faces(rings[0], a, width) * b * c + faces(rings[1], b, depth) * c * a
        sides += 0 if flat else faces(rings[2], c, height) * a * b
        most, least, best_u, best_v, best_place = -1, UNKNOWN, 0, 0, 0
        note(log, TURN, Role.TRIED, 0, 0, 0, a, b, c, t)
        mark_bases(state, first, second, third)
        u, v, place = 0, 0, -1
        while True:
            u, v, place = _next(bases, depth, across, deep, long, u, v, place, log)
            if place == NO_BASE:
                break
            x, y, z = in_scan(flat, u, v, place)
            if log is not None and not is_base(bases, u * depth + v, place):
                _note_blocked(log, held, x, y, z, a, b, c)
                continue
            if not summed:
                sum_up(held, sums)
                summed = True
            left = UNKNOWN
            if rings[0] or rings[1] or rings[2]:
                touching = busy_around(sums, rings, (x, y, z), (a, b, c), flat)
            else:
                touching = busy_neighbours(sums, x, y, z, a, b, c, flat)
            if log is not None or touching == most:
                left = region_size(free, region, sizes, around, depth, u * depth + v, place) - a * b * c
                if least == UNKNOWN:
                    best = best_u * depth + best_v
                    least = region_size(free, region, sizes, around, depth, best, best_place) - a * b * c
            note(log, SCORE, Role.CANDIDATE, x, y, z, a, b, c, touching, left, sides)
            if touching > most or (touching == most and left < least):
                why = 0 if most < 0 else (1 if touching > most else 2)
                note(log, KEEP, Role.CANDIDATE, x, y, z, a, b, c, touching, left, why)
                most, least, best_u, best_v, best_place = touching, left, u, v, place
        if most >= 0:
            x, y, z = in_scan(flat, best_u, best_v, best_place)
            note(log, FOUND, Role.PLACED, x, y, z, a, b, c, most, least, t)
            return t, x, y, z
        note_numbers(log, NEXT, t)
    note(log, FAIL)
    return -1, 0, 0, 0


_WHY = (tr("It is the first"), tr("It has more busy neighbours"), tr("It has equally many and leaves less"))


class BestFit(SeamStrategy):
    """The free box with the most busy neighbours, the request as it is."""

    id = "bf"
    title = tr("Best Fit")
    dims = frozenset({2, 3})
    rotates = False
    source = Source("000", "§2.2.1; 001 §2; 002 §2.1")
    complexity = Complexity(Bound("O(n)", n=1), Bound("O(n)", n=1), tr("004 table 2"))
    lines = CODE.lines
    fails_until_release = True
    kernels = FirstFit.kernels._replace(search=with_parts(find, "bf", search=search))

    def empty_state(self) -> BestFitState:
        return best_state(self.mesh, turns=self.rotates, across=self.options.across)

    def inspect(self, moment: Moment) -> Inspection:
        """The candidate bases with their scores, as a list and as heat on the mesh."""
        seen = moment.steps.since(TURN).rows
        bases = GridBuilder(self.mesh.extents[::-1], *BASES)
        for line in (BLOCKED, SCORE):
            there = seen[seen[:, 0] == line]
            x, y, z = there[:, 2], there[:, 3], there[:, 4]
            bases.values[z, y, x] = there[:, 8] if line == SCORE else NOT_A_BASE.value
        bases.put(moment.state["held"] != FREE, BUSY)
        heat = None
        if moment.request is not None:
            heat = Heat(tr("busy neighbours"), 0, self._sides(moment.request.size))
        grid = bases.grid(tr("Bases"), heat)
        panels = (self._candidates(seen), grid)
        return Inspection(panels, moment.marks, self.say(moment), heat=grid if heat is not None else None)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, i = step.marks[0].values
        words = super().words(step, moment)
        several = tr("{n} processors are busy").format(n=n)
        words["busy"] = {0: tr("No processor is busy"), 1: tr("1 processor is busy")}.get(n, several)
        words["regions"] = count_of(k, "region")
        words["why"] = said_again(_WHY[i]) if step.line == KEEP else ""
        if step.line == BLOCKED:
            words["n"] = tr("{n} of its {processors}").format(n=n, processors=counted(k, "processor"))
        elif step.line == SCORE:
            more = tr("{k} more are free in its region").format(k=k)
            few = {0: tr("it fills its region"), 1: tr("1 more is free in its region")}
            words["k"] = few.get(k, more)
        return words

    def _sides(self, size: Size) -> int:
        """How many places touch a box of this size by a face, however it is turned."""
        a, b, c = size
        return 2 * (a + b) if self.mesh.dims == 2 else 2 * (a * b + b * c + c * a)

    def _candidates(self, seen: Ints32) -> Table:
        """Every base found in this orientation with its score; the best so far is marked."""
        kept = np.flatnonzero(seen[:, 0] == KEEP)
        best = tuple(seen[kept[-1], 2:5].tolist()) if len(kept) else None
        columns = (tr("Base"), tr("Busy neighbours"), tr("Free area left"), "")
        table = TableBuilder(tr("Candidates"), columns, tr("None: no base has been found yet."))
        scores = np.flatnonzero(seen[:, 0] == SCORE)
        last = scores[-1] if len(scores) and seen[-1, 0] in {SCORE, KEEP} else -1
        for i in scores.tolist():
            _, _, *corner, around, left, sides = seen[i].tolist()
            box = Box(*corner)
            base, rank = box.corner(flat=self.mesh.dims == 2), tr("best") if box.base == best else ""
            mark = Mark(Role.CANDIDATE, box, (around, left, sides))
            table.row(base, str(around), str(left), rank, mark=mark, current=i == last)
        return table.table()


class TurningBestFit(BestFit):
    """The free box with the most busy neighbours, in the first orientation of the request that has one."""

    id = "tbf"
    title = tr("Turning Best Fit")
    rotates = True

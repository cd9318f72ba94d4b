"""Keeps a bit for each free processor, and finds with these all bases of a box at once.

Words hold the bits of a line. Lines run along the dimension that First Fit's scan goes through innermost,
and follow one another as in its scan: in 3D each runs up the z axis, x outermost; in 2D each is a row. There
x and z exchange their parts, which `in_scan` does for a place or a size. The box of a base is free if a line
has enough free processors from the base on, and so have all lines beside it: every word is compared with the
next in line, and every line with the one so many further, in steps that double. Where boxes may lie across
the seam of a ring, what comes after the end along it is its beginning.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.allocation.held_processors import FREE, HeldProcessorsStrategy
from meshgui.engine.allocation.held_processors import take as hold
from meshgui.engine.allocation.inspection import State
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, AnyState
from meshgui.engine.allocation.steps import Log
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import Place, kernel

SHIFT: Final = 5
WORD: Final = 1 << SHIFT  # bits in use: a word and the next one fit into 64 together
NO_BASE: Final = 1 << 30


class Rings(NamedTuple):
    """Across the seam of which axes boxes may lie, in the order of the scan: 0 or 1 each."""

    outer: int
    deep: int
    along: int


class FreeBits(NamedTuple):
    """The part of a state that has the bits."""

    free: Ints  # [word, line]
    bases: Ints  # the same of the bases that `mark_bases` has found
    scratch: Ints  # and room for what it finds on its way
    flat: int  # whether the mesh is 2D
    once: int  # whether First Fit counts a processor once an orientation, not with every box it is in
    rings: Rings


def all_free(mesh: Mesh, *, once: bool = False, across: bool = False) -> FreeBits:
    """The bits of an empty machine."""
    width, depth, height = mesh.extents
    lines, length = (depth, width) if mesh.dims == 2 else (width * depth, height)
    words = [[(1 << min(length - at, WORD)) - 1] * lines for at in range(0, length, WORD)]
    bits = np.array(words, dtype=np.int64)
    flat = int(mesh.dims == 2)
    rings = Rings(*(int(across and ring) for ring in in_scan.python(flat, *mesh.rings)))
    return FreeBits(bits, np.zeros_like(bits), np.zeros_like(bits), flat, int(once), rings)


@kernel
def in_scan(flat: int, x: int, y: int, z: int) -> tuple[int, int, int]:
    """The same as the scan sees it, the outermost dimension first; and back again."""
    return (z, y, x) if flat else (x, y, z)


@kernel
def ring_axes(bits: FreeBits) -> tuple[int, int, int]:
    """Whether boxes may lie across the seams of x, y and z."""
    return in_scan(bits.flat, bits.rings.outer, bits.rings.deep, bits.rings.along)


@kernel
def ones(word: int) -> int:
    """How many bits of a word are set."""
    pairs = word - ((word >> 1) & 0x55555555)
    fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333)
    return ((((fours + (fours >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 24) & 0xFF


@kernel
def ones_and_places(word: int) -> tuple[int, int]:
    """How many bits of a word are set, and the sum of their places: of pairs, of fours, and so on."""
    pairs, places = (word & 0x55555555) + ((word >> 1) & 0x55555555), (word >> 1) & 0x55555555
    above = (pairs >> 2) & 0x33333333
    fours, places = (
        (pairs & 0x33333333) + above,
        (places & 0x33333333) + ((places >> 2) & 0x33333333) + 2 * above,
    )
    above = (fours >> 4) & 0x0F0F0F0F
    eights, places = (
        (fours & 0x0F0F0F0F) + above,
        (places & 0x0F0F0F0F) + ((places >> 4) & 0x0F0F0F0F) + 4 * above,
    )
    above = (eights >> 8) & 0x00FF00FF
    halves, places = (
        (eights & 0x00FF00FF) + above,
        (places & 0x00FF00FF) + ((places >> 8) & 0x00FF00FF) + 8 * above,
    )
    above = halves >> 16
    return (halves & 0xFFFF) + above, (places & 0xFFFF) + (places >> 16) + 16 * above


@kernel
def low_bits(count: int) -> int:
    """A word with this many of its lowest bits set, at least none and at most all."""
    return (1 << int(min(max(count, 0), WORD))) - 1


@kernel
def take(state: AnyState, job: int, boxes: Ints32, count: int) -> None:
    """Mark the boxes as held by the job."""
    hold(state, job, boxes, count)
    depth = state.processors.held.shape[1]
    for n in range(count):
        u, v, w = in_scan(state.bits.flat, boxes[n, 0], boxes[n, 1], boxes[n, 2])
        a, b, c = in_scan(state.bits.flat, boxes[n, 3], boxes[n, 4], boxes[n, 5])
        for word in range(w >> SHIFT, (w + c - 1 >> SHIFT) + 1):
            kept = ~(low_bits(w + c - word * WORD) & ~low_bits(w - word * WORD))
            for i in range(u, u + a):
                for line in range(i * depth + v, i * depth + v + b):
                    state.bits.free[word, line] &= kept


@kernel
def vacate(state: AnyState, job: int) -> None:
    """Free every processor of a job, or, of job FREE, write the bits of those that are free."""
    held, bits = state.processors.held, state.bits.free
    height, depth, width = held.shape
    for z in range(height):
        for y in range(depth):
            there = 0
            for x in range(width):
                there += 1 if held[z, y, x] == job else 0
            if there == 0:
                continue
            state.processors.free[0] += there
            for x in range(width):
                if held[z, y, x] == job:
                    held[z, y, x] = FREE
                    u, v, w = in_scan(state.bits.flat, x, y, z)
                    bits[w >> SHIFT, u * depth + v] |= 1 << (w & WORD - 1)


@kernel
def release(state: AnyState, job: int, _log: Log) -> None:
    """Look at every processor, as 000 figure 2.6 does."""
    vacate(state, job)
    state.tally[OPERATIONS] += state.processors.held.size


@kernel
def bases_end(state: AnyState, a: int, b: int, c: int) -> tuple[int, int, int]:
    """Before which place, in each dimension of the scan, a box with these sides must have its base."""
    height, depth, width = state.processors.held.shape
    across, deep, length = in_scan(state.bits.flat, width, depth, height)
    rings = state.bits.rings
    return (
        across if rings.outer else across - a + 1,
        deep if rings.deep else deep - b + 1,
        length if rings.along else length - c + 1,
    )


@kernel
def mark_bases(state: AnyState, a: int, b: int, c: int) -> None:
    """Mark where a box with these sides, as the scan sees them, is free.

    What is in lines too near the end of the outer dimensions for the box means nothing. Every pass goes
    from one array into another; a last one that changes nothing may bring the marks to where they belong.
    """
    rings, lines, passes = state.bits.rings, state.bits.free.shape[1], 0
    depth = state.processors.held.shape[1]
    for side, apart, ring, turn in ((b, 1, rings.deep, depth), (a, depth, rings.outer, lines)):
        reach = 1
        while reach < side:
            rest, step = side - reach, min(3 * reach, side - reach)
            near, far, most = min(reach, rest) * apart, min(2 * reach, rest) * apart, step * apart
            lines -= 0 if ring else most
            here, there = _arrays_of(state.bits, passes)
            if ring:
                _keep_if_free_around(here, there, lines, turn, near, far, most)
            else:
                _keep_if_free_beside(here, there, lines, near, far, most)
            reach += step
            passes += 1
    reach = 1
    while reach < c or passes % 2 == 0:
        rest = min(c - reach, WORD)
        near, far, most = min(reach, rest), min(2 * reach, rest), min(3 * reach, rest)
        here, there = _arrays_of(state.bits, passes)
        if rings.along:
            height, _, width = state.processors.held.shape
            _keep_if_free_round(here, there, lines, width if state.bits.flat else height, near, far, most)
        else:
            _keep_if_free_along(here, there, lines, near, far, most)
        reach += most
        passes += 1


@kernel
def _arrays_of(bits: FreeBits, passes: int) -> tuple[Ints, Ints]:
    """From which array into which the next pass goes."""
    if passes == 0:
        return bits.free, bits.bases
    return (bits.bases, bits.scratch) if passes % 2 else (bits.scratch, bits.bases)


# From one array into another, and in loops of their own, so that the compiler makes vectors of them.


@kernel
def _keep_if_free_along(here: Ints, there: Ints, lines: int, near: int, far: int, most: int) -> None:
    """Keep the bits whose neighbours, this many places on in the line, are set."""
    words = here.shape[0]
    for word in range(words - 1):
        for line in range(lines):
            bits = here[Place(word), Place(line)] | here[Place(word + 1), Place(line)] << WORD
            there[Place(word), Place(line)] = (
                bits & bits >> near & bits >> far & bits >> most & (1 << WORD) - 1
            )
    for line in range(lines):
        bits = here[Place(words - 1), Place(line)]
        there[Place(words - 1), Place(line)] = bits & bits >> near & bits >> far & bits >> most


@kernel
def _keep_if_free_beside(here: Ints, there: Ints, lines: int, near: int, far: int, most: int) -> None:
    """Keep the bits that are set in the lines this many lines on, too."""
    for word in range(here.shape[0]):
        for line in range(lines):
            there[Place(word), Place(line)] = (
                here[Place(word), Place(line)]
                & here[Place(word), Place(line + near)]
                & here[Place(word), Place(line + far)]
                & here[Place(word), Place(line + most)]
            )


@kernel
def _keep_if_free_around(
    here: Ints, there: Ints, lines: int, turn: int, near: int, far: int, most: int
) -> None:
    """The same around a ring: of each group of `turn` lines the first comes after the last."""
    for line in range(lines):
        first = line // turn * turn
        at = line - first
        one, two, three = first + (at + near) % turn, first + (at + far) % turn, first + (at + most) % turn
        for word in range(here.shape[0]):
            there[word, line] = here[word, line] & here[word, one] & here[word, two] & here[word, three]


@kernel
def _keep_if_free_round(
    here: Ints, there: Ints, lines: int, length: int, near: int, far: int, most: int
) -> None:
    """Keep the bits whose neighbours, this many places on around the line, are set."""
    for word in range(here.shape[0]):
        begin = word * WORD
        for line in range(lines):
            bits = here[word, line] & _word_at(here, line, begin + near, length)
            bits &= _word_at(here, line, begin + far, length) & _word_at(here, line, begin + most, length)
            there[word, line] = bits


@kernel
def _word_at(here: Ints, line: int, place: int, length: int) -> int:
    """The bits from a place of a line on that is a ring, as many as a word has."""
    bits, known, place = 0, 0, place % length
    while known < WORD:
        bits |= here[place >> SHIFT, line] >> (place & WORD - 1) << known
        step = min(WORD - (place & WORD - 1), length - place)
        known += step
        place = place + step if place + step < length else 0
    return bits


@kernel
def is_base(bases: Ints, line: int, place: int) -> bool:
    """Whether the place of a line is marked."""
    return bool(bases[place >> SHIFT, line] >> (place & WORD - 1) & 1)


@kernel
def next_base(bases: Ints, line: int, place: int) -> int:
    """The first place of a line that is marked, from a place on, or NO_BASE."""
    words = bases.shape[0]
    word = place >> SHIFT
    if word >= words:
        return NO_BASE
    rest = bases[word, line] >> (place & WORD - 1)
    while rest == 0:
        word += 1
        if word == words:
            return NO_BASE
        rest, place = bases[word, line], word * WORD
    return place + ones((rest & -rest) - 1)


@kernel
def grow(free: Ints, region: Ints, rings: Rings, depth: int, length: int) -> None:
    """Have a region fill the free processors that it can reach over links between free ones.

    It sweeps over the lines forwards and backwards; in a line it spreads both ways in steps that double.
    """
    words, lines = region.shape
    last = length - 1 - (words - 1) * WORD  # the place of a line's last bit in its word
    grown, sweep = True, 0
    while grown:
        grown = sweep == 0
        v = 0 if sweep % 2 == 0 else depth - 1
        for n in range(lines):
            line = n if sweep % 2 == 0 else lines - 1 - n
            for word in range(words):
                passable, here = free[word, line], region[word, line]
                seed = here
                if v > 0:
                    seed |= region[word, line - 1]
                elif rings.deep:
                    seed |= region[word, line + depth - 1]
                if v + 1 < depth:
                    seed |= region[word, line + 1]
                elif rings.deep:
                    seed |= region[word, line + 1 - depth]
                if line >= depth:
                    seed |= region[word, line - depth]
                elif rings.outer:
                    seed |= region[word, line + lines - depth]
                if line + depth < lines:
                    seed |= region[word, line + depth]
                elif rings.outer:
                    seed |= region[word, line + depth - lines]
                if word > 0:
                    seed |= region[word - 1, line] >> WORD - 1
                elif rings.along:
                    seed |= region[words - 1, line] >> last
                if word + 1 < words:
                    seed |= (region[word + 1, line] & 1) << WORD - 1
                elif rings.along:
                    seed |= (region[0, line] & 1) << last
                seed &= passable
                if seed == here and (sweep or seed == 0):
                    continue
                grown = True
                up, down, step = passable, passable, 1
                while step < min(length, WORD):
                    seed |= up & seed << step | down & seed >> step
                    up &= up << step
                    down &= down >> step
                    step *= 2
                region[word, line] = seed
            v = (v + 1 if v + 1 < depth else 0) if sweep % 2 == 0 else (v - 1 if v else depth - 1)
        sweep += 1


class FreeBitsStrategy(HeldProcessorsStrategy):
    """Its state has the part `bits`, too."""

    def restore(self, state: State) -> None:
        super().restore(state)
        self.state.bits.free[...] = 0
        self.state.processors.free[0] = 0
        vacate(self.state, FREE)

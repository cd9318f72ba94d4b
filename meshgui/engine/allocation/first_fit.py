"""First Fit and Turning First Fit (000 §2.2.1 and figures 2.5, 2.6; 001 §2): the first base in scan order.

2D meshes are scanned lowest row first, leftmost first; 3D meshes by the loops of figure 2.5, x outermost. As
in that figure, every processor of a tried box counts as examined even when one is already known to be busy:
the paper's overhead figures rest on it. The base itself is found from bits, and the count follows from them.

On a torus every processor of a ring can be a base along it: the box continues across the seam, is held as its
plain parts, and is one block.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from meshgui.engine.allocation.base import Bound, Complexity, Options, Source
from meshgui.engine.allocation.free_bits import (
    NO_BASE,
    WORD,
    FreeBits,
    FreeBitsStrategy,
    all_free,
    bases_end,
    in_scan,
    low_bits,
    mark_bases,
    next_base,
    ones,
    ones_and_places,
    release,
    ring_axes,
    take,
)
from meshgui.engine.allocation.held_processors import FREE, Processors, no_jobs, too_few
from meshgui.engine.allocation.inspection import GridValue, Inspection, Moment
from meshgui.engine.allocation.kernel_strategy import (
    OPERATIONS,
    WAITS,
    AnyState,
    KernelRequest,
    StrategyKernels,
    new_tally,
)
from meshgui.engine.allocation.panels import GridBuilder
from meshgui.engine.allocation.pseudo_code import NOT_ENOUGH, PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, note
from meshgui.engine.allocation.turning import Turning, oriented, turning
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Mesh, write_parts
from meshgui.engine.basics.kernel import Place, kernel
from meshgui.engine.basics.parts import Flag
from meshgui.engine.basics.translation import tr

CODE = PseudoCode(NOT_ENOUGH)
TURN = CODE.decision("turn", "for each orientation of the request:")
CODE.says("Try it {way}.")
CODE.line("scan", "for each processor, in scan order:", 1)
BUSY = CODE.line("busy", "if it is busy: it cannot be a base", 2)
CODE.says("Processor {base} is busy, so it cannot be a base.")
COUNT = CODE.line("count", "count the free processors of the box based there", 2)
CODE.says("A box based at {base} would have {n} of its {asked} free.")
FOUND = CODE.decision("found", "if none is missing: allocate this box", 2)
CODE.says("The box {box} is free: the job gets it.")
FAIL = CODE.decision("fail", "no orientation has a base: fail")
CODE.says("No processor can be its base, so the job waits.")


class FirstFitState(NamedTuple):
    """The state of the kernels."""

    tally: Ints
    processors: Processors
    turning: Turning
    bits: FreeBits
    weights: Ints  # room for a number for each line of the bits


def first_state(mesh: Mesh, *, turns: bool, once: bool = False, across: bool = False) -> FirstFitState:
    """The state on an empty machine."""
    bits = all_free(mesh, once=once, across=across)
    weights = np.zeros(bits.bases.shape[1], dtype=np.int64)
    return FirstFitState(new_tally(), no_jobs(mesh), turning(mesh, turns=turns), bits, weights)


@kernel
def search(state: AnyState, turns: Ints32, log: Log) -> tuple[int, int, int, int]:
    """The first free box in scan order: (turn or -1, x, y, z)."""
    height, depth, width = state.processors.held.shape
    bits = state.bits
    across, deep, length = in_scan(bits.flat, width, depth, height)
    for t in range(turns.shape[0]):
        a, b, c = in_scan(bits.flat, turns[t, 0], turns[t, 1], turns[t, 2])
        mark_bases(state, a, b, c)
        scan, ends = (across, deep, length), bases_end(state, a, b, c)
        line, place = _first_marked(bits.bases, depth, ends[0], ends[1])
        if bits.once:
            state.tally[OPERATIONS] += line * length + min(place + 1, length)
        else:
            state.tally[OPERATIONS] += _examined(bits.free, state.weights, scan, ends, (a, b, c), line, place)
        if log is not None:
            note(log, TURN, Role.TRIED, 0, 0, 0, turns[t, 0], turns[t, 1], turns[t, 2], t)
            _note_scan(log, state, turns[t], line, place)
        if place != NO_BASE:
            x, y, z = in_scan(bits.flat, line // depth, line % depth, place)
            note(log, FOUND, Role.PLACED, x, y, z, turns[t, 0], turns[t, 1], turns[t, 2], t)
            return t, x, y, z
    note(log, FAIL)
    return -1, 0, 0, 0


@kernel
def _first_marked(bases: Ints, depth: int, across: int, deep: int) -> tuple[int, int]:
    """The line and the place of the first base, or the last line and NO_BASE."""
    for u in range(across):
        for line in range(u * depth, u * depth + deep):
            place = next_base(bases, line, 0)
            if place != NO_BASE:
                return line, place
    return bases.shape[1] - 1, NO_BASE


@kernel
def _examined(
    free: Ints,
    weights: Ints,
    scan: tuple[int, int, int],
    ends: tuple[int, int, int],
    sides: tuple[int, int, int],
    line: int,
    place: int,
) -> int:
    """How many processors the scan looks at up to a place: each, and of each free one its box in the mesh."""
    across, deep, length = scan
    a, b, c = sides
    for u in range(across):
        for v in range(deep):
            wide, far = a if u < ends[0] else across - u, b if v < ends[1] else deep - v
            weights[u * deep + v] = wide * far
    end = min(place + 1, length)
    examined = line * length + end
    for word in range(free.shape[0]):
        begin = word * WORD
        whole, seen = low_bits(ends[2] - begin), low_bits(end - begin)
        examined += c * _weighed(free, weights, word, line, whole, seen)
        if whole != low_bits(WORD):
            rest = low_bits(WORD) - whole
            examined += _weighed_to_end(free, weights, word, line, rest, seen, length - begin)
    return examined


@kernel
def _weighed(free: Ints, weights: Ints, word: int, line: int, mask: int, seen: int) -> int:
    """The weights of the lines up to one, each as often as bits are free there; of the last those seen."""
    total = int(ones(free[word, line] & mask & seen) * weights[line])
    for n in range(line):
        total += ones(free[Place(word), Place(n)] & mask) * weights[Place(n)]
    return total


@kernel
def _weighed_to_end(free: Ints, weights: Ints, word: int, line: int, mask: int, seen: int, end: int) -> int:
    """The same, of each bit as often as there are places from it to the end of the line."""
    count, sum_of_places = ones_and_places(free[word, line] & mask & seen)
    total = int((count * end - sum_of_places) * weights[line])
    for n in range(line):
        count, sum_of_places = ones_and_places(free[Place(word), Place(n)] & mask)
        total += (count * end - sum_of_places) * weights[Place(n)]
    return total


@kernel
def find(state: AnyState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find boxes for the request."""
    if too_few(state, request, log):
        return WAITS
    turns = state.turning.room[: oriented(state.turning, request.w, request.d, request.h)]
    turn, x, y, z = search(state, turns, log)
    if turn < 0:
        return WAITS
    w, d, h = turns[turn, 0], turns[turn, 1], turns[turn, 2]
    return write_parts(boxes_out, state.turning.extents, x, y, z, w, d, h)


@kernel
def _note_scan(log: Log, state: AnyState, turn: Ints32, line: int, place: int) -> None:
    """Log the processors that the scan looks at up to a place, and of each free one its box."""
    held = state.processors.held
    height, depth, width = held.shape
    _, _, length = in_scan(state.bits.flat, width, depth, height)
    asked = turn[0] * turn[1] * turn[2]
    rings = ring_axes(state.bits)
    for n in range(line * length + min(place + 1, length)):
        x, y, z = in_scan(state.bits.flat, n // length // depth, n // length % depth, n % length)
        if held[z, y, x] != FREE:
            note(log, BUSY, Role.BLOCKED, x, y, z, 1, 1, 1, held[z, y, x])
            continue
        w = turn[0] if rings[0] else min(turn[0], width - x)
        d = turn[1] if rings[1] else min(turn[1], depth - y)
        h = turn[2] if rings[2] else min(turn[2], height - z)
        busy, u, v, t = count_busy(held, x, y, z, w, d, h)
        available = w * d * h - busy
        role = Role.CANDIDATE if available == asked else Role.TRIED
        note(log, COUNT, role, x, y, z, w, d, h, available, asked)
        if busy:
            note(log, SAME_STEP, Role.BLOCKED, u, v, t, 1, 1, 1, held[t, v, u])


@kernel
def count_busy(held: Ints32, x: int, y: int, z: int, w: int, d: int, h: int) -> tuple[int, int, int, int]:
    """How many processors of a box, perhaps across seams, are busy, and the first of them, x outermost."""
    height, depth, width = held.shape
    busy, first = 0, (-1, -1, -1)
    for i in range(x, x + w):
        for j in range(y, y + d):
            for k in range(z, z + h):
                u, v, t = i % width, j % depth, k % height
                if held[t, v, u] != FREE:
                    first = first if busy else (u, v, t)
                    busy += 1
    return busy, first[0], first[1], first[2]


_BASES = (
    GridValue(0, tr("not yet looked at"), Role.NOTHING),
    GridValue(1, tr("busy"), Role.BLOCKED),
    GridValue(2, tr("no base"), Role.PROHIBITED),
    GridValue(3, tr("base"), Role.CANDIDATE),
)


class SeamOptions(Options):
    """Whether boxes may lie across seams."""

    across: Flag = Field(
        True, description=tr("whether a box may lie across the seam of an axis that is a ring, as one block")
    )

    @model_serializer(mode="wrap")
    def _as_older_versions_read_it(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Without `across` where it has its default."""
        data: dict[str, Any] = handler(self)
        return {name: value for name, value in data.items() if name != "across" or not value}


class FirstFitOptions(SeamOptions):
    """What counts as an operation."""

    # as 000 figure 2.5 is printed, and as 004 table 2 bounds it
    count: Literal["boxes", "processors"] = Field(
        "boxes",
        description=tr(
            "what counts as an operation: each processor of every box tried, or each processor visited, once "
            "in an orientation"
        ),
    )


class SeamStrategy(FreeBitsStrategy):
    """Gives a job one box, on a torus perhaps across seams."""

    contiguous = True
    options_model = SeamOptions
    options: SeamOptions

    @classmethod
    def crosses_seams(cls, options: Options, mesh: Mesh) -> bool:
        return any(mesh.wrap) and isinstance(options, SeamOptions) and options.across


class FirstFit(SeamStrategy):
    """The first base in scan order, the request as it is."""

    id = "ff"
    title = tr("First Fit")
    dims = frozenset({2, 3})
    rotates = False
    source = Source("000", "§2.2.1, figures 2.5 and 2.6")
    complexity = Complexity(Bound("O(n)", n=1), Bound("O(n)", n=1), tr("004 table 2, of its bit arrays"))
    lines = CODE.lines
    options_model = FirstFitOptions
    options: FirstFitOptions
    fails_until_release = True
    kernels = StrategyKernels(release, search=find, take=take)

    def empty_state(self) -> FirstFitState:
        options = self.options
        once = options.count == "processors"
        return first_state(self.mesh, turns=self.rotates, once=once, across=options.across)

    def inspect(self, moment: Moment) -> Inspection:
        """The base-node bit array of the request, as far as it has been filled."""
        _, busy, no_base, base = _BASES
        bits = GridBuilder(self.mesh.extents[::-1], *_BASES)
        bits.put(moment.state["held"] != FREE, busy)
        seen = moment.steps.since(TURN).rows
        counted = seen[seen[:, 0] == COUNT]
        x, y, z = counted[:, 2], counted[:, 3], counted[:, 4]
        bits.values[z, y, x] = np.where(counted[:, 8] == counted[:, 9], base.value, no_base.value)
        return Inspection((bits.grid(tr("Base nodes")),), moment.marks, self.say(moment))


class TurningFirstFit(FirstFit):
    """The first base in scan order, in the first orientation of the request that has one."""

    id = "tff"
    title = tr("Turning First Fit")
    rotates = True

"""The kernels of Busy List: which base of which right border plane no prohibited region covers."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.allocation.held_boxes import JOB, BusyBoxes, append, listed
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, note, note_numbers
from meshgui.engine.allocation.turning import Turning, oriented
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.kernel import Place, kernel


class BusyListState(NamedTuple):
    """The state of the kernels."""

    tally: Ints
    busy: BusyBoxes
    turning: Turning
    deep: int  # the columns of the middle and the last coordinate
    last: int
    gather: int  # whether all planes are examined, also those behind the first base


# Boxes and planes are packed into words: coordinate above coordinate, each with a bit above it that is set
# before a subtraction and stays set where the difference is not negative. So one word says if two overlap.
FIELD: Final = 21  # three in the bounds of a box
COORDINATE: Final = (1 << FIELD - 1) - 1
SIGNS: Final = sum(1 << FIELD * n + FIELD - 1 for n in range(3))
PART: Final = (
    15  # four in a plane: its lower bounds in the middle and the last dimension, then its upper ones
)
BOUND: Final = (1 << PART - 1) - 1
PART_SIGNS: Final = sum(1 << PART * n + PART - 1 for n in range(4))
FLIPPED: Final = PART_SIGNS + (BOUND << PART) + BOUND  # lower bounds are subtracted, not subtracted from

CODE = PseudoCode()
TURN = CODE.decision("turn", "for each orientation of the request:")
CODE.says("Try it {way}.")
PLANE = CODE.line("plane", "for each busy box, the left face first: take its right border plane", 1)
CODE.says("Bases to try: {where}, {box}.")
CUT = CODE.line("cut", "cut off where the box would leave the mesh", 2)
CODE.says("{kept} the box inside the mesh.")
SUBTRACT = CODE.line("subtract", "for each busy box: subtract its prohibited region", 2)
CODE.says("A base in {box} would make it overlap {busy}; {left} left.")
GONE = CODE.decision("gone", "if nothing is left: go to the next busy box", 2)
CODE.says("No base is left on this plane.")
FOUND = CODE.decision("found", "else: allocate the box based at the plane's lowest corner", 2)
CODE.says("A base is left at {base}: the job gets {box}.")
FAIL = CODE.decision("fail", "no plane is left: fail")
CODE.says("No plane has a base left, so the job waits.")


@kernel
def _word(x: int, middle: int, last: int) -> int:
    """Three coordinates as one word, the last on top."""
    return (int(last) << 2 * FIELD) + (int(middle) << FIELD) + int(x)


@kernel
def plane_word(y1: int, z1: int, y2: int, z2: int) -> int:
    """The bounds of a plane as one word, the highest in the last dimension on top."""
    return (((int(z2) << PART) + int(y2) << PART) + int(z1) << PART) + int(y1)


@kernel
def plane_bounds(word: int) -> tuple[int, int, int, int]:
    """The bounds of a plane: the lower ones in the middle and the last dimension, then the upper ones."""
    return word & BOUND, word >> PART & BOUND, word >> 2 * PART & BOUND, word >> 3 * PART


@kernel
def _note_plane(log: Log, line: int, plane: int, x: int, deep: int, owner: int) -> None:
    """Log a plane."""
    y, z, y2, z2 = plane_bounds(plane)
    d, h = y2 - y + 1, z2 - z + 1
    if deep == 1:
        note(log, line, Role.BORDER, x, y, z, 1, d, h, d * h, owner)
    else:
        note(log, line, Role.BORDER, x, z, y, 1, h, d, d * h, owner)


@kernel(inline=True)
def _nodes(room: Ints, at: int, count: int) -> int:
    """How many nodes the planes at a place of the room have together."""
    nodes = 0
    for p in range(at, at + count):
        y1, z1, y2, z2 = plane_bounds(room[p])
        nodes += (y2 - y1 + 1) * (z2 - z1 + 1)
    return nodes


@kernel(inline=True)
def subtract(
    room: Ints, at: int, count: int, to: int, v1: int, w1: int, v2: int, w2: int
) -> tuple[int, bool]:
    """Subtract the region v1..v2 × w1..w2 from the planes by the seventeen cases of figure 3.3.

    The planes stand at one place of the room, the pieces are put at another: (how many, whether the last of
    them lies beyond the region). Such a piece ends the search: the regions still to come end no higher, so
    none can touch it.
    """
    n = to
    region = plane_word(v2, w2, max(v1, 0), max(w1, 0)) ^ FLIPPED & ~PART_SIGNS
    for p in range(count):
        plane = int(room[Place(at + p)])
        y1, z1, y2, z2 = plane_bounds(plane)
        if (plane ^ FLIPPED) - region & PART_SIGNS != PART_SIGNS:  # case 1
            room[Place(n)] = plane
            n += 1
            if z1 > w2:
                return n - to, True
            continue
        left, right, below, above = y1 < v1, y2 > v2, z1 < w1, z2 > w2
        # The figure cuts either whole strips off the sides (cases 9 to 14) or whole slabs off the ends.
        sides_whole = (left and right) or (below and above)
        low, high = (max(y1, v1), min(y2, v2)) if sides_whole else (y1, y2)
        bottom, top = (z1, z2) if sides_whole else (max(z1, w1), min(z2, w2))
        below_first = not (sides_whole and left)
        if below and below_first:
            room[Place(n)] = plane_word(low, z1, high, w1 - 1)
            n += 1
        if left:
            room[Place(n)] = plane_word(y1, bottom, v1 - 1, top)
            n += 1
        if right:
            room[Place(n)] = plane_word(v2 + 1, bottom, y2, top)
            n += 1
        if below and not below_first:
            room[Place(n)] = plane_word(low, z1, high, w1 - 1)
            n += 1
        if above:
            room[Place(n)] = plane_word(low, w2 + 1, high, z2)
            return n + 1 - to, True
    return n - to, False


@kernel(inline=True)
def _bounds(room: Ints, at: int, count: int) -> tuple[int, int, int, int, int]:
    """The bounds of all planes together, and the highest of their lower bounds in the last dimension."""
    y1, z1, y2, z2 = plane_bounds(room[Place(at)])
    highest = z1
    for p in range(1, count):
        y3, z3, y4, z4 = plane_bounds(room[Place(at + p)])
        y1, y2, z1, z2, highest = min(y1, y3), max(y2, y4), min(z1, z3), max(z2, z4), max(highest, z3)
    return y1, z1, y2, z2, highest


@kernel(inline=True)
def _first_beyond(room: Ints, at: int, count: int, end: int) -> int:
    """How many planes there are up to the first that lies beyond the end of a region, itself counted."""
    for p in range(count):
        if room[at + p] >> PART & BOUND > end:
            return p + 1
    return count


@kernel(inline=True)
def _next_to_subtract(room: Ints, boxes: int, j: int, least: int, most: int, highest: int) -> int:
    """The next box whose region overlaps what is left of a plane, or ends below a piece of it.

    Of an overlapping box `least` has the lowest upper bounds, `most` the highest lower bounds.
    """
    below = _word(0, 0, highest) + (SIGNS & -(1 << 2 * FIELD))
    lows = boxes + 1
    while (
        room[Place(j)] >= below and (room[Place(j)] - least) & (most - room[Place(lows + j)]) & SIGNS != SIGNS
    ):
        j += 1
    return j


@kernel(inline=True)
def remainder(
    room: Ints, boxes: int, plane: int, x: int, turn: tuple[int, int, int], deep: int, owner: int, log: Log
) -> tuple[bool, int, int, int]:
    """Subtract all prohibited regions from the plane: (is a base left, its two coordinates, examined).

    Most regions miss all that is left of the plane, and change nothing unless a piece lies beyond them: they
    are passed over. Of the others most cut one piece on one side: that is done at once.
    """
    a, b, c = turn
    at = 2 * boxes + 1
    other = at + (room.size - at) // 2
    room[at] = plane
    count, examined, beyond = 1, 0, False
    y1, z1, y2, z2 = plane_bounds(plane)
    highest, j = z1, -1
    while not beyond and count:
        j += 1
        least, most = _word(x, y1, z1), _word(x + a - 1, y2 + b - 1, z2 + c - 1) + SIGNS
        if log is None:
            passed = _next_to_subtract(room, boxes, j, least, most, highest)
            examined += count * (passed - j)
            j = passed
        if j == boxes:
            break
        high, low = int(room[j]), int(room[boxes + 1 + j])
        v1, w1 = (low >> FIELD & COORDINATE) - b + 1, (low >> 2 * FIELD) - c + 1
        v2, w2 = high >> FIELD & COORDINATE, high >> 2 * FIELD & COORDINATE
        examined += count
        if (high - least) & (most - low) & SIGNS != SIGNS:
            if highest > w2:
                count, beyond = _first_beyond(room, at, count, w2), True
        elif count == 1 and int(y1 < v1) + int(y2 > v2) + int(z1 < w1) + int(z2 > w2) <= 1:
            count, beyond = int(y1 < v1) + int(y2 > v2) + int(z1 < w1) + int(z2 > w2), z2 > w2
            y1, y2 = (v2 + 1 if y2 > v2 else y1), (v1 - 1 if y1 < v1 else y2)
            z1, z2 = (w2 + 1 if z2 > w2 else z1), (w1 - 1 if z1 < w1 else z2)
            room[at] = plane_word(y1, z1, y2, z2)
            highest = z1
        else:
            count, beyond = subtract(room, at, count, other, v1, w1, v2, w2)
            at, other = other, at
            y1, z1, y2, z2, highest = _bounds(room, at, count)
        if log is not None:
            u1, u2 = max((low & COORDINATE) - a + 1, 0), high & COORDINATE
            v1, w1 = max(v1, 0), max(w1, 0)
            if deep == 1:
                region = (u1, v1, w1, u2 - u1 + 1, v2 - v1 + 1, w2 - w1 + 1)
            else:
                region = (u1, w1, v1, u2 - u1 + 1, w2 - w1 + 1, v2 - v1 + 1)
            x0, y0, z0, w, d, h = region
            nodes = _nodes(room, at, count)
            note(log, SUBTRACT, Role.PROHIBITED, x0, y0, z0, w, d, h, nodes, owner, j)
            for p in range(at, at + count):
                _note_plane(log, SAME_STEP, room[p], x, deep, owner)
    if count == 0:
        return False, 0, 0, examined
    head = count - 1 if beyond else 0  # the piece beyond all regions was the first to be known free
    y1, z1, _, _ = plane_bounds(room[at + head])
    return True, y1, z1, examined


@kernel
def room_for(busy: Ints32, nodes: int, deep: int, last: int) -> Ints:
    """A list's upper bounds as words, its lower bounds, and twice room for planes of this many nodes."""
    # The pieces of a plane are disjoint, so there are never more than its nodes. All is one array: a call
    # with several takes longer than subtracting a region. A word below all upper bounds ends them.
    boxes = busy.shape[0]
    room = np.empty(2 * (boxes + nodes) + 1, dtype=np.int64)
    room[boxes] = 0
    for j in range(boxes):
        room[j] = _word(busy[j, 3], busy[j, 3 + deep], busy[j, 3 + last]) + SIGNS
        room[boxes + 1 + j] = _word(busy[j, 0], busy[j, deep], busy[j, last])
    return room


@kernel
def room_of(state: BusyListState) -> Ints:
    """The room for a search in the list as it is."""
    busy, extents = listed(state.busy), state.turning.extents
    return room_for(busy, extents[1] * extents[2], state.deep, state.last)


@kernel(inline=True)
def border_plane(
    busy: Ints32, extents: Ints32, turn: Ints32, i: int, deep: int, last: int
) -> tuple[int, int, int, int, int]:
    """The x and the bounds of a box's right border plane; -1 is b0, the hypothetical box left of the mesh."""
    if i < 0:
        return 0, 0, 0, extents[deep] - 1, extents[last] - 1
    y, z = max(busy[i, deep] - turn[deep] + 1, 0), max(busy[i, last] - turn[last] + 1, 0)
    return busy[i, 3] + 1, y, z, busy[i, 3 + deep], busy[i, 3 + last]


@kernel
def rest_of_planes(
    room: Ints, busy: Ints32, extents: Ints32, turn: Ints32, first: int, deep: int, last: int
) -> int:
    """The planes from one on and the regions examined in them, of which no base is wanted any more."""
    a, b, c = turn[0], turn[deep], turn[last]
    boxes, examined = busy.shape[0], 0
    for i in range(first, boxes):
        x, y1, z1, y2, z2 = border_plane(busy, extents, turn, i, deep, last)
        y2, z2 = min(y2, extents[deep] - b), min(z2, extents[last] - c)
        examined += 1
        if x <= extents[0] - a and y1 <= y2 and z1 <= z2:
            plane = plane_word(y1, z1, y2, z2)
            _, _, _, looked_at = remainder(room, boxes, plane, x, (a, b, c), deep, i, None)
            examined += looked_at
    return examined


@kernel(inline=True)
def search(
    room: Ints, busy: Ints32, extents: Ints32, turns: Ints32, deep: int, last: int, gather: int, log: Log
) -> tuple[int, int, int, int, int]:
    """A base for the request: (turn or -1, x, middle and last coordinate, planes and regions examined).

    The room is that of the list as it is: whoever searches several times in between changes makes it once.
    """
    boxes, examined = busy.shape[0], 0
    for t in range(turns.shape[0]):
        turn = turns[t]
        a, b, c = turn[0], turn[deep], turn[last]
        note(log, TURN, Role.TRIED, 0, 0, 0, turn[0], turn[1], turn[2], t, -1, -1)
        for i in range(-1, boxes):
            x, y1, z1, y2, z2 = border_plane(busy, extents, turn, i, deep, last)
            examined += 1
            _note_plane(log, PLANE, plane_word(y1, z1, y2, z2), x, deep, i)
            y2, z2 = min(y2, extents[deep] - b), min(z2, extents[last] - c)
            inside = x <= extents[0] - a and y1 <= y2 and z1 <= z2
            if not inside:
                note_numbers(log, CUT, 0, i)
            else:
                plane = plane_word(y1, z1, y2, z2)
                _note_plane(log, CUT, plane, x, deep, i)
                found, y, z, looked_at = remainder(room, boxes, plane, x, (a, b, c), deep, i, log)
                examined += looked_at
                if found:
                    by, bz = (y, z) if deep == 1 else (z, y)
                    note(log, FOUND, Role.PLACED, x, by, bz, turn[0], turn[1], turn[2], 0, i)
                    if gather:
                        examined += rest_of_planes(room, busy, extents, turn, i + 1, deep, last)
                    return t, x, y, z, examined
            note_numbers(log, GONE, 0, i)
    note_numbers(log, FAIL, 0, -1, -1)
    return -1, 0, 0, 0, examined


@kernel
def insert(busy: Ints32, count: int, box: Ints32, job: int, last: int) -> None:
    """Add a box to a list of this many, in decreasing order of the last coordinate, behind equals."""
    end = box[last] + box[3 + last] - 1
    place = count
    while place > 0 and busy[place - 1, 3 + last] < end:
        for column in range(JOB + 1):
            busy[place, column] = busy[place - 1, column]
        place -= 1
    append(busy, place, box, job)


@kernel
def find(state: BusyListState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find boxes for the request."""
    turns = state.turning.room[: oriented(state.turning, request.w, request.d, request.h)]
    busy, deep, last = listed(state.busy), state.deep, state.last
    room = room_of(state)
    extents, gather = state.turning.extents, state.gather
    turn, x, middle, high, examined = search(room, busy, extents, turns, deep, last, gather, log)
    state.tally[OPERATIONS] += examined
    if turn < 0:
        return WAITS
    boxes_out[0, 0], boxes_out[0, deep], boxes_out[0, last] = x, middle, high
    boxes_out[0, 3], boxes_out[0, 4], boxes_out[0, 5] = turns[turn, 0], turns[turn, 1], turns[turn, 2]
    return 1


@kernel
def hold(state: BusyListState, job: int, held: Ints32, count: int) -> None:
    """Mark the boxes as held by the job."""
    boxes, length = state.busy
    for n in range(count):
        insert(boxes, length[0], held[n], job, state.last)
        length[0] += 1

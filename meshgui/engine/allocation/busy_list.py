"""Busy List and Turning Busy List (000 chapter 3, figures 3.3 to 3.7, appendix B).

Only processors just right of an allocated box, or on the mesh's left face, can be bases. From each such
right border plane the prohibited regions of all allocated boxes are subtracted; whatever is left can hold a
base. The list is kept in decreasing order of the boxes' last coordinate, so a plane that lies beyond one
region lies beyond all later ones: the early exits rest on that order.

A 2D mesh is the same thing with the middle dimension left out: `deep` and `last` name the columns in which
the kernel finds the middle and the last coordinate. The conditions of figure 4.1 are those of figure 3.3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Bound, Complexity, Line, Options, Source
from meshgui.engine.allocation.box_list import JOB, BoxListStrategy, boxes_in
from meshgui.engine.allocation.inspection import Inspection, JobCell, Moment, Request, Table, TableRow
from meshgui.engine.allocation.searching import SearchResult
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, Steps, note
from meshgui.engine.geometry import Box, Mesh
from meshgui.engine.kernel import kernel

__all__ = ["BusyList", "TurningBusyList"]

# The lines of the pseudo-code, by their place in `LINES`.
TURN, PLANE, CUT, SUBTRACT, GONE, FOUND, FAIL = range(7)

LINES = (
    Line("turn", "for each orientation of the request:", says="Try it {way}.", decision=True),
    Line(
        "plane",
        "for each busy box, the left face first: take its right border plane",
        1,
        says="Bases to try: {where}, {box}.",
    ),
    Line(
        "cut",
        "cut off where the box would leave the mesh",
        2,
        says="{kept} the box inside the mesh.",
    ),
    Line(
        "subtract",
        "for each busy box: subtract its prohibited region",
        2,
        says="A base in {box} would make it overlap {busy}; {left} left.",
    ),
    Line(
        "gone",
        "if nothing is left: go to the next busy box",
        2,
        says="No base is left on this plane.",
        decision=True,
    ),
    Line(
        "found",
        "else: allocate the box based at the plane's lowest corner",
        2,
        says="A base is left at {base}: the job gets {box}.",
        decision=True,
    ),
    Line("fail", "no plane is left: fail", says="No plane has a base left, so the job waits.", decision=True),
)


@kernel
def _note_plane(
    log: NDArray[np.int32], line: int, planes: NDArray[np.int32], p: int, x: int, deep: int, owner: int
) -> None:
    """Log a plane, whose four numbers are the bounds in the middle and the last dimension."""
    y, z = planes[p, 0], planes[p, 1]
    d, h = planes[p, 2] - y + 1, planes[p, 3] - z + 1
    if deep == 1:
        note(log, line, Role.BORDER, x, y, z, 1, d, h, d * h, owner, 0)
    else:
        note(log, line, Role.BORDER, x, z, y, 1, h, d, d * h, owner, 0)


@kernel
def _note_cut(
    log: NDArray[np.int32], planes: NDArray[np.int32], inside: bool, x: int, deep: int, owner: int
) -> None:
    """Log what the mesh's edges leave of a plane: nothing, or one plane."""
    if inside:
        _note_plane(log, CUT, planes, 0, x, deep, owner)
    else:
        note(log, CUT, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, owner, 0)


@kernel
def _nodes(planes: NDArray[np.int32], count: int) -> int:
    """How many nodes the planes have together."""
    nodes = 0
    for p in range(count):
        nodes += (planes[p, 2] - planes[p, 0] + 1) * (planes[p, 3] - planes[p, 1] + 1)
    return nodes


@kernel
def _put(planes: NDArray[np.int32], p: int, y1: int, z1: int, y2: int, z2: int) -> int:
    """Write a plane's bounds; the next free place."""
    planes[p, 0], planes[p, 1], planes[p, 2], planes[p, 3] = y1, z1, y2, z2
    return p + 1


@kernel
def _subtract(
    planes: NDArray[np.int32],
    count: int,
    rest: NDArray[np.int32],
    meets: bool,
    v1: int,
    w1: int,
    v2: int,
    w2: int,
) -> tuple[int, bool]:
    """Subtract the region v1..v2 × w1..w2 from the planes by the seventeen cases of figure 3.3.

    `meets` tells whether the region reaches the planes' x at all. The pieces are put into `rest`: (how many,
    whether the last of them lies beyond the region). Such a piece ends the search: the regions still to come
    end no higher, so none can touch it.
    """
    n = 0
    for p in range(count):
        y1, z1, y2, z2 = planes[p, 0], planes[p, 1], planes[p, 2], planes[p, 3]
        if not meets or z1 > w2 or z2 < w1 or y2 < v1 or y1 > v2:  # case 1
            n = _put(rest, n, y1, z1, y2, z2)
            if z1 > w2:
                return n, True
            continue
        left, right, below, above = y1 < v1, y2 > v2, z1 < w1, z2 > w2
        # The figure cuts either whole strips off the sides (cases 9 to 14) or whole slabs off the ends.
        sides_whole = (left and right) or (below and above)
        low, high = (max(y1, v1), min(y2, v2)) if sides_whole else (y1, y2)
        bottom, top = (z1, z2) if sides_whole else (max(z1, w1), min(z2, w2))
        below_first = not (sides_whole and left)
        if below and below_first:
            n = _put(rest, n, low, z1, high, w1 - 1)
        if left:
            n = _put(rest, n, y1, bottom, v1 - 1, top)
        if right:
            n = _put(rest, n, v2 + 1, bottom, y2, top)
        if below and not below_first:
            n = _put(rest, n, low, z1, high, w1 - 1)
        if above:
            return _put(rest, n, low, w2 + 1, high, z2), True
    return n, False


@kernel
def _remainder(
    planes: NDArray[np.int32],
    rest: NDArray[np.int32],
    busy: NDArray[np.int32],
    x: int,
    turn: NDArray[np.int32],
    deep: int,
    last: int,
    owner: int,
    log: NDArray[np.int32] | None,
) -> tuple[bool, int, int, int]:
    """Subtract all prohibited regions from the plane: (is a base left, its two coordinates, examined)."""
    a, b, c = turn[0], turn[deep], turn[last]
    count, examined, beyond = 1, 0, False
    for j in range(busy.shape[0]):
        u1, u2 = max(busy[j, 0] - a + 1, 0), busy[j, 3]
        v1, v2 = max(busy[j, deep] - b + 1, 0), busy[j, 3 + deep]
        w1, w2 = max(busy[j, last] - c + 1, 0), busy[j, 3 + last]
        examined += count
        count, beyond = _subtract(planes, count, rest, u1 <= x <= u2, v1, w1, v2, w2)
        planes, rest = rest, planes
        if log is not None:
            if deep == 1:
                region = (u1, v1, w1, u2 - u1 + 1, v2 - v1 + 1, w2 - w1 + 1)
            else:
                region = (u1, w1, v1, u2 - u1 + 1, w2 - w1 + 1, v2 - v1 + 1)
            nodes = _nodes(planes, count)
            x0, y0, z0, w, d, h = region
            note(log, SUBTRACT, Role.PROHIBITED, x0, y0, z0, w, d, h, nodes, owner, j)
            for p in range(count):
                _note_plane(log, SAME_STEP, planes, p, x, deep, owner)
        if beyond or count == 0:
            break
    if count == 0:
        return False, 0, 0, examined
    head = count - 1 if beyond else 0  # the piece beyond all regions was the first to be known free
    return True, planes[head, 0], planes[head, 1], examined


@kernel
def search(
    busy: NDArray[np.int32],
    extents: NDArray[np.int32],
    turns: NDArray[np.int32],
    deep: int,
    last: int,
    log: NDArray[np.int32] | None,
) -> tuple[int, int, int, int, int]:
    """A base for the request: (turn or -1, x, middle and last coordinate, planes and regions examined)."""
    room = (
        extents[1] * extents[2]
    )  # the pieces of a plane are disjoint, so there are never more than its nodes
    planes = np.empty((room, 4), dtype=np.int32)
    rest = np.empty((room, 4), dtype=np.int32)
    examined = 0
    for t in range(turns.shape[0]):
        turn = turns[t]
        if log is not None:
            note(log, TURN, Role.TRIED, 0, 0, 0, turn[0], turn[1], turn[2], t, -1, -1)
        for i in range(-1, busy.shape[0]):  # -1 is b0, the hypothetical box left of the mesh
            x = 0
            planes[0, 0], planes[0, 1], planes[0, 2], planes[0, 3] = (
                0,
                0,
                extents[deep] - 1,
                extents[last] - 1,
            )
            if i >= 0:
                x = busy[i, 3] + 1
                planes[0, 0] = max(busy[i, deep] - turn[deep] + 1, 0)
                planes[0, 1] = max(busy[i, last] - turn[last] + 1, 0)
                planes[0, 2], planes[0, 3] = busy[i, 3 + deep], busy[i, 3 + last]
            examined += 1
            if log is not None:
                _note_plane(log, PLANE, planes, 0, x, deep, i)
            planes[0, 2] = min(planes[0, 2], extents[deep] - turn[deep])
            planes[0, 3] = min(planes[0, 3], extents[last] - turn[last])
            inside = (
                x <= extents[0] - turn[0] and planes[0, 0] <= planes[0, 2] and planes[0, 1] <= planes[0, 3]
            )
            if log is not None:
                _note_cut(log, planes, inside, x, deep, i)
            if inside:
                found, y, z, looked_at = _remainder(planes, rest, busy, x, turn, deep, last, i, log)
                examined += looked_at
                if found:
                    if log is not None:
                        by, bz = (y, z) if deep == 1 else (z, y)
                        note(log, FOUND, Role.PLACED, x, by, bz, turn[0], turn[1], turn[2], 0, i, 0)
                    return t, x, y, z, examined
            if log is not None:
                note(log, GONE, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, i, 0)
    if log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, -1, -1)
    return -1, 0, 0, 0, examined


@kernel
def insert(busy: NDArray[np.int32], row: NDArray[np.int32], last: int) -> NDArray[np.int32]:
    """The list with a box added, in decreasing order of the last coordinate; equals keep their order."""
    m = busy.shape[0]
    longer = np.empty((m + 1, busy.shape[1]), dtype=np.int32)
    place = 0
    while place < m and busy[place, 3 + last] >= row[3 + last]:
        place += 1
    longer[:place] = busy[:place]
    longer[place] = row
    longer[place + 1 :] = busy[place:]
    return longer


class BusyList(BoxListStrategy):
    """Bases right of busy boxes or on the left face, the request as it is."""

    id = "bl"
    title = "Busy List"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("000", "chapter 3, figures 3.3 to 3.7, appendix B")
    complexity = Complexity(Bound("O(m²)", m=2), Bound("O(m)", m=1), "000 §3.4")
    lines = LINES

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self._extents = np.array(mesh.extents, dtype=np.int32)
        self._deep, self._last = (2, 1) if mesh.dims == 2 else (1, 2)

    def search(self, request: Request, log: NDArray[np.int32] | None) -> SearchResult:
        """See SearchStrategy."""
        turns = self.turns(request.size)
        shapes = np.array(turns, dtype=np.int32).reshape(-1, 3)
        turn, x, middle, high, examined = search(
            self.busy, self._extents, shapes, self._deep, self._last, log
        )
        if turn < 0:
            return SearchResult(None, examined)
        y, z = (high, middle) if self.mesh.dims == 2 else (middle, high)
        return SearchResult((Box(x, y, z, *turns[turn]),), examined)

    def insert(self, row: NDArray[np.int32]) -> None:
        """See BoxListStrategy."""
        self.busy = insert(self.busy, row, self._last)

    def inspect(self, moment: Moment) -> Inspection:
        """The busy list, the prohibited regions met so far, and what is left of each right border plane."""
        busy = [_Busy(*element) for element in boxes_in(moment.state["busy"])]
        so_far = _SoFar(moment.steps)
        flat = self.mesh.dims == 2
        tables = (
            _busy_table(busy, so_far, flat),
            _region_table(busy, so_far, flat),
            _plane_table(busy, so_far, flat),
        )
        return Inspection(tables, so_far.marks(), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """See Strategy."""
        n, plane_of, region_of = step.marks[0].values
        i = region_of if step.line == SUBTRACT else plane_of
        busy = f"{_name(i)} (job {moment.state['busy'][i, JOB]})" if i >= 0 else _name(i)
        return super().words(step, moment) | {
            "busy": busy,
            "where": f"the plane right of {busy}" if i >= 0 else "the left face of the mesh",
            "kept": _kept(n, moment.steps) if step.line == CUT else "",
            "left": {0: "no base is", 1: "1 base is"}.get(n, f"{n} bases are"),
        }


class TurningBusyList(BusyList):
    """Bases right of busy boxes or on the left face, in the first orientation of the request that has one."""

    id = "tbl"
    title = "Turning Busy List"
    rotates = True


class _Busy(NamedTuple):
    """One element of the busy list."""

    box: Box
    job: int


class _Plane(NamedTuple):
    """A right border plane as it was taken, and what is left of it so far."""

    whole: Mark
    left: tuple[Mark, ...]


class _SoFar:
    """What the steps since the last turn of the request have established."""

    def __init__(self, steps: Steps) -> None:
        self.regions: dict[int, Mark] = {}
        self.planes: dict[int, _Plane] = {}
        self.plane: int | None = None  # the busy box whose plane is being worked on
        self.region: int | None = None  # the busy box whose region is being subtracted
        self.placed: Mark | None = None
        for step in steps.since(TURN):
            self._take(step)

    def _take(self, step: Step) -> None:
        mark, *others = step.marks
        _, owner, region = mark.values
        self.region = None
        if step.line == PLANE:
            self.plane = owner
            self.planes[owner] = _Plane(mark, (mark,))
        elif step.line == CUT:
            self.planes[owner] = self.planes[owner]._replace(left=(mark,) if mark.role == Role.BORDER else ())
        elif step.line == SUBTRACT:
            self.region = region
            self.regions[region] = mark
            self.planes[owner] = self.planes[owner]._replace(left=tuple(others))
        elif step.line == GONE:
            self.planes[owner] = self.planes[owner]._replace(left=())
        elif step.line == FOUND:
            self.placed = mark
        else:
            self.plane = None

    def marks(self) -> tuple[Mark, ...]:
        """What to draw: the plane at hand, the region taken from it, the box found."""
        marks: list[Mark] = []
        if self.plane is not None:
            marks.extend(self.planes[self.plane].left)
        if self.region is not None:
            marks.append(self.regions[self.region])
        if self.placed is not None:
            marks.append(self.placed)
        return tuple(marks)


_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _name(i: int) -> str:
    """The paper's name of a busy box: b₀ is the hypothetical one, and the list starts at b₁."""
    return "b" + str(i + 1).translate(_BELOW)


def _kept(left: int, steps: Steps) -> str:
    """How many bases of the plane at hand keep the box inside, with their verb."""
    whole = steps.since(PLANE)[0].marks[0].box.volume
    if left == whole:
        return "This base keeps" if whole == 1 else f"All {whole} bases keep"
    return f"{left} of these bases keep" if left > 1 else f"{('None', 'Only 1')[left]} of these bases keeps"


def _busy_table(busy: list[_Busy], so_far: _SoFar, flat: bool) -> Table:
    rows = tuple(
        TableRow(
            (_name(i), JobCell(str(element.job), element.job), element.box.describe(flat=flat)),
            Mark(Role.TRIED, element.box, (0, i, i)),
            current=i in (so_far.plane, so_far.region),
        )
        for i, element in enumerate(busy)
    )
    return Table("Busy list", ("", "Job", "Box"), rows, "Empty: no processor is held.")


def _region_table(busy: list[_Busy], so_far: _SoFar, flat: bool) -> Table:
    rows = []
    for i in range(len(busy)):
        mark = so_far.regions.get(i)
        rows.append(
            TableRow(
                (_name(i), mark.box.describe(flat=flat) if mark else "–"), mark, current=i == so_far.region
            )
        )
    return Table("Prohibited regions", ("", "No base in"), tuple(rows), "None: no processor is held.")


def _plane_table(busy: list[_Busy], so_far: _SoFar, flat: bool) -> Table:
    rows = []
    for i in range(-1, len(busy)):
        plane = so_far.planes.get(i)
        if plane is None:
            rows.append(TableRow((_name(i), "–", "–")))
            continue
        left = "  ".join(mark.box.describe(flat=flat) for mark in plane.left) or "nothing"
        shown = plane.left[0] if plane.left else plane.whole
        rows.append(
            TableRow((_name(i), plane.whole.box.describe(flat=flat), left), shown, current=i == so_far.plane)
        )
    return Table("Right border planes", ("", "Plane", "Remains"), tuple(rows), "")

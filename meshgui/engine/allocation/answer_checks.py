"""Checks the answers of third-party strategies against the interface, for the views that draw them.

A `Check` states what a value must be. Each kind of fault is found by a generator that yields what is wrong in
words; the first is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import (
    Allocation,
    AttemptTrace,
    Bound,
    Complexity,
    Line,
    Options,
    ReleaseTrace,
    Reservation,
    Source,
)
from meshgui.engine.allocation.inspection import (
    Chart,
    ChartMarker,
    Curve,
    Grid,
    GridValue,
    Heat,
    Inspection,
    JobCell,
    LongRows,
    NodeKind,
    Panel,
    Polyline,
    Request,
    Table,
    TableRow,
    Tree,
    TreeNode,
)
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Steps
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.plugins import quoted
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import harmless

__all__ = [
    "ANSWERS",
    "CLASS_VARIABLES",
    "COUNTERS",
    "TRUTH",
    "Check",
    "allocation_in",
    "boxes_in",
    "inspection_fault",
    "misfit",
    "nodes_fault",
    "steps_fault",
]

_FARTHEST = 2**15  # the greatest coordinate that can be drawn


@dataclass(frozen=True, slots=True)
class Check:
    """The kind a value must be of, in words, and what may be wrong with the parts of one that is."""

    expected: str
    fits: Callable[[Any], bool]
    part_faults: Callable[[Any, str], Iterator[str]] = lambda _value, _what: iter(())

    def faults(self, value: Any, what: str) -> Iterator[str]:  # noqa: ANN401 - a third party's answer
        """How a value differs, with the path to the faulty part."""
        if self.fits(value):
            yield from self.part_faults(value, what)
        else:
            yield tr("{what}: expected {expected}, got {quoted}").format(
                what=what, expected=self.expected, quoted=quoted(value)
            )


def _kind(kind: type, expected: str = "") -> Check:
    return Check(expected or f"a {kind.__name__}", lambda value: isinstance(value, kind))


def _numeric(kind: type, expected: str) -> Check:
    return Check(expected, lambda value: isinstance(value, kind) and not isinstance(value, bool))


def _array(kind: type, expected: str) -> Check:
    return Check(
        expected, lambda value: isinstance(value, np.ndarray) and bool(np.issubdtype(value.dtype, kind))
    )


def _all(kind: type[Iterable[Any]], item: Check) -> Check:
    """Any number of items of one kind."""
    one = _kind(kind)
    return Check(
        one.expected, one.fits, lambda value, what: (f for each in value for f in item.faults(each, what))
    )


def _three(item: Check) -> Check:
    def fits(value: object) -> bool:
        return isinstance(value, tuple) and len(value) == 3

    return Check(tr("a tuple of {number}").format(number=3), fits, _all(tuple, item).part_faults)


def _by_name(item: Check) -> Check:
    def part_faults(value: dict[Any, Any], what: str) -> Iterator[str]:
        for key, part in value.items():
            yield from _TEXT.faults(key, tr("{what}, a key").format(what=what))
            yield from item.faults(part, f"{what}, {key}")

    one = _kind(dict)
    return Check(one.expected, one.fits, part_faults)


def _parts(kind: type, /, **parts: Check) -> Check:
    def part_faults(value: object, what: str) -> Iterator[str]:
        for name, check in parts.items():
            yield from check.faults(getattr(value, name), f"{what}, {name}")

    one = _kind(kind)
    return Check(one.expected, one.fits, part_faults)


def _either(*checks: Check) -> Check:
    """One of several kinds; a value of another is held to the first."""

    def part_faults(value: object, what: str) -> Iterator[str]:
        fitting = next((check for check in checks if check.fits(value)), checks[0])
        return fitting.faults(value, what)

    return Check("", lambda _: True, part_faults)


_ANYTHING: Final = Check("", lambda _: True)
_NOTHING: Final = _kind(type(None), tr("nothing"))
_WHOLE: Final = _numeric(Integral, tr("a whole number"))
_NUMBER: Final = _numeric(Real, tr("a number"))
_TEXT: Final = Check(tr("text"), lambda value: isinstance(value, str) and harmless(value) == value)
TRUTH: Final = Check(tr("true or false"), lambda value: isinstance(value, bool | np.bool_))
_NUMBERS: Final = _array(np.number, tr("an array of numbers"))
_WHOLES: Final = _array(np.integer, tr("an array of whole numbers"))

_TEXTS: Final = _all(tuple, _TEXT)
_PATH: Final = _either(_NUMBERS, _NOTHING)
_OPTIONAL_WHOLE: Final = _either(_WHOLE, _NOTHING)
_REASON: Final = _either(_TEXT, _NOTHING)
_SIZE: Final = _three(_WHOLE)
_STATE: Final = _by_name(_array(np.generic, tr("an array")))
_STEPS: Final = _kind(Steps)
_ROLE: Final = _kind(Role)
_BOX: Final = _parts(Box, **dict.fromkeys(Box._fields, _WHOLE))
_MARK: Final = _parts(Mark, role=_ROLE, box=_BOX, values=_SIZE)
_MARKED: Final = _either(_MARK, _NOTHING)
_CELL: Final = _either(_TEXT, _parts(JobCell, text=_TEXT, job=_OPTIONAL_WHOLE), _NOTHING)
_ROW: Final = _parts(TableRow, cells=_all(tuple, _CELL), mark=_MARKED, current=TRUTH)
_ROWS: Final = _either(_all(tuple, _ROW), _kind(LongRows))
_TABLE: Final = _parts(Table, title=_TEXT, columns=_TEXTS, rows=_ROWS, empty=_TEXT, jobs=_TEXTS)
_LEGEND: Final = _all(tuple, _parts(GridValue, value=_WHOLE, label=_TEXT, role=_ROLE))
_HEAT: Final = _either(_parts(Heat, label=_TEXT, low=_WHOLE, high=_WHOLE), _NOTHING)
_GRID: Final = _parts(Grid, title=_TEXT, values=_WHOLES, legend=_LEGEND, heat=_HEAT, path=_PATH)
_NODE: Final = _parts(
    TreeNode,
    key=_WHOLE,
    parent=_OPTIONAL_WHOLE,
    kind=_kind(NodeKind),
    label=_TEXT,
    above=_TEXT,
    reserved=TRUTH,
    job=_OPTIONAL_WHOLE,
    mark=_MARKED,
    current=TRUTH,
)
_TREE: Final = _parts(Tree, title=_TEXT, nodes=_all(tuple, _NODE), empty=_TEXT)
_CURVES: Final = _all(tuple, _parts(Curve, label=_TEXT, x=_NUMBERS, y=_NUMBERS, steps=TRUTH, current=TRUTH))
_SIGNS: Final = _all(tuple, _parts(ChartMarker, label=_TEXT, x=_NUMBER))
_CHART: Final = _parts(
    Chart, title=_TEXT, x_label=_TEXT, y_label=_TEXT, curves=_CURVES, signs=_SIGNS, empty=_TEXT
)
_PANELS: Final = _all(tuple, _either(_TABLE, _GRID, _TREE, _CHART))
_HEAT_MAP: Final = _either(_GRID, _NOTHING)
_INSPECTION: Final = _parts(
    Inspection, panels=_PANELS, marks=_all(tuple, _MARK), says=_TEXT, path=_PATH, heat=_HEAT_MAP
)
_REQUEST: Final = _parts(Request, job=_WHOLE, size=_SIZE, now=_NUMBER, service=_NUMBER, seed=_WHOLE)
_OUTCOME: Final = _either(_all(tuple, _BOX), _parts(Reservation, box=_BOX), _NOTHING)
_LINES: Final = _all(
    tuple, _parts(Line, label=_TEXT, text=_TEXT, indent=_WHOLE, decision=TRUTH, says=_TEXT, event=_TEXT)
)
_BOUND: Final = _parts(Bound, words=_TEXT, n=_NUMBER, m=_NUMBER, log=_NUMBER)
_COMPLEXITY: Final = _parts(Complexity, allocation=_BOUND, release=_BOUND, source=_TEXT)
_OPTIONS: Final = Check(
    tr("a subclass of {name}").format(name=Options.__name__),
    lambda value: isinstance(value, type) and issubclass(value, Options),
)

CLASS_VARIABLES: Final[dict[str, Check]] = {
    "id": _TEXT,
    "title": _TEXT,
    "dims": _all(frozenset, _WHOLE),
    "rotates": TRUTH,
    "contiguous": TRUTH,
    "source": _parts(Source, paper=_TEXT, place=_TEXT),
    "lines": _LINES,
    "release_lines": _LINES,
    "options_model": _OPTIONS,
    "complexity": _either(_COMPLEXITY, _NOTHING),
    "learns": _all(frozenset, _TEXT),
    "fails_until_release": TRUTH,
    "any_shape": TRUTH,
    "help": _TEXT,
}
"""What a strategy's class must state."""

COUNTERS: Final[dict[str, Check]] = {"operations": _WHOLE, "part_attempts": _OPTIONAL_WHOLE}
"""The values that are read of a strategy after each call."""

ANSWERS: Final[dict[str, Check]] = {
    **dict.fromkeys(("dims_in_words", "say"), _TEXT),
    **dict.fromkeys(("unfit", "refusal"), _REASON),
    **dict.fromkeys(("reserves", "turning"), TRUTH),
    **dict.fromkeys(("capture", "released"), _STATE),
    **dict.fromkeys(("inspect", "inspect_release"), _INSPECTION),
    **dict.fromkeys(("words", "release_words"), _by_name(_ANYTHING)),
    "search_steps": _NUMBER,
    "due": _all(tuple, _WHOLE),
    "turns": _all(tuple, _SIZE),
    "granted": _WHOLE,
    "nodes": _WHOLES,
    "trace": _parts(AttemptTrace, request=_REQUEST, before=_STATE, steps=_STEPS, outcome=_OUTCOME),
    "trace_release": _parts(ReleaseTrace, job=_WHOLE, before=_STATE, steps=_STEPS),
}
"""What a method must answer, where that is read; `allocation_in` reads the answer of `allocate`."""


def misfit(value: object, check: Check, what: str) -> str | None:
    """How a value differs from what it must be, with the path to the faulty part, or None."""
    return next(check.faults(value, what), None)


def steps_fault(steps: Steps, lines: int) -> str | None:
    """The fault of a log's rows for a strategy with that many lines, or None."""
    return next(_step_faults(steps.rows, lines), None)


def inspection_fault(seen: Inspection, mesh: Mesh) -> str | None:
    """The fault of a strategy's inspection, or None."""
    return misfit(seen, _INSPECTION, tr("an inspection")) or next(_inspection_faults(seen, mesh), None)


def nodes_fault(nodes: NDArray[np.int64], expected: NDArray[np.int64]) -> str | None:
    """The fault of a list of processors that are not those of the boxes, or None."""
    if nodes.ndim == 1 and np.array_equal(np.sort(nodes), np.sort(expected)):
        return None
    return tr("other processors than those of the job's boxes")


def allocation_in(answer: Any) -> tuple[Allocation, str | None]:  # noqa: ANN401
    """An answer to a request with its boxes as such, and its fault or None."""
    if answer is None:
        return None, None
    bare, promised = isinstance(answer, Box), isinstance(answer, Reservation)
    boxes = None if bare else boxes_in((answer.box,) if promised else answer)
    if boxes is not None:
        return (Reservation(boxes[0]) if promised else boxes), None
    got = tr("the bare box {tuple}").format(tuple=tuple(answer)) if bare else quoted(answer)
    return None, tr("{quoted}: expected a sequence of boxes, for example (box,)").format(quoted=got)


def boxes_in(given: object) -> tuple[Box, ...] | None:
    """Boxes given as any sequence of six whole numbers each, or None where they are not valid."""
    try:
        rows = np.array([tuple(box) for box in given])  # type: ignore[attr-defined] # that is the question
    except (TypeError, ValueError, OverflowError):
        return None
    if not len(rows):
        return ()
    whole = np.issubdtype(rows.dtype, np.integer) and rows.shape[1:] == (6,)
    return tuple(Box(*row) for row in rows.tolist()) if whole else None


def _inspection_faults(seen: Inspection, mesh: Mesh) -> Iterator[str]:
    titles = [panel.title for panel in seen.panels]
    if len(set(titles)) < len(titles):
        yield tr("two panels with the same title: {titles}").format(titles=", ".join(titles))
    yield from _mark_faults(seen.marks)
    for panel in (*seen.panels, *([seen.heat] if seen.heat else [])):
        yield from (f"{panel.title}: {fault}" for fault in _panel_faults(panel, mesh))
    yield from _path_faults(seen.path)


def _panel_faults(panel: Panel, mesh: Mesh) -> Iterator[str]:
    if isinstance(panel, Grid):
        shape = mesh.extents[::-1]
        if panel.values.shape != shape:
            yield tr("numbers of shape {shape}: expected {other}, [z, y, x]").format(
                shape=panel.values.shape, other=shape
            )
        yield from _path_faults(panel.path)
    elif isinstance(panel, Table):
        for row in panel.rows:
            if len(row.cells) != len(panel.columns):
                yield tr("a row of {wide} cells below {columns} columns").format(
                    wide=len(row.cells), columns=len(panel.columns)
                )
        yield from _mark_faults(row.mark for row in panel.rows)
    elif isinstance(panel, Tree):
        seen: set[int] = set()
        for node in panel.nodes:
            if node.key in seen or (node.parent is not None and node.parent not in seen):
                yield tr("the node {key} twice, or before the node above it").format(key=node.key)
            seen.add(node.key)
        yield from _mark_faults(node.mark for node in panel.nodes)
    else:
        for x, y in ((curve.x, curve.y) for curve in panel.curves):
            if x.ndim != 1 or x.shape != y.shape:
                yield tr("a curve of {shape} by {other} numbers").format(shape=x.shape, other=y.shape)


def _path_faults(path: Polyline | None) -> Iterator[str]:
    if path is not None and path.shape[1:] != (3,):
        yield tr("a path of shape {shape}: expected [n, 3]").format(shape=path.shape)


def _step_faults(rows: NDArray[np.int32], lines: int) -> Iterator[str]:
    numbers, roles = rows[:, 0], rows[:, 1]
    if len(rows) and numbers[0] == SAME_STEP:
        yield tr("a further mark before its first step")
    for number in numbers[(numbers != SAME_STEP) & ((numbers < 0) | (numbers >= lines))]:
        yield tr("the line {numbers}: expected one from 0 to {lines}").format(numbers=number, lines=lines - 1)
    for role in roles[(roles < 0) | (roles >= len(Role))]:
        yield tr("the role {roles}, which does not exist").format(roles=role)
    yield from _box_faults(rows[:, 2:8])


def _mark_faults(marks: Iterable[Mark | None]) -> Iterator[str]:
    return _box_faults(np.array([mark.box for mark in marks if mark is not None]).reshape(-1, 6))


def _box_faults(boxes: NDArray[Any]) -> Iterator[str]:
    """A box of a negative size, or too far away to be drawn."""
    for box in boxes[(boxes[:, 3:] < 0).any(axis=1) | (np.abs(boxes) >= _FARTHEST).any(axis=1)]:
        yield tr("the box {tuple}, which is not valid").format(tuple=tuple(box.tolist()))

"""Checks the answers of third-party strategies against the interface, for the views that draw them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import (
    Allocation,
    AttemptTrace,
    Bound,
    Complexity,
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
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Steps
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.plugin_classes import ID
from meshgui.engine.basics.plugins import quoted
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.value_checks import (
    ANYTHING,
    NOTHING,
    NUMBER,
    NUMBERS,
    TEXT,
    TRUTH,
    WHOLE,
    WHOLES,
    Check,
    all_of,
    array_of,
    by_name,
    either,
    kind_of,
    misfit,
    parts_of,
    subclass_of,
    three_of,
)

_FARTHEST = 2**15  # the greatest coordinate that can be drawn


_TEXTS: Final = all_of(tuple, TEXT)
_PATH: Final = either(NUMBERS, NOTHING)
_OPTIONAL_WHOLE: Final = either(WHOLE, NOTHING)
_REASON: Final = either(TEXT, NOTHING)
_SIZE: Final = three_of(WHOLE)
_STATE: Final = by_name(array_of(np.generic, tr("an array")))
_STEPS: Final = kind_of(Steps)
_ROLE: Final = kind_of(Role)
_BOX: Final = parts_of(Box, **dict.fromkeys(Box._fields, WHOLE))
_MARK: Final = parts_of(Mark, role=_ROLE, box=_BOX, values=_SIZE)
_MARKED: Final = either(_MARK, NOTHING)
_CELL: Final = either(TEXT, parts_of(JobCell, text=TEXT, job=_OPTIONAL_WHOLE), NOTHING)
_ROW: Final = parts_of(TableRow, cells=all_of(tuple, _CELL), mark=_MARKED, current=TRUTH)
_ROWS: Final = either(all_of(tuple, _ROW), kind_of(LongRows))
_TABLE: Final = parts_of(Table, title=TEXT, columns=_TEXTS, rows=_ROWS, empty=TEXT, jobs=_TEXTS)
_LEGEND: Final = all_of(tuple, parts_of(GridValue, value=WHOLE, label=TEXT, role=_ROLE))
_HEAT: Final = either(parts_of(Heat, label=TEXT, low=WHOLE, high=WHOLE), NOTHING)
_GRID: Final = parts_of(Grid, title=TEXT, values=WHOLES, legend=_LEGEND, heat=_HEAT, path=_PATH)
_NODE: Final = parts_of(
    TreeNode,
    key=WHOLE,
    parent=_OPTIONAL_WHOLE,
    kind=kind_of(NodeKind),
    label=TEXT,
    above=TEXT,
    reserved=TRUTH,
    job=_OPTIONAL_WHOLE,
    mark=_MARKED,
    current=TRUTH,
)
_TREE: Final = parts_of(Tree, title=TEXT, nodes=all_of(tuple, _NODE), empty=TEXT)
_CURVES: Final = all_of(tuple, parts_of(Curve, label=TEXT, x=NUMBERS, y=NUMBERS, steps=TRUTH, current=TRUTH))
_SIGNS: Final = all_of(tuple, parts_of(ChartMarker, label=TEXT, x=NUMBER))
_CHART: Final = parts_of(
    Chart, title=TEXT, x_label=TEXT, y_label=TEXT, curves=_CURVES, signs=_SIGNS, empty=TEXT
)
_PANELS: Final = all_of(tuple, either(_TABLE, _GRID, _TREE, _CHART))
_HEAT_MAP: Final = either(_GRID, NOTHING)
_INSPECTION: Final = parts_of(
    Inspection, panels=_PANELS, marks=all_of(tuple, _MARK), says=TEXT, path=_PATH, heat=_HEAT_MAP
)
_REQUEST: Final = parts_of(Request, job=WHOLE, size=_SIZE, now=NUMBER, service=NUMBER, seed=WHOLE)
_OUTCOME: Final = either(all_of(tuple, _BOX), parts_of(Reservation, box=_BOX), NOTHING)
_LINES: Final = all_of(
    tuple, parts_of(Line, label=TEXT, text=TEXT, indent=WHOLE, decision=TRUTH, says=TEXT, event=TEXT)
)
_BOUND: Final = parts_of(Bound, words=TEXT, n=NUMBER, m=NUMBER, log=NUMBER)
_COMPLEXITY: Final = parts_of(Complexity, allocation=_BOUND, release=_BOUND, source=TEXT)
_DIMS: Final = Check(
    tr("2, 3 or both"), lambda value: isinstance(value, frozenset) and bool(value) and value <= {2, 3}
)

CLASS_VARIABLES: Final[dict[str, Check]] = {
    "id": ID,
    "title": TEXT,
    "dims": _DIMS,
    "rotates": TRUTH,
    "contiguous": TRUTH,
    "source": parts_of(Source, paper=TEXT, place=TEXT),
    "lines": _LINES,
    "release_lines": _LINES,
    "options_model": subclass_of(Options),
    "complexity": either(_COMPLEXITY, NOTHING),
    "learns": all_of(frozenset, TEXT),
    "fails_until_release": TRUTH,
    "any_shape": TRUTH,
    "needs_box": TRUTH,
    "aligned": TRUTH,
    "switched": TRUTH,
    "draws_lots": TRUTH,
    "keeps_lists": TRUTH,
    "help": TEXT,
}
"""What a strategy's class must state."""

COUNTERS: Final[dict[str, Check]] = {"operations": WHOLE, "part_attempts": _OPTIONAL_WHOLE}
"""The values that are read of a strategy after each call."""

ANSWERS: Final[dict[str, Check]] = {
    **dict.fromkeys(("dims_in_words", "say"), TEXT),
    **dict.fromkeys(("unfit", "refusal"), _REASON),
    **dict.fromkeys(("reserves", "turning", "crosses_seams", "can_hold_out"), TRUTH),
    "out_boxes": all_of(tuple, _BOX),
    "remarks": all_of(tuple, TEXT),
    **dict.fromkeys(("capture", "released"), _STATE),
    **dict.fromkeys(("inspect", "inspect_release"), _INSPECTION),
    **dict.fromkeys(("words", "release_words"), by_name(ANYTHING)),
    "search_steps": NUMBER,
    "due": all_of(tuple, WHOLE),
    "turns": all_of(tuple, _SIZE),
    "granted": WHOLE,
    "nodes": WHOLES,
    "trace": parts_of(AttemptTrace, request=_REQUEST, before=_STATE, steps=_STEPS, outcome=_OUTCOME),
    "trace_release": parts_of(ReleaseTrace, job=WHOLE, before=_STATE, steps=_STEPS),
}
"""What a method must answer, where that is read; `allocation_in` reads the answer of `allocate`."""


def steps_fault(steps: Steps, lines: int) -> str | None:
    """The fault of a log's rows for a strategy with that many lines, or None."""
    return next(_step_faults(steps.rows, lines), None)


def inspection_fault(seen: Inspection, mesh: Mesh) -> str | None:
    """The fault of a strategy's inspection, or None."""
    return misfit(seen, _INSPECTION, tr("an inspection")) or next(_inspection_faults(seen, mesh), None)


def nodes_fault(nodes: Ints, expected: Ints) -> str | None:
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
    if type(given) is tuple and all(type(box) is Box and all(type(n) is int for n in box) for box in given):
        return given  # as most are
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


def _step_faults(rows: Ints32, lines: int) -> Iterator[str]:
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

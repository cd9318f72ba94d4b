"""Checks the answers of third-party strategies against the interface, for the views that draw them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cache
from inspect import isclass
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Allocation, AttemptTrace, ReleaseTrace, Reservation
from meshgui.engine.allocation.inspection import Chart, Grid, Inspection, Panel, Polyline, Table, Tree
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Steps
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.plugins import quoted
from meshgui.engine.basics.translation import tr

__all__ = [
    "allocation_in",
    "boxes_in",
    "inspection_fault",
    "misfit",
    "nodes_fault",
    "steps_fault",
    "trace_fault",
]

_FARTHEST = 2**15  # the greatest coordinate that can be drawn
_NAMES: dict[object, str] = {
    int: tr("a whole number"),
    float: tr("a number"),
    str: tr("words"),
    bool: tr("a truth value"),
    NoneType: tr("nothing"),
    np.integer: tr("whole number"),
    np.number: tr("number"),
}


def misfit(value: object, hint: Any, what: str) -> str | None:  # noqa: ANN401 - any type hint
    """How a value differs from its type, with the path to the faulty part, or None when it does not."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any or hint is object:
        return None
    if origin is ClassVar:
        return misfit(value, args[0], what)
    if origin in {Union, UnionType}:
        # Only where none of its kinds fits is a fault worth wording.
        near = [arg for arg in args if _is(value, get_origin(arg) or arg)]
        faults = [misfit(value, arg, what) for arg in near or args[:1]]
        return None if None in faults else faults[0]
    if origin is type:
        fits = isclass(value) and issubclass(value, args[0])
        return (
            None
            if fits
            else tr("{what}: expected a kind of {name}, got {quoted}").format(
                what=what, name=args[0].__name__, quoted=quoted(value)
            )
        )
    kind = origin or hint
    if not _is(value, kind):
        expected = tr("an array") if kind is np.ndarray else _named(kind)
        return tr("{what}: expected {expected}, got {quoted}").format(
            what=what, expected=expected, quoted=quoted(value)
        )
    if kind is tuple and Ellipsis not in args and isinstance(value, tuple) and len(value) != len(args):
        return tr("{what}: expected {args} of them, got {quoted}").format(
            what=what, args=len(args), quoted=quoted(value)
        )
    return next((fault for part in _parts(value, kind, args, what) if (fault := misfit(*part))), None) or (
        _array_misfit(value, args, what) if isinstance(value, np.ndarray) else None
    )


def _parts(value: Any, kind: type, args: tuple[Any, ...], what: str) -> Iterator[tuple[object, Any, str]]:  # noqa: ANN401
    """The parts of a value of the right kind, each with its type and its name."""
    if kind is dict:
        for key, item in value.items():
            yield key, args[0], tr("{what}, a key").format(what=what)
            yield item, args[1], f"{what}, {key}"
    elif kind in {tuple, frozenset}:
        yield from ((item, args[0], what) for item in value)
    elif is_dataclass(kind) or hasattr(kind, "_fields"):
        yield from ((getattr(value, name), hint, f"{what}, {name}") for name, hint in _fields(kind).items())


def _array_misfit(value: NDArray[Any], args: tuple[Any, ...], what: str) -> str | None:
    wanted = get_args(args[1])[0]
    wanted = Any if wanted is Any else np.integer if issubclass(wanted, np.integer) else np.number
    if wanted is Any or np.issubdtype(value.dtype, wanted):
        return None
    return tr("{what}: expected an array of {named}s, got one of {dtype}").format(
        what=what, named=_named(wanted), dtype=value.dtype
    )


def steps_fault(steps: Steps, lines: int) -> str | None:
    """The fault of a log's rows for a strategy with so many lines, or None."""
    numbers, roles, boxes = steps.rows[:, 0], steps.rows[:, 1], steps.rows[:, 2:8]
    if not len(numbers):
        return None
    if numbers[0] == SAME_STEP:
        return tr("a further mark before its first step")
    for n in np.flatnonzero((numbers != SAME_STEP) & ((numbers < 0) | (numbers >= lines))):
        return tr("the line {numbers}: expected one from 0 to {lines}").format(
            numbers=numbers[n], lines=lines - 1
        )
    for n in np.flatnonzero((roles < 0) | (roles >= len(Role))):
        return tr("the role {roles}, which there is not").format(roles=roles[n])
    for n in np.flatnonzero((boxes[:, 3:] < 0).any(axis=1) | (np.abs(boxes) >= _FARTHEST).any(axis=1)):
        return tr("the box {tuple}, which is none").format(tuple=tuple(boxes[n].tolist()))
    return None


def inspection_fault(seen: Inspection, mesh: Mesh) -> str | None:
    """The fault of a strategy's inspection, or None."""
    fault = misfit(seen, Inspection, tr("an inspection"))
    if fault is not None:
        return fault
    titles = [panel.title for panel in seen.panels]
    if len(set(titles)) < len(titles):
        return tr("two panels of one title: {titles}").format(titles=", ".join(titles))
    faults = [_mark_fault(mark) for mark in seen.marks]
    faults += [_panel_fault(panel, mesh) for panel in (*seen.panels, *([seen.heat] if seen.heat else []))]
    faults.append(_path_fault(seen.path))
    return next((fault for fault in faults if fault), None)


def nodes_fault(nodes: NDArray[np.int64], expected: NDArray[np.int64]) -> str | None:
    """The fault of a list of processors that are not those of the boxes, or None."""
    if nodes.ndim == 1 and np.array_equal(np.sort(nodes), np.sort(expected)):
        return None
    return tr("other processors than those of the job's boxes")


def trace_fault(trace: Any, method: str, lines: int) -> str | None:  # noqa: ANN401 - any answer
    """The fault of what a stepping method answers, its outcome aside, or None."""
    kind = AttemptTrace if method == "trace" else ReleaseTrace
    return (
        steps_fault(trace.steps, lines)
        if isinstance(trace, kind)
        else tr("{quoted}: expected a trace").format(quoted=quoted(trace))
    )


def allocation_in(answer: object) -> tuple[Allocation, str | None]:
    """An answer to a request with its boxes as such, and its fault or None."""
    if answer is None:
        return None, None
    if isinstance(answer, Box):
        return None, tr("the bare box {tuple}: expected a sequence of boxes, such as (box,)").format(
            tuple=tuple(answer)
        )
    boxes = boxes_in((answer.box,) if isinstance(answer, Reservation) else answer)
    if boxes is None:
        return None, tr("{quoted}: expected a sequence of boxes, such as (box,)").format(
            quoted=quoted(answer)
        )
    return (Reservation(boxes[0]) if isinstance(answer, Reservation) else boxes), None


def boxes_in(given: object) -> tuple[Box, ...] | None:
    """Boxes given as any sequence of six whole numbers each, or None where they are none."""
    try:
        rows = np.array([tuple(box) for box in given])  # type: ignore[attr-defined] # that is the question
    except (TypeError, ValueError, OverflowError):
        return None
    if not len(rows):
        return ()
    whole = np.issubdtype(rows.dtype, np.integer) and rows.shape[1:] == (6,)
    return tuple(Box(*row) for row in rows.tolist()) if whole else None


def _panel_fault(panel: Panel, mesh: Mesh) -> str | None:
    fault, marks = None, []
    if isinstance(panel, Grid):
        if panel.values.shape != (shape := mesh.extents[::-1]):
            fault = tr("numbers in the shape {shape}: expected {other}, [z, y, x]").format(
                shape=panel.values.shape, other=shape
            )
        fault = fault or _path_fault(panel.path)
    elif isinstance(panel, Table):
        wide = [len(row.cells) for row in panel.rows if len(row.cells) != len(panel.columns)]
        fault = (
            tr("a row of {wide} cells below {columns} columns").format(
                wide=wide[0], columns=len(panel.columns)
            )
            if wide
            else None
        )
        marks = [row.mark for row in panel.rows]
    elif isinstance(panel, Tree):
        fault = _tree_fault(panel)
        marks = [node.mark for node in panel.nodes]
    elif isinstance(panel, Chart):
        bad = [c for c in panel.curves if c.x.ndim != 1 or c.x.shape != c.y.shape]
        fault = (
            tr("a curve of {shape} by {other} numbers").format(shape=bad[0].x.shape, other=bad[0].y.shape)
            if bad
            else None
        )
    faults = (fault, *(_mark_fault(mark) for mark in marks if mark is not None))
    return next((f"{panel.title}: {fault}" for fault in faults if fault), None)


def _tree_fault(tree: Tree) -> str | None:
    seen: set[int] = set()
    for node in tree.nodes:
        if node.key in seen or (node.parent is not None and node.parent not in seen):
            return tr("the node {key} twice, or before the node above it").format(key=node.key)
        seen.add(node.key)
    return None


def _path_fault(path: Polyline | None) -> str | None:
    if path is None or (path.ndim == 2 and path.shape[1] == 3):
        return None
    return tr("a path in the shape {shape}: expected [n, 3]").format(shape=path.shape)


def _mark_fault(mark: Mark) -> str | None:
    if min(mark.box.size) < 0 or max(map(abs, mark.box)) >= _FARTHEST:
        return tr("the box {tuple}, which is none").format(tuple=tuple(mark.box))
    return None


def _is(value: object, hint: type) -> bool:
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    if hint in {int, float}:
        return isinstance(value, Integral if hint is int else Real) and not isinstance(value, bool)
    return isinstance(value, hint)


def _named(hint: type) -> str:
    return _NAMES.get(hint, f"a {getattr(hint, '__name__', hint)}")


@cache
def _fields(kind: type) -> dict[str, Any]:
    """The parts of a dataclass or named tuple, with their types."""
    return {name: hint for name, hint in get_type_hints(kind).items() if get_origin(hint) is not ClassVar}

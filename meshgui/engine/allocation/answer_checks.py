"""Checks the answers of third-party strategies against the interface, for the views that draw them.

Each kind of fault is found by a generator that yields what is wrong in words; the first is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from functools import cache
from inspect import isclass
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Allocation, Reservation
from meshgui.engine.allocation.inspection import Grid, Inspection, Panel, Polyline, Table, Tree
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Steps
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.plugins import quoted
from meshgui.engine.basics.translation import tr

__all__ = ["allocation_in", "boxes_in", "inspection_fault", "misfit", "nodes_fault", "steps_fault"]

_FARTHEST = 2**15  # the greatest coordinate that can be drawn
_NAMES: dict[object, str] = {
    int: tr("a whole number"),
    float: tr("a number"),
    str: tr("words"),
    bool: tr("a truth value"),
    NoneType: tr("nothing"),
    np.generic: tr("an array"),
    np.number: tr("an array of numbers"),
    np.integer: tr("an array of whole numbers"),
}


def misfit(value: object, hint: Any, what: str) -> str | None:  # noqa: ANN401 - any type hint
    """How a value differs from its type, with the path to the faulty part, or None when it does not."""
    return next(_misfits(value, hint, what), None)


def steps_fault(steps: Steps, lines: int) -> str | None:
    """The fault of a log's rows for a strategy with so many lines, or None."""
    return next(_step_faults(steps.rows, lines), None)


def inspection_fault(seen: Inspection, mesh: Mesh) -> str | None:
    """The fault of a strategy's inspection, or None."""
    return misfit(seen, Inspection, tr("an inspection")) or next(_inspection_faults(seen, mesh), None)


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
    return None, tr("{quoted}: expected a sequence of boxes, such as (box,)").format(quoted=got)


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


def _misfits(value: Any, hint: Any, what: str) -> Iterator[str]:  # noqa: ANN401
    kind, args = get_origin(hint) or hint, get_args(hint)
    if kind is ClassVar:
        yield from _misfits(value, args[0], what)
    elif kind in {Union, UnionType}:
        # Only where none of its kinds fits is a fault worth wording.
        near = [arg for arg in args if _is(value, arg)] or args[:1]
        faults = [misfit(value, arg, what) for arg in near]
        if None not in faults:
            yield from filter(None, faults)
    elif not _is(value, hint):
        yield tr("{what}: expected {expected}, got {quoted}").format(
            what=what, expected=_named(hint), quoted=quoted(value)
        )
    elif kind is dict:
        for key, item in value.items():
            yield from _misfits(key, args[0], tr("{what}, a key").format(what=what))
            yield from _misfits(item, args[1], f"{what}, {key}")
    elif kind in {tuple, frozenset}:
        for item in value:
            yield from _misfits(item, args[0], what)
    elif is_dataclass(kind) or hasattr(kind, "_fields"):
        for name, part in _fields(kind).items():
            yield from _misfits(getattr(value, name), part, f"{what}, {name}")


def _is(value: object, hint: Any) -> bool:  # noqa: ANN401
    """Whether a value is of the kind that a type names, its parts aside."""
    kind, args = get_origin(hint) or hint, get_args(hint)
    if kind in {Any, object}:
        return True
    if kind is type:
        return isclass(value) and issubclass(value, args[0])
    if kind is np.ndarray:
        return isinstance(value, np.ndarray) and np.issubdtype(value.dtype, _numbers_in(args))
    if kind is tuple and Ellipsis not in args:
        return isinstance(value, tuple) and len(value) == len(args)
    if kind in {int, float}:
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    return isinstance(value, bool | np.bool_ if kind is bool else kind)


def _named(hint: Any) -> str:  # noqa: ANN401
    """What a type names, for a sentence."""
    kind, args = get_origin(hint) or hint, get_args(hint)
    if kind is type:
        return tr("a kind of {name}").format(name=args[0].__name__)
    if kind is np.ndarray:
        return _NAMES[_numbers_in(args)]
    if kind is tuple and Ellipsis not in args:
        return tr("a tuple of {number}").format(number=len(args))
    return _NAMES.get(kind, f"a {kind.__name__}")


def _numbers_in(args: tuple[Any, ...]) -> type[np.generic]:
    """The kind of numbers of an array type with these arguments."""
    (number,) = get_args(args[1])
    return np.generic if number is Any else np.integer if issubclass(number, np.integer) else np.number


@cache
def _fields(kind: type) -> dict[str, Any]:
    """The parts of a dataclass or named tuple, with their types."""
    return {name: hint for name, hint in get_type_hints(kind).items() if get_origin(hint) is not ClassVar}


def _inspection_faults(seen: Inspection, mesh: Mesh) -> Iterator[str]:
    titles = [panel.title for panel in seen.panels]
    if len(set(titles)) < len(titles):
        yield tr("two panels of one title: {titles}").format(titles=", ".join(titles))
    yield from _mark_faults(seen.marks)
    for panel in (*seen.panels, *([seen.heat] if seen.heat else [])):
        yield from (f"{panel.title}: {fault}" for fault in _panel_faults(panel, mesh))
    yield from _path_faults(seen.path)


def _panel_faults(panel: Panel, mesh: Mesh) -> Iterator[str]:
    if isinstance(panel, Grid):
        shape = mesh.extents[::-1]
        if panel.values.shape != shape:
            yield tr("numbers in the shape {shape}: expected {other}, [z, y, x]").format(
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
        yield tr("a path in the shape {shape}: expected [n, 3]").format(shape=path.shape)


def _step_faults(rows: NDArray[np.int32], lines: int) -> Iterator[str]:
    numbers, roles = rows[:, 0], rows[:, 1]
    if len(rows) and numbers[0] == SAME_STEP:
        yield tr("a further mark before its first step")
    for number in numbers[(numbers != SAME_STEP) & ((numbers < 0) | (numbers >= lines))]:
        yield tr("the line {numbers}: expected one from 0 to {lines}").format(numbers=number, lines=lines - 1)
    for role in roles[(roles < 0) | (roles >= len(Role))]:
        yield tr("the role {roles}, which there is not").format(roles=role)
    yield from _box_faults(rows[:, 2:8])


def _mark_faults(marks: Iterable[Mark | None]) -> Iterator[str]:
    return _box_faults(np.array([mark.box for mark in marks if mark is not None]).reshape(-1, 6))


def _box_faults(boxes: NDArray[Any]) -> Iterator[str]:
    """A box of a negative size, or too far away to be drawn."""
    for box in boxes[(boxes[:, 3:] < 0).any(axis=1) | (np.abs(boxes) >= _FARTHEST).any(axis=1)]:
        yield tr("the box {tuple}, which is none").format(tuple=tuple(box.tolist()))

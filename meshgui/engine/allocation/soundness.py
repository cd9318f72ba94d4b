"""Holds what third-party strategies answer to the interface, so that whoever draws it can rely on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import is_dataclass
from functools import cache
from inspect import isclass
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from meshgui.engine.allocation.inspection import Chart, Grid, Inspection, Panel, Polyline, Table, Tree
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Steps
from meshgui.engine.geometry import Box, Mesh

__all__ = ["boxes_in", "inspection_fault", "misfit", "steps_fault"]

_FARTHEST = 2**15  # no coordinate that can be drawn lies beyond


def misfit(value: object, hint: Any, what: str) -> str | None:  # noqa: ANN401 - any type hint
    """How a value differs from its type, told from its outermost part inwards, or None when it does not."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any or hint is object:
        return None
    if origin is ClassVar:
        return misfit(value, args[0], what)
    if origin in {Union, UnionType}:
        faults = [misfit(value, arg, what) for arg in args]
        if None in faults:
            return None
        near = (n for n, arg in enumerate(args) if isclass(arg) and isinstance(value, arg))
        return faults[next(near, 0)]
    if origin is np.ndarray:
        return _array_misfit(value, args, what)
    if origin in {tuple, frozenset, dict}:
        return _collection_misfit(value, origin, args, what)
    if origin is type:
        fits = isclass(value) and issubclass(value, args[0])
        return None if fits else f"{what}: expected a kind of {args[0].__name__}, got {_short(value)}"
    if not _is(value, hint):
        return f"{what}: expected {_named(hint)}, got {_short(value)}"
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        parts = ((name, getattr(value, name)) for name in _hints(hint))
        faults = [misfit(part, _hints(hint)[name], f"{what}, {name}") for name, part in parts]
        return next((fault for fault in faults if fault), None)
    return None


def steps_fault(steps: Steps, lines: int) -> str | None:
    """What is wrong with a log's rows for a strategy with so many lines."""
    rows = steps.rows
    if not len(rows):
        return None
    numbers, roles, sizes = rows[:, 0], rows[:, 1], rows[:, 5:8]
    if numbers[0] == SAME_STEP:
        return "a further mark before its first step"
    wrong = numbers[(numbers != SAME_STEP) & ((numbers < 0) | (numbers >= lines))]
    if len(wrong):
        return f"the line {wrong[0]}: expected one from 0 to {lines - 1}"
    if ((roles < 0) | (roles >= len(Role))).any():
        return f"the role {roles[(roles < 0) | (roles >= len(Role))][0]}, which there is not"
    if (sizes < 0).any() or (np.abs(rows[:, 2:8]) >= _FARTHEST).any():
        row = ((sizes < 0).any(axis=1) | (np.abs(rows[:, 2:8]) >= _FARTHEST).any(axis=1)).argmax()
        return f"the box {tuple(rows[row, 2:8].tolist())}, which is none"
    return None


def inspection_fault(seen: Inspection, mesh: Mesh) -> str | None:
    """What is wrong with what a strategy shows."""
    fault = misfit(seen, Inspection, "an inspection")
    if fault is not None:
        return fault
    titles = [panel.title for panel in seen.panels]
    if len(set(titles)) < len(titles):
        return f"two panels of one title: {', '.join(titles)}"
    grids = [panel for panel in seen.panels if isinstance(panel, Grid)]
    if seen.heat is not None:
        grids.append(seen.heat)
    faults = [_mark_fault(mark) for mark in seen.marks]
    faults += [_panel_fault(panel) for panel in seen.panels]
    faults += [_grid_fault(grid, mesh) for grid in grids]
    faults.append(_path_fault(seen.path))
    return next((fault for fault in faults if fault), None)


def boxes_in(given: object) -> tuple[Box, ...] | None:
    """Boxes given as any sequence of six whole numbers each, or None where they are none."""
    try:
        rows = np.array([tuple(box) for box in given])  # type: ignore[attr-defined] # that is the question
        whole = np.issubdtype(rows.dtype, np.integer) and rows.shape[1:] == (6,)
    except (TypeError, ValueError, OverflowError):
        return None
    return tuple(Box(*row) for row in rows.tolist()) if whole else None


def _panel_fault(panel: Panel) -> str | None:
    title = panel.title
    if isinstance(panel, Table):
        for row in panel.rows:
            if len(row.cells) != len(panel.columns):
                return f"{title}: a row of {len(row.cells)} cells below {len(panel.columns)} columns"
            if row.mark is not None and (fault := _mark_fault(row.mark)) is not None:
                return f"{title}: {fault}"
    elif isinstance(panel, Tree):
        seen: set[int] = set()
        for node in panel.nodes:
            if node.key in seen or (node.parent is not None and node.parent not in seen):
                return f"{title}: the node {node.key} twice, or before the node above it"
            if node.mark is not None and (fault := _mark_fault(node.mark)) is not None:
                return f"{title}: {fault}"
            seen.add(node.key)
    elif isinstance(panel, Chart):
        for curve in panel.curves:
            if curve.x.ndim != 1 or curve.x.shape != curve.y.shape:
                return f"{title}: a curve of {curve.x.shape} by {curve.y.shape} numbers"
    return None


def _grid_fault(grid: Grid, mesh: Mesh) -> str | None:
    shape = mesh.extents[::-1]
    if grid.values.shape != shape:
        return f"{grid.title}: numbers in the shape {grid.values.shape}: expected {shape}, [z, y, x]"
    fault = _path_fault(grid.path)
    return f"{grid.title}: {fault}" if fault is not None else None


def _path_fault(path: Polyline | None) -> str | None:
    if path is None or (path.ndim == 2 and path.shape[1] == 3):
        return None
    return f"a path in the shape {path.shape}: expected [n, 3]"


def _mark_fault(mark: Mark) -> str | None:
    if min(mark.box.size) < 0 or max(map(abs, mark.box)) >= _FARTHEST:
        return f"the box {tuple(mark.box)}, which is none"
    return None


def _array_misfit(value: object, args: tuple[Any, ...], what: str) -> str | None:
    if not isinstance(value, np.ndarray):
        return f"{what}: expected an array, got {_short(value)}"
    wanted = get_args(args[1])[0]
    if wanted is Any:
        return None
    wanted = np.integer if issubclass(wanted, np.integer) else np.number
    if not np.issubdtype(value.dtype, wanted):
        return f"{what}: expected an array of {_named(wanted)}s, got one of {value.dtype}"
    return None


def _collection_misfit(value: object, origin: type, args: tuple[Any, ...], what: str) -> str | None:
    if not isinstance(value, origin):
        return f"{what}: expected a {origin.__name__}, got {_short(value)}"
    if isinstance(value, dict):
        faults = [misfit(key, args[0], f"{what}, a key") for key in value]
        faults += [misfit(item, args[1], f"{what}, {key}") for key, item in value.items()]
        return next((fault for fault in faults if fault), None)
    items: Sequence[object] = list(value)  # type: ignore[call-overload] # it is a collection by now
    fixed = origin is tuple and Ellipsis not in args
    if fixed and len(items) != len(args):
        return f"{what}: expected {len(args)} of them, got {_short(value)}"
    hints = args if fixed else (args[0],) * len(items)
    faults = [misfit(item, hint, what) for item, hint in zip(items, hints, strict=True)]
    return next((fault for fault in faults if fault), None)


def _is(value: object, hint: type) -> bool:
    if hint is None or hint is NoneType:
        return value is None
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    if hint is int:
        return isinstance(value, Integral) and not isinstance(value, bool)
    if hint is float:
        return isinstance(value, Real) and not isinstance(value, bool)
    return isinstance(value, hint)


def _named(hint: type | None) -> str:
    names = {int: "a whole number", float: "a number", str: "words", bool: "a truth value"}
    names |= {NoneType: "nothing", np.integer: "whole number", np.number: "number"}
    return names.get(hint or NoneType, f"a {getattr(hint, '__name__', hint)}")


def _short(value: object) -> str:
    """A value in a few letters; one that cannot even say what it is, by its type."""
    try:
        words = " ".join(repr(value).split())
    except Exception:  # noqa: BLE001 - it is a third party's
        words = type(value).__name__
    return words if len(words) <= 60 else f"{words[:57]}…"


@cache
def _hints(kind: type) -> dict[str, Any]:
    return {name: hint for name, hint in get_type_hints(kind).items() if get_origin(hint) is not ClassVar}

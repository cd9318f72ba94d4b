"""Checks the answers of third-party strategies against the interface, for the views that draw them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

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
    BOX,
    INSPECTION,
    SIZE,
    Inspection,
    Request,
    path_faults,
)
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.allocation.steps import SAME_STEP, Role, Steps, box_faults, mark_faults
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.plugin_classes import ID
from meshgui.engine.basics.plugins import quoted
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.value_checks import (
    ANYTHING,
    NOTHING,
    NUMBER,
    OPTIONAL_WHOLE,
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
)

_REASON: Final = either(TEXT, NOTHING)
_STATE: Final = by_name(array_of(np.generic, tr("an array")))
_STEPS: Final = kind_of(Steps)
_REQUEST: Final = parts_of(Request, job=WHOLE, size=SIZE, now=NUMBER, service=NUMBER, seed=WHOLE)
_OUTCOME: Final = either(all_of(tuple, BOX), parts_of(Reservation, box=BOX), NOTHING)
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

COUNTERS: Final[dict[str, Check]] = {"operations": WHOLE, "part_attempts": OPTIONAL_WHOLE}
"""The values that are read of a strategy after each call."""

ANSWERS: Final[dict[str, Check]] = {
    **dict.fromkeys(("dims_in_words", "say"), TEXT),
    **dict.fromkeys(("unfit", "refusal"), _REASON),
    **dict.fromkeys(("reserves", "turning", "crosses_seams", "can_hold_out"), TRUTH),
    "out_boxes": all_of(tuple, BOX),
    "remarks": all_of(tuple, TEXT),
    **dict.fromkeys(("capture", "released"), _STATE),
    **dict.fromkeys(("inspect", "inspect_release"), INSPECTION),
    **dict.fromkeys(("words", "release_words"), by_name(ANYTHING)),
    "search_steps": NUMBER,
    "due": all_of(tuple, WHOLE),
    "turns": all_of(tuple, SIZE),
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
    return misfit(seen, INSPECTION, tr("an inspection")) or next(_inspection_faults(seen, mesh), None)


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
    yield from mark_faults(seen.marks)
    for panel in (*seen.panels, *([seen.heat] if seen.heat else [])):
        yield from (f"{panel.title}: {fault}" for fault in panel.faults(mesh))
    yield from path_faults(seen.path)


def _step_faults(rows: Ints32, lines: int) -> Iterator[str]:
    numbers, roles = rows[:, 0], rows[:, 1]
    if len(rows) and numbers[0] == SAME_STEP:
        yield tr("a further mark before its first step")
    for number in numbers[(numbers != SAME_STEP) & ((numbers < 0) | (numbers >= lines))]:
        yield tr("the line {numbers}: expected one from 0 to {lines}").format(numbers=number, lines=lines - 1)
    for role in roles[(roles < 0) | (roles >= len(Role))]:
        yield tr("the role {roles}, which does not exist").format(roles=role)
    yield from box_faults(rows[:, 2:8])

"""What is right and wrong about a place for a job, in words that name the right one only where asked to."""

from __future__ import annotations

from typing import Final

import numpy as np

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.basics.geometry import Box, Mesh, Node, Size, cells
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.exercises.exercise import said

_MOST_NAMED: Final = 6  # boxes


def words_of(box: Box, mesh: Mesh) -> str:
    """A box by its corners."""
    return mesh.describe_box(box)


def gets_words(boxes: Boxes, mesh: Mesh) -> str:
    """What the job gets: the first few boxes of many."""
    gets = (
        tr("The job gets {boxes} and {more} more.")
        if len(boxes) > _MOST_NAMED
        else tr("The job gets {boxes}.")
    )
    shown = tr(", ").join(words_of(box, mesh) for box in boxes[:_MOST_NAMED])
    return said(gets, boxes=shown, more=len(boxes) - _MOST_NAMED)


def axes_right(mesh: Mesh, base: Node, given: Node) -> list[str]:
    """The axes along which a base is right."""
    names = "xyz"[: mesh.dims]
    return [name for name, one, other in zip(names, given, base, strict=False) if one == other]


def base_words(mesh: Mesh, base: Node, given: Node) -> str:
    """Which coordinates of a wrong base are right."""
    right = axes_right(mesh, base, given)
    wrong = [name for name in "xyz"[: mesh.dims] if name not in right]
    if not right:
        return tr("This is not the base.")
    return said(
        tr("{right} is right, {wrong} is not."), right=tr(", ").join(right), wrong=tr(", ").join(wrong)
    )


def why_not(recording: Recording, position: int, job: int, size: Size, given: Node) -> str:
    """What stands in the way of the job at a base: of the sizes it may have there, one is that it gets."""
    mesh, strategy = recording.mesh, recording.new_strategy()
    shapes = strategy.turns(recording.size(job)) or (size,)
    if size not in shapes:
        shapes = (size,)  # it is rounded up
    snapshot = recording.snapshot(position)
    words: dict[str, object] = {"base": f"({','.join(map(str, given[: mesh.dims]))})"}
    met = ""
    for shape in shapes:
        box = Box(*given, *shape)
        parts = mesh.parts(box) if recording.across else (box,)
        if not all(map(mesh.holds, parts)):
            met = met or said(tr("From {base} its box would reach beyond the mesh."), **words)
            continue
        rows = zip(snapshot.boxes.tolist(), snapshot.owners.tolist(), strict=True)
        owner = next((owner for row, owner in rows if any(map(Box(*row).overlaps, parts))), None)
        if owner is None:
            return said(
                tr("A box from {base} is free as well, but {strategy} takes another."),
                strategy=recording.strategy.title,
                **words,
            )
        met = said(tr("From {base} its box would meet job {job}."), job=owner, **words)
    return met


def shared_cells(mesh: Mesh, right: Boxes, given: Boxes) -> tuple[int, int]:
    """How many processors two lists of boxes have in common, and how many together."""
    one, other = _cells(mesh, right), _cells(mesh, given)
    return len(one & other), len(one | other)


def cells_words(mesh: Mesh, right: Boxes, given: Boxes) -> str:
    """How many of the processors that were pointed out are right."""
    wanted, chosen = _cells(mesh, right), _cells(mesh, given)
    words = {"hit": len(wanted & chosen), "all": len(wanted), "extra": len(chosen - wanted)}
    found = (
        tr("{hit} of the {all} processors are right, and {extra} wrong.")
        if chosen - wanted
        else tr("{hit} of the {all} processors are right.")
    )
    return said(found, **words)


def _cells(mesh: Mesh, boxes: Boxes) -> set[int]:
    if not boxes:
        return set()
    return set(cells(np.array(boxes, dtype=np.int64).reshape(-1, 6), mesh).tolist())

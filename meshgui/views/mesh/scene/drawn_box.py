"""Draws the box that is dragged to ask for a job, and the hint of the drawing mode, for both canvases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import Box, Mesh, describe_size
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of
from meshgui.model.scene.mesh_scene import Scene, box_grid
from meshgui.views.mesh.scene.drawing import Grip, JobDrawing
from meshgui.views.style.direction import isolated
from meshgui.views.style.floating import draw_frame
from meshgui.views.style.theme import Dress

Side = tuple[int, int]
"""The axis that a side of a box lies across, and 0 for the lower of the two, 1 for the upper."""

SidesOnScreen = Callable[[NDArray[np.int16], Sequence[Side]], list[QPolygonF]]
"""Where some sides of boxes of nodes are on the screen."""

SIDES: Final[tuple[Side, ...]] = tuple((axis, upper) for axis in range(3) for upper in range(2))
_MOST_CELLS: Final = 4096  # that are drawn one by one
_FILLS: Final = (("accent", 0.5), ("blocked", 0.4))
"""Of free and of busy nodes."""

_MARKED: Final = {
    Role.TRIED: ("base", False),
    Role.CANDIDATE: ("candidate", False),
    Role.PROHIBITED: ("prohibited", True),
    Role.BORDER: ("border_plane", False),
    Role.BLOCKED: ("blocked", True),
}
"""The colour of a mark that is not of the moment shown, and whether its outline is dashed."""


def draw_box(
    painter: QPainter, scene: Scene, box: Box, grip: Grip, sides_of: SidesOnScreen, themes: Dress
) -> None:
    """Draw the outline, and on the side that is drawn on, which nodes are free."""
    theme = themes.theme
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    near = _near_layer(box, grip)
    if near.volume <= _MOST_CELLS:
        busy = _busy(scene, near)
        for cells, (token, alpha) in zip(
            (_cells_of(near, ~busy), _cells_of(near, busy)), _FILLS, strict=True
        ):
            painter.setBrush(theme.colour(token, alpha))
            painter.setPen(QPen(theme.colour(token, 0.9), themes.scale))
            for cell in sides_of(cells, [(grip.axis, int(grip.inward < 0))]):
                painter.drawPolygon(cell)
    painter.setBrush(theme.colour("accent", 0.06))
    painter.setPen(QPen(theme.colour("accent"), 2 * themes.scale))
    for side in sides_of(np.array([box], dtype=np.int16), SIDES):
        painter.drawPolygon(side)
    painter.restore()


def draw_chosen(
    painter: QPainter, mesh: Mesh, drawing: JobDrawing, sides_of: SidesOnScreen, themes: Dress
) -> None:
    """Draw the boxes that were pointed out for an exercise, marks, and a dashed one where the keys are."""
    theme = themes.theme
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(theme.colour("accent", 0.35))
    painter.setPen(QPen(theme.colour("accent"), 3 * themes.scale))
    shown = SIDES if mesh.dims == 3 else SIDES[-1:]
    for side in sides_of(np.array(drawing.chosen, dtype=np.int16).reshape(-1, 6), shown):
        painter.drawPolygon(side)
    for mark in drawing.marks:
        token, dashed = _MARKED.get(mark.role, ("accent", False))
        line = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        painter.setBrush(theme.colour(token, 0.2))
        painter.setPen(QPen(theme.colour(token), 3 * themes.scale, line))
        for side in sides_of(np.array([mark.box], dtype=np.int16), shown):
            painter.drawPolygon(side)
    if drawing.node is not None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.colour("text"), 2 * themes.scale, Qt.PenStyle.DashLine))
        for side in sides_of(np.array([(*drawing.node, 1, 1, 1)], dtype=np.int16), shown):
            painter.drawPolygon(side)
    painter.restore()


def words_of(box: Box, mesh: Mesh, free: int | None) -> tuple[str, ...]:
    """The size of a box that is drawn, whether this many processors are free, and how to change its depth."""
    wanted = box.volume
    if free is None:
        return describe_size(box.size, mesh.dims), count_of(wanted, "processor")
    there = (
        tr("{free} free").format(free=free)
        if wanted <= free
        else tr("only {free} free: it would wait").format(free=free)
    )
    lines = (describe_size(box.size, mesh.dims), f"{count_of(wanted, 'processor')} · {there}")
    return lines if mesh.dims == 2 else (*lines, tr("Wheel or digits: deeper"))


def drawing_hints(mesh: Mesh, *, ends: bool) -> tuple[str, ...]:
    """What the pointer does in the drawing mode, in fewer and fewer words."""
    ending = tr(" · click a running job to end it") if ends else ""
    deep = tr(" · wheel: depth") if mesh.dims == 3 else ""
    whole = tr("Drag the size of a job: the strategy chooses its place{ending}{deep} · Esc leaves").format(
        ending=ending, deep=deep
    )
    return (
        whole,
        tr("Drag a job’s size{ending}{deep} · Esc").format(ending=ending, deep=deep),
        tr("Drag a job’s size · Esc"),
        tr("Draw · Esc"),
    )


def draw_hint(painter: QPainter, room: float, forms: Sequence[str], themes: Dress) -> None:
    """Say in a line at the top what the pointer does, in as many words as there is room for: a width.

    Where the fewest words have none beside the legend they stand below it.
    """
    painter.setFont(themes.text("caption"))
    metrics = QFontMetricsF(painter.font())
    pad, gap = themes.px(8), themes.px(8)
    most = room - 2 * gap - 2 * pad
    text = next((form for form in forms if metrics.horizontalAdvance(form) <= most), "")
    height, top = metrics.height() + themes.px(6), float(themes.px(4))
    if not text:
        text, top = forms[-1], height + themes.px(10)
    frame = QRectF(gap, top, metrics.horizontalAdvance(text) + 2 * pad, height)
    draw_frame(painter, frame, themes, 0.94)
    painter.setPen(themes.theme.colour("text"))
    painter.drawText(
        QPointF(frame.left() + pad, frame.top() + themes.px(3) + metrics.ascent()), isolated(text)
    )


def _cells_of(layer: Box, chosen: NDArray[np.bool_]) -> NDArray[np.int16]:
    """The chosen nodes `[z, y, x]` of a box, each as a box of its own."""
    z, y, x = np.nonzero(chosen)
    one = np.ones(len(x), dtype=np.int64)
    return np.stack((x + layer.x, y + layer.y, z + layer.z, one, one, one), axis=1).astype(np.int16)


def _near_layer(box: Box, grip: Grip) -> Box:
    """The layer of a box that is nearest to the user."""
    base, size = list(box.base), list(box.size)
    if grip.inward < 0:
        base[grip.axis] += size[grip.axis] - 1
    size[grip.axis] = 1
    return Box(*base, *size)


def _busy(scene: Scene, box: Box) -> NDArray[np.bool_]:
    held = box_grid(scene.mesh, scene.boxes)
    part = held[box.z : box.z + box.h, box.y : box.y + box.d, box.x : box.x + box.w]
    busy: NDArray[np.bool_] = part >= 0
    return busy

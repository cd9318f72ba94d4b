"""The drawing mode of the mesh: a box is dragged to ask for a job of its size, a click ends a running job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from meshgui.engine.allocation.steps import Mark
from meshgui.engine.basics.geometry import Box, Mesh, Node

_DIGITS: Final = "123456789"


class Grip(NamedTuple):
    """Where a drag begins: a node on a side of the mesh that faces the user."""

    node: Node
    axis: int  # across that side
    inward: int  # the way into the mesh along the axis: 1 or -1


class JobDrawing(QObject):
    """What is being drawn. Only its size counts: the strategy chooses the place.

    While an exercise asks for a place it is the other way: `placing` says with what hint, a click or a drag
    gives a box, as do the arrow keys with Return, and nothing is asked of the run.
    """

    changed = Signal()
    entered = Signal()  # the drawing mode
    asked = Signal(object)  # the size of a box that was drawn
    end_asked = Signal(int)  # a job that was clicked
    placed = Signal(object)  # a box that was pointed out, for an exercise
    packet_chosen = Signal(int)  # likewise a packet

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.active = False
        self.depth = 1  # layers, across the side that is drawn on
        self.grip: Grip | None = None
        self._end: Node | None = None  # the node opposite, once the pointer has moved
        self.placing = ""  # the hint of an exercise that is answered on the mesh
        self.chosen: tuple[Box, ...] = ()  # what was pointed out
        self.marks: tuple[Mark, ...] = ()  # of a step that is shown, or of an answer beside the right one
        self.node: Node | None = None  # where the arrow keys are

    def place(self, hint: str, chosen: Sequence[Box] = (), marks: Sequence[Mark] = ()) -> None:
        """Let a click point out a place, and show those chosen, and marks; without a hint, no longer."""
        self.placing, self.chosen, self.marks = hint, tuple(chosen), tuple(marks)
        self.node = self.node if hint else None
        self.active = False
        self.cancel()

    def move(self, way: Node, mesh: Mesh) -> None:
        """Go from node to node with the keys, from the lowest corner on."""
        x, y, z = (
            min(max(place + step, 0), side - 1)
            for place, step, side in zip(
                self.node or (-way[0], -way[1], -way[2]), way, mesh.extents, strict=True
            )
        )
        self.node = x, y, z
        self.changed.emit()

    def toggle(self) -> None:
        """Enter the mode, or leave it."""
        self.active = not self.active
        self.cancel()
        if self.active:
            self.entered.emit()

    @property
    def draws(self) -> bool:
        """Whether a drag draws a box."""
        return self.active or bool(self.placing)

    def leave(self) -> bool:
        """Give up the box that is being drawn, else leave the mode; False if it is off already."""
        if self.placing and self._end is not None:
            self.cancel()
            return True
        if not self.active:
            return False
        if self._end is None:
            self.active = False
        self.cancel()
        return True

    def cancel(self) -> None:
        """Give up the box that is being drawn."""
        self.grip = self._end = None
        self.changed.emit()

    def begin(self, grip: Grip) -> None:
        """Begin a box at a node."""
        self.grip, self._end = grip, None

    def drag_to(self, node: Node) -> None:
        """Let the box reach to another node."""
        if node != self._end:
            self._end = node
            self.changed.emit()

    def deepen(self, layers: int) -> None:
        """Make the box deeper, or with a negative number less deep."""
        self.set_depth(self.depth + layers)

    def set_depth(self, layers: int) -> None:
        """Set how many layers deep the box is; the mesh limits what is drawn."""
        self.depth = max(layers, 1)
        self.changed.emit()

    def takes(self, text: str, mesh: Mesh | None) -> bool:
        """Whether a key sets the depth: a digit, in a mesh of more than one layer."""
        return self.draws and mesh is not None and mesh.dims == 3 and text != "" and text in _DIGITS

    def box(self, mesh: Mesh) -> Box | None:
        """The box that is drawn; None before the pointer has moved."""
        if self.grip is None or self._end is None:
            return None
        (start, axis, inward), end = self.grip, self._end
        low = [min(pair) for pair in zip(start, end, strict=True)]
        high = [max(pair) for pair in zip(start, end, strict=True)]
        depth = min(self.depth, mesh.extents[axis])
        first = start[axis] if inward > 0 else start[axis] - depth + 1
        low[axis] = min(max(first, 0), mesh.extents[axis] - depth)
        high[axis] = low[axis] + depth - 1
        return Box.from_corners((low[0], low[1], low[2]), (high[0], high[1], high[2]))

    def finish(self, mesh: Mesh) -> None:
        """Ask for a job of the size that was drawn."""
        box = self.box(mesh)
        self.cancel()
        if box is not None and self.placing:
            self.placed.emit(box)
        elif box is not None:
            self.asked.emit(box.size[: mesh.dims])

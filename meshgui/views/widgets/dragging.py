"""Tells a click from a drag, and a drag from a hover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget as _Widget
else:
    _Widget = object  # mixed into widgets of several kinds


class DragWidget(_Widget):
    """Mixed into a widget whose content is hovered, clicked and dragged."""

    pointer: QPointF | None = None  # where it was last seen
    pressed: QPointF | None = None
    dragging = False

    def hover_at(self, point: QPointF) -> None:
        """Hover the object at a point."""
        raise NotImplementedError

    def drag_by(self, way: QPointF, event: QMouseEvent) -> None:
        """Move the content with the pointer."""
        raise NotImplementedError

    def click_at(self, point: QPointF) -> None:
        """Choose the object at a point."""
        raise NotImplementedError

    def mousePressEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Begin a click or a drag."""
        self.pressed = self.pointer = event.position()
        self.dragging = False

    def mouseMoveEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Drag while a button is held; otherwise hover."""
        before, here = self.pointer, event.position()
        if self.pressed is None or before is None or not event.buttons():
            self.pointer = here
            self.hover_at(here)
            return
        if self.is_drag_to(here):
            self.pointer = here
            self.drag_by(here - before, event)

    def is_drag_to(self, here: QPointF) -> bool:
        """Whether the pointer has moved so far since the press that it is no click any more."""
        if self.pressed is not None:
            self.dragging |= (here - self.pressed).manhattanLength() >= QApplication.startDragDistance()
        return self.dragging

    def mouseReleaseEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Click with the left button if it was no drag."""
        click = self.pressed is not None and not self.dragging
        self.pressed, self.dragging = None, False
        if click and event.button() == Qt.MouseButton.LeftButton:
            self.click_at(event.position())
        self.update()

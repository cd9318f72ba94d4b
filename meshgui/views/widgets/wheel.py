"""Leaves the wheel to the form around a field until the field has the focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QComboBox, QWidget


class _WheelGate(QObject):
    """Hands a turn of the wheel over a choice, or a field without the focus, on to what it lies in."""

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self._field = field

    def eventFilter(self, watched: QObject, event: QEvent, /) -> bool:  # noqa: N802 - Qt's name
        """Ignore the turn, so that Qt offers it to the widget around the field."""
        del watched
        is_choice = isinstance(self._field, QComboBox)  # one turn too many would choose something else
        if event.type() != QEvent.Type.Wheel or (self._field.hasFocus() and not is_choice):
            return False
        event.ignore()
        return True


def wheel_needs_focus(*fields: QWidget) -> None:
    """Let the wheel change or scroll these fields only while they have the focus, and never choose."""
    for field in fields:
        gate = _WheelGate(field)
        field.installEventFilter(gate)
        if isinstance(field, QAbstractScrollArea):
            field.viewport().installEventFilter(gate)
        if field.focusPolicy() == Qt.FocusPolicy.WheelFocus:
            field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

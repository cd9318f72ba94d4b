"""The events of a pointer themselves, as a real one passes other places on its way."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

NO_BUTTON, NO_KEY = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier


def move_to(
    widget: QWidget,
    at: QPointF,
    buttons: Qt.MouseButton = NO_BUTTON,
    kind: QEvent.Type = QEvent.Type.MouseMove,
) -> None:
    """The pointer comes to a place of a widget, or does something there."""
    button = NO_BUTTON if kind == QEvent.Type.MouseMove else buttons
    event = QMouseEvent(kind, at, QPointF(widget.mapToGlobal(at)), button, buttons, NO_KEY)
    QApplication.sendEvent(widget, event)


def turn_wheel(widget: QWidget, at: QPointF, notches: float) -> bool:
    """Turn the wheel over a place; whether the widget took it."""
    there, turned, phase = QPointF(widget.mapToGlobal(at)), QPoint(0, round(120 * notches)), Qt.ScrollPhase
    event = QWheelEvent(at, there, QPoint(), turned, NO_BUTTON, NO_KEY, phase.NoScrollPhase, False)
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def ask_for_menu(widget: QWidget, at: QPoint) -> QWidget | None:
    """Click right at a place; the menu that opens."""
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))
    return QApplication.activePopupWidget()

"""The roles that widgets which draw themselves give to assistive programs, beside their names."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget


def tell_roles() -> None:
    """Give each widget whose class has an `accessible_role` that role; Qt knows those of its own widgets."""
    QAccessible.installFactory(_interface_of)


def _interface_of(_name: str, widget: QObject | None) -> QAccessibleInterface | None:
    role = getattr(widget, "accessible_role", None)
    if not isinstance(widget, QWidget) or not isinstance(role, QAccessible.Role):
        return None
    return QAccessibleWidget(widget, role)

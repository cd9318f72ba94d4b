"""Ties a widget to the plain change events of the model for as long as it lives."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from meshgui.model.signals import Signal

__all__ = ["follow"]


def follow(widget: QWidget, signal: Signal[[]], listener: Callable[[], object]) -> None:
    """Tell `listener` of changes until the widget is gone: plain signals do not see widgets die."""
    signal.connect(listener)
    widget.destroyed.connect(lambda: signal.disconnect(listener))

"""Fits Qt's own file dialog to its texts and to the screen: by itself it cuts dates and kinds."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QFileDialog, QHeaderView, QTreeView

from meshgui.views.style.screens import room_for_window

_LETTERS: Final = 110  # the width of a dialog with names, sizes, kinds and dates


def fit_columns_soon(dialog: QFileDialog) -> None:
    """Fit the columns once Qt has given them the widths of the last time, which it does as it makes them."""
    QTimer.singleShot(0, dialog, partial(_fit_columns, dialog))


def _fit_columns(dialog: QFileDialog) -> None:
    """Give sizes, kinds and dates what they need, and the rest to the names."""
    files = dialog.findChild(QTreeView, "treeView")
    if files is None:  # a dialog of the system
        return
    head = files.header()
    head.setStretchLastSection(False)
    head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    width = dialog.fontMetrics().averageCharWidth() * _LETTERS
    dialog.resize(dialog.size().expandedTo(QSize(width, 0)).boundedTo(room_for_window(dialog)))

"""Where the docks of a window are: read from Qt, and given to Qt, which has all that it gets from here."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from meshgui.model.document.arrangement import Arrangement
from meshgui.model.document.arrangement_reader import read_arrangement
from meshgui.model.document.qt_state import layout_version, qt_state
from meshgui.views.style.direction import columns, is_rtl

_CORNERS = (
    Qt.Corner.TopLeftCorner,
    Qt.Corner.TopRightCorner,
    Qt.Corner.BottomLeftCorner,
    Qt.Corner.BottomRightCorner,
)


def arrangement_of(window: QMainWindow) -> Arrangement:
    """Where the docks are."""
    state = window.saveState(layout_version(rtl=is_rtl()))
    names = [dock.objectName() for dock in window.findChildren(QDockWidget)]
    return read_arrangement(state.data(), names).arrangement or Arrangement({})


def arrange(window: QMainWindow, arrangement: Arrangement) -> None:
    """Put the docks into their places. Each has one: Qt would lose another.

    What has the focus keeps it where it is still in sight: Qt hides docks on the way, and hands it on.
    """
    focused, by_key = window.focusWidget(), window.testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
    for dock in window.findChildren(QDockWidget):
        if dock.window() is not window and not dock.isFloating():  # Qt loses those that float with others
            window.addDockWidget(columns()[0], dock)
    rtl = is_rtl()
    state = qt_state(arrangement, [window.corner(corner).value for corner in _CORNERS], rtl=rtl)
    window.restoreState(QByteArray(state), layout_version(rtl=rtl))
    if focused is not None and focused is not window.focusWidget() and focused.isVisible():
        focused.setFocus(Qt.FocusReason.ShortcutFocusReason if by_key else Qt.FocusReason.OtherFocusReason)

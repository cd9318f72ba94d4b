"""Puts a widget on the screen, which is closed after the test."""

__all__ = ["shown"]


def shown(qtbot, widget, width=None, height=None, *, active=False):
    """A widget, once it is to be seen in a size or its own, and once it has the keys if it is to."""
    qtbot.addWidget(widget)
    if width is not None:
        widget.resize(width, height)
    with qtbot.waitExposed(widget):
        widget.show()
    if active:
        widget.activateWindow()
        qtbot.waitUntil(widget.isActiveWindow)
    return widget

"""Puts a widget on the screen, which is closed after the test."""

from PySide6.QtCore import QEvent, QObject

__all__ = ["Heard", "shown"]


class Heard(QObject):
    """Counts what a widget hears of one kind."""

    def __init__(self, widget, kind: QEvent.Type):
        super().__init__(widget)
        self.count, self._kind = 0, kind
        widget.installEventFilter(self)

    def eventFilter(self, _watched, event):  # noqa: N802 - Qt's name
        self.count += event.type() == self._kind
        return False


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

"""Goes through a window by Tab, as one does who has no mouse."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QListView,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

__all__ = ["around", "as_they_stand", "is_part", "leave", "missed", "stops_of"]

LINE = 8  # pixels within which stops stand beside each other
MOST_LINKS = 500  # of a page


def is_part(widget: QWidget) -> bool:
    """Whether a widget is the inside of another, which has the name."""
    parent = widget.parentWidget()
    return isinstance(parent, QAbstractSpinBox | QComboBox) or (
        isinstance(widget, QListView)
        and bool(parent is not None and parent.inherits("QComboBoxPrivateContainer"))
    )


def choice_of(widget: QWidget) -> QObject:
    """What a button belongs to of which one is chosen: Tab goes to one of them, arrow keys to the others."""
    if not isinstance(widget, QAbstractButton):
        return widget
    if widget.group() is not None and widget.group().exclusive():
        return widget.group()
    return widget.parentWidget() if widget.autoExclusive() else widget


def is_laid_out(widget: QWidget) -> bool:
    """Whether a widget lies in its window, or can be scrolled to: Qt lays some panels and tabs outside."""
    seen, above = widget, widget.parentWidget()
    while above is not None and not above.isWindow():
        seen, above = (above if isinstance(above, QScrollArea) else seen), above.parentWidget()
    room = widget.window()
    return room.rect().intersects(QRect(seen.mapTo(room, QPoint()), seen.size()))


def stops_of(part: QWidget) -> set[QWidget]:
    """All that Tab has to reach in a window or a part of it; an area that only scrolls may be left out."""
    return {
        widget
        for widget in part.findChildren(QWidget)
        if widget.isVisible()
        and is_laid_out(widget)
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not widget.focusProxy()
        and not is_part(widget)
        and not isinstance(widget, QScrollArea)
    }


def missed(wanted: Iterable[QWidget], stops: Iterable[QWidget]) -> list[QWidget]:
    """What was to be reached and was passed over."""
    reached = set(map(choice_of, stops))
    return [widget for widget in wanted if choice_of(widget) not in reached]


def around(room: QWidget, qtbot: QtBot, key: Qt.Key = Qt.Key.Key_Tab) -> list[QWidget]:
    """Where Tab, or Shift+Tab, goes in a window from what has the keys, until it comes somewhere again.

    It must be the beginning: otherwise the keys are caught in a part of the window.
    """
    stops: list[QWidget] = []
    while (focused := QApplication.focusWidget()) not in stops:
        assert focused.isVisible()
        stops.append(focused)
        leave(focused, qtbot, key)
    assert focused is stops[0], f"the keys are caught from {focused} to {stops[-1]}"
    return stops


def leave(stop: QWidget, qtbot: QtBot, key: Qt.Key = Qt.Key.Key_Tab) -> None:
    """Go on from a stop; on a page Tab goes from link to link before it leaves."""
    for _ in range(MOST_LINKS):
        qtbot.keyClick(stop, key)
        if QApplication.focusWidget() is not stop:
            return


def as_they_stand(part: QWidget, stops: list[QWidget]) -> list[QWidget]:
    """The stops in a part of the window, line by line."""

    def place(stop: QWidget) -> tuple[int, int]:
        at = stop.mapTo(part, QPoint())
        return at.y() // LINE, at.x()

    return sorted((stop for stop in stops if part.isAncestorOf(stop)), key=place)

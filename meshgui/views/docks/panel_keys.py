"""Takes the keys into a panel, and from panel to panel."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from meshgui.views.style.direction import is_rtl


def enter(place: QWidget) -> bool:
    """Give the keys to what last had them in a part of the window, else to its first; if there is one."""
    target = next(_takers(place), None)
    if target is None:
        return False
    target.window().activateWindow()
    target.setFocus(Qt.FocusReason.ShortcutFocusReason)
    return True


def holds_keys(place: QWidget) -> bool:
    """Whether the keys go to a part of the window, or nothing in it takes any."""
    focused = place.window().focusWidget()
    inside = focused is not None and place.isAncestorOf(focused)
    return inside or next(_takers(place), None) is None


def step(window: QMainWindow, docks: list[QDockWidget], way: int) -> None:
    """Take the keys to the next (1) or the previous (-1) of the docks and the middle, in reading order."""
    middle = window.centralWidget()
    parts = docks if middle is None else [middle, *docks]
    places = sorted(parts, key=lambda place: _order(window, place))
    here = next((number for number, place in enumerate(places) if _has_focus(place)), None)
    if here is None:
        here = -1 if way > 0 else 0
    for number in range(1, len(places) + 1):
        if enter(places[(here + way * number) % len(places)]):
            return


def _has_focus(place: QWidget) -> bool:
    focused = place.window().focusWidget()
    return focused is not None and place.window().isActiveWindow() and place.isAncestorOf(focused)


def _order(window: QMainWindow, place: QWidget) -> tuple[bool, int, int]:
    """Column by column from where reading begins, each from above; what floats comes last."""
    at = place.mapTo(window, QPoint()) if place.window() is window else place.pos()
    column = -at.x() - place.width() if is_rtl(window) else at.x()
    return place.window() is not window, column, at.y()


def _takers(place: QWidget) -> Iterator[QWidget]:
    """What takes the keys in a part of the window: what last had them, then all in the order of Tab."""
    last = place.focusWidget()
    if last is not None and place.isAncestorOf(last) and _takes(last):
        yield last
    each: QWidget | None = place.nextInFocusChain()
    while each is not None and each is not place:
        if place.isAncestorOf(each) and _takes(each):
            yield each
        each = each.nextInFocusChain()


def _takes(widget: QWidget) -> bool:
    by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_tab and widget.isVisible() and widget.isEnabled()

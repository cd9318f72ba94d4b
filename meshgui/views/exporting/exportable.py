"""The pictures, tables and menu entries that widgets offer for export, and the search for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Protocol, runtime_checkable

from PySide6.QtCore import QPoint, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.charts.lettering import Lettering
from meshgui.model.tables.tables import PlainTable
from meshgui.views.style.theme_colours import Theme

EXPORTS: Final = f"{tr('File')}/{tr('Export')}"
"""The menu of what leaves the program."""

Paint = Callable[[QPainter, QRectF, Theme], None]
"""Draws a picture into a part of a painter's paper, in the colours of a theme."""


class ChartLabels(NamedTuple):
    """The words around a chart."""

    title: str = ""
    x_label: str = ""
    y_label: str = ""


@dataclass(frozen=True)
class Picture:
    """A picture to export: its size at scale 1, and what draws it into a part of a painter's paper.

    A chart can be drawn with other letters and labels than those that it has.
    """

    title: str
    size: QSize
    paint: Paint
    lettered: Callable[[Lettering], Paint] | None = None
    labels: ChartLabels = field(default_factory=ChartLabels)

    def printed(self, lettering: Lettering | None) -> Picture:
        """The same in chosen letters, where there are any and it can be."""
        if lettering is None or self.lettered is None:
            return self
        return replace(self, paint=self.lettered(lettering))


@runtime_checkable
class OffersPictures(Protocol):
    """A widget that shows pictures."""

    def pictures(self) -> Sequence[Picture]:
        """Those it shows now."""
        ...


@runtime_checkable
class OffersPictureAt(Protocol):
    """A widget that shows several pictures."""

    def picture_at(self, point: QPoint) -> Picture | None:
        """The one at a point of the widget."""
        ...


@runtime_checkable
class OffersTables(Protocol):
    """A widget that shows tables."""

    def tables(self) -> Sequence[PlainTable]:
        """Those it shows now."""
        ...


@runtime_checkable
class OffersEntries(Protocol):
    """A widget with menu entries of its own."""

    def menu_entries(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """The texts of the entries with their actions."""
        ...


def pictures_of(widget: QWidget) -> Sequence[Picture]:
    """The pictures a widget itself shows."""
    return widget.pictures() if isinstance(widget, OffersPictures) else ()


def picture_under(widget: QWidget, at: QPoint | None) -> Sequence[Picture]:
    """The picture of a widget at a point of the screen, where it shows several."""
    if at is None or not isinstance(widget, OffersPictureAt):
        return ()
    found = widget.picture_at(widget.mapFromGlobal(at))
    return () if found is None else (found,)


def tables_of(widget: QWidget) -> Sequence[PlainTable]:
    """The tables a widget itself shows."""
    return widget.tables() if isinstance(widget, OffersTables) else ()


def entries_of(widget: QWidget) -> Sequence[tuple[str, Callable[[], object]]]:
    """The menu entries of a widget itself."""
    return widget.menu_entries() if isinstance(widget, OffersEntries) else ()


def ancestors(widget: QWidget | None, top: QWidget | None = None) -> Iterable[QWidget]:
    """Yield a widget and its ancestors up to the window, or to `top`, which is left out."""
    while widget is not None and widget is not top:
        yield widget
        widget = None if widget.isWindow() else widget.parentWidget()


def visible_widgets(window: QWidget) -> Iterable[QWidget]:
    """The visible widgets of a window, floating panels included."""
    return (
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible() and not widget.visibleRegion().isEmpty()
    )

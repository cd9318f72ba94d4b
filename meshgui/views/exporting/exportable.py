"""The pictures, tables and menu entries that widgets offer for export, and the search for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from meshgui.model.tables import ExportTable
from meshgui.views.style.theme import Theme

__all__ = [
    "OffersEntries",
    "OffersPictures",
    "OffersTables",
    "PaintedPicture",
    "Picture",
    "ancestors",
    "entries_of",
    "only_pixels",
    "pictures_of",
    "tables_of",
    "visible_widgets",
]


@runtime_checkable
class Picture(Protocol):
    """What can be exported as a picture: a widget itself, or one of several that it offers.

    One that has `only_pixels`, and says yes, is a PNG and nothing else.
    """

    def picture_title(self) -> str:
        """What it shows."""
        ...

    def picture_size(self) -> QSize:
        """Its size as it is now, in pixels at scale 1."""
        ...

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw it into a part of a painter's paper, in the colours of a theme."""
        ...


@runtime_checkable
class OffersPictures(Protocol):
    """A widget that shows pictures, the likeliest to be wanted first."""

    def pictures(self) -> Sequence[Picture]:
        """Those it shows now."""
        ...


@runtime_checkable
class OffersTables(Protocol):
    """A widget that shows tables."""

    def tables(self) -> Sequence[ExportTable]:
        """Those it shows now."""
        ...


@runtime_checkable
class OffersEntries(Protocol):
    """A widget with something more in its menu."""

    def menu_entries(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """Words, and what they do."""
        ...


@dataclass(frozen=True)
class PaintedPicture:
    """A picture by what draws it."""

    title: str
    size: QSize
    draw: Callable[[QPainter, QRectF, Theme], None]
    only_pixels: bool = False

    def picture_title(self) -> str:
        """See Picture."""
        return self.title

    def picture_size(self) -> QSize:
        """See Picture."""
        return self.size

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """See Picture."""
        self.draw(painter, rect, theme)


def only_pixels(picture: Picture) -> bool:
    """Whether there is no drawing it in lines."""
    return bool(getattr(picture, "only_pixels", False))


def pictures_of(widget: QWidget) -> Sequence[Picture]:
    """The pictures a widget itself shows."""
    if isinstance(widget, OffersPictures):
        return widget.pictures()
    return (widget,) if isinstance(widget, Picture) else ()


def tables_of(widget: QWidget) -> Sequence[ExportTable]:
    """The tables a widget itself shows."""
    if isinstance(widget, OffersTables):
        return widget.tables()
    return (widget,) if isinstance(widget, ExportTable) else ()


def entries_of(widget: QWidget) -> Sequence[tuple[str, Callable[[], object]]]:
    """What a widget itself adds to a menu."""
    return widget.menu_entries() if isinstance(widget, OffersEntries) else ()


def ancestors(widget: QWidget | None, top: QWidget | None = None) -> Iterable[QWidget]:
    """A widget, what it lies in, and so on, to the window or to `top`, which is left out."""
    while widget is not None and widget is not top:
        yield widget
        widget = None if widget.isWindow() else widget.parentWidget()


def visible_widgets(window: QWidget) -> Iterable[QWidget]:
    """The widgets of a window, floating panels included, of which something can be seen."""
    return (
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible() and not widget.visibleRegion().isEmpty()
    )

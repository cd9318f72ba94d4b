"""Lengths in design pixels, set on widgets and layouts again whenever the scale changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QMargins, QObject, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from meshgui.views.style.direction import is_rtl
from meshgui.views.style.theme import Dress

Part = int | QWidget | QLayout | tuple[QWidget | QLayout, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""A widget or layout in a row or column, perhaps with stretch and alignment; a number is empty stretch."""

Margins = tuple[float, float, float, float]
L = TypeVar("L", bound=QBoxLayout)
_NONE: Margins = (0, 0, 0, 0)


class Sizing(QObject):
    """The lengths of one widget and its layouts, in the design's pixels; it lives as long as its owner.

    What has been deleted since, such as a button of a list that was filled again, is forgotten.

    `Sizing(themes, self).margins(column, 12, 8, 12, 12).spacing(column, 8).call(bar.setFixedHeight, 28)`
    """

    def __init__(self, themes: Dress, owner: QObject) -> None:
        super().__init__(owner)
        self._themes = themes
        self._scale = themes.scale
        self._rules: list[tuple[object, Callable[[], object]]] = []  # each with what it sizes
        themes.changed.connect(self._follow)

    def call(self, setter: Callable[..., object], *pixels: float) -> Sizing:
        """Give a setter these lengths: `call(widget.setFixedHeight, 28)`."""
        sized = getattr(setter, "__self__", None)
        return self.rule(lambda: setter(*map(self._themes.px, pixels)), sized)

    def rule(self, rule: Callable[[], object], sized: object = None) -> Sizing:
        """Run a function that computes lengths itself, now and whenever the scale changes."""
        self._rules.append((sized, rule))
        rule()
        return self

    def margins(
        self, what: QLayout | QWidget, first: float, top: float, last: float, bottom: float
    ) -> Sizing:
        """Set the margins of a layout or a text, the first where one begins to read: Qt mirrors none."""
        left, right = (last, first) if is_rtl() else (first, last)
        sides = (left, top, right, bottom)
        return self.rule(lambda: what.setContentsMargins(QMargins(*map(self._themes.px, sides))), what)

    def spacing(self, layout: QLayout, between: float, rows: float | None = None) -> Sizing:
        """Set the spacing of a layout; the rows of a grid may have another."""
        if isinstance(layout, QGridLayout):
            self.call(layout.setHorizontalSpacing, between)
            return self.call(layout.setVerticalSpacing, between if rows is None else rows)
        return self.call(layout.setSpacing, between)

    def row(
        self, *parts: Part, on: QWidget | None = None, margins: Margins = _NONE, spacing: float = 0
    ) -> QHBoxLayout:
        """Lay parts out from left to right, on a widget or for another layout."""
        return self._filled(QHBoxLayout(), parts, on, margins, spacing)

    def column(
        self, *parts: Part, on: QWidget | None = None, margins: Margins = _NONE, spacing: float = 0
    ) -> QVBoxLayout:
        """Lay parts out from top to bottom, on a widget or for another layout."""
        return self._filled(QVBoxLayout(), parts, on, margins, spacing)

    def icons(self, side: float, *buttons: QAbstractButton | QToolBar) -> Sizing:
        """Set the side of the icons on buttons or in a tool bar."""
        for button in buttons:
            self.rule(partial(self._resize_icon, button, side), button)
        return self

    def _resize_icon(self, button: QAbstractButton | QToolBar, side: float) -> None:
        button.setIconSize(QSize(self._themes.px(side), self._themes.px(side)))

    def _filled(
        self, layout: L, parts: tuple[Part, ...], on: QWidget | None, margins: Margins, spacing: float
    ) -> L:
        if on is not None:
            on.setLayout(layout)
        for part in parts:
            if isinstance(part, int):
                layout.addStretch(part)
                continue
            what, *how = part if isinstance(part, tuple) else (part,)
            add: Callable[..., None] = layout.addWidget if isinstance(what, QWidget) else layout.addLayout
            add(what, *how)
        self.margins(layout, *margins).spacing(layout, spacing)
        return layout

    def _follow(self) -> None:
        if self._themes.scale != self._scale:
            self._scale = self._themes.scale
            self._rules = [(sized, rule) for sized, rule in self._rules if _there(sized)]
            for _, rule in self._rules:
                rule()


def _there(sized: object) -> bool:
    """Whether something has not been deleted by Qt."""
    return not isinstance(sized, QObject) or shiboken6.isValid(sized)

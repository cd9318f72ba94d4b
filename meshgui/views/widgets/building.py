"""Makes labels, buttons and scroll areas in one call each."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QLabel,
    QLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from meshgui.views.style.direction import set_from_the_right
from meshgui.views.style.icons import IconShelf

_LONG_WORD: Final = re.compile(r"\S{1000}")

Act = Callable[..., object] | SignalInstance
Area = TypeVar("Area", bound=QAbstractScrollArea)


def literal(text: str) -> str:
    """A text for a tab, a menu or a button, in which a single & would underline a letter."""
    return text.replace("&", "&&").replace("\t", " ")


def literal_title(text: str) -> str:
    """A text for the title of a window, in which a single [*] would stand for whether it was changed."""
    return text.replace("[*]", "[*][*]")


def left(widget: QWidget) -> tuple[QWidget, int, Qt.AlignmentFlag]:
    """A part of a column that is no wider than it needs."""
    return widget, 0, Qt.AlignmentFlag.AlignLeft


def top(widget: QWidget) -> tuple[QWidget, int, Qt.AlignmentFlag]:
    """A part of a row that is no higher than it needs."""
    return widget, 0, Qt.AlignmentFlag.AlignTop


def widget_of(layout: QLayout) -> QWidget:
    """A widget for a layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def label(text: str = "", kind: str = "", *, wrap: bool = False) -> QLabel:
    """A label in one of the stylesheet's kinds of text."""
    made = QLabel(text, wordWrap=wrap, textFormat=Qt.TextFormat.PlainText)
    made.setProperty("type", kind)
    return made


class SelectableLabel(QLabel):
    """Plain text in several lines that can be selected with the mouse.

    Qt sets it by its first letter, which may be that of a Latin name in an Arabic sentence.
    """

    def __init__(self, kind: str = "") -> None:
        super().__init__()
        self.setProperty("type", kind)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def setText(self, text: str, /) -> None:  # noqa: N802 - Qt's name
        """Set an Arabic text from the right."""
        super().setText(set_from_the_right(text))


def push_button(text: str, hint: str, act: Act, *, primary: bool = False) -> QPushButton:
    """A button with a text, a tooltip and an action; a click on it leaves the keys where they are."""
    button = QPushButton(text)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setToolTip(hint)
    button.clicked.connect(act)
    button.setProperty("primary", primary)
    return button


def text_button(text: str, hint: str, act: Act | None = None, *, checkable: bool = False) -> QToolButton:
    """A flat button with a text, a tooltip and an action."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(hint)
    button.setCheckable(checkable)
    if act is not None:
        button.clicked.connect(act)
    return button


def menu_button(icons: IconShelf, icon: str, text: str, hint: str) -> tuple[QToolButton, QMenu]:
    """A button that opens a menu, with its text beside an icon, and the menu."""
    button = text_button(text, hint)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    icons.dress(button, icon)
    menu = QMenu(button)
    button.setMenu(menu)
    return button, menu


def hairline() -> QFrame:
    """A thin horizontal line between parts."""
    line = QFrame()
    line.setProperty("rule", True)
    line.setFixedHeight(1)
    return line


def scroll_area(content: QWidget) -> QScrollArea:
    """A view that scrolls down only, on the ground of what it lies in; the focus goes to its content."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    content.setAutoFillBackground(False)
    area.viewport().setAutoFillBackground(False)
    return area


def scrolls_around(widget: QWidget) -> QScrollArea | None:
    """The innermost scroll area that a widget lies in, now: it may be put into another."""
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    return around


def scrolls_alone(area: Area) -> Area:
    """Let a scroll area that is all of its panel be low: else the dock would scroll around it."""
    area.setMinimumHeight(1)
    return area


def as_panel(widget: QWidget) -> None:
    """Paint the ground of panels behind a widget."""
    widget.setProperty("panel", True)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def keep_room(widget: QWidget, *, keep: bool = True) -> None:
    """Keep the room of a widget while it is hidden, or no longer."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(keep)
    widget.setSizePolicy(policy)


def restyle(widget: QWidget, name: str, value: bool) -> None:
    """Set a property that the stylesheet selects by, and apply the stylesheet again."""
    if bool(widget.property(name)) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def wrapping(text: str) -> QTextOption.WrapMode:
    """How to break the lines of a text: at words, but anywhere if one is very long.

    To look for the words takes Qt a time that grows with the square of their length.
    """
    modes = QTextOption.WrapMode
    return modes.WrapAnywhere if _LONG_WORD.search(text) else modes.WrapAtWordBoundaryOrAnywhere

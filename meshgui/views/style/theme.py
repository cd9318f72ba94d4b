"""The theme, scale and fonts that views draw with, and the manager that applies them to the application."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from string import Template
from typing import Final, Literal

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QProxyStyle, QWidget
from shiboken6 import isValid

from meshgui.itself import resource
from meshgui.model.scene.colours import ThemeName
from meshgui.views.style.direction import LevelLine, is_rtl, isolated
from meshgui.views.style.file_dialogs import fit_columns_soon
from meshgui.views.style.fonts import mono_font, text_font
from meshgui.views.style.theme_colours import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Theme
from meshgui.views.style.tinting import tinted

Mode = ThemeName | Literal["system"]
TextSize = Literal["caption", "body", "lead", "title", "display"]

SIZES: Final[dict[TextSize, int]] = {"caption": 12, "body": 13, "lead": 15, "title": 18, "display": 24}
"""The one scale of type, in pixels at 100 %."""

SCALES: Final = (0.5, 3.0)
"""The least and the greatest factor for lengths."""

LECTURE_ZOOM: Final = 1.53
"""How much larger than other text code is in a lecture: its capitals are then 2 % of the screen's height."""

LETTERS: Final[dict[bool, tuple[TextSize, ...]]] = {False: ("body",), True: ("title", "lead", "body")}
"""The sizes of words at the desk, and for the last row: there the first in which they have room."""

_PIXELS: Final = re.compile(r"(\d+)px")

# A picture in the stylesheet: its name there, the icon, the colour token.
_PICTURES: Final = (
    ("chevron_down", "chevron-down", "muted"),
    ("chevron_up", "chevron-up", "muted"),
    ("chevron_right", "chevron-right", "muted"),
    ("chevron_left", "chevron-left", "muted"),  # of a menu in a menu, from right to left
    ("check", "check", "accent_text"),
    ("check_menu", "check", "text"),
    ("close", "x", "muted"),
    ("float", "picture-in-picture-2", "muted"),
)


def _scaled(sheet: str, scale: float) -> str:
    """The sheet with every length multiplied; a hairline stays at least one pixel."""

    def length(match: re.Match[str]) -> str:
        pixels = int(match[1])
        return f"{max(1, round(pixels * scale)) if pixels else 0}px"

    return _PIXELS.sub(length, sheet)


def stylesheet(theme: Theme, scale: float = 1.0) -> str:
    """The Qt stylesheet of a theme at a size."""
    template = resource("style", "window.qss").read_text("utf-8")
    names = {key: value for key, value in asdict(theme).items() if isinstance(value, str)}
    names |= {
        name: getattr(theme, name) for name in ("hover", "pressed", "selection", "groove", "handle", "seam")
    }
    pictures = {f"image_{name}": tinted(icon, names[token]) for name, icon, token in _PICTURES}
    pictures["image_nothing"] = tinted("x", "transparent")
    # Qt turns a slider about without its pages: the one before the handle is the other one then.
    names["before"] = "add-page" if is_rtl() else "sub-page"
    # Lengths first: a path may hold digits followed by "px".
    return Template(_scaled(template, scale)).substitute(names, **pictures)


def _palette(theme: Theme) -> QPalette:
    """The palette of the parts that the stylesheet leaves to Fusion."""
    role = QPalette.ColorRole
    palette = QPalette()
    for token, targets in {
        "window": (role.Window,),
        "panel": (role.Base, role.Button),
        "raised": (role.ToolTipBase, role.Light),
        "text": (role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.HighlightedText),
        "muted": (role.PlaceholderText,),
        "hover": (role.AlternateBase,),
        "selection": (role.Highlight,),
        "accent": (role.Accent, role.Link, role.LinkVisited),
        "accent_text": (role.BrightText,),
        "hairline": (role.Midlight, role.Mid),
        "outline": (role.Dark, role.Shadow),
    }.items():
        for target in targets:
            palette.setColor(target, theme.colour(token))
    for target in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, theme.colour("faint"))
    return palette


class Dress(QObject):
    """A theme, a scale and fonts for views to draw with. The one of an exported picture never changes."""

    changed = Signal()

    def __init__(self, theme: Theme = LIGHT, scale: float = 1.0, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._scale = scale

    @property
    def theme(self) -> Theme:
        """The theme now shown."""
        return self._theme

    @property
    def scale(self) -> float:
        """The factor for all lengths: the size of text; 1 in pictures."""
        return self._scale

    @property
    def usual(self) -> Dress:
        """The look without what makes it larger."""
        return self

    def px(self, pixels: float) -> int:
        """A length of the design at the current size, for layouts and painters."""
        return round(pixels * self.scale)

    def text(self, size: TextSize = "body", weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """The text face at the current size."""
        return text_font(self.px(SIZES[size]), weight)

    def mono(self, size: TextSize) -> QFont:
        """The monospace face at the current size."""
        return mono_font(self.px(SIZES[size]))


class EnlargedDress(Dress):
    """The look of another dress with all lengths larger, for what is read from further away."""

    def __init__(self, dress: Dress, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self._dress, self._zoom = dress, 1.0
        dress.changed.connect(self.changed)

    @property
    def theme(self) -> Theme:
        """The theme of the other."""
        return self._dress.theme

    @property
    def scale(self) -> float:
        """The factor for all lengths."""
        return self._dress.scale * self._zoom

    @property
    def usual(self) -> Dress:
        """The other."""
        return self._dress

    def set_zoom(self, zoom: float) -> None:
        """Make everything this much larger than in the other dress."""
        if zoom != self._zoom:
            self._zoom = zoom
            self.changed.emit()


class ThemeManager(Dress):
    """Holds the current theme and scale, and applies them to the application."""

    def __init__(self, application: QApplication, mode: Mode = "system") -> None:
        super().__init__(parent=application)
        self.application = application
        self._mode: Mode = mode
        self._high_contrast = False
        self._lent: Theme | None = None
        self._without_stylesheet = False
        self._when_shown = _WhenShown(self._polish_tree, self)
        application.setStyle(_FromTheRight("Fusion") if is_rtl() else _PlainText("Fusion"))
        application.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._ask_for_scheme()
        self._apply()

    @property
    def mode(self) -> Mode:
        """The mode chosen by the user: light, dark, or the system's preference."""
        return self._mode

    @property
    def theme(self) -> Theme:
        """The theme now shown."""
        if self._lent is not None:
            return self._lent
        dark = self.system_is_dark() if self._mode == "system" else self._mode == "dark"
        if self._high_contrast:
            return DARK_CONTRAST if dark else LIGHT_CONTRAST
        return DARK if dark else LIGHT

    @contextmanager
    def lent(self, theme: Theme | None = None) -> Iterator[None]:
        """Use another theme while one picture is drawn, or again the window's while that pauses.

        Nothing on the screen is drawn with another theme.
        """
        before, self._lent = self._lent, theme
        try:
            yield
        finally:
            self._lent = before

    @contextmanager
    def without_stylesheet(self) -> Iterator[None]:
        """Apply the stylesheet to a window only once it is built, unless another is shown meanwhile.

        With a stylesheet Qt restyles all that a widget holds each time it is put into another.
        """
        if self._without_stylesheet or any(window.isVisible() for window in self._windows()):
            yield
            return
        self._without_stylesheet = True
        self.application.setStyleSheet("")
        try:
            yield
        finally:
            self._without_stylesheet = False
            self.application.setStyleSheet(stylesheet(self.theme, self._scale))

    def system_is_dark(self) -> bool:
        """Whether the system prefers dark windows; False if it states no preference."""
        return self.application.styleHints().colorScheme() == Qt.ColorScheme.Dark

    def system_wants_contrast(self) -> bool:
        """Whether the system prefers high contrast; False if it states no preference, or Qt knows none."""
        accessibility = getattr(self.application.styleHints(), "accessibility", None)  # Qt 6.10
        if accessibility is None:
            return False
        preference = accessibility().contrastPreference()
        return bool(preference == Qt.ContrastPreference.HighContrast)

    def set_mode(self, mode: Mode) -> None:
        """Show the light or the dark theme, or follow the system."""
        if mode == self._mode:
            return
        self._mode = mode
        self._ask_for_scheme()
        self._apply(colours_alone=True)

    def toggle(self) -> None:
        """Change between light and dark."""
        self.set_mode("light" if self.theme.name == "dark" else "dark")

    @property
    def high_contrast(self) -> bool:
        """Whether the light or dark theme is the one of high contrast."""
        return self._high_contrast

    def set_high_contrast(self, high: bool) -> None:
        """Show the light and the dark theme in high contrast, or as usual."""
        if high != self._high_contrast:
            self._high_contrast = high
            self._apply(colours_alone=True)

    def set_scale(self, scale: float) -> None:
        """Show everything larger or smaller."""
        least, greatest = SCALES
        if not least <= scale <= greatest:
            raise ValueError(f"expected a size from {least:g} to {greatest:g}, got {scale}")
        if scale == self._scale:
            return
        self._scale = scale
        self._apply()

    def _ask_for_scheme(self) -> None:
        """Request a light or dark window frame, where the platform supports it."""
        hints = self.application.styleHints()
        if self._mode == "system":
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(Qt.ColorScheme.Dark if self._mode == "dark" else Qt.ColorScheme.Light)

    def _system_changed(self) -> None:
        if self._mode == "system":
            self._apply(colours_alone=True)

    def _apply(self, *, colours_alone: bool = False) -> None:
        theme, windows = self.theme, self._windows()
        self.application.setPalette(_palette(theme))
        self.application.setFont(self.text())
        if not self._without_stylesheet:
            self._polish(stylesheet(theme, self._scale), windows, hidden_too=not colours_alone)
        self.changed.emit()
        # Once all is laid out again, everything is painted once.
        self.application.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def _windows(self) -> list[QWidget]:
        return [window for window in self.application.topLevelWidgets() if window.parentWidget() is None]

    def _polish(self, sheet: str, windows: list[QWidget], *, hidden_too: bool) -> None:
        """Apply a stylesheet to every widget once.

        What is hidden in a window that is shown can wait until it is shown itself where no size changes: of a
        scenario's form that is all kinds of workload but one.

        Qt's own update polishes each widget of a window again for every ancestor it has. It visits the
        widgets that its caches hold, so they are emptied first, and the widgets polished here.
        """
        self.application.style().unpolish(self.application)
        self.application.setStyleSheet(sheet)
        for window in windows:
            self._polish_tree(window, hidden_too=hidden_too or not window.isVisible())

    def _polish_tree(self, widget: QWidget, *, hidden_too: bool = True) -> None:
        """Polish a widget, then those inside it: what it holds is read only now, as it may have changed.

        Qt deletes its own widgets, such as those of a tool bar, without Python's knowledge.
        """
        if not hidden_too and not widget.isVisible():
            widget.installEventFilter(self._when_shown)
            return
        widget.style().polish(widget)
        self.application.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
        for child in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if isValid(child):
                self._polish_tree(child, hidden_too=hidden_too)


class _WhenShown(QObject):
    """Polishes what was hidden while the colours changed, when it is shown."""

    def __init__(self, polish: Callable[[QWidget], None], parent: QObject) -> None:
        super().__init__(parent)
        self._polish = polish

    def eventFilter(self, shown: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Show and isinstance(shown, QWidget):
            shown.removeEventFilter(self)
            self._polish(shown)
        return False


class _PlainText(QProxyStyle):
    """Shows the text of labels as it is: Qt guesses of each, of tooltips and dialogs too, if it is HTML.

    What is written as HTML here says so by its format. File dialogs have columns that fit.
    """

    def polish(self, widget: object, /) -> None:
        """Take a label or a file dialog before it is first shown or measured."""
        if isinstance(widget, QLabel) and widget.textFormat() == Qt.TextFormat.AutoText:
            widget.setTextFormat(Qt.TextFormat.PlainText)
        elif isinstance(widget, QFileDialog):
            fit_columns_soon(widget)
        super().polish(widget)  # type: ignore[call-overload]


class _FromTheRight(_PlainText):
    """Lets every label begin on the right: by itself one with Latin letters only would stay on the left.

    Letters of all faces stand on one line in a field.
    """

    def drawItemText(  # noqa: N802 - Qt's name
        self,
        painter: QPainter,
        room: QRect,
        flags: int,
        palette: QPalette | Qt.GlobalColor | QColor,
        enabled: bool,
        text: str,
        /,
        *role: QPalette.ColorRole,
    ) -> None:
        """Write what stands on labels and buttons, with sizes in their order."""
        super().drawItemText(painter, room, flags, palette, enabled, isolated(text), *role)

    def polish(self, widget: object, /) -> None:
        """Take a label's sides literally, exchanged, and level what a field holds."""
        if isinstance(widget, QLabel):
            sides = _EXCHANGED.get(widget.alignment() & Qt.AlignmentFlag.AlignHorizontal_Mask)
            if sides is not None:
                rest = widget.alignment() & Qt.AlignmentFlag.AlignVertical_Mask
                widget.setAlignment(rest | sides | Qt.AlignmentFlag.AlignAbsolute)
        super().polish(widget)
        if isinstance(widget, QLineEdit):
            level = widget.findChild(LevelLine)
            (level if isinstance(level, LevelLine) else LevelLine(widget)).level()


_EXCHANGED: Final = {
    Qt.AlignmentFlag.AlignLeft: Qt.AlignmentFlag.AlignRight,
    Qt.AlignmentFlag.AlignRight: Qt.AlignmentFlag.AlignLeft,
}

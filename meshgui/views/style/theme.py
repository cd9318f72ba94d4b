"""The colours of the light and the dark theme, and the manager that applies one to the application."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from string import Template
from typing import Final, Literal

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from meshgui.resources import resource
from meshgui.views.style.colours import RGB, ThemeName, from_hex, mix
from meshgui.views.style.fonts import mono_font, text_font
from meshgui.views.style.tinting import tinted

__all__ = [
    "DARK",
    "EXPORT",
    "HATCHES",
    "LIGHT",
    "SIZES",
    "Dress",
    "Mode",
    "TextSize",
    "Theme",
    "ThemeManager",
    "stylesheet",
]

Mode = Literal["light", "dark", "system"]
TextSize = Literal["caption", "body", "lead", "title", "display"]

SIZES: Final[dict[TextSize, int]] = {"caption": 12, "body": 13, "lead": 15, "title": 18, "display": 24}
"""The one scale of type, in pixels at 100 %."""

HATCHES: Final = (
    Qt.BrushStyle.NoBrush,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.HorPattern,
    Qt.BrushStyle.FDiagPattern,
    Qt.BrushStyle.VerPattern,
    Qt.BrushStyle.DiagCrossPattern,
)
"""The hatch laid over a job's colour, by `job_pattern`; the first is plain."""


@dataclass(frozen=True)
class Theme:
    """Every colour of the window by its meaning, as `#rrggbb`."""

    name: ThemeName

    window: str
    panel: str
    raised: str
    hairline: str  # parts areas; carries no meaning
    outline: str  # the edge of a control or mark, seen at 3 to 1
    text: str
    muted: str
    faint: str  # text of what cannot be used now
    accent: str  # now, and selected; nothing else
    accent_text: str  # text on the accent
    focus: str

    free: str
    candidate: str
    prohibited: str
    border_plane: str
    reserved: str
    blocked: str
    base: str

    tree_free: str  # white in every theme, as in the papers
    tree_busy: str  # black, likewise
    tree_inner: str
    heat_low: str
    heat_high: str

    mesh_background: str
    mesh_grid: str
    mesh_edge: str
    mesh_axis: str
    plot_grid: str

    @cached_property
    def hover(self) -> str:
        """The background of the control under the pointer."""
        return mix(self.panel, self.text, 0.07)

    @cached_property
    def pressed(self) -> str:
        """The background of a pressed control."""
        return mix(self.panel, self.text, 0.13)

    @cached_property
    def selection(self) -> str:
        """The background of selected items; text keeps its colour on it."""
        return mix(self.panel, self.accent, 0.16)

    @cached_property
    def groove(self) -> str:
        """The empty part of a slider or a progress bar."""
        return mix(self.panel, self.text, 0.2)

    def rgb(self, token: str) -> RGB:
        """The colour of a token as three floats, for plots and shaders."""
        value = getattr(self, token)
        if not isinstance(value, str):
            raise TypeError(f"{token!r} is not a colour of the theme")
        return from_hex(value)

    def rgba(self, token: str, alpha: float) -> tuple[float, float, float, float]:
        """The colour of a token, translucent."""
        return (*self.rgb(token), alpha)

    def colour(self, token: str, alpha: float = 1.0) -> QColor:
        """The colour of a token for a painter."""
        return QColor.fromRgbF(*self.rgb(token), alpha)


LIGHT: Final = Theme(
    name="light",
    window="#eef0f3",
    panel="#ffffff",
    raised="#ffffff",
    hairline="#dfe2e7",
    outline="#868e99",
    text="#1a1e24",
    muted="#5b6470",
    faint="#9aa2ad",
    accent="#5b45d6",
    accent_text="#ffffff",
    focus="#5b45d6",
    free="#e3e6ea",
    candidate="#009e73",
    prohibited="#d55e00",
    border_plane="#0072b2",
    reserved="#9a4f7e",
    blocked="#d55e00",
    base="#1a1e24",
    tree_free="#ffffff",
    tree_busy="#101317",
    tree_inner="#a9b0ba",
    heat_low="#fbf0b6",
    heat_high="#0f3166",
    mesh_background="#ffffff",
    mesh_grid="#e3e6ea",
    mesh_edge="#7b8490",
    mesh_axis="#5b6470",
    plot_grid="#e3e6ea",
)

DARK: Final = Theme(
    name="dark",
    window="#111418",
    panel="#1a1e23",
    raised="#242930",
    hairline="#2f353d",
    outline="#717b88",
    text="#e9ecf0",
    muted="#a3acb8",
    faint="#68717d",
    accent="#ab9cff",
    accent_text="#15112e",
    focus="#ab9cff",
    free="#2a3038",
    candidate="#009e73",
    prohibited="#d55e00",
    border_plane="#0072b2",
    reserved="#cc79a7",
    blocked="#d55e00",
    base="#e9ecf0",
    tree_free="#ffffff",
    tree_busy="#000000",
    tree_inner="#7d8794",
    heat_low="#23406f",
    heat_high="#fbe88c",
    mesh_background="#15181d",
    mesh_grid="#2a3038",
    mesh_edge="#717b88",
    mesh_axis="#a3acb8",
    plot_grid="#2a3038",
)

EXPORT: Final = replace(LIGHT, window="#ffffff")
"""The light theme on plain white, for pictures that go into a paper or onto a slide."""

_PIXELS: Final = re.compile(r"(\d+)px")

# A picture in the stylesheet: its name there, the icon, the colour token.
_PICTURES: Final = (
    ("chevron_down", "chevron-down", "muted"),
    ("chevron_up", "chevron-up", "muted"),
    ("chevron_right", "chevron-right", "muted"),
    ("check", "check", "accent_text"),
    ("check_menu", "check", "text"),
    ("close", "x", "muted"),
    ("float", "copy", "muted"),
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
    names = {key: value for key, value in asdict(theme).items() if key != "name"}
    names |= {name: getattr(theme, name) for name in ("hover", "pressed", "selection", "groove")}
    pictures = {f"image_{name}": tinted(icon, names[token]) for name, icon, token in _PICTURES}
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
        """The factor for all lengths; 1 at a desk and in pictures, 1.4 in a lecture."""
        return self._scale

    def px(self, pixels: float) -> int:
        """A length of the design at the current size, for layouts and painters."""
        return round(pixels * self._scale)

    def text(self, size: TextSize = "body", weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """The text face at the current size."""
        return text_font(self.px(SIZES[size]), weight)

    def mono(self, size: TextSize = "body", weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """The monospace face at the current size."""
        return mono_font(self.px(SIZES[size]), weight)


class ThemeManager(Dress):
    """Holds the current theme and scale, and applies them to the application."""

    def __init__(self, application: QApplication, mode: Mode = "system") -> None:
        super().__init__(parent=application)
        self._application = application
        self._mode: Mode = mode
        self._lent: Theme | None = None
        application.setStyle("Fusion")
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
        if self._mode == "system":
            return DARK if self.system_is_dark() else LIGHT
        return DARK if self._mode == "dark" else LIGHT

    @contextmanager
    def lent(self, theme: Theme) -> Iterator[None]:
        """Use another theme while one picture is drawn; nothing on the screen is drawn meanwhile."""
        self._lent = theme
        try:
            yield
        finally:
            self._lent = None

    def system_is_dark(self) -> bool:
        """Whether the system prefers dark windows; False if it states no preference."""
        return self._application.styleHints().colorScheme() == Qt.ColorScheme.Dark

    def set_mode(self, mode: Mode) -> None:
        """Show the light or the dark theme, or follow the system."""
        if mode == self._mode:
            return
        self._mode = mode
        self._ask_for_scheme()
        self._apply()

    def toggle(self) -> None:
        """Change between light and dark."""
        self.set_mode("light" if self.theme.name == "dark" else "dark")

    def set_scale(self, scale: float) -> None:
        """Show everything larger or smaller."""
        if not 0.5 <= scale <= 3.0:
            raise ValueError(f"expected a size from 0.5 to 3, got {scale}")
        if scale == self._scale:
            return
        self._scale = scale
        self._apply()

    def _ask_for_scheme(self) -> None:
        """Request a light or dark window frame, where the platform supports it."""
        hints = self._application.styleHints()
        if self._mode == "system":
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(Qt.ColorScheme.Dark if self._mode == "dark" else Qt.ColorScheme.Light)

    def _system_changed(self) -> None:
        if self._mode == "system":
            self._apply()

    def _apply(self) -> None:
        theme, windows = self.theme, self._windows()
        for window in windows:
            window.setUpdatesEnabled(False)
        self._application.setPalette(_palette(theme))
        self._application.setFont(self.text())
        self._polish(stylesheet(theme, self._scale), windows)
        self.changed.emit()
        # Once all is laid out anew, everything is painted once.
        self._application.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        for window in windows:
            window.setUpdatesEnabled(True)

    def _windows(self) -> list[QWidget]:
        return [window for window in self._application.topLevelWidgets() if window.parentWidget() is None]

    def _polish(self, sheet: str, windows: list[QWidget]) -> None:
        """Apply a stylesheet to every widget once.

        Qt's own update polishes each widget of a window again for every ancestor it has. It visits the
        widgets that its caches hold, so they are emptied first, and the widgets polished here.
        """
        self._application.style().unpolish(self._application)
        self._application.setStyleSheet(sheet)
        changed = QEvent(QEvent.Type.StyleChange)
        for window in windows:
            for widget in (window, *window.findChildren(QWidget)):
                widget.style().polish(widget)
                self._application.sendEvent(widget, changed)

"""The colours of every theme, by their meaning."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from meshgui.model.scene.colours import RGB, ThemeName, from_hex, mix


@dataclass(frozen=True)
class ThemeColours:
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

    high_contrast: bool = False

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

    @cached_property
    def handle(self) -> str:
        """The handle of a scroll bar."""
        return self.faint if self.high_contrast else self.groove

    @cached_property
    def seam(self) -> str:
        """Between panels: what the window's ground is, or a line where panels are as black as that."""
        return mix(self.panel, self.text, 0.36) if self.window == self.panel else self.window

    def rgb(self, token: str) -> RGB:
        """The colour of a token as three floats, for plots and shaders."""
        value = getattr(self, token)
        if not isinstance(value, str):
            raise TypeError(f"{token!r} is not a colour of the theme")
        return from_hex(value)

    def rgba(self, token: str, alpha: float) -> tuple[float, float, float, float]:
        """The colour of a token, translucent."""
        return (*self.rgb(token), alpha)


LIGHT: Final = ThemeColours(
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

DARK: Final = ThemeColours(
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

LIGHT_CONTRAST: Final = replace(
    LIGHT,
    high_contrast=True,
    window="#e6e8ec",
    hairline="#5b6470",
    outline="#1a1e24",
    text="#000000",
    muted="#22262c",
    faint="#59616c",
    accent="#2a14a8",
    focus="#2a14a8",
    free="#9aa2ad",
    candidate="#00664a",
    prohibited="#a34700",
    border_plane="#00568a",
    reserved="#7a2f60",
    blocked="#a34700",
    base="#000000",
    tree_inner="#7b8490",
    mesh_grid="#9aa2ad",
    mesh_edge="#1a1e24",
    mesh_axis="#000000",
    plot_grid="#9aa2ad",
)
"""The light theme for weak projectors and eyes: text at 7 to 1 at least, and edges in sight."""

DARK_CONTRAST: Final = replace(
    DARK,
    high_contrast=True,
    window="#000000",
    panel="#000000",
    raised="#0c0e11",
    hairline="#8d97a4",
    outline="#e9ecf0",
    text="#ffffff",
    muted="#dfe3e8",
    faint="#8d97a4",
    accent="#cfc6ff",
    accent_text="#000000",
    focus="#cfc6ff",
    free="#59616c",
    candidate="#2fd6a6",
    prohibited="#ff8f45",
    border_plane="#62bdf7",
    reserved="#f0a6cd",
    blocked="#ff8f45",
    base="#ffffff",
    mesh_background="#000000",
    mesh_grid="#59616c",
    mesh_edge="#e9ecf0",
    mesh_axis="#ffffff",
    plot_grid="#59616c",
)
"""The dark theme likewise, on black."""

THEMES: Final = {"light": LIGHT, "dark": DARK, "contrast": LIGHT_CONTRAST}
"""The themes that a picture can be asked for in, by the word for each."""

EXPORT: Final = replace(LIGHT, window="#ffffff")
"""The light theme on plain white, for pictures that go into a paper or onto a slide."""

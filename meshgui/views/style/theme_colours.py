"""The colours of every theme, for painters."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from PySide6.QtGui import QColor

from meshgui.model.scene import theme_colours
from meshgui.model.scene.theme_colours import ThemeColours


@dataclass(frozen=True)
class Theme(ThemeColours):
    """The colours of a theme, which painters are given."""

    @classmethod
    def of(cls, colours: ThemeColours) -> Theme:
        """A theme of these colours."""
        return cls(**{each.name: getattr(colours, each.name) for each in fields(colours)})

    def colour(self, token: str, alpha: float = 1.0) -> QColor:
        """The colour of a token for a painter."""
        return QColor.fromRgbF(*self.rgb(token), alpha)


LIGHT: Final = Theme.of(theme_colours.LIGHT)
DARK: Final = Theme.of(theme_colours.DARK)
LIGHT_CONTRAST: Final = Theme.of(theme_colours.LIGHT_CONTRAST)
DARK_CONTRAST: Final = Theme.of(theme_colours.DARK_CONTRAST)
EXPORT: Final = Theme.of(theme_colours.EXPORT)
"""The light theme on plain white, for pictures that go into a paper or onto a slide."""

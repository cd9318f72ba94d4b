"""The colours of every theme, for painters too."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Final

from PySide6.QtGui import QColor

from meshgui.model.moment import palettes
from meshgui.model.moment.palettes import Palette


@dataclass(frozen=True)
class Theme(Palette):
    """Every colour of the window by its meaning."""

    def colour(self, token: str, alpha: float = 1.0) -> QColor:
        """The colour of a token for a painter."""
        return QColor.fromRgbF(*self.rgb(token), alpha)


LIGHT: Final = Theme(**asdict(palettes.LIGHT))
DARK: Final = Theme(**asdict(palettes.DARK))
LIGHT_CONTRAST: Final = Theme(**asdict(palettes.LIGHT_CONTRAST))
DARK_CONTRAST: Final = Theme(**asdict(palettes.DARK_CONTRAST))

EXPORT: Final = replace(LIGHT, window="#ffffff")
"""The light theme on plain white, for pictures that go into a paper or onto a slide."""

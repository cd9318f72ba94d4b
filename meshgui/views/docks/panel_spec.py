"""The record of a panel: all that the window knows of it, from its name to where it stands at first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Literal

from PySide6.QtWidgets import QWidget

from meshgui.views.docks.host import HostWindow


class Mode(Enum):
    """Where a panel is shown besides the desk."""

    LESSON = auto()
    """Below the text of a lesson."""
    LECTURE = auto()
    """While presenting."""


@dataclass(frozen=True)
class Place:
    """Where a panel stands at first, and how large, in the design's pixels."""

    behind: str = ""
    """The panel that it shares a place with, as a tab."""
    above: str = ""
    hidden: bool = False
    width: float | None = None
    height: float | None = None
    with_network: tuple[float | None, float] | None = None
    """Its width and height beside the panel of a network, where they differ."""
    least: float = 0
    """The height it keeps in a column that the user has not divided; more where lines are higher."""
    words: float = 0.9
    """What its words need of the width that its column is narrowed to; below that the mesh gives way."""
    alone: bool = False
    """Whether it has its column for itself while it is in front."""

    def size(self, *, network: bool) -> tuple[float | None, float | None]:
        """Its width and height, where it has ones of its own."""
        return self.with_network if network and self.with_network is not None else (self.width, self.height)


@dataclass(frozen=True)
class PanelSpec:
    """A panel. One with an icon has a command that shows and hides it; others have commands of their own."""

    name: str
    title: str
    sentence: str
    """What it shows."""
    factory: Callable[[HostWindow], QWidget]
    area: Literal["start", "end", "bottom"]
    place: Place = Place()
    modes: frozenset[Mode] = frozenset()
    icon: str = ""
    keys: tuple[str, ...] = ()
    synonyms: str = ""
    needs_network: bool = False
    sheet: Callable[[HostWindow], QWidget] | None = None
    """What stands for it while presenting, in the place of the mesh."""

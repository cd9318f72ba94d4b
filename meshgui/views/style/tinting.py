"""The shipped icons as SVG files in any colour, for icons and for the stylesheet alike.

Qt draws an SVG afresh at every size and pixel ratio, so a recoloured file is all that a crisp
icon needs. The files lie in memory: a program that is killed leaves none behind.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from meshgui.itself import resource
from meshgui.views.style.direction import is_rtl
from meshgui.views.style.memory_files import offer_files

_PAIRS: Final = (
    ("chevron-left", "chevron-right"),
    ("chevrons-left", "chevrons-right"),
    ("arrow-left-to-line", "arrow-right-to-line"),
    ("panel-left", "panel-right"),
    ("undo-2", "redo-2"),
    ("step-back", "step-forward"),
    ("skip-back", "skip-forward"),
    ("play", "play-mirrored"),
)
_MIRRORED: Final = dict(_PAIRS) | {right: left for left, right in _PAIRS}


@cache
def icon_names() -> frozenset[str]:
    """The names of the icons: those shipped, and those that are mirrored here."""
    return _shipped_names() | {"play-mirrored"}


def _shipped_names() -> frozenset[str]:
    return frozenset(path.stem for path in resource("icons").glob("*.svg"))


def tinted(name: str, colour: str) -> str:
    """The path, for Qt alone, of the icon `name` drawn in `colour` (`#rrggbb`).

    Signs that point onward or back point to the other side where one reads, and time runs, from the right.
    """
    return _path(_MIRRORED.get(name, name) if is_rtl() else name, colour)


@cache
def _path(name: str, colour: str) -> str:
    """The path of an icon as it is.

    The colour is part of the path: Qt keeps pictures by their path, and one path that changed its
    colour would show the old one.
    """
    if name not in icon_names():
        raise KeyError(f"there is no icon named {name!r}")
    return f":/{_folder(colour)}/{name}.svg"


@cache
def _folder(colour: str) -> str:
    """The name of the folder of all icons in a colour."""
    folder = f"icons-{colour.removeprefix('#')}"
    offer_files(folder, {f"{n}.svg": text.replace("currentColor", colour) for n, text in _drawings().items()})
    return folder


@cache
def _drawings() -> dict[str, str]:
    """The icons without a colour, with those that have no counterpart among them mirrored."""
    shipped = {name: resource("icons", f"{name}.svg").read_text("utf-8") for name in _shipped_names()}
    return shipped | {"play-mirrored": _mirrored(shipped["play"])}


def _mirrored(drawing: str) -> str:
    """A drawing of 24 units turned to the other side."""
    turned = r'\1<g transform="matrix(-1 0 0 1 24 0)">\2</g></svg>'
    return re.sub(r"(<svg[^>]*>)(.*)</svg>", turned, drawing, flags=re.DOTALL)

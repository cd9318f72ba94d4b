"""The shipped icons as SVG files in any colour, for icons and for the stylesheet alike.

Qt draws an SVG afresh at every size and pixel ratio, so a recoloured file is all that a crisp
icon needs.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from meshgui.resources import resource
from meshgui.views.style.direction import from_the_right

__all__ = ["icon_names", "tinted"]

_PAIRS: Final = (
    ("chevron-left", "chevron-right"),
    ("chevrons-left", "chevrons-right"),
    ("arrow-left-to-line", "arrow-right-to-line"),
    ("panel-left", "panel-right"),
    ("undo-2", "redo-2"),
)
_MIRRORED: Final = dict(_PAIRS) | {right: left for left, right in _PAIRS}


@cache
def icon_names() -> frozenset[str]:
    """The names of the shipped icons."""
    folder = resource("icons")
    return frozenset(entry.name[:-4] for entry in folder.iterdir() if entry.name.endswith(".svg"))


@cache
def _folder() -> Path:
    """The folder of recoloured icons, which exists while the program runs."""
    folder = Path(tempfile.mkdtemp(prefix="meshgui-icons-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def tinted(name: str, colour: str) -> str:
    """The path, with forward slashes, of the icon `name` drawn in `colour` (`#rrggbb`).

    Signs that point onward or back point to the other side where one reads from the right; those of a player
    do not.
    """
    return _path(_MIRRORED.get(name, name) if from_the_right() else name, colour)


@cache
def _path(name: str, colour: str) -> str:
    """The path of an icon as it is.

    The colour is part of the path: Qt keeps pictures by their path, and one path that changed its
    colour would show the old one.
    """
    if name not in icon_names():
        raise KeyError(f"there is no icon named {name!r}")
    source = resource("icons", f"{name}.svg")
    target = _folder() / f"{name}-{colour.removeprefix('#')}.svg"
    target.write_text(source.read_text("utf-8").replace("currentColor", colour), "utf-8")
    return target.as_posix()

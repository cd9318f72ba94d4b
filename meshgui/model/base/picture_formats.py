"""The formats of pictures, known by the ending of a file's name, and the fault of one that cannot be made."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Final

from meshgui.engine.basics.translation import tr

SCALES: Final = range(1, 9)
"""How many times as fine as on the screen a PNG may be."""


class PictureError(Exception):
    """A picture that could not be drawn or written, in one sentence."""


class PictureFormat(StrEnum):
    """What a picture is written as; the value is the ending of its name without the dot."""

    PNG = "png"
    SVG = "svg"
    PDF = "pdf"


def picture_format(path: Path, without_ending: PictureFormat | None = None) -> PictureFormat:
    """The format by the ending of a name; ValueError says which endings there are."""
    ending = path.suffix.lower().removeprefix(".")
    if not ending and without_ending is not None:
        return without_ending
    try:
        return PictureFormat(ending)
    except ValueError:
        raise ValueError(
            tr("expected a name that ends in .png, .svg or .pdf, got {path}").format(path=path.name)
        ) from None

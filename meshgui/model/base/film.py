"""The moments of a film of a run, and the formats of films."""

from __future__ import annotations

from enum import StrEnum
from math import ceil
from pathlib import Path
from typing import Final

import numpy as np

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.translation import tr

MOST_FRAMES: Final = 20_000
_SECONDS_FOR_A_RUN: Final = 60.0  # as the window plays


class FilmFormat(StrEnum):
    """What a film is written as; the value is the ending of its name, none for a folder of pictures."""

    GIF = ".gif"
    MP4 = ".mp4"
    PICTURES = ""


def film_format(out: Path) -> FilmFormat:
    """The format by the ending of a name; ValueError says which there are."""
    try:
        return FilmFormat(out.suffix.lower())
    except ValueError:
        raise ValueError(
            tr("expected a name that ends in .gif or .mp4, or a folder, got {out}").format(out=out.name)
        ) from None


def usual_seconds(start: float, end: float, run_end: float) -> float:
    """How long a part of a run plays: the whole run takes a minute."""
    return max((end - start) / run_end * _SECONDS_FOR_A_RUN, 1.0) if run_end > 0 else 1.0


def film_times(start: float, end: float, fps: float, seconds: float) -> Floats:
    """The times of the frames, the first at the start and the last at the end; ValueError for too many."""
    frames = max(ceil(seconds * fps), 1) + 1
    if frames > MOST_FRAMES:
        raise ValueError(
            tr("expected at most {MOST_FRAMES} frames, but {seconds:g} s make {frames}").format(
                MOST_FRAMES=MOST_FRAMES, seconds=seconds, frames=frames
            )
        )
    return np.linspace(start, end, frames)

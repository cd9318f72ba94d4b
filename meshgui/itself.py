"""Where the program's own files lie, and how to start it once more, as a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

_PACKAGE = Path(__file__).parent


def resource(*names: str) -> Path:
    """A file or folder of the resources, by the names on the way to it.

    An installed or frozen program holds them in its package; a checkout, which an editable install points to,
    beside it.
    """
    installed = _PACKAGE / "resources"
    return (installed if installed.is_dir() else _PACKAGE.parent / "resources").joinpath(*names)


def command(*words: str) -> list[str]:
    """The command line that runs `meshgui` with these words, from a checkout as from a bundle."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *words]
    return [sys.executable, "-m", "meshgui", *words]

"""How to start this program once more, as a process of its own."""

from __future__ import annotations

import sys


def command(*words: str) -> list[str]:
    """The command line that runs `meshgui` with these words, from a checkout as from a bundle."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *words]
    return [sys.executable, "-m", "meshgui", *words]

"""Draws the pictures of the manual: the window with a run, and at a step of an algorithm."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from generated import new_picture

from meshgui.cli.entry import run

PICTURES: Final = Path(__file__).parent.parent / "resources" / "manual" / "pictures"
SCENARIOS: Final = PICTURES.parents[1] / "scenarios"
_SHOWN: Final = {  # what `meshgui render` draws into each
    "window": ("tbl-under-load", "--at", "40"),
    "step": ("tree-allocation-example-1", "--job", "3"),
}

for name, (scenario, *moment) in _SHOWN.items():
    with new_picture(PICTURES / f"{name}.png") as file:
        look = ("--view", "window", "--size", "1600x1000", "--out", str(file))
        if status := run(["render", str(SCENARIOS / f"{scenario}.meshgui.json"), *moment, *look]):
            sys.exit(status)

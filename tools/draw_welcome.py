"""Draws the pictures of the ready scenarios for the welcome page, in light and dark: `make welcome`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario
from meshgui.itself import resource
from meshgui.model.document.document import SUFFIX
from meshgui.model.document.example_moments import pictured_time
from meshgui.model.document.examples import examples
from meshgui.model.document.shipped import PICTURED
from meshgui.model.scene.theme_colours import DARK, LIGHT
from meshgui.views.offscreen.render import render

_DRAWN, _KEPT = (960, 600), QSize(288, 180)  # drawn larger, so that letters and lines are fine


def draw(path: Path, folder: Path) -> None:
    """Draw one example in both themes."""
    scenario = load_scenario(path)
    recording = simulate(scenario)
    time = pictured_time(recording)
    name = path.name.removesuffix(SUFFIX)
    for theme in (LIGHT, DARK):
        out = folder / f"{name}-{theme.name}.png"
        render(scenario, recording, time, out, _DRAWN, "mesh", theme)
        image = QImage(str(out)).scaled(
            _KEPT, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        kept = _in_fewer_colours(image)
        kept.setText(PICTURED, repr(time))
        kept.save(str(out))


def _in_fewer_colours(image: QImage) -> QImage:
    """Round the colours to six bits, which makes the file smaller and is not seen."""
    kept = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(kept.bits(), dtype=np.uint8)
    pixels &= 0xFC
    pixels |= pixels >> 6
    return kept.convertToFormat(QImage.Format.Format_RGB888)


def main(names: list[str]) -> None:
    """Draw all examples, or those named."""
    folder = resource("welcome")
    folder.mkdir(exist_ok=True)
    for path in examples():
        if not names or path.name.removesuffix(SUFFIX) in names:
            draw(path, folder)
    sys.stdout.flush()
    os._exit(0)  # without waiting for OpenGL to be taken down


if __name__ == "__main__":
    main(sys.argv[1:])

"""Writes the sheets of all strategies into a folder, in the language of the environment; says how large."""

import sys
from pathlib import Path

from meshgui.engine.allocation.registry import strategies
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from meshgui.views.window.strategy_sheet import write_sheet

if __name__ == "__main__":
    themes = ThemeManager(qt_application(), "light")
    for name, cls in strategies().items():
        scale = write_sheet(cls, themes, Path(sys.argv[1]) / f"{name}.pdf")
        sys.stdout.write(f"{name} {scale}\n")

"""Says how large the letters of each strategy's sheet are, in the language of the environment.

Writes the sheets of the strategies that are named into a folder.
"""

import sys
from pathlib import Path

from meshgui.engine.allocation.registry import strategies
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from meshgui.views.window.strategy_sheet import fitted_text, write_sheet

if __name__ == "__main__":
    themes = ThemeManager(qt_application(), "light")
    folder, *written = sys.argv[1:]
    for name, cls in strategies().items():
        sys.stdout.write(f"{name} {fitted_text(cls, themes).scale}\n")
        if name in written:
            write_sheet(cls, themes, Path(folder) / f"{name}.pdf")

"""The packages of the extra `gui`, which the window and pictures need and nothing else does."""

from __future__ import annotations

from importlib.util import find_spec

from meshgui.cli.faults import WorkFailed
from meshgui.engine.basics.translation import tr

GUI_MODULES = ("PySide6", "pyqtgraph", "OpenGL")  # untranslated: modules  # untranslated: names of modules
INSTALL = "python -m pip install 'meshgui[gui]'"  # untranslated: a command


def missing_gui_modules() -> list[str]:
    """The modules that are not installed; none of them is imported."""
    return [name for name in GUI_MODULES if not _installed(name)]


def _installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:  # imported already, and not from a file
        return False


def require_gui(what: str) -> None:
    """Say in one line what to install where a window or a picture cannot be had."""
    missing = missing_gui_modules()
    if missing:
        raise WorkFailed(
            tr("{what} needs {missing}, which is not installed: {INSTALL}").format(
                what=what, missing=", ".join(missing), INSTALL=INSTALL
            )
        )

"""MeshGUI: processor allocation on mesh-connected machines, simulated exactly and shown.

The names below are the library; each is imported when it is first used, as is all that it needs.
"""

from typing import TYPE_CHECKING

__version__ = "0.2.0"

if TYPE_CHECKING:
    from meshgui.engine.scenario import Scenario
    from meshgui.library.registration import register, strategies
    from meshgui.library.runs import Run, load, run
    from meshgui.library.sweeps import Sweep, sweep
    from meshgui.library.tables import FigureRow, Table

__all__ = [
    "FigureRow",
    "Run",
    "Scenario",
    "Sweep",
    "Table",
    "load",
    "register",
    "run",
    "strategies",
    "sweep",
]

_HOMES = {
    "FigureRow": "meshgui.library.tables",
    "Run": "meshgui.library.runs",
    "Scenario": "meshgui.engine.scenario",
    "Sweep": "meshgui.library.sweeps",
    "Table": "meshgui.library.tables",
    "load": "meshgui.library.runs",
    "register": "meshgui.library.registration",
    "run": "meshgui.library.runs",
    "strategies": "meshgui.library.registration",
    "sweep": "meshgui.library.sweeps",
}


def __getattr__(name: str) -> object:
    """A name of the library, at its first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")  # untranslated: as Python's
    from importlib import import_module  # noqa: PLC0415 - takes a while, and most imports need no more

    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    """What there is, imported or not."""
    return sorted({*globals(), *__all__})

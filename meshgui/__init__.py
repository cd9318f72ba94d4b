"""MeshGUI: processor allocation on mesh-connected machines, simulated exactly and shown.

The names below are the library; each is imported when it is first used, as is all that it needs.
"""

from typing import TYPE_CHECKING

__version__ = "0.2.0"

if TYPE_CHECKING:
    from meshgui.engine.scenario import Scenario
    from meshgui.library.registration import register, strategies
    from meshgui.library.runs import RunData as Run
    from meshgui.library.runs import load, run
    from meshgui.library.sweeps import SweepData as Sweep
    from meshgui.library.sweeps import sweep
    from meshgui.library.tables import ColumnTable, FigureRow

__all__ = [
    "ColumnTable",
    "FigureRow",
    "Run",
    "Scenario",
    "Sweep",
    "load",
    "register",
    "run",
    "strategies",
    "sweep",
]

_HOMES = {  # untranslated: where each is defined
    "ColumnTable": "meshgui.library.tables:ColumnTable",
    "FigureRow": "meshgui.library.tables:FigureRow",
    "Run": "meshgui.library.runs:RunData",
    "Scenario": "meshgui.engine.scenario:Scenario",
    "Sweep": "meshgui.library.sweeps:SweepData",
    "load": "meshgui.library.runs:load",
    "register": "meshgui.library.registration:register",
    "run": "meshgui.library.runs:run",
    "strategies": "meshgui.library.registration:strategies",
    "sweep": "meshgui.library.sweeps:sweep",
}


def __getattr__(name: str) -> object:
    """A name of the library, at its first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")  # untranslated: as Python's
    from importlib import import_module  # noqa: PLC0415 - takes a while, and most imports need no more

    module, _, defined = _HOMES[name].partition(":")
    found = globals()[name] = getattr(import_module(module), defined)
    return found


def __dir__() -> list[str]:
    """What there is, imported or not."""
    return sorted({*globals(), *__all__})

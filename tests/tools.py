"""The scripts in tools/, which are no package, as modules."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

__all__ = ["tool"]

TOOLS = Path(__file__).parents[1] / "tools"


def tool(name: str) -> ModuleType:
    """A script, imported as it is where it is run: with its own folder on the path."""
    sys.path.insert(0, str(TOOLS))
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(TOOLS))

"""The naive twins of the strategies, a file for each file of strategies; found by looking, like those."""

import pkgutil
from importlib import import_module

from tests.twins.base import Twin

__all__ = ["TWINS"]

TWINS: dict[str, Twin] = {
    name: twin
    for module in pkgutil.iter_modules(__path__, __name__ + ".")
    for name, twin in vars(import_module(module.name)).get("TWINS", {}).items()
}

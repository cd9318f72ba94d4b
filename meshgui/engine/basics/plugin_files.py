"""Loads a Python file with classes of one's own, behind the guard."""

from __future__ import annotations

import sys
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isabstract
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from meshgui.engine.basics.files import os_fault, require_plain
from meshgui.engine.basics.guard import StrategyError, call, long_calls
from meshgui.engine.basics.translation import tr

C = TypeVar("C")


def load_file(path: Path) -> ModuleType:
    """The module in a file; a StrategyError where it cannot be loaded."""
    name = name_of(path)
    if not path.exists():
        raise StrategyError(tr("{name}: there is no such file").format(name=name))
    try:
        require_plain(path)
    except OSError as error:
        raise StrategyError(f"{name}: {os_fault(error)}") from None
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise StrategyError(tr("{name}: expected a Python file").format(name=name))
    module = module_from_spec(spec)
    sys.modules[path.stem] = module  # kernels and options look for what they name there
    sys.path.insert(0, str(path.parent.absolute()))
    with long_calls():
        call(name, tr("being loaded"), partial(spec.loader.exec_module, module), home=path.stem)
    return module


def name_of(path: Path) -> str:
    """What errors call such a file."""
    return tr("the file {path}").format(path=path)


def classes_of(module: ModuleType, base: type[C]) -> list[type[C]]:
    """The classes that a module defines itself and that have all methods of a base."""
    return [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type)
        and issubclass(thing, base)
        and not isabstract(thing)
        and thing.__module__ == module.__name__
    ]

"""Finds the strategies: those in this folder, and third-party ones by their entry points."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from inspect import isabstract
from pathlib import Path
from typing import TypeGuard

from meshgui.engine import allocation
from meshgui.engine.allocation.answer_checks import CLASS_VARIABLES
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.guarded_strategy import guarded
from meshgui.engine.allocation.kernel_checks import KERNEL_VARIABLES, is_kernels_alone
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.plugin_classes import find_plugins, usable_class
from meshgui.engine.basics.plugins import Plugins
from meshgui.engine.basics.translation import tr

GROUP = "meshgui.allocators"


@cache
def strategies() -> Plugins[Strategy]:
    """Every strategy by its id: the project's own first, then third-party ones, each in order of id."""
    own: dict[str, type[Strategy]] = {}
    for module in _own_modules():
        own.update((thing.id, thing) for thing in _strategies_of(module))
    return find_plugins(GROUP, tr("strategy"), dict(sorted(own.items())), checked, StrategyError)


def by_title(*, grouped: bool = False) -> list[type[Strategy]]:
    """Every strategy in the order of what readers see of it; grouped, contiguous ones come first."""
    return sorted(
        strategies().values(), key=lambda cls: (grouped and not cls.contiguous, cls.title.casefold())
    )


def loading() -> Iterator[None]:
    """Load the project's own strategies, one file after the other, so that `strategies` is quick."""
    for module in _own_modules():
        importlib.import_module(module)
        yield


def _own_modules() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(allocation.__path__, allocation.__name__ + ".")]


def strategy(name: str) -> type[Strategy]:
    """The strategy of that id; one of the project's own is found without importing the others."""
    if not strategies.cache_info().currsize and (own := _own_strategy(name)) is not None:
        return own
    return strategies().named(name, tr("strategy"), StrategyError)


@cache
def _own_strategy(name: str) -> type[Strategy] | None:
    """The strategy whose file in this folder states the id; None where the files cannot be read."""
    # What is in the file; a word of the command line may hold bytes that are no text.
    stated = f'id = "{name}"'.encode(errors="surrogatepass")  # untranslated
    for folder in map(Path, allocation.__path__):
        for path in sorted(folder.glob("*.py")):
            if stated in path.read_bytes():
                for thing in _strategies_of(f"{allocation.__name__}.{path.stem}"):
                    if thing.id == name:
                        return thing
    return None


def _strategies_of(module: str) -> list[type[Strategy]]:
    """The strategies that a module of the project defines: bases of several state no id."""
    things = vars(importlib.import_module(module)).values()
    return [
        thing
        for thing in things
        if _is_strategy(thing) and thing.__module__ == module and "id" in vars(thing)
    ]


def _is_strategy(thing: object) -> TypeGuard[type[Strategy]]:
    return isinstance(thing, type) and issubclass(thing, Strategy) and not isabstract(thing)


def checked(thing: object, name: str) -> type[Strategy]:
    """A third party's class behind the guard; a StrategyError with its name if it cannot be used."""
    kernels = isinstance(thing, type) and is_kernels_alone(thing)
    stated = CLASS_VARIABLES | (KERNEL_VARIABLES if kernels else {})
    return guarded(usable_class(thing, name, Strategy, stated, StrategyError))  # type: ignore[type-abstract]

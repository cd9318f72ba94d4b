"""Finds the strategies: those in this folder, and third-party ones by their entry points."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract

from meshgui.engine import allocation
from meshgui.engine.allocation.base import Strategy

__all__ = ["GROUP", "StrategyError", "strategies", "strategy"]

GROUP = "meshgui.allocators"


class StrategyError(Exception):
    """A strategy that cannot be used, named, with the reason."""


@cache
def strategies() -> dict[str, type[Strategy]]:
    """Every strategy by its id: the project's own first, then third-party ones, each in order of id."""
    found: dict[str, type[Strategy]] = {}
    for module in pkgutil.iter_modules(allocation.__path__, allocation.__name__ + "."):
        for thing in vars(importlib.import_module(module.name)).values():
            if _is_strategy(thing) and thing.__module__ == module.name:
                found[thing.id] = thing
    own = dict(sorted(found.items()))
    third_party = [_load(point) for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)]
    for cls in third_party:
        if cls.id in own:
            raise StrategyError(
                f"{cls.__module__}.{cls.__qualname__} calls itself {cls.id}, a name already taken"
            )
        own[cls.id] = cls
    return own


def strategy(name: str) -> type[Strategy]:
    """The strategy of that id."""
    known = strategies()
    if name not in known:
        raise StrategyError(f"no strategy is called {name}: expected one of {', '.join(known)}")
    return known[name]


def _is_strategy(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, Strategy) and not isabstract(thing)


def _load(point: EntryPoint) -> type[Strategy]:
    try:
        thing = point.load()
    except Exception as error:
        raise StrategyError(
            f"the strategy {point.name} ({point.value}) could not be loaded: {error}"
        ) from error
    if not _is_strategy(thing):
        raise StrategyError(f"the strategy {point.name} ({point.value}) is not a Strategy")
    cls: type[Strategy] = thing
    return cls

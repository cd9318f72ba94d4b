"""Finds the strategies: those in this folder, and third-party ones by their entry points."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import EntryPoint
from inspect import isabstract
from typing import ClassVar, TypeGuard, get_origin, get_type_hints

from meshgui.engine import allocation
from meshgui.engine.allocation.answer_checks import misfit
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.guard import StrategyError, call, guarded, long_calls
from meshgui.engine.plugins import Plugins, UnusablePlugin, find_plugins

__all__ = ["GROUP", "StrategyError", "checked", "strategies", "strategy", "unusable_strategies"]

GROUP = "meshgui.allocators"


@cache
def strategies() -> Plugins[Strategy]:
    """Every strategy by its id: the project's own first, then third-party ones, each in order of id."""
    own: dict[str, type[Strategy]] = {}
    for module in pkgutil.iter_modules(allocation.__path__, allocation.__name__ + "."):
        for thing in vars(importlib.import_module(module.name)).values():
            if _is_strategy(thing) and thing.__module__ == module.name:
                own[thing.id] = thing
    with long_calls():
        return find_plugins(GROUP, "strategy", dict(sorted(own.items())), _load, StrategyError)


def unusable_strategies() -> tuple[UnusablePlugin, ...]:
    """The third-party strategies that cannot be used."""
    return strategies().unusable


def strategy(name: str) -> type[Strategy]:
    """The strategy of that id."""
    known = strategies()
    if name in known:
        return known[name]
    raise StrategyError(
        known.reason(name) or f"no strategy is called {name}: expected one of {', '.join(known)}"
    )


def _is_strategy(thing: object) -> TypeGuard[type[Strategy]]:
    return isinstance(thing, type) and issubclass(thing, Strategy) and not isabstract(thing)


def _load(point: EntryPoint, name: str) -> type[Strategy]:
    """A third party's class, behind the guard; a StrategyError if it is none that can be used."""
    thing, _ = call(name, "being loaded", point.load, home=point.module.partition(".")[0])
    return checked(thing, name)


def checked(thing: object, name: str) -> type[Strategy]:
    """A third party's class behind the guard; a StrategyError with its name if it cannot be used."""
    if not _is_strategy(thing):
        missing = ", ".join(sorted(getattr(thing, "__abstractmethods__", ())))
        raise StrategyError(f"{name} is not a Strategy{f': it lacks {missing}' if missing else ''}")
    for key, hint in get_type_hints(Strategy).items():
        if get_origin(hint) is ClassVar:
            if not hasattr(thing, key):
                raise StrategyError(f"{name} has no {key}")
            fault = misfit(getattr(thing, key), hint, key)
            if fault is not None:
                raise StrategyError(f"{name} cannot be used: {fault}")
    cls = thing
    if not cls.id.isprintable() or not cls.id or " " in cls.id:
        raise StrategyError(f"{name} cannot be used: id: expected one word, got {cls.id!r}")
    if not cls.dims or not cls.dims <= {2, 3}:
        raise StrategyError(f"{name} cannot be used: dims: expected 2, 3 or both")
    call(name, "describing its options", cls.options_model.model_json_schema)
    return guarded(cls)

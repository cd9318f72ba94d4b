"""Finds the strategies: those in this folder, and third-party ones by their entry points."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract
from typing import ClassVar, NamedTuple, get_origin, get_type_hints

from meshgui.engine import allocation
from meshgui.engine.allocation.answer_checks import misfit
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.guard import StrategyError, call, guarded, long_calls

__all__ = ["GROUP", "StrategyError", "UnusableStrategy", "strategies", "strategy", "unusable_strategies"]

GROUP = "meshgui.allocators"


class UnusableStrategy(NamedTuple):
    """A third-party strategy that cannot be used; whoever asks for it is told why."""

    name: str
    reason: str


class _Strategies(dict[str, type[Strategy]]):
    """Strategies by their ids, and those that cannot be used."""

    aside: tuple[UnusableStrategy, ...] = ()


@cache
def strategies() -> _Strategies:
    """Every strategy by its id: the project's own first, then third-party ones, each in order of id."""
    own: dict[str, type[Strategy]] = {}
    for module in pkgutil.iter_modules(allocation.__path__, allocation.__name__ + "."):
        for thing in vars(importlib.import_module(module.name)).values():
            if _is_strategy(thing) and thing.__module__ == module.name:
                own[thing.id] = thing
    loaded: list[tuple[EntryPoint, type[Strategy]]] = []
    aside: list[UnusableStrategy] = []
    with long_calls():
        for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
            try:
                loaded.append((point, _load(point)))
            except StrategyError as error:
                aside.append(UnusableStrategy(point.name, str(error)))
    found = _Strategies(sorted(own.items()))
    called = Counter(cls.id for _, cls in loaded)
    for point, cls in sorted(loaded, key=lambda each: each[1].id):
        if cls.id in own or called[cls.id] > 1:
            aside.append(
                UnusableStrategy(cls.id, f"{_place(point)} calls itself {cls.id}, a name already taken")
            )
        else:
            found[cls.id] = cls
    found.aside = tuple(sorted(aside))
    return found


def unusable_strategies() -> tuple[UnusableStrategy, ...]:
    """The third-party strategies that cannot be used."""
    return strategies().aside


def strategy(name: str) -> type[Strategy]:
    """The strategy of that id."""
    known = strategies()
    if name in known:
        return known[name]
    for aside in known.aside:
        if aside.name == name:
            raise StrategyError(aside.reason)
    raise StrategyError(f"no strategy is called {name}: expected one of {', '.join(known)}")


def _is_strategy(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, Strategy) and not isabstract(thing)


def _place(point: EntryPoint) -> str:
    return f"the strategy {point.name} ({point.value})"


def _load(point: EntryPoint) -> type[Strategy]:
    """A third party's class, behind the guard; a StrategyError if it is none that can be used."""
    thing, _ = call(_place(point), "being loaded", point.load, home=point.module.partition(".")[0])
    if not _is_strategy(thing):
        missing = ", ".join(sorted(getattr(thing, "__abstractmethods__", ())))
        raise StrategyError(f"{_place(point)} is not a Strategy{f': it lacks {missing}' if missing else ''}")
    for name, hint in get_type_hints(Strategy).items():
        if get_origin(hint) is ClassVar:
            if not hasattr(thing, name):
                raise StrategyError(f"{_place(point)} has no {name}")
            fault = misfit(getattr(thing, name), hint, name)
            if fault is not None:
                raise StrategyError(f"{_place(point)} cannot be used: {fault}")
    cls: type[Strategy] = thing
    if not cls.id.isprintable() or not cls.id or " " in cls.id:
        raise StrategyError(f"{_place(point)} cannot be used: id: expected one word, got {cls.id!r}")
    if not cls.dims or not cls.dims <= {2, 3}:
        raise StrategyError(f"{_place(point)} cannot be used: dims: expected 2, 3 or both")
    call(_place(point), "describing its options", cls.options_model.model_json_schema)
    return guarded(cls)

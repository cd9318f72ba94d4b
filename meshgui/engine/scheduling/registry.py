"""Finds the queue disciplines: the project's own, and third-party ones by their entry points."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint
from inspect import isabstract

from meshgui.engine.plugins import Plugins, failure, find_plugins
from meshgui.engine.scheduling.base import Discipline, DisciplineError, DisciplineOptions
from meshgui.engine.scheduling.easy_backfilling import EasyBackfilling
from meshgui.engine.scheduling.first_come import FirstComeFirstServed
from meshgui.engine.scheduling.largest_job import LargestJobFirst
from meshgui.engine.scheduling.last_come import LastComeFirstServed
from meshgui.engine.scheduling.out_of_order import OutOfOrder
from meshgui.engine.scheduling.shortest_demand import ShortestServiceDemand
from meshgui.engine.scheduling.smallest_job import SmallestJobFirst

__all__ = ["GROUP", "discipline", "disciplines"]

GROUP = "meshgui.disciplines"

_OWN: tuple[type[Discipline], ...] = (  # as menus list them
    FirstComeFirstServed,
    ShortestServiceDemand,
    OutOfOrder,
    EasyBackfilling,
    SmallestJobFirst,
    LargestJobFirst,
    LastComeFirstServed,
)


@cache
def disciplines() -> Plugins[Discipline]:
    """Every discipline by its id: the project's own first, then third-party ones in order of id."""
    return find_plugins(GROUP, "discipline", {cls.id: cls for cls in _OWN}, _load, DisciplineError)


def discipline(name: str) -> type[Discipline]:
    """The discipline of that id."""
    known = disciplines()
    if name in known:
        return known[name]
    raise DisciplineError(
        known.reason(name) or f"no scheduler is called {name}: expected one of {', '.join(known)}"
    )


def _load(point: EntryPoint, name: str) -> type[Discipline]:
    """A third party's class; a DisciplineError if it cannot be used."""
    home = point.module.partition(".")[0]
    try:
        thing = point.load()
    except (Exception, SystemExit) as error:
        raise DisciplineError(failure(name, "being loaded", error, home=home)) from error
    if not isinstance(thing, type) or not issubclass(thing, Discipline) or isabstract(thing):
        missing = ", ".join(sorted(getattr(thing, "__abstractmethods__", ())))
        raise DisciplineError(f"{name} is not a Discipline{f': it lacks {missing}' if missing else ''}")
    fault = _fault_of(thing)
    if fault is not None:
        raise DisciplineError(f"{name} cannot be used: {fault}")
    try:
        thing.options_model.model_json_schema()
    except Exception as error:
        raise DisciplineError(failure(name, "describing its options", error, home=home)) from error
    return thing


def _fault_of(cls: type[Discipline]) -> str | None:
    """What is wrong with what a discipline says of itself, if anything."""
    for key in ("id", "title"):
        text = getattr(cls, key, None)
        if not isinstance(text, str) or not text or not text.isprintable():
            return f"{key}: expected a text, got {text!r}"
    if " " in cls.id:
        return f"id: expected one word, got {cls.id!r}"
    if not isinstance(cls.plans, bool):
        return f"plans: expected true or false, got {cls.plans!r}"
    model: object = cls.options_model
    if not isinstance(model, type) or not issubclass(model, DisciplineOptions):
        return f"options_model: expected a subclass of DisciplineOptions, got {model!r}"
    return None

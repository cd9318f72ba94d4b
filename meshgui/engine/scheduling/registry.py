"""Finds the queue disciplines: the project's own, and third-party ones by their entry points."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract
from typing import NamedTuple

from meshgui.engine.allocation.guard import failed
from meshgui.engine.scheduling.base import Discipline, DisciplineError, DisciplineOptions
from meshgui.engine.scheduling.easy_backfilling import EasyBackfilling
from meshgui.engine.scheduling.first_come import FirstComeFirstServed
from meshgui.engine.scheduling.largest_job import LargestJobFirst
from meshgui.engine.scheduling.last_come import LastComeFirstServed
from meshgui.engine.scheduling.out_of_order import OutOfOrder
from meshgui.engine.scheduling.shortest_demand import ShortestServiceDemand
from meshgui.engine.scheduling.smallest_job import SmallestJobFirst

__all__ = ["GROUP", "UnusableDiscipline", "discipline", "disciplines", "unusable_disciplines"]

GROUP = "meshgui.disciplines"

_OWN: tuple[type[Discipline], ...] = (  # in the order in which menus list them
    FirstComeFirstServed,
    ShortestServiceDemand,
    OutOfOrder,
    EasyBackfilling,
    SmallestJobFirst,
    LargestJobFirst,
    LastComeFirstServed,
)


class UnusableDiscipline(NamedTuple):
    """A third-party discipline that cannot be used, and why."""

    name: str
    reason: str


@cache
def _found() -> tuple[dict[str, type[Discipline]], tuple[UnusableDiscipline, ...]]:
    found = {cls.id: cls for cls in _OWN}
    loaded: list[tuple[EntryPoint, type[Discipline]]] = []
    unusable: list[UnusableDiscipline] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        try:
            loaded.append((point, _load(point)))
        except DisciplineError as error:
            unusable.append(UnusableDiscipline(point.name, str(error)))
    uses = Counter([*found, *(cls.id for _, cls in loaded)])
    for point, cls in sorted(loaded, key=lambda each: each[1].id):
        if uses[cls.id] > 1:
            reason = f"{_words_for(point)} calls itself {cls.id}, a name already taken"
            unusable.append(UnusableDiscipline(cls.id, reason))
        else:
            found[cls.id] = cls
    return found, tuple(sorted(unusable))


def disciplines() -> dict[str, type[Discipline]]:
    """Every discipline by its id: the project's own first, then third-party ones in order of id."""
    return _found()[0]


def unusable_disciplines() -> tuple[UnusableDiscipline, ...]:
    """The third-party disciplines that cannot be used."""
    return _found()[1]


def discipline(name: str) -> type[Discipline]:
    """The discipline of that id."""
    known, unusable = _found()
    if name in known:
        return known[name]
    for one in unusable:
        if one.name == name:
            raise DisciplineError(one.reason)
    raise DisciplineError(f"no scheduler is called {name}: expected one of {', '.join(known)}")


def _words_for(point: EntryPoint) -> str:
    return f"the discipline {point.name} ({point.value})"


def _load(point: EntryPoint) -> type[Discipline]:
    """A third party's class, checked; a DisciplineError if it cannot be used."""
    name = _words_for(point)
    try:
        thing = point.load()
    except (Exception, SystemExit) as error:
        raise DisciplineError(str(failed(name, "being loaded", error))) from error
    if not isinstance(thing, type) or not issubclass(thing, Discipline) or isabstract(thing):
        missing = ", ".join(sorted(getattr(thing, "__abstractmethods__", ())))
        raise DisciplineError(f"{name} is not a Discipline{f': it lacks {missing}' if missing else ''}")
    fault = _fault_of(thing)
    if fault is not None:
        raise DisciplineError(f"{name} cannot be used: {fault}")
    try:
        thing.options_model.model_json_schema()
    except Exception as error:
        raise DisciplineError(str(failed(name, "describing its options", error))) from error
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

"""Finds third parties' classes by their entry points, strategies, disciplines and patterns alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract
from typing import Final, TypeVar

from meshgui.engine.basics.guard import StrategyError, call, long_calls
from meshgui.engine.basics.plugins import Plugins, UnusablePlugin, home_of, package_of, skipped
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.value_checks import Check, misfit

C = TypeVar("C")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value) and value.isprintable()


ID: Final = Check(tr("one word"), lambda value: _is_text(value) and " " not in value)
TITLE: Final = Check(tr("text"), _is_text)


def find_plugins(
    group: str,
    kind: str,
    own: Mapping[str, type[C]],
    usable: Callable[[object, str], type[C]],
    error: type[Exception],
) -> Plugins[C]:
    """The project's own classes, then those of an entry-point group in order of id.

    `usable` is the class, checked by `usable_class`, which raises `error` where it cannot be used.
    """
    loaded: list[tuple[str, str, type[C], EntryPoint]] = []
    unusable: list[UnusablePlugin] = []
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        if point in skipped:
            continue
        name = tr("the {kind} {point} ({entry})").format(kind=kind, point=point.name, entry=point.value)
        try:
            with long_calls():
                thing, _ = call(name, tr("being loaded"), point.load, home=home_of(point), error=error)
                cls = usable(thing, name)
        except (error, StrategyError) as fault:
            unusable.append(UnusablePlugin(point.name, str(fault)))
        else:
            loaded.append((cls.id, name, cls, point))  # type: ignore[attr-defined] # it is stated
    found = Plugins(own)
    called = Counter([*own, *(known for known, *_ in loaded)])
    for known, name, cls, point in sorted(loaded, key=lambda each: each[0]):
        if called[known] > 1:
            taken = tr("{name} has the id {known}, which is already taken").format(name=name, known=known)
            unusable.append(UnusablePlugin(known, taken))
        else:
            found.add(known, cls, point)
    found.unusable = tuple(sorted(unusable))
    return found


def usable_class(
    thing: object, name: str, base: type[C], stated: Mapping[str, Check], error: type[Exception]
) -> type[C]:
    """A class of that base with what it must state; the error with the reason if it is not one."""
    if not isinstance(thing, type) or not issubclass(thing, base) or isabstract(thing):
        missing = ", ".join(sorted(getattr(thing, "__abstractmethods__", ())))
        lacks = tr(": it lacks {missing}").format(missing=missing) if missing else ""
        raise error(tr("{name} is not a {base}{lacks}").format(name=name, base=base.__name__, lacks=lacks))
    for key, check in stated.items():
        if not hasattr(thing, key):
            raise error(tr("{name} has no {key}").format(name=name, key=key))
        if (fault := misfit(getattr(thing, key), check, key)) is not None:
            raise error(tr("{name} cannot be used: {fault}").format(name=name, fault=fault))
    if "options_model" in stated:
        describe = thing.options_model.model_json_schema  # type: ignore[attr-defined] # it is stated
        call(name, tr("describing its options"), describe, home=package_of(thing), error=error)
    return thing

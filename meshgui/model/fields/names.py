"""Full names with ids of strategies, queue disciplines and patterns, and values of fields with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.translation import formatted
from meshgui.engine.network.patterns.base import Pattern
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.scheduling.registry import disciplines
from meshgui.experiment.fields import label_of, plain_number
from meshgui.model.base.named import named


def strategy_name(name: str) -> str:
    """A strategy with its id; one that is not there has the id alone. The others need not be imported."""
    try:
        return named(strategy(_kind_of(name)).title, name)
    except StrategyError:
        return name


def discipline_name(name: str) -> str:
    """A queue discipline with its id."""
    return _name(disciplines(), name)


def pattern_name(name: str) -> str:
    """A pattern of communication with its id."""
    return _name(patterns(), name)


NAMES: Final[Mapping[str, Callable[[str], str]]] = {
    "allocator.name": strategy_name,
    "scheduler.name": discipline_name,
    "network.pattern": pattern_name,
}
"""By the field of a scenario that holds the id."""


def value_words(key: str, value: Any) -> str:  # noqa: ANN401 - any JSON value
    """A value of a field as it is shown: by its full name, or with the decimal sign of the language."""
    if key in NAMES and isinstance(value, str):
        return NAMES[key](value)
    words = label_of(value, _number)
    if isinstance(value, dict) and (name := str(value.get("name", ""))) and f"{key}.name" in NAMES:
        return NAMES[f"{key}.name"](name) + words.removeprefix(name)
    return words


def _number(value: float) -> str:
    return formatted(int(value) if plain_number(value).isdecimal() else value)


def _name(kinds: Mapping[str, type[Discipline]] | Mapping[str, type[Pattern]], name: str) -> str:
    found = kinds.get(_kind_of(name))
    return name if found is None else named(found.title, name)


def _kind_of(name: str) -> str:
    """The id without an option: paging of paging(0)."""
    return name.partition("(")[0]

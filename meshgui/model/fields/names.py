"""Full names with ids of strategies, queue disciplines and patterns of communication."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.scheduling.registry import disciplines
from meshgui.model.base.named import named


class _Titled(Protocol):
    """A kind of strategy, discipline or pattern."""

    title: str


def strategy_name(name: str) -> str:
    """A strategy with its id; one that is not there has the id alone."""
    return _name(strategies(), name)


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


def _name(kinds: Mapping[str, type[_Titled]], name: str) -> str:
    found = kinds.get(name)
    return name if found is None else named(found.title, name)

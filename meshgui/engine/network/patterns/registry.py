"""Finds the patterns of communication: the project's own, and third-party ones by their entry points."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint

from meshgui.engine.basics.plugins import Plugins, find_plugins, load_class
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import Pattern, PatternError
from meshgui.engine.network.patterns.compiled import COMPILED

__all__ = ["FILE", "GROUP", "pattern", "pattern_names", "patterns"]

GROUP = "meshgui.patterns"
FILE = "file"  # in place of a pattern: a file has the packets


@cache
def patterns() -> Plugins[Pattern]:
    """Every pattern by its id: the project's own first, then third-party ones in order of id."""
    return find_plugins(GROUP, tr("pattern"), {cls.id: cls for cls in COMPILED}, _load, PatternError)


def pattern(name: str) -> type[Pattern]:
    """The pattern of that id."""
    return patterns().named(name, tr("pattern"), PatternError)


def pattern_names() -> tuple[str, ...]:
    """The names of patterns in a scenario."""
    return (*patterns(), FILE)


def _load(point: EntryPoint, name: str) -> type[Pattern]:
    """A third party's class; a PatternError if it cannot be used."""
    cls = load_class(point, name, Pattern, PatternError)  # type: ignore[type-abstract]
    if cls.id == FILE:
        raise PatternError(
            tr("{name} cannot be used: id: expected one word other than {FILE}, got {FILE!r}").format(
                name=name, FILE=FILE
            )
        )
    return cls

"""Finds the patterns of communication: the project's own, and third-party ones by their entry points."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint
from inspect import isabstract

from meshgui.engine.network.patterns.base import Pattern, PatternError
from meshgui.engine.network.patterns.compiled import COMPILED
from meshgui.engine.plugins import Plugins, failure, find_plugins

__all__ = ["FILE", "GROUP", "pattern", "pattern_names", "patterns"]

GROUP = "meshgui.patterns"
FILE = "file"  # in place of a pattern: a file has the packets


@cache
def patterns() -> Plugins[Pattern]:
    """Every pattern by its id: the project's own first, then third-party ones in order of id."""
    return find_plugins(GROUP, "pattern", {cls.id: cls for cls in COMPILED}, _load, PatternError)


def pattern(name: str) -> type[Pattern]:
    """The pattern of that id."""
    known = patterns()
    if name in known:
        return known[name]
    raise PatternError(
        known.reason(name) or f"no pattern is called {name}: expected one of {', '.join(known)}"
    )


def pattern_names() -> tuple[str, ...]:
    """The names of patterns in a scenario."""
    return (*patterns(), FILE)


def _load(point: EntryPoint, name: str) -> type[Pattern]:
    """A third party's class; a PatternError if it cannot be used."""
    try:
        thing = point.load()
    except (Exception, SystemExit) as error:
        home = point.module.partition(".")[0]
        raise PatternError(failure(name, "being loaded", error, home=home)) from error
    if not isinstance(thing, type) or not issubclass(thing, Pattern) or isabstract(thing):
        raise PatternError(f"{name} is not a Pattern with an iteration")
    for key in ("id", "title"):
        text = getattr(thing, key, None)
        if not isinstance(text, str) or not text or not text.isprintable():
            raise PatternError(f"{name} cannot be used: {key}: expected a text, got {text!r}")
    if " " in thing.id or thing.id == FILE:
        raise PatternError(
            f"{name} cannot be used: id: expected one word other than {FILE}, got {thing.id!r}"
        )
    return thing

"""Finds the patterns of communication: the project's own, and third-party ones by their entry points."""

from __future__ import annotations

from functools import cache
from typing import Final

from meshgui.engine.basics.plugin_classes import ID, TITLE, find_plugins, usable_class
from meshgui.engine.basics.plugins import Plugins
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.value_checks import TRUTH, Check
from meshgui.engine.network.patterns.base import Pattern, PatternError
from meshgui.engine.network.patterns.compiled import COMPILED

GROUP = "meshgui.patterns"
FILE = "file"  # in place of a pattern: a file has the packets
_STATED: Final[dict[str, Check]] = {
    "id": Check(
        tr("one word other than {FILE}").format(FILE=FILE), lambda value: ID.fits(value) and value != FILE
    ),
    "title": TITLE,
    "powers_of_two": TRUTH,
}


@cache
def patterns() -> Plugins[Pattern]:
    """Every pattern by its id: the project's own first, then third-party ones in order of id."""
    return find_plugins(GROUP, tr("pattern"), {cls.id: cls for cls in COMPILED}, checked, PatternError)


def checked(thing: object, name: str) -> type[Pattern]:
    """A pattern, if it can be used; a PatternError with the reason if not."""
    return usable_class(thing, name, Pattern, _STATED, PatternError)  # type: ignore[type-abstract]


def pattern(name: str) -> type[Pattern]:
    """The pattern of that id."""
    return patterns().named(name, tr("pattern"), PatternError)


def pattern_names() -> tuple[str, ...]:
    """The names of patterns in a scenario."""
    return (*patterns(), FILE)

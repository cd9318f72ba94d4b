"""How what has an id is written: its full name, and behind it the id, which is drawn more quietly.

`Turning Busy List tbl`: the space before the id is one that stands nowhere else, so that whatever draws the
text finds the id in it. Where the language is written from right to left, both keep to themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from meshgui.engine.basics.translation import is_rtl_language

BEFORE_ID: Final = "\N{EN SPACE}"
"""The space between a name and its id."""

_APART: Final = "\N{FIRST STRONG ISOLATE}\N{RIGHT-TO-LEFT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_FROM_THE_RIGHT: Final = re.compile("[\u0590-\u08ff]")  # as of a translated name that begins with Latin words
_ID: Final = re.compile(rf"{BEFORE_ID}([^\s,،;{_APART[1]}]*[^\s,،;.{_APART[1]}])")
_FEWEST: Final = 4  # letters that are left of a name: with fewer its id says more


def named(title: str, name: str) -> str:
    """A full name with its id."""
    if not title or title == name:
        return name
    if not is_rtl_language():
        return f"{title}{BEFORE_ID}{name}"
    before = _APART[0][bool(_FROM_THE_RIGHT.search(title))]
    return f"{before}{title}{BEFORE_ID}{name}{_APART[1]}"


def ids_in(text: str) -> list[tuple[int, int]]:
    """Where the ids of a text begin and end."""
    return [found.span(1) for found in _ID.finditer(text)]


def id_of(text: str) -> str:
    """The id of a name, or a text that has none."""
    return parts_of(text)[1]


def parts_of(text: str) -> tuple[str, str]:
    """A name and its id; of a text without an id nothing, and the text."""
    title, _, name = text.rpartition(BEFORE_ID)
    return title.lstrip(_APART[0]), name.removesuffix(_APART[1]) if title else name


def elided_name(text: str, room: float, measure: Callable[[str], float]) -> str:
    """A text cut to the room, with an ellipsis; of a name with its id, the name is cut, or left out."""
    if measure(text) <= room:
        return text
    title, between, name = text.rpartition(BEFORE_ID)
    if between and not ids_in(title):
        kept = _cut(title, room - measure(between + name), measure)
        if len(kept) > _FEWEST:
            return kept + between + name
        if measure(name) <= room:
            return id_of(text)
    return _cut(text, room, measure)


def _cut(text: str, room: float, measure: Callable[[str], float]) -> str:
    kept = text
    while kept and measure(kept + "…") > room:
        kept = kept[:-1]
    return kept.rstrip() + "…"

"""One line of a list to choose from."""

from __future__ import annotations

from typing import NamedTuple


class ListItem(NamedTuple):
    """A line: its value, title, group and hint, and the reason if it cannot be chosen."""

    value: object
    title: str
    group: str = ""
    hint: str = ""
    refusal: str = ""
    short: str = ""  # its text on a button; empty: the title
    brief: str = ""  # the same where that has no room
    bonus: float = 0.0  # leads among lines that fit as well
    only_found: bool = False  # not listed before something is typed
    synonyms: str = ""  # words that find it and are not shown
    names: tuple[str, ...] = ()  # what leads to it before all others, beside its title

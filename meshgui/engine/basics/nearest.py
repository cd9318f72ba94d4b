"""Suggests a known word in place of one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Final

from meshgui.engine.basics.translation import tr

__all__ = ["nearest"]

_LONGEST: Final = 100  # letters: nothing longer is known, and comparing takes its time


def nearest(word: str, words: Sequence[str]) -> str:
    """`: did you mean …?` with the most similar of the words, or nothing where none is similar."""
    if len(word) > _LONGEST:
        return ""
    near = difflib.get_close_matches(word, words, n=1)
    return tr(": did you mean {near}?").format(near=near[0]) if near else ""

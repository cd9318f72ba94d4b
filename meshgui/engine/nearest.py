"""Of the words there are, the one somebody probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

__all__ = ["nearest"]


def nearest(word: str, words: Sequence[str]) -> str:
    """`: did you mean …?` where one of the words is near, else nothing."""
    near = difflib.get_close_matches(word, words, n=1)
    return f": did you mean {near[0]}?" if near else ""

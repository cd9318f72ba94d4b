"""Suggests a known word in place of one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

__all__ = ["nearest"]


def nearest(word: str, words: Sequence[str]) -> str:
    """`: did you mean …?` with the most similar of the words, or nothing where none is similar."""
    near = difflib.get_close_matches(word, words, n=1)
    return f": did you mean {near[0]}?" if near else ""

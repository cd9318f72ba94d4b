"""Suggests a known word in place of one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Final

from meshgui.engine.basics.translation import tr

_LONGEST: Final = 100  # letters: nothing longer is known, and comparing takes its time


def closest(word: str, words: Sequence[str]) -> str | None:
    """The most similar of the words, if one is similar."""
    near = difflib.get_close_matches(word, words, n=1) if len(word) <= _LONGEST else []
    return near[0] if near else None


def nearest(word: str, words: Sequence[str]) -> str:
    """`: did you mean …?` with the most similar of the words, or nothing where none is similar."""
    near = closest(word, words)
    return tr(": did you mean {word}?").format(word=near) if near else ""

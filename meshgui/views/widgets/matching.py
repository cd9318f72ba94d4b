"""Scores how well a few typed letters fit a command's title or help."""

from __future__ import annotations

__all__ = ["match_score"]


def _word_starts(text: str) -> set[int]:
    """The places at which a word of `text` begins."""
    return {
        place
        for place, letter in enumerate(text)
        if letter.isalnum() and not text[place - 1 : place].isalnum()
    }


def _scattered(query: str, text: str) -> float:
    """The score of the letters of `query` in `text` in order: at word starts and together is better."""
    starts = _word_starts(text)
    place, last, score = 0, -2, 0.0
    for letter in query:
        found = text.find(letter, place)
        if found < 0:
            return 0.0
        score += 1.0 if found in starts or found == last + 1 else 0.25
        last, place = found, found + 1
    return score / len(query)


def _title_score(word: str, title: str) -> float:
    """The score of one word in the title: at its start, at a word, inside, or letter by letter."""
    found = title.find(word)
    if found == 0:
        return 4.0
    if found > 0:
        begins_word = any(title.startswith(word, start) for start in _word_starts(title))
        return 3.0 if begins_word else 2.0
    scattered = _scattered(word, title)
    # Below this the letters occur only by chance: "next" is in "Open recent text".
    return scattered if scattered >= 0.7 else 0.0


def match_score(query: str, title: str, help_text: str = "") -> float:
    """A score that grows with the fit; 0 means that some word of the query fits nowhere."""
    title, help_text = title.casefold(), help_text.casefold()
    total = 0.0
    for word in query.casefold().split():
        score = _title_score(word, title)
        if score < 1.0 and word in help_text:
            score = 1.0
        if score == 0.0:
            return 0.0
        total += score
    # Of two equal fits the shorter title is the likelier.
    return total + 1.0 / (1.0 + len(title)) if total else 1.0

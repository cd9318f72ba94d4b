"""Scores how well a few typed letters fit a command's title or help."""

from __future__ import annotations

from typing import Final

_NAME: Final = 3  # letters that begin a word and are meant to: fewer are as often initials
_PART: Final = 4  # letters that are searched for inside a word of the help: fewer are in too many


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


def _title_score(word: str, title: str, *, letters: bool) -> float:
    """The score of one word in the title: at its start, at a word, inside, or perhaps letter by letter."""
    found = title.find(word)
    if found == 0:
        return 4.0
    if found > 0:
        begins_word = any(title.startswith(word, start) for start in _word_starts(title))
        return 3.0 if begins_word else 2.0
    scattered = _scattered(word, title) if letters else 0.0
    # Below this the letters occur only by chance: "next" is in "Open recent text".
    return scattered if scattered >= 0.7 else 0.0


def names_a_word(query: str, title: str) -> bool:
    """Whether each word of the query is a word of the title, or with three letters or more begins one."""
    title = title.casefold()
    starts = _word_starts(title)

    def named(word: str) -> bool:
        ends = {start + len(word) for start in starts if title.startswith(word, start)}
        return any(len(word) >= _NAME or not title[end : end + 1].isalnum() for end in ends)

    words = query.casefold().split()
    return bool(words) and all(map(named, words))


def _in_help(word: str, text: str) -> bool:
    """Whether a word is in the help; a short one only where nothing of a longer word is before it."""
    if len(word) >= _PART:
        return word in text
    found = text.find(word)
    while found > 0 and text[found - 1].isalnum():
        found = text.find(word, found + 1)
    return found >= 0


def match_score(query: str, title: str, help_text: str = "", *, letters: bool = True) -> float:
    """A score that grows with the fit; 0 means that some word of the query fits nowhere.

    Without `letters` a word fits a title that has it, not one that has its letters here and there.
    """
    title, help_text = title.casefold(), help_text.casefold()
    total = 0.0
    for word in query.casefold().split():
        score = _title_score(word, title, letters=letters)
        if score < 1.0 and _in_help(word, help_text):
            score = 1.0
        if score == 0.0:
            return 0.0
        total += score
    # Of two equal fits the shorter title is the likelier.
    return total + 1.0 / (1.0 + len(title)) if total else 1.0

"""Words for numbers that every room uses: counts of things, is or are, thousands apart, durations."""

from __future__ import annotations

import math
import re
from typing import Final

from meshgui.engine.basics.translation import ENGLISH, formatted, language, tr, tr_n

UNKNOWN: Final = "–"
"""What stands where a number is not known, or where there is none."""

PERCENT: Final = "\N{NO-BREAK SPACE}%"
"""The unit of a share, behind its number: no end of a line parts them."""

_LONGEST_WORD: Final = 180  # letters: two lines of a terminal
_LONGEST_MESSAGE: Final = 1000
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_A_NUMBER: Final = re.compile(r"\ba (?=(\d+))")
_LONG_WORD: Final = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")


def in_plural(thing: str) -> str:
    """The plural of an English noun: packets, boxes, entries."""
    if thing.endswith(("x", "s")):
        return f"{thing}es"
    return f"{thing[:-1]}ies" if thing.endswith(("ry", "gy")) else f"{thing}s"


def plural(thing: str, number: int) -> str:
    """A thing, or things: packet, packets; box, boxes; entry, entries. Its words are translated."""
    return tr_n(thing, in_plural(thing), number)


def count_of(number: int, thing: str, *, apart: bool = False) -> str:
    """A count of things in figures: 0 runs, 1 run, 12000 runs; with thousands apart 12 000 runs."""
    if not apart:
        return tr_n(f"{{number}} {thing}", f"{{number}} {in_plural(thing)}", number)
    return tr_n(f"{{number}} {thing}", f"{{number}} {in_plural(thing)}", number, number=grouped(number))


def counted(number: int, thing: str) -> str:
    """A count of things as part of a sentence: no pages, 1 page, 2 pages."""
    return count_of(number, thing) if number else tr(f"no {in_plural(thing)}")


def few(number: int) -> str:
    """How many there are where more were wanted: none is, only 1 is, only 2 are."""
    return tr_n("only {number} is", "only {number} are", number) if number else tr("none is")


def are(number: int) -> str:
    """Is, or are."""
    return tr_n("is", "are", number)


def within(title: str) -> str:
    """A title as part of a sentence: small in English; German writes its nouns with capitals everywhere."""
    return title[:1].lower() + title[1:] if language() != "de" else title


def before_numbers(message: str) -> str:
    """A message with an English an where a number begins with a vowel: an 8×1 box, a 110×2 box."""
    if language() != ENGLISH:
        return message
    return _A_NUMBER.sub(lambda found: "an " if _begins_with_vowel(int(found[1])) else "a ", message)


def _begins_with_vowel(number: int) -> bool:
    """Whether its first English word does: eight, eleven, eighteen, eighty; not one hundred and ten."""
    while number >= 1000:
        number //= 1000
    return number in {11, 18} or str(number).startswith("8")


def grouped(number: int) -> str:
    """A number with its thousands apart: 12 000."""
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def percent(share: float, style: str = ".3g") -> str:
    """A share as 5 %, its number in a style of `format`."""
    return formatted(100.0 * share, style) + PERCENT


def percentage_points() -> str:
    """The unit of a difference of two shares, behind its number: 12.0 % is 2.5 points above 9.5 %."""
    return f"\N{NO-BREAK SPACE}{tr('points', 'of a percentage')}"


def in_quotes(text: str) -> str:
    """A title between the quotation marks of the language."""
    return tr("“{text}”").format(text=text)


def shortened(text: str, most: int = 60) -> str:
    """A text of at most this many characters, for what is quoted in a message."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def harmless(text: str) -> str:
    """A text from a file for a terminal or a title, without what controls it or reorders what follows.

    Lines and tabulators stay.
    """
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def legible(message: str) -> str:
    """A message that quotes what was typed or read, with its long words and the whole cut in the middle."""
    cut = _LONG_WORD.sub(lambda word: _cut(word[0], _LONGEST_WORD), message)
    return _cut(cut, _LONGEST_MESSAGE)


def _cut(text: str, most: int) -> str:
    """Both ends of a text, the first twice as long: that of a path is its name."""
    last = most // 3
    return text if len(text) <= most else f"{text[: most - last - 1]}…{text[-last:]}"


def duration(seconds: float) -> str:
    """A length of time: 40 s, 3 min, 1.5 h."""
    if seconds < 90:
        return tr("{seconds} s").format(seconds=max(1, math.ceil(seconds)))
    if seconds < 90 * 60:
        return tr("{minutes} min").format(minutes=math.ceil(seconds / 60))
    return tr("{hours:.1f} h").format(hours=seconds / 3600)

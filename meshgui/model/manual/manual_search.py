"""Finds the places of the manual where words stand: headings first, then what is written below them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from meshgui.engine.basics.translation import ENGLISH, speaking
from meshgui.model.manual.manual import ManualPage, pages

_HEADING: Final = re.compile(r"^#{1,3} +(.+?) *$", re.MULTILINE)
_FENCED: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_IMAGE: Final = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS: Final = re.compile(r"[*`|\\]|^#+ |^---+$", re.MULTILINE)
_AROUND: Final = 40  # letters shown before a word that was found
_SHOWN: Final = 120  # letters shown in all


class ManualSection(NamedTuple):
    """A heading of a page and the words below it; the page's own heading is among the words instead."""

    page: ManualPage
    heading: str
    words: str

    @property
    def title(self) -> str:
        """The page, and the heading in it."""
        return f"{self.page.title}: {self.heading}" if self.heading else self.page.title


class FoundSection(NamedTuple):
    """A section with all the words searched for, and the line around the first of them."""

    section: ManualSection
    excerpt: str


def plain(markdown: str) -> str:
    """Markdown without its marks, in one line."""
    text = _IMAGE.sub(r"\1", _FENCED.sub("", markdown))
    return " ".join(_MARKS.sub(" ", _LINK.sub(r"\1", text)).split())


@cache
def sections() -> tuple[ManualSection, ...]:
    """Every section of the manual, in order."""
    return tuple(section for page in pages() for section in sections_of(page))


def sections_of(page: ManualPage) -> Iterator[ManualSection]:
    """The sections of a page, in order."""
    text = page.write()
    code = [match.span() for match in _FENCED.finditer(text)]
    heads = [
        head for head in _HEADING.finditer(text) if not any(begin < head.start() < end for begin, end in code)
    ]
    ends = [head.start() for head in heads[1:]] + [len(text)]
    for head, end in zip(heads, ends, strict=True):
        words, own = plain(text[head.end() : end]), head is heads[0]
        yield (
            ManualSection(page, "", f"{plain(head[1])}: {words}")
            if own
            else ManualSection(page, plain(head[1]), words)
        )


def heading_at(page: ManualPage, anchor: str) -> str:
    """The heading of a section by the anchor of a link, which is made of its English words; "" for none."""
    words = anchor.replace("-", " ").casefold()
    with speaking(ENGLISH):
        english = [section.heading.casefold() for section in sections_of(page)]
    here = (section.heading for section in sections_of(page))
    return next((heading for heading, known in zip(here, english, strict=True) if known == words), "")


def find(words: str, among: Iterable[ManualSection] | None = None) -> list[FoundSection]:
    """The sections in which every word begins some word, best first: titles, headings, then text."""
    phrase = " ".join(words.replace("_", " ").casefold().split())
    wanted = [re.compile(rf"(?<![^\W_]){re.escape(word)}", re.IGNORECASE) for word in phrase.split()]
    if not wanted:
        return []
    found: list[tuple[int, FoundSection]] = []
    for section in sections() if among is None else among:
        whole = f"{section.title} {section.words}"
        if all(word.search(whole) for word in wanted):
            distance = _distance(section, wanted, phrase)
            found.append((distance, FoundSection(section, _excerpt(section.words, wanted[0]))))
    return [finding for _, finding in sorted(found, key=lambda pair: pair[0])]


def _distance(section: ManualSection, wanted: list[re.Pattern[str]], phrase: str) -> int:
    """How far a section is from what is meant: the nearer, the more its title says."""
    title = f"{section.title} {section.page.name}"
    if all(word.search(title) for word in wanted):
        return 2 if section.heading else int(not section.page.name.endswith(f"/{phrase}"))
    if phrase in section.words.replace("_", " ").casefold():
        return 3
    return 4 if any(word.search(title) for word in wanted) else 5


def _excerpt(words: str, wanted: re.Pattern[str]) -> str:
    """The words around the first place where one is found."""
    found = wanted.search(words)
    begin = max(0, found.start() - _AROUND) if found else 0
    if begin:
        begin = words.find(" ", begin) + 1
    cut = words[begin : begin + _SHOWN]
    return ("… " if begin else "") + cut + ("…" if begin + _SHOWN < len(words) else "")

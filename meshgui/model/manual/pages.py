"""The pages that come with the program, in the program's language: help, manual, lessons, published results.

A page is Markdown. Its messages are its headings, paragraphs, entries of lists and cells of tables; code,
and what no catalogue has, such as a page of the user's own, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from meshgui.engine.basics.translation import ENGLISH, language, tr_page

# What would be read as a mark, the sign last: anywhere, in an address, at the beginning of a line.
_MARK: Final = re.compile(r"[\\`*_\[\]<&|~@]|:(?=//)|(?<=www)\.|^ *(?:[#+=>-]|\d+[.)])", re.MULTILINE)
_FENCE: Final = re.compile(r" {0,3}(```+|~~~+)")
_AS_IT_IS: Final = re.compile(
    r"\s*$|Minutes: |Needs: |Exercises: |[|:\- ]+$|<|\[[^\]]*\]: "
)  # a key, a rule, HTML
_HEADING: Final = re.compile(r"(#{1,6} )(.*)")
_ENTRY: Final = re.compile(r"(\s*(?:[-*+]|\d+[.)]) )(.*)")
_SOURCE: Final = re.compile(r"(Source: )(.*)")
_CELLS: Final = re.compile(r"((?<!\\)\|\s*)")
_WORDS: Final = re.compile(r"(?!`[^`]*`$).*[A-Za-z]{2}", re.DOTALL)  # and not only a piece of code


class _Piece(NamedTuple):
    text: str
    is_message: bool


def page_messages(page: str) -> list[str]:
    """The messages of a page, in its order."""
    return [piece.text for piece in _pieces(page) if piece.is_message]


def translated(page: str) -> str:
    """The page in the program's language, as far as there are translations."""
    if language() == ENGLISH:
        return page
    return "".join(tr_page(piece.text) if piece.is_message else piece.text for piece in _pieces(page))


def as_markdown(words: str) -> str:
    """Plain text as Markdown that shows the same."""
    return _MARK.sub(lambda mark: f"{mark[0][:-1]}\\{mark[0][-1]}", words)


def _pieces(page: str) -> Iterator[_Piece]:
    """All of the page, cut into messages and what lies between them."""
    words: list[str] = []  # lines of a paragraph or an entry
    fence = ""
    for line in page.splitlines(keepends=True):
        text, end = line.rstrip(), line[len(line.rstrip()) :]
        mark = _FENCE.match(line)
        heading = _HEADING.fullmatch(text) or _SOURCE.fullmatch(text)
        entry = _ENTRY.fullmatch(text)
        if not (fence or mark or heading or entry or text.startswith("|") or _AS_IT_IS.match(text)):
            words.append(line)
            continue
        yield from _joined(words)
        words.clear()
        if fence or mark:
            yield _Piece(line, is_message=False)
            if mark:
                fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif heading:
            yield _Piece(heading[1], is_message=False)
            yield from _joined([heading[2] + end])
        elif entry:
            yield _Piece(entry[1], is_message=False)
            words.append(entry[2] + end)
        elif text.startswith("|") and not _AS_IT_IS.match(text):
            for cell in _CELLS.split(line):
                yield from _joined([cell])
        else:
            yield _Piece(line, is_message=False)
    yield from _joined(words)


def _joined(lines: list[str]) -> Iterator[_Piece]:
    """The words of some lines as one message, and the space behind them."""
    words = "".join(lines)
    message = words.rstrip()
    yield _Piece(message, is_message=bool(_WORDS.match(message)))
    yield _Piece(words[len(message) :], is_message=False)

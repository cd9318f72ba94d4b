"""The limits of Markdown in a file: notes, and the steps of lessons."""

from __future__ import annotations

import re
from typing import Final

from meshgui.engine.basics.limits import MAX_PAGE_CELLS, MAX_PAGE_DEPTH, MAX_PAGE_ENTRIES, MAX_PAGE_LETTERS
from meshgui.engine.basics.translation import tr

_MARKS: Final = re.compile(r"[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s|$))[ \t]*)+", re.ASCII)
_MARK: Final = re.compile(r"[-*+>.)]")  # of an entry or a quotation


def page_fault(page: str) -> str:
    """Which limit a page from a file is over, in a sentence; nothing where it is over none.

    It counts at least what Qt will make of the page: a rule of dashes counts as entries, and so does code.
    """
    if len(page) > MAX_PAGE_LETTERS:
        said = tr("expected a text of at most {most} characters, got {number}")
        return said.format(most=MAX_PAGE_LETTERS, number=len(page))
    if (cells := page.count("|")) > MAX_PAGE_CELLS:
        said = tr("expected tables of at most {most} cells, got {number}")
        return said.format(most=MAX_PAGE_CELLS, number=cells)
    entries = 0
    for line in page.splitlines():
        if (marks := _MARKS.match(line)) is None:
            continue
        entries += 1
        depth = len(_MARK.findall(marks[0])) + _indentation(line) // 2
        if depth > MAX_PAGE_DEPTH and not _is_rule(line):
            said = tr("expected lists nested at most {most} deep, got {number}")
            return said.format(most=MAX_PAGE_DEPTH, number=depth)
    if entries > MAX_PAGE_ENTRIES:
        said = tr("expected lists of at most {most} entries, got {number}")
        return said.format(most=MAX_PAGE_ENTRIES, number=entries)
    return ""


def within_limits(page: str) -> str:
    """The same page; a ValueError says which limit it is over."""
    if fault := page_fault(page):
        raise ValueError(fault)
    return page


def _indentation(line: str) -> int:
    """The columns before the first letter; a tabulator takes four."""
    return len(line[: len(line) - len(line.lstrip())].expandtabs(4))


def _is_rule(line: str) -> bool:
    """Whether a line is a rule across the page: one sign alone, three times or more."""
    return len(set(line) - {" ", "\t"}) == 1 and line.lstrip()[:1] in "-*" and not line[:4].isspace()

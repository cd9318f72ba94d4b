"""Texts for cells of tables that a spreadsheet opens, which computes what looks like a formula."""

from __future__ import annotations

import re
from typing import Final

_FORMULA: Final = re.compile(
    r"""(^|[;|\t\r\n]|,(?![\d.+-]+[],}]))  # at the begin or behind what parts columns, in no list of numbers
    ((?:[^\S\t\r\n]|["'\ufeff])*)  # a quotation mark is doubled: where others part columns, nothing is quoted
    (?=[=+\-@＝＋－＠])""",
    re.VERBOSE,
)
_NUMBERS: Final = re.compile(r"[-\d. ]+(?:e[-+]?\d+)?|[-+][xyz]")
"""Numbers, with a dash for one that there is not, and ways of a mesh, which compute nothing."""


def harmless(text: str) -> str:
    """The text with an apostrophe before what a spreadsheet would compute, wherever columns are parted."""
    return text if _NUMBERS.fullmatch(text) else _FORMULA.sub(r"\1\2'", text)

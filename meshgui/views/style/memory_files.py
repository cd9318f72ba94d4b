"""Files for Qt that lie in memory alone: no folder is left of them however the program ends.

They have the format that Qt's resource compiler writes, in its first version, which all versions of Qt read.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from struct import pack
from typing import Final

from PySide6.QtCore import qRegisterResourceData

_FORMAT: Final = 1
_FOLDER: Final = 2  # the flag of an entry that has entries below it
_AREA: Final = (0, 1)  # any territory, the language C: a file for everyone

_kept: list[tuple[bytes, bytes, bytes]] = []  # Qt reads them where they are


def offer_files(folder: str, files: Mapping[str, str]) -> None:
    """Let Qt find these texts as `:/folder/name`. A folder is offered once."""
    ordered = sorted(files, key=_hash)  # Qt searches the entries of a folder by halves
    tree = pack(">IHII", 0, _FOLDER, 1, 1)  # the root, and in it the folder
    names, contents = _name(folder), b""
    tree += pack(">IHII", 0, _FOLDER, len(ordered), 2)
    for name in ordered:
        tree += pack(">IHHHI", len(names), 0, *_AREA, len(contents))
        content = files[name].encode()
        names += _name(name)
        contents += pack(">I", len(content)) + content
    _kept.append((tree, names, contents))
    if not qRegisterResourceData(_FORMAT, tree, names, contents):
        raise RuntimeError(f"Qt takes no files in {folder}")


@cache  # an icon has the same name in every colour
def _name(name: str) -> bytes:
    letters = name.encode("utf-16-be")
    return pack(">HI", len(letters) // 2, _hash(name)) + letters


@cache
def _hash(name: str) -> int:
    """Qt's `qt_hash`."""
    total = 0
    for letter in name:
        total = (total << 4) + ord(letter)
        total ^= (total & 0xF000_0000) >> 23
        total &= 0x0FFF_FFFF
    return total

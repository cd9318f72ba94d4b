"""The time of its run at which a scenario that comes with the program opens: that of its picture."""

from __future__ import annotations

from pathlib import Path
from struct import unpack_from
from typing import Final

from meshgui.itself import resource

PICTURED: Final = "time"
"""The text in a picture's file that says which time of the run it shows."""

_HEAD: Final = 8  # bytes of a PNG before its first chunk


def pictured_moment(path: Path) -> dict[str, float]:
    """The time at which a scenario is opened, as its view has it; empty for one of the user's."""
    if path.resolve().parent != resource("scenarios").resolve():
        return {}
    try:
        picture = resource("welcome", f"{path.name.partition('.')[0]}-light.png").read_bytes()
        return {"time": float(_text_in(picture))}
    except (OSError, ValueError):
        return {}


def _text_in(picture: bytes) -> bytes:
    """The text about the time in a PNG; empty where there is none."""
    at, begin = _HEAD, PICTURED.encode() + b"\0"
    while at + 8 <= len(picture):
        size, kind = unpack_from(">I4s", picture, at)
        content = picture[at + 8 : at + 8 + size]
        if kind == b"tEXt" and content.startswith(begin):
            return content.removeprefix(begin)
        at += size + 12  # its length and kind before it, its checksum after it
    return b""

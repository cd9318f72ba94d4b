"""Checks that an MP4 is whole: ffmpeg may leave a part of one without an error."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_HEAD: Final = 8  # bytes of a size and a kind
_LONG: Final = 1  # instead of a size: it follows, in eight bytes
_NEEDED: Final = {b"ftyp", b"mdat", b"moov"}


def is_whole_mp4(path: Path) -> bool:
    """Whether a file is made of whole boxes, with the frames and the index of them (ISO/IEC 14496-12, 4.2).

    The index is written last, and the size of the frames' box after them: a film that was cut off lacks one.
    """
    try:
        return set(_kinds(path)) >= _NEEDED
    except ValueError:
        return False


def _kinds(path: Path) -> Iterator[bytes]:
    """The kinds of the outermost boxes; ValueError where one is cut off."""
    with path.open("rb") as file:
        end, at = os.fstat(file.fileno()).st_size, 0
        while at < end:
            file.seek(at)
            head = file.read(2 * _HEAD)
            size = int.from_bytes(head[:4], "big")
            if size == _LONG:
                size = int.from_bytes(head[_HEAD:], "big")
            if size < _HEAD or at + size > end:
                raise ValueError(at)
            yield head[4:_HEAD]
            at += size

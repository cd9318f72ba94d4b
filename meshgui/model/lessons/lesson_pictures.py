"""The pictures of a lesson: plain PNG and JPEG files in its folder, checked before anything decodes them.

What reaches a decoder holds the pixels alone: notes, colour profiles and thumbnails inside a picture are
dropped, as a few bytes of them may unpack to gigabytes.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from typing import Final, Literal, NamedTuple
from urllib.parse import unquote

from meshgui.engine.basics.files import os_fault, read_input
from meshgui.engine.basics.limits import MAX_PAGE_PICTURES
from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened
from meshgui.model.base.limits import (
    MAX_PICTURE_BYTES,
    MAX_PICTURE_PARTS,
    MAX_PICTURE_PIXELS,
    MAX_PICTURE_SCANS,
    MAX_PICTURE_SIDE,
)

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_PNG_PARTS: Final = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"})
_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by PNG's type of colour
_ADAM7: Final = (
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
)
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # JPEG's markers with a size
_DROPPED: Final = (frozenset(range(0xE0, 0xF0)) - {0xE0, 0xEE}) | {0xFE}  # but for JFIF's and Adobe's
_SCAN: Final = 0xDA
_PIECE: Final = 1 << 20  # bytes that are unpacked at a time


_DRAWN: Final = re.compile(r"moment:([1-9]\d?)")


def drawn_number(name: str) -> int | None:
    """The place of a picture that the program draws among those of its step; None for a file's name."""
    found = _DRAWN.fullmatch(name)
    return int(found[1]) - 1 if found else None


class LessonPictureError(Exception):
    """A picture that is not shown; what was expected, in one sentence."""


class LessonPicture(NamedTuple):
    """A checked picture."""

    kind: Literal["png", "jpeg"]
    width: int
    height: int
    content: bytes


class PictureFolder:
    """The pictures that one text may show, from one folder; without a folder it shows none.

    The limits are on all pictures of the text together; one that is named twice counts once.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = None if folder is None else folder.resolve()
        self._bytes, self._pixels = MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS
        self._read: dict[str, LessonPicture | LessonPictureError] = {}

    def picture(self, name: str) -> LessonPicture:
        """The picture that a text names; a LessonPictureError says in one sentence why there is none."""
        found = self._read.get(name)
        if found is None:
            found = self._read[name] = self._try(name)
        if isinstance(found, LessonPictureError):
            raise LessonPictureError(f"{shortened(printable(name))}: {found}")
        return found

    def _try(self, name: str) -> LessonPicture | LessonPictureError:
        try:
            return self._take(name)
        except LessonPictureError as error:
            return error

    def _take(self, name: str) -> LessonPicture:
        if self._folder is None:
            raise LessonPictureError(tr("pictures are shown in lessons only"))
        if len(self._read) >= MAX_PAGE_PICTURES:
            raise LessonPictureError(
                tr("expected at most {most} pictures in a step").format(most=MAX_PAGE_PICTURES)
            )
        content = _content(_file(self._folder, name), self._bytes)
        self._bytes -= len(content)
        picture = _checked(content, self._pixels)
        self._pixels -= picture.width * picture.height
        return picture


def _file(folder: Path, name: str) -> Path:
    """The path of a picture, which lies in the folder wherever links lead."""
    outside = LessonPictureError(tr("expected a picture in the folder of the lesson"))
    name = unquote(name)
    if ":" in name or PureWindowsPath(name).anchor:  # an address, a drive, another machine, the root
        raise outside
    try:
        path = (folder / name).resolve()
    except (OSError, RuntimeError, ValueError):  # too long, links in a circle, no name of a file
        raise LessonPictureError(tr("there is no such picture")) from None
    if not path.is_relative_to(folder):
        raise outside
    return path


def _content(path: Path, most: int) -> bytes:
    """The bytes of a plain file."""
    try:
        content = read_input(path, most)
    except FileNotFoundError:
        raise LessonPictureError(tr("there is no such picture")) from None
    except OSError as error:
        raise LessonPictureError(os_fault(error)) from None
    if content is None:
        raise LessonPictureError(
            tr("expected pictures of at most {most} MiB in a step").format(most=MAX_PICTURE_BYTES >> 20)
        )
    return content


def _checked(content: bytes, most: int) -> LessonPicture:
    """A picture of at most `most` pixels."""
    try:
        if content.startswith(_PNG):
            return _png(content, most)
        if content.startswith(_JPEG):
            return _jpeg(content, most)
    except (struct.error, zlib.error, KeyError, IndexError):
        raise LessonPictureError(tr("the picture is damaged")) from None
    raise LessonPictureError(tr("expected a PNG or JPEG picture"))


def _hold_size(width: int, height: int, most: int) -> None:
    if not (width and height):
        raise LessonPictureError(tr("the picture is damaged"))
    if max(width, height) > MAX_PICTURE_SIDE:
        raise LessonPictureError(
            tr("expected at most {most} pixels a side, got {width}×{height}").format(
                most=MAX_PICTURE_SIDE, width=width, height=height
            )
        )
    if width * height > most:
        raise LessonPictureError(
            tr("expected pictures of at most {most} million pixels in a step, got {width}×{height}").format(
                most=MAX_PICTURE_PIXELS // 1_000_000, width=width, height=height
            )
        )


def _png(content: bytes, most: int) -> LessonPicture:
    kept, packed, header = [_PNG], list[bytes](), b""
    for kind, start, end in _chunks(content):
        if kind not in _PNG_PARTS:
            continue
        if kind == b"IHDR":
            header = content[start + 8 : end - 4]
            width, height = struct.unpack_from(">II", header)
            _hold_size(width, height, most)
        if kind == b"IDAT":
            packed.append(content[start + 8 : end - 4])
        kept.append(content[start:end])
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    _hold_unpacked(packed, _rows(width, height, depth * _CHANNELS[colour], interlaced=bool(interlaced)))
    return LessonPicture("png", width, height, b"".join(kept))


def _chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The chunks of a PNG: the kind of each, where it begins and where it ends."""
    at = len(_PNG)
    for _ in range(MAX_PICTURE_PARTS):
        length, kind = struct.unpack_from(">I4s", content, at)
        end = at + 12 + length
        if end > len(content):
            raise IndexError
        yield kind, at, end
        if kind == b"IEND":
            return
        at = end
    raise IndexError


def _rows(width: int, height: int, bits: int, *, interlaced: bool) -> int:
    """The bytes of all rows of a PNG, each with the byte of its filter."""
    passes = _ADAM7 if interlaced else ((0, 0, 1, 1),)
    size = 0
    for left, top, across, down in passes:
        columns, rows = -((left - width) // across), -((top - height) // down)
        size += rows * (1 + -(-columns * bits // 8)) if columns > 0 and rows > 0 else 0
    return size


def _hold_unpacked(packed: list[bytes], size: int) -> None:
    """Refuse a PNG whose data unpack to more than its rows: a decoder would unpack all of it."""
    unpacker, left = zlib.decompressobj(), size
    for piece in packed:
        rest = piece
        while rest and not unpacker.eof:
            left -= len(unpacker.decompress(rest, _PIECE))
            if left < 0:
                raise LessonPictureError(tr("the picture is damaged"))
            rest = unpacker.unconsumed_tail


def _jpeg(content: bytes, most: int) -> LessonPicture:
    if content.count(bytes((0xFF, _SCAN))) > MAX_PICTURE_SCANS:
        raise LessonPictureError(
            tr("expected a JPEG picture of at most {most} scans").format(most=MAX_PICTURE_SCANS)
        )
    kept, at, size = [content[:2]], 2, (0, 0)
    for _ in range(MAX_PICTURE_PARTS):
        mark, marker, length = struct.unpack_from(">BBH", content, at)
        if mark != 0xFF or length < 2:
            raise IndexError
        if marker == _SCAN:
            break
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", content, at + 5)
            size = width, height
        if marker not in _DROPPED:
            kept.append(content[at : at + 2 + length])
        at += 2 + length
    else:
        raise IndexError
    _hold_size(*size, most)
    return LessonPicture("jpeg", *size, b"".join([*kept, content[at:]]))

"""Pictures for the tests, written without Qt: sound ones, and ones that are larger than they look."""

import struct
import zlib
from base64 import b64decode

_JPEG = b64decode(
    "/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////"
    "////////wAALCAACAAMBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEG"
    "E1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJ"
    "ipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AEr/2Q=="
)


def chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int = 4, height: int = 3, *, before: bytes = b"", more: int = 0) -> bytes:
    """A grey picture, with chunks before its pixels and some bytes behind them."""
    rows = zlib.compress(bytes((1 + width) * height) + bytes(more), 9)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = chunk(b"IHDR", header) + before + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def png_with_notes(unpacked: int) -> bytes:
    """A PNG with a note that unpacks to a number of bytes."""
    return png(before=chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(unpacked), 9)))


def jpeg(width: int = 3, height: int = 2, *, scans: int = 1, notes: bytes = b"") -> bytes:
    """A grey picture that claims to be of some size, with some notes."""
    size_at = _JPEG.index(b"\xff\xc0") + 5
    content = _JPEG[:size_at] + struct.pack(">HH", height, width) + _JPEG[size_at + 4 :]
    scan = content[content.index(b"\xff\xda") : -2]
    notes = b"\xff\xfe" + struct.pack(">H", len(notes) + 2) + notes if notes else b""
    return content[:2] + notes + content[2:-2] + scan * (scans - 1) + content[-2:]

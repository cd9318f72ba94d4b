"""The numbers of a web page: JSON and typed arrays in one compressed piece, which the page unpacks."""

from __future__ import annotations

import json
import struct
import zlib
from base64 import b64encode
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_ALIGNED: Final = 8  # bytes, so that the page can look at every array where it lies
_KINDS: Final = {"f8": np.float64, "i4": np.int32, "i2": np.int16, "u2": np.uint16, "u1": np.uint8}


class WebArrays:
    """Arrays one after another, and where each of them lies."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def add(self, array: NDArray[Any], kind: str) -> dict[str, Any]:
        """Add an array with numbers of a kind; where it lies, for the page."""
        content = np.ascontiguousarray(array, dtype=_KINDS[kind]).astype(f"<{kind}", copy=False).tobytes()
        place = {"kind": kind, "at": self._length, "count": int(array.size)}
        padding = -len(content) % _ALIGNED
        self._parts.append(content + bytes(padding))
        self._length += len(content) + padding
        return place

    def packed(self, header: dict[str, Any]) -> str:
        """The header and all arrays, compressed, in letters that any file can hold."""
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
        text += b" " * (-(len(text) + _ALIGNED) % _ALIGNED)
        whole = struct.pack("<II", len(text), 0) + text + b"".join(self._parts)
        return b64encode(zlib.compress(whole, 6)).decode()

"""The bytes of `QMainWindow.saveState` and `restoreState`, which Qt reads without a check of its own.

Qt keeps them readable from version to version: see `saveState` of `QDockAreaLayout` and `QDockAreaLayoutInfo`
in qtbase. Here they are read strictly, and written from an arrangement that has been checked.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from io import BytesIO
from typing import Any, Final

from meshgui.model.document.arrangement import AREAS, Arrangement, Node, PanelGroup, PanelPlace

# The order of AREAS is Qt's: left, right, top and bottom, of which reading begins at the one or the other.

_MAIN, _DOCKS, _SEQUENCE, _PANEL, _TABS, _GROUP = 0xFF, 0xFD, 0xFC, 0xFB, 0xFA, 0xF9
_VISIBLE, _FLOATING = 1, 2
_ORIENTATIONS: Final = {1: "columns", 2: "rows"}
_NUMBERS: Final = {kind: number for number, kind in _ORIENTATIONS.items()}
_VERSIONS: Final = (1, 2)
_NO_TOOL_BARS: Final = b"\xfc\x00\x00\x00\x00"  # Qt leaves them where they are
_DEEPEST: Final = 16
_CASCADE: Final = 24  # pixels


def layout_version(*, rtl: bool) -> int:
    """The number in a state; it is negative in a window from right to left."""
    return -_VERSIONS[-1] if rtl else _VERSIONS[-1]


# Reading


def state_data(state: bytes) -> dict[str, Any]:
    """A state of Qt's as an arrangement's JSON; a ValueError where it is cut off or malformed."""
    try:
        return _Decoder(state).state()
    except (struct.error, UnicodeDecodeError) as error:
        raise ValueError("malformed") from error


class _Decoder:
    """Reads a state from its first byte on."""

    def __init__(self, state: bytes) -> None:
        self._bytes = BytesIO(state)
        self._rtl = False
        self._panels: dict[str, dict[str, Any]] = {}  # by their names, as first read

    def state(self) -> dict[str, Any]:
        marker, version = self._ints(2)
        _hold(marker == _MAIN and abs(version) in _VERSIONS)
        self._rtl = version < 0
        _hold(self._byte() == _DOCKS)
        data: dict[str, Any] = {}
        for _ in range(self._count(len(AREAS))):
            area, *size = self._ints(3)
            _hold(0 <= area < len(AREAS))
            data[_side(AREAS[area], self._rtl)] = {**self._group(0), "size": size}
        data["mesh"] = self._ints(2)
        self._ints(4)  # the corners, which belong to the window
        while self._bytes.read(1) == bytes((_GROUP,)):
            self._float(self._ints(4))
        return data

    def _float(self, edges: Sequence[int]) -> None:
        """Read panels that float together, which Qt does not restore: each floats from its own place."""
        left, top, right, bottom = edges
        docked, self._panels = self._panels, {}
        self._group(0)
        for number, (name, panel) in enumerate(self._panels.items()):
            shift = number * _CASCADE
            place = [left + shift, top + shift, right - left + 1, bottom - top + 1]
            if name in docked:
                docked[name].pop("size", None)
                docked[name] |= {"hidden": panel["hidden"], "floating": place}
        self._panels = docked

    def _group(self, depth: int) -> dict[str, Any]:
        marker = self._byte()
        _hold(marker in {_TABS, _SEQUENCE} and depth < _DEEPEST)
        front = self._int() if marker == _TABS else -1
        orientation = self._byte()
        _hold(orientation in _ORIENTATIONS)
        parts = [self._item(depth) for _ in range(self._count(1000))]
        if marker == _TABS:
            named = (
                {"front": parts[front]["panel"]}
                if 0 <= front < len(parts) and "panel" in parts[front]
                else {}
            )
            return {"tabs": parts, **named}
        kind = _ORIENTATIONS[orientation]
        return {kind: parts[::-1] if kind == "columns" and self._rtl else parts}

    def _item(self, depth: int) -> dict[str, Any]:
        marker = self._byte()
        _hold(marker in {_PANEL, _SEQUENCE})
        if marker == _SEQUENCE:
            return self._sized(self._ints(4)) | self._group(depth + 1)
        name, flags = self._text(), self._byte()
        numbers = self._ints(4)
        data: dict[str, Any] = {"panel": name, "hidden": not flags & _VISIBLE}
        data |= {"floating": numbers} if flags & _FLOATING else self._sized(numbers)
        return self._panels.setdefault(name, data)

    def _sized(self, numbers: Sequence[int]) -> dict[str, Any]:
        """The second of place, size, least and most."""
        return {"size": numbers[1]} if numbers[1] >= 0 else {}

    def _int(self) -> int:
        return self._ints(1)[0]

    def _ints(self, count: int) -> list[int]:
        return list(struct.unpack(f">{count}i", self._bytes.read(4 * count)))

    def _byte(self) -> int:
        return int(struct.unpack("B", self._bytes.read(1))[0])

    def _count(self, most: int) -> int:
        count = self._int()
        _hold(0 <= count <= most)
        return count

    def _text(self) -> str:
        length = self._int()
        _hold(-1 <= length <= 1000)
        text = self._bytes.read(max(length, 0))
        _hold(len(text) == max(length, 0))
        return text.decode("utf-16-be")


def _hold(sound: bool) -> None:
    if not sound:
        raise ValueError("malformed")


def _side(area: str, rtl: bool) -> str:
    """An area by the direction of reading, from left and right; and back."""
    return {"start": "end", "end": "start"}.get(area, area) if rtl else area


# Writing


def qt_state(arrangement: Arrangement, corners: Sequence[int], *, rtl: bool) -> bytes:
    """An arrangement as `restoreState` takes it; `corners` are the areas of the window's corners."""
    areas = {_side(name, rtl): area for name, area in arrangement.areas.items()}
    parts = [_ints(_MAIN, layout_version(rtl=rtl)), bytes((_DOCKS,)), _ints(len(areas))]
    for number, name in enumerate(AREAS):
        if name in areas:
            node, size = areas[name]
            parts += [_ints(number, *size), _root(node, "columns" if number > 1 else "rows", rtl)]
    parts.append(_ints(*arrangement.mesh, *corners))
    return b"".join((*parts, _NO_TOOL_BARS))


def _root(node: Node, around: str, rtl: bool) -> bytes:
    """What is in an area: a group, also where it is one panel."""
    return _group(node if isinstance(node, PanelGroup) else PanelGroup(around, (node,)), around, rtl)


def _group(group: PanelGroup, around: str, rtl: bool) -> bytes:
    tabs = group.kind == "tabs"
    kind = around if tabs else group.kind
    front = next((n for n, part in enumerate(group.parts) if _name(part) == group.front), -1)
    parts = group.parts[::-1] if rtl and group.kind == "columns" else group.parts
    marker = bytes((_TABS,)) + _ints(front) if tabs else bytes((_SEQUENCE,))
    items = (_item(part, kind, rtl) for part in parts)
    return b"".join((marker, bytes((_NUMBERS[kind],)), _ints(len(parts)), *items))


def _item(node: Node, around: str, rtl: bool) -> bytes:
    """A panel or a group, with place, size, least and most, of which Qt takes the size alone."""
    sized = _ints(0, -1 if node.size is None else node.size, 0, 0)
    if isinstance(node, PanelGroup):
        return bytes((_SEQUENCE,)) + sized + _group(node, around, rtl)
    name = node.name.encode("utf-16-be")
    flags = (0 if node.hidden else _VISIBLE) | (0 if node.floating is None else _FLOATING)
    numbers = sized if node.floating is None else _ints(*node.floating)
    return bytes((_PANEL,)) + _ints(len(name)) + name + bytes((flags,)) + numbers


def _name(node: Node) -> str | None:
    return node.name if isinstance(node, PanelPlace) else None


def _ints(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}i", *numbers)

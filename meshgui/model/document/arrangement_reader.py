"""Reads the arrangement of panels that settings, a file or a link hold; see the manual on files.

It may come from anyone: what is not valid in it is left out, and nothing else is taken up.
"""

from __future__ import annotations

import math
from base64 import b64decode
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from meshgui.engine.basics.translation import tr
from meshgui.model.document.arrangement import (
    ALL_PANELS,
    AREAS,
    FORMER_PANELS,
    Arrangement,
    Node,
    PanelArea,
    PanelGroup,
    PanelPlace,
    Rect,
    panel_now,
)
from meshgui.model.document.qt_state import state_data

_KINDS: Final = ("tabs", "rows", "columns")
_LONGEST: Final = 10_000  # pixels of a window or panel
_FARTHEST: Final = 100_000  # pixels from the corner of the first screen
_DEEPEST: Final = len(ALL_PANELS)  # groups in groups
_MOST: Final = 8 * len(ALL_PANELS)  # parts of a group that are looked at


class ReadArrangement(NamedTuple):
    """An arrangement as far as it could be read, and whether that is all of it."""

    arrangement: Arrangement | None
    whole: bool

    @property
    def fault(self) -> str:
        """What was left out, in a sentence, if anything."""
        if self.whole:
            return ""
        if self.arrangement is None:
            return tr("The arrangement of the panels could not be read and is ignored.")
        return tr(
            "The arrangement of the panels could not be read in full; missing panels are in their "
            "default places."
        )


def read_arrangement(data: object, known: Collection[str] = ALL_PANELS) -> ReadArrangement:
    """The arrangement of known panels in JSON, or in what older files have: Qt's bytes, also in Base64."""
    try:
        if isinstance(data, str):
            data = b64decode(data, validate=True)
        if isinstance(data, bytes):
            data = state_data(data)
    except ValueError:
        return ReadArrangement(None, whole=False)
    reader = _Reader(known)
    arrangement = reader.arrangement(data)
    return ReadArrangement(arrangement, reader.whole and arrangement is not None)


def read_lengths(data: object, count: int) -> list[int] | None:
    """Lengths in pixels, within reason; None where these are not as many numbers."""
    numbers = _numbers(data, count)
    return None if numbers is None else [_length(number) for number in numbers]


def read_rect(data: object) -> Rect | None:
    """A place on the screens, with lengths within reason; None for what is not valid."""
    numbers = _numbers(data, 4)
    if numbers is None:
        return None
    left, top = (min(max(edge, -_FARTHEST), _FARTHEST) for edge in numbers[:2])
    width, height = (max(_length(length), 1) for length in numbers[2:])
    return left, top, width, height


class _Reader:
    """Reads an arrangement, and notes whether something of it was left out."""

    def __init__(self, known: Collection[str]) -> None:
        self.whole, self._known = True, known
        self._seen: set[str] = set()

    def arrangement(self, data: object) -> Arrangement | None:
        fields = self._fields(data, (*AREAS, "mesh"))
        areas = {name: area for name in AREAS if (area := self._area(fields.get(name))) is not None}
        return Arrangement(areas, self._pair(fields.get("mesh", [0, 0]))) if areas else None

    def _area(self, data: object) -> PanelArea | None:
        if not isinstance(data, dict):
            self._hold(data is None)
            return None
        node = self._node({key: value for key, value in data.items() if key != "size"}, 0)
        return None if node is None else PanelArea(node, self._pair(data.get("size", [0, 0])))

    def _node(self, data: object, depth: int) -> Node | None:
        """A panel or a group; a group of one is that one, and one of none is left out."""
        fields = self._fields(data, ("panel", *_KINDS, "front", "hidden", "floating", "size"))
        kinds = [kind for kind in ("panel", *_KINDS) if kind in fields]
        if len(kinds) != 1 or depth > _DEEPEST:
            self._hold(False)
            return None
        kind, size = kinds[0], self._size(fields.get("size"))
        if kind == "panel":
            return self._panel(fields, size)
        nodes = [self._node(each, depth + 1) for each in self._list(fields[kind])]
        parts = [node for node in nodes if node is not None]
        if kind == "tabs":
            panels = [part for part in parts if isinstance(part, PanelPlace)]
            self._hold(len(panels) == len(parts))
            parts = [replace(panel, size=None) for panel in panels]
        if len(parts) < 2:
            return replace(parts[0], size=size) if parts else None
        front = fields.get("front", "")
        return PanelGroup(kind, tuple(parts), self._front(front, parts), size)

    def _panel(self, fields: Mapping[str, Any], size: int | None) -> PanelPlace | None:
        name, hidden, floating = fields["panel"], fields.get("hidden", False), fields.get("floating")
        place = read_rect(floating)
        self._hold(isinstance(hidden, bool) and (floating is None or place is not None))
        if isinstance(name, str) and name in FORMER_PANELS:
            return None
        if not isinstance(name, str) or name not in self._known or name in self._seen:
            self._hold(False)
            return None
        self._seen.add(name)
        return PanelPlace(name, hidden is True, place, size if place is None else None)

    def _front(self, front: object, parts: list[Node]) -> str:
        front = panel_now(front)
        found = next((part.name for part in parts if isinstance(part, PanelPlace) and part.name == front), "")
        self._hold(found == front)
        return found

    def _fields(self, data: object, known: tuple[str, ...]) -> dict[str, Any]:
        fields = {key: value for key, value in data.items() if key in known} if isinstance(data, dict) else {}
        self._hold(isinstance(data, dict) and len(fields) == len(data))
        return fields

    def _list(self, data: object) -> list[Any]:
        rows = data[:_MOST] if isinstance(data, list) else []
        self._hold(isinstance(data, list) and len(rows) == len(data))
        return rows

    def _pair(self, data: object) -> tuple[int, int]:
        lengths = read_lengths(data, 2)
        self._hold(lengths is not None)
        width, height = lengths or (0, 0)
        return width, height

    def _size(self, data: object) -> int | None:
        lengths = read_lengths([data], 1)
        self._hold(data is None or lengths is not None)
        return None if lengths is None else lengths[0]

    def _hold(self, sound: bool) -> None:
        self.whole = self.whole and sound


def _numbers(data: object, count: int) -> list[int] | None:
    """Whole numbers; None where these are not as many numbers."""
    if not isinstance(data, list | tuple) or len(data) != count:
        return None
    sound = all(type(each) is int or (type(each) is float and math.isfinite(each)) for each in data)
    return [int(each) for each in data] if sound else None


def _length(number: int) -> int:
    return min(max(number, 0), _LONGEST)

"""Makes an SVG look the same in all viewers: letters as outlines, and lines whose width no scale changes.

Fonts are missing elsewhere, and several viewers do not know `vector-effect`.
"""

from __future__ import annotations

import re
from typing import Final
from xml.etree import ElementTree as ET

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QPainterPath

_SVG: Final = "http://www.w3.org/2000/svg"
_NUMBER: Final = re.compile(r"-?[\d.]+(?:e-?\d+)?")
_POINT: Final = re.compile(rf"({_NUMBER.pattern})[ ,]+({_NUMBER.pattern})")
_EFFECT: Final = "vector-effect"
_FONT: Final = ("font-family", "font-size", "font-weight", "font-style", "x", "y")


def outlined(svg: bytes | bytearray | memoryview) -> bytes:
    """The same picture with a path for each text; its words stay as a label that a reader can search."""
    ET.register_namespace("", _SVG)
    root = ET.fromstring(bytes(svg))  # noqa: S314 - written by Qt just now
    for parent in root.iter():
        for place, child in enumerate(parent):
            if child.tag == f"{{{_SVG}}}text":
                parent[place] = _path_of(child)
    for group in root.iter(f"{{{_SVG}}}g"):
        if any(child.get(_EFFECT) for child in group):
            _flatten(group)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _flatten(group: ET.Element) -> None:
    """Apply the group's transform to the points of what is in it, so that it does not scale their lines."""
    matrix = _NUMBER.findall(group.get("transform", "matrix(1,0,0,1,0,0)"))
    across, down, slant, up, right, below = (float(number) for number in matrix[:6])

    def moved(match: re.Match[str]) -> str:
        x, y = float(match[1]), float(match[2])
        return f"{_short(across * x + slant * y + right)},{_short(down * x + up * y + below)}"

    for child in group:
        child.attrib.pop(_EFFECT, None)
        if child.tag == f"{{{_SVG}}}rect":
            x, y, wide, high = (float(child.attrib.pop(name)) for name in ("x", "y", "width", "height"))
            child.tag = f"{{{_SVG}}}polygon"
            child.set("points", f"{x},{y} {x + wide},{y} {x + wide},{y + high} {x},{y + high}")
        for name in ("d", "points"):
            if name in child.attrib:
                child.set(name, _POINT.sub(moved, child.attrib[name]))
    group.set("transform", "matrix(1,0,0,1,0,0)")


def _path_of(text: ET.Element) -> ET.Element:
    """A text as a path, filled as the text was."""
    words = "".join(text.itertext())
    at = QPointF(*(float(text.get(side, "0")) for side in "xy"))
    letters = QPainterPath()
    letters.addText(at, _font_of(text), words.strip("\n"))
    kept = {name: value for name, value in text.attrib.items() if name not in _FONT and "}" not in name}
    path = ET.Element(f"{{{_SVG}}}path", kept | {"role": "img", "aria-label": words, "d": _shape(letters)})
    path.set("stroke", "none")
    path.tail = text.tail
    return path


def _font_of(text: ET.Element) -> QFont:
    """The font as Qt has written it: its sizes are in pixels, its weights those of CSS."""
    families = [name.strip("' ") for name in text.get("font-family", "").split(",")]
    font = QFont(families)
    font.setPixelSize(max(round(float(_NUMBER.findall(text.get("font-size", "12"))[0])), 1))
    font.setWeight(QFont.Weight(min(max(int(text.get("font-weight", "400")), 100), 900) // 100 * 100))
    font.setItalic(text.get("font-style") == "italic")
    return font


def _shape(path: QPainterPath) -> str:
    """A path in the words of SVG."""
    parts = []
    count, index = path.elementCount(), 0
    while index < count:
        element = path.elementAt(index)
        kind = element.type
        if kind == QPainterPath.ElementType.CurveToElement:
            ends = [path.elementAt(index + step) for step in range(3)]
            parts.append("C" + " ".join(f"{_short(end.x)} {_short(end.y)}" for end in ends))
            index += 3
            continue
        letter = "M" if kind == QPainterPath.ElementType.MoveToElement else "L"
        parts.append(f"{letter}{_short(element.x)} {_short(element.y)}")
        index += 1
    return "".join(parts)


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")

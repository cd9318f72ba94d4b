"""Draws the house into docs/house.md: the rooms of meshgui, their lines, and what they import."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from generated import write_page

ROOT: Final = Path(__file__).parent.parent
PAGE: Final = ROOT / "docs" / "house.md"
PICTURE: Final = ROOT / "docs" / "images" / "house.svg"

Arrows = Mapping[str, frozenset[str]]
"""The rooms that each room imports from."""

# Measures of the picture in pixels, and its colours by floor.
_WIDTH, _BOX, _TALL, _STOREY = 1320, 158, 40, 84
_INK: Final = "#5b6b7c"
_COLOURS: Final = {"engine": "#dfe9f5", "views": "#fdf0d5", "model": "#e3f1e1"}


@dataclass
class Room:
    """A package: its files with their lines, and the packages that these import."""

    name: str
    says: str = ""
    files: dict[str, int] = field(default_factory=dict)
    imports: set[str] = field(default_factory=set)

    @property
    def lines(self) -> int:
        """Lines of all its files."""
        return sum(self.files.values())


def house(source: Path = ROOT / "meshgui") -> dict[str, Room]:
    """The rooms of a source tree, by their names below the top.

    Packages without files of their own are left out, and so is the top: its files start the program, state
    its version and gather the public interface.
    """
    files = {module_of(file, source): file for file in sorted(source.rglob("*.py"))}
    packages = {module for module, file in files.items() if file.name == "__init__.py"}
    rooms: dict[str, Room] = {}
    for module, file in files.items():
        home = _room_of(module, packages)
        room = rooms.setdefault(home, Room(home.partition(".")[2]))
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        if module in packages:
            room.says = (ast.get_docstring(tree) or "").partition("\n")[0]
        room.files[file.name] = len(text.splitlines())
        room.imports |= {_room_of(name, packages) for name in imported(tree, module, frozenset(files))} - {
            home
        }
    full = {home: room for home, room in rooms.items() if len(room.files) > 1 and home != source.name}
    for room in full.values():
        room.imports = {full[home].name for home in room.imports if home in full}
    return {room.name: room for room in full.values()}


def module_of(file: Path, source: Path) -> str:
    """The dotted name of a file."""
    parts = file.relative_to(source.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree: ast.Module, module: str, modules: frozenset[str]) -> Iterator[str]:
    """The modules of the tree that a file imports, also inside its functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found = whole if whole in modules else node.module
                if found in modules and found != module:
                    yield found


def _room_of(module: str, packages: set[str]) -> str:
    return module if module in packages else module.rpartition(".")[0]


def arrows_of(rooms: Mapping[str, Room]) -> Arrows:
    """Who imports whom."""
    return {name: frozenset(room.imports) for name, room in rooms.items()}


def circles(arrows: Arrows) -> list[list[str]]:
    """Groups of rooms of which each reaches every other."""
    below = {name: _reached(name, arrows) for name in arrows}
    groups = {
        tuple(sorted(other for other in below[name] if name in below[other]))
        for name in arrows
        if name in below[name]
    }
    return [list(group) for group in sorted(groups)]


def _reached(start: str, arrows: Arrows) -> set[str]:
    """All rooms that can be reached from one; itself only by a circle."""
    seen: set[str] = set()
    left = list(arrows[start])
    while left:
        name = left.pop()
        if name not in seen:
            seen.add(name)
            left += arrows[name]
    return seen


def floors(arrows: Arrows) -> dict[str, int]:
    """The floor of every room: one above the highest that it imports. Arrows within a circle do not count."""
    circle = {name: group for group in circles(arrows) for name in group}

    @cache
    def floor(name: str) -> int:
        group = circle.get(name, [name])
        lower = {other for member in group for other in arrows[member]} - set(group)
        return 1 + max(map(floor, lower), default=0)

    return {name: floor(name) for name in arrows}


def condensed(arrows: Arrows) -> Arrows:
    """The same with each circle as one room, which goes by the name of its first."""
    first = {name: group[0] for group in circles(arrows) for name in group}
    whole: dict[str, set[str]] = {}
    for name, others in arrows.items():
        here = first.get(name, name)
        whole.setdefault(here, set()).update({first.get(other, other) for other in others} - {here})
    return {name: frozenset(others) for name, others in whole.items()}


def direct(arrows: Arrows) -> list[tuple[str, str]]:
    """The arrows that no longer way says already."""
    return [
        (name, other)
        for name, others in sorted(arrows.items())
        for other in sorted(others)
        if not any(other in _reached(between, arrows) for between in others - {other})
    ]


def picture(rooms: Mapping[str, Room]) -> str:
    """The house as SVG: floors from below, a box a room, and the arrows that are not implied."""
    arrows = arrows_of(rooms)
    storeys = floors(arrows)
    height = max(storeys.values()) * _STOREY + 30
    places = _places(arrows, storeys, height)
    frames = {
        group[0]: (min(places[n][0] for n in group), max(places[n][0] for n in group), places[group[0]][1])
        for group in circles(arrows)
    }
    docks = places | {name: ((left + right) / 2, y) for name, (left, right, y) in frames.items()}
    body = [_frame(*frame) for frame in frames.values()]
    body += [_arrow(docks[above], docks[below]) for above, below in direct(condensed(arrows))]
    body += [_box(rooms[name], *place) for name, place in sorted(places.items())]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        'text-anchor="middle">\n<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" '
        f'markerHeight="6" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{_INK}"/></marker></defs>\n'
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>'
    )
    return "\n".join([head, *body, "</svg>\n"])


def _places(arrows: Arrows, storeys: Mapping[str, int], height: int) -> dict[str, tuple[float, float]]:
    """The middle of each box's upper edge; a room stands above the middle of those that it imports."""
    places: dict[str, tuple[float, float]] = {}
    for storey in range(1, max(storeys.values()) + 1):
        row = sorted(name for name, floor in storeys.items() if floor == storey)
        row.sort(key=lambda name: _mean([places[other][0] for other in arrows[name] if other in places]))
        step = min(_BOX * 1.15, (_WIDTH - _BOX - 8) / max(1, len(row) - 1))
        first = (_WIDTH - step * (len(row) - 1)) / 2
        y = height - storey * _STOREY + 20
        places |= {name: (round(first + n * step, 1), y) for n, name in enumerate(row)}
    return places


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else _WIDTH / 2


def _box(room: Room, x: float, y: float) -> str:
    size = f"{len(room.files)} files, {room.lines:,} lines"
    colour = _COLOURS.get(room.name.partition(".")[0], "#eeeeee")
    name = room.name.removeprefix("views.")
    return (
        f'<g><title>{escape(room.says)}</title><rect x="{x - _BOX / 2:g}" y="{y:g}" width="{_BOX}" '
        f'height="{_TALL}" rx="5" fill="{colour}" stroke="{_INK}"/>'
        f'<text x="{x:g}" y="{y + 17:g}" font-size="12" font-weight="bold">{escape(name)}</text>'
        f'<text x="{x:g}" y="{y + 32:g}" font-size="9.5">{size}</text></g>'
    )


def _frame(left: float, right: float, y: float) -> str:
    """What stands around rooms that import one another."""
    return (
        f'<rect x="{left - _BOX / 2 - 8:g}" y="{y - 8:g}" width="{right - left + _BOX + 16:g}" '
        f'height="{_TALL + 16}" rx="9" fill="none" stroke="{_INK}" stroke-dasharray="5 4"/>'
    )


def _arrow(above: tuple[float, float], below: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = above, below
    y1 += _TALL
    middle = (y1 + y2) / 2
    return (
        f'<path d="M{x1:g},{y1:g} C{x1:g},{middle:g} {x2:g},{middle:g} {x2:g},{y2 - 2:g}" fill="none" '
        f'stroke="{_INK}" stroke-opacity="0.6" marker-end="url(#tip)"/>'
    )


def table(rooms: Mapping[str, Room]) -> str:
    """A row a room, from the top floor down."""
    storeys = floors(arrows_of(rooms))
    lines = ["| floor | room | what happens there | files | lines | imports |", "|---|---|---|---|---|---|"]
    for name in sorted(rooms, key=lambda name: (-storeys[name], name)):
        room = rooms[name]
        imports = ", ".join(f"`{other}`" for other in sorted(room.imports)) or "–"
        cells = (storeys[name], f"`{name}`", room.says, len(room.files), f"{room.lines:,}", imports)
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def page(rooms: Mapping[str, Room]) -> str:
    """The whole page."""
    arrows = arrows_of(rooms)
    found = circles(arrows)
    counted = (
        f"{len(rooms)} rooms, {sum(map(len, arrows.values()))} arrows, "
        f"{len(found) or 'no'} circle{'s' * (len(found) > 1)}, "
        f"{sum(room.lines for room in rooms.values()):,} lines."
    )
    return f"""# The house

This page is written by `make house` from the imports. A room is a folder of `meshgui/`; an arrow says that a
file of one room imports a file of another. A room stands one floor above the highest that it imports, so
arrows run down only; the picture leaves out those that a longer way implies, and the table has them all.
Rooms within a dashed line import one another; the rooms of `views` are yellow.

![The rooms and what they import](images/house.svg)

{counted}

{table(rooms)}

`make contracts` holds the order of the floors (import-linter, in `pyproject.toml`), `tests/test_house.py`
that this page names the rooms and arrows that are there, and that no room imports itself in a circle.
"""


if __name__ == "__main__":
    house_now = house()
    write_page(PAGE, page(house_now))
    write_page(PICTURE, picture(house_now))

"""Where the panels of a window are, and how large: one description for settings, files and links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, NamedTuple

ALL_PANELS: Final = (
    *("queue", "job", "algorithm", "scenario", "inspector", "timeline", "plots", "network", "why", "stops"),
    *("notes", "lesson"),
)
"""The panels of the window."""

AREAS: Final = ("start", "end", "top", "bottom")
"""The sides of the mesh, by the direction of reading."""

Rect = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""


@dataclass(frozen=True, slots=True)
class PanelPlace:
    """A panel in its group; where it floats, the group keeps its place."""

    name: str
    hidden: bool = False
    floating: Rect | None = None
    size: int | None = None
    """Its length along its group, in pixels; of none but rows and columns."""

    def names(self) -> Iterator[str]:
        """Its name."""
        yield self.name

    def as_data(self) -> dict[str, Any]:
        """The panel as JSON has it."""
        data: dict[str, Any] = {"panel": self.name}
        data |= {"hidden": True} if self.hidden else {}
        data |= {} if self.floating is None else {"floating": list(self.floating)}
        return data | ({} if self.size is None else {"size": self.size})


@dataclass(frozen=True, slots=True)
class PanelGroup:
    """Panels that share a place as tabs, or panels and groups in rows or columns."""

    kind: str
    parts: tuple[PanelPlace | PanelGroup, ...]
    front: str = ""
    size: int | None = None

    def names(self) -> Iterator[str]:
        """The names of all panels in it."""
        for part in self.parts:
            yield from part.names()

    def as_data(self) -> dict[str, Any]:
        """The group as JSON has it."""
        data: dict[str, Any] = {self.kind: [part.as_data() for part in self.parts]}
        data |= {"front": self.front} if self.front else {}
        return data | ({} if self.size is None else {"size": self.size})


Node = PanelPlace | PanelGroup


class PanelArea(NamedTuple):
    """What is on one side of the mesh, and its width and height in pixels."""

    node: Node
    size: tuple[int, int]


@dataclass(frozen=True)
class Arrangement:
    """The places of the panels. Areas are named by the direction of reading, columns go in it."""

    areas: Mapping[str, PanelArea]
    mesh: tuple[int, int] = (0, 0)

    def names(self) -> Iterator[str]:
        """The panels that have a place."""
        for area in self.areas.values():
            yield from area.node.names()

    def as_data(self) -> dict[str, Any]:
        """The arrangement as JSON has it."""
        areas = {name: {**node.as_data(), "size": list(size)} for name, (node, size) in self.areas.items()}
        return {**areas, "mesh": list(self.mesh)}

    def completed(self, by: Arrangement) -> Arrangement:
        """The same with all panels of another arrangement: those that it lacks have their places there."""
        present, areas = set(self.names()), dict(self.areas)
        for name, (node, size) in by.areas.items():
            lacking = _without(node, present)
            if lacking is not None:
                own = areas.get(name)
                areas[name] = PanelArea(lacking, size) if own is None else _joined(own, lacking)
        return replace(self, areas=areas)


def _without(node: Node, names: set[str]) -> Node | None:
    """A panel or group without these panels."""
    if isinstance(node, PanelPlace):
        return None if node.name in names else node
    parts = tuple(part for each in node.parts if (part := _without(each, names)) is not None)
    if len(parts) < 2:
        return replace(parts[0], size=node.size) if parts else None
    return replace(node, parts=parts, front="" if node.front in names else node.front)


def _joined(area: PanelArea, more: Node) -> PanelArea:
    """An area with more panels after its own."""
    both = area.node, more
    kind = next((n.kind for n in both if isinstance(n, PanelGroup) and n.kind != "tabs"), "rows")
    split = (n.parts if isinstance(n, PanelGroup) and n.kind == kind else (n,) for n in both)
    return PanelArea(PanelGroup(kind, tuple(chain.from_iterable(split))), area.size)

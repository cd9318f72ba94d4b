"""Where the panels of a window are, and how large: one description for settings, files and links."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, Literal, NamedTuple, get_args

Panel = Literal["queue", "job", "algorithm", "scenario", "inspector", "timeline", "plots", "network", "stops"]
"""The panels that show something of a run, which a step of a lesson can bring to the front."""

FORMER_PANELS: Final = {"why": "job"}
"""Panels that older files and lessons name, each with the one that has what it showed."""

ALL_PANELS: Final[tuple[str, ...]] = (*get_args(Panel), "notes", "lesson")
"""The panels of the window."""

AREAS: Final = ("start", "end", "top", "bottom")
"""The sides of the mesh, by the direction of reading."""

Rect = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""


def panel_now(name: object) -> object:
    """The panel that has what one of a former name showed; any other name is as it was."""
    return FORMER_PANELS.get(name, name) if isinstance(name, str) else name


@dataclass(frozen=True, slots=True)
class PanelPlace:
    """A panel in its group; where it floats, the group keeps its place."""

    name: str
    hidden: bool = False
    floating: Rect | None = None
    size: int | None = None
    """Its length along its group, in pixels; of none but rows and columns."""

    def panels(self) -> Iterator[PanelPlace]:
        """Itself."""
        yield self

    def changed(self, change: Callable[[PanelPlace], PanelPlace]) -> PanelPlace:
        """The panel after a change."""
        return change(self)

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

    def panels(self) -> Iterator[PanelPlace]:
        """All panels in it."""
        for part in self.parts:
            yield from part.panels()

    def changed(self, change: Callable[[PanelPlace], PanelPlace]) -> PanelGroup:
        """The group after a change of each panel in it."""
        return replace(self, parts=tuple(part.changed(change) for part in self.parts))

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

    def panels(self) -> Iterator[PanelPlace]:
        """The places of all panels that have one."""
        for area in self.areas.values():
            yield from area.node.panels()

    def names(self) -> Iterator[str]:
        """The panels that have a place."""
        return (panel.name for panel in self.panels())

    def as_data(self) -> dict[str, Any]:
        """The arrangement as JSON has it."""
        areas = {name: {**node.as_data(), "size": list(size)} for name, (node, size) in self.areas.items()}
        return {**areas, "mesh": list(self.mesh)}

    def completed(self, by: Arrangement) -> Arrangement:
        """The same with all panels of another arrangement: those that it lacks have their places there."""
        completed = self
        for name, (node, size) in by.areas.items():
            lacking = _without(node, set(self.names()))
            if lacking is not None:
                completed = completed.with_more(name, lacking, size)
        return completed

    def with_more(self, area: str, node: Node, size: tuple[int, int] = (0, 0)) -> Arrangement:
        """The same with more panels at the end of an area, which has this size where it is a new one."""
        own = self.areas.get(area)
        joined = PanelArea(node, size) if own is None else _joined(own, node)
        return replace(self, areas={**self.areas, area: joined})

    def mapped(self, change: Callable[[Node], Node | None]) -> Arrangement:
        """The same with another node in each area, or none."""
        nodes = {name: (change(node), size) for name, (node, size) in self.areas.items()}
        areas = {name: PanelArea(node, size) for name, (node, size) in nodes.items() if node is not None}
        return replace(self, areas=areas)

    def without(self, names: Collection[str]) -> Arrangement:
        """The same without these panels."""
        return self.mapped(lambda node: _without(node, names))


def _without(node: Node, names: Collection[str]) -> Node | None:
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

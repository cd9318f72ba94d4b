"""A perspective: how the panels are arranged for one use of the window, as data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from meshgui.model.document.arrangement import Arrangement, Node, PanelGroup, PanelPlace


@dataclass(frozen=True)
class Perspective:
    """What changes of an arrangement; the rest stays as it was. On leaving, all is as before."""

    name: str
    area: str = "start"
    rows: tuple[tuple[str, ...], ...] = ()
    """Panels to put at the end of the area, top to bottom; a row shares a place, its first in front."""
    behind: tuple[str, tuple[str, ...]] = ("", ())
    """A panel, and those to put behind it."""
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    front: tuple[str, ...] = ()
    """Panels to bring in front of others in their places."""

    def arranged(self, before: Arrangement) -> Arrangement:
        """The panels in this perspective."""
        host, guests = self.behind
        moved = {name: place for place in before.panels() if (name := place.name) in self._moved()}
        after = before.without(moved)
        for row in self.rows:
            if places := [_docked(moved[name]) for name in row if name in moved]:
                after = after.with_more(self.area, _sharing(places, places[0].name))
        places = [_docked(moved[name]) for name in guests if name in moved]
        if places:
            after = after.mapped(lambda node: _beside(node, host, places))
        return after.mapped(lambda node: _fronted(node.changed(self._seen), self.front))

    def _moved(self) -> set[str]:
        return {name for row in (*self.rows, self.behind[1]) for name in row}

    def _seen(self, place: PanelPlace) -> PanelPlace:
        """A panel shown or hidden as it is here."""
        if place.name in self.hidden:
            return replace(place, hidden=True)
        return replace(place, hidden=False) if place.name in self.shown else place


class PerspectiveStack:
    """The perspectives that a window is in, each entered from the one before, with its panels there."""

    def __init__(self) -> None:
        self._entered: list[tuple[Perspective, Arrangement]] = []

    def __contains__(self, name: object) -> bool:
        return any(perspective.name == name for perspective, _ in self._entered)

    def inside(self, name: str, outer: str) -> bool:
        """Whether a perspective was entered from another, or from the desk where that was not."""
        names = [perspective.name for perspective, _ in self._entered]
        return name in names[names.index(outer) :] if outer in names else name in names

    def enter(self, perspective: Perspective, before: Arrangement) -> Arrangement:
        """Enter a perspective; how the panels are in it."""
        self._entered.append((perspective, before))
        return perspective.arranged(before)

    def leave(self, name: str) -> Arrangement | None:
        """Leave a perspective and those entered since it was entered last; how the panels were before."""
        places = [place for place, (perspective, _) in enumerate(self._entered) if perspective.name == name]
        if not places:
            return None
        before = self._entered[places[-1]][1]
        del self._entered[places[-1] :]
        return before

    def forget_others(self, name: str) -> None:
        """Have entered no perspective but this one."""
        self._entered = [entered for entered in self._entered if entered[0].name == name]

    def at_the_desk(self, now: Arrangement) -> Arrangement:
        """How the panels were before any perspective was entered."""
        return self._entered[0][1] if self._entered else now

    def since(self, name: str, now: Arrangement) -> Arrangement:
        """How the panels were before any was entered from one of this name, or from the desk."""
        for perspective, before in reversed(self._entered):
            if perspective.name == name:
                break
            now = before
        return now


def _docked(place: PanelPlace) -> PanelPlace:
    """A panel to be put into a group, which gives it its size."""
    return replace(place, floating=None, size=None)


def _sharing(places: list[PanelPlace], front: str) -> Node:
    """Panels in one place."""
    return places[0] if len(places) == 1 else PanelGroup("tabs", tuple(places), front)


def _beside(node: Node, host: str, places: list[PanelPlace]) -> Node:
    """A node in which more panels share the place of one."""
    if isinstance(node, PanelPlace):
        if node.name != host:
            return node
        return replace(_sharing([replace(node, size=None), *places], host), size=node.size)
    if node.kind == "tabs":
        inside = any(part.name == host for part in node.panels())
        return replace(node, parts=(*node.parts, *places)) if inside else node
    return replace(node, parts=tuple(_beside(part, host, places) for part in node.parts))


def _fronted(node: Node, front: Collection[str]) -> Node:
    """A node with these panels in front of others."""
    if isinstance(node, PanelPlace):
        return node
    if node.kind != "tabs":
        return replace(node, parts=tuple(_fronted(part, front) for part in node.parts))
    wished = [part.name for part in node.panels() if part.name in front]
    return replace(node, front=wished[-1]) if wished else node

"""The perspectives of the window besides the desk: a lesson, a lecture, the mesh or a page alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

from meshgui.model.document.perspective import Perspective
from meshgui.views.docks.panel_spec import Mode, PanelSpec

MESH: Final = "mesh"
LESSON: Final = "lesson"
"""Also the name of the panel that has the text."""

NOTES: Final = "notes"  # the panel
LECTURE: Final = "lecture"
PAGE: Final = "page"


LOOKED_AT: Final = (LESSON, "network", "algorithm", "scenario", "stops", "inspector", "queue")
"""The panels of which one stays in a small window: the first of these that is in front."""


class PanelRoom(NamedTuple):
    """What a window has room for beside the mesh, which has a third of it, from a size on."""

    width: int
    """In the design's pixels, as its height."""
    height: int
    areas: tuple[Literal["start", "end", "bottom"], ...]
    """The sides of the mesh on which all panels have room."""
    panels: int = 0
    """How many panels have room where no side has it for all."""


ROOMS: Final = (
    PanelRoom(1350, 688, ("start", "end", "bottom")),  # a maximized window on a laptop of 1366×768
    PanelRoom(1000, 640, ("end", "bottom")),
    PanelRoom(600, 0, (), 1),
    PanelRoom(0, 0, ()),
)
"""From the most to the least."""


def only_the_mesh(names: Collection[str], kept: Collection[str] = ()) -> Perspective:
    """The mesh without panels but those that are kept."""
    return Perspective(MESH, hidden=tuple(name for name in names if name not in kept))


def only_the_page(names: Collection[str]) -> Perspective:
    """A page, such as a comparison, that has the window for itself."""
    return Perspective(PAGE, hidden=tuple(names))


def lesson(beside: Collection[str], host: str, *, low: bool) -> Perspective:
    """The text has the first column, and the panels `beside` it lie behind another panel.

    Below the text they would move its buttons from step to step. In a low window they are hidden until a
    step shows them. The notes of the scenario say what the text says.
    """
    others = tuple(beside)
    hidden = (NOTES, *(others if low else ()))
    if not host:
        return Perspective(LESSON, rows=((LESSON,), others), shown=(LESSON,), hidden=hidden)
    return Perspective(LESSON, rows=((LESSON,),), behind=(host, others), shown=(LESSON,), hidden=hidden)


def lecture(specs: Collection[PanelSpec], *, network: bool, low: bool) -> Perspective:
    """The mesh, what explains a step beside it, and the time; in front what fits the scenario.

    On a low screen the mesh has the place of the time as well.
    """
    names = {
        area: tuple(
            spec.name
            for spec in specs
            if spec.area == area and Mode.LECTURE in spec.modes and (network or not spec.needs_network)
        )
        for area in ("end", "bottom")
    }
    time, left_out = ((), names["bottom"]) if low else (names["bottom"][:1], ())
    of_network = tuple(spec.name for spec in specs if network and spec.needs_network)
    return Perspective(
        LECTURE,
        area="end",
        rows=(names["end"],),
        shown=names["end"] + time,
        hidden=tuple(spec.name for spec in specs if Mode.LECTURE not in spec.modes) + left_out,
        front=(of_network or names["end"][:1]) + time,
    )

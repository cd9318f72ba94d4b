"""The looks of the marks of an attempt by their roles, in the mesh and in its legend."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final, NamedTuple

from meshgui.engine.allocation.inspection import Grid
from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.translation import tr
from meshgui.model.moment.moment_view import View
from meshgui.model.scene.colours import job_colour
from meshgui.model.scene.theme_colours import ThemeColours
from meshgui.model.stepping.selection import Selection

Colour = tuple[float, float, float, float]
NO_COLOUR: Final[Colour] = (0.0, 0.0, 0.0, 0.0)
GRID_DOTS: Final[dict[Role, tuple[str, float, float]]] = {
    Role.CANDIDATE: ("candidate", 1.0, 0.3),
    Role.PROHIBITED: ("prohibited", 0.7, 0.17),
    Role.BORDER: ("border_plane", 0.9, 0.2),
}
"""The dots of nodes of a strategy's grid: their colour, its opacity, their diameter in nodes."""

# The signs beside the colours: fills differ in strength, a border is a plane, what is placed has a number.
DASHED: Final = frozenset({Role.PROHIBITED})  # its outline
CROSSED: Final = frozenset({Role.BLOCKED, Role.DOWN})  # its faces, from corner to corner

_WORDS: Final = {
    Role.TRIED: tr("looked at"),
    Role.CANDIDATE: tr("could serve"),
    Role.PROHIBITED: tr("prohibited region"),
    Role.BORDER: tr("right border plane"),
    Role.BLOCKED: tr("rules it out"),
    Role.PLACED: tr("placed"),
}
_RELEASE_WORDS: Final = _WORDS | {Role.CANDIDATE: tr("free"), Role.PROHIBITED: tr("cut or dropped")}
_ORDER: Final = tuple(_WORDS)
_PLACED_EDGE: Final = 3.0
_DOWN_EDGE: Final = 1.5
_RESERVED_EDGE: Final = 2.5


class StyledMark(NamedTuple):
    """A mark as it is drawn: a box of nodes, its fill, its outline, the outline's width, the job it names."""

    role: Role
    box: Box
    fill: Colour
    edge: Colour
    width: float
    job: int | None = None  # whose box it becomes: its number stands on it


class Sign(Enum):
    """What is drawn of packets on, beside and around their worms."""

    BAND = auto()
    RING = auto()
    DASHES = auto()
    ARROW = auto()
    BEADS = auto()
    LINE = auto()
    DOT = auto()


class LegendEntry(NamedTuple):
    """What a colour or an outline means: a box, a dot if it has no outline, or a sign of packets."""

    words: str
    fill: Colour
    edge: Colour = NO_COLOUR
    width: float = 0.0
    role: Role | None = None  # of a mark
    sign: Sign | None = None
    job: int | None = None  # whose colour and hatching a box has


def styled(mark: Mark, view: View, theme: ThemeColours) -> StyledMark | None:
    """The look of a mark of the attempt."""
    if mark.role not in _WORDS:
        return None
    return StyledMark(mark.role, mark.box, *_look(mark.role, view, theme), _job_of(mark.role, view))


def pointed_out(mark: Mark, view: View, theme: ThemeColours) -> StyledMark:
    """A mark chosen in an inspector, drawn with the accent as its outline.

    What rules a place out is held by a job, and keeps that job's colour.
    """
    usual = styled(mark, view, theme)
    fill, job = (usual.fill, usual.job) if usual is not None else (NO_COLOUR, None)
    if mark.role == Role.BLOCKED:
        fill = NO_COLOUR
    return StyledMark(mark.role, mark.box, fill, theme.rgba("accent", 1.0), _PLACED_EDGE, job)


def out_of_order(box: Box, theme: ThemeColours) -> StyledMark:
    """Processors that are down: grey, and crossed."""
    return StyledMark(Role.DOWN, box, theme.rgba("muted", 0.3), theme.rgba("muted", 0.9), _DOWN_EDGE)


def reserved_marks(view: View, theme: ThemeColours) -> list[StyledMark]:
    """The boxes that are promised to jobs, dashed, between the steps of a search."""
    recording, promised = view.recording, view.snapshot.reserved
    fill, edge = theme.rgba("reserved", 0.16), theme.rgba("reserved", 1.0)
    found = (recording.reservation_of(int(job)) for job in promised)
    return [StyledMark(Role.PROHIBITED, box, fill, edge, _RESERVED_EDGE) for box in found if box is not None]


def reserved_entry(mark: StyledMark) -> LegendEntry:
    """What a box that is promised means."""
    return LegendEntry(tr("reserved"), mark.fill, mark.edge, mark.width, mark.role)


def job_entries(view: View, selection: Selection, theme: ThemeColours) -> tuple[LegendEntry, ...]:
    """The job that the marks are about, where another is selected, which they would seem to be about."""
    attempt = view.position.attempt is not None
    job = view.job if attempt else None if view.position.release else selection.marks_job
    if job is None or selection.job in {None, job}:
        return ()
    colour = (*job_colour(job, theme.name), 1.0)
    return (LegendEntry(tr("for job {job}").format(job=job), colour, colour, 1.0, job=job),)


def legend_of(
    view: View, marks: Iterable[StyledMark], grid: Grid | None, theme: ThemeColours, *, selected: bool
) -> tuple[LegendEntry, ...]:
    """What colours and outlines mean in all steps of the attempt or release, so that the legend stays."""
    trace = view.trace
    looks = {mark.role: (mark.fill, mark.edge, mark.width) for mark in marks}
    down = looks.pop(Role.DOWN, None)
    if trace is not None:
        looks |= {role: _look(role, view, theme) for role in trace.steps.roles & _WORDS.keys()}
    words = _RELEASE_WORDS if view.position.release else _WORDS
    entries = [
        LegendEntry(words[role], *looks[role], role, job=_job_of(role, view))
        for role in _ORDER
        if role in looks
    ]
    for value in grid.legend if grid is not None else ():
        if value.role in GRID_DOTS:
            token, alpha, _ = GRID_DOTS[value.role]
            entries.append(LegendEntry(value.label, theme.rgba(token, alpha)))
    if down is not None:
        entries.append(LegendEntry(tr("down"), *down, Role.DOWN))
    if selected:
        entries.append(LegendEntry(tr("selected"), NO_COLOUR, theme.rgba("accent", 1.0), _PLACED_EDGE))
    return tuple(entries)


def _job_of(role: Role, view: View) -> int | None:
    """The job whose look the box placed has; None of another role."""
    request = view.moment.request
    return request.job if role == Role.PLACED and request is not None else None


def _look(role: Role, view: View, theme: ThemeColours) -> tuple[Colour, Colour, float]:
    """Fill, outline and its width of a role; the box placed is in its job's colour."""
    if role == Role.PLACED:
        job, accent = _job_of(role, view), theme.rgba("accent", 1.0)
        if job is None:
            return theme.rgba("accent", 0.5), accent, _PLACED_EDGE
        return (*job_colour(job, theme.name), 1.0), accent, _PLACED_EDGE
    token, fill, edge, width = {
        Role.TRIED: ("base", 0.06, 0.9, 2.0),
        Role.CANDIDATE: ("candidate", 0.34, 1.0, 2.5),
        Role.PROHIBITED: ("prohibited", 0.26, 0.9, 1.5),
        Role.BORDER: ("border_plane", 0.55, 1.0, 2.5),
        Role.BLOCKED: ("blocked", 0.7, 1.0, 3.0),
    }[role]
    return theme.rgba(token, fill), theme.rgba(token, edge), width

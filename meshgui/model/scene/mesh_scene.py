"""Builds the scene of the mesh at a moment, as arrays: held boxes, free nodes, marks of an attempt.

The 3D view and the flat view draw this same scene, so that both always show the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.inspection import Grid, Inspection, Polyline
from meshgui.engine.allocation.steps import parted
from meshgui.engine.basics.geometry import Box, Mesh, describe_size, region
from meshgui.engine.basics.translation import tr
from meshgui.model.moment.moment_view import View
from meshgui.model.scene.colours import job_colours
from meshgui.model.scene.heat import amounts, heat_colours
from meshgui.model.scene.marks import (
    GRID_DOTS,
    NO_COLOUR,
    Colour,
    LegendEntry,
    StyledMark,
    job_entries,
    legend_of,
    out_of_order,
    pointed_out,
    reserved_entry,
    reserved_marks,
    styled,
)
from meshgui.model.scene.network_scene import NetworkScene, build_network, packet_legend, point_at_network
from meshgui.model.scene.theme_colours import ThemeColours
from meshgui.model.stepping.selection import Selection

_DIMMED: Final = 0.62  # how far jobs step back while another one is selected
_GLASS: Final = {2: 0.6, 3: 0.32}  # the opacity of a job inside an attempt: marks show through
_LEAVING: Final = 0.35  # how much of that a job keeps whose release is stepped
_BEHIND_WORMS: Final = {2: 0.26, 3: 0.1}  # and with a network: worms stand out from it
_BEHIND_USE: Final = {2: 0.12, 3: 0.05}  # inside it only the links keep a strong colour, that of their use
_CHOSEN_GLASS: Final = 1.8  # by how much the selected job is more opaque
_GLASS_EDGE: Final = (0.3, 0.6)  # the opacity of their edges behind use, and behind worms
_EDGE: Final = 0.45  # how far a box's edge goes from its colour towards the text's
_FREE_DOT: Final = (0.55, 0.11)  # the opacity of a free node's dot, and its diameter
_FREE_FADE: Final = (9.0, 18.0)  # pixels of a node from which free nodes are seen, and at full strength
_ROUTER_DOT: Final = 0.12  # the diameter of the dot of a held node's router
_HEAT_DOT: Final = 0.36  # the diameter of a free node's dot in a heat map
_PATH: Final = 0.6  # the opacity of a path
_PATH_BEHIND: Final = 0.25  # and how much of that over a job, whose number stands there
_NO_PATH: Final[Polyline] = np.zeros((0, 3), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything to draw. Each row of an array is one held box, dot or free node with heat."""

    mesh: Mesh
    boxes: NDArray[np.int16]  # [n, 6]
    jobs: NDArray[np.int32]  # [n]
    colours: NDArray[np.float32]  # [n, 4]
    edges: NDArray[np.float32]  # [n, 4]
    widths: NDArray[np.float32]  # [n], of the edges
    dots: NDArray[np.int16]  # [m, 3]
    dot_colours: NDArray[np.float32]  # [m, 4]
    dot_sizes: NDArray[np.float32]  # [m], diameters in nodes
    marks: tuple[StyledMark, ...]
    selected: int | None
    hovered: int | None
    edge_colours: tuple[Colour, Colour] = (NO_COLOUR, NO_COLOUR)  # of the selected and the hovered job
    rims: tuple[float, float] = (2.0, 3.0)  # the widths of the outlines of the hovered and the selected job
    path: Polyline = field(default_factory=_NO_PATH.copy)  # [p, 3]: nodes, one after another
    path_colour: Colour = NO_COLOUR
    path_strength: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, dtype=np.float32))
    heat: NDArray[np.int16] = field(default_factory=lambda: np.zeros((0, 3), dtype=np.int16))  # [k, 3]
    heat_colours: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 3), dtype=np.float32))
    network: NetworkScene | None = None  # None, too, where it is not shown
    legend: tuple[LegendEntry, ...] = ()  # of an attempt, or of packets

    @property
    def unmarked_dots(self) -> NDArray[np.bool_]:
        """A mask of the dots that say no more than that a node is free."""
        unmarked: NDArray[np.bool_] = self.dot_sizes == np.float32(_FREE_DOT[1])
        return unmarked

    @property
    def faded(self) -> NDArray[np.bool_]:
        """A mask of the boxes that step back: on them a label for their full colour would not be read."""
        chosen = self.jobs == (-1 if self.selected is None else self.selected)
        others = chosen.any() & ~(chosen | (self.jobs == (-1 if self.hovered is None else self.hovered)))
        faded: NDArray[np.bool_] = (self.colours[:, 3] < 1.0) | others
        return faded


def build_scene(
    view: View,
    selection: Selection,
    theme: ThemeColours,
    *,
    show_network: bool = True,
    show_use: bool = False,
) -> Scene:
    """The scene at a view. Jobs are translucent inside an attempt, and where there is a network."""
    snapshot = view.snapshot
    inside = view.position.inside
    network = build_network(view, selection, theme, use=show_use) if show_network else None
    colours, edges, widths = _dress_boxes(snapshot.owners, view, selection, theme, _opacity(view, network))
    inspection = view.inspection
    mesh = snapshot.mesh
    found = [styled(mark, view, theme) for mark in parted(inspection.marks, mesh)] if inside else []
    found += [pointed_out(mark, view, theme) for mark in parted(selection.marks, mesh)]
    broken = tuple(out_of_order(box, theme) for box in snapshot.down)
    marks = (*broken, *(mark for mark in found if mark is not None and mark.box.volume > 0))
    promised = () if inside else tuple(reserved_marks(view, theme))
    held_one = bool(np.isin(snapshot.owners, selection.job).any()) if selection.job is not None else False
    chosen = held_one or (inside and bool(selection.marks))  # what has the accent's outline
    grid = _grid(inspection) if inside else None
    held = box_grid(snapshot.mesh, snapshot.boxes)
    for box in snapshot.down:
        region(held, box)[:] = len(snapshot.boxes)  # it is not free
    heat, warmth = _heat(held, inspection.heat, theme)
    in_dots = snapshot.mesh.dims == 3  # there cells would hide each other
    dots, dot_colours, dot_sizes = _dots(
        held, grid, theme, heat if in_dots else heat[:0], warmth, routers=network is not None
    )
    return Scene(
        snapshot.mesh,
        snapshot.boxes,
        snapshot.owners,
        colours,
        edges,
        widths,
        dots,
        dot_colours,
        dot_sizes,
        (*promised, *marks),
        selection.job,
        selection.hovered,
        (theme.rgba("accent", 1.0), theme.rgba("text", 1.0)),
        _rims(selection),
        _NO_PATH if inspection.path is None else inspection.path,
        theme.rgba("text", _PATH),
        _path_strength(inspection.path, held),
        heat,
        warmth,
        network,
        (
            *(reserved_entry(mark) for mark in promised[:1]),
            *job_entries(view, selection, theme),
            *(legend_of(view, marks, grid, theme, selected=chosen) if inside or marks else ()),
            *(
                packet_legend(theme, deadlock=view.deadlock is not None)
                if network is not None and network.use is None
                else ()
            ),
        ),
    )


def point_at(scene: Scene, view: View, selection: Selection, theme: ThemeColours) -> Scene:
    """The same scene with another pointer: only highlights change."""
    network = None if scene.network is None else point_at_network(scene.network, selection, theme)
    colours, edges, widths = _dress_boxes(scene.jobs, view, selection, theme, _opacity(view, network))
    return replace(
        scene,
        colours=colours,
        edges=edges,
        widths=widths,
        hovered=selection.hovered,
        rims=_rims(selection),
        network=network,
    )


class _Opacity(NamedTuple):
    """The opacity of a job, of a selected or hovered one, and of the edges of the others."""

    others: float = 1.0
    chosen: float = 1.0
    edges: float = 1.0


def _opacity(view: View, network: NetworkScene | None) -> _Opacity:
    """The opacities of jobs: translucent inside an attempt and where there is a network, else opaque."""
    dims = view.recording.mesh.dims
    if view.position.inside:
        return _Opacity(_GLASS[dims])
    if network is None:
        return _Opacity()
    behind, edges = (
        (_BEHIND_WORMS[dims], _GLASS_EDGE[1]) if network.use is None else (_BEHIND_USE[dims], _GLASS_EDGE[0])
    )
    return _Opacity(behind, behind * _CHOSEN_GLASS, edges)


def _path_strength(path: Polyline | None, held: NDArray[np.int32]) -> NDArray[np.float32]:
    """The opacity of each stretch of a path from node to node: low where jobs are."""
    if path is None or len(path) < 2:
        return np.zeros(0, dtype=np.float32)
    x, y, z = np.floor(path).astype(np.intp).T
    busy = held[z, y, x] >= 0
    return np.where(busy[:-1] | busy[1:], np.float32(_PATH_BEHIND), np.float32(1.0))


def free_strength(node: float) -> float:
    """How strongly free nodes are drawn where a node has this many pixels: many small dots make a moiré."""
    least, full = _FREE_FADE
    return min(max((node - least) / (full - least), 0.0), 1.0)


def box_grid(mesh: Mesh, boxes: NDArray[np.int16]) -> NDArray[np.int32]:
    """The row of the box that holds each node `[z, y, x]`, or -1; the boxes are disjoint."""
    w, d, h = mesh.extents
    steps = np.zeros((h + 1, d + 1, w + 1), dtype=np.int64)
    low = boxes[:, :3].astype(np.intp)
    high = low + boxes[:, 3:]
    value = np.arange(1, len(boxes) + 1)
    # A box is the sum of steps at its eight corners; three running sums fill all boxes at once.
    for corner in range(8):
        ends = [bool(corner >> axis & 1) for axis in range(3)]
        x, y, z = (np.where(end, high[:, axis], low[:, axis]) for axis, end in enumerate(ends))
        np.add.at(steps, (z, y, x), value if sum(ends) % 2 == 0 else -value)
    for axis in range(3):
        np.cumsum(steps, axis=axis, out=steps)
    return (steps[:h, :d, :w] - 1).astype(np.int32)


def describe_box(view: View, scene: Scene, row: int) -> tuple[str, ...]:
    """Describe a held box in short lines: the job and its size, the box, since when."""
    job = int(scene.jobs[row])
    recording = view.recording
    box = recording.blocks_of(job)[0] if recording.across else Box(*scene.boxes[row].tolist())
    dims = scene.mesh.dims
    start = float(recording.times[recording.stints_at(view.position.events).started[job]])
    return (
        tr("Job {job}   {describe_size}").format(
            job=job, describe_size=describe_size(recording.size(job), dims)
        ),
        scene.mesh.describe_box(box),
        tr("since {start:.2f}").format(start=start),
    )


def _dress_boxes(
    owners: NDArray[np.int32], view: View, selection: Selection, theme: ThemeColours, opacity: _Opacity
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Fill, edge colour and edge width of each box."""
    ground = np.array(theme.rgb("mesh_background"), dtype=np.float32)
    line = np.array(theme.rgb("base"), dtype=np.float32)
    fills = job_colours(owners, theme.name).reshape(-1, 3)
    chosen = owners == (-1 if selection.job is None else selection.job)
    pointed = owners == (-1 if selection.hovered is None else selection.hovered)
    back = ~(chosen | pointed)
    if chosen.any() and opacity.others == 1.0:  # translucent boxes are faint already
        fills[back] += (ground - fills[back]) * np.float32(_DIMMED)
    edges = fills + (line - fills) * np.float32(_EDGE)
    colours = np.ones((len(owners), 4), dtype=np.float32)
    colours[:, :3] = fills
    colours[:, 3] = np.where(back, opacity.others, opacity.chosen)
    if view.position.release:
        colours[owners == view.job, 3] *= _LEAVING
    borders = np.ones((len(owners), 4), dtype=np.float32)
    borders[:, :3] = edges
    borders[:, 3] = opacity.edges
    widths = np.ones(len(owners), dtype=np.float32)
    for rows, token, width in zip((pointed, chosen), ("text", "accent"), _rims(selection), strict=True):
        borders[rows] = theme.rgba(token, 1.0)
        widths[rows] = width
    return colours, borders, widths


def _rims(selection: Selection) -> tuple[float, float]:
    """The widths of the edges of the hovered and the selected job: less if a packet of it is."""
    return (
        2.0 if selection.hovered_packet is None else 1.2,
        3.0 if selection.packet is None else 1.5,
    )


def _grid(inspection: Inspection) -> Grid | None:
    """The strategy's numbers per node, if it has any."""
    return next((panel for panel in inspection.panels if isinstance(panel, Grid)), None)


def _heat(
    held: NDArray[np.int32], grid: Grid | None, theme: ThemeColours
) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """The free nodes whose number in a heat map is an amount, and the colour of each."""
    if grid is None or grid.heat is None:
        return np.zeros((0, 3), dtype=np.int16), np.zeros((0, 3), dtype=np.float32)
    warm = amounts(grid).reshape(held.shape) & (held < 0)
    z, y, x = np.nonzero(warm)
    colours = heat_colours(grid.values.reshape(held.shape)[warm], grid.heat, theme)
    return np.stack((x, y, z), axis=1).astype(np.int16), colours


def _dots(
    held: NDArray[np.int32],
    grid: Grid | None,
    theme: ThemeColours,
    heat: NDArray[np.int16],
    warmth: NDArray[np.float32],
    *,
    routers: bool,
) -> tuple[NDArray[np.int16], NDArray[np.float32], NDArray[np.float32]]:
    """A dot for each free node, in its heat's colour if any, and for each number that has a meaning.

    Where there is a network every node has one: its router.
    """
    alpha, size = _FREE_DOT
    shown = (held < 0) | routers
    colours = np.empty((*held.shape, 4), dtype=np.float32)
    colours[:] = theme.rgba("mesh_edge", alpha)
    sizes = np.where(held < 0, np.float32(size), np.float32(_ROUTER_DOT))
    for entry in grid.legend if grid is not None else ():
        if grid is not None and entry.role in GRID_DOTS:
            token, alpha, size = GRID_DOTS[entry.role]
            here = grid.values.reshape(held.shape) == entry.value
            shown |= here
            colours[here] = theme.rgba(token, alpha)
            sizes[here] = size
    if len(heat):
        x, y, z = heat.T
        colours[z, y, x, :3], colours[z, y, x, 3] = warmth, 1.0
        sizes[z, y, x] = _HEAT_DOT
    z, y, x = np.nonzero(shown)
    return np.stack((x, y, z), axis=1).astype(np.int16), colours[shown], sizes[shown]

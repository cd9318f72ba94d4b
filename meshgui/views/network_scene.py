"""What the mesh views draw of the network at a moment: worms with their flits and heads, or the use of links.

A worm is the channels a packet holds. Its flits lie as beads in the buffers, at the far ends of the channels;
its head is an arrow, ringed where it is blocked, with dashes over the channel it waits for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.inspection import Heat
from meshgui.engine.geometry import Mesh, ramps
from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.engine.network.routing import EJECT, INJECT, WAYS, places
from meshgui.engine.network.routing import ends as ends_of
from meshgui.model.cursor import View
from meshgui.model.selection import Selection
from meshgui.views.colours import job_colours
from meshgui.views.heat import heat_colours
from meshgui.views.network_geometry import lanes, links, ports
from meshgui.views.strokes import Look, Strokes, strokes
from meshgui.views.theme import Theme

__all__ = ["NetworkScene", "Use", "build_network", "idle_apart", "idle_links", "idle_strength", "use_of"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

_BODY: Final = Look(0.16, least=1.8, level=2)
_GRANTED: Final = Look(0.06, least=1.2, level=2)  # the channel a head is about to enter
_CASING: Final = 0.07  # by how much the casing is wider
_UNDER: Final = -3.0  # the level of casings: so far below that none cuts into its own worm where that turns
_HALO: Final = 0.17  # and by how much that of what is selected or pointed at
_BEAD: Final = Look(0.1, least=2.2, level=5, fades=1)
_HEAD: Final = Look(0.32, least=4.0, taper=1, level=7)
_HEAD_REACH: Final = 0.15  # an arrow's point and its base lie so far from its middle
_HEAD_CASING: Final = 0.05
_RING: Final = Look(0.5, least=7.0, hole=0.74, level=9)
_WANTED: Final = Look(0.08, least=1.8, level=8)
_DASHES: Final = 3
_AHEAD: Final = Look(0.05, least=1.6, level=4)  # the way of a selected packet
_CHANNEL: Final = Look(0.3, least=4.0, level=-6)  # around a selected channel
_QUEUED: Final = Look(0.15, least=2.0, level=4, fades=1)
_USE_WIDTH: Final = (0.05, 0.17)
_CLOSE: Final = 0.055  # beads nearer than this would run together: a bar is drawn instead
_APART: Final = 0.13  # beads need not be farther apart than this
_DARKER: Final = 0.52  # how far beads and heads go from the job's colour towards the text's
_DIMMED: Final = 0.62  # how far worms step back while others are selected
_LINK: Final = Look(0.022, least=1.0)
_ROUTER: Final = Look(0.1, least=1.5, fades=1)
_IDLE_STRENGTH: Final = {2: 0.55, 3: 0.3}
_LANES_APART: Final = {2: 56.0, 3: 110.0}
_IDLE: Final = {2: (6.0, 18.0), 3: (12.0, 48.0)}  # pixels of a node where links begin to be seen, and are


@dataclass(frozen=True, eq=False)
class Use:
    """The legend of the use of channels: over which cycles, and what the far end of the scale means."""

    begin: int
    end: int
    most: float  # the share of the cycles in which the busiest channel carried a flit


@dataclass(frozen=True, eq=False)
class NetworkScene:
    """Everything to draw of the network, in node coordinates."""

    mesh: Mesh
    strokes: Strokes
    queued: Floats  # [k, 3], processors at which packets wait for their injection
    queue_lengths: Ints  # [k]
    use: Use | None  # what the links' colours mean, where they mean their use


def build_network(view: View, selection: Selection, theme: Theme, *, use: bool) -> NetworkScene | None:
    """The network at a view. Inside an allocation attempt there is none to see: it is about boxes."""
    record = view.recording.network
    moment = view.network if record is not None and view.place.attempt is None else None
    if record is None or moment is None:
        return None
    mesh = view.recording.mesh
    marked = _marked_channels(mesh, selection, theme)
    if use:
        figures, drawn = _use(record, moment.cycle, selection.span, theme)
        return NetworkScene(
            mesh,
            Strokes.together([*marked, drawn]),
            np.zeros((0, 3), np.float32),
            np.zeros(0, np.int64),
            figures,
        )
    painter = _Worms(record, moment, selection, theme)
    spots, lengths, dots = painter.queues()
    drawn = Strokes.together([*marked, *painter.ways(), *painter.bodies(), *painter.heads(), dots])
    return NetworkScene(mesh, drawn, spots, lengths, None)


def idle_links(mesh: Mesh, theme: Theme, *, apart: bool) -> Strokes:
    """Every link of a mesh, as thin as it is while nothing is in it, and its routers.

    Where there is room both directions are drawn, else one line for both.
    """
    channels, starts, ends = links(mesh)
    routers = places(mesh, np.arange(mesh.processors)).astype(np.float32)
    colour = theme.rgba("mesh_edge", _IDLE_STRENGTH[mesh.dims])
    if not apart:
        forth = channels % 2 == 0
        channels = channels[forth]
        begin, end = ends_of(mesh, channels)
        starts, ends = begin.astype(np.float32), end.astype(np.float32)
    between = strokes(starts, ends, colour, _LINK, -1, channels)
    return Strokes.together([between, strokes(routers, routers, colour, _ROUTER)])


def idle_strength(node: float, dims: int) -> float:
    """How strongly idle links are drawn where a node is so many pixels wide: too close together, not at all."""
    begin, full = _IDLE[dims]
    return float(np.clip((node - begin) / (full - begin), 0.0, 1.0))


def idle_apart(node: float, dims: int) -> bool:
    """Whether both directions of a link can be told apart where a node is so many pixels wide."""
    return node >= _LANES_APART[dims]


def use_of(record: NetworkRecord, cycle: int, span: tuple[int, int] | None) -> tuple[int, int]:
    """The cycles over which use is looked at: a chosen span, or the whole run up to now."""
    return span if span is not None else (0, cycle)


def _use(
    record: NetworkRecord, cycle: int, span: tuple[int, int] | None, theme: Theme
) -> tuple[Use, Strokes]:
    """Every channel that carried anything, the more the thicker, in the colour of its share."""
    begin, end = use_of(record, cycle, span)
    shares = record.use(begin, end)
    used = np.flatnonzero(shares > 0)
    most = float(shares.max(initial=0.0))
    way = lanes(record.mesh, used)
    share = shares[used] / most if most else shares[used]
    looks = np.tile(np.array(Look(0.0, least=1.2, level=2), dtype=np.float32), (len(used), 1))
    looks[:, 0] = _USE_WIDTH[0] + (_USE_WIDTH[1] - _USE_WIDTH[0]) * share
    looks[:, 4] += share  # busy ones lie over others where the nodes are small
    colours = heat_colours(np.rint(share * 1000).astype(np.int64), Heat("use", 0, 1000), theme)
    return Use(begin, end, most), strokes(way.starts, way.ends, colours, looks, channels=used)


def _marked_channels(mesh: Mesh, selection: Selection, theme: Theme) -> list[Strokes]:
    """The selected channel and the one pointed at, each as a capsule around its lane."""
    found = []
    for channel, token in ((selection.hovered_channel, "text"), (selection.channel, "accent")):
        if channel is not None and 0 <= channel < mesh.processors * WAYS:
            way = lanes(mesh, np.array([channel]))
            inner = _CHANNEL._replace(width=_CHANNEL.width - 0.08, least=_CHANNEL.least - 3.0, level=-5)
            found.append(strokes(way.starts, way.ends, theme.rgb(token), _CHANNEL, -1, channel))
            found.append(strokes(way.starts, way.ends, theme.rgb("mesh_background"), inner, -1, channel))
    return found


class _Worms:
    """Turns a moment into strokes."""

    def __init__(
        self, record: NetworkRecord, moment: NetworkMoment, selection: Selection, theme: Theme
    ) -> None:
        self.record, self.moment, self.selection, self.theme = record, moment, selection, theme
        self.mesh = record.mesh
        self.ground = np.array(theme.rgb("mesh_background"), dtype=np.float32)
        self.ink = np.array(theme.rgb("base"), dtype=np.float32)
        self._marked = ((selection.hovered_packet, "text"), (selection.packet, "accent"))

    def bodies(self) -> list[Strokes]:
        """The channels held, joined at the routers, with casings around them and the flits in them."""
        moment = self.moment
        way = lanes(self.mesh, moment.held_channels)
        owners = moment.held_by
        joined = np.flatnonzero(owners[1:] == owners[:-1])
        starts = np.concatenate((way.starts, way.ends[joined]))
        ends = np.concatenate((way.ends, way.starts[joined + 1]))
        ahead = self._granted_only()
        whose = np.concatenate((owners, owners[joined]))
        where = np.concatenate((way.channels, way.channels[joined + 1]))
        thin = np.concatenate((ahead, ahead[joined + 1]))
        looks = np.where(thin[:, None], np.float32(_GRANTED), np.float32(_BODY))
        casings = looks.copy()
        casings[:, 0] += _CASING
        casings[:, 1] += 1.0
        casings[:, 4] = _UNDER
        body = strokes(starts, ends, self._colours(whose, 0.0), looks, whose, where)
        casing = strokes(starts, ends, self.ground, casings, whose, where)
        return [casing, *self._halos(starts, ends, whose, casings), body, self._flits()]

    def heads(self) -> list[Strokes]:
        """An arrow where each header is; a ring around it where it is blocked, and dashes over what it awaits."""
        moment = self.moment
        first = moment.flit_numbers == 0
        owners = moment.flit_packets[first]
        way = lanes(self.mesh, moment.flit_channels[first])
        reach = way.ways * np.float32(_HEAD_REACH)
        more = way.ways * np.float32(_HEAD_CASING)
        wider = _HEAD._replace(width=_HEAD.width + 4 * _HEAD_CASING, least=6.0, level=3)
        arrows = [
            strokes(
                way.ends - reach - more,
                way.ends + reach + 2 * more,
                self._around(owners),
                wider,
                owners,
                way.channels,
            ),
            strokes(
                way.ends - reach,
                way.ends + reach,
                self._colours(owners, _DARKER),
                _HEAD,
                owners,
                way.channels,
            ),
        ]
        stuck = np.searchsorted(owners, moment.blocked)  # both are in order of number
        rings = strokes(
            way.ends[stuck],
            way.ends[stuck],
            self._vermilion(moment.blocked),
            _RING,
            moment.blocked,
            way.channels[stuck],
        )
        return [*arrows, rings, *self._wanted(way.ends[stuck])]

    def ways(self) -> list[Strokes]:
        """The way of the selected packet and of the one pointed at, thin where they do not hold it."""
        found = []
        first, channels = self.record.raw.first, self.record.raw.channels
        for packet, token in self._marked:
            if packet is not None and packet < len(self.record):
                way = lanes(self.mesh, channels[first[packet] : first[packet + 1]])
                free = ~np.isin(way.channels, self.moment.held_channels[self.moment.held_by == packet])
                turns = np.flatnonzero(free[:-1] | free[1:])
                starts = np.concatenate((way.starts[free], way.ends[turns]))
                ends = np.concatenate((way.ends[free], way.starts[turns + 1]))
                found.append(strokes(starts, ends, self.theme.rgb(token), _AHEAD, packet))
        return found

    def queues(self) -> tuple[Floats, Ints, Strokes]:
        """Where packets wait for their injection, how many, and a dot there in the colour of the first's job."""
        queued = self.moment.queued
        nodes, first, lengths = np.unique(self.record.sources[queued], return_index=True, return_counts=True)
        spots = ports(self.mesh, nodes)
        owners = queued[first]
        dots = strokes(spots, spots, self._colours(owners, 0.0), _QUEUED, owners, nodes * WAYS + INJECT)
        return spots, lengths.astype(np.int64), dots

    def _granted_only(self) -> NDArray[np.bool_]:
        """Which of the held channels no flit has entered yet: the head enters in the next cycle."""
        moment = self.moment
        first = moment.flit_numbers == 0
        at = np.full(len(self.record), -1, dtype=np.int64)
        at[moment.flit_packets[first]] = moment.flit_channels[first]
        owners, channels = moment.held_by, moment.held_channels
        begins = np.flatnonzero(np.diff(owners, prepend=-1))
        place = np.arange(len(owners))
        heads = np.where(channels == at[owners], place, -1)
        worm = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(owners)))
        head = np.maximum.reduceat(heads, begins) if len(begins) else heads
        # Without a header in the network it has either arrived, or is about to be injected.
        lasts = np.append(begins[1:], len(owners)) - 1
        arrived = channels[lasts] % WAYS == EJECT if len(begins) else np.zeros(0, dtype=np.bool_)
        head = np.where((head < 0) & arrived, len(owners), head)
        ahead: NDArray[np.bool_] = place > head[worm]
        return ahead

    def _flits(self) -> Strokes:
        """Beads from the far end of each buffer backwards; a bar where they are too many to be told apart."""
        moment = self.moment
        owners, channels = moment.flit_packets, moment.flit_channels
        begins = np.flatnonzero((np.diff(channels, prepend=-1) != 0) | (np.diff(owners, prepend=-1) != 0))
        counts = np.diff(begins, append=len(channels))
        rank = ramps(counts)
        way = lanes(self.mesh, channels)
        length = np.maximum(np.linalg.norm(way.ends - way.starts, axis=1), 1e-6)
        slots = max(self.record.law.buffer, 1)
        spacing = np.minimum(length / slots, _APART)
        back = rank * spacing / length
        if slots > 1 and float(length.max(initial=1.0)) / slots < _CLOSE:
            full = np.repeat(counts, counts)
            keep = rank == 0
            ends = way.points(1.0 - np.minimum(full * length / slots / length, 1.0))
            return strokes(
                way.ends[keep],
                ends[keep],
                self._colours(owners[keep], _DARKER),
                _BEAD,
                owners[keep],
                channels[keep],
            )
        at = way.points(1.0 - back)
        beads = moment.flit_numbers > 0  # the first flit is the head
        looks = np.tile(np.array(_BEAD, dtype=np.float32), (len(channels), 1))
        looks[:, 0] = np.minimum(_BEAD.width, 0.85 * spacing)
        return strokes(
            at[beads],
            at[beads],
            self._colours(owners, _DARKER)[beads],
            looks[beads],
            owners[beads],
            channels[beads],
        )

    def _halos(self, starts: Floats, ends: Floats, whose: Ints, casings: Floats) -> list[Strokes]:
        """Around the selected worm, and around the one pointed at."""
        found = []
        for packet, token in self._marked:
            mine = whose == (-1 if packet is None else packet)
            looks = casings[mine] + np.array([_HALO - _CASING, 2.0, 0.0, 0.0, 0.5, 0.0], dtype=np.float32)
            found.append(strokes(starts[mine], ends[mine], self.theme.rgb(token), looks, whose[mine]))
        return found

    def _wanted(self, heads: Floats) -> list[Strokes]:
        """Dashes from each blocked head along the channel it waits for."""
        moment = self.moment
        way = lanes(self.mesh, moment.blocked_at)
        shares = (np.arange(_DASHES)[:, None] + np.array([0.2, 0.7])[None]) / _DASHES
        parts = [(way.points(np.full(len(heads), a)), way.points(np.full(len(heads), b))) for a, b in shares]
        parts.append((heads + (way.starts - heads) * np.float32(0.55), way.starts))
        starts, ends = (np.concatenate([part[end] for part in parts]) for end in (0, 1))
        owners, where = (np.tile(of, len(parts)) for of in (moment.blocked, moment.blocked_at))
        wider = _WANTED._replace(width=_WANTED.width + _CASING, least=_WANTED.least + 1.0, level=6)
        casing = strokes(starts, ends, self.ground, wider, owners, where)
        return [casing, strokes(starts, ends, self._vermilion(owners), _WANTED, owners, where)]

    def _colours(self, packets: Ints, towards_ink: float) -> Floats:
        """The colours of packets: their jobs', stepped back where others are selected."""
        jobs = self.record.jobs[packets]
        colours = job_colours(jobs, self.theme.name).reshape(-1, 3)
        return self._dimmed(colours + (self.ink - colours) * np.float32(towards_ink), packets)

    def _vermilion(self, packets: Ints) -> Floats:
        """The colour of what blocks these."""
        colour = np.tile(np.array(self.theme.rgb("blocked"), dtype=np.float32), (len(packets), 1))
        return self._dimmed(colour, packets)

    def _around(self, packets: Ints) -> Floats:
        """The colour around heads: the ground's, or that of being selected or pointed at."""
        colours = np.tile(self.ground, (len(packets), 1))
        for packet, token in self._marked:
            colours[packets == (-1 if packet is None else packet)] = self.theme.rgb(token)
        return colours

    def _dimmed(self, colours: Floats, packets: Ints) -> Floats:
        back = self._stepped_back(packets, self.record.jobs[packets])
        colours[back] += (self.ground - colours[back]) * np.float32(_DIMMED)
        return colours

    def _stepped_back(self, packets: Ints, jobs: NDArray[np.int32]) -> NDArray[np.bool_]:
        """With a packet selected, all but it and those it waits for; with a job selected, all others'."""
        chosen = self.selection
        if chosen.packet is not None:
            near = (
                self.moment.chain(chosen.packet) if chosen.packet in self.moment.packets else [chosen.packet]
            )
            back = ~np.isin(packets, near)
        elif chosen.job is not None:
            back = jobs != chosen.job
        else:
            back = np.zeros(len(packets), dtype=np.bool_)
        return back & (packets != (-1 if chosen.hovered_packet is None else chosen.hovered_packet))

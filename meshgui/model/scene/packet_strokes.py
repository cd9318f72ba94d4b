"""Draws packets as strokes: the channels that a packet holds as a thick line, its flits, its head.

A worm is the channels a packet holds. Its flits lie as beads in the buffers, at the far ends of the channels;
its head is an arrow, ringed where it is blocked, with dashes over the channel it waits for. Where many are
blocked their marks step back, so that worms are seen under them and heads that move stand out.
"""

from __future__ import annotations

from copy import copy
from functools import cached_property, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats32, Ints
from meshgui.engine.basics.geometry import ramps
from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.model.moment.packet_states import chain_at
from meshgui.model.scene.channels import (
    ChannelSegments,
    channel_segments,
    lane_begins,
    lane_scale,
    leaving_halves,
    ports,
)
from meshgui.model.scene.colours import job_colours
from meshgui.model.scene.lane_signs import channel_threads, seams_crossed
from meshgui.model.scene.strokes import Look, Strokes, strokes
from meshgui.model.scene.theme_colours import ThemeColours
from meshgui.model.stepping.selection import Selection

_BODY: Final = Look(0.16, least=1.3, level=2)
_GRANTED: Final = Look(0.06, least=1.0, level=2)  # the channel a head is about to enter
_CASING: Final = 0.07  # by how much the casing is wider
_HALO: Final = 0.17  # and by how much that of a selected or hovered packet
_UNDER: Final = -3.0  # the level of casings: so far below that none cuts into its own worm where that turns
_BEAD: Final = Look(0.1, least=2.2, level=5, fades=1)
_HEAD: Final = Look(0.32, least=3.0, taper=1, level=7, fades=1)
_HEAD_REACH: Final = 0.15  # an arrow's point and its base lie so far from its middle
_HEAD_CASING: Final = 0.05
_HEAD_ROOM: Final = 0.24  # what an arrow takes of the buffer that its flit lies in
_RING: Final = Look(0.5, least=4.0, hole=0.74, level=9, fades=1)
_WANTED: Final = Look(0.08, least=1.2, level=6.5, fades=1)  # under the heads of others
_DASHES: Final = 3
_CROWD: Final = (8, 40)  # blocked heads from which their marks step back, and have stepped back fully
_THIN_RING: Final = Look(0.44, least=4.0, hole=0.86, level=9, fades=1)
_THIN_WANTED: Final = _WANTED._replace(width=0.035, least=1.0)
_STUCK_HEAD: Final = 0.78  # in a crowd, the size of an arrow that stands, of its usual one
_STUCK_CASING: Final = 0.4  # of its usual one
_MOVING_HEAD: Final = 1.35  # and of one that moves
_AHEAD: Final = Look(0.05, least=1.6, level=4)  # the way of a selected packet
_QUEUED: Final = Look(0.15, least=2.0, level=4, fades=1)
_CLOSE: Final = 0.11  # a buffer's share of a link below which beads would run together: a bar instead
_APART: Final = 0.13  # beads need not be farther apart than this
_DARKER: Final = 0.52  # how far beads and heads go from the job's colour towards the text's
_DIMMED: Final = 0.62  # how far worms step back while others are selected


class PacketStrokes:
    """Turns a moment of the network into strokes, with more for the hovered packet."""

    def __init__(
        self,
        record: NetworkRecord,
        moment: NetworkMoment,
        selection: Selection,
        theme: ThemeColours,
        pointed: int | None = None,
    ) -> None:
        self.record, self.moment, self.selection, self.theme = record, moment, selection, theme
        self.pointed = pointed  # the hovered packet
        self.mesh = record.mesh
        self._of = record.law.channels
        self._scale = np.float32(lane_scale(self.mesh, self._of))
        self.ground = np.array(theme.rgb("mesh_background"), dtype=np.float32)
        self.ink = np.array(theme.rgb("base"), dtype=np.float32)
        few, many = _CROWD
        self._crowding = float(np.clip((len(moment.blocked) - few) / (many - few), 0.0, 1.0))

    @property
    def _marked(self) -> tuple[tuple[int | None, str], ...]:
        return (self.pointed, "text"), (self.selection.packet, "accent")

    def alone(self, packet: int) -> PacketStrokes:
        """The same for one hovered packet."""
        moment, other = self.moment, copy(self)
        mine = moment.packets == packet
        flits, held, blocked = (
            owners == packet for owners in (moment.flit_packets, moment.held_by, moment.blocked)
        )
        sources = self.record.sources[moment.queued]
        first = moment.queued[sources == self.record.sources[packet]][:1]  # only its dot is drawn
        other.__dict__.pop("_body", None)  # of all packets
        other.pointed = packet
        other.moment = moment._replace(
            packets=moment.packets[mine],
            queued=first[first == packet],
            flit_packets=moment.flit_packets[flits],
            flit_numbers=moment.flit_numbers[flits],
            flit_channels=moment.flit_channels[flits],
            flit_virtual=moment.flit_virtual[flits],
            held_channels=moment.held_channels[held],
            held_virtual=moment.held_virtual[held],
            held_by=moment.held_by[held],
            blocked=moment.blocked[blocked],
            blocked_at=moment.blocked_at[blocked],
            blocked_since=moment.blocked_since[blocked],
            blocked_by=moment.blocked_by[blocked],
        )
        return other

    def packets(self) -> list[Strokes]:
        """The strokes of bodies, heads and queues at processors."""
        return [*self.bodies(), *self.heads(), self.queues()[2]]

    def marks(self, *, selected: bool = True) -> list[Strokes]:
        """The routes and halos of the hovered and the selected packet."""
        marked = [
            (packet, token)
            for packet, token in self._marked[: 2 if selected else 1]
            if packet is not None and packet < len(self.record)
        ]
        return [
            *(self._way(packet, token) for packet, token in marked),
            *(self._halo(packet, token) for packet, token in marked),
        ]

    def bodies(self) -> list[Strokes]:
        """The channels held, joined at the routers, with casings around them and the flits in them."""
        body = self._body
        inner = body._replace(
            colours=strokes(body.starts, body.ends, self._colours(body.packets, 0.0), _BODY).colours
        )
        casing = _wider(body, self.ground, _CASING * float(self._scale), 0.7, _UNDER)
        moment, lane = self.moment, np.flatnonzero(~self._granted_only())
        threads = channel_threads(self.mesh, moment, self._of, self.theme, lane)
        signs = seams_crossed(self.mesh, moment, self._of, self._colours(moment.held_by, _DARKER))
        return [casing, inner, *threads, *signs, self._flits()]

    def heads(self) -> list[Strokes]:
        """An arrow where each header is; blocked ones in a ring, with dashes over what they wait for."""
        moment = self.moment
        first = moment.flit_numbers == 0
        owners = moment.flit_packets[first]
        way = self._segments(moment.flit_channels[first], moment.flit_virtual[first])
        inside = np.isin(moment.blocked, owners)
        blocked = moment.blocked[inside]
        stuck = np.searchsorted(owners, blocked)  # both are in order of number
        crowd = self._crowd(blocked)
        sizes = self._head_sizes(owners, stuck, crowd)
        reach = way.ways * (np.float32(_HEAD_REACH) * sizes[:, None])
        casing = np.full(len(owners), _HEAD_CASING, dtype=np.float32) * self._scale
        casing[stuck] *= 1 - (1 - _STUCK_CASING) * crowd
        more = way.ways * casing[:, None]
        back, front = way.ends - reach, way.ends + reach
        arrow = np.tile(np.array(_HEAD, dtype=np.float32), (len(owners), 1))
        arrow[:, 0] *= sizes
        wider = arrow.copy()
        wider[:, 0] += 4 * casing
        wider[:, 1:5:3] = 5.0, 3.0  # least pixels, level
        ground, colours = self._around(owners), self._colours(owners, _DARKER)
        at, ring = way.ends[stuck], self._thinner(_between(_RING, _THIN_RING, crowd))
        red = self._vermilion(blocked)
        outside = np.flatnonzero(~inside)
        outside = outside[np.unique(moment.blocked_at[outside], return_index=True)[1]]  # one for each link
        wanting = np.concatenate((np.flatnonzero(inside), outside))
        spots = np.concatenate((at, ports(self.mesh, self.record.sources[moment.blocked[outside]])))
        return [
            strokes(back - more, front + 2 * more, ground, wider, owners, way.channels),
            strokes(back, front, colours, arrow, owners, way.channels),
            strokes(at, at, red, ring, blocked, way.channels[stuck]),
            *self._request_dashes(wanting, spots),
        ]

    def queues(self) -> tuple[Floats32, Ints, Strokes]:
        """The places where packets wait at processors, how many, and a dot in the colour of the first."""
        queued = self._at_processors
        nodes, first, lengths = np.unique(self.record.sources[queued], return_index=True, return_counts=True)
        spots = ports(self.mesh, nodes)
        owners = queued[first]
        raw = self.record.raw
        wanted = raw.channels[raw.first[owners]].astype(np.int64)
        dots = strokes(spots, spots, self._colours(owners, 0.0), _QUEUED, owners, wanted)
        return spots, lengths.astype(np.int64), dots

    @property
    def _at_processors(self) -> Ints:
        """The packets that wait for their injection, or where ports are free, for their first link."""
        moment = self.moment
        heads = moment.flit_packets[moment.flit_numbers == 0]
        return np.union1d(moment.queued, np.setdiff1d(moment.blocked, heads))

    @cached_property
    def _body(self) -> Strokes:
        """The channels held and the turns from one to the next, thinner where they are only granted."""
        owners = self.moment.held_by
        links, virtual = self.moment.held_channels, self.moment.held_virtual
        way = self._segments(links, virtual)
        leaving, across = leaving_halves(self.mesh, links, virtual, self._of)
        joined = np.flatnonzero(owners[1:] == owners[:-1])
        starts = np.concatenate((way.starts, leaving.starts, way.ends[joined]))
        ends = np.concatenate((way.ends, leaving.ends, lane_begins(way, leaving, across)[joined + 1]))
        ahead = self._granted_only()
        row = np.concatenate((np.arange(len(owners)), across, joined + 1))
        looks = np.where(ahead[row, None], np.array(_GRANTED), np.array(_BODY)).astype(np.float32)
        return strokes(starts, ends, self.ground, self._thinner(looks), owners[row], way.channels[row])

    def _segments(self, channels: Ints, virtual: Ints) -> ChannelSegments:
        """Where channels lead in, each virtual one of a link beside the others."""
        return channel_segments(self.mesh, channels, virtual, self._of)

    def _thinner(self, looks: NDArray[np.floating]) -> Floats32:
        """Looks as wide as a lane is where a link has several virtual channels."""
        scaled: Floats32 = looks.astype(np.float32)
        scaled[..., 0] *= self._scale
        return scaled

    def _way(self, packet: int, token: str) -> Strokes:
        """The route of a packet, thin where the packet does not hold it."""
        raw = self.record.raw
        links = raw.channels[raw.first[packet] : raw.first[packet + 1]].astype(np.int64)
        virtual = self.record.virtual_channels(packet)
        way = self._segments(links, virtual)
        leaving, across = leaving_halves(self.mesh, links, virtual, self._of)
        free = ~np.isin(way.channels, self.moment.held_channels[self.moment.held_by == packet])
        turns, out = np.flatnonzero(free[:-1] | free[1:]), free[across]
        starts = np.concatenate((way.starts[free], leaving.starts[out], way.ends[turns]))
        begins = lane_begins(way, leaving, across)
        ends = np.concatenate((way.ends[free], leaving.ends[out], begins[turns + 1]))
        return strokes(starts, ends, self.theme.rgb(token), _AHEAD, packet, owners=-1)

    def _halo(self, packet: int, token: str) -> Strokes:
        """A halo around the body of a packet."""
        body = self._body.only(self._body.packets == packet)
        halo = _wider(body, self.theme.rgb(token), _HALO * float(self._scale), 2.7, _UNDER + 0.5)
        return strokes(halo.starts, halo.ends, halo.colours, halo.looks, packet, owners=-1)

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
        raw, whose = self.record.raw, owners[begins]
        entered = raw.entered[raw.first[whose + 1] - 1]
        arrived = (entered >= 0) & (raw.sent[whose] + entered <= moment.cycle)
        head = np.where((head < 0) & arrived, len(owners), head)
        ahead: NDArray[np.bool_] = place > head[worm]
        return ahead

    def _flits(self) -> Strokes:
        """The flits behind the heads: beads in each buffer, or a bar where beads would run together."""
        moment = self.moment
        way = self._segments(moment.flit_channels, moment.flit_virtual)
        buffers = moment.flit_channels * self._of + moment.flit_virtual
        begins = np.flatnonzero(np.diff(buffers, prepend=-1))  # a buffer holds one packet's flits
        counts = np.diff(begins, append=len(way.channels))
        length = np.maximum(np.linalg.norm(way.ends - way.starts, axis=1), 1e-6)
        heads = np.repeat(moment.flit_numbers[begins] == 0, counts)
        taken = np.where(heads, np.minimum(_HEAD_ROOM, 0.6 * length), 0.0)
        slots = np.maximum(self.record.law.buffer - heads, 1)
        spacing = np.minimum((length - taken) / slots, _APART)
        place = np.maximum(ramps(counts) - heads, 0)
        colours = self._colours(moment.flit_packets, _DARKER)
        if self._beads_run_together:
            first = begins + heads[begins]  # the flit behind the head, or the first in the buffer
            first = first[heads[begins] < counts]
            filled = (np.repeat(counts, counts) - heads)[first] * spacing[first]
            near, far = taken[first] / length[first], (taken[first] + filled) / length[first]
            ahead = way.only(first)
            starts, ends = ahead.points(1.0 - near), ahead.points(1.0 - far)
            bar = self._thinner(np.array(_BEAD))
            return strokes(
                starts, ends, colours[first], bar, moment.flit_packets[first], moment.flit_channels[first]
            )
        beads = moment.flit_numbers > 0  # the first flit is the head
        at = way.points(1.0 - (taken + place * spacing) / length)[beads]
        looks = np.tile(self._thinner(np.array(_BEAD)), (len(at), 1))
        looks[:, 0] = np.minimum(looks[:, 0], 0.85 * spacing[beads])
        return strokes(at, at, colours[beads], looks, moment.flit_packets[beads], moment.flit_channels[beads])

    @property
    def _beads_run_together(self) -> bool:
        return 1.0 / self.record.law.buffer < _CLOSE

    def _crowd(self, packets: Ints) -> Floats32:
        """The share from 0 to 1 by which marks of blocked packets step back because there are many.

        Marks of the selected and the hovered packet do not.
        """
        crowd = np.full(len(packets), self._crowding)
        crowd[np.isin(packets, [packet for packet, _ in self._marked if packet is not None])] = 0.0
        return crowd.astype(np.float32)

    def _head_sizes(self, owners: Ints, stuck: Ints, crowd: Floats32) -> Floats32:
        """The size of each arrow: in a crowd those that stand are smaller, and those that move larger."""
        sizes = np.full(len(owners), 1 + (_MOVING_HEAD - 1) * self._crowding, dtype=np.float32)
        sizes[stuck] = 1 - (1 - _STUCK_HEAD) * crowd
        return sizes * self._scale

    def _request_dashes(self, rows: Ints, heads: Floats32) -> list[Strokes]:
        """Dashes from some blocked heads along all channels they want; the pointer passes through them."""
        moment = self.moment
        first = np.searchsorted(moment.wanting, moment.blocked[rows])
        counts = np.searchsorted(moment.wanting, moment.blocked[rows], "right") - first
        wants = np.repeat(first, counts) + ramps(counts)
        blocked, spots = moment.wanting[wants], np.repeat(heads, counts, axis=0)
        links, virtual = moment.wanted_channels[wants], moment.wanted_virtual[wants]
        way = self._segments(links, virtual)
        leaving, across = leaving_halves(self.mesh, links, virtual, self._of)
        begins = lane_begins(way, leaving, across)
        owners, starts, ends = [blocked], [spots + (begins - spots) * np.float32(0.55)], [begins]
        whole = np.setdiff1d(np.arange(len(blocked)), across)
        pieces = [(way.only(whole), blocked[whole], _DASHES)]
        pieces += [(half, blocked[across], 1) for half in (leaving, way.only(across))]
        for part, of, dashes in pieces:
            for begin, end in (np.arange(dashes)[:, None] + np.array([0.2, 0.7])[None]) / dashes:
                owners.append(of)
                starts.append(part.points(np.full(len(of), begin)))
                ends.append(part.points(np.full(len(of), end)))
        return self._dashes(np.concatenate(starts), np.concatenate(ends), np.concatenate(owners))

    def _dashes(self, starts: Floats32, ends: Floats32, owners: Ints) -> list[Strokes]:
        crowd = self._crowd(owners)
        dash = self._thinner(_between(_WANTED, _THIN_WANTED, crowd))
        bare = 1 - crowd  # in a crowd the casing would cover the worms beneath
        wider = dash.copy()
        wider[:, 0] += _CASING * bare
        wider[:, 1] += bare
        wider[:, 4] = 6
        casing = strokes(starts, ends, self.ground, wider, owners=owners)
        return [casing, strokes(starts, ends, self._vermilion(owners), dash, owners=owners)]

    def _colours(self, packets: Ints, towards_ink: float) -> Floats32:
        """The colours of packets: their jobs', stepped back where others are selected."""
        colours = job_colours(self.record.jobs[packets], self.theme.name).reshape(-1, 3)
        return self._dimmed(colours + (self.ink - colours) * np.float32(towards_ink), packets)

    def _vermilion(self, packets: Ints) -> Floats32:
        """The colour of the packets that block these."""
        colour = np.tile(np.array(self.theme.rgb("blocked"), dtype=np.float32), (len(packets), 1))
        return self._dimmed(colour, packets)

    def _around(self, packets: Ints) -> Floats32:
        """The colour around heads: the ground's, or that of a selected or hovered packet."""
        colours = np.tile(self.ground, (len(packets), 1))
        for packet, token in self._marked:
            colours[packets == (-1 if packet is None else packet)] = self.theme.rgb(token)
        return colours

    def _dimmed(self, colours: Floats32, packets: Ints) -> Floats32:
        back = self._stepped_back(packets, self.record.jobs[packets])
        colours[back] += (self.ground - colours[back]) * np.float32(_DIMMED)
        return colours

    def _stepped_back(self, packets: Ints, jobs: NDArray[np.int32]) -> NDArray[np.bool_]:
        """The packets that step back: all but the selected one and its chain, or all of other jobs.

        A selected packet that is not under way has no effect, nor has a job without one.
        """
        chosen = self.selection
        back = np.zeros(len(packets), dtype=np.bool_)
        if chosen.packet is not None:
            if chosen.packet in self.moment.packets:
                read = chosen.chain_read(partial(chain_at, self.record, self.moment))
                back = ~np.isin(packets, [chosen.packet, *read])
        elif chosen.job is not None:
            here = np.concatenate((self.moment.packets, self.moment.queued))
            back[:] = (jobs != chosen.job) & (chosen.job in self.record.jobs[here])
        pointed = -1 if self.pointed is None else self.pointed
        apart: NDArray[np.bool_] = back & (packets != pointed)
        return apart


def _wider(
    body: Strokes, colour: Floats32 | tuple[float, ...], more: float, pixels: float, level: float
) -> Strokes:
    """A body drawn wider, for its casing."""
    looks = body.looks.copy()
    looks[:, 0] += more
    looks[:, 1] += pixels
    looks[:, 4] = level
    return strokes(body.starts, body.ends, colour, looks, body.packets, body.channels)


def _between(usual: Look, thin: Look, share: Floats32) -> Floats32:
    """The looks between two, one for each share from 0 to 1."""
    low, high = np.array(usual, dtype=np.float32), np.array(thin, dtype=np.float32)
    looks: Floats32 = low + (high - low) * share[:, None]
    return looks

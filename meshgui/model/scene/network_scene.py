"""Builds the scene of the network at a moment: worms, or the use of its channels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from meshgui.engine.basics.arrays import Floats32, Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.deadlock import Deadlock, lanes_of
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.routing import LINKS, WAYS
from meshgui.model.moment.moment_view import View
from meshgui.model.network.network_tables import moments_of
from meshgui.model.scene.channels import channel_segments, lane_begins, lanes, leaving_halves
from meshgui.model.scene.heat import line_colours
from meshgui.model.scene.marks import LegendEntry, Sign
from meshgui.model.scene.packet_strokes import PacketStrokes
from meshgui.model.scene.strokes import Look, Strokes, strokes
from meshgui.model.scene.theme_colours import ThemeColours
from meshgui.model.stepping.selection import Selection

_CHANNEL: Final = Look(0.34, least=5.0, level=1)  # around a selected channel
_CIRCLE: Final = Look(0.4, least=4.0, level=-4)  # under all packets
_CIRCLE_STRENGTH: Final = 0.55  # the rings of its heads stand out from it
_USE_WIDTH: Final = (0.05, 0.17)
_USE_LEAST: Final = 1.6  # pixels


@dataclass(frozen=True)
class UseLegend:
    """The legend of the use of channels: the cycles, and the value at the end of the scale."""

    begin: int
    end: int
    most: float  # the share of the cycles in which the busiest link carried a flit


@dataclass(frozen=True, eq=False)
class NetworkScene:
    """Everything to draw of the network, in node coordinates."""

    mesh: Mesh
    strokes: Strokes
    queued: Floats32  # [k, 3], processors at which packets wait for their injection
    queue_lengths: Ints  # [k]
    use: UseLegend | None  # what the links' colours mean, where they mean their use
    plain: Strokes  # those without the pointer
    packets: PacketStrokes | None  # where packets are drawn
    channels: int = 1  # virtual channels of a link


def build_network(view: View, selection: Selection, theme: ThemeColours, *, use: bool) -> NetworkScene | None:
    """The network at a view; None inside an attempt or a release, which show boxes only."""
    now = None if view.position.inside else view.network_now
    if now is None:
        return None
    (record, moment), mesh = now, view.recording.mesh
    marked = _capsule(mesh, selection.channel, theme, "accent")
    if use:
        legend, drawn = _use(record, selection.cycles(moment.cycle), theme)
        plain, packets = Strokes.together([*marked, drawn]), None
        spots, lengths = np.zeros((0, 3), np.float32), np.zeros(0, np.int64)
    else:
        legend, packets = None, PacketStrokes(record, moment, selection, theme)
        spots, lengths, _ = packets.queues()
        circle = _circle(record, view.deadlock, theme) if view.deadlock is not None else []
        plain = Strokes.together([*marked, *circle, *packets.marks(), *packets.packets()])
    network = NetworkScene(mesh, plain, spots, lengths, legend, plain, packets, record.law.channels)
    return point_at_network(network, selection, theme)


def point_at_network(network: NetworkScene, selection: Selection, theme: ThemeColours) -> NetworkScene:
    """The same scene with another pointer."""
    packet, drawn = selection.hovered_packet, network.plain
    marked = _capsule(network.mesh, selection.hovered_channel, theme, "text")
    if packet is not None and network.packets is not None and packet < len(network.packets.record):
        alone = network.packets.alone(packet)
        drawn = drawn.with_part(packet, Strokes.together(alone.packets()))
        marked += alone.marks(selected=False)
    return replace(network, strokes=Strokes.together([*marked, drawn]) if marked else drawn)


def packet_legend(theme: ThemeColours, *, deadlock: bool) -> tuple[LegendEntry, ...]:
    """What is drawn of packets, the most needed first.

    It stays the same from moment to moment, but for the band around the circle of a deadlock.
    """
    blocked, any_job = theme.rgba("blocked", 1.0), theme.rgba("muted", 1.0)
    band = LegendEntry(tr("deadlock"), theme.rgba("blocked", _CIRCLE_STRENGTH), sign=Sign.BAND)
    return (
        *((band,) if deadlock else ()),
        LegendEntry(tr("blocked"), blocked, sign=Sign.RING),
        LegendEntry(tr("asked for"), blocked, sign=Sign.DASHES),
        LegendEntry(tr("header"), any_job, sign=Sign.ARROW),
        LegendEntry(tr("flits"), any_job, sign=Sign.BEADS),
        LegendEntry(tr("granted"), any_job, sign=Sign.LINE),
        LegendEntry(tr("queued"), any_job, sign=Sign.DOT),
    )


def _use(record: NetworkRecord, cycles: tuple[int, int], theme: ThemeColours) -> tuple[UseLegend, Strokes]:
    """A stroke for every channel that carried flits; thickness and colour show its share.

    The scale ends at the busiest link: a processor's own channel is often far busier, and would compress the
    links into the start of the scale.
    """
    shares = record.use(*moments_of(*cycles))
    used = np.flatnonzero(shares > 0)
    of_links = shares[np.arange(len(shares)) % WAYS < LINKS]
    most = float(of_links.max(initial=0.0)) or float(shares.max(initial=0.0))
    way, _ = lanes(record.mesh, used)
    share = np.minimum(shares[way.channels] / most, 1.0) if most else shares[way.channels]
    looks = np.tile(np.array(Look(0.0, least=_USE_LEAST, level=2), dtype=np.float32), (len(share), 1))
    looks[:, 0] = _USE_WIDTH[0] + (_USE_WIDTH[1] - _USE_WIDTH[0]) * share
    looks[:, 4] += share  # busy ones lie over others where the nodes are small
    return UseLegend(*cycles, most), strokes(
        way.starts, way.ends, line_colours(share, theme), looks, channels=way.channels
    )


def _circle(record: NetworkRecord, deadlock: Deadlock, theme: ThemeColours) -> list[Strokes]:
    """A band around the channels that close the circle of a deadlock, from each packet to the next."""
    circle, of = lanes_of(record, deadlock), record.law.channels
    way = channel_segments(record.mesh, circle.channels, circle.virtual, of)
    leaving, across = leaving_halves(record.mesh, circle.channels, circle.virtual, of)
    begins = lane_begins(way, leaving, across)
    starts = np.concatenate((way.starts, leaving.starts, way.ends))
    ends = np.concatenate((way.ends, leaving.ends, np.roll(begins, -1, axis=0)))
    ground, band = np.array(theme.rgb("mesh_background")), np.array(theme.rgb("blocked"))
    return [strokes(starts, ends, ground + (band - ground) * _CIRCLE_STRENGTH, _CIRCLE)]


def _capsule(mesh: Mesh, channel: int | None, theme: ThemeColours, token: str) -> list[Strokes]:
    """A capsule around the lane of a channel."""
    if channel is None or not 0 <= channel < mesh.processors * WAYS:
        return []
    way, _ = lanes(mesh, np.array([channel]))
    inner = _CHANNEL._replace(width=_CHANNEL.width - 0.08, least=_CHANNEL.least - 3.0, level=1.5)
    return [
        strokes(way.starts, way.ends, theme.rgb(token), _CHANNEL, -1, channel),
        strokes(way.starts, way.ends, theme.rgb("mesh_background"), inner, -1, channel),
    ]

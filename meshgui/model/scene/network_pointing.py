"""Hovers and selects packets and channels, on both canvases."""

from __future__ import annotations

from typing import Final, NamedTuple

from meshgui.model.moment.moment_view import View
from meshgui.model.scene.descriptions import describe_packet, describe_use
from meshgui.model.scene.strokes import Strokes
from meshgui.model.stepping.selection import Selection

SLACK: Final = 4.0  # pixels by which the pointer may miss a worm or a link


class Pointed(NamedTuple):
    """The packet and the channel under the pointer."""

    packet: int | None
    channel: int | None

    @classmethod
    def of(cls, strokes: Strokes, row: int) -> Pointed:
        """The packet and the channel of a stroke."""
        packet, channel = int(strokes.packets[row]), int(strokes.channels[row])
        return cls(packet if packet >= 0 else None, channel if channel >= 0 else None)


NOWHERE: Final = Pointed(None, None)


def job_of(view: View, packet: int) -> int | None:
    """The job of a packet."""
    record = view.recording.network
    return int(record.jobs[packet]) if record is not None else None


def card(view: View, pointed: Pointed, selection: Selection) -> tuple[str, ...]:
    """The lines of the hover card; none without a packet or channel."""
    if pointed.packet is not None:
        return describe_packet(view, pointed.packet)
    if pointed.channel is not None:
        return describe_use(view, pointed.channel, selection.cycles(view.cycle))
    return ()


def looked_at(view: View, pointed: Pointed, selection: Selection) -> list[int]:
    """The packet under the pointer with those that it waits for, and the selected one with the chain read."""
    moment, packets = view.network, list[int]()
    if moment is None:
        return packets
    if pointed.packet is not None and pointed.packet in moment.packets:
        packets += view.chain_of(pointed.packet) or [pointed.packet]
    if selection.packet is not None and selection.packet in moment.packets:
        packets += selection.chain_read(view.chain_of) or [selection.packet]
    return packets


def choose(view: View, pointed: Pointed, selection: Selection) -> bool:
    """Select the packet or the channel; False where there is neither."""
    job = job_of(view, pointed.packet) if pointed.packet is not None else None
    if pointed.packet is not None and job is not None:
        selection.select_packet(pointed.packet, job)
    elif pointed.channel is not None:
        selection.select_channel(pointed.channel)
    else:
        return False
    return True

"""Hovers and selects the job, packet, channel or cycle that a cell or a word stands for."""

from __future__ import annotations

from collections.abc import Callable

from meshgui.engine.basics.sentences import ChannelLink, JobLink, Link, PacketLink
from meshgui.model.stepping.selection import Selection


class Links:
    """Hovers and selects in a selection, and goes to cycles."""

    def __init__(self, selection: Selection, go_to: Callable[[int], None] = lambda _cycle: None) -> None:
        self._selection, self._go_to = selection, go_to

    def hover(self, link: Link | None) -> None:
        """Hover the object of a link, or nothing."""
        match link:
            case JobLink(job):
                self._selection.hover(job)
            case PacketLink(packet, job):
                self._selection.hover(job, packet)
            case ChannelLink(channel):
                self._selection.hover(None, None, channel)
            case _:
                self._selection.hover(None)

    def choose(self, link: Link) -> None:
        """Select the object of a link, or go to its cycle."""
        match link:
            case JobLink(job):
                self._selection.select(job)
            case PacketLink(packet, job):
                self._selection.select_packet(packet, job)
            case ChannelLink(channel):
                self._selection.select_channel(channel)
            case _:
                self._go_to(link.cycle)

    def selected(self, link: Link) -> bool:
        """Whether the object of a link is selected."""
        now = self._selection
        return self._is(link, now.job, now.packet, now.channel)

    def hovered(self, link: Link) -> bool:
        """Whether the object of a link is hovered in any view."""
        now = self._selection
        return self._is(link, now.hovered, now.hovered_packet, now.hovered_channel)

    @staticmethod
    def _is(link: Link, job: int | None, packet: int | None, channel: int | None) -> bool:
        match link:
            case JobLink():
                return link.job == job
            case PacketLink():
                return link.packet == packet
            case ChannelLink():
                return link.channel == channel
        return False

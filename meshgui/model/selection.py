"""What is pointed at and what is selected: the same in every view."""

from __future__ import annotations

from meshgui.engine.allocation.steps import Mark
from meshgui.model.signals import Signal

__all__ = ["Selection"]


class Selection:
    """What is selected, what is under the pointer, and a box that an inspector points out."""

    def __init__(self) -> None:
        self.changed: Signal[[]] = Signal()
        self._job: int | None = None
        self._hovered: int | None = None
        self._mark: Mark | None = None
        self._packet: int | None = None
        self._hovered_packet: int | None = None
        self._channel: int | None = None
        self._hovered_channel: int | None = None
        self._span: tuple[int, int] | None = None

    @property
    def job(self) -> int | None:
        """The selected job."""
        return self._job

    @property
    def hovered(self) -> int | None:
        """The job under the pointer, in whichever view."""
        return self._hovered

    @property
    def mark(self) -> Mark | None:
        """A box to point out in the mesh, chosen in an inspector."""
        return self._mark

    @property
    def packet(self) -> int | None:
        """The selected packet."""
        return self._packet

    @property
    def hovered_packet(self) -> int | None:
        """The packet under the pointer."""
        return self._hovered_packet

    @property
    def channel(self) -> int | None:
        """The selected channel."""
        return self._channel

    @property
    def hovered_channel(self) -> int | None:
        """The channel under the pointer."""
        return self._hovered_channel

    @property
    def span(self) -> tuple[int, int] | None:
        """The cycles, first and last, over which the use of channels is looked at; None for the whole run."""
        return self._span

    def select(self, job: int | None) -> None:
        """Select a job, or nothing at all; a packet or a channel is not selected any more then."""
        if (job, None, None) != (self._job, self._packet, self._channel):
            self._job, self._packet, self._channel = job, None, None
            self.changed.emit()

    def select_packet(self, packet: int, job: int) -> None:
        """Select a packet, and with it the job whose it is."""
        if (packet, job) != (self._packet, self._job):
            self._packet, self._job = packet, job
            self.changed.emit()

    def select_channel(self, channel: int | None) -> None:
        """Select a channel, or none; a selected packet stays so."""
        if channel != self._channel:
            self._channel = channel
            self.changed.emit()

    def select_span(self, span: tuple[int, int] | None) -> None:
        """Look at the use of channels over these cycles only, or over the whole run again."""
        if span != self._span:
            self._span = span
            self.changed.emit()

    def hover(self, job: int | None, packet: int | None = None, channel: int | None = None) -> None:
        """Point at a job, at a packet or a channel, or at nothing."""
        if (job, packet, channel) != (self._hovered, self._hovered_packet, self._hovered_channel):
            self._hovered, self._hovered_packet, self._hovered_channel = job, packet, channel
            self.changed.emit()

    def point_out(self, mark: Mark | None) -> None:
        """Point a box out, or stop."""
        if mark != self._mark:
            self._mark = mark
            self.changed.emit()

    def let_go(self) -> bool:
        """Give up the innermost of what is selected: channel, packet, job, span; whether there was any."""
        if self._channel is not None:
            self.select_channel(None)
        elif self._packet is not None:
            self.select(self._job)
        elif self._job is not None:
            self.select(None)
        elif self._span is not None:
            self.select_span(None)
        else:
            return False
        return True

    def clear(self) -> None:
        """Forget everything: another run is shown."""
        self._job = self._hovered = self._mark = self._span = None
        self._packet = self._hovered_packet = self._channel = self._hovered_channel = None
        self.changed.emit()

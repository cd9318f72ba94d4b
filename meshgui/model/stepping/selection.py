"""The selection shared by all views: selected, hovered and marked objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Flag, auto
from typing import Final, NamedTuple

from meshgui.engine.allocation.steps import Mark
from meshgui.model.base.signals import Signal


class SelectionChange(Flag):
    """The kinds of change of the selection."""

    JOB = auto()
    PACKET = auto()
    CHANNEL = auto()
    SPAN = auto()
    MARK = auto()
    HOVER = auto()
    ALL = JOB | PACKET | CHANNEL | SPAN | MARK | HOVER


class SelectionState(NamedTuple):
    """All that is selected or under the pointer."""

    job: int | None = None
    packet: int | None = None
    channel: int | None = None
    span: tuple[int, int] | None = None
    marks: tuple[Mark, ...] = ()
    marks_job: int | None = None
    hovered: int | None = None
    hovered_packet: int | None = None
    hovered_channel: int | None = None
    chain_head: int | None = None


NOTHING_SELECTED: Final = SelectionState()
_CHANGES: Final = {
    "job": SelectionChange.JOB,
    "packet": SelectionChange.PACKET,
    "chain_head": SelectionChange.PACKET,
    "channel": SelectionChange.CHANNEL,
    "span": SelectionChange.SPAN,
    "marks": SelectionChange.MARK,
    "marks_job": SelectionChange.MARK,
}  # the others are hovers


class Selection:
    """What is selected, what is under the pointer, and boxes that a panel points out.

    Emits `changed` with what has changed.
    """

    def __init__(self) -> None:
        self.changed: Signal[[SelectionChange]] = Signal()
        self.chain_of: Callable[[int], Sequence[int]] = lambda packet: (packet,)
        """A packet and those it waits for, at the moment that is shown."""
        self._state = NOTHING_SELECTED

    @property
    def job(self) -> int | None:
        """The selected job."""
        return self._state.job

    @property
    def packet(self) -> int | None:
        """The selected packet."""
        return self._state.packet

    @property
    def chain_head(self) -> int | None:
        """The packet whose chain of blocking is read: the selected one, or one that waits for it."""
        return self._state.chain_head

    def chain_read(self, chain_of: Callable[[int], Sequence[int]]) -> Sequence[int]:
        """The chain that is read, or that of the selected packet if it is not in it at this moment."""
        head, packet = self.chain_head, self.packet
        read = chain_of(head) if head is not None else ()
        return read if packet is None or packet in read else chain_of(packet)

    @property
    def channel(self) -> int | None:
        """The selected channel."""
        return self._state.channel

    @property
    def span(self) -> tuple[int, int] | None:
        """The cycles, first and last, over which the use of channels is shown; None for the whole run."""
        return self._state.span

    def cycles(self, now: int) -> tuple[int, int]:
        """The cycles, first and last, over which the use of channels is shown: the span, or all up to now."""
        return self.span if self.span is not None else (0, now)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Boxes to point out in the mesh, chosen in a panel."""
        return self._state.marks

    @property
    def marks_job(self) -> int | None:
        """The job that they are about, if they are about one."""
        return self._state.marks_job

    @property
    def hovered(self) -> int | None:
        """The job under the pointer in any view."""
        return self._state.hovered

    @property
    def hovered_packet(self) -> int | None:
        """The packet under the pointer."""
        return self._state.hovered_packet

    @property
    def hovered_channel(self) -> int | None:
        """The channel under the pointer."""
        return self._state.hovered_channel

    def select(self, job: int | None) -> None:
        """Select a job or nothing, and deselect packet and channel."""
        self._change(self._state._replace(job=job, packet=None, channel=None, chain_head=None))

    def select_packet(self, packet: int, job: int) -> None:
        """Select a packet, and with it the job that sent it.

        The chain that is read stays while packets of it are selected. One from elsewhere begins its own, and
        so does the selected one if it is selected again.
        """
        read = self.chain_read(self.chain_of)
        head = read[0] if packet != self.packet and packet in read else packet
        self._change(self._state._replace(packet=packet, job=job, chain_head=head))

    def select_channel(self, channel: int | None) -> None:
        """Select a channel, or none; a selected packet stays so."""
        self._change(self._state._replace(channel=channel))

    def select_span(self, span: tuple[int, int] | None) -> None:
        """Show the use of channels over these cycles only, or over the whole run again."""
        self._change(self._state._replace(span=span))

    def hover(self, job: int | None, packet: int | None = None, channel: int | None = None) -> None:
        """Point at a job, at a packet or a channel, or at nothing."""
        self._change(self._state._replace(hovered=job, hovered_packet=packet, hovered_channel=channel))

    def point_out(self, *marks: Mark, job: int | None = None) -> None:
        """Point boxes out, perhaps about a job, or none any more."""
        self._change(self._state._replace(marks=marks, marks_job=job if marks else None))

    def deselect_innermost(self) -> bool:
        """Deselect the innermost of channel, packet, job and span; whether any was selected."""
        if self.channel is not None:
            self.select_channel(None)
        elif self.packet is not None:
            self.select(self.job)
        elif self.job is not None:
            self.select(None)
        elif self.span is not None:
            self.select_span(None)
        else:
            return False
        return True

    @property
    def state(self) -> SelectionState:
        """All of it, to be restored when its run is shown again."""
        return self._state._replace(hovered=None, hovered_packet=None, hovered_channel=None)

    def restore(self, state: SelectionState) -> None:
        """Take the selection of another run."""
        self._state = state
        self.changed.emit(SelectionChange.ALL)

    def clear(self) -> None:
        """Clear the selection, for another run."""
        self.restore(NOTHING_SELECTED)

    def _change(self, state: SelectionState) -> None:
        changes = SelectionChange(0)
        for name, old, new in zip(SelectionState._fields, self._state, state, strict=True):
            if old != new:
                changes |= _CHANGES.get(name, SelectionChange.HOVER)
        self._state = state
        if changes:
            self.changed.emit(changes)

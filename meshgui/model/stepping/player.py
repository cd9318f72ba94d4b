"""Plays a recording: moves a cursor as time passes, or by steps; the owner of a clock calls `advance`."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final, NamedTuple, Self

from meshgui.engine.basics.translation import formatted, tr
from meshgui.model.base.signals import Signal
from meshgui.model.moment.position import Position
from meshgui.model.stepping.cursor import Cursor, CursorChange
from meshgui.model.stepping.selection import Selection, SelectionChange

FACTORS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
"""The speeds one can choose, as multiples of the one that suits the recording."""

_SECONDS_FOR_A_RUN: Final = 60.0
_STEPS_AT_ONCE: Final = 32  # after a stall of the program, do not skip the rest of the attempt
_LEAP: Final = 10


class StepSize(NamedTuple):
    """The record of a size of step: its words, key and icon, where a step leads, and how fast it plays."""

    word: str
    help: str
    key: str
    icon: str
    forward: Callable[[Cursor, int, int | None], object]
    """Moves on by some steps; along a packet, where one is followed."""
    back: Callable[[Cursor, int, int | None], object]
    of_network: bool = False
    """Whether it takes a network to step so; those that do come last."""
    in_attempts: bool = False
    """Whether attempts and releases are stepped through, and leaps go by events."""
    pace: float = 2.0
    """Steps a second."""
    pace_words: str = tr("{pace:g} steps a second")


def _back_by_events(cursor: Cursor, count: int, _packet: int | None = None) -> None:
    """Back by events; from a time after the last event, that event's own time is the first of them."""
    recording, position = cursor.recording, cursor.position
    between = recording is not None and cursor.time > (
        float(recording.times[position.events - 1]) if position.events else 0.0
    )
    if between:
        cursor.go_to(Position(position.events - count + 1))
    else:
        cursor.previous_event(count)


def _each(step: Callable[[Cursor], object]) -> Callable[[Cursor, int, int | None], object]:
    """A move that makes one step after another."""

    def move(cursor: Cursor, count: int, _packet: int | None) -> None:
        for _ in range(count):
            step(cursor)

    return move


class Granularity(StrEnum):
    """The sizes of a step, each with its record.

    In an attempt or a release: one pseudo-code line, or up to where something is settled. In the run: a whole
    event. In the network: one cycle, up to a header's next hop, or up to where a packet sets out or arrives.
    """

    record: StepSize

    def __new__(cls, value: str, record: StepSize) -> Self:
        member = str.__new__(cls, value)
        member._value_, member.record = value, record
        return member

    LINE = (
        "line",
        StepSize(
            tr("line"),
            tr("Arrows move one pseudo-code line"),
            "1",
            "code",
            _each(Cursor.next_step),
            _each(Cursor.previous_step),
            in_attempts=True,
        ),
    )
    DECISION = (
        "decision",
        StepSize(
            tr("decision"),
            tr("Arrows move to the next decision of the algorithm"),
            "2",
            "git-commit-horizontal",
            _each(Cursor.next_decision),
            _each(Cursor.previous_decision),
            in_attempts=True,
        ),
    )
    EVENT = (
        "event",
        StepSize(
            tr("event"),
            tr("Arrows move to the next arrival, start or finish"),
            "3",
            "clock",
            lambda cursor, count, _packet: cursor.next_event(count),
            _back_by_events,
        ),
    )
    CYCLE = (
        "cycle",
        StepSize(
            tr("cycle"),
            tr("Arrows move one cycle of the network"),
            "4",
            "activity",
            lambda cursor, count, _packet: cursor.next_cycle(count),
            lambda cursor, count, _packet: cursor.previous_cycle(count),
            of_network=True,
            pace=8.0,  # a flit moves on in each: quick enough to be seen as a flow
            pace_words=tr("{pace:g} cycles a second"),
        ),
    )
    HOP = (
        "hop",
        StepSize(
            tr("hop"),
            tr("Arrows move to the next hop of a header; with a packet selected, of that packet's"),
            "5",
            "arrow-right-to-line",
            lambda cursor, count, packet: cursor.next_hop(packet, count),
            lambda cursor, count, packet: cursor.previous_hop(packet, count),
            of_network=True,
            pace=4.0,
            pace_words=tr("{pace:g} hops a second"),
        ),
    )
    PACKET = (
        "packet",
        StepSize(
            tr("packet"),
            tr("Arrows move to where the next packet sets out or arrives"),
            "6",
            "network",
            lambda cursor, count, _packet: cursor.next_packet(count),
            lambda cursor, count, _packet: cursor.previous_packet(count),
            of_network=True,
        ),
    )


class Reach(NamedTuple):
    """Whether there are steps back and forward from here."""

    back: bool
    on: bool


class Player:
    """Plays a recording: through time by event, otherwise step by step in attempts or in the network.

    With a packet selected, steps by hop follow it. Inside an attempt or a release larger steps become steps
    by line.
    Emits `changed` when it starts, stops, is set to another speed or granularity, or follows another packet.
    """

    def __init__(self, cursor: Cursor, selection: Selection | None = None) -> None:
        self.changed: Signal[[]] = Signal()
        self._cursor, self._selection = cursor, selection
        self._followed: int | None = None
        self._resume: tuple[Position, Granularity] | None = None  # where a breakpoint stopped what
        self._stepping = Granularity.EVENT  # the granularity before the move at hand
        cursor.changed.connect(self._follow_into_attempt)
        cursor.stopped.connect(lambda _stop: self._stop())
        if selection is not None:
            selection.changed.connect(self._follow_packet)
        self._playing = False
        self._factor = 1.0
        self._chosen = {False: Granularity.EVENT, True: Granularity.HOP}  # without a network, and in one
        self._interrupted: dict[bool, Granularity] = {}  # likewise, where an attempt has made it smaller
        self._due = 0.0  # the part of a step that has passed

    @property
    def playing(self) -> bool:
        """Whether the cursor moves by itself."""
        return self._playing

    @property
    def factor(self) -> float:
        """The speed as a multiple of the one that suits."""
        return self._factor

    @factor.setter
    def factor(self, factor: float) -> None:
        if factor not in FACTORS:
            raise ValueError(
                tr("expected one of {join}, got {factor:g}").format(
                    join=", ".join(formatted(f, "g") for f in FACTORS), factor=factor
                )
            )
        if factor != self._factor:
            self._factor = factor
            self.changed.emit()

    @property
    def granularity(self) -> Granularity:
        """The size of a step: the one chosen in runs with a network, at first a hop, or in those without."""
        return self._chosen[self.in_network]

    @granularity.setter
    def granularity(self, granularity: Granularity) -> None:
        where = self.in_network or granularity.record.of_network
        self._interrupted.pop(where, None)
        if granularity != self._chosen[where]:
            self._chosen[where] = granularity
            self._due = 0.0
            self.changed.emit()

    @property
    def in_network(self) -> bool:
        """Whether there is a network to step through."""
        recording = self._cursor.recording
        return recording is not None and recording.network is not None

    @property
    def reach(self) -> Reach:
        """Whether there is a step back and a step on."""
        recording, position = self._cursor.recording, self._cursor.position
        if recording is None:
            return Reach(back=False, on=False)
        if self.granularity is Granularity.HOP and self._followed is not None:
            times, now = self._cursor.hops(self._followed), self._cursor.time
            return Reach(*(bool(side.any()) for side in (times < now, times > now)))
        inside = position.inside
        to_deadlock = recording.stuck and self._cursor.time < recording.end_time
        on = position.events < len(recording) or inside or to_deadlock
        return Reach(back=position.events > 0 or inside, on=on)

    @property
    def speed(self) -> float:
        """Time units a second: at factor 1 the whole run takes a minute."""
        recording = self._cursor.recording
        if recording is None:
            return 0.0
        end = recording.end_time
        if not recording.over and len(recording.jobs):
            end = max(end, float(recording.jobs.arrival[-1]))  # the least position reached
        return self._factor * end / _SECONDS_FOR_A_RUN

    @property
    def pace(self) -> float:
        """Steps a second, when playing by anything but events."""
        return self._factor * self.granularity.record.pace

    def play(self) -> None:
        """Play; from the end, restart at the start of the run, or of the packet followed."""
        recording = self._cursor.recording
        if recording is None or not len(recording) or self._playing:
            return
        if self._at_end():
            self._back_to_start()
        self.granularity = self._before_the_stop
        self._due = 0.0
        self._playing = True
        self.changed.emit()

    def pause(self) -> None:
        """Stop playing."""
        if self._playing:
            self._playing = False
            self.changed.emit()

    def toggle(self) -> None:
        """Play or pause."""
        if self._playing:
            self.pause()
        else:
            self.play()

    def advance(self, seconds: float) -> None:
        """Move on by the seconds that have passed, and stop at the end of a finished run."""
        if not self._playing:
            return
        if self._cursor.recording is None:
            self.pause()
            return
        self._stepping = self.granularity
        if self.granularity is Granularity.EVENT:
            with self._cursor.moving():
                self._cursor.go_to_time(self._cursor.time + self.speed * seconds)
        else:
            self._due = min(self._due + self.pace * seconds, _STEPS_AT_ONCE)
            steps = int(self._due)
            self._due -= steps
            self._on(steps)
        if self._at_end():
            self.pause()

    def run_to_stop(self) -> bool:
        """Pause, and go on to the next breakpoint; whether there is one ahead."""
        self.pause()
        self._stepping = self._before_the_stop
        return self._cursor.run_to_stop()

    @property
    def _before_the_stop(self) -> Granularity:
        """The granularity: at a breakpoint the one that it interrupted."""
        if self._resume is not None and self._resume[0] == self._cursor.position:
            return self._resume[1]
        return self.granularity

    def _stop(self) -> None:
        """Pause at a breakpoint."""
        self._resume = self._cursor.position, self._stepping
        self.pause()

    def step_by(self, granularity: Granularity) -> None:
        """Choose the size of a step."""
        self.granularity = granularity

    def faster(self) -> None:
        """Choose the next higher speed."""
        self._change_speed(+1)

    def slower(self) -> None:
        """Choose the next lower speed."""
        self._change_speed(-1)

    def step_forward(self) -> None:
        """Pause, and make one step on."""
        self.pause()
        self._on(1)

    def step_back(self) -> None:
        """Pause, and make one step back."""
        self.pause()
        self._back(1)

    def leap_forward(self) -> None:
        """Pause, and make a larger step on: by lines or decisions an event, otherwise ten steps."""
        self.pause()
        if self.granularity.record.in_attempts:
            self._cursor.next_event()
        else:
            self._on(_LEAP)

    def leap_back(self) -> None:
        """Pause, and make a larger step back."""
        self.pause()
        if self.granularity.record.in_attempts:
            _back_by_events(self._cursor, 1)
        else:
            self._back(_LEAP)

    def _on(self, count: int) -> None:
        if not count:
            return
        self._stepping = self.granularity
        self._cursor.move(lambda: self._move_together(count))

    def _move_together(self, count: int) -> None:
        with self._cursor.moving():
            self.granularity.record.forward(self._cursor, count, self._followed)

    def _back(self, count: int) -> None:
        self.granularity.record.back(self._cursor, count, self._followed)

    def _change_speed(self, by: int) -> None:
        index = FACTORS.index(self._factor) + by
        self.factor = FACTORS[min(max(index, 0), len(FACTORS) - 1)]

    def _follow_into_attempt(self, _change: CursorChange) -> None:
        """Inside an attempt or a release all larger steps become steps by line."""
        if self._cursor.position.inside and not self.granularity.record.in_attempts:
            interrupted = self.granularity
            self.granularity = Granularity.LINE
            self._interrupted[self.in_network] = interrupted

    def begin(self) -> None:
        """Step through another scenario by what was chosen, not by what an attempt has made of it."""
        self._chosen |= self._interrupted
        self._interrupted.clear()
        self.changed.emit()

    def _follow_packet(self, changes: SelectionChange) -> None:
        if self._selection is not None and SelectionChange.PACKET in changes:
            self._followed = self._selection.packet
            self.changed.emit()

    def _back_to_start(self) -> None:
        if self.granularity is Granularity.HOP and self._followed is not None:
            self._cursor.previous_hop(self._followed, len(self._cursor.hops(self._followed)))
        else:
            self._cursor.first()

    def _at_end(self) -> bool:
        recording = self._cursor.recording
        return recording is not None and recording.over and not self.reach.on

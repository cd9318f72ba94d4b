"""Moves a cursor as time passes, and by steps of the size chosen; whoever has a clock calls `advance`."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from meshgui.model.cursor import Cursor, Place
from meshgui.model.signals import Signal

__all__ = ["FACTORS", "Granularity", "Player"]

FACTORS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
"""The speeds one can choose, as multiples of the one that suits the recording."""

_SECONDS_FOR_A_RUN: Final = 60.0
_STEPS_PER_SECOND: Final = 2.0  # slow enough to read the line and look at the mesh
_STEPS_AT_ONCE: Final = 32  # after a pause of the whole program, do not jump through the rest of the attempt
_EVENTS_IN_A_LEAP: Final = 10


class Granularity(StrEnum):
    """The size of a step: one pseudo-code line, up to where something is settled, or a whole event."""

    LINE = "line"
    DECISION = "decision"
    EVENT = "event"


class Player:
    """Plays a recording: through time by event, step by step within the attempts otherwise.

    Emits `changed` when it starts, stops, or is set to another speed or granularity.
    """

    def __init__(self, cursor: Cursor) -> None:
        self.changed: Signal[[]] = Signal()
        self._cursor = cursor
        self._playing = False
        self._factor = 1.0
        self._granularity = Granularity.EVENT
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
            raise ValueError(f"expected one of {', '.join(f'{f:g}' for f in FACTORS)}, got {factor:g}")
        if factor != self._factor:
            self._factor = factor
            self.changed.emit()

    @property
    def granularity(self) -> Granularity:
        """The size of a step."""
        return self._granularity

    @granularity.setter
    def granularity(self, granularity: Granularity) -> None:
        if granularity != self._granularity:
            self._granularity = granularity
            self._due = 0.0
            self.changed.emit()

    @property
    def speed(self) -> float:
        """Time units a second: at factor 1 the whole run takes a minute."""
        recording = self._cursor.recording
        if recording is None:
            return 0.0
        end = recording.end_time
        if not recording.complete and len(recording.jobs):
            end = max(end, float(recording.jobs.arrival[-1]))  # where it will have got to at least
        return self._factor * end / _SECONDS_FOR_A_RUN

    @property
    def pace(self) -> float:
        """Steps a second, when playing by line or decision."""
        return self._factor * _STEPS_PER_SECOND

    def play(self) -> None:
        """Let time run; from the end, once more from the start."""
        recording = self._cursor.recording
        if recording is None or not len(recording) or self._playing:
            return
        if self._at_end():
            self._cursor.first()
        self._due = 0.0
        self._playing = True
        self.changed.emit()

    def pause(self) -> None:
        """Stay where we are."""
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
        """So much time has passed on the clock: move on, and stop at the end of a finished run."""
        if not self._playing:
            return
        if self._cursor.recording is None:
            self.pause()
            return
        if self._granularity is Granularity.EVENT:
            self._cursor.go_to_time(self._cursor.time + self.speed * seconds)
        else:
            self._due = min(self._due + self.pace * seconds, _STEPS_AT_ONCE)
            while self._due >= 1.0:
                self._due -= 1.0
                self.step_forward()
        if self._at_end():
            self.pause()

    def step_forward(self) -> None:
        """One step on."""
        if self._granularity is Granularity.LINE:
            self._cursor.next_step()
        elif self._granularity is Granularity.DECISION:
            self._cursor.next_decision()
        else:
            self._cursor.next_event()

    def step_back(self) -> None:
        """One step back."""
        if self._granularity is Granularity.LINE:
            self._cursor.previous_step()
        elif self._granularity is Granularity.DECISION:
            self._cursor.previous_decision()
        else:
            self._back_by_events(1)

    def leap_forward(self) -> None:
        """A larger step on: an event, or ten of them when a step is an event."""
        self._cursor.next_event(self._events_in_a_leap())

    def leap_back(self) -> None:
        """A larger step back."""
        self._back_by_events(self._events_in_a_leap())

    def _events_in_a_leap(self) -> int:
        return _EVENTS_IN_A_LEAP if self._granularity is Granularity.EVENT else 1

    def _back_by_events(self, count: int) -> None:
        """Back by events; from a time after the last event, that event's own time is the first of them."""
        cursor = self._cursor
        recording, place = cursor.recording, cursor.place
        between = recording is not None and cursor.time > (
            float(recording.times[place.position - 1]) if place.position else 0.0
        )
        if between:
            cursor.go_to(Place(place.position - count + 1))
        else:
            cursor.previous_event(count)

    def _at_end(self) -> bool:
        recording = self._cursor.recording
        if recording is None or not recording.complete:
            return False
        place = self._cursor.place
        return place.position == len(recording) and place.attempt is None

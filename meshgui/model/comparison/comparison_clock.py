"""The one clock of compared runs: it reads times, numbers of events, or jobs, and moves every cursor."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import numpy as np

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.model.base.signals import Signal
from meshgui.model.moment.clock_words import clock_words
from meshgui.model.moment.position import Position
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.player import FACTORS

_LEAP: Final = 10
_SECONDS_FOR_A_RUN: Final = 60.0
_STEPS_A_SECOND: Final = 2.0
_START: Final = -1.0  # before what happens at time 0


class ClockKind(StrEnum):
    """What is the same in all runs: the time, the number of events, or the job that has just started."""

    TIME = "time"
    EVENT = "event"
    JOB = "job"


class ComparisonClock:
    """The value of the clock, and the cursors at it. Emits `changed` when value, kind or playing changes.

    At a time every run shows all events up to it. At a number of events it shows so many of its own. At a job
    it shows the moment after that job's start; where the job is rejected, the moment after that, and where it
    has not started yet, the last moment known.
    """

    def __init__(self) -> None:
        self.changed: Signal[[]] = Signal()
        self.kind = ClockKind.TIME
        self.value = _START
        self.playing = False
        self.factor = 1.0
        self._cursors: tuple[Cursor, ...] = ()
        self._times: tuple[tuple[Recording, ...], Floats] | None = None

    def set_cursors(self, cursors: Sequence[Cursor]) -> None:
        """Move these cursors from now on, and put them at the present value."""
        self._cursors = tuple(cursors)
        self.settle()

    def settle(self) -> None:
        """Put every cursor at the value; runs may have grown or been replaced."""
        for cursor in self._cursors:
            self._place(cursor)
        self.changed.emit()

    @property
    def limit(self) -> float:
        """The greatest value that some run reaches."""
        recordings = self._recordings
        if self.kind is ClockKind.TIME:
            return max((recording.end_time for recording in recordings), default=0.0)
        if self.kind is ClockKind.EVENT:
            return float(max(map(len, recordings), default=0))
        return float(max((len(recording.jobs) - 1 for recording in recordings), default=0))

    @property
    def share(self) -> float:
        """How far the value is, from 0 to 1."""
        return min(max(self.value, 0.0) / self.limit, 1.0) if self.limit else 0.0

    @property
    def at_start(self) -> bool:
        """Whether there is nothing before the value."""
        return self.value <= self._least

    @property
    def at_end(self) -> bool:
        """Whether there is nothing after the value."""
        return self.value >= self.limit

    @property
    def in_cycles(self) -> bool:
        """Whether the time of every run counts the cycles of its network."""
        return bool(self._recordings) and all(one.network is not None for one in self._recordings)

    @property
    def words(self) -> str:
        """The value with what it means."""
        if self.kind is ClockKind.TIME:
            time = max(self.value, 0.0)
            return clock_words(self._recordings[0], time) if self.in_cycles else f"t {formatted(time, '.2f')}"
        if self.kind is ClockKind.EVENT:
            return tr("event {event:.0f} of {events:.0f}").format(event=self.value, events=self.limit)
        return tr("job {job:.0f} starts").format(job=self.value)

    @property
    def time(self) -> float:
        """The time that is shown; of another quantity than time, that of the first run."""
        if self.kind is ClockKind.TIME or not self._cursors:
            return self.value
        cursor = self._cursors[0]
        return cursor.time if cursor.position.events else _START

    # Moves

    def choose(self, kind: ClockKind) -> None:
        """Read another quantity, at the moment at which the first run is."""
        if kind is self.kind:
            return
        cursor = self._cursors[0] if self._cursors else None
        self.kind = kind
        if cursor is None or cursor.recording is None:
            self.go_to(self._least)
        elif kind is ClockKind.TIME:
            self.go_to(cursor.time if cursor.position.events or cursor.time else _START)
        elif kind is ClockKind.EVENT:
            self.go_to(float(cursor.position.events))
        else:
            self.go_to(float(_latest_start(cursor.recording, cursor.position.events)))

    def go_to(self, value: float) -> None:
        """Set the value, within its limits."""
        self.value = max(self._least, min(value, self.limit))
        self.settle()

    def go_to_start_of(self, job: int, time: float) -> None:
        """Go to the time at which a job starts in some run; where jobs are counted, to the job."""
        if self.kind is ClockKind.JOB:
            self.go_to(job)
        else:
            self.choose(ClockKind.TIME)
            self.go_to(time)

    def go_to_share(self, share: float) -> None:
        """Set the value to a share of its limit; of events and jobs to a whole number."""
        value = share * self.limit
        self.go_to(value if self.kind is ClockKind.TIME else round(value))

    def first(self) -> None:
        """Go to the start."""
        self.go_to(self._least)

    def last(self) -> None:
        """Go to the end of the longest run."""
        self.go_to(self.limit)

    def step(self, count: int) -> None:
        """Pause, and go on or back by this many moments at which something happens in some run."""
        self.pause()
        if self.kind is not ClockKind.TIME:
            self.go_to(self.value + count)
            return
        times = self._all_times()
        if count > 0:
            at = min(int(np.searchsorted(times, self.value, side="right")) + count, len(times)) - 1
        else:
            at = max(int(np.searchsorted(times, self.value, side="left")) + count, 0)
        if 0 <= at < len(times) and (times[at] - self.value) * count > 0:
            self.go_to(float(times[at]))

    def leap(self, way: int) -> None:
        """Pause, and go ten steps on (1) or back (-1)."""
        self.step(way * _LEAP)

    # Playing

    def toggle(self) -> None:
        """Play, from the end again from the start; or pause."""
        if self.playing:
            self.pause()
        elif self.limit > 0:
            self.playing = True
            if self.at_end:
                self.first()
            else:
                self.changed.emit()

    def pause(self) -> None:
        """Stop playing."""
        if self.playing:
            self.playing = False
            self.changed.emit()

    def change_speed(self, by: int) -> None:
        """Choose the next higher (1) or lower (-1) speed."""
        self.factor = FACTORS[min(max(FACTORS.index(self.factor) + by, 0), len(FACTORS) - 1)]
        self.changed.emit()

    @property
    def pace(self) -> float:
        """By how much the value grows in a second of playing: at factor 1 a run takes a minute."""
        if self.kind is ClockKind.TIME:
            return self.factor * self.limit / _SECONDS_FOR_A_RUN
        return self.factor * _STEPS_A_SECOND

    def advance(self, by: float) -> None:
        """Play on by so much, and stop at the end."""
        if not self.playing:
            return
        self.go_to(max(self.value, 0.0) + by)
        if self.at_end:
            self.pause()

    # Inside

    @property
    def _recordings(self) -> tuple[Recording, ...]:
        return tuple(cursor.recording for cursor in self._cursors if cursor.recording is not None)

    @property
    def _least(self) -> float:
        return _START if self.kind is ClockKind.TIME else 0.0

    def _all_times(self) -> Floats:
        """The start, and every time at which something happens in some run."""
        recordings = self._recordings
        if self._times is None or self._times[0] != recordings:
            times = np.unique(np.concatenate([[_START], *(recording.times for recording in recordings)]))
            self._times = recordings, times
        return self._times[1]

    def _place(self, cursor: Cursor) -> None:
        recording = cursor.recording
        if recording is None:
            return
        if self.kind is ClockKind.TIME:
            if self.value < 0:
                cursor.first()
            else:
                cursor.go_to_time(self.value)
        elif self.kind is ClockKind.EVENT:
            cursor.go_to(Position(int(self.value)))
        else:
            cursor.go_to(Position(_after_start(recording, int(self.value))))


def _after_start(recording: Recording, job: int) -> int:
    """The position after a job's start, or its rejection; the last one where neither has happened."""
    if job >= len(recording.jobs):
        return len(recording)
    first = recording.stints_at(0)
    event = min(int(first.started[job]), int(first.ended[job]))
    return len(recording) if event == NEVER else event + 1


def _latest_start(recording: Recording, position: int) -> int:
    """The job that has started last at a position; job 0 where none has."""
    begun = recording.stints_at(position).started
    started = np.where(begun < position, begun, -1)
    return int(started.argmax()) if len(started) else 0

"""Places of a run in reading order, which breakpoints and bookmarks are found by."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple, Self

from meshgui.engine.runs.recording import Recording


class InstantPhase(IntEnum):
    """What follows an event, in order."""

    EVENT = 0  # right after it
    ATTEMPT = 1  # the steps of the allocation attempts made there
    BETWEEN = 2  # the time until the next event
    RELEASE = 3  # the steps of the release that leads to it


class Instant(NamedTuple):
    """A place of a run. Of two, the one that is read first is the less."""

    events: int
    phase: InstantPhase = InstantPhase.EVENT
    attempt: int = 0
    step: int = 0
    time: float = 0.0

    @classmethod
    def of_time(cls, time: float) -> Self:
        """A time of any run."""
        return cls(0, InstantPhase.BETWEEN, time=time)

    @classmethod
    def after_events(cls, recording: Recording, events: int) -> Self:
        """Right after this many events."""
        return cls(events, time=_time_of(recording, events))

    @classmethod
    def at_time(cls, recording: Recording, time: float) -> Self:
        """When all events up to a time have happened."""
        events = recording.position_at(time)
        return cls(
            events,
            InstantPhase.BETWEEN if time > _time_of(recording, events) else InstantPhase.EVENT,
            time=time,
        )

    @classmethod
    def in_attempt(cls, recording: Recording, attempt: int, step: int) -> Self:
        """At a step of an attempt."""
        events = recording.attempts[attempt].position
        return cls(events, InstantPhase.ATTEMPT, attempt, step, _time_of(recording, events))

    @classmethod
    def in_release(cls, recording: Recording, events: int, step: int) -> Self:
        """At a step of the release of the job that leaves next."""
        return cls(events, InstantPhase.RELEASE, step=step, time=_time_of(recording, events + 1))

    @property
    def time_alone(self) -> Instant:
        """The same time of another run; the start of one is that of any."""
        return self if self == Instant(0) else Instant.of_time(self.time)

    def is_reached(self, recording: Recording) -> bool:
        """Whether a run, perhaps in progress, has all that happens there."""
        return recording.over or recording.end_time > self.time

    @property
    def inside(self) -> int | None:
        """The attempt it lies in, if any."""
        return self.attempt if self.phase == InstantPhase.ATTEMPT else None


def _time_of(recording: Recording, events: int) -> float:
    return float(recording.times[events - 1]) if events else 0.0

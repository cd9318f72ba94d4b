"""Named places of a run."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np

from meshgui.engine.basics.guard import StrategyError, short_calls
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import harmless
from meshgui.engine.runs.recording import Recording
from meshgui.model.base.signals import Signal
from meshgui.model.moment.instant import Instant, InstantPhase

_UNKNOWN: Final = -1  # the attempt and its place where only a time and a step are given
_LATEST: Final = sys.float_info.max  # JSON has whole numbers that are larger


class Bookmark(NamedTuple):
    """A place with a name."""

    name: str
    instant: Instant

    def as_data(self) -> dict[str, Any]:
        """The bookmark as JSON has it."""
        return {"name": self.name, **instant_data(self.instant)}

    @classmethod
    def from_data(cls, data: object) -> Bookmark | None:
        """A bookmark from JSON; None where it is not valid."""
        instant = instant_from(data)
        name = data.get("name") if isinstance(data, dict) else None
        return None if instant is None else cls(harmless(name) if isinstance(name, str) else "", instant)


def instant_data(instant: Instant) -> dict[str, Any]:
    """A place as JSON has it: its time, its events, and the step (from 1) of an attempt or a release."""
    data: dict[str, Any] = {"time": instant.time, "events": instant.events}
    if instant.inside is not None:
        data |= {"attempt": instant.attempt, "step": instant.step + 1}
    elif instant.phase == InstantPhase.RELEASE:
        data |= {"release": True, "step": instant.step + 1}
    return data


def instant_from(data: object) -> Instant | None:
    """A place from JSON; None where it is not valid. What belongs to another run is left for `settled`."""
    if not isinstance(data, dict):
        return None
    time = data.get("time")
    if not isinstance(time, int | float) or isinstance(time, bool) or not 0 <= time <= _LATEST:
        return None
    events, attempt, step = (count_in(data.get(key)) for key in ("events", "attempt", "step"))
    if events is None and step is not None:  # typed: of an attempt made at that time
        return Instant(_UNKNOWN, InstantPhase.ATTEMPT, _UNKNOWN, max(step - 1, 0), float(time))
    if events is None:
        return Instant.of_time(float(time))
    if attempt is not None:
        return Instant(events, InstantPhase.ATTEMPT, attempt, max((step or 1) - 1, 0), float(time))
    if data.get("release") is True:
        return Instant(events, InstantPhase.RELEASE, step=max((step or 1) - 1, 0), time=float(time))
    return Instant(events, time=float(time))


def counts_steps(instant: Instant) -> bool:
    """Whether a place is a step of the attempts at a time, so that `settled` searches for their steps."""
    return instant.inside == _UNKNOWN


def settled(instant: Instant, recording: Recording) -> Instant:
    """The same place in a recording: to the step where the run is the same there, else by its time."""
    events, attempt = instant.events, instant.inside
    if counts_steps(instant):
        return _step_at(recording, instant)
    there = events <= len(recording) and Instant.after_events(recording, events).time == instant.time
    if there and attempt is not None and attempt in recording.attempts_at(events):
        return Instant.in_attempt(recording, attempt, instant.step)
    if instant.phase == InstantPhase.RELEASE and recording.leaving_at(events) is not None:
        release = Instant.in_release(recording, events, instant.step)
        if release.time == instant.time:
            return release
    if there and instant.phase != InstantPhase.BETWEEN:
        return Instant.after_events(recording, events)
    return Instant.at_time(recording, min(instant.time, recording.end_time))


def lacks_step(wanted: Instant, found: Instant) -> bool:
    """Whether a step of an attempt at some time was wanted, and nothing was attempted then."""
    return counts_steps(wanted) and found.inside is None


def _step_at(recording: Recording, wanted: Instant) -> Instant:
    """A step of the attempts made at a time, counted over all; the time itself where there is none."""
    at = Instant.at_time(recording, min(wanted.time, recording.end_time))
    if not at.events:
        return at
    first = int(np.searchsorted(recording.times, recording.times[at.events - 1])) + 1
    attempts = range(recording.attempts_at(first).start, recording.attempts_at(at.events).stop)
    step, place = wanted.step, at
    try:
        with short_calls():
            for attempt in attempts:
                steps = max(len(recording.trace(attempt).steps), 1)
                place = Instant.in_attempt(recording, attempt, min(step, steps - 1))
                if step < steps:
                    break
                step -= steps
    except StrategyError:
        return at
    return place


def count_in(value: object) -> int | None:
    """A whole number from JSON that is not negative; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


class Bookmarks:
    """The bookmarks of a scenario, in the order of the run. Emits `changed`."""

    def __init__(self) -> None:
        self.changed: Signal[[]] = Signal()
        self._all: tuple[Bookmark, ...] = ()

    @property
    def all(self) -> tuple[Bookmark, ...]:
        """All of them."""
        return self._all

    def replace(self, bookmarks: Iterable[Bookmark]) -> None:
        """Have these in place of those there are."""
        new = tuple(sorted(bookmarks, key=lambda bookmark: bookmark.instant))
        if new != self._all:
            self._all = new
            self.changed.emit()

    def add(self, instant: Instant, name: str = "") -> Bookmark:
        """Set a bookmark, with a name that says when if there is none."""
        inside = instant.phase in {InstantPhase.ATTEMPT, InstantPhase.RELEASE}
        when = tr("t {time:.2f}, step {step}") if inside else tr("t {time:.2f}")
        added = Bookmark(name or when.format(time=instant.time, step=instant.step + 1), instant)
        self.replace((*self._all, added))
        return added

    def rename(self, bookmark: Bookmark, name: str) -> None:
        """Give a bookmark another name."""
        self.replace(b._replace(name=name) if b is bookmark or b == bookmark else b for b in self._all)

    def remove(self, bookmark: Bookmark) -> None:
        """Remove a bookmark."""
        self.replace(b for b in self._all if b != bookmark)

    def next_after(self, instant: Instant) -> Bookmark | None:
        """The first bookmark after a place; the very first where there is none."""
        return next((b for b in self._all if b.instant > instant), self._all[0] if self._all else None)

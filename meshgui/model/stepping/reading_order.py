"""The positions of a recording in reading order, forwards and back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from meshgui.engine.runs.recording import Recording
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position


class ReadingOrder:
    """The neighbours of positions. `view_at` gives the view of an attempt or a release, with its steps."""

    def __init__(self, recording: Recording, view_at: Callable[[Position], View]) -> None:
        self.recording = recording
        self._view_at = view_at

    def after(self, position: Position) -> Position:
        """One pseudo-code line on, into the attempts and releases between events."""
        recording, events = self.recording, position.events
        if position.inside and position.step + 1 < self._steps(position):
            return position._replace(step=position.step + 1)
        attempts = recording.attempts_at(events)
        following = attempts.start if position.attempt is None else position.attempt + 1
        if not position.release:
            if following < attempts.stop:
                return Position(events, following)
            if recording.leaving_at(events) is not None:
                return Position(events, release=True)
        return Position(events + 1) if events < len(recording) else position

    def before(self, position: Position) -> Position:
        """One pseudo-code line back."""
        recording, events = self.recording, position.events
        if position.inside and position.step > 0:
            return position._replace(step=position.step - 1)
        if not position.inside:
            if events == 0:
                return position
            events -= 1
            if recording.leaving_at(events) is not None:
                return self._last_step(Position(events, release=True))
        attempts = recording.attempts_at(events)
        preceding = (attempts.stop if position.attempt is None else position.attempt) - 1
        if preceding < attempts.start:
            return Position(events)
        return self._last_step(Position(events, preceding))

    def before_gap(self, events: int) -> Position:
        """The last place before the time passes that follows a number of events."""
        attempts = self.recording.attempts_at(events)
        return self._last_step(Position(events, attempts.stop - 1)) if attempts else Position(events)

    def decision_after(self, position: Position) -> Position:
        """The next step that settles something, or the next event."""
        position = self.after(position)
        while position.inside:
            found = self._decisions(position)
            ahead = found[found >= position.step]
            if len(ahead):
                return position._replace(step=int(ahead[0]))
            position = self.after(position._replace(step=self._steps(position) - 1))
        return position

    def decision_before(self, position: Position) -> Position:
        """The previous step that settles something, or the previous event."""
        position = self.before(position)
        while position.inside:
            found = self._decisions(position)
            behind = found[found <= position.step]
            if len(behind):
                return position._replace(step=int(behind[-1]))
            position = self.before(position.first_step)
        return position

    def next_inside(self, position: Position) -> Position | None:
        """The first step of the next attempt or release."""
        recording = self.recording
        attempt = recording.attempts_at(position.events).start
        leave = recording.next_release(position.events)
        places = [] if leave is None else [Position(leave, release=True)]
        if attempt < len(recording.attempts):
            places.append(Position(recording.attempts[attempt].position, attempt))
        return min(places, key=lambda place: (place.events, place.release), default=None)

    def _last_step(self, position: Position) -> Position:
        """The last step of an attempt or a release; a strategy may log none."""
        return position._replace(step=max(self._steps(position) - 1, 0))

    def _steps(self, position: Position) -> int:
        """The steps of an attempt or a release; none where the strategy cannot be stepped."""
        trace = self._view_at(position).trace
        return 0 if trace is None else len(trace.steps)

    def _decisions(self, position: Position) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        view = self._view_at(position)
        if view.trace is None:
            return np.zeros(0, dtype=np.intp)
        settles = np.array([line.decision for line in view.lines], dtype=bool)
        return np.flatnonzero(settles[view.trace.steps.lines()])

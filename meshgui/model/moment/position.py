"""The place of a cursor in a recording.

A position is a number of events that have happened, and possibly a step of an allocation attempt made there,
or of the release of the job that leaves next. In reading order: after n events, the steps of each attempt
made there, those of a release, after n + 1 events.
"""

from __future__ import annotations

from typing import NamedTuple


class Position(NamedTuple):
    """The number of events that have happened, and the step of an attempt or a release, if inside one."""

    events: int
    attempt: int | None = None
    step: int = 0
    release: bool = False  # whether the step is one of the release that leads to the next event

    @property
    def inside(self) -> bool:
        """Whether it is a step of an attempt or of a release."""
        return self.release or self.attempt is not None

    @property
    def first_step(self) -> Position:
        """The first step of the same attempt or release."""
        return self._replace(step=0)

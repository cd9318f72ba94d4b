"""What becomes of a waiting job at the time shown: the one finding of sentence, panel and mesh."""

from __future__ import annotations

from enum import Enum, auto

from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.runs.snapshot import Snapshot


class Outlook(Enum):
    """What becomes of a job in the queue at one time."""

    WAITS = auto()
    """It cannot be placed, or its turn does not come."""
    STARTS = auto()
    """It starts at this very time, after what else happens then."""
    OPEN = auto()
    """More happens at this time before it has its turn, or the run has not come so far."""


def outlook(recording: Recording, snapshot: Snapshot, job: int) -> Outlook:
    """What becomes of the job at the time of the snapshot."""
    position, time = snapshot.position, snapshot.time
    start = int(recording.stints_at(position).started[job])
    if start != NEVER and start >= position and float(recording.times[start]) == time:
        return Outlook.STARTS
    if any(recording.attempts[attempt].job == job for attempt in recording.attempts_at(position)):
        return Outlook.WAITS
    at_end = position == len(recording)
    more_happens = not recording.over if at_end else float(recording.times[position]) == time
    return Outlook.OPEN if more_happens else Outlook.WAITS

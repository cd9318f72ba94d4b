"""Attempts and releases of a run stepped once more: the lines of pseudo-code, in words and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from meshgui.engine.allocation.base import (
    AttemptTrace,
    Boxes,
    ReleaseTrace,
    Reservation,
    Strategy,
    outcome_of,
)
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.allocation.steps import Role, parted
from meshgui.engine.runs.recording import Recording


@dataclass(frozen=True)
class SteppedWork:
    """What was done at a position, stepped once more."""

    time: float
    position: int
    operations: int
    strategy: Strategy
    lines: tuple[Line, ...]
    trace: AttemptTrace | ReleaseTrace

    def said(self) -> Iterator[str]:
        """The strategy's sentence for each step."""
        for count in range(1, len(self.trace.steps) + 1):
            yield self.strategy.say(self.trace.moment(count))

    def as_json(self) -> dict[str, Any]:
        """It as data. Lines are counted from 1; a mark that concerns no box has none."""
        steps = []
        for step, says in zip(self.trace.steps, self.said(), strict=True):
            line = self.lines[step.line]
            marks = [
                {
                    "role": mark.role.name.lower(),
                    "box": None if mark.role == Role.NOTHING else list(mark.box),
                    "values": list(mark.values),
                }
                for mark in parted(step.marks, self.strategy.mesh)
            ]
            steps.append(
                {"line": step.line + 1, "label": line.label, "text": line.text, "says": says, "marks": marks}
            )
        done = {"time": self.time, "position": self.position, "operations": self.operations}
        return done | {"steps": steps}


@dataclass(frozen=True)
class SteppedAttempt(SteppedWork):
    """One attempt."""

    trace: AttemptTrace

    @property
    def outcome(self) -> str:
        """What came out."""
        return outcome_of(self.trace.outcome).name.lower()

    @property
    def reserved(self) -> Boxes:
        """The box promised in place of boxes given, if that came out."""
        outcome = self.trace.outcome
        return (outcome.box,) if isinstance(outcome, Reservation) else ()

    def as_json(self) -> dict[str, Any]:
        """See SteppedWork; with the outcome."""
        return super().as_json() | {
            "outcome": self.outcome,
            "boxes": [list(box) for box in self.trace.boxes or ()],
            "reserved": [list(box) for box in self.reserved],
        }


def stepped_attempt(recording: Recording, attempt: int) -> SteppedAttempt:
    """An attempt by its number in the run."""
    position = recording.attempts[attempt].position
    working = recording.strategy_at(position)
    before = working.operations
    trace = recording.repeated(attempt, working)
    now, operations = trace.request.now, working.operations - before
    return SteppedAttempt(now, position, operations, working, working.lines, trace)


def stepped_release(recording: Recording, job: int) -> SteppedWork | None:
    """The release of a job, if it has steps and has happened."""
    position = int(recording.ended[job])
    if recording.leaving_at(position) != job:
        return None
    working = recording.strategy_at(position)
    before = working.operations
    trace, time = working.trace_release(job), float(recording.times[position])
    return SteppedWork(time, position, working.operations - before, working, working.release_lines, trace)

"""`meshgui trace`: what the pseudo-code did in each allocation attempt of a job."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from meshgui.cli import output
from meshgui.cli.arguments import Parser, whole_number
from meshgui.cli.faults import UsageError
from meshgui.cli.scenarios import read, recorded, working_on
from meshgui.engine.allocation.base import AttemptTrace, Boxes, Reservation, Strategy
from meshgui.engine.allocation.inspection import Moment
from meshgui.engine.allocation.steps import Role
from meshgui.engine.attempts import AttemptOutcome
from meshgui.engine.geometry import describe_size
from meshgui.engine.recording import Recording
from meshgui.engine.simulation import Simulation
from meshgui.engine.words import so_many

__all__ = ["declare", "execute"]


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.file()
    parser.add_argument(
        "--job", metavar="K", type=whole_number, required=True, help="jobs are numbered from 0 as they arrive"
    )
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    scenario = read(options.file)
    with working_on(options.file):
        _step(Simulation(scenario), options)
    return 0


def _step(simulation: Simulation, options: Namespace) -> None:
    job, jobs = options.job, len(simulation.jobs)
    if job >= jobs:
        raise UsageError(f"{options.file}: --job: expected a job from 0 to {jobs - 1}, got {job}")
    recording = recorded(simulation)
    attempts = [_attempt(recording, attempt) for attempt in recording.attempts_of(job)]
    if options.json:
        size = list(recording.size(job)[: recording.mesh.dims])
        data = {"job": job, "size": size, "attempts": [attempt.as_json() for attempt in attempts]}
        output.write_json(data)
    else:
        output.write("\n".join(_in_words(recording, job, attempts)))


@dataclass(frozen=True)
class _Attempt:
    """One attempt, stepped once more."""

    position: int
    operations: int
    strategy: Strategy
    trace: AttemptTrace

    @property
    def outcome(self) -> str:
        """What came out."""
        return AttemptOutcome.of(self.trace.outcome).name.lower()

    @property
    def reserved(self) -> Boxes:
        """The box promised in place of boxes given, if that came out."""
        outcome = self.trace.outcome
        return (outcome.box,) if isinstance(outcome, Reservation) else ()

    def said(self) -> Iterator[str]:
        """The strategy's sentence for each step."""
        trace = self.trace
        for end in range(1, len(trace.steps) + 1):
            yield self.strategy.say(Moment(trace.before, trace.request, trace.steps[:end]))

    def as_json(self) -> dict[str, Any]:
        """The attempt as data. Lines are counted from 1; a mark that concerns no box has none."""
        steps = []
        for step, says in zip(self.trace.steps, self.said(), strict=True):
            line = self.strategy.lines[step.line]
            marks = [
                {
                    "role": mark.role.name.lower(),
                    "box": None if mark.role == Role.NOTHING else list(mark.box),
                    "values": list(mark.values),
                }
                for mark in step.marks
            ]
            steps.append(
                {"line": step.line + 1, "label": line.label, "text": line.text, "says": says, "marks": marks}
            )
        return {
            "time": self.trace.request.now,
            "position": self.position,
            "outcome": self.outcome,
            "boxes": [list(box) for box in self.trace.boxes or ()],
            "reserved": [list(box) for box in self.reserved],
            "operations": self.operations,
            "steps": steps,
        }


def _attempt(recording: Recording, attempt: int) -> _Attempt:
    position = recording.attempts[attempt].position
    working = recording.strategy_at(position)
    before = working.operations
    trace = recording.repeated(attempt, working)
    return _Attempt(position, working.operations - before, working, trace)


def _in_words(recording: Recording, job: int, attempts: list[_Attempt]) -> Iterator[str]:
    cls, mesh = recording.strategy, recording.mesh
    asked = describe_size(recording.size(job), mesh.dims)
    count = so_many(len(attempts), "attempt")
    yield f"Job {job} asks for {asked} of the {mesh.describe()} mesh: {cls.title}, {count}"
    refusal = recording.new_strategy().refusal(recording.size(job))
    if refusal is not None:
        yield f"Rejected on arrival: {refusal}"
    elif attempts:
        yield ""
        width = max((len(line.text) + 2 * line.indent for line in cls.lines), default=0)
        for number, line in enumerate(cls.lines, 1):
            yield f"{number:4}  {('  ' * line.indent + line.text).ljust(width)}  {line.label}"
    for number, attempt in enumerate(attempts, 1):
        yield ""
        boxes = attempt.trace.boxes or attempt.reserved
        held = ", ".join(box.describe(flat=mesh.dims == 2) for box in boxes)
        yield (
            f"Attempt {number} at time {attempt.trace.request.now:.6g}, after {attempt.position} events: "
            f"{attempt.outcome}{' at ' if held else ''}{held} ({_counted(attempt.operations)})"
        )
        yield from _steps_in_words(attempt, flat=mesh.dims == 2)


def _steps_in_words(attempt: _Attempt, *, flat: bool) -> Iterator[str]:
    label_width = max((len(line.label) for line in attempt.strategy.lines), default=0)
    for step, says in zip(attempt.trace.steps, attempt.said(), strict=True):
        line = attempt.strategy.lines[step.line]
        yield f"{step.line + 1:4}  {line.label.ljust(label_width)}  {says}".rstrip()
        for mark in step.marks:
            if mark.role != Role.NOTHING:
                yield f"{'':{8 + label_width}}{mark.role.name.lower():10}  {mark.box.describe(flat=flat)}"


def _counted(operations: int) -> str:
    return so_many(operations, "operation")

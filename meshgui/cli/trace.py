"""`meshgui trace`: what the pseudo-code did in each allocation attempt of a job, and in its release."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from meshgui.cli import output
from meshgui.cli.arguments import Parser, whole_number
from meshgui.cli.faults import UsageError
from meshgui.cli.scenarios import read, recorded, working_on
from meshgui.engine.allocation.base import (
    AttemptTrace,
    Boxes,
    ReleaseTrace,
    Reservation,
    Strategy,
    outcome_of,
)
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import describe_size
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import so_many
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.file()
    parser.add_argument(
        "--job",
        metavar="K",
        type=whole_number,
        required=True,
        help=tr("jobs are numbered from 0 as they arrive"),
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
        raise UsageError(
            tr("{file}: --job: expected a job from 0 to {jobs}, got {job}").format(
                file=options.file, jobs=jobs - 1, job=job
            )
        )
    recording = recorded(simulation)
    attempts = [_attempt(recording, attempt) for attempt in recording.attempts_of(job)]
    release = _release(recording, job)
    if options.json:
        size = list(recording.size(job)[: recording.mesh.dims])
        data = {"job": job, "size": size, "attempts": [attempt.as_json() for attempt in attempts]}
        output.write_json(data | {"release": None if release is None else release.as_json()})
    else:
        output.write("\n".join(_in_words(recording, job, attempts, release)))


@dataclass(frozen=True)
class _Stepped:
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
                for mark in step.marks
            ]
            steps.append(
                {"line": step.line + 1, "label": line.label, "text": line.text, "says": says, "marks": marks}
            )
        done = {"time": self.time, "position": self.position, "operations": self.operations}
        return done | {"steps": steps}


@dataclass(frozen=True)
class _Attempt(_Stepped):
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
        """See _Stepped; with the outcome."""
        return super().as_json() | {
            "outcome": self.outcome,
            "boxes": [list(box) for box in self.trace.boxes or ()],
            "reserved": [list(box) for box in self.reserved],
        }


def _attempt(recording: Recording, attempt: int) -> _Attempt:
    position = recording.attempts[attempt].position
    working = recording.strategy_at(position)
    before = working.operations
    trace = recording.repeated(attempt, working)
    now, operations = trace.request.now, working.operations - before
    return _Attempt(now, position, operations, working, working.lines, trace)


def _release(recording: Recording, job: int) -> _Stepped | None:
    """The release of a job, if it has steps and has happened."""
    position = int(recording.ended[job])
    if recording.leaving_at(position) != job:
        return None
    working = recording.strategy_at(position)
    before = working.operations
    trace, time = working.trace_release(job), float(recording.times[position])
    return _Stepped(time, position, working.operations - before, working, working.release_lines, trace)


def _in_words(
    recording: Recording, job: int, attempts: list[_Attempt], release: _Stepped | None
) -> Iterator[str]:
    cls, mesh = recording.strategy, recording.mesh
    asked = describe_size(recording.size(job), mesh.dims)
    count = so_many(len(attempts), "attempt")
    yield tr("Job {job} asks for {asked} of the {mesh} mesh: {strategy}, {attempts}").format(
        job=job, asked=asked, mesh=mesh.describe(), strategy=cls.title, attempts=count
    )
    refusal = recording.new_strategy().refusal(recording.size(job))
    if refusal is not None:
        yield tr("Rejected on arrival: {refusal}").format(refusal=refusal)
    elif attempts:
        yield from _code_in_words(cls.lines)
    for number, attempt in enumerate(attempts, 1):
        yield ""
        boxes = attempt.trace.boxes or attempt.reserved
        held = ", ".join(box.describe(flat=mesh.dims == 2) for box in boxes)
        said = tr("Attempt {attempt} at time {time:.6g}, after {position} events: {outcome} ({operations})")
        if held:
            said = tr(
                "Attempt {attempt} at time {time:.6g}, after {position} events: "
                "{outcome} at {boxes} ({operations})"
            )
        yield said.format(
            attempt=number,
            time=attempt.time,
            position=attempt.position,
            outcome=attempt.outcome,
            boxes=held,
            operations=_counted(attempt.operations),
        )
        yield from _steps_in_words(attempt, flat=mesh.dims == 2)
    if release is not None:
        yield from _code_in_words(release.lines)
        yield ""
        yield (
            tr("Release at time {time:.6g}, after {position} events ({operations})").format(
                time=release.time, position=release.position, operations=_counted(release.operations)
            )
        )
        yield from _steps_in_words(release, flat=mesh.dims == 2)


def _code_in_words(lines: tuple[Line, ...]) -> Iterator[str]:
    yield ""
    width = max((len(line.text) + 2 * line.indent for line in lines), default=0)
    for number, line in enumerate(lines, 1):
        yield f"{number:4}  {('  ' * line.indent + line.text).ljust(width)}  {line.label}"


def _steps_in_words(stepped: _Stepped, *, flat: bool) -> Iterator[str]:
    label_width = max((len(line.label) for line in stepped.lines), default=0)
    for step, says in zip(stepped.trace.steps, stepped.said(), strict=True):
        line = stepped.lines[step.line]
        yield f"{step.line + 1:4}  {line.label.ljust(label_width)}  {says}".rstrip()
        for mark in step.marks:
            if mark.role != Role.NOTHING:
                yield f"{'':{8 + label_width}}{mark.role.name.lower():10}  {mark.box.describe(flat=flat)}"


def _counted(operations: int) -> str:
    return so_many(operations, "operation")

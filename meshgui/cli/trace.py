"""`meshgui trace`: what the pseudo-code did in each allocation attempt of a job, and in its release."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from meshgui.cli import output
from meshgui.cli.arguments import Parser, whole_number
from meshgui.cli.faults import UsageError
from meshgui.cli.scenarios import read, recorded, remark_dropped_times, working_on
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import Mesh, describe_size
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.runs.stepped import SteppedAttempt, SteppedWork, stepped_attempt, stepped_release


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
    remark_dropped_times(scenario, options.file)
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
    attempts = [stepped_attempt(recording, attempt) for attempt in recording.attempts_of(job)]
    release = stepped_release(recording, job)
    if options.json:
        size = list(recording.size(job)[: recording.mesh.dims])
        data = {"job": job, "size": size, "attempts": [attempt.as_json() for attempt in attempts]}
        output.write_json(data | {"release": None if release is None else release.as_json()})
    else:
        output.write("\n".join(_in_words(recording, job, attempts, release)))


def _in_words(
    recording: Recording, job: int, attempts: list[SteppedAttempt], release: SteppedWork | None
) -> Iterator[str]:
    cls, mesh = recording.strategy, recording.mesh
    asked = describe_size(recording.size(job), mesh.dims)
    count = count_of(len(attempts), "attempt")
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
        boxes = recording.as_blocks(attempt.trace.boxes or attempt.reserved)
        held = ", ".join(map(mesh.describe_box, boxes))
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
        yield from _steps_in_words(attempt, mesh)
    if release is not None:
        yield from _code_in_words(release.lines)
        yield ""
        yield (
            tr("Release at time {time:.6g}, after {position} events ({operations})").format(
                time=release.time, position=release.position, operations=_counted(release.operations)
            )
        )
        yield from _steps_in_words(release, mesh)


def _code_in_words(lines: tuple[Line, ...]) -> Iterator[str]:
    yield ""
    width = max((len(line.text) + 2 * line.indent for line in lines), default=0)
    for number, line in enumerate(lines, 1):
        yield f"{number:4}  {('  ' * line.indent + line.text).ljust(width)}  {line.label}"


def _steps_in_words(stepped: SteppedWork, mesh: Mesh) -> Iterator[str]:
    label_width = max((len(line.label) for line in stepped.lines), default=0)
    for step, says in zip(stepped.trace.steps, stepped.said(), strict=True):
        line = stepped.lines[step.line]
        yield f"{step.line + 1:4}  {line.label.ljust(label_width)}  {says}".rstrip()
        for mark in step.marks:
            if mark.role != Role.NOTHING:
                yield f"{'':{8 + label_width}}{mark.role.name.lower():10}  {mesh.describe_box(mark.box)}"


def _counted(operations: int) -> str:
    return count_of(operations, "operation")

"""`meshgui export`: a run in a form that other programs open, a run or a lesson as a web page."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from meshgui.cli.arguments import Parser, time, whole_number
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.run_files import another_file, run_to_files, wanted_files, write_parts
from meshgui.cli.scenarios import read, remark_dropped_times, saying_if_stopped, working_on
from meshgui.cli.written_files import ready_file
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.model.lessons.lesson_files import IN_FOLDER, is_lesson

_OF_PAGES: Final = (("--from", "begin"), ("--to", "end"), ("--job", "job"))
_OF_RUNS: Final = (("--seed", "seed"), ("--trace-events", "trace_events"), *_OF_PAGES)


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        help=tr("a scenario, NAME.meshgui.json, or with --html a lesson, NAME.lesson.md, or its folder"),
    )
    parser.add_argument("--seed", metavar="N", type=whole_number, help=tr("instead of the scenario's own"))
    parser.add_argument(
        "--trace-events",
        metavar="OUT.json",
        type=Path,
        help=tr("write a trace for viewers such as ui.perfetto.dev: jobs on processors, queue, use"),
    )
    parser.add_argument(
        "--html",
        metavar="OUT.html",
        type=Path,
        help=tr("write a web page that shows the run in any browser, without a network"),
    )
    parser.add_argument(
        "--from", metavar="A", type=time, dest="begin", help=tr("where the page begins, in time of the run")
    )
    parser.add_argument("--to", metavar="B", type=time, dest="end", help=tr("where the page ends"))
    parser.add_argument(
        "--job",
        metavar="K",
        type=whole_number,
        action="append",
        help=tr("show the steps of this job's attempts on the page; may be repeated"),
    )


def execute(options: Namespace) -> int:
    """Do it."""
    with saying_if_stopped(options.file):
        return _export_lesson(options) if is_lesson(options.file) else _export_run(options)


def _export_run(options: Namespace) -> int:
    if options.trace_events is None and options.html is None:
        raise UsageError(tr("meshgui export: expected --trace-events OUT.json or --html OUT.html"))
    if options.html is None and (given := _given(options, _OF_PAGES)):
        raise UsageError(tr("{option}: expected --html OUT.html with it").format(option=given))
    if options.begin is not None and options.end is not None and options.begin >= options.end:
        raise UsageError(
            tr("--to: expected a time after {begin:g}, got {end:g}").format(
                begin=options.begin, end=options.end
            )
        )
    scenario = read(options.file)
    known = (
        ("--trace-events", options.trace_events, tr("the trace"), _trace),
        ("--html", options.html, tr("the page"), partial(_page, options)),
    )
    remark_dropped_times(scenario, options.file)
    with working_on(options.file):
        simulation = Simulation(scenario, options.seed)
        _hold_jobs(options, len(simulation.jobs))
        run_to_files(simulation, wanted_files(options.file, known))
    return 0


def _given(options: Namespace, known: tuple[tuple[str, str], ...]) -> str:
    """The first of some options that was given."""
    return next((option for option, name in known if getattr(options, name) is not None), "")


def _hold_jobs(options: Namespace, jobs: int) -> None:
    for job in options.job or ():
        if job >= jobs:
            raise UsageError(
                tr("{file}: --job: expected a job from 0 to {jobs}, got {job}").format(
                    file=options.file, jobs=jobs - 1, job=job
                )
            )


def _trace(recording: Recording) -> Iterator[bytes]:
    from meshgui.model.export.trace_events import TooManySlicesError, trace_events  # noqa: PLC0415 - for a run

    try:
        return trace_events(recording)
    except TooManySlicesError as error:
        raise WorkFailed(f"--trace-events: {error}") from None


def _page(options: Namespace, recording: Recording) -> Iterator[bytes]:
    from meshgui.model.export.web_page import run_page  # noqa: PLC0415 - for a run
    from meshgui.model.export.web_run import WebSpan  # noqa: PLC0415
    from meshgui.model.export.web_steps import (  # noqa: PLC0415
        TooManyStepsError,
        attempts_of_job,
        attempts_of_jobs,
        usual_attempts,
    )

    if options.begin is not None and options.begin >= recording.end_time:
        raise UsageError(
            tr("{file}: --from: expected a time before the end of the run, {end:.6g}, got {begin:g}").format(
                file=options.file, end=recording.end_time, begin=options.begin
            )
        )
    span = WebSpan.of(recording, options.begin, options.end)
    for job in options.job or ():
        if not attempts_of_job(recording, span.first, span.last, job):
            raise UsageError(
                tr(
                    "{file}: --job: expected a job that is tried from {begin:.6g} to {end:.6g}, got {job}"
                ).format(file=options.file, begin=span.begin, end=span.end, job=job)
            )
    try:
        attempts = (
            attempts_of_jobs(recording, span.first, span.last, options.job)
            if options.job
            else usual_attempts(recording, span.first, span.last)
        )
    except TooManyStepsError as error:
        raise WorkFailed(tr("--job: {error}").format(error=error)) from None
    return run_page(recording, span, attempts)


def _export_lesson(options: Namespace) -> int:
    """A lesson as a page; its faults are those that `meshgui lesson check` finds."""
    from meshgui.model.export.web_lesson import lesson_page  # noqa: PLC0415 - for a lesson
    from meshgui.model.lessons.lesson_check import check_lesson  # noqa: PLC0415

    if given := _given(options, _OF_RUNS):
        raise UsageError(tr("{option}: expected a scenario, not a lesson").format(option=given))
    if options.html is None:
        raise UsageError(tr("meshgui export: expected --html OUT.html with a lesson"))
    itself = options.file / IN_FOLDER if options.file.is_dir() else options.file
    another_file(options.html, "--html", itself, tr("expected another file than the lesson itself"))
    holds = tr("the page")
    with ready_file(options.html, holds) as file, working_on(options.file):
        lesson, faults = check_lesson(options.file)
        if lesson is None or faults:
            raise UsageError(str(faults[0]))
        write_parts(options.html, holds, file, lesson_page(lesson))
    return 0

"""`meshgui export`: a run in a form that other programs open."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from meshgui.cli.arguments import Parser, whole_number
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.run_files import run_to_files, wanted_files
from meshgui.cli.scenarios import read, working_on
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.file()
    parser.add_argument("--seed", metavar="N", type=whole_number, help=tr("instead of the scenario's own"))
    parser.add_argument(
        "--trace-events",
        metavar="OUT.json",
        type=Path,
        help=tr("write a trace for viewers such as ui.perfetto.dev: jobs on processors, queue, use"),
    )


def execute(options: Namespace) -> int:
    """Do it."""
    scenario = read(options.file)
    if options.trace_events is None:
        raise UsageError(tr("meshgui export: expected --trace-events OUT.json"))
    known = (("--trace-events", options.trace_events, tr("the trace"), _trace),)
    with working_on(options.file):
        run_to_files(Simulation(scenario, options.seed), wanted_files(options.file, known))
    return 0


def _trace(recording: Recording) -> Iterator[bytes]:
    from meshgui.model.export.trace_events import MOST_SLICES, slice_count, trace_events  # noqa: PLC0415 - for a run

    if (count := slice_count(recording)) > MOST_SLICES:
        raise WorkFailed(
            tr(
                "--trace-events: expected at most {MOST_SLICES} slices, one for each processor of each "
                "job, got {count}; fewer jobs make fewer"
            ).format(MOST_SLICES=MOST_SLICES, count=count)
        )
    return trace_events(recording)

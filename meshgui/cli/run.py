"""`meshgui run`: one run without a window, its summary, and its events and measures as files."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from meshgui.cli import output
from meshgui.cli.arguments import Parser, cycles, whole_number
from meshgui.cli.batches import batches_as_json, batches_in_words, batches_of, declare_batches
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.message_words import message_rows
from meshgui.cli.run_csv import channel_table, job_table, size_table
from meshgui.cli.run_files import RunFile, run_to_files, wanted_files
from meshgui.cli.scenarios import read, remark_dropped_times, saying_if_stopped, working_on
from meshgui.cli.trace_summary import TraceSummary, trace_summary
from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import percent
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.figures import figures_of
from meshgui.engine.runs.measures import summary
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.runs.tables import table_of
from meshgui.engine.workload.trace import TraceWorkload
from meshgui.experiment.batches import BatchError, batch_figures

_CONFIDENCE: Final = 0.95


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.file()
    parser.add_argument("--seed", metavar="N", type=whole_number, help=tr("instead of the scenario's own"))
    parser.add_argument(
        "--events", metavar="OUT.jsonl", type=Path, help=tr("write what happened, one line per event")
    )
    parser.add_argument(
        "--per-job",
        metavar="OUT.csv",
        type=Path,
        help=tr("write the measures of each finished job, one row per job"),
    )
    parser.add_argument(
        "--by-size",
        metavar="OUT.csv",
        type=Path,
        help=tr("write the measures of jobs by size: 1, 2, 3 to 4, 5 to 8, … processors, one row each"),
    )
    parser.add_argument(
        "--channels",
        metavar="OUT.csv",
        type=Path,
        help=tr("write the use of each channel of the network, one row for every slice of the run"),
    )
    parser.add_argument(
        "--every", metavar="N", type=cycles, help=tr("cycles per slice (a twentieth of the run)")
    )
    declare_batches(parser, tr("cut the run into N batches of jobs and take intervals from their means"))
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    scenario = read(options.file)
    if options.every is not None and options.channels is None:
        raise UsageError(tr("meshgui run: --every: expected --channels OUT.csv as well"))
    if options.channels is not None and scenario.network is None:
        raise UsageError(
            tr("{file}: --channels: expected a scenario with a network").format(file=options.file)
        )
    batches = batches_of(options, "run")
    if batches is not None and (fault := batches.unfit(scenario)):
        raise UsageError(tr("{file}: --batches: {fault}").format(file=options.file, fault=fault))
    wanted = _wanted(options)
    remark_dropped_times(scenario, options.file)
    with saying_if_stopped(options.file), working_on(options.file):
        recording = run_to_files(Simulation(scenario, options.seed), wanted)
    try:
        samples = [] if batches is None else batch_figures(recording, batches)
    except BatchError as error:
        raise WorkFailed(tr("{file}: --batches: {error}").format(file=options.file, error=error)) from None
    if options.json:
        of_trace = _taken(recording)
        trace = {"trace": of_trace.as_json()} if of_trace is not None else {}
        cut = {} if batches is None else {"batches": batches_as_json(batches, samples, _CONFIDENCE)}
        output.write_json(_about(recording) | trace | summary(recording) | _named(recording) | cut)
    else:
        output.write(_in_words(recording))
        if batches is not None:
            output.write("\n" + batches_in_words(batches, samples, _CONFIDENCE))
    if recording.deadlock is not None:
        raise WorkFailed(f"{options.file}: {recording.deadlock.words}")
    return 0


def _wanted(options: Namespace) -> list[RunFile]:
    channels = partial(channel_table, every=options.every)
    return wanted_files(
        options.file,
        (
            ("--events", options.events, tr("the events"), _event_lines),
            ("--per-job", options.per_job, tr("the measures of jobs"), job_table),
            ("--by-size", options.by_size, tr("the measures of jobs by size"), size_table),
            ("--channels", options.channels, tr("the use of channels"), channels),
        ),
    )


def _event_lines(recording: Recording) -> Iterator[bytes]:
    return (json.dumps(line).encode() + b"\n" for line in log_lines(recording))


def _about(recording: Recording) -> dict[str, Any]:
    scenario = recording.scenario
    return {
        "title": scenario.title,
        "allocator": scenario.allocator.name,
        "scheduler": scenario.scheduler.name,
        "seed": recording.seed,
    }


def _named(recording: Recording) -> dict[str, Any]:
    """All figures under the names of the dictionary, and those of jobs by size."""
    figures, wall = figures_of(recording)
    classes = {name: column.tolist() for name, column in table_of(recording, "by_size").items()}
    by_size = [dict(zip(classes, row, strict=True)) for row in zip(*classes.values(), strict=True)]
    return {"figures": figures | wall, "by_size": by_size}


def _taken(recording: Recording) -> TraceSummary | None:
    """What the scenario took from a trace, if its jobs are from one."""
    workload = recording.scenario.workload
    return trace_summary(workload, recording.mesh) if isinstance(workload, TraceWorkload) else None


def _duration(seconds: float) -> str:
    """A time in the unit that leaves it readable."""
    for unit, scale in (("µs", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * scale:
            return f"{formatted(seconds / scale, '.3g')} {unit}"
    return f"{formatted(seconds, '.3g')} s"


def _percent(share: float) -> str:
    return percent(share, ".1f")


def _in_words(recording: Recording) -> str:
    about, of = _about(recording), summary(recording)
    mesh, overhead = recording.mesh.describe(), of["overhead"]
    rejected = tr(", {jobs} rejected").format(jobs=of["rejected"]) if of["rejected"] else ""
    if "unfinished" in of:
        rejected += tr(", {jobs} unfinished").format(jobs=of["unfinished"])
    beyond = of["utilization_requested"] != of["utilization"]
    asked = tr(", {asked} asked for").format(asked=_percent(of["utilization_requested"])) if beyond else ""
    of_trace = _taken(recording)
    rows = [
        *(of_trace.rows() if of_trace is not None else ()),
        (tr("jobs"), tr("{jobs} finished{rejected}").format(jobs=of["jobs"], rejected=rejected)),
        (tr("turnaround"), formatted(of["turnaround"]["mean"], ".6g")),
        (tr("waiting"), formatted(of["waiting"]["mean"], ".6g")),
        (tr("service"), formatted(of["service"]["mean"], ".6g")),
        (
            tr("slowdown"),
            tr("{slowdown:.5g}, bounded {bounded:.5g}").format(
                slowdown=of["slowdown"]["mean"], bounded=of["bounded_slowdown"]["mean"]
            ),
        ),
        (
            tr("offered load"),
            tr("{load}, {rate:.4g} arrivals per time unit").format(
                load=_percent(of["offered_load"]), rate=of["arrival_rate"]
            ),
        ),
        (tr("utilization"), _percent(of["utilization"]) + asked),
        (tr("finish time"), formatted(of["finish_time"], ".6g")),
        (tr("queue length"), tr("{mean:.4g} on average").format(mean=of["queue_length_mean"])),
        (tr("boxes held"), tr("{mean:.4g} on average").format(mean=of["busy_list_mean"])),
        (
            tr("blocks per job"),
            tr("{blocks:.4g}, {share} of jobs in one").format(
                blocks=of["blocks_per_job"], share=_percent(of["contiguous_ratio"])
            ),
        ),
        (
            tr("dispersal"),
            tr("{dispersal:.4g}, weighted {weighted:.4g}").format(
                dispersal=of["dispersal"], weighted=of["weighted_dispersal"]
            ),
        ),
        (
            tr("fragmentation"),
            tr("internal {internal}, external {external}").format(
                internal=_percent(of["internal_fragmentation"]),
                external=_percent(of["external_fragmentation"]),
            ),
        ),
        (
            tr("overhead per job"),
            tr("{overhead:,.6g} operations, {duration}").format(
                overhead=overhead["operations_mean"], duration=_duration(overhead["seconds_mean"])
            ),
        ),
        *(_failure_rows(of) if "killed" in of else ()),
        *(message_rows(of) if "packets" in of else ()),
    ]
    heading = tr("{mesh} mesh, {strategy}, {scheduler}, seed {seed}").format(
        mesh=mesh, strategy=about["allocator"], scheduler=about["scheduler"], seed=about["seed"]
    )
    title = [printable(about["title"])] if about["title"] else []
    return "\n".join([*title, heading, "", output.columns(rows)])


def _failure_rows(of: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What failures cost."""
    yield tr("availability"), percent(of["availability"], ".2f")
    said = tr("{hits}, {lost:.6g} of processor-time lost")
    yield tr("jobs hit"), said.format(hits=of["killed"], lost=of["lost_time"])

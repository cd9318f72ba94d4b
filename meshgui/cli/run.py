"""`meshgui run`: one run without a window, its summary, and its events as a file."""

from __future__ import annotations

import json
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from meshgui.cli import output
from meshgui.cli.arguments import Parser, whole_number
from meshgui.cli.faults import BadUse, WorkFailed
from meshgui.cli.scenarios import read, recorded, working_on
from meshgui.engine.files import os_fault, whole_file
from meshgui.engine.measures import summary
from meshgui.engine.parts import printable
from meshgui.engine.recording import Recording
from meshgui.engine.simulation import Simulation

__all__ = ["declare", "execute"]


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.file()
    parser.add_argument("--seed", metavar="N", type=whole_number, help="instead of the scenario's own")
    parser.add_argument(
        "--events", metavar="OUT.jsonl", type=Path, help="write what happened, a line an event"
    )
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    scenario = read(options.file)
    if options.events is not None and _same_file(options.events, options.file):
        raise BadUse(f"{options.events}: --events: expected another file than the scenario itself")
    with working_on(options.file):
        recording = _run(Simulation(scenario, options.seed), options.events)
    if options.json:
        output.write_json(_about(recording) | summary(recording))
    else:
        output.write(_in_words(recording))
    return 0


def _run(simulation: Simulation, events: Path | None) -> Recording:
    """Run, and write the events if they are wanted; that they can be written is seen before the work."""
    if events is None:
        return recorded(simulation)
    try:
        with ExitStack() as stack:
            out = stack.enter_context(whole_file(events))
            recording = recorded(simulation)
            for line in recording.log_lines():
                out.write(json.dumps(line).encode() + b"\n")
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WorkFailed(f"{events}: the events could not be written: {os_fault(error)}") from None
    return recording


def _same_file(one: Path, other: Path) -> bool:
    return one.exists() and one.samefile(other)


def _about(recording: Recording) -> dict[str, Any]:
    scenario = recording.scenario
    return {
        "title": scenario.title,
        "allocator": scenario.allocator.name,
        "scheduler": scenario.scheduler.name,
        "seed": recording.seed,
    }


def _duration(seconds: float) -> str:
    """A time in the unit that leaves it readable."""
    for unit, scale in (("µs", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def _of_messages(of: dict[str, Any]) -> list[tuple[str, str]]:
    use = of["channel_use"]
    busiest = f", {use['max']:.1%} of {use['busiest']}" if use["busiest"] is not None else ""
    return [
        ("packets", f"{of['packets']}, {of['messages_per_job']:.4g} per job"),
        ("latency", f"{of['latency']['mean']:.6g} over {of['message_distance']:.4g} hops"),
        ("blocking", f"{of['blocking']['mean']:.6g}, {of['blocked_packets']:.1%} of packets blocked"),
        ("use of links", f"{use['mean']:.1%}{busiest}"),
    ]


def _in_words(recording: Recording) -> str:
    about, of = _about(recording), summary(recording)
    mesh, overhead = recording.mesh.describe(), of["overhead"]
    rejected = f", {of['rejected']} rejected" if of["rejected"] else ""
    rows = [
        ("jobs", f"{of['jobs']} finished{rejected}"),
        ("turnaround", f"{of['turnaround']['mean']:.6g}"),
        ("waiting", f"{of['waiting']['mean']:.6g}"),
        ("service", f"{of['service']['mean']:.6g}"),
        ("utilization", f"{of['utilization']:.1%}"),
        ("finish time", f"{of['finish_time']:.6g}"),
        ("queue length", f"{of['queue_length_mean']:.4g} on average"),
        ("boxes held", f"{of['busy_list_mean']:.4g} on average"),
        ("blocks per job", f"{of['blocks_per_job']:.4g}, {of['contiguous_ratio']:.1%} of jobs in one"),
        (
            "fragmentation",
            f"internal {of['internal_fragmentation']:.1%}, external {of['external_fragmentation']:.1%}",
        ),
        (
            "overhead per job",
            f"{overhead['operations_mean']:,.6g} operations, {_duration(overhead['seconds_mean'])}",
        ),
        *(_of_messages(of) if "packets" in of else ()),
    ]
    heading = f"{mesh} mesh, {about['allocator']}, {about['scheduler']}, seed {about['seed']}"
    title = [printable(about["title"])] if about["title"] else []
    return "\n".join([*title, heading, "", output.columns(rows)])

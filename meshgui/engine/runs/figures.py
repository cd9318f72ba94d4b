"""Names the figures of a run that experiments compare, with titles and units, and gives a run's values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.measures import job_figures, summary
from meshgui.engine.runs.recording import Recording

Figures = dict[str, float]
Unit = Literal["time", "share", "processors", "number", "cycles", "hops", "operations", "seconds"]
_UNITS: Final[dict[Unit, str]] = {
    "time": tr("time units"),
    "share": "%",
    "processors": tr("processors"),
    "number": "",
    "cycles": tr("cycles"),
    "hops": tr("hops"),
    "operations": tr("operations"),
    "seconds": "s",
}


@dataclass(frozen=True)
class Figure:
    """A figure of a run: one number."""

    name: str
    title: str
    unit: Unit
    help: str
    network: bool = False  # only with a network
    wall: bool = False  # wall time: differs from run to run

    @property
    def percent(self) -> bool:
        """Whether it is written in percent."""
        return self.unit == "share"

    @property
    def unit_words(self) -> str:
        """The unit as it stands behind the number; nothing for a count."""
        return _UNITS[self.unit]


_ALL = (
    Figure("turnaround", tr("Turnaround"), "time", tr("From arrival to finish, averaged over the jobs")),
    Figure(
        "waiting",
        tr("Waiting", "the time from arrival to start"),
        "time",
        tr("From arrival to start, averaged over the jobs"),
    ),
    Figure("service", tr("Service"), "time", tr("From start to finish, averaged over the jobs")),
    Figure("utilization", tr("Utilisation"), "share", tr("The share of processors held, averaged over time")),
    Figure(
        "utilization_requested",
        tr("Utilisation asked for"),
        "share",
        tr("The share of processors that running jobs have asked for, averaged over time"),
    ),
    Figure("finish_time", tr("Finish time"), "time", tr("When the last job finishes")),
    Figure("queue_length_mean", tr("Queue length"), "number", tr("Jobs that wait, averaged over time")),
    Figure(
        "busy_list_mean",
        tr("Boxes held (m)"),
        "number",
        tr("Boxes held, averaged over time: Bani-Mohammad's m"),
    ),
    Figure(
        "part_attempts_per_job",
        tr("Attempts per job (b)"),
        "number",
        tr("Bani-Mohammad's b: boxes tried per job, with GABL"),
    ),
    Figure(
        "blocks_per_job", tr("Blocks per job"), "number", tr("Blocks that a job is placed in, on average")
    ),
    Figure("contiguous_ratio", tr("Contiguous jobs"), "share", tr("The share of jobs placed in one block")),
    Figure(
        "dispersal",
        tr("Dispersal"),
        "share",
        tr("The share of its enclosing box that a job does not hold (Lo et al. 1994)"),
    ),
    Figure(
        "weighted_dispersal",
        tr("Weighted dispersal"),
        "processors",
        tr("Dispersal times the processors held, on average (Lo et al. 1994)"),
    ),
    Figure("pairwise_distance", tr("Pairwise distance"), "hops", tr("Hops between two processors of a job")),
    Figure(
        "internal_fragmentation",
        tr("Internal fragmentation"),
        "share",
        tr("The share of the processors held beyond those asked for"),
    ),
    Figure(
        "external_fragmentation",
        tr("External fragmentation"),
        "share",
        tr("The share of the machine that is idle although the head of the queue asks for no more"),
    ),
    Figure(
        "attempts_per_job", tr("Calls per job"), "number", tr("Calls of the allocator until a job is placed")
    ),
    Figure(
        "overhead_operations",
        tr("Overhead"),
        "operations",
        tr("Nodes or boxes examined to allocate and release a job, on average"),
    ),
    Figure(
        "overhead_seconds",
        tr("Overhead, wall time"),
        "seconds",
        tr("Wall time to allocate and release a job, on average; of this machine"),
        wall=True,
    ),
    Figure("rejected", tr("Rejected jobs"), "number", tr("Jobs that the strategy could never place")),
    Figure("latency", tr("Latency"), "cycles", tr("From injection to arrival, averaged over packets"), True),
    Figure("blocking", tr("Blocking"), "cycles", tr("How long a packet's header waits, on average"), True),
    Figure(
        "blocked_packets", tr("Blocked packets"), "share", tr("The share of packets that had to wait"), True
    ),
    Figure("message_distance", tr("Message distance"), "hops", tr("Hops of a packet, on average"), True),
    Figure(
        "channel_use", tr("Use of links"), "share", tr("The share of cycles in which a link is in use"), True
    ),
    Figure(
        "messages_per_job",
        tr("Messages per job"),
        "number",
        tr("Messages that a job sends, on average"),
        True,
    ),
    Figure("packets", tr("Packets"), "number", tr("Packets that arrive"), True),
    Figure(
        "energy",
        tr("Energy"),
        "number",
        tr("Of free and held processors over time, and of flits on links, by the energies of the scenario"),
        True,
    ),
)
FIGURES: Final[dict[str, Figure]] = {figure.name: figure for figure in _ALL}
"""In the order in which they are shown."""


def figures_of(recording: Recording) -> tuple[Figures, Figures]:
    """A run's figures, with the spread of distributions as `turnaround.p95` and so on; and its wall times.

    The former are the same on every machine, the latter differ from run to run.
    """
    flat = _flat(summary(recording))
    wall = {name: flat.pop(name) for name in list(flat) if name in FIGURES and FIGURES[name].wall}
    return flat, wall


def _flat(data: dict[str, Any]) -> Figures:
    """Nested figures by dotted names: `turnaround` is the mean; values that are no numbers are left out."""
    flat: Figures = {}
    for name, value in data.items():
        parts = value if isinstance(value, dict) else {"mean": value}
        for part, number in parts.items():
            if isinstance(number, int | float):
                flat[_name(name, part)] = float(number)
    return flat


def _name(name: str, part: str) -> str:
    if part == "mean":
        return name
    return f"{name}_{part.removesuffix('_mean')}" if name == "overhead" else f"{name}.{part}"


def placement_figures(job: int, boxes: Boxes, start: float, finish: float) -> Figures:
    """When and where one job ran, as figures."""
    places = {
        f"job {job} box {n} {side}": float(value)  # untranslated: a figure's key
        for n, box in enumerate(boxes)
        for side, value in zip("xyzwdh", box, strict=True)
    }
    return {f"job {job} start": start, f"job {job} finish": finish} | places


def schedule_of(recording: Recording) -> Figures:
    """When and where each job ran, as figures."""
    done = job_figures(recording)
    rows = zip(done.job.tolist(), done.start.tolist(), done.finish.tolist(), strict=True)
    figures: Figures = {}
    for job, start, finish in rows:
        figures |= placement_figures(job, recording.boxes_of(job), start, finish)
    return figures

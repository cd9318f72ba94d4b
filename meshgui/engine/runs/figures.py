"""Names the figures of a run that experiments compare, with titles and units, and gives a run's values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.runs.measures import job_figures, summary
from meshgui.engine.runs.recording import Recording

__all__ = ["FIGURES", "Figure", "Figures", "figures_of", "placement_figures", "schedule_of"]

Figures = dict[str, float]
Unit = Literal["time", "share", "processors", "number", "cycles", "hops", "operations", "seconds"]


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


_ALL = (
    Figure("turnaround", "Turnaround", "time", "From arrival to finish, on the mean over the jobs"),
    Figure("waiting", "Waiting", "time", "From arrival to start, on the mean over the jobs"),
    Figure("service", "Service", "time", "From start to finish, on the mean over the jobs"),
    Figure("utilization", "Utilisation", "share", "The share of processors held, on the mean over time"),
    Figure("finish_time", "Finish time", "time", "When the last job finishes"),
    Figure("queue_length_mean", "Queue length", "number", "Jobs that wait, on the mean over time"),
    Figure(
        "busy_list_mean", "Boxes held (m)", "number", "Boxes held, on the mean over time: Bani-Mohammad's m"
    ),
    Figure(
        "part_attempts_per_job",
        "Attempts a job (b)",
        "number",
        "Bani-Mohammad's b: boxes tried for, GABL's, per job",
    ),
    Figure("blocks_per_job", "Blocks a job", "number", "Blocks that a job is placed in, on the mean"),
    Figure("contiguous_ratio", "Contiguous jobs", "share", "The share of jobs placed in one block"),
    Figure(
        "dispersal",
        "Dispersal",
        "share",
        "The share of its enclosing box that a job does not hold (Lo et al. 1994)",
    ),
    Figure(
        "weighted_dispersal",
        "Weighted dispersal",
        "processors",
        "Dispersal times the processors held, on the mean (Lo et al. 1994)",
    ),
    Figure("pairwise_distance", "Pairwise distance", "hops", "Hops between two processors of a job"),
    Figure(
        "internal_fragmentation",
        "Internal fragmentation",
        "share",
        "The share of the processors held beyond those asked for",
    ),
    Figure(
        "external_fragmentation",
        "External fragmentation",
        "share",
        "The share of the machine idle though the head of the queue asks for no more",
    ),
    Figure("attempts_per_job", "Tries a job", "number", "Calls of the allocator until a job is placed"),
    Figure(
        "overhead_operations",
        "Overhead",
        "operations",
        "Nodes or boxes examined to allocate and release a job, on the mean",
    ),
    Figure(
        "overhead_seconds",
        "Overhead, wall time",
        "seconds",
        "Wall time to allocate and release a job, on the mean; of this machine",
        wall=True,
    ),
    Figure("rejected", "Rejected jobs", "number", "Jobs that the strategy could never place"),
    Figure("latency", "Latency", "cycles", "From injection to arrival, on the mean over packets", True),
    Figure("blocking", "Blocking", "cycles", "How long a packet's header waits, on the mean", True),
    Figure("blocked_packets", "Blocked packets", "share", "The share of packets that had to wait", True),
    Figure("message_distance", "Message distance", "hops", "Hops of a packet, on the mean", True),
    Figure("channel_use", "Use of links", "share", "The share of cycles in which a link is in use", True),
    Figure("messages_per_job", "Messages a job", "number", "Messages that a job sends, on the mean", True),
    Figure("packets", "Packets", "number", "Packets that arrive", True),
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
        f"job {job} box {n} {side}": float(value)
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

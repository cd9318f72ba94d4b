"""Gives the figures of a run under the names of the dictionary."""

from __future__ import annotations

from typing import Any

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.network.open_loop import Measured
from meshgui.engine.network.patterns.base import NetworkError
from meshgui.engine.runs.dictionary import FIGURES, MIDDLE, NUMBERS
from meshgui.engine.runs.measures import JobFigures, summary
from meshgui.engine.runs.middles import middle, middles
from meshgui.engine.runs.recording import Recording

Figures = dict[str, float]


def figures_of(recording: Recording) -> tuple[Figures, Figures]:
    """A run's figures, with their spread as `turnaround.p95` and so on; and its wall times.

    The former are the same on every machine, the latter differ from run to run.
    """
    jobs = JobFigures(recording)
    flat = _flat(summary(recording, jobs)) | middles(recording, jobs)
    wall = {name: flat.pop(name) for name in list(flat) if name in FIGURES and FIGURES[name].wall}
    return flat, wall


def load_figures(found: Measured) -> Figures:
    """The figures of a network under a steady load; a deadlock is the fault of the run."""
    if found.deadlock is not None:
        raise NetworkError(found.deadlock.words)
    figures = {
        "throughput": found.throughput,
        "offered_flits": found.offered,
        "packets": float(found.packets),
    }
    if len(found.latency):
        figures["packet_latency"] = float(found.latency.mean())
        figures["latency"] = float(found.network_latency.mean())
        figures["empty_latency"] = float(found.empty.mean())
        for part, number in zip(MIDDLE, middle(found.latency), strict=True):
            figures[NUMBERS["packet_latency"].spread_name(part)] = float(number)
    return figures


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
    done = JobFigures(recording)
    rows = zip(done.job.tolist(), done.start.tolist(), done.finish.tolist(), strict=True)
    figures: Figures = {}
    for job, start, finish in rows:
        figures |= placement_figures(job, recording.boxes_of(job), start, finish)
    return figures

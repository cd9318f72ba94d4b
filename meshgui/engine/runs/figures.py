"""Gives the figures of a run under the names of the dictionary."""

from __future__ import annotations

from typing import Any

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.runs.dictionary import FIGURES, NUMBERS, SPREADS, Figure, Unit, compared, compared_words
from meshgui.engine.runs.measures import job_figures, summary
from meshgui.engine.runs.middles import middles
from meshgui.engine.runs.recording import Recording

__all__ = [
    "FIGURES",
    "NUMBERS",
    "SPREADS",
    "Figure",
    "Figures",
    "Unit",
    "compared",
    "compared_words",
    "figures_of",
    "placement_figures",
    "schedule_of",
]

Figures = dict[str, float]


def figures_of(recording: Recording) -> tuple[Figures, Figures]:
    """A run's figures, with their spread as `turnaround.p95` and so on; and its wall times.

    The former are the same on every machine, the latter differ from run to run.
    """
    jobs = job_figures(recording)
    flat = _flat(summary(recording, jobs)) | middles(recording, jobs)
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

"""The jobs that compared runs treat differently, in order of time, and the sentence about each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.sentences import Sentence, compose, job_name, listed
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import count_of
from meshgui.engine.runs.recording import NEVER, Recording


class Divergence(NamedTuple):
    """A job that starts at another time or in other boxes, and the first moment at which that shows.

    Of each run: when the job starts, infinity where it never does, and the boxes that it gets.
    """

    job: int
    time: float
    starts: tuple[float, ...]
    boxes: tuple[Boxes, ...]


def divergences(recordings: Sequence[Recording]) -> Iterator[Divergence]:
    """The differences in order of time, of several at one time that of the lowest job first.

    A run in progress is compared as far as it has gone.
    """
    if len(recordings) < 2:
        return
    count = min(len(recording.jobs) for recording in recordings)
    starts = np.stack([_starts(recording)[:count] for recording in recordings])
    first = starts.min(axis=0)
    known = min((r.end_time for r in recordings if not r.over), default=np.inf)
    apart = (starts != first).any(axis=0)
    for job in np.argsort(first, kind="stable").tolist():
        if first[job] >= known or first[job] == np.inf:
            return
        boxes = tuple(recording.blocks_of(job, 0) for recording in recordings)
        if apart[job] or len({frozenset(got) for got in boxes}) > 1:
            yield Divergence(job, float(first[job]), tuple(starts[:, job].tolist()), boxes)


def share_jobs(recordings: Sequence[Recording]) -> bool:
    """Whether the jobs of all runs arrive at the same times and ask for the same."""
    streams = [recording.jobs for recording in recordings]
    return all(
        np.array_equal(streams[0].arrival, other.arrival) and np.array_equal(streams[0].sizes, other.sizes)
        for other in streams[1:]
    )


def divergence_sentence(found: Divergence, names: Sequence[str], mesh: Mesh) -> Sentence:
    """Say what happens to the job in each run: Job 17 starts at 42.00 with tbl and at 51.00 with ff."""
    job = job_name(found.job).with_capital()
    if len(set(found.starts)) > 1:
        form = f".{_decimals_apart(found.starts)}f"
        does = [
            tr("at {time}").format(time=formatted(start, form)) if start < np.inf else tr("never")
            for start in found.starts
        ]
        return compose(
            tr("{job} starts {when_with_whom}."), {"job": job, "when_with_whom": _grouped(does, names)}
        )
    places = [_place(boxes, mesh) for boxes in found.boxes]
    if len(set(places)) == 1:
        places = [_place(boxes, mesh, nearer=True) for boxes in found.boxes]
    return compose(
        tr("{job} starts at {time} in {boxes_with_whom}."),
        {"job": job, "time": formatted(found.time, ".2f"), "boxes_with_whom": _grouped(places, names)},
    )


def _starts(recording: Recording) -> Floats:
    """When each job starts; infinity where it does not, or has not yet."""
    started = recording.stints_at(0).started
    starts = np.full(len(started), np.inf)
    has = started != NEVER
    starts[has] = recording.times[started[has]]
    return starts


def _decimals_apart(times: Sequence[float]) -> int:
    """How many decimals tell times apart: two as everywhere, or more."""
    different = len(set(times))
    return next((d for d in range(2, 9) if len({f"{time:.{d}f}" for time in times}) == different), 9)


def _place(boxes: Boxes, mesh: Mesh, *, nearer: bool = False) -> str:
    if len(boxes) == 1:
        return mesh.describe_box(boxes[0])
    count = count_of(len(boxes), "box")
    if not nearer:
        return count
    return tr("{boxes}, the first {box},").format(boxes=count, box=mesh.describe_box(Box(*min(boxes))))


def _grouped(does: Sequence[str], names: Sequence[str]) -> str:
    """What the runs do, those that do the same together: `at 4.20 with tbl and ff, and at 5.10 with mbs`."""
    groups: dict[str, list[str]] = {}
    for what, name in zip(does, names, strict=True):
        groups.setdefault(what, []).append(name)
    *first, last = (
        tr("{what} with {strategies}").format(what=what, strategies=listed(whose))
        for what, whose in groups.items()
    )
    if not first:
        return last
    plain = len(first) == 1 and all(len(whose) == 1 for whose in groups.values())
    together = tr("{first} and {last}") if plain else tr("{first}, and {last}")
    return together.format(first=tr(", ").join(first), last=last)

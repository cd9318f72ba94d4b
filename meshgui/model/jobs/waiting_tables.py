"""Why a job waits, as tables: the jobs in its way, and the boxes that its latest attempt tried."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.allocation.steps import Mark, Role, Step
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.sentences import JobLink
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import count_of
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.snapshot import Snapshot
from meshgui.model.jobs.openings import leaving_times
from meshgui.model.jobs.waiting import Blocker, WaitReason, why_it_waits
from meshgui.model.moment.clock_words import time_words
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.tables.columns import UNKNOWN, Column, D, TableCell


def _times(
    title: str, value: Callable[[D, int], float | None], recording: Callable[[D], Recording]
) -> Column[D]:
    """A column of times of the run, as far as they are known."""

    def cell(data: D, row: int) -> TableCell:
        time = value(data, row)
        return UNKNOWN if time is None else TableCell(formatted(time, ".2f"))

    return Column(
        title,
        value,
        ".2f",
        cell=cell,
        number=True,
        widest=lambda data: (formatted(recording(data).end_time, ".2f"),),
    )


@dataclass(frozen=True, eq=False)
class BlockerRows:
    """The jobs in the way of a waiting one."""

    view: View
    reason: WaitReason

    def __len__(self) -> int:
        return len(self.reason.blockers)

    @property
    def title(self) -> str:
        return tr("In the way of job {job} at {time}").format(
            job=self.reason.subject, time=time_words(self.view.time)
        )

    @property
    def scope(self) -> Hashable:
        return id(self.view.recording.jobs), bool(self.reason.places)

    def row(self, row: int) -> Blocker:
        """A row."""
        return self.reason.blockers[row]

    def link(self, row: int) -> JobLink:
        """What a row stands for."""
        return JobLink(self.row(row).job)

    def place_cell(self, row: int) -> TableCell:
        """In how many of the places it stands; where no single box is wanted, what it frees."""
        blocker = self.row(row)
        if not self.reason.places:
            return TableCell(
                count_of(blocker.processors, "processor"),
                shorter=(f"{blocker.processors}",),
            )
        words = {"stands": blocker.places, "places": self.reason.places, "alone": blocker.alone}
        shorter = tr("{stands} of {places}").format(**words), f"{blocker.places}"
        whole = tr("{stands} of {places} · {alone} alone").format(**words)
        return TableCell(whole if blocker.alone else shorter[0], shorter=shorter)

    def widest_places(self) -> tuple[str, ...]:
        """The longest text about places."""
        most = "0" * len(str(self.view.recording.mesh.processors))
        return (tr("{stands} of {places}").format(stands=most, places=most),)


BLOCKER_COLUMNS: Final[tuple[Column[BlockerRows], ...]] = (
    Column(
        tr("Job"),
        lambda d, row: d.row(row).job,
        job=lambda d, row: d.row(row).job,
        widest=lambda d: (str(len(d.view.recording.jobs) - 1),),
    ),
    Column(
        tr("Is in / frees"),
        lambda d, row: d.row(row).places or d.row(row).processors,
        cell=BlockerRows.place_cell,
        widest=BlockerRows.widest_places,
        grows=True,
        shrinks=True,
    ),
    _times(tr("Leaves"), lambda d, row: d.row(row).leaves, lambda d: d.view.recording),
)


class Candidate(NamedTuple):
    """A step of an attempt that looked at boxes, and whom it met there."""

    step: int
    box: Box  # what was tried
    bases: bool  # whether these are bases, ruled out by a job
    jobs: tuple[int, ...]  # the jobs met
    leaves: float | None  # when the last of them leaves
    marks: tuple[Mark, ...]


_LOOKED_AT: Final = (Role.TRIED, Role.BLOCKED, Role.PROHIBITED)


class TriedRows:
    """The steps of the last failed attempt that looked at boxes; read as they are drawn."""

    def __init__(self, view: View, attempt: int) -> None:
        self.recording = view.recording
        self.attempt = attempt
        self.position = view.recording.attempts[attempt].position
        self._before = view.recording.snapshot(self.position)
        self._view = View(view.recording, Position(self.position, attempt), view.time)
        self._known: dict[int, Candidate] = {}

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def title(self) -> str:
        return tr("Tried for job {job} at {time}").format(
            job=self.recording.attempts[self.attempt].job, time=time_words(self._before.time)
        )

    @property
    def scope(self) -> Hashable:
        return id(self.recording.jobs)

    @property
    def time(self) -> float:
        """When the attempt was made."""
        return self._before.time

    @cached_property
    def _steps(self) -> list[int]:
        """The steps one of whose marks is a box that was looked at."""
        trace = self._view.trace
        return [] if trace is None else trace.steps.with_roles(_LOOKED_AT).tolist()

    def candidate(self, row: int) -> Candidate:
        """A row."""
        if row not in self._known:
            number = self._steps[row]
            trace = self._view.trace
            if trace is None:
                raise IndexError(row)
            self._known[row] = self._candidate(number, trace.steps[number])
        return self._known[row]

    def _candidate(self, number: int, step: Step) -> Candidate:
        marks = tuple(mark for mark in step.marks if mark.box.volume)
        first = next((m for m in marks if m.role == Role.TRIED), marks[0])
        met = next((m for m in marks if m.role in {Role.BLOCKED, Role.PROHIBITED}), first)
        jobs = tuple(sorted({job for p in self._before.mesh.parts(met.box) for job in _met(self._before, p)}))
        leaves = leaving_times(self.recording, np.array(jobs, dtype=np.int32), self.position)
        known = [time for time in leaves if time is not None]
        until = max(known) if known and len(known) == len(jobs) else None
        return Candidate(number, first.box, first.role == Role.PROHIBITED, jobs, until, marks)

    def tried_cell(self, row: int) -> TableCell:
        """The box, or the one processor, that was tried."""
        candidate = self.candidate(row)
        text = self.recording.mesh.describe_box(candidate.box)
        if candidate.box.volume == 1:
            text = text.partition("–")[0]
        return TableCell(tr("bases {box}").format(box=text) if candidate.bases else text, shorter=(text,))

    def met_cell(self, row: int) -> TableCell:
        """The job met, or how many."""
        jobs = self.candidate(row).jobs
        if not jobs:
            return UNKNOWN
        names = tr(", ").join(map(str, jobs))
        return TableCell(names, jobs[0], shorter=(f"{jobs[0]} + {len(jobs) - 1}",) if len(jobs) > 1 else ())

    def longest_box(self) -> tuple[str, ...]:
        """The longest box of the mesh."""
        w, d, h = self.recording.mesh.extents
        corner = w - 1, d - 1, h - 1
        return (Box.from_corners(corner, corner).describe(flat=self.recording.mesh.dims == 2),)

    def longest_jobs(self) -> tuple[str, ...]:
        """A job's number and a count."""
        return (f"{len(self.recording.jobs) - 1} + 9",)


class FoundReason(NamedTuple):
    """Why a job waits, what was tried for it, and what the mesh marks."""

    reason: WaitReason
    tried: TriedRows | None
    marks: tuple[Mark, ...]


def find_reason(view: View, job: int, known: TriedRows | None) -> FoundReason | None:
    """Why the job waits at the view, with the steps of what was tried; None if it does not."""
    reason = why_it_waits(view, job)
    if reason is None:
        return None
    if reason.attempt is None:
        known = None
    elif known is None or (known.attempt, known.recording) != (reason.attempt, view.recording):
        known = TriedRows(view, reason.attempt)
        len(known)  # searches for the steps
    return FoundReason(reason, known, reason.marks(view.snapshot))


def _met(snapshot: Snapshot, box: Box) -> tuple[int, ...]:
    """The jobs that hold parts of a box, in order of number."""
    low = snapshot.boxes[:, :3].astype(np.int64)
    high = low + snapshot.boxes[:, 3:]
    base, end = np.array(box.base), np.array(box.base) + np.array(box.size)
    inside = ((low < end) & (high > base)).all(axis=1)
    return tuple(np.unique(snapshot.owners[inside]).tolist())


TRIED_COLUMNS: Final[tuple[Column[TriedRows], ...]] = (
    Column(
        tr("Tried"),
        lambda d, row: d.tried_cell(row).text,
        cell=TriedRows.tried_cell,
        widest=TriedRows.longest_box,
        grows=True,
        shrinks=True,
    ),
    Column(
        tr("Met"),
        lambda d, row: tr(", ").join(map(str, d.candidate(row).jobs)),
        job=lambda d, row: (d.candidate(row).jobs or (None,))[0],
        cell=TriedRows.met_cell,
        widest=TriedRows.longest_jobs,
        shrinks=True,
    ),
    _times(tr("Until"), lambda d, row: d.candidate(row).leaves, lambda d: d.recording),
)

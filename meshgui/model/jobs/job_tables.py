"""The jobs that wait or run, and the facts of one job, as tables in full precision."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.geometry import Box, Size, describe_size
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.sentences import JobLink
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import count_of
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.model.moment.clock_words import time_words
from meshgui.model.moment.moment_view import View
from meshgui.model.network.network_tables import JobTraffic, job_traffic
from meshgui.model.tables.columns import UNKNOWN, Column, TableCell
from meshgui.model.tables.tables import LazyRows, PlainTable


@dataclass(frozen=True, eq=False)
class JobRows:
    """The jobs that wait, the next to be served first, or those that run, at one place of a run."""

    view: View
    jobs: NDArray[np.int32]
    title_at: str  # with {time}

    @classmethod
    def waiting(cls, view: View) -> JobRows:
        """The queue."""
        return cls(view, view.snapshot.queue, tr("Jobs waiting at {time}"))

    @classmethod
    def running(cls, view: View) -> JobRows:
        """The jobs that hold processors."""
        return cls(view, view.snapshot.running, tr("Jobs running at {time}"))

    def __len__(self) -> int:
        return len(self.jobs)

    @property
    def title(self) -> str:
        return self.title_at.format(time=time_words(self.view.time))

    @property
    def scope(self) -> Hashable:
        return id(self.view.recording.jobs)

    def job(self, row: int) -> int:
        """The job of a row."""
        return int(self.jobs[row])

    def link(self, row: int) -> JobLink:
        """What a row stands for."""
        return JobLink(self.job(row))

    def size(self, row: int) -> str:
        """The size that it requests."""
        recording = self.view.recording
        return describe_size(recording.jobs.size(self.job(row)), recording.mesh.dims)

    def reserved(self, row: int) -> bool:
        """Whether a box is reserved for it."""
        return bool(self.view.recording.reserved[self.job(row)] < self.view.position.events)

    def places(self, row: int) -> list[str]:
        """Its boxes."""
        recording = self.view.recording
        return [recording.mesh.describe_box(box) for box in recording.as_blocks(self.boxes(row))]

    def boxes(self, row: int) -> tuple[Box, ...]:
        """What it holds."""
        return self.view.recording.boxes_of(self.job(row), self.view.position.events)

    def waited(self, row: int) -> float:
        """How long it has waited so far, in all."""
        return self.view.recording.waited(self.job(row), self.view.position.events, self.view.time)

    def size_cell(self, row: int) -> TableCell:
        """What it asks for, and whether it is reserved where there is room to say so."""
        size = self.size(row)
        text = tr("{size} · reserved").format(size=size) if self.reserved(row) else size
        return TableCell(text, shorter=(size,))

    def place_cell(self, row: int) -> TableCell:
        """Its box, or its base where there is little room, or how many boxes it has."""
        recording, job = self.view.recording, self.job(row)
        counts = recording.stints_at(self.view.position.events).box_count[job]
        boxes = int(recording.as_block_counts(counts))
        if boxes > 1:  # a job can have a million of them
            return TableCell(count_of(boxes, "box"))
        base = ",".join(map(str, self.boxes(row)[0].base[: recording.mesh.dims]))
        return TableCell(self.places(row)[0], shorter=(tr("at ({base})").format(base=base), f"({base})"))

    def longest_time(self) -> str:
        """The longest time that a job can wait or run, in whole units."""
        recording = self.view.recording
        latest = recording.end_time + float(np.fmax.reduce(recording.jobs.actual, initial=0.0))
        return "0" * len(str(int(latest)))

    def longest_box(self) -> str:
        """The longest box of the mesh."""
        mesh = self.view.recording.mesh
        corner = (mesh.extents[0] - 1, mesh.extents[1] - 1, mesh.extents[2] - 1)
        return Box.from_corners(corner, corner).describe(flat=mesh.dims == 2)


def _time_column(title: str, length: Callable[[JobRows, int], float | None]) -> Column[JobRows]:
    """A length of time; where boxes would have no room beside it, in three digits or whole units."""

    def brief(d: JobRows, row: int) -> TableCell:
        found = length(d, row)
        return UNKNOWN if found is None else TableCell(three_digits(found))

    return Column(
        title,
        length,
        ".2f",
        brief=brief,
        id="length",
        number=True,
        widest=lambda d: (f"{d.longest_time()}.00",),
        shorter=(lambda d: (max(d.longest_time(), "0.00", key=len),),),
    )


def three_digits(length: float) -> str:
    """A length of time in as few letters as keep its first three digits."""
    decimals = 2 if length < 9.995 else 1 if length < 99.95 else 0
    return formatted(length, f".{decimals}f")


_NUMBER: Final[Column[JobRows]] = Column(
    tr("Job"),
    JobRows.job,
    job=JobRows.job,
    widest=lambda d: ("0" * len(str(len(d.view.recording.jobs) - 1)),),
)
WAITING_COLUMNS: Final[tuple[Column[JobRows], ...]] = (
    _NUMBER,
    Column(
        tr("Size"),
        JobRows.size,
        cell=JobRows.size_cell,
        widest=lambda d: (describe_size(d.view.recording.mesh.extents, d.view.recording.mesh.dims),),
        grows=True,
        shrinks=True,
    ),
    Column(tr("Reserved"), lambda d, row: tr("yes") if d.reserved(row) else tr("no"), shown=False),
    _time_column(tr("Waited"), JobRows.waited),
)
RUNNING_COLUMNS: Final[tuple[Column[JobRows], ...]] = (
    _NUMBER,
    Column(
        tr("Box"),
        lambda d, row: "; ".join(d.places(row)),
        cell=JobRows.place_cell,
        widest=lambda d: (d.longest_box(),),
        grows=True,
        shrinks=True,
    ),
    _time_column(tr("Left"), lambda d, row: time_left(d.view, d.job(row))),
)


def time_left(view: View, job: int) -> float | None:
    """The remaining time of a running job; None where it is not known yet.

    With a network it ends when its messages have arrived. Where the run is not that far yet, the
    stated service time counts.
    """
    recording, of = view.recording, view.recording.stints_at(view.position.events)
    ended, service = int(of.ended[job]), float(recording.jobs.lasting[job])
    if ended != NEVER:
        end = float(recording.times[ended])
    elif math.isnan(service) or recording.network is not None:
        return None
    else:
        service -= recording.saved(job, view.position.events)
        end = float(recording.times[of.started[job]]) + service
    return max(end - view.time, 0.0)


JOB_STATES: Final = {
    "to come": tr("to come"),
    "rejected": tr("rejected"),
    "finished": tr("finished"),
    "ended": tr("ended by a failure"),
    "running": tr("running"),
    "reserved": tr("reserved"),
    "waiting": tr("waiting", "a job"),
}
"""What a job can be doing, in words."""


@dataclass(frozen=True)
class JobNow:
    """A job at one place of a run; None stands for what is not known there."""

    state: str  # a key of JOB_STATES
    size: Size
    arrival: float
    waited: float | None  # so far, or in all
    start: float | None
    finish: float | None
    service: float | None  # as stated, or with a network as it turned out
    requested_time: float | None  # where that is not the service
    boxes: tuple[Box, ...]  # one across seams goes beyond the mesh
    attempts: int  # made so far
    operations: int | None  # to allocate and to release it, once both are done
    seconds: float | None
    traffic: JobTraffic | None


def job_now(view: View, job: int) -> JobNow:
    """What is known of a job at a view."""
    recording, jobs, position = view.recording, view.recording.jobs, view.position.events
    arrival, state = float(jobs.arrival[job]), _state(view, job)
    of = recording.stints_at(position)
    begun, over = of.started[job] < position, of.ended[job] < position
    start = float(recording.times[of.started[job]]) if begun else None
    finish = float(recording.times[of.ended[job]]) if begun and over else None
    waited = recording.waited(job, position, view.time)
    served = finish - start if finish is not None and start is not None else None
    record = recording.network
    attempts = recording.attempts_of(job)
    return JobNow(
        state,
        jobs.size(job),
        arrival,
        None if state == "rejected" else waited,
        start,
        finish,
        float(jobs.actual[job]) if record is None else served,
        jobs.requested_time(job),
        recording.blocks_of(job, position) if begun else (),
        bisect_left(attempts, recording.attempts_at(position).stop),
        int(recording.operations[job]) if begun and over else None,
        float(recording.seconds[job]) if begun and over else None,
        job_traffic(record, job, view.cycle) if record is not None and begun else None,
    )


def _state(view: View, job: int) -> str:
    recording, position = view.recording, view.position.events
    if recording.arrived[job] >= position:
        return "to come"  # untranslated: a key
    of = recording.stints_at(position)
    if of.ended[job] < position:
        kind = EventKind(int(recording.kinds[of.ended[job]]))
        return {EventKind.REJECT: "rejected", EventKind.KILL: "ended"}.get(kind, "finished")
    if of.started[job] < position:
        return "running"
    return "reserved" if recording.reserved[job] < position else "waiting"


def boxes_on_mesh(view: View) -> PlainTable:
    """Who holds which box at a moment; a row a box, in order of the jobs' numbers."""
    snapshot = view.snapshot
    order = np.argsort(snapshot.owners, kind="stable")
    boxes = zip(snapshot.owners[order].tolist(), snapshot.boxes[order].tolist(), strict=True)
    rows = tuple((job, *box, math.prod(box[3:])) for job, box in boxes)
    columns = (tr("Job"), "x", "y", "z", tr("Width"), tr("Depth"), tr("Height"), tr("Processors"))
    return PlainTable(tr("Boxes on the mesh at {time}").format(time=time_words(view.time)), columns, rows)


def jobs_over_time(recording: Recording) -> PlainTable:
    """When each job that has arrived does so, starts and leaves; None where it has not, or never does."""
    arrival = recording.jobs.arrival
    here = np.flatnonzero(recording.arrived != NEVER).tolist()  # others may be hidden by an exercise

    def time_at(position: int) -> float | None:
        return None if position == NEVER else float(recording.times[position])

    def rows() -> Iterator[tuple[object, ...]]:
        for job in here:
            yield job, float(arrival[job]), time_at(recording.started[job]), time_at(recording.ended[job])

    return PlainTable(
        tr("Jobs over time"),
        (tr("Job"), tr("Arrives"), tr("Starts"), tr("Leaves")),
        LazyRows(len(here), rows),
    )


def job_facts(view: View, job: int) -> PlainTable:
    """The facts of a job at this moment, a row each, with its unit."""
    now, mesh, numbers = job_now(view, job), view.recording.mesh, view.recording.jobs.numbers
    rows: list[tuple[object, ...]] = [
        (tr("Job"), job, ""),
        (tr("Asks for"), describe_size(now.size, mesh.dims), ""),
        (tr("Asks for"), math.prod(now.size), tr("processors")),
        (tr("Arrives"), now.arrival, tr("time")),
        (tr("Waits"), now.waited, tr("time")),
        (tr("Starts"), now.start, tr("time")),
        (tr("Service"), now.service, tr("time")),
        (tr("Finishes"), now.finish, tr("time")),
        *((tr("Place"), mesh.describe_box(box), tr("box")) for box in now.boxes),
        (tr("Attempts"), now.attempts, tr("attempts")),
        (tr("Overhead"), now.operations, tr("operations")),
        (tr("Overhead"), now.seconds, tr("seconds")),
    ]
    if now.requested_time is not None:
        rows.append((tr("Requested time"), now.requested_time, tr("time")))
    if numbers is not None:
        rows.append((tr("Number in the trace"), int(numbers[job]), ""))
    if now.traffic is not None:
        rows += [
            (tr("Messages sent"), now.traffic.sent, tr("messages")),
            (tr("Messages arrived"), now.traffic.arrived, tr("messages")),
            (tr("Latency"), now.traffic.latency, tr("cycles, mean")),
            (tr("Blocked"), now.traffic.blocked, tr("cycles, mean")),
        ]
    return PlainTable(
        tr("Job {job} at {time}").format(job=job, time=time_words(view.time)),
        (tr("Figure"), tr("Value"), tr("Unit")),
        tuple(rows),
    )

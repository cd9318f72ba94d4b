"""Why a job waits: what it waits behind, who is in its way, when that changes, and what was tried for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import inf, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import (
    Box,
    Mesh,
    Size,
    describe_size,
    orientations,
    region,
    runs_of_processors,
)
from meshgui.engine.basics.kinds import AttemptOutcome, Serving
from meshgui.engine.basics.sentences import Sentence, compose, job_name, joined
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import before_numbers
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.snapshot import Snapshot
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.scheduling.registry import discipline
from meshgui.model.jobs.openings import (
    Opening,
    first_opening,
    leaving_times,
    owners_in,
    placed_now,
    places_met,
)
from meshgui.model.jobs.waiting_words import (
    blocking_words,
    boxes_words,
    named_jobs,
    opening_words,
    ordinal,
    reserved_words,
)
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.narration import job_title, shortage_sentence
from meshgui.model.moment.outlook import Outlook, outlook

_APART = 1000  # processors that are marked one by one


class Blocker(NamedTuple):
    """A running job in the way."""

    job: int
    places: int  # of the boxes of the size wanted, those that it blocks
    alone: int  # those in which no other job stands
    processors: int
    leaves: float | None  # None: not known


@dataclass(frozen=True)
class WaitReason:
    """Why a job waits at one moment."""

    job: int
    subject: int  # the job whose placing fails: this one, or the head of the queue that holds it up
    sentences: tuple[Sentence, ...]
    attempt: int | None  # the last failed attempt to place the subject
    places: int  # boxes of the size wanted on the mesh; 0 where the strategy needs no such box
    blockers: tuple[Blocker, ...]
    opening: Opening | None

    @property
    def text(self) -> Sentence:
        """All that is said, in one."""
        return joined(self.sentences)

    def marks(self, snapshot: Snapshot) -> tuple[Mark, ...]:
        """The boxes of the first chance, and the boxes of the jobs that hold parts of them."""
        if self.opening is None:
            return ()
        boxes = self.opening.boxes
        held = snapshot.boxes[np.isin(snapshot.owners, self.opening.after)]
        met = [Box(*row) for row in held[_meets(held, boxes, snapshot.mesh)].tolist()]
        return (
            *(Mark(Role.CANDIDATE, box, (0, 0, 0)) for box in _drawn(boxes)),
            *(Mark(Role.BLOCKED, box, (0, 0, 0)) for box in _drawn(met)),
        )


def why_it_waits(view: View, job: int) -> WaitReason | None:
    """Why the job waits at the view; None if it does not wait there."""
    snapshot = view.snapshot
    if job in snapshot.reserved:
        return _waits_for_reservation(view.recording, snapshot, job)
    if (
        job not in snapshot.queue
        or view.recording.new_strategy().refusal(view.recording.size(job)) is not None
    ):
        return None
    return _Question(view.recording, snapshot, job).answer()


def _drawn(boxes: Sequence[Box]) -> Sequence[Box]:
    """Boxes as they are drawn: of very many processors apart those of a row in one."""
    apart = len(boxes) > _APART and all(box.volume == 1 for box in boxes)
    return runs_of_processors(boxes) if apart else boxes


def _meets(rows: NDArray[np.integer[Any]], boxes: Boxes, mesh: Mesh) -> NDArray[np.bool_]:
    """Which of the boxes, as rows, have a processor in some of the other boxes."""
    there = np.zeros([extent + 1 for extent in reversed(mesh.extents)], dtype=np.int32)
    for box in boxes:
        region(there[1:, 1:, 1:], box)[:] = 1
    within = there.cumsum(axis=0).cumsum(axis=1).cumsum(axis=2)  # how many of them lie before a corner
    low, high = rows[:, :3].astype(np.intp), (rows[:, :3] + rows[:, 3:]).astype(np.intp)
    count = np.zeros(len(rows), dtype=np.int64)
    for corner in product((0, 1), repeat=3):
        x, y, z = (np.where(part, high[:, axis], low[:, axis]) for axis, part in enumerate(corner))
        count += (-1) ** (3 - sum(corner)) * within[z, y, x].astype(np.int64)
    return count > 0


def _waits_for_reservation(recording: Recording, snapshot: Snapshot, job: int) -> WaitReason:
    box = recording.reservation_of(job)
    boxes = () if box is None else (box,)
    owners = owners_in(snapshot, boxes)
    leaving = leaving_times(recording, np.array(owners, dtype=np.int32), snapshot.position)
    known = dict(zip(owners, leaving, strict=True))
    times = [time for time in known.values() if time is not None]
    words: dict[str, object] = {
        "job": job_title(recording, job),
        "boxes": boxes_words(boxes, recording),
    }
    if owners:
        words["holders"] = named_jobs(owners)
        known_until = len(times) == len(owners)
        if known_until:
            words["time"] = formatted(max(times), ".2f")
        said = compose(reserved_words(len(owners), known_until=known_until), words)
    else:
        said = compose(tr("{job} has left the queue: {boxes} is reserved for it."), words)
    blockers = tuple(
        Blocker(held, 0, 0, int(recording.held_processors()[held]), time) for held, time in known.items()
    )
    chance = Opening(max(times), boxes, owners) if times and len(times) == len(owners) else None
    sentences = [said]
    if outlook(recording, snapshot, job) is Outlook.STARTS:
        chance = Opening(snapshot.time, recording.boxes_of(job), ())
        where = boxes_words(chance.boxes, recording)
        sentences.append(Sentence(tr("It starts now, in {boxes}.").format(boxes=where)))
    return WaitReason(job, job, tuple(sentences), None, 0, blockers, chance)


class _Question:
    """One job at one moment, with what the parts of the answer share."""

    def __init__(self, recording: Recording, snapshot: Snapshot, job: int) -> None:
        self.recording, self.snapshot, self.job = recording, snapshot, job
        line = [other for other in snapshot.queue.tolist() if other not in snapshot.reserved]
        self.ahead = tuple(line[: line.index(job)])
        self.head = line[0]
        self.discipline = discipline(recording.scenario.scheduler.name)
        own = _latest_in_vain(recording, job, snapshot.position)
        self.starts = self._starts(job)
        held_up = bool(self.ahead) and not self.starts and (self._stops_at_head or own is None)
        self.subject = self.head if held_up else job
        self.attempt = (
            own if self.subject == job else _latest_in_vain(recording, self.head, snapshot.position)
        )
        self.leaves = leaving_times(recording, snapshot.running, snapshot.position)

    @property
    def _stops_at_head(self) -> bool:
        return self.discipline.serve is Discipline.serve and self.discipline.serving == Serving.HEAD

    def answer(self) -> WaitReason:
        """The reason in full."""
        fits = (
            self.recording.remembered(placed_now, self.snapshot.position, self.job)
            if self.subject != self.job
            else ()
        )
        chance = self._first_chance()
        places, blockers = self._blockers()
        sentences = (
            self._place(),
            self._rule(),
            self._would_fit(fits),
            *self._trouble(places, blockers, chance),
        )
        said = tuple(sentence for sentence in sentences if sentence)
        return WaitReason(self.job, self.subject, said, self.attempt, places, blockers, chance)

    # What is said

    def _place(self) -> Sentence:
        title = job_title(self.recording, self.job)
        if not self.ahead:
            return compose(tr("{job} is at the head of the queue."), {"job": title})
        words = {"job": title, "ordinal": ordinal(len(self.ahead) + 1), "jobs": named_jobs(self.ahead)}
        return compose(tr("{job} is {ordinal} in the queue, behind {jobs}."), words)

    def _rule(self) -> Sentence:
        if not self.ahead or self.starts:
            return Sentence()
        words = {"discipline": self.discipline.title, "head": job_name(self.head)}
        if self._stops_at_head:
            rule = tr("{discipline} places no job before the head of the queue: all wait for {head}.")
        elif self.subject == self.job:
            rule = tr("{discipline} skips jobs that cannot be placed; this one was tried too.")
        elif self.discipline.serving == Serving.CONSERVATIVE:
            rule = tr("{discipline} places a job before others only if that delays none of them.")
        elif self.discipline.plans:
            rule = tr("{discipline} places a job before the head only if that does not delay the head.")
        else:
            rule = tr("{discipline} has not tried to place it since the machine last changed.")
        return compose(rule, words)

    def _would_fit(self, fits: Boxes) -> Sentence:
        if self.subject == self.job:
            return Sentence()
        if fits:
            return Sentence(tr("It would fit now, in {boxes}.").format(boxes=self._where(fits)))
        return Sentence(tr("It would not fit now either."))

    def _trouble(self, places: int, blockers: tuple[Blocker, ...], chance: Opening | None) -> list[Sentence]:
        """What keeps the subject from its boxes, and until when; or that nothing does."""
        own = self.subject == self.job
        words: dict[str, object] = {"job": job_title(self.recording, self.subject)}
        if chance is not None and not chance.after:
            words["boxes"] = self._where(chance.boxes)
            if self._starts(self.subject):
                said = tr("It starts now, in {boxes}.") if own else tr("{job} starts now, in {boxes}.")
            else:
                said = tr("It would fit now, in {boxes}.") if own else tr("{job} would fit now, in {boxes}.")
            return [compose(said, words)]
        words["reason"] = shortage_sentence(self.recording, self.snapshot, self.subject)
        trouble = [compose(tr("It waits: {reason}.") if own else tr("{job} waits: {reason}."), words)]
        if places and blockers:
            trouble.append(self._in_the_way(places, blockers[0]))
        return [*trouble, self._chance(chance)]

    def _in_the_way(self, places: int, first: Blocker) -> Sentence:
        """The job that holds most of the places."""
        a_box = tr("a {size} box, turned or not") if len(self._turns()) > 1 else tr("a {size} box")
        size = describe_size(self.recording.size(self.subject), self.recording.mesh.dims)
        words = {
            "job": job_name(first.job).with_capital(),
            "a_box": before_numbers(a_box.format(size=size)),
            "places": places,
            "stands": first.places,
            "alone": first.alone,
        }
        return compose(blocking_words(places, first.places, first.alone), words)

    def _chance(self, chance: Opening | None) -> Sentence:
        if chance is None and None in self.leaves:
            return Sentence(tr("It is not known yet when the running jobs leave."))
        if chance is None:
            return Sentence(tr("No departure of the jobs that run now makes room for it."))
        words = {
            "job": job_name(self.subject).with_capital(),
            "time": formatted(chance.time, ".2f"),
            "boxes": self._where(chance.boxes),
            "leaving": named_jobs(chance.after),
        }
        return compose(opening_words(len(chance.after), own=self.subject == self.job), words)

    def _where(self, boxes: Boxes) -> str:
        return boxes_words(boxes, self.recording)

    # What is computed

    def _starts(self, job: int) -> bool:
        return outlook(self.recording, self.snapshot, job) is Outlook.STARTS

    def _first_chance(self) -> Opening | None:
        """Where the subject starts now, else where it could start once others have left."""
        if self._starts(self.subject):
            boxes = self.recording.boxes_of(self.subject, self.snapshot.position)
            return Opening(self.snapshot.time, boxes, ())
        return self.recording.remembered(first_opening, self.snapshot.position, self.subject)

    def _turns(self) -> tuple[Size, ...]:
        """The shapes of the box wanted; none where the strategy places jobs otherwise."""
        strategy, size = self.recording.strategy, self.recording.size(self.subject)
        if (
            not strategy.contiguous
            or strategy.aligned
            or self.recording.new_strategy().granted(size) != prod(size)
        ):
            return ()
        mesh, turning = self.recording.mesh, strategy.turning(self.recording.scenario.allocator.options)
        return tuple(filter(mesh.fits, orientations(size, mesh.dims) if turning else (size,)))

    def _blockers(self) -> tuple[int, tuple[Blocker, ...]]:
        """The number of places of the box wanted, and the running jobs, those in most of them first."""
        running = self.snapshot.running
        volumes = self.recording.held_processors()
        counts = dict.fromkeys(running.tolist(), (0, 0))
        total = 0
        for size in self._turns():
            places, met = places_met(self.snapshot, size, across=self.recording.across)
            total += places
            for job, (stands, alone) in met.items():
                counts[job] = counts[job][0] + stands, counts[job][1] + alone
        rows = [
            Blocker(job, *counts[job], int(volumes[job]), leaves)
            for job, leaves in zip(running.tolist(), self.leaves, strict=True)
        ]
        if total:
            rows = [row for row in rows if row.places]
        rows.sort(key=lambda row: (-row.places, row.leaves if row.leaves is not None else inf, row.job))
        return total, tuple(rows)


def _latest_in_vain(recording: Recording, job: int, position: int) -> int | None:
    """The latest attempt to place the job that failed."""
    for attempt in reversed(recording.attempts_of(job)):
        made = recording.attempts[attempt]
        if made.position <= position and made.outcome == AttemptOutcome.WAITS:
            return attempt
    return None

"""A whole algorithm: the student decides what the strategy does with some requests and releases in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, Final, Self

from meshgui.engine.allocation.base import AttemptTrace, Boxes, ReleaseTrace, Strategy
from meshgui.engine.allocation.inspection import Inspection, Moment, NodeKind, Table, Tree
from meshgui.engine.basics.geometry import Box, describe_size
from meshgui.engine.basics.kinds import AttemptOutcome, EventKind
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.exercises.exercise import (
    DecisionsForm,
    Draw,
    Exercise,
    ExerciseKey,
    Judgement,
    said,
)
from meshgui.model.exercises.placement_words import (
    base_words,
    cells_words,
    gets_words,
    shared_cells,
    why_not,
    words_of,
)

_COUNTS: Final = {1: 4, 2: 6, 3: 10}
"""How many decisions each level asks for."""
_MOST_STEPS: Final = 100  # of a search that is done by hand
_MOST_ENTRIES, _MOST_CHANGED = 24, 12  # of a list
_EVENTS_APART: Final = 3  # of events, between looks at the list that is kept
_HELPED: Final = 0.5  # of a decision, once steps of it were shown


@dataclass(frozen=True)
class Decision:
    """One decision to take: the place of a job, or what a list has after an operation."""

    position: int  # the events that have happened before
    job: int
    attempt: int | None  # None for a release
    right: Boxes
    listed: str = ""  # the title of the list, if it is asked for
    before: Boxes = ()  # what it had before


@dataclass(frozen=True, eq=False)
class WholeExercise(Exercise):
    """Be the strategy: place jobs, let them wait, and keep its list of free boxes."""

    kind: ClassVar = "whole"
    title: ClassVar = tr("Be the strategy yourself")

    decisions: tuple[Decision, ...]

    @classmethod
    def suits(cls, strategy: type[Strategy]) -> bool:
        return not strategy.draws_lots and not strategy.learns

    @classmethod
    def ask(cls, key: ExerciseKey, recording: Recording, draw: Draw) -> Self | None:
        """Decisions in a row that can be done by hand; of the first level as early ones as there are."""
        decisions, count = list(_decisions(recording, key.level)), _COUNTS[key.level]
        firsts = list(range(max(0, len(decisions) - count + 1)))
        if key.level > 1:
            draw.shuffle(firsts)
        rows = [decisions[first : first + count] for first in firsts]
        for row in sorted(rows, key=lambda row: not _is_varied(row, key.level)):
            known = [_with_list(recording, decision) for decision in row]
            if all(_is_by_hand(recording, decision) for decision in known):
                first = known[0]
                time = float(recording.times[first.position - 1]) if first.position else 0.0
                return cls(key, recording, first.position, time, first.job, first.attempt, tuple(known))
        return None

    @property
    def question(self) -> str:
        return said(
            tr(
                "Be {strategy} for the next {count} decisions. Each is checked at once; what you decide "
                "first counts."
            ),
            strategy=self.recording.strategy.title,
            count=len(self.decisions),
        )

    @property
    def form(self) -> DecisionsForm:
        return DecisionsForm(self.mesh, len(self.decisions))

    @property
    def right(self) -> list[Any]:
        return [{"boxes": [list(box) for box in decision.right], "shown": 0} for decision in self.decisions]

    def judge(self, answer: object) -> Judgement:
        given = self.form.read(answer)
        right = [
            self.is_right(decision, one.boxes) for decision, one in zip(self.decisions, given, strict=False)
        ]
        worth = [ok * (_HELPED if one.shown else 1) for ok, one in zip(right, given, strict=True)]
        score = round(sum(worth) / len(self.decisions), 3)
        if score >= 1:
            return Judgement(1.0, said(tr("Right: all {all} decisions."), all=len(self.decisions)))
        words = said(tr("{right} of {all} decisions are right."), right=sum(right), all=len(self.decisions))
        if helped := sum(one.shown > 0 for one in given):
            words += " " + said(tr("With steps shown: {helped}; these count half."), helped=helped)
        missed = [n for n in range(len(self.decisions)) if n >= len(right) or not right[n]]
        return Judgement(score, f"{words} {self._listing(missed)}" if missed else words)

    @property
    def solution(self) -> str:
        return self._listing(range(len(self.decisions)))

    @property
    def explanation(self) -> str:
        return ""

    def _listing(self, numbers: Sequence[int]) -> str:
        """The right decisions with these numbers, a line each."""
        lines = "\n".join(f"{number + 1}. {self.outcome(self.decisions[number])}" for number in numbers)
        return said(tr("These are the decisions:\n{lines}"), lines=lines)

    # One decision

    def is_right(self, decision: Decision, given: Boxes) -> bool:
        """Whether the boxes are those of the engine: of a place the same processors, of a list the same."""
        if decision.listed:
            return set(given) == set(decision.right)
        hit, union = shared_cells(self.mesh, decision.right, given)
        return hit == union

    def asks(self, decision: Decision) -> str:
        """What is to be decided."""
        words = {"job": decision.job, "boxes": self._boxes(decision.job), "list": decision.listed}
        if not decision.listed:
            size = describe_size(self.recording.size(decision.job), self.mesh.dims)
            return said(
                tr("Job {job} asks for {size}. Place it, or let it wait."), job=decision.job, size=size
            )
        if decision.attempt is None:
            return said(
                tr("Job {job} leaves {boxes}. Which free boxes does “{list}” have afterwards?"), **words
            )
        return said(tr("Job {job} gets {boxes}. Which free boxes does “{list}” have afterwards?"), **words)

    def outcome(self, decision: Decision) -> str:
        """The right decision in words."""
        if decision.listed:
            flat = self.mesh.dims == 2
            boxes = ", ".join(box.describe(flat=flat) for box in sorted(decision.right)) or tr("nothing")
            return said(tr("“{list}” has {boxes}."), list=decision.listed, boxes=boxes)
        return (
            gets_words(decision.right, self.mesh)
            if decision.right
            else said(tr("Job {job} waits."), job=decision.job)
        )

    def why_wrong(self, decision: Decision, given: Boxes) -> str:
        """What is wrong about a decision, without the right one."""
        if decision.listed:
            missing, extra = set(decision.right) - set(given), set(given) - set(decision.right)
            return said(
                tr("Not yet. Boxes that are missing: {missing}; that do not belong there: {extra}."),
                missing=len(missing),
                extra=len(extra),
            )
        if not given:
            return said(tr("Job {job} can be placed now."), job=decision.job)
        one, at = given[0], (self.recording, decision.position, decision.job)
        if not decision.right:
            met = why_not(*at, one.size, one.base)
            return f"{met} {said(tr('Job {job} cannot be placed now.'), job=decision.job)}"
        if not self.in_one(decision):
            return cells_words(self.mesh, decision.right, given)
        if len(given) == 1 and one.base == decision.right[0].base:
            return said(tr("The base is right, the size {size} is not."), size=self._size(one))
        lead = base_words(self.mesh, decision.right[0].base, one.base)
        return f"{lead} {why_not(*at, decision.right[0].size, one.base)}"

    def in_one(self, decision: Decision) -> bool:
        """Whether the decision is one box: of the place of a job that gets no more, or may wait."""
        return not decision.listed and self.recording.strategy.contiguous

    def trace(self, decision: Decision) -> AttemptTrace | ReleaseTrace | None:
        """The steps of the strategy that lead to the decision; None where it takes none."""
        if decision.attempt is not None:
            return self.recording.trace(decision.attempt)
        if self.recording.strategy.release_lines:
            return self.recording.trace_release(decision.position)
        return None

    def _size(self, box: Box) -> str:
        return describe_size(box.size, self.mesh.dims)

    def _boxes(self, job: int) -> str:
        return ", ".join(words_of(box, self.mesh) for box in self.recording.boxes_of(job))


def overlap(boxes: Sequence[Box]) -> bool:
    """Whether some of the boxes overlap, as the entries of a list of largest free boxes do."""
    return any(one.overlaps(other) for one, other in combinations(boxes, 2))


def _decisions(recording: Recording, level: int) -> Iterator[Decision]:
    """All decisions of a run in their order, with as many lists as the level asks for, not yet filled."""
    title = _kept_list(recording) if level > 1 else ""
    for position in range(len(recording)):
        for attempt in recording.attempts_at(position):
            _, job, outcome = recording.attempts[attempt]
            if outcome == AttemptOutcome.RESERVED:
                return
            placed = outcome == AttemptOutcome.PLACED
            yield Decision(position, job, attempt, recording.boxes_of(job) if placed else ())
            if placed and title and level > 2:
                yield Decision(position, job, attempt, (), title)
        if title and recording.kinds[position] == EventKind.FINISH:
            yield Decision(position, int(recording.event_jobs[position]), None, (), title)


def _with_list(recording: Recording, decision: Decision) -> Decision:
    """The decision with what its list has before and afterwards."""
    if not decision.listed:
        return decision
    before, right = (
        recording.remembered(_free_boxes, at)[decision.listed]
        for at in (decision.position, decision.position + 1)
    )
    return replace(decision, before=before, right=right)


def _free_boxes(recording: Recording, position: int) -> dict[str, Boxes]:
    """The boxes of all lists, and those of the free leaves of all trees, by their titles; the trees first."""
    seen: Inspection = recording.new_strategy().inspect(Moment(recording.state_at(position)))
    found: dict[str, Boxes] = {}
    for panel in sorted(seen.panels, key=lambda panel: not isinstance(panel, Tree)):
        if isinstance(panel, Tree):
            marks = [node.mark for node in panel.nodes if node.kind == NodeKind.FREE]
        elif isinstance(panel, Table):
            marks = [row.mark for row in panel.rows]
        else:
            continue
        found[panel.title] = tuple(mark.box for mark in marks if mark is not None and mark.box.volume)
    return found


def _kept_list(recording: Recording) -> str:
    """The title of the list of free boxes that the strategy keeps; empty if it keeps none.

    One with boxes of a single size says no more than the mesh does: it is not asked for.
    """
    if not recording.strategy.keeps_lists:
        return ""
    sizes: dict[str, set[int]] = {}
    held: set[str] = set()
    for position in range(0, len(recording), _EVENTS_APART):
        taken = [Box(*row) for row in recording.snapshot(position).boxes.tolist()]
        for title, boxes in _free_boxes(recording, position).items():
            sizes.setdefault(title, set()).update(box.volume for box in boxes)
            if title not in held and any(box.overlaps(other) for box in boxes for other in taken):
                held.add(title)
    return next((title for title, volumes in sizes.items() if title not in held and len(volumes) > 1), "")


def _is_varied(row: Sequence[Decision], level: int) -> bool:
    """Whether jobs are placed, and from the second level on one must wait."""
    places = [decision for decision in row if not decision.listed]
    waits = any(not decision.right for decision in places)
    return any(decision.right for decision in places) and (level == 1 or waits)


def _is_by_hand(recording: Recording, decision: Decision) -> bool:
    """Whether the steps, and the changes of the list, are few."""
    if decision.listed:
        changed = len(set(decision.right) ^ set(decision.before))
        return 0 < changed <= _MOST_CHANGED and len(decision.right) <= _MOST_ENTRIES
    return decision.attempt is not None and len(recording.trace(decision.attempt).steps) <= _MOST_STEPS

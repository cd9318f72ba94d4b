"""The work on a whole algorithm: what is pointed out now, what was decided first, and how to undo it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

from meshgui.engine.allocation.base import Boxes
from meshgui.engine.allocation.steps import Mark
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.translation import tr
from meshgui.model.base.signals import Signal
from meshgui.model.exercises.exercise import GivenDecision, said
from meshgui.model.exercises.whole_algorithm import Decision, WholeExercise, overlap

_NOTHING: Final = tr("Point out the box in the mesh, or let the job wait.")
_UNCHANGED: Final = tr("Bring the list up to date first: this changes it.")


class _Moment(NamedTuple):
    """What undo goes back to."""

    place: int
    boxes: Boxes


class WholeWork:
    """One decision after the other: a wrong one can be taken again, but what was decided first counts."""

    def __init__(self, exercise: WholeExercise) -> None:
        self.changed: Signal[[]] = Signal()
        self.exercise = exercise
        self.place = 0  # of the decision; as many as there are once all are done
        self.boxes: Boxes = exercise.decisions[0].before
        self.words = ""  # about the last decision, or the step that is shown
        self.right = False  # whether the words praise the last decision
        self.marks: tuple[Mark, ...] = ()  # of the step that is shown
        self._firsts: list[GivenDecision] = []
        self._shown = [0] * len(exercise.decisions)
        self._before: list[_Moment] = []

    @property
    def done(self) -> bool:
        """Whether all decisions are taken."""
        return self.place >= len(self.exercise.decisions)

    @property
    def decision(self) -> Decision:
        """The decision to take; the last one once all are taken."""
        return self.exercise.decisions[min(self.place, len(self.exercise.decisions) - 1)]

    @property
    def several(self) -> bool:
        """Whether a decision may consist of several boxes."""
        return not self.exercise.in_one(self.decision)

    @property
    def answer(self) -> list[Any]:
        """What was decided first, as JSON has it."""
        return [{"boxes": [list(box) for box in one.boxes], "shown": one.shown} for one in self._firsts]

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._before)

    # Pointing out

    def point(self, box: Box) -> None:
        """Take a box of the mesh: one processor stands for a base, or takes back the box that it lies in."""
        if self.done:
            return
        if not self.several:
            self._set((self._at_base(box) if box.volume == 1 else box,))
            return
        met = [other for other in self.boxes if other.overlaps(box)]
        if box in self.boxes or (met and box.volume == 1):
            self.remove([box] if box in self.boxes else met)
        elif overlap(self.decision.before):  # the entries of such a list may overlap
            self._set((*self.boxes, box))
        else:
            self._set((*(other for other in self.boxes if other not in met), box))

    def remove(self, boxes: Iterable[Box]) -> None:
        """Take boxes back."""
        gone = set(boxes)
        self._set(tuple(box for box in self.boxes if box not in gone))

    def split(self, boxes: Iterable[Box]) -> None:
        """Put halves in the place of each box: along each side that is even."""
        chosen = set(boxes)
        self._set(tuple(part for box in self.boxes for part in (halves(box) if box in chosen else (box,))))

    def merge(self, boxes: Sequence[Box]) -> None:
        """Put the box around them in the place of some boxes."""
        if boxes:
            chosen = set(boxes)
            self._set((*(box for box in self.boxes if box not in chosen), around(boxes)))

    def _at_base(self, base: Box) -> Box:
        """The box of the job's size from a base; a second click there turns it."""
        mesh, job = self.exercise.mesh, self.decision.job
        strategy, size = self.exercise.recording.new_strategy(), self.exercise.recording.size(job)
        boxes = [Box(*base.base, *shape) for shape in strategy.turns(size) or (size,)]
        there = [box for box in boxes if mesh.holds(box)] or [base]
        now = self.boxes[0] if self.boxes else None
        return there[(there.index(now) + 1) % len(there)] if now in there else there[0]

    def _set(self, boxes: Boxes) -> None:
        if boxes != self.boxes:
            self._before.append(_Moment(self.place, self.boxes))
            self.boxes, self.words, self.right = boxes, "", False
            self.changed.emit()

    # Deciding

    def wait(self) -> None:
        """Let the job wait."""
        self.boxes = ()
        self._give()

    def give(self) -> None:
        """Take the decision that is pointed out."""
        if self.done:
            return
        decision = self.decision
        if decision.listed and set(self.boxes) == set(decision.before):
            self._say(_UNCHANGED)
            return
        if not self.boxes and not decision.listed:
            self._say(_NOTHING)
            return
        self._give()

    def _give(self) -> None:
        decision = self.decision
        if len(self._firsts) == self.place:
            self._firsts.append(GivenDecision(self.boxes, self._shown[self.place]))
        if not self.exercise.is_right(decision, self.boxes):
            self._say(self.exercise.why_wrong(decision, self.boxes))
            return
        self._before.append(_Moment(self.place, self.boxes))
        self.place += 1
        self.boxes = () if self.done else self.decision.before
        self._say(said(tr("Right. {outcome}"), outcome=self.exercise.outcome(decision)), right=True)

    def undo(self) -> None:
        """Go back to what was there before; the decision that was taken first stays."""
        if self._before and not self.done:
            self.place, self.boxes = self._before.pop()
            self._say("")

    def show_step(self) -> None:
        """Show one more step of the strategy; after the last one, the decision itself."""
        if self.done:
            return
        decision, trace = self.decision, self.exercise.trace(self.decision)
        all_steps = len(trace.steps) if trace is not None else 0
        number = self._shown[self.place] = min(self._shown[self.place] + 1, max(all_steps, 1))
        words = self.exercise.outcome(decision)
        marks: tuple[Mark, ...] = ()
        if trace is not None and all_steps:
            moment = trace.moment(number)
            marks = tuple(mark for mark in moment.marks if mark.box.volume)
            step = self.exercise.recording.new_strategy().say(moment)
            told = said(tr("Step {number} of {all}: {step}"), number=number, all=all_steps, step=step)
            words = f"{told} {words}" if number == all_steps and decision.listed else told
        if number >= all_steps:
            self._before.append(_Moment(self.place, self.boxes))
            self.boxes = decision.right
        self._say(words, marks=marks)

    def _say(self, words: str, *, right: bool = False, marks: tuple[Mark, ...] = ()) -> None:
        self.words, self.right, self.marks = words, right, marks
        self.changed.emit()


def halves(box: Box) -> Boxes:
    """The parts of a box that is halved along each side that is even."""
    cuts = [
        [(start, side // 2), (start + side // 2, side // 2)] if side % 2 == 0 else [(start, side)]
        for start, side in zip(box.base, box.size, strict=True)
    ]
    return tuple(Box(x, y, z, w, d, h) for (z, h), (y, d), (x, w) in product(*reversed(cuts)))


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box around some boxes."""
    x, y, z = (min(box.base[axis] for box in boxes) for axis in range(3))
    a, b, c = (max(box.end[axis] for box in boxes) for axis in range(3))
    return Box.from_corners((x, y, z), (a, b, c))


def typed_box(mesh: Mesh, numbers: Sequence[int]) -> Box | None:
    """The box of typed numbers: a base, or a base and a size; None where they are neither."""
    dims = mesh.dims
    if len(numbers) not in {dims, 2 * dims}:
        return None
    base, size = (*numbers[:dims], *[0] * (3 - dims)), (*numbers[dims:], *[1] * 3)[:3]
    box = Box(*base, *size)
    return box if mesh.holds(box) else None

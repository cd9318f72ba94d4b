"""Exercises about one allocation: where a job is placed, whether it must wait, what fragments the mesh."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar, Final, Self

from meshgui.engine.allocation.base import Boxes, Reservation, Strategy
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.basics.geometry import Box, Node, Size, describe_size
from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of
from meshgui.engine.runs.recording import Recording
from meshgui.model.exercises.exercise import (
    AnswerFormatError,
    BaseForm,
    BoxesForm,
    ChoiceForm,
    Draw,
    Exercise,
    ExerciseKey,
    Judgement,
    SizeForm,
    said,
)
from meshgui.model.exercises.exercise_runs import attempts_asked_about, draws_lots
from meshgui.model.exercises.placement_words import (
    axes_right,
    base_words,
    cells_words,
    gets_words,
    shared_cells,
    why_not,
    words_of,
)

_PLACES_TRIED: Final = 8
_SIZES_TRIED: Final = 400
_FEW_BLOCKS: Final = 3
_PARTLY: Final = 0.5  # of the score, for what is right in a wrong answer


@dataclass(frozen=True, eq=False)
class _AttemptExercise(Exercise):
    """About an attempt of the run."""

    @classmethod
    def _of_attempt(cls, key: ExerciseKey, recording: Recording, attempt: int) -> Self:
        position, job, _ = recording.attempts[attempt]
        return cls(key, recording, position, recording.request(attempt).now, job, attempt)


class PlaceExercise(_AttemptExercise):
    """Where the strategy places the next job: the base, or the boxes of a strategy that gives several."""

    kind: ClassVar = "place"
    title: ClassVar = tr("Where is the next job placed?")

    @classmethod
    def suits(cls, strategy: type[Strategy]) -> bool:
        return not strategy.draws_lots

    @classmethod
    def ask(cls, key: ExerciseKey, recording: Recording, draw: Draw) -> Self | None:
        """An exercise in this run, if there is one."""
        found = attempts_asked_about(recording, draw, AttemptOutcome.PLACED)
        chosen = (n for n in found[:_PLACES_TRIED] if not draws_lots(recording, n))
        return next((cls._of_attempt(key, recording, n) for n in chosen), None)

    @property
    def boxes(self) -> Boxes:
        """What the job gets."""
        return self.recording.blocks_of(self.job)

    @property
    def _one_box(self) -> bool:
        return self.recording.strategy.contiguous and len(self.boxes) == 1

    @property
    def question(self) -> str:
        words = {"job": self.job, "size": self.size, "strategy": self.recording.strategy.title}
        if self._one_box:
            return said(
                tr(
                    "Job {job} asks for {size} and is tried next. Where does {strategy} place it? "
                    "Name the base: the processor of its box with the lowest coordinates."
                ),
                **words,
            )
        return said(
            tr("Job {job} asks for {size} and is tried next. Which {processors} does {strategy} give it?"),
            processors=count_of(sum(box.volume for box in self.boxes), "processor"),
            **words,
        )

    @property
    def form(self) -> BaseForm | BoxesForm:
        if self._one_box:
            return BaseForm(self.mesh)
        return BoxesForm(self.mesh, sum(box.volume for box in self.boxes))

    @property
    def right(self) -> list[Any]:
        if self._one_box:
            return list(self.boxes[0].base[: self.mesh.dims])
        return [list(box) for box in self.boxes]

    def judge(self, answer: object) -> Judgement:
        form = self.form
        if isinstance(form, BaseForm):
            return self._judge_base(form.read(answer))
        return self._judge_boxes(form.read(answer))

    def _judge_base(self, given: Node) -> Judgement:
        box, names = self.boxes[0], "xyz"[: self.mesh.dims]
        right = axes_right(self.mesh, box.base, given)
        gets = gets_words(self.boxes, self.mesh)
        if len(right) == len(names):
            return Judgement(1.0, said(tr("Right: the job gets {box}."), box=words_of(box, self.mesh)))
        why = why_not(self.recording, self.position, self.job, box.size, given)
        lead = base_words(self.mesh, box.base, given)
        return Judgement(_PARTLY * len(right) / len(names), f"{lead} {why} {gets}")

    def _judge_boxes(self, given: Boxes) -> Judgement:
        hit, union = shared_cells(self.mesh, self.boxes, given)
        if hit == union:
            return Judgement(1.0, said(tr("Right: all {all} processors."), all=hit))
        found = cells_words(self.mesh, self.boxes, given)
        return Judgement(round(_PARTLY * hit / union, 3), f"{found} {self.solution}")

    @property
    def solution(self) -> str:
        if isinstance(self.form, BaseForm):
            return super().solution
        return gets_words(self.boxes, self.mesh)

    def compared(self, answer: object) -> tuple[Boxes, Boxes]:
        form = self.form
        try:
            if isinstance(form, BoxesForm):
                return form.read(answer), self.boxes
            base = form.read(answer)
        except AnswerFormatError:  # given up
            return (), self.boxes
        box = Box(*base, *self.boxes[0].size)
        return (box if self.mesh.holds(box) else Box(*base, 1, 1, 1),), self.boxes


class WaitExercise(_AttemptExercise):
    """Whether the next job starts at once, or must wait, and for what."""

    kind: ClassVar = "wait"
    title: ClassVar = tr("Must the next job wait?")

    @classmethod
    def ask(cls, key: ExerciseKey, recording: Recording, draw: Draw) -> Self | None:
        """An exercise in this run, if there is one; as often one that waits as one that starts."""
        wanted = draw.one_of((AttemptOutcome.WAITS, AttemptOutcome.PLACED, AttemptOutcome.WAITS))
        found = attempts_asked_about(recording, draw, wanted) or attempts_asked_about(
            recording, draw, *AttemptOutcome
        )
        # Where enough processors are free, there is something to find out.
        open_ones = [n for n in found if not cls._of_attempt(key, recording, n).is_short]
        chosen = draw.one_of((open_ones, open_ones, found)) or found
        return cls._of_attempt(key, recording, chosen[0]) if chosen else None

    @property
    def is_short(self) -> bool:
        """Whether fewer processors are free than the job would hold."""
        granted = self.recording.new_strategy().granted(self.recording.size(self.job))
        return granted > self.recording.snapshot(self.position).free

    @property
    def question(self) -> str:
        return said(
            tr("Job {job} asks for {size} and is tried next, with {strategy}. What happens?"),
            job=self.job,
            size=self.size,
            strategy=self.recording.strategy.title,
        )

    @property
    def form(self) -> ChoiceForm:
        options = [
            tr("It starts at once."),
            tr("It waits: too few processors are free."),
            tr("It waits: enough processors are free, but not where it needs them."),
        ]
        if self.recording.strategy.reserves(self.recording.scenario.allocator.options):
            options.append(tr("It leaves the queue for a box that is reserved for it."))
        return ChoiceForm(tuple(options))

    @property
    def right(self) -> int:
        outcome = self.recording.attempts[self.attempt or 0].outcome
        if outcome == AttemptOutcome.RESERVED:
            return 3
        if outcome == AttemptOutcome.PLACED:
            return 0
        return 1 if self.is_short else 2

    def judge(self, answer: object) -> Judgement:
        given, right, options = self.form.read(answer), self.right, self.form.options
        if given == right:
            return Judgement(1.0, said(tr("Right. {what_happens}"), what_happens=options[right]))
        if {given, right} == {1, 2}:
            return Judgement(
                _PARTLY,
                said(tr("It does wait, but for another reason. {what_happens}"), what_happens=options[right]),
            )
        return Judgement(0.0, said(tr("No. {what_happens}"), what_happens=options[right]))


@dataclass(frozen=True, eq=False)
class FragmentExercise(Exercise):
    """Find a request that the mesh is too fragmented for; or that is cut into a few blocks."""

    kind: ClassVar = "fragment"
    title: ClassVar = tr("Which request fragments the mesh?")

    example: Size
    blocks: int  # at least these it is to be cut into; 0 where one must fail

    @classmethod
    def suits(cls, strategy: type[Strategy]) -> bool:
        states_sizes = "placements" in strategy.options_model.model_fields  # too few of them fail
        return not strategy.draws_lots and not states_sizes

    @classmethod
    def ask(cls, key: ExerciseKey, recording: Recording, draw: Draw) -> Self | None:
        """An exercise in this run, if there is one."""
        for attempt in attempts_asked_about(recording, draw, *AttemptOutcome)[:_PLACES_TRIED]:
            position, job, _ = recording.attempts[attempt]
            now = recording.request(attempt).now
            bare = cls(key, recording, position, now, job, None, (1, 1, 1), 0)
            found = bare._example(draw)
            if found is not None:
                return cls(key, recording, position, now, job, None, *found)
        return None

    @property
    def free(self) -> int:
        """The processors that are free."""
        return self.recording.snapshot(self.position).free

    @property
    def question(self) -> str:
        words: dict[str, object] = {
            "strategy": self.recording.strategy.title,
            "free": count_of(self.free, "processor"),
            "blocks": self.blocks,
        }
        if not self.blocks:
            return said(
                tr(
                    "Free now: {free}. Find a request for no more than these that {strategy} cannot "
                    "place now, although it would fit into the empty machine."
                ),
                **words,
            )
        return said(
            tr(
                "Free now: {free}. Find a request for no more than these to which {strategy} gives at "
                "least {blocks} blocks."
            ),
            **words,
        )

    @property
    def form(self) -> SizeForm:
        return SizeForm(self.mesh)

    @property
    def right(self) -> list[int]:
        return list(self.example[: self.mesh.dims])

    def judge(self, answer: object) -> Judgement:
        size = self.form.read(answer)
        machine = self.recording.strategy_at(self.position)
        words: dict[str, object] = {
            "size": describe_size(size, self.mesh.dims),
            "asked": count_of(prod(size), "processor"),
            "free": self.free,
            "example": describe_size(self.example, self.mesh.dims),
        }
        if prod(size) > self.free:
            text = tr("{size} asks for {asked}, but only {free} are free. A right answer: {example}.")
            return Judgement(0.0, said(text, **words))
        if machine.refusal(size) is not None:
            text = tr("{size} would not even fit into the empty machine. A right answer: {example}.")
            return Judgement(0.0, said(text, **words))
        outcome = machine.allocate(self._request(size))
        placed = outcome is not None and not isinstance(outcome, Reservation)
        if not self.blocks:
            if not placed:
                text = tr("Right: {size} asks for {asked} of {free} that are free, and must wait.")
                return Judgement(1.0, said(text, **words))
            text = tr("{size} is small enough, but it can be placed. A right answer: {example}.")
            return Judgement(_PARTLY, said(text, **words))
        count = len(self.recording.as_blocks(outcome)) if isinstance(outcome, tuple) and placed else 0
        words |= {"count": count_of(count, "block"), "blocks": self.blocks}
        if count >= self.blocks:
            return Judgement(1.0, said(tr("Right: {size} gets {count}."), **words))
        text = tr("{size} gets {count}, not at least {blocks}. A right answer: {example}.")
        return Judgement(round(_PARTLY * count / self.blocks, 3), said(text, **words))

    @property
    def explanation(self) -> str:
        return ""

    def _request(self, size: Size) -> Request:
        return Request(self.job, size, self.time, 10.0, self.recording.seed)

    def _example(self, draw: Draw) -> tuple[Size, int] | None:
        """The smallest request that fails, or is cut into a few blocks, so that it can be found by hand."""
        machine = self.recording.strategy_at(self.position)
        if self.job in self.recording.snapshot(self.position).reserved:
            return None
        before, free = machine.capture(), self.free
        sizes = [
            size
            for h in range(self.mesh.extents[2])
            for d in range(self.mesh.extents[1])
            for w in range(self.mesh.extents[0])
            if prod(size := (w + 1, d + 1, h + 1)) <= free and machine.refusal(size) is None
        ]
        best: tuple[Size, int] | None = None
        for size in sorted(draw.some_of(sizes, _SIZES_TRIED), key=prod):
            outcome = machine.allocate(self._request(size))
            if outcome is None or isinstance(outcome, Reservation):
                return size, 0
            machine.restore(before)
            again = machine.allocate(self._request(size)._replace(seed=self.recording.seed + 1))
            by_lot = again is None or [tuple(b) for b in again] != [tuple(b) for b in outcome]
            machine.restore(before)
            if by_lot:
                return None
            if len(outcome) > (best[1] if best else 1):
                best = size, min(len(outcome), _FEW_BLOCKS)
            if best is not None and best[1] == _FEW_BLOCKS:
                break
        return best

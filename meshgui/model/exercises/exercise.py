"""An exercise: a question about a moment of a drawn run, which the engine answers; see the manual."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, TypeVar, get_args

import numpy as np
from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from meshgui.engine.allocation.base import Boxes, Strategy
from meshgui.engine.basics.geometry import Box, Mesh, Size, describe_size, in_three
from meshgui.engine.basics.parts import Part, Text
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.workload.spec import Side
from meshgui.model.base.limits import MAX_EXERCISE_MESH
from meshgui.model.moment.position import Position

T = TypeVar("T")
Kind = Literal[
    "place", "wait", "structure", "packet", "fragment", "order", "whole", "failure", "direction", "turns"
]
KINDS: Final[tuple[str, ...]] = get_args(Kind)
"""What exercises ask for."""
LEVELS: Final = (1, 2, 3)
"""How much a whole algorithm asks for: places alone; lists after releases, too; and after placements."""
_MOST_BOXES: Final = 4096


class ExerciseError(Exception):
    """An exercise that cannot be asked, in one line."""


class AnswerFormatError(Exception):
    """An answer that does not fit its question: what was expected."""


def said(template: str, **words: object) -> str:
    """A sentence with its placeholders filled."""
    return template.format(**words)


class ExerciseKey(Part):
    """All that an exercise depends on: the same key asks the same on every machine."""

    kind: Kind
    strategy: Annotated[Text, Field(min_length=1, max_length=80)]
    shape: Annotated[tuple[Side, ...], Field(min_length=2, max_length=3)]
    seed: Annotated[int, Field(ge=0, le=2**63 - 1, strict=True)]
    level: Annotated[int, Field(ge=LEVELS[0], le=LEVELS[-1], strict=True)] = LEVELS[0]
    """Of a whole algorithm; no other kind has levels."""

    @model_serializer(mode="wrap")
    def _without_level(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As JSON: the first level is not stated, so that what was handed in before there were any stays."""
        data: dict[str, Any] = write(self)
        if self.level == LEVELS[0]:
            del data["level"]
        return data

    @model_validator(mode="after")
    def _small_enough(self) -> ExerciseKey:
        if self.level != LEVELS[0] and self.kind != "whole":
            raise ValueError(
                tr("level: expected {first}, as {kind} has no levels").format(first=LEVELS[0], kind=self.kind)
            )
        if Mesh(self.shape).processors > MAX_EXERCISE_MESH:
            raise ValueError(
                tr("shape: expected at most {most} processors, got {processors}").format(
                    most=MAX_EXERCISE_MESH, processors=Mesh(self.shape).processors
                )
            )
        return self

    def __str__(self) -> str:
        level = f" level {self.level}" if self.level != LEVELS[0] else ""  # untranslated: as it is typed
        return f"{self.kind} {self.strategy} {Mesh(self.shape).describe()} {self.seed}{level}"


class Draw:
    """Random numbers from a seed: of the generator's bits alone, as its other draws may change with NumPy."""

    def __init__(self, *seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(list(seed))))

    def below(self, number: int) -> int:
        """A whole number from 0 up to this one, which is left out."""
        return int(self._generator.random() * number)

    def one_of(self, things: Sequence[T]) -> T:
        """One of some things."""
        return things[self.below(len(things))]

    def shuffle(self, things: MutableSequence[T]) -> None:
        """Put things into a random order."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]

    def some_of(self, things: Sequence[T], most: int) -> list[T]:
        """At most this many of some things, in a random order."""
        mixed = list(things)
        self.shuffle(mixed)
        return mixed[:most]


# Forms: what an answer consists of


def _whole_numbers(answer: object, count: int | None = None) -> list[int]:
    """A list of whole numbers, as JSON has it."""
    if isinstance(answer, list) and (count is None or len(answer) == count) and len(answer) <= _MOST_BOXES:
        numbers = [n for n in answer if isinstance(n, int) and not isinstance(n, bool) and abs(n) < 2**31]
        if len(numbers) == len(answer):
            return numbers
    if count is None:
        raise AnswerFormatError(tr("expected a list of whole numbers"))
    raise AnswerFormatError(tr("expected a list of {count} whole numbers").format(count=count))


@dataclass(frozen=True)
class BaseForm:
    """A processor of the mesh: [x, y], or [x, y, z]."""

    mesh: Mesh

    def read(self, answer: object) -> tuple[int, int, int]:
        """The processor."""
        x, y, *rest = _whole_numbers(answer, self.mesh.dims)
        node = x, y, rest[0] if rest else 0
        if not self.mesh.holds(Box(*node, 1, 1, 1)):
            raise AnswerFormatError(
                tr("expected a processor of the {mesh} mesh").format(mesh=self.mesh.describe())
            )
        return node


@dataclass(frozen=True)
class BoxesForm:
    """Boxes of the mesh, as rows of base and size: [[x, y, z, w, d, h], …]."""

    mesh: Mesh
    processors: int

    def read(self, answer: object) -> tuple[Box, ...]:
        """The boxes."""
        if not isinstance(answer, list) or len(answer) > _MOST_BOXES:
            raise AnswerFormatError(tr("expected a list of boxes, each [x, y, z, w, d, h]"))
        boxes = tuple(Box(*_whole_numbers(row, 6)) for row in answer)
        if not all(map(self.mesh.holds, boxes)):
            raise AnswerFormatError(
                tr("expected boxes inside the {mesh} mesh").format(mesh=self.mesh.describe())
            )
        return boxes


@dataclass(frozen=True)
class SizeForm:
    """The size of a request: [w, d], or [w, d, h]."""

    mesh: Mesh

    def read(self, answer: object) -> Size:
        """The size."""
        size = in_three(_whole_numbers(answer, self.mesh.dims))
        if not all(1 <= side <= max(self.mesh.extents) for side in size):
            raise AnswerFormatError(
                tr("expected sides from 1 to {longest}").format(longest=max(self.mesh.extents))
            )
        return size


@dataclass(frozen=True)
class ChoiceForm:
    """The number of one of some options, from 0; perhaps for the gap of a list."""

    options: tuple[str, ...]
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()  # of the list
    gap: int = -1  # the row that is not shown

    def read(self, answer: object) -> int:
        """The option."""
        (number,) = _whole_numbers([answer], 1)
        if not 0 <= number < len(self.options):
            raise AnswerFormatError(
                tr("expected an option from 0 to {last}").format(last=len(self.options) - 1)
            )
        return number


@dataclass(frozen=True)
class PacketForm:
    """The number of a packet."""

    packets: tuple[int, ...]  # those to choose from

    def read(self, answer: object) -> int:
        """The packet."""
        (number,) = _whole_numbers([answer], 1)
        if number not in self.packets:
            raise AnswerFormatError(tr("expected a packet that is in the network"))
        return number


@dataclass(frozen=True)
class OrderForm:
    """The lines in their right order, each by its place, from 0, in what is shown."""

    lines: tuple[str, ...]

    def read(self, answer: object) -> tuple[int, ...]:
        """The order."""
        order = tuple(_whole_numbers(answer, len(self.lines)))
        if sorted(order) != list(range(len(self.lines))):
            raise AnswerFormatError(
                tr("expected each number from 0 to {last} once").format(last=len(self.lines) - 1)
            )
        return order


class GivenDecision(NamedTuple):
    """What was first decided at a step of an algorithm: boxes; none lets a job wait, or empties a list."""

    boxes: Boxes
    shown: int = 0  # the steps of the search that were shown before


@dataclass(frozen=True)
class DecisionsForm:
    """The first decisions, in their order: [{"boxes": [[x, y, z, w, d, h], …], "shown": 0}, …]."""

    mesh: Mesh
    count: int

    def read(self, answer: object) -> tuple[GivenDecision, ...]:
        """The decisions; the last ones may be missing."""
        if not isinstance(answer, list) or len(answer) > self.count:
            raise AnswerFormatError(
                tr("expected a list of at most {count} decisions").format(count=self.count)
            )
        boxes = BoxesForm(self.mesh, self.mesh.processors)
        decisions = []
        for row in answer:
            if not isinstance(row, dict) or row.keys() != {"boxes", "shown"}:
                raise AnswerFormatError(tr("expected decisions, each with “boxes” and “shown”"))
            (shown,) = _whole_numbers([row["shown"]], 1)
            decisions.append(GivenDecision(boxes.read(row["boxes"]), shown))
        return tuple(decisions)


Form = BaseForm | BoxesForm | SizeForm | ChoiceForm | PacketForm | OrderForm | DecisionsForm


class Judgement(NamedTuple):
    """What an answer is worth, and what is right about it."""

    score: float  # from 0 to 1
    words: str

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return self.score >= 1


@dataclass(frozen=True, eq=False)
class Exercise(ABC):
    """A question about a moment of a run, and the run, which has the answer."""

    kind: ClassVar[str]
    title: ClassVar[str]

    key: ExerciseKey
    recording: Recording  # the whole run
    position: int  # the events that have happened
    time: float
    job: int  # that the question is about
    attempt: int | None  # the one that answers it, if it is one

    @classmethod
    def suits(cls, strategy: type[Strategy]) -> bool:
        """Whether this can be asked of a strategy: what it does is not drawn by lot, for example."""
        del strategy
        return True

    @property
    def mesh(self) -> Mesh:
        """The machine."""
        return self.recording.mesh

    def boxes_now(self) -> tuple[Box, ...]:
        """The boxes that are held at the moment."""
        return tuple(Box(*row) for row in self.recording.snapshot(self.position).boxes.tolist())

    @property
    def size(self) -> str:
        """The job's request, in words."""
        return describe_size(self.recording.size(self.job), self.mesh.dims)

    @property
    def steps(self) -> Position:
        """Where stepping shows the answer."""
        return Position(self.position, self.attempt)

    @property
    @abstractmethod
    def question(self) -> str:
        """What is asked, in words."""

    @property
    @abstractmethod
    def form(self) -> Form:
        """What an answer consists of."""

    @property
    @abstractmethod
    def right(self) -> Any:  # noqa: ANN401 - any JSON value
        """A right answer, as JSON has it."""

    @abstractmethod
    def judge(self, answer: object) -> Judgement:
        """What an answer, as JSON has it, is worth; an AnswerFormatError if it is not valid."""

    def verdict(self, answer: object) -> Judgement:
        """The judgement on an answer; None gives up, and the judgement says what is right."""
        if answer is not None:
            return self.judge(answer)
        return Judgement(0.0, said(tr("Not answered. {right}"), right=self.solution))

    @property
    def solution(self) -> str:
        """The right answer in words."""
        return self.judge(self.right).words

    def compared(self, answer: object) -> tuple[Boxes, Boxes]:
        """The boxes of an answer and the right ones, to be seen side by side in the mesh; perhaps none."""
        del answer
        return (), ()

    @property
    def explanation(self) -> str:
        """What the engine did, in words; the strategy says it at the last step of the attempt."""
        if self.attempt is None:
            return ""
        trace = self.recording.trace(self.attempt)
        if not len(trace.steps):
            return ""
        says = self.recording.new_strategy().say(trace.moment(len(trace.steps)))
        return said(
            tr("At time {time} the search takes {steps} steps. The last one: {step}"),
            time=formatted(self.time, "g"),
            steps=len(trace.steps),
            step=says,
        )

    @property
    def fingerprint(self) -> str:
        """A hash of what is asked: of the key, the jobs of the run and the moment."""
        jobs = self.recording.jobs
        brought = [jobs.arrival.tolist(), jobs.sizes.tolist(), jobs.messages.tolist(), self.recording.seed]
        asked = [self.key.model_dump(mode="json"), brought, self.position, self.time, self.job]
        packed = json.dumps(asked, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(packed.encode()).hexdigest()

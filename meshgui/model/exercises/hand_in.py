"""Sets of exercises, hand-ins, and grading that trusts nothing in them; see the manual."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar

from pydantic import Field, ValidationError

from meshgui.engine.basics.files import InputFileError, os_fault, read_input
from meshgui.engine.basics.json_text import JsonError, read_json
from meshgui.engine.basics.parts import Part, Text, complaint_of
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import write_whole
from meshgui.model.base.limits import MAX_ANSWERS, MAX_EXERCISES, MAX_HAND_IN
from meshgui.model.exercises.exercise import AnswerFormatError, ExerciseError, ExerciseKey, said
from meshgui.model.exercises.exercises import exercise

SET_SUFFIX: Final = ".exercises.json"
HAND_IN_SUFFIX: Final = ".hand-in.json"
P = TypeVar("P", bound=Part)
_ROW_OF_NUMBERS: Final = re.compile(r"(?<=\[)\s+-?\d+(?:,\s+-?\d+)*\s+(?=\])")
"""A shape or a box in indented JSON: written in one line, as an algorithm's answer has many of them."""

MAX_NAME: Final = 200
Name = Annotated[Text, Field(max_length=MAX_NAME)]
Asked = Annotated[tuple[ExerciseKey, ...], Field(min_length=1, max_length=MAX_EXERCISES)]


class ExerciseSet(Part):
    """Exercises for all students of a course."""

    meshgui_exercises: Literal[1] = 1
    title: Name = ""
    asked: Asked


class GivenAnswer(Part):
    """An answer that was given, and when."""

    question: Annotated[int, Field(ge=0, lt=MAX_EXERCISES, strict=True)]
    answer: Any
    score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None
    """As the student saw it; grading computes its own."""
    at: Annotated[Text, Field(max_length=40)] = ""


class HandIn(Part):
    """What a student hands in."""

    meshgui_hand_in: Literal[1] = 1
    student: Name = ""
    title: Name = ""
    asked: Asked
    asked_hash: Annotated[Text, Field(max_length=64)]
    answers: Annotated[tuple[GivenAnswer, ...], Field(max_length=MAX_EXERCISES)] = ()
    """The first answer to each question that was answered."""
    log: Annotated[tuple[GivenAnswer, ...], Field(max_length=MAX_ANSWERS)] = ()
    """All answers, in the order in which they were given."""


class Grade(NamedTuple):
    """What a hand-in is worth."""

    path: Path
    student: str
    title: str
    asked_hash: str
    scores: tuple[float | None, ...]  # of each question; None: not answered
    remark: str
    hand_in: HandIn

    @property
    def answered(self) -> int:
        """The questions that were answered."""
        return sum(score is not None for score in self.scores)

    @property
    def score(self) -> float:
        """The sum of the scores."""
        return round(sum(score or 0.0 for score in self.scores), 3)


def hand_in_schema() -> dict[str, Any]:
    """The JSON Schema of a hand-in."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **HandIn.model_json_schema()}


def hash_of(asked: Sequence[ExerciseKey]) -> str:
    """The hash of what is asked: of each key, its run and its moment."""
    prints = [exercise(key).fingerprint for key in asked]
    return hashlib.sha256("\n".join(prints).encode()).hexdigest()


def read_set(path: Path) -> ExerciseSet:
    """A set of exercises; an InputFileError in one line where it is not one."""
    return _read(path, ExerciseSet)


def read_hand_in(path: Path) -> HandIn:
    """A hand-in as its file has it, nothing of it graded; an InputFileError where it is not one."""
    return _read(path, HandIn)


def student_in(path: Path) -> str:
    """The student that a file names, also one that is refused; empty where that cannot be read."""
    try:
        data = read_json(read_input(path, MAX_HAND_IN) or b"")
    except (OSError, ValueError, JsonError):
        return ""
    student = data.get("student") if isinstance(data, dict) else None
    return student[:MAX_NAME] if isinstance(student, str) else ""


def write_part(path: Path, part: Part) -> None:
    """Write a set or a hand-in: whole, or leave the file as it was."""
    text = json.dumps(part.model_dump(mode="json"), indent=1) + "\n"
    write_whole(path, _ROW_OF_NUMBERS.sub(lambda row: " ".join(row[0].split()), text).encode())


def grade_hand_in(path: Path, wanted: ExerciseSet | None = None) -> Grade:
    """Ask every question again and judge every answer; an InputFileError where the file does not hold."""
    hand_in = read_hand_in(path)
    if wanted is not None and hand_in.asked != wanted.asked:
        raise InputFileError(path, tr("asked: these are not the questions of the set"))
    if len(set(hand_in.asked)) < len(hand_in.asked):
        raise InputFileError(path, tr("asked: expected each question once"))
    _check_hash(path, hand_in)
    scores: list[float | None] = [None] * len(hand_in.asked)
    first = {given.question: given.answer for given in reversed(hand_in.log)}
    for number, given in enumerate(hand_in.answers):
        if given.question >= len(scores) or scores[given.question] is not None:
            raise InputFileError(
                path,
                tr("answers.{number}.question: expected each question that was asked once").format(
                    number=number
                ),
            )
        try:
            scores[given.question] = exercise(hand_in.asked[given.question]).verdict(given.answer).score
        except AnswerFormatError as error:
            raise InputFileError(
                path, tr("answers.{number}.answer: {error}").format(number=number, error=error)
            ) from None
        if first.get(given.question) != given.answer:
            raise InputFileError(
                path,
                tr("answers.{number}.answer: expected the first answer of the log").format(number=number),
            )
    if len(first) > len(hand_in.answers):
        raise InputFileError(path, tr("answers: expected an answer for each question in the log"))
    title = hand_in.title if wanted is None else wanted.title
    made = Grade(path, hand_in.student, title, hand_in.asked_hash, tuple(scores), "", hand_in)
    return made._replace(remark=_remark(hand_in, scores))


def _check_hash(path: Path, hand_in: HandIn) -> None:
    for number, key in enumerate(hand_in.asked):
        try:
            exercise(key)
        except ExerciseError as error:
            raise InputFileError(
                path, tr("asked.{number}: {error}").format(number=number, error=error)
            ) from None
    if hash_of(hand_in.asked) != hand_in.asked_hash:
        raise InputFileError(
            path,
            tr("asked_hash: expected the hash of what was asked: the questions or the hash were changed"),
        )


def _remark(hand_in: HandIn, scores: Sequence[float | None]) -> str:
    """What the file says of its scores that is not so."""
    wrong = sum(
        given.score is not None and abs(given.score - (scores[given.question] or 0.0)) > 1e-6
        for given in hand_in.answers
    )
    if not wrong:
        return ""
    return said(tr("{wrong} of the scores in the file are not those of its answers"), wrong=wrong)


def _read(path: Path, model: type[P]) -> P:
    try:
        content = read_input(path, MAX_HAND_IN)
    except OSError as error:
        raise InputFileError(path, os_fault(error)) from None
    except ValueError:
        raise InputFileError(path, tr("expected the name of a file")) from None
    if content is None:
        raise InputFileError(path, tr("expected a file of at most {size} MiB").format(size=MAX_HAND_IN >> 20))
    try:
        data = read_json(content)
    except JsonError as error:
        raise InputFileError(path, str(error)) from None
    if not isinstance(data, dict):
        raise InputFileError(path, tr("expected a JSON object"))
    try:
        return model.model_validate(data)
    except ValidationError as error:
        complaint = complaint_of(error, data)
        field = ".".join(map(str, complaint.path))
        message = f"{field}: {complaint.message}" if field else complaint.message
        raise InputFileError(path, message) from None

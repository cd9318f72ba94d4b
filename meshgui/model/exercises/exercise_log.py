"""The answers given on this machine, kept beside the settings, and the hand-in that is made of them."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from meshgui.engine.basics.files import PRIVATE, os_fault, read_input, whole_file
from meshgui.engine.basics.json_text import read_json
from meshgui.engine.basics.translation import tr
from meshgui.model.base.limits import MAX_ANSWERS, MAX_EXERCISE_LOG
from meshgui.model.base.signals import Signal
from meshgui.model.exercises.exercise import ExerciseKey, Judgement
from meshgui.model.exercises.hand_in import GivenAnswer, HandIn, hash_of


class LoggedAnswer(NamedTuple):
    """An answer and what it was worth."""

    key: ExerciseKey
    answer: Any  # as JSON has it
    score: float
    at: str


class ExerciseLog:
    """The answers, the first given first. What cannot be kept is said, and stays for as long as the log."""

    def __init__(self, folder: Path) -> None:
        self.changed: Signal[[]] = Signal()
        self.unkept: Signal[[str]] = Signal()  # why, in a sentence
        self._file = folder / "exercises.json"
        self._answers = _read(self._file)

    def __len__(self) -> int:
        return len(self._answers)

    def answers(self) -> list[LoggedAnswer]:
        """All answers, in the order in which they were given."""
        return list(self._answers)

    def firsts(self) -> list[LoggedAnswer]:
        """The first answer to each exercise."""
        firsts: dict[ExerciseKey, LoggedAnswer] = {}
        for answer in self._answers:
            firsts.setdefault(answer.key, answer)
        return list(firsts.values())

    @property
    def score(self) -> float:
        """The sum of the first answers' scores."""
        return round(sum(answer.score for answer in self.firsts()), 3)

    def add(self, key: ExerciseKey, answer: object, verdict: Judgement) -> None:
        """Take down an answer."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        given = [*self._answers, LoggedAnswer(key, answer, verdict.score, at)]
        self._answers = _merged(_read(self._file), given)[-MAX_ANSWERS:]
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(self._file, PRIVATE) as file:
                file.write(_text_of(self._answers))
        except OSError as error:
            self.unkept.emit(
                tr(
                    "Your answers cannot be kept: {fault}. Write the hand-in before you close the window."
                ).format(fault=os_fault(error))
            )
        self.changed.emit()

    def hand_in(self, asked: Sequence[ExerciseKey], student: str, title: str = "") -> HandIn:
        """The hand-in for exercises, with the answers to them."""
        number = {key: place for place, key in enumerate(asked)}
        log = tuple(
            GivenAnswer(question=number[given.key], answer=given.answer, score=given.score, at=given.at)
            for given in self._answers
            if given.key in number
        )
        first = {given.question: given for given in reversed(log)}
        answers = tuple(first[place] for place in sorted(first))
        return HandIn(
            student=student,
            title=title,
            asked=tuple(asked),
            asked_hash=hash_of(asked),
            answers=answers,
            log=log,
        )


def _text_of(answers: Sequence[LoggedAnswer]) -> bytes:
    """As many of the latest answers as can be read again, a line each."""
    rows: list[bytes] = []
    room = MAX_EXERCISE_LOG - 100
    for answer in reversed(answers):
        row = json.dumps(_row(answer)).encode()
        room -= len(row) + 2
        if room < 0:
            break
        rows.insert(0, row)
    return b'{"answers": [\n' + b",\n".join(rows) + b"\n]}\n"


def _row(given: LoggedAnswer) -> dict[str, Any]:
    return given._asdict() | {"key": given.key.model_dump(mode="json")}


def _merged(kept: Sequence[LoggedAnswer], given: list[LoggedAnswer]) -> list[LoggedAnswer]:
    """The answers given here, and those that another window has added to the file since."""
    lacking = Counter(map(_identity, kept)) - Counter(map(_identity, given))
    others = [answer for answer in kept if _identity(answer) in lacking]
    return sorted((*given, *others), key=lambda answer: answer.at) if others else given


def _identity(given: LoggedAnswer) -> str:
    return json.dumps(_row(given), sort_keys=True)


def _read(file: Path) -> list[LoggedAnswer]:
    """The answers in a file; of a damaged one those that can be read."""
    try:
        rows = read_json(read_input(file, MAX_EXERCISE_LOG) or b"")["answers"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    answers: list[LoggedAnswer] = []
    for row in rows[-MAX_ANSWERS:] if isinstance(rows, list) else ():
        with contextlib.suppress(ValidationError, KeyError, TypeError):
            key = ExerciseKey.model_validate(row["key"])
            score, at = row["score"], row["at"]
            if isinstance(score, int | float) and 0 <= score <= 1 and isinstance(at, str):
                answers.append(LoggedAnswer(key, row["answer"], float(score), at[:40]))
    return answers

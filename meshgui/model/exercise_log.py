"""The answers given on this machine, kept beside the settings, and the hand-in that is made of them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from meshgui.engine.basics.files import PRIVATE, os_fault, read_at_most, whole_file
from meshgui.engine.basics.translation import tr
from meshgui.model.exercise import ExerciseKey, Judgement
from meshgui.model.hand_in import GivenAnswer, HandIn, hash_of
from meshgui.model.signals import Signal

__all__ = ["ExerciseLog", "LoggedAnswer"]

_MOST: Final = 2000  # answers that are kept
_LARGEST: Final = 4 << 20  # bytes


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
        self._answers = [*self._answers, LoggedAnswer(key, answer, verdict.score, at)][-_MOST:]
        rows = [given._asdict() | {"key": given.key.model_dump(mode="json")} for given in self._answers]
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(self._file, PRIVATE) as file:
                file.write((json.dumps({"answers": rows}, indent=1) + "\n").encode())
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


def _read(file: Path) -> list[LoggedAnswer]:
    """The answers in a file; of a damaged one those that can be read."""
    try:
        with file.open("rb") as opened:
            content = read_at_most(opened, _LARGEST)
        rows = json.loads(content or b"")["answers"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return []
    answers: list[LoggedAnswer] = []
    for row in rows[-_MOST:] if isinstance(rows, list) else ():
        with contextlib.suppress(ValidationError, KeyError, TypeError):
            key = ExerciseKey.model_validate(row["key"])
            score, at = row["score"], row["at"]
            if isinstance(score, int | float) and 0 <= score <= 1 and isinstance(at, str):
                answers.append(LoggedAnswer(key, row["answer"], float(score), at[:40]))
    return answers

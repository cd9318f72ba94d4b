"""How far a student has come in each lesson: the step, and the answers; kept on the machine."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from meshgui.engine.basics.files import PRIVATE, os_fault, read_input, whole_file
from meshgui.engine.basics.json_text import read_json
from meshgui.engine.basics.translation import tr
from meshgui.model.base.limits import MAX_EXERCISE_LOG, MAX_STEPS
from meshgui.model.base.signals import Signal
from meshgui.model.lessons.lesson_files import LESSON_SUFFIX

_FILE: Final = "lessons.json"
_MOST_LESSONS: Final = 1000
_LONGEST: Final = 100  # letters of an answer
_NUMBERED: Final = re.compile(r"\d+-")


class StepAnswer(NamedTuple):
    """The last answer to the question of a step, as it was typed; empty where it was shown instead."""

    text: str
    right: bool
    closed: bool = True  # whether the question waits for no other


@dataclass(frozen=True)
class LessonProgress:
    """The step at which a lesson was left, and the answers by their steps."""

    place: int = 0
    last: int = 0  # the furthest step that was shown
    answers: Mapping[int, StepAnswer] = field(default_factory=dict)

    @property
    def right(self) -> int:
        """The questions whose last answer is right."""
        return sum(answer.right for answer in self.answers.values())

    def at(self, place: int) -> LessonProgress:
        """The progress with another step shown."""
        return replace(self, place=place, last=max(self.last, place))

    def answered(self, place: int, answer: StepAnswer) -> LessonProgress:
        """The progress with another answer."""
        return replace(self, answers={**self.answers, place: answer})

    def asked_again(self, place: int) -> LessonProgress:
        """The progress without the answer of a step."""
        kept = {step: answer for step, answer in self.answers.items() if step != place}
        return replace(self, answers=kept)

    def waits(self, place: int) -> bool:
        """Whether the question of a step waits for its answer."""
        answer = self.answers.get(place)
        return answer is None or not answer.closed


class Course:
    """The progress in all lessons. What cannot be kept is said, and stays for as long as the course."""

    def __init__(self, folder: Path) -> None:
        self.unkept: Signal[[str]] = Signal()  # why, in a sentence
        self._file = folder / _FILE
        self._lessons = _read(self._file)

    def progress(self, path: Path) -> LessonProgress:
        """The progress in a lesson; that of its beginning where it was never opened."""
        return self._lessons.get(key_of(path), LessonProgress())

    def keep(self, path: Path, progress: LessonProgress) -> None:
        """Keep the progress in a lesson beside that of the others, also those of another window."""
        kept = _read(self._file) | {key_of(path): progress}
        self._lessons = dict(list(kept.items())[-_MOST_LESSONS:])
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(self._file, PRIVATE) as file:
                file.write((json.dumps(_data_of(self._lessons), indent=1) + "\n").encode())
        except OSError as error:
            self.unkept.emit(
                tr("Your place in the lesson cannot be kept: {fault}.").format(fault=os_fault(error))
            )


def key_of(path: Path) -> str:
    """The name of a lesson without its number, as numbers change; of a `lesson.md` that of its folder."""
    name = path.name if path.name.endswith(LESSON_SUFFIX) else path.parent.name
    return _NUMBERED.sub("", name.removesuffix(LESSON_SUFFIX), count=1)


def _data_of(lessons: Mapping[str, LessonProgress]) -> dict[str, Any]:
    return {
        "lessons": {
            key: {
                "place": progress.place,
                "last": progress.last,
                "answers": {str(place): list(answer) for place, answer in progress.answers.items()},
            }
            for key, progress in lessons.items()
        }
    }


def _read(file: Path) -> dict[str, LessonProgress]:
    """The progress in a file; of a damaged one what can be read."""
    try:
        lessons = read_json(read_input(file, MAX_EXERCISE_LOG) or b"")["lessons"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    rows = lessons.items() if isinstance(lessons, dict) else ()
    return {str(key): progress for key, data in rows if (progress := _progress_of(data)) is not None}


def _progress_of(data: object) -> LessonProgress | None:
    if not isinstance(data, dict) or not all(_is_place(data.get(key)) for key in ("place", "last")):
        return None
    given = data.get("answers")
    answers = {
        int(place): StepAnswer(str(answer[0])[:_LONGEST], answer[1] is True, answer[2:] != [False])
        for place, answer in (given.items() if isinstance(given, dict) else ())
        if place.isascii()
        and place.isdigit()
        and len(place) < 4
        and isinstance(answer, list)
        and len(answer) in {2, 3}
    }
    return LessonProgress(data["place"], data["last"], answers)


def _is_place(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MAX_STEPS

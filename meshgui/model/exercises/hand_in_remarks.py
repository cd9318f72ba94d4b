"""What stands out in the hand-ins of a course: copies, answers alike, and times too short to read in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import so_many
from meshgui.model.exercises.hand_in import Grade, HandIn

_FEWEST: Final = 3  # answers from which on their times say something
_SECONDS: Final = 3.0  # that reading one question takes at least


def remarks_on(grades: Sequence[Grade]) -> list[list[str]]:
    """The remarks on each hand-in, in their order: on its times, and beside those before and after it."""
    remarks = [list(_on_times(grade.hand_in)) for grade in grades]
    alike: dict[str, list[int]] = {}
    for place, grade in enumerate(grades):
        for print_of in (_answers_of(grade), _log_of(grade.hand_in), _name_of(grade)):
            if print_of:
                alike.setdefault(print_of, []).append(place)
    for print_of, places in alike.items():
        for place in places if len(places) > 1 else ():
            other = next(each for each in places if each != place)
            remarks[place].append(_WORDS[print_of[0]](grades[place], grades[other].path))
    return remarks


def _on_times(hand_in: HandIn) -> Iterator[str]:
    """Remarks on when the answers were given."""
    times = [_time(given.at) for given in hand_in.log]
    known = [time for time in times if time is not None]
    if len(known) < len(times):
        yield tr("{answers} without a readable time").format(
            answers=so_many(len(times) - len(known), "answer")
        )
    if known != sorted(known):
        yield tr("the times in the log go backwards")
    elif len(known) >= _FEWEST and (took := (known[-1] - known[0]).total_seconds()) < _SECONDS * len(known):
        yield tr("{answers} within {seconds:g} s").format(answers=so_many(len(known), "answer"), seconds=took)


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _answers_of(grade: Grade) -> str:
    """The answers with some wrong ones: right answers are alike of themselves."""
    wrong = sum(score is not None and score < 1 for score in grade.scores)
    given = [(given.question, given.answer) for given in grade.hand_in.answers]
    return "a" + json.dumps([grade.asked_hash, given]) if wrong > 1 else ""


def _log_of(hand_in: HandIn) -> str:
    """When which answer was given."""
    given = [(given.answer, given.at) for given in hand_in.log]
    return "l" + json.dumps(given) if given else ""


def _name_of(grade: Grade) -> str:
    return "n" + grade.student.strip().casefold() if grade.student.strip() else ""


def _same_answers(grade: Grade, other: Path) -> str:
    wrong = sum(score is not None and score < 1 for score in grade.scores)
    return tr("the same answers as {other}, {wrong} of them wrong").format(other=other, wrong=wrong)


def _same_log(_: Grade, other: Path) -> str:
    return tr("a copy of {other}: the same answers at the same times").format(other=other)


def _same_name(_: Grade, other: Path) -> str:
    return tr("{other} is by the same student").format(other=other)


_WORDS: Final = {"a": _same_answers, "l": _same_log, "n": _same_name}

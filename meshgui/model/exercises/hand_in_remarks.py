"""What stands out in the hand-ins of a course: copies, answers alike, and times too short to read in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of
from meshgui.model.exercises.hand_in import Grade, HandIn

_FEWEST: Final = 3  # answers from which on their times say something
_DAY: Final = len("2026-11-30")
_SECONDS: Final = 3.0  # that reading one question takes at least


def remarks_on(grades: Sequence[Grade], due: datetime | None = None) -> list[list[str]]:
    """The remarks on each hand-in, in their order: on itself, and beside those before and after it."""
    remarks = [[*_on_name(grade), *_on_times(grade.hand_in, due)] for grade in grades]
    alike: dict[str, list[int]] = {}
    for place, grade in enumerate(grades):
        for print_of in (_answers_of(grade), _log_of(grade.hand_in), _name_of(grade)):
            if print_of:
                alike.setdefault(print_of, []).append(place)
    for print_of, places in alike.items():
        for place in places if len(places) > 1 else ():
            others = [each for each in places if each != place]
            if print_of[0] == "a":  # of a copy that is said already
                others = [each for each in others if not _are_copies(grades[place], grades[each])]
            if others:
                remarks[place].append(_WORDS[print_of[0]](grades[place], grades[others[0]].path))
    return remarks


def moment_in(text: str) -> datetime | None:
    """The moment that a text names; a day alone is its end, and no zone is UTC. None for no such text."""
    moment = _time(text)
    return moment + timedelta(days=1) if moment is not None and len(text) == _DAY else moment


def _on_name(grade: Grade) -> Iterator[str]:
    if not grade.student.strip():
        yield tr("no name")


def _on_times(hand_in: HandIn, due: datetime | None) -> Iterator[str]:
    """Remarks on when the answers were given."""
    times = [_time(given.at) for given in hand_in.log]
    known = [time for time in times if time is not None]
    if len(known) < len(times):
        yield tr("{answers} without a readable time").format(
            answers=count_of(len(times) - len(known), "answer")
        )
    if due is not None and known and max(known) > due:
        yield tr("late: the last answer is of {time}").format(time=f"{max(known):%Y-%m-%d %H:%M}")
    if known != sorted(known):
        yield tr("the times in the log go backwards")
    elif len(known) >= _FEWEST and (took := (known[-1] - known[0]).total_seconds()) < _SECONDS * len(known):
        yield tr("{answers} within {seconds:g} s").format(
            answers=count_of(len(known), "answer"), seconds=took
        )


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _are_copies(one: Grade, other: Grade) -> bool:
    return _log_of(one.hand_in) == _log_of(other.hand_in) != ""


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

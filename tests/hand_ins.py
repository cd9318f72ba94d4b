"""Makes the hand-ins of a course: `python -m tests.hand_ins FOLDER [STUDENTS]` writes roster, sets and files.

Students answer their own sets, half of the questions rightly on average; `DEEDS` are what grading remarks on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

from meshgui.cli.entry import run
from meshgui.model.exercises.exercise import AnswerFormatError, Draw, Exercise, ExerciseKey
from meshgui.model.exercises.exercises import exercise
from meshgui.model.exercises.hand_in import (
    HAND_IN_SUFFIX,
    ExerciseSet,
    GivenAnswer,
    HandIn,
    hash_of,
    read_set,
)
from meshgui.model.exercises.roster import file_name

WORDS = ("--strategy", "ff,mbs", "--kind", "wait,place,whole", "--count", "6")
NAMES = ("Ada Lovelace", "Jürgen Grün", "مريم ميرزاخاني", "=Bobby", "O’Neil, Cathleen", "Grace Hopper")
Data = dict[str, Any]


def of_another(data: Data, other: Data) -> Data:
    """Answers the set of another student."""
    return other | {"student": data["student"]}


def too_fast(data: Data, _: Data) -> Data:
    """All answers in a second."""
    for row in (*data["answers"], *data["log"]):
        row["at"] = "2026-01-05T10:00:00+00:00"
    return data


def backwards(data: Data, _: Data) -> Data:
    """The last answer was given a year before the others."""
    for row in (data["answers"][-1], data["log"][-1]):
        row["at"] = "2025-01-05T10:00:00+00:00"
    return data


def scores_raised(data: Data, _: Data) -> Data:
    """All scores are 1."""
    for row in data["answers"]:
        row["score"] = 1.0
    return data


def hash_changed(data: Data, _: Data) -> Data:
    """Asks other questions than the hash says: the file is refused."""
    data["asked"][0]["seed"] += 1
    return data


def cut_short(data: Data, _: Data) -> Data:
    """Only the first two answers."""
    return data | {"answers": data["answers"][:2], "log": data["log"][:2]}


DEEDS: dict[int, Callable[[Data, Data], Data]] = {
    1: of_another,
    2: too_fast,
    3: backwards,
    4: scores_raised,
    5: hash_changed,
    6: cut_short,
}
"""What students do, by their places in the roster."""


def make_course(folder: Path, students: int, words: tuple[str, ...] = WORDS) -> list[Path]:
    """The hand-ins of a roster in a folder, beside `names.csv` and the sets in `sets`."""
    names = [f"{NAMES[n % len(NAMES)]}{' ' + str(n) if n >= len(NAMES) else ''}" for n in range(students)]
    (folder / "names.csv").write_text(
        "name\n" + "".join('"' + name + '"\n' for name in names), encoding="utf-8"
    )
    with redirect_stdout(StringIO()):
        run(["exercise", "set", str(folder / "sets"), "--roster", str(folder / "names.csv"), *words])
    (folder / "hand-ins").mkdir()
    sets = [read_set(folder / "sets" / f"{file_name(name)}.exercises.json") for name in names]
    pairs = enumerate(zip(names, sets, strict=True))
    made = [_answered(name, chosen, place) for place, (name, chosen) in pairs]
    files = []
    for place, data in enumerate(made):
        files.append(folder / "hand-ins" / f"{file_name(names[place])}{HAND_IN_SUFFIX}")
        deed = DEEDS.get(place)
        changed = data if deed is None else deed(json.loads(json.dumps(data)), made[0])
        files[-1].write_text(json.dumps(changed), encoding="utf-8")
    return files


def _answered(student: str, chosen: ExerciseSet, place: int) -> Data:
    """A hand-in with a minute or two to each question."""
    draw, at, log = Draw(place), datetime(2026, 1, 5, 10, tzinfo=UTC) + timedelta(minutes=place), []
    for question, key in enumerate(chosen.asked):
        at += timedelta(seconds=60 + draw.below(60))
        answer = _answer(exercise(key), draw)
        score = exercise(key).verdict(answer).score
        log.append(GivenAnswer(question=question, answer=answer, score=score, at=at.isoformat()))
    return HandIn(
        student=student,
        title=chosen.title,
        asked=chosen.asked,
        asked_hash=hash_of(chosen.asked),
        answers=tuple(log),
        log=tuple(log),
    ).model_dump(mode="json")


def _answer(asked: Exercise, draw: Draw) -> object:
    """Half of the time the right answer; else that of another exercise of the kind, or none."""
    if draw.below(2):
        return asked.right
    key: ExerciseKey = asked.key.model_copy(update={"seed": asked.key.seed + 1 + draw.below(50)})
    other = exercise(key).right
    try:
        asked.judge(other)
    except AnswerFormatError:  # it has another form
        return None
    return other


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    make_course(folder, int(sys.argv[2]) if len(sys.argv) > 2 else 100)

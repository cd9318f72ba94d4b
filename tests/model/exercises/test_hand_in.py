"""Hand-ins: what is graded is what the engine says, not what the file says of itself."""

import json
import os

import pytest

from meshgui.engine.basics.files import InputFileError
from meshgui.model.exercises.exercise import ExerciseKey
from meshgui.model.exercises.exercise_log import ExerciseLog
from meshgui.model.exercises.exercises import exercise, exercise_set
from meshgui.model.exercises.hand_in import ExerciseSet, grade_hand_in, hash_of, read_set, write_part


@pytest.fixture
def asked():
    """A small set."""
    return exercise_set(("ff", "bl"), ("place", "wait"), 4, 3, (6, 6))


@pytest.fixture
def handed_in(asked, tmp_path):
    """A hand-in with a right answer, a wrong one that was mended later, and none to the rest."""
    log = ExerciseLog(tmp_path)
    for key, answer in ((asked[0], exercise(asked[0]).right), (asked[1], wrong(asked[1]))):
        log.add(key, answer, exercise(key).judge(answer))
    log.add(asked[1], exercise(asked[1]).right, exercise(asked[1]).judge(exercise(asked[1]).right))
    path = tmp_path / "a.hand-in.json"
    write_part(path, log.hand_in(asked, "A. Student", "Week 3"))
    return path


def wrong(key):
    """A wrong answer."""
    made = exercise(key)
    return (made.right + 1) % 3 if key.kind == "wait" else [(side + 1) % 6 for side in made.right]


def spoilt(path, **changes):
    """The hand-in with other values at paths such as `answers.0.score`."""
    data = json.loads(path.read_text())
    for place, value in changes.items():
        *keys, last = (int(part) if part.isdigit() else part for part in place.split("__"))
        here = data
        for part in keys:
            here = here[part]
        here[last] = value
    path.write_text(json.dumps(data))
    return path


def test_first_answers_are_graded_and_scores_of_the_file_count_for_nothing(handed_in, asked):
    """One that was mended counts as first given; scores are computed again, and differences remarked."""
    grade = grade_hand_in(handed_in)
    first_wrong = exercise(asked[1]).judge(wrong(asked[1])).score
    assert grade.scores == (1.0, first_wrong, None, None)
    assert (grade.student, grade.title, grade.answered, grade.remark) == ("A. Student", "Week 3", 2, "")
    assert grade.asked_hash == hash_of(asked)
    assert grade_hand_in(handed_in, ExerciseSet(asked=asked, title="Week 4")).title == "Week 4"
    before = grade_hand_in(handed_in).score
    grade = grade_hand_in(spoilt(handed_in, answers__1__score=1.0))
    assert grade.score == before
    assert grade.remark == "1 of the scores in the file are not those of its answers"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"asked__0__seed": 99}, "asked_hash: expected the hash of what was asked"),
        ({"asked__0__strategy": "tff"}, "asked_hash: expected the hash of what was asked"),
        ({"asked_hash": "0" * 64}, "asked_hash: expected the hash of what was asked"),
        ({"asked_hash": "0" * 65}, "asked_hash: expected at most 64"),
        ({"answers__1__question": 0}, "answers.1.question: expected each question that was asked once"),
        ({"answers__1__question": 50}, "answers.1.question: expected each question that was asked once"),
        ({"answers__0__answer": [[[[]]]]}, "answers.0.answer: expected a"),
        ({"answers__0__answer": 10**300}, "answers.0.answer: expected a"),
        ({"log": []}, "answers.0.answer: expected the first answer of the log"),
        ({"answers": []}, "answers: expected an answer for each question in the log"),
        ({"asked__0__strategy": "nothing"}, "asked.0: "),
        ({"asked__0__shape": [1024, 1024]}, "at most 4096 processors"),
        ({"asked__0__kind": "x"}, "asked.0.kind: expected"),
        ({"meshgui_hand_in": 2}, "meshgui_hand_in: expected 1"),
        ({"more": 1}, "more: unknown key"),
        ({"asked": []}, "asked: expected at least 1 value"),
    ],
)
def test_what_was_changed_is_said_in_one_line(handed_in, changes, complaint):
    """Questions, hash, answers, log, or the whole form of the file."""
    with pytest.raises(InputFileError) as raised:
        grade_hand_in(spoilt(handed_in, **changes))
    assert complaint in str(raised.value)
    assert "\n" not in str(raised.value)


def test_swapped_answers_and_doubled_keys_are_noticed(handed_in, asked):
    """Of two keys one reader takes the first; easier seeds with their right hash do not count."""
    content = handed_in.read_text()
    data = json.loads(content)
    first, second = data["answers"]
    first["answer"], second["answer"] = second["answer"], first["answer"]
    handed_in.write_text(json.dumps(data))
    with pytest.raises(InputFileError, match=r"answers\.0\.answer"):
        grade_hand_in(handed_in)
    handed_in.write_text(content.rstrip()[:-1] + ', "student": "B. Student"}')
    with pytest.raises(InputFileError, match="the key “student” appears twice"):
        grade_hand_in(handed_in)
    handed_in.write_text(content)
    other = ExerciseSet(asked=exercise_set(("ff",), ("wait",), 4, 3, (6, 6)))
    with pytest.raises(InputFileError, match="not the questions of the set"):
        grade_hand_in(handed_in, other)
    twice = spoilt(
        handed_in, asked=[asked[0].model_dump(mode="json")] * 4, asked_hash=hash_of([asked[0]] * 4)
    )
    with pytest.raises(InputFileError, match="expected each question once"):
        grade_hand_in(twice)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b" " * (5 << 20), "at most 4 MiB"),
        (b"[" * 100_000, "nested JSON"),
        (b"\xff\xfe", "expected JSON"),
        (b"[]", "expected a JSON object"),
        (b"{}", "expected a value"),
        (None, "directory"),
    ],
    ids=["long", "deep", "no text", "a list", "nothing", "a folder"],
)
def test_large_and_strange_files_are_refused(tmp_path, content, complaint):
    """Before anything is made of them."""
    path = tmp_path
    if content is not None:
        path = tmp_path / "x.json"
        path.write_bytes(content)
    with pytest.raises(InputFileError, match=complaint):
        grade_hand_in(path)


def test_the_log_is_kept_and_damage_costs_what_is_damaged(tmp_path, asked):
    """A second start reads it; rows that cannot be read are left out."""
    log, changes, file = ExerciseLog(tmp_path), [], tmp_path / "exercises.json"
    log.changed.connect(lambda: changes.append(len(log)))
    for key, answer in ((asked[0], exercise(asked[0]).right), (asked[1], wrong(asked[1]))):
        log.add(key, answer, exercise(key).judge(answer))
    assert changes == [1, 2]
    if os.name != "nt":
        assert file.stat().st_mode & 0o077 == 0  # for nobody else
    again = ExerciseLog(tmp_path)
    assert again.answers() == log.answers()
    assert again.score == log.score >= 1
    data = json.loads(file.read_text())
    data["answers"][1]["key"]["kind"] = "x"
    file.write_text(json.dumps(data))
    assert [given.key for given in ExerciseLog(tmp_path).answers()] == [asked[0]]
    file.write_text("{")
    assert len(ExerciseLog(tmp_path)) == 0


def test_a_set_is_read_as_it_was_written_and_two_windows_keep_the_answers_of_both(tmp_path, asked):
    """With its title; equal answers that are given twice stay two."""
    written = ExerciseSet(title="Week 3", asked=asked)
    write_part(tmp_path / "a.exercises.json", written)
    assert read_set(tmp_path / "a.exercises.json") == written
    assert ExerciseKey.model_validate(asked[0].model_dump()) == asked[0]
    one, other = ExerciseLog(tmp_path), ExerciseLog(tmp_path)
    made = exercise(asked[0])
    for log, key in ((one, asked[0]), (other, asked[1]), (one, asked[2]), (one, asked[2])):
        log.add(key, made.right, made.judge(made.right))
    kept = [given.key for given in ExerciseLog(tmp_path).answers()]
    assert sorted(map(asked.index, kept)) == [0, 1, 2, 2]
    assert [given.key for given in one.answers()] == kept

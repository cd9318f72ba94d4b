"""`meshgui exercise` and `meshgui grade` as a course uses them."""

import csv
import json
from io import StringIO

import pytest

from meshgui.model.exercise import ExerciseKey
from meshgui.model.exercise_log import ExerciseLog
from meshgui.model.exercises import exercise
from meshgui.model.hand_in import read_set, write_part


def test_exercises_are_listed_shown_and_described(here):
    """The kinds of a strategy, one with its answer, and the schema of a hand-in."""
    assert here("exercise", "list", "--strategy", "bl").stdout == (
        "bl: place, wait, structure, packet, fragment, order\n"
    )
    shown = here("exercise", "show", "--kind", "place", "--strategy", "bl", "--seed", "3").stdout
    assert "Where does Busy List place it?" in shown
    assert "Answer" not in shown
    more = here("exercise", "show", "--kind", "place", "--strategy", "bl", "--seed", "3", "--answer").stdout
    assert more.startswith(shown)
    assert "Answer: [3, 7]" in more
    assert "asked_hash" in json.loads(here("exercise", "schema").stdout)["properties"]


def test_bad_words_are_said_in_one_line(here):
    """What was expected, and status 2."""
    for words, complaint in (
        (("set",), "meshgui exercise: expected a FILE to write"),
        (("list", "x"), "meshgui exercise: expected no FILE with list"),
        (("show", "--kind", "x"), "meshgui exercise: --kind: expected some of place, "),
        (("show", "--strategy", "x"), "meshgui exercise: no strategy is called x"),
        (
            ("show", "--shape", "8"),
            "meshgui exercise: --shape: expected a shape, for example 8x8 or 4x4x4, got 8",
        ),
        (("show", "--shape", "900x900"), "meshgui exercise: expected a smaller mesh than 900×900"),
        (("set", "x", "--count", "0"), "meshgui exercise: --count: expected 1 to 100, got 0"),
    ):
        done = here("exercise", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(complaint)


def test_a_course_is_graded(here, tmp_path):
    """A set is written, three students answer: a row for each, and a line for a file that does not hold."""
    made = tmp_path / "week.exercises.json"
    words = ("--strategy", "ff,bl", "--kind", "wait,place", "--count", "3", "--shape", "6x6")
    assert here("exercise", "set", made, *words).stdout.startswith(f"{made}: 3 exercises, hash ")
    asked = read_set(made).asked
    for student, count in (("=A", 3), ("B", 1)):
        log = ExerciseLog(tmp_path / student)
        for key in asked[:count]:
            right = exercise(key).right
            log.add(key, right, exercise(key).judge(right))
        for key in asked[count : count + 1]:  # given up first, which later answers do not change
            for answer in (None, exercise(key).right):
                log.add(key, answer, exercise(key).verdict(answer))
        write_part(tmp_path / f"{student[-1]}.json", log.hand_in(asked, student))
    bad = tmp_path / "C.json"
    bad.write_text("{}")
    done = here("grade", tmp_path / "A.json", tmp_path / "B.json", bad, "--set", made, "--csv")
    assert done.returncode == 2
    heading, *rows = csv.reader(StringIO(done.stdout))
    assert heading[:6] == ["file", "student", "title", "asked", "answered", "score"]
    assert [row[1:6] for row in rows] == [["'=A", "", "3", "3", "3"], ["B", "", "3", "2", "1"], [""] * 5]
    assert rows[1][7] == "1 0 -"
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"meshgui: {bad}: ")
    line = here("grade", tmp_path / "B.json").stdout
    assert line.startswith(f"{tmp_path / 'B.json'}: B: 1 of 3, 2 answered, hash ")
    scores = tmp_path / "scores.csv"
    again = here("grade", tmp_path / "A.json", tmp_path / "B.json", bad, "--set", made, "--csv", scores)
    assert (again.returncode, again.stdout) == (2, "")
    assert scores.read_text(encoding="utf-8") == done.stdout
    before = (tmp_path / "A.json").read_bytes()
    assert here("grade", "--csv", tmp_path / "A.json", tmp_path / "B.json").returncode == 2
    assert (tmp_path / "A.json").read_bytes() == before


@pytest.mark.parametrize("name", ["-1+cmd|'/C calc'!A1", "-(1+1)", "＝1+1", "+1", "@A1"])
def test_no_name_is_a_formula_in_the_table_of_grades(here, tmp_path, name):
    """It begins with an apostrophe; the scores, of which the first may be missing, do not."""
    asked = [ExerciseKey(kind="wait", strategy="ff", shape=(6, 6), seed=seed) for seed in (1, 2)]
    log = ExerciseLog(tmp_path / "log")
    log.add(asked[1], None, exercise(asked[1]).verdict(None))
    write_part(tmp_path / "one.json", log.hand_in(asked, name))
    _, row = csv.reader(StringIO(here("grade", tmp_path / "one.json", "--csv").stdout))
    assert (row[1], row[7]) == (f"'{name}", "- 0")


def test_a_hundred_students_are_graded_at_once(here, tmp_path):
    """Each by their own first answers, in the order of the files."""
    asked = [ExerciseKey(kind="wait", strategy="ff", shape=(6, 6), seed=seed) for seed in (1, 2, 3)]
    right = [exercise(key).right for key in asked]
    for student in range(100):
        log = ExerciseLog(tmp_path / f"log {student}")
        for n, key in enumerate(asked[: student % 4]):
            answer = right[n] if student % 3 else (right[n] + 1) % 3
            log.add(key, answer, exercise(key).judge(answer))
        write_part(tmp_path / f"{student:03}.json", log.hand_in(asked, f"Student {student}"))
    files = sorted(tmp_path.glob("*.json"))
    _, *rows = csv.reader(StringIO(here("grade", *files, "--csv").stdout))
    assert [row[1] for row in rows] == [f"Student {student}" for student in range(100)]
    assert [int(row[4]) for row in rows] == [student % 4 for student in range(100)]
    points = [
        sum(
            exercise(key).judge(right[n] if student % 3 else (right[n] + 1) % 3).score
            for n, key in enumerate(asked[: student % 4])
        )
        for student in range(100)
    ]
    assert [float(row[5]) for row in rows] == pytest.approx(points)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("A;=1+1", "A;'=1+1"),
        ("A, @B", "A, '@B"),
        ("  -A1", "  '-A1"),
        ("x;\"=cmd|'/C calc'!A1", "x;\"'=cmd|'/C calc'!A1"),
    ],
)
def test_no_name_is_a_formula_where_other_signs_part_columns(here, tmp_path, name, said):
    """As a semicolon does where the comma stands in numbers."""
    asked = [ExerciseKey(kind="wait", strategy="ff", shape=(6, 6), seed=1)]
    write_part(tmp_path / "one.json", ExerciseLog(tmp_path / "log").hand_in(asked, name))
    _, row = csv.reader(StringIO(here("grade", tmp_path / "one.json", "--csv").stdout))
    assert row[1] == said

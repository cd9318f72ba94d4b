"""A course of a hundred: a set for each student, whose set a hand-in answers, and what stands out in many."""

import json

import pytest

from meshgui.engine.basics.files import InputFileError
from meshgui.model.exercises.exercise_log import ExerciseLog
from meshgui.model.exercises.exercises import exercise, exercise_set, oral_question
from meshgui.model.exercises.hand_in import HAND_IN_SUFFIX, ExerciseSet, grade_hand_in, student_in, write_part
from meshgui.model.exercises.hand_in_remarks import moment_in, remarks_on
from meshgui.model.exercises.roster import file_name, read_roster, read_sets, seed_of

ASKED = exercise_set(("ff",), ("wait",), 4, 3, (6, 6))


def handed_in(folder, student, *, wrong=0, start=0, apart=30):
    """A hand-in with answers half a minute apart, the first few of them wrong."""
    log = ExerciseLog(folder / f"log-{student}-{start}")
    for number, key in enumerate(ASKED):
        made = exercise(key)
        answer = (made.right + 1) % 3 if number < wrong else made.right
        log.add(key, answer, made.judge(answer))
    path = folder / f"{file_name(student)}-{start}{HAND_IN_SUFFIX}"
    data = log.hand_in(ASKED, student).model_dump(mode="json")
    for rows in (data["answers"], data["log"]):
        for row in rows:
            seconds = start + apart * row["question"]
            row["at"] = f"2026-01-01T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}+00:00"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def remarks(*paths):
    """The remarks on hand-ins."""
    return remarks_on([grade_hand_in(path) for path in paths])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada\nGrace\n", ("Ada", "Grace")),
        ("name,number\n Ada ,1\n\nمريم,2\n", ("Ada", "مريم")),
        ('\ufeffStudent\n"Lovelace, Ada"\n', ("Lovelace, Ada",)),
    ],
)
def test_a_roster_has_a_name_in_each_line(tmp_path, text, names):
    """The first column; a heading and empty lines are passed over."""
    path = tmp_path / "names.csv"
    path.write_text(text, encoding="utf-8")
    assert read_roster(path) == names


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "expected 1 to 10000 names"),
        (b"name\n", "expected 1 to 10000 names"),
        (b"Ada\nada\n", "expected different names, got Ada and ada"),
        (b"\xff\n", "expected names in UTF-8"),
    ],
)
def test_what_is_no_roster_is_said(tmp_path, content, complaint):
    """Also two names that would have one file."""
    path = tmp_path / "names.csv"
    path.write_bytes(content)
    with pytest.raises(InputFileError, match=complaint):
        read_roster(path)


def test_names_of_files_are_harmless_and_no_seed_is_given_twice():
    """Whatever a name has in it; letters of all scripts stay."""
    assert [file_name(name) for name in ("Ada Lovelace", "../x/y", "مريم", "::")] == [
        "Ada-Lovelace",
        "x-y",
        "مريم",
        "student",
    ]
    first, second = (range(seed_of(5, place), seed_of(5, place) + 100) for place in (0, 1))
    assert not set(first) & set(second)


def test_the_set_of_a_hand_in_is_found_by_its_questions(tmp_path):
    """A folder without sets is refused."""
    with pytest.raises(InputFileError, match="expected files NAME"):
        read_sets(tmp_path)
    other = exercise_set(("ff",), ("wait",), 4, 103, (6, 6))
    for name, asked in (("Ada", ASKED), ("Grace", other)):
        write_part(tmp_path / f"{name}.exercises.json", ExerciseSet(asked=asked))
    sets = read_sets(tmp_path)
    assert [sets[asked].student for asked in (ASKED, other)] == ["Ada", "Grace"]


def test_copies_are_remarked_on_and_right_answers_alike_are_not(tmp_path):
    """A copy has the times of the other; wrong answers alike name each other; so do files of one name."""
    one, two = handed_in(tmp_path, "A", start=0), handed_in(tmp_path, "B", start=900)
    assert remarks(one, two) == [[], []]
    copy = handed_in(tmp_path, "C", start=0)
    assert remarks(one, copy, two) == [
        [f"a copy of {copy}: the same answers at the same times"],
        [f"a copy of {one}: the same answers at the same times"],
        [],
    ]
    alike = [handed_in(tmp_path, name, wrong=2, start=start) for name, start in (("D", 60), ("E", 120))]
    assert remarks(*alike)[1] == [f"the same answers as {alike[0]}, 2 of them wrong"]
    copied = [handed_in(tmp_path, name, wrong=2, start=180) for name in ("F", "G")]
    assert remarks(*copied)[0] == [f"a copy of {copied[1]}: the same answers at the same times"]
    assert remarks(handed_in(tmp_path, "", start=240)) == [["no name"]]
    again = handed_in(tmp_path, "a", start=1800)
    assert remarks(one, again)[1] == [f"{one} is by the same student"]


def test_late_answers_are_remarked_on_where_it_is_said_when_they_are_due(tmp_path):
    """A day counts until its end, and a time without a zone as one of UTC."""
    graded = [grade_hand_in(handed_in(tmp_path, "A"))]  # until 00:01:30
    late = [["late: the last answer is of 2026-01-01 00:01"]]
    for due in ("2026-01-01", "2026-01-01T00:01:30", "2025-12-31T19:01:30-05:00"):
        assert remarks_on(graded, moment_in(due)) == [[]]
    for due in ("2025-12-31", "2026-01-01T00:01:29", "2026-01-01T01:01:29+01:00"):
        assert remarks_on(graded, moment_in(due)) == late
    assert moment_in("soon") is None


def test_times_too_short_or_out_of_order_are_remarked_on(tmp_path):
    """Four answers in three seconds, times that go backwards, and those that cannot be read."""
    assert remarks(handed_in(tmp_path, "A", apart=1)) == [["4 answers within 3 s"]]
    path = handed_in(tmp_path, "B")
    data = json.loads(path.read_text())
    data["log"][0]["at"], data["log"][1]["at"] = data["log"][1]["at"], "yesterday"
    data["log"][2]["at"] = "2025-01-01T00:00:00"
    path.write_text(json.dumps(data))
    assert remarks(path) == [["1 answer without a readable time", "the times in the log go backwards"]]


def test_a_refused_file_names_its_student_where_it_can_be_read(tmp_path):
    """Whatever else is wrong with it."""
    path = tmp_path / "x.json"
    for content, student in (('{"student": "Ada", "asked": 3}', "Ada"), ('{"student": 3}', ""), ("{", "")):
        path.write_text(content)
        assert student_in(path) == student


def test_a_question_to_ask_orally_is_of_the_same_strategy_and_seed():
    """And of another kind than the one that was handed in."""
    other = oral_question(ASKED[0])
    assert other.key.kind != ASKED[0].kind
    assert other.key.model_copy(update={"kind": ASKED[0].kind}) == ASKED[0]

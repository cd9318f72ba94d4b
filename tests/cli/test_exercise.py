"""Exercises and lessons; the transcripts have what is said of a file."""

import csv
from io import StringIO

import pytest

from meshgui.model.exercises.exercise import ExerciseKey
from meshgui.model.exercises.exercise_log import ExerciseLog
from meshgui.model.exercises.exercises import LESSON_SET, exercise, exercise_set_of, suited
from meshgui.model.exercises.hand_in import read_set, write_part
from meshgui.model.exercises.roster import file_name
from meshgui.model.lessons.course import Course, LessonProgress, key_of
from meshgui.model.lessons.lesson_shelf import shelved, shipped_lessons
from tests.hand_ins import NAMES, make_course


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


def test_a_hundred_are_graded_by_their_own_sets(here, tmp_path):
    """Each student has a set; who answers that of another, copies, or hands in too soon is remarked on."""
    roster, folder = tmp_path / "names.csv", tmp_path / "week"
    roster.write_text("name\nAda\nGrace\n")
    words = ("--strategy", "ff", "--kind", "wait", "--count", "3", "--shape", "6x6", "--title", "Week 3")
    written = here("exercise", "set", folder, "--roster", roster, *words).stdout.splitlines()
    assert [line.partition(":")[0] for line in written] == [
        str(folder / f"{name}.exercises.json") for name in ("Ada", "Grace")
    ]
    assert read_set(folder / "Ada.exercises.json").title == "Week 3 · Ada"
    files = []
    for student, owner in (("Ada", "Ada"), ("Mallory", "Grace")):
        log, asked = ExerciseLog(tmp_path / student), read_set(folder / f"{owner}.exercises.json").asked
        for key in asked:
            log.add(key, exercise(key).right, exercise(key).judge(exercise(key).right))
        files.append(tmp_path / f"{student}.json")
        write_part(files[-1], log.hand_in(asked, student))
    refused = tmp_path / "C.json"
    refused.write_text('{"student": "Charles"}')
    done = here("grade", *files, refused, "--sets", folder, "--csv")
    assert done.returncode == 2
    _, ada, mallory, charles, grace = csv.reader(StringIO(done.stdout))
    assert (ada[1], ada[5]) == ("Ada", "3")
    assert mallory[8].startswith("answers the set of Grace")
    assert (charles[1], grace[1:2], grace[8]) == ("Charles", ["Grace"], "no hand-in")
    sheet = here("exercise", "solutions", folder / "Ada.exercises.json").stdout
    assert sheet.startswith("# Week 3 · Ada\n\n## 1\n")
    assert (sheet.count("\nAnswer: "), sheet.count("\nTo ask orally: ")) == (3, 3)
    assert "can have the answers" in " ".join(here("grade", "--help").stdout.split())


def test_what_stands_out_among_many_is_remarked_on(here, tmp_path):
    """In a small course each student after the first does something else, and the last hands nothing in."""
    words = ("--strategy", "ff,mbs", "--kind", "wait,place", "--count", "3", "--shape", "8x8")
    files = make_course(tmp_path, 8, words)
    done = here("grade", *files[:-1], "--sets", tmp_path / "sets", "--csv")
    _, *rows = csv.reader(StringIO(done.stdout))
    copied, copy, fast, back, raised, refused, short, lacking = (row[8] for row in rows)
    assert copied == f"a copy of {files[1]}: the same answers at the same times"
    assert copy.startswith("answers the set of Ada-Lovelace; a copy of ")
    assert fast == "3 answers within 0 s"
    assert back == "the times in the log go backwards"
    assert "of the scores in the file are not those of its answers" in raised
    assert refused.startswith("asked_hash: ")
    assert rows[5][1] == NAMES[5]
    assert (short, rows[6][4]) == ("", "2")
    assert (rows[7][:2], lacking) == (["", "Jürgen-Grün-7"], "no hand-in")
    lines = here("grade", files[0], "--sets", tmp_path / "sets").stdout.splitlines()
    assert set(lines[1:]) == {f"{file_name(row[1])}: no hand-in" for row in rows[1:]}
    sheets = here("exercise", "solutions", tmp_path / "sets").stdout
    assert sheets.count("\n## 3\n") == 8
    # A file without a name is of the student whose set it answers, one that is no JSON of that in its name
    files[0].write_text(files[0].read_text().replace("Ada Lovelace", ""))
    files[7].write_text("{")
    done = here("grade", files[0], files[7], "--sets", tmp_path / "sets", "--due", "2026-01-04", "--csv")
    _, nameless, spoilt, *lacking = csv.reader(StringIO(done.stdout))
    assert (
        nameless[8]
        == "answers the set of Ada-Lovelace; no name; late: the last answer is of 2026-01-05 10:04"
    )
    assert spoilt[1] == "Jürgen-Grün-7"
    assert not {"Ada-Lovelace", "Jürgen-Grün-7"} & {row[1] for row in lacking}
    assert "expected a day, for example 2026-11-30," in here("grade", files[0], "--due", "soon").stderr


def test_the_course_says_what_each_lesson_needs_and_how_to_practise_it(here, tmp_path, monkeypatch):
    """And how far the student has come; the command that it names writes a set."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    Course(tmp_path / "MeshGUI").keep(shipped_lessons()[0], LessonProgress(2, 2))
    lines = here("lesson", "course").stdout.splitlines()
    assert lines[0] == "1. What a mesh machine is · 8 min · 0 of 4, continue at step 3"
    assert lines[2] == "2. Internal and external fragmentation · 10 min · after 1"
    words = lines[1].split()[1:]
    assert words[:2] == ["exercise", "set"]
    made = here(*words[:2], tmp_path / words[2], *words[3:], "--count", "2")
    assert made.stdout.startswith(f"{tmp_path / 'mesh-machine.exercises.json'}: 2 exercises")


def test_a_set_of_whole_algorithms_has_a_level(here, tmp_path):
    """That of all whole algorithms in it; other kinds have none. Half an answer to one is graded as half."""
    path = tmp_path / "whole.exercises.json"
    words = ("--strategy", "ff,2dbs", "--kind", "whole,wait", "--level", "2", "--count", "4")
    assert here("exercise", "set", path, *words).returncode == 0
    asked = read_set(path).asked
    assert {(key.kind, key.level) for key in asked} == {("whole", 2), ("wait", 1)}
    key = next(key for key in asked if key.kind == "whole")
    log, half = ExerciseLog(tmp_path / "log"), exercise(key).right[:3]
    log.add(key, half, exercise(key).judge(half))
    write_part(tmp_path / "one.json", log.hand_in(asked, "Ada"))
    line = here("grade", tmp_path / "one.json", "--set", path).stdout
    assert line.startswith(f"{tmp_path / 'one.json'}: Ada: 0.5 of 4, 1 answered, hash ")


def test_a_set_is_that_of_a_lesson(here, tmp_path):
    """The one that its students practise, with its title; every lesson that names any has some."""
    path = tmp_path / "x.exercises.json"
    made = here("exercise", "set", path, "--lesson", "first-fit-best-fit", "--count", str(LESSON_SET))
    assert made.stdout.startswith(f"{path}: 6 exercises")
    written = read_set(path)
    assert written.title == "First fit against best fit"
    assert written.asked == exercise_set_of("first-fit-best-fit", "ff,bf place,whole")
    assert {key.kind for key in written.asked} == {"place", "whole"}
    refused = here("exercise", "set", path, "--lesson", "no-such-lesson")
    assert refused.returncode == 2
    assert (
        "expected one of mesh-machine, fragmentation, turning, reading-a-run, first-fit-best-fit"
        in refused.stderr
    )


@pytest.mark.parametrize(
    "lesson", [path for path in shipped_lessons() if shelved(path).exercises], ids=key_of
)
def test_each_lesson_has_its_exercises(lesson):
    """Of all kinds and strategies that it names."""
    names, _, kinds = shelved(lesson).exercises.partition(" ")
    assert all(name in suited(kind) for name in names.split(",") for kind in kinds.split(","))
    assert len(exercise_set_of(key_of(lesson), shelved(lesson).exercises)) == LESSON_SET


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *((name, f"'{name}") for name in ("-1+cmd|'/C calc'!A1", "-(1+1)", "＝1+1", "+1", "@A1")),
        ("A;=1+1", "A;'=1+1"),  # where other signs part columns, as a semicolon does
        ("A, @B", "A, '@B"),
        ("  -A1", "  '-A1"),
        ("x;\"=cmd|'/C calc'!A1", "x;\"'=cmd|'/C calc'!A1"),
    ],
)
def test_no_name_is_a_formula_in_the_table_of_grades(here, tmp_path, name, said):
    """An apostrophe stands before it; not before the scores, of which the first may be missing."""
    asked = [ExerciseKey(kind="wait", strategy="ff", shape=(6, 6), seed=seed) for seed in (1, 2)]
    log = ExerciseLog(tmp_path / "log")
    log.add(asked[1], None, exercise(asked[1]).verdict(None))
    write_part(tmp_path / "one.json", log.hand_in(asked, name))
    _, row = csv.reader(StringIO(here("grade", tmp_path / "one.json", "--csv").stdout))
    assert (row[1], row[7]) == (said, "- 0")


@pytest.mark.parametrize(
    ("name", "title"), [("own", "Of my own"), ("a\x1b[2J\u202e", "A\x1b]0;pwned\x07\u202egnp")]
)
def test_the_list_has_the_lessons_in_the_folder_of_the_user(meshgui, tmp_path, name, title):
    """Beside the settings, as the manual says; no text of a file controls the terminal or reorders it."""
    own = tmp_path / "MeshGUI" / "lessons" / f"{name}.lesson.md"
    own.parent.mkdir(parents=True)
    own.write_text(f"# {title}\n\n## Step\n\nText\n", encoding="utf-8")
    lines = meshgui("lesson", "list", XDG_CONFIG_HOME=str(tmp_path)).stdout.splitlines()
    assert "What a mesh machine is" in lines[0]
    [line] = lines[len(shipped_lessons()) :]
    assert line == f"{own}: {title}" or "pwned" in line
    assert not set(line) & set("\x1b\x07\u202e")

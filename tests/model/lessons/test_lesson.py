"""The format of lessons: steps, moments, faults with their lines, and answers that the engine computes."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import jsonschema
import pytest

from meshgui.engine.basics.limits import MAX_PAGE_LETTERS
from meshgui.engine.scenario import ScenarioError
from meshgui.model.base.limits import MAX_STEPS
from meshgui.model.document.arrangement_reader import read_arrangement
from meshgui.model.document.examples import example
from meshgui.model.lessons.course import key_of
from meshgui.model.lessons.lesson import Lesson, load_lesson, parse_lesson
from meshgui.model.lessons.lesson_answers import answer_of, answer_scenario, number_in
from meshgui.model.lessons.lesson_check import check_lesson
from meshgui.model.lessons.lesson_files import LessonError, LessonFault, is_lesson
from meshgui.model.lessons.lesson_moment import LessonMoment, lesson_schema, read_moment
from meshgui.model.lessons.lesson_shelf import found_lessons, shipped_lessons
from tests.arrangements import OLD_STATE
from tests.pictures import jpeg, png
from tests.runs import run_of

HEAD = "# Title\n\nSource: A paper\nMinutes: 5\n\nBefore all.\n"
DOCS = Path(__file__).parents[3] / "resources" / "manual" / "lessons.md"


def step(moment: object = "", title: str = "A step") -> str:
    """A step of a lesson; its moment as text, or as data."""
    block = moment if isinstance(moment, str) else json.dumps(moment)
    return f"\n## {title}\n\nWords.\n" + f"\n```moment\n{block}\n```\n" * bool(block) + "\nMore.\n"


def parsed(*moments: object) -> Lesson:
    """A sound lesson with these moments."""
    lesson, faults = parse_lesson(HEAD + "".join(map(step, moments)), Path("a.lesson.md"))
    assert faults == []
    return lesson


def named(faults: Iterable[LessonFault]) -> list[str]:
    """What each fault is about: what its message begins with."""
    return [fault.message.partition(":")[0] for fault in faults]


def written(folder: Path, *steps: str, head: str = HEAD) -> Path:
    """A lesson in a file."""
    path = folder / "own.lesson.md"
    path.write_text(head + "".join(steps), encoding="utf-8")
    return path


def complaints(folder: Path, *steps: str) -> list[str]:
    """The faults of a lesson, without its folder."""
    _, faults = check_lesson(written(folder, *steps))
    return [str(fault).replace(f"{folder}/", "") for fault in faults]


def test_a_lesson_has_a_title_a_head_and_steps():
    """What stands before the first step goes with it; another scenario brings its own fields."""
    first = step({"scenario": "first-fit-16x16", "time": 3})
    text = f"{HEAD}{first}\n## Two\n\n```text\n## no step\n```\n"
    lesson, faults = parse_lesson(text, Path("a.lesson.md"))
    assert faults == []
    assert (lesson.title, lesson.source, lesson.minutes) == ("Title", "A paper", 5)
    first, second = lesson.steps
    assert first.text == "Before all.\n\n## A step\n\nWords.\n\n\nMore."
    assert "## no step" in second.text
    assert second.moment is None
    assert lesson.moment(1) is first.moment
    assert first.moment.view() == {"time": 3}
    lesson = parsed(
        {"scenario": "first-fit-16x16", "fields": {"scheduler.name": "ssd"}},
        {"strategy": "paging", "fields": {"allocator.options.order": "hilbert"}},
        {"time": 1},
        {"fields": {}},
        {"scenario": "first-fit-16x16"},
    )
    shown = [lesson.scenario(place) for place in range(5)]
    assert [scenario.allocator.name for scenario in shown] == ["ff", "paging", "paging", "paging", "ff"]
    assert [scenario.scheduler.name for scenario in shown] == ["ssd", "fcfs", "fcfs", "fcfs", "fcfs"]
    assert [scenario.allocator.options.order for scenario in shown[2:4]] == ["hilbert", "row-major"]
    assert shown[0].notes == ""


@pytest.mark.parametrize(
    ("moment", "line", "says"),
    [
        ("{", 13, "expected JSON"),
        ("[1]", 12, "expected a JSON object"),
        ('{"tine": 3}', 13, "tine: unknown key"),
        ('{"time": -1}', 13, "time: expected at least 0, got -1"),
        ('{"time": 1}', 12, "scenario: expected a value, as no step before has one"),
        ('{"scenario": "first-fit"}', 12, "got first-fit: did you mean first-fit-16x16?"),
        ('{"scenario": "three-jobs-4x4x4",\n"highlight": ["moon"]}', 14, "highlight.0: expected"),
        ('{"scenario": "three-jobs-4x4x4", "strategy": "moon"}', 12, "no strategy is called moon"),
        ('{"scenario": "three-jobs-4x4x4", "time": 9}', 12, "time: expected at most 8"),
        ('{"scenario": "three-jobs-4x4x4", "step": 1}', 12, "time: expected a value with step"),
        ('{"scenario": "three-jobs-4x4x4", "time": 1, "step": 999}', 12, "step: there is no step 999 at 1"),
        ('{"scenario": "three-jobs-4x4x4", "time": 7, "step": 1}', 12, "step: nothing is allocated"),
        ('{"scenario": "three-jobs-4x4x4", "selection": {"job": 3}}', 12, "expected a job below 3, got 3"),
        ('{"scenario": "three-jobs-4x4x4", "selection": {"packet": 0}}', 12, "the run has no packet 0"),
        ('{"scenario": "three-jobs-4x4x4", "selection": {"channel": 0}}', 12, "the run has no channel 0"),
        ('{"scenario": "three-jobs-4x4x4", "fields": {"moon": 1}}', 12, "moon"),
        ('{"scenario": "three-jobs-4x4x4", "experiment": {"vary": {"moon": "1"}}}', 12, "vary: moon"),
        ('{"scenario": "three-jobs-4x4x4",\n"camera": {"veiw": "top"}}', 14, "camera.veiw: unknown key"),
        ('{"scenario": "three-jobs-4x4x4",\n"camera": {"view": "below"}}', 14, "camera.view: expected"),
        ('{"scenario": "three-jobs-4x4x4", "camera": {"pose": [1]}}', 13, "expected at least 6 values"),
        ('{"scenario": "three-jobs-4x4x4", "camera": {"pose": [0, 91, 0, 0, 0, 1]}}', 13, "from -90 to 90"),
        ('{"scenario": "three-jobs-4x4x4", "camera": {"zoom": 2}}', 13, "expected zoom and offset together"),
        ('{"scenario": "three-jobs-4x4x4", "camera": {"cut": [2, 0, 4]}}', 12, "layers of the 4×4×4 mesh"),
        ('{"scenario": "three-jobs-4x4x4",\n"panels": "moon"}', 14, "panels: expected an arrangement"),
        ('{"panels": {"start":\n{"panel": "moon"}}}', 13, "panels: expected an arrangement"),
        ('{"scenario": "three-jobs-4x4x4",\n"time": 1,\n"time": 2}', 15, "“time” appears twice"),
        ('{"predict": {"question": "Is $\\\\moon$?", "of": "now free"}}', 13, "formula: expected a known"),
    ],
)  # fmt: skip
def test_a_fault_names_file_and_line(tmp_path, moment, line, says):
    """Also one that only a run shows."""
    [complaint] = complaints(tmp_path, step(moment))
    assert complaint.startswith(f"own.lesson.md:{line}: ")
    assert says in complaint


@pytest.mark.parametrize(
    ("of", "says"),
    [
        ("utilisation", "did you mean utilization?"),
        ("overhead_seconds", "differs from run to run"),
        ("latency", "this run has no latency"),
        ("job 7 start", "expected a job below 3, got 7"),
        ("job 0 end", "expected one of start, finish"),
        ("utilization", "expected within, as the answer is 44.53"),
    ],
)
def test_a_prediction_without_an_answer_is_a_fault(tmp_path, of, says):
    """The engine has to be able to compute it."""
    moment = {"scenario": "three-jobs-4x4x4", "time": 2, "predict": {"question": "?", "of": of}}
    [complaint] = complaints(tmp_path, step(moment))
    assert complaint.startswith("own.lesson.md:12: predict.of: ")
    assert says in complaint


def test_faults_of_the_text_have_lines(tmp_path):
    """All of them, in order; a file that is missing has one."""
    text = "Words\n\n## One\n\n```moment\n{}\n```\n\n```moment\n{}\n```\n\n```text\n"
    _, faults = parse_lesson(text, Path("a.lesson.md"))
    assert [(fault.line, fault.message.split(",")[0]) for fault in faults] == [
        (1, "expected a title first"),
        (9, "expected one moment in a step"),
        (13, "expected the block of code to be closed by ```"),
    ]
    assert [str(fault) for fault in parse_lesson("# A\nMinutes: x\n", Path("a.md"))[1]] == [
        "a.md:1: expected at least one step, a heading that begins with “## ”",
        "a.md:2: minutes: expected a whole number from 1 to 600, got x",
    ]
    with pytest.raises(LessonError, match="no such file"):
        load_lesson(tmp_path / "none.lesson.md")


@pytest.mark.parametrize(
    ("of", "name", "words"),
    [
        ("now free", "three-jobs-4x4x4", "26 processors"),
        ("now running", "three-jobs-4x4x4", "3 jobs"),
        ("now boxes", "three-jobs-4x4x4", "3 boxes"),
        ("job 1 start", "three-jobs-4x4x4", "1"),
        ("job 0 processors", "three-jobs-4x4x4", "32 processors"),
        ("job 2 box 0 x", "three-jobs-4x4x4", "2"),
        ("finish_time", "three-jobs-4x4x4", "8"),
        ("turnaround.max", "three-jobs-4x4x4", "6"),
        ("utilization", "three-jobs-4x4x4", "44.53 %"),
        ("packet 0 blocked", "two-packets-meet-6x4", "20 cycles"),
        ("packet 1 latency", "two-packets-meet-6x4", "32 cycles"),
    ],
)
def test_answers_are_those_of_the_run(of: str, name: str, words: str):
    """Of the machine at the moment, of a job, a packet and the whole run; shares in percent."""
    predict = {"question": "?", "of": of, "within": 5 * (of == "utilization")}
    [one] = parsed({"scenario": name, "time": 2, "predict": predict}).steps
    assert answer_of(one.moment.predict, one.moment, run_of(name)).words == words


def test_an_answer_may_come_from_another_strategy():
    """The run that is shown stays; rows and target are those that the step has."""
    predict = {"question": "?", "of": "job 1 start", "strategy": "ff"}
    lesson = parsed({"scenario": "turning-helps-3x3x2", "predict": predict})
    assert lesson.scenario(0).allocator.name == "tff"
    assert answer_scenario(lesson, 0, lesson.steps[0].moment.predict).allocator.name == "ff"
    with pytest.raises(ScenarioError, match="expected a scenario"):
        answer_scenario(parsed(""), 0, lesson.steps[0].moment.predict)
    rows = {"vary": {"allocator.name": "ff, tbl"}, "target": {"least": 2, "most": 3}}
    lesson = parsed({"scenario": "three-jobs-4x4x4", "experiment": rows})
    experiment = lesson.steps[0].moment.experiment.of(lesson.scenario(0))
    assert [axis.values for axis in experiment.axes] == [("ff", "tbl")]
    assert (experiment.target.least, experiment.target.most) == (2, 3)


def test_packages_bring_lessons_by_an_entry_point(tmp_path, monkeypatch):
    """The lessons lie in the folder of the package; one that is gone is passed over."""
    package, about = tmp_path / "course_of_mine", tmp_path / "course_of_mine-1.dist-info"
    package.mkdir()
    about.mkdir()
    (package / "__init__.py").write_text("")
    own = written(package, step())
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: course-of-mine\nVersion: 1\n")
    entries = "[meshgui.lessons]\ncourse = course_of_mine\ngone = no_such_package\n"
    (about / "entry_points.txt").write_text(entries)
    monkeypatch.syspath_prepend(tmp_path)
    assert [lesson.path for lesson in found_lessons()[len(shipped_lessons()) :]] == [own]


@pytest.mark.parametrize(
    ("text", "number"),
    [("3", 3), (" 3,5 % ", 3.5), ("-1e2", -100), ("x", None), ("", None), ("inf", None), ("nan", None)],
)
def test_numbers_are_read_as_they_are_typed(text: str, number: float | None):
    """With a comma, or a sign of percent."""
    assert number_in(text) == number


def test_every_shipped_lesson_passes_the_check_and_has_what_a_lesson_needs():
    """A source, a length, a figure to predict; all are on the shelf, in order."""
    assert len(shipped_lessons()) == 22
    for path in shipped_lessons():
        lesson, faults = check_lesson(path)
        assert faults == []
        assert lesson.source
        assert lesson.minutes
        assert any(step.moment is not None and step.moment.predict for step in lesson.steps)
    assert [lesson.path for lesson in found_lessons()] == shipped_lessons()


def test_each_shipped_lesson_names_what_it_needs_and_what_to_practise():
    """Lessons before it, and exercises that there are; a head that names none of them is a fault."""
    before = set()
    for path in shipped_lessons():
        lesson = load_lesson(path)
        assert set(lesson.needs) <= before, path
        assert lesson.exercises or lesson.title == "Reading a run"
        before.add(key_of(path))
    _, [fault] = parse_lesson("# A\nExercises: ff moon\n\n## One\n", Path("a.lesson.md"))
    assert str(fault).startswith("a.lesson.md:2: exercises: expected strategies and kinds")


def test_own_lessons_and_unreadable_ones_are_on_the_shelf(tmp_path):
    """A file, a folder, and a fault in place of a title; a path that is too long to look up is no lesson."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "lesson.md").write_text(HEAD + step(), encoding="utf-8")
    (tmp_path / "bad.lesson.md").write_text("nothing", encoding="utf-8")
    bad, good = found_lessons(tmp_path)[len(shipped_lessons()) :]
    assert (good.title, good.minutes, good.fault) == ("Title", 5, "")
    assert "bad.lesson.md:1: expected a" in bad.fault
    assert is_lesson(tmp_path / "folder")
    assert not is_lesson(tmp_path)
    assert not is_lesson(Path("a") / ("x" * 300_000))


def test_the_schema_knows_the_moments_of_the_shipped_lessons(tmp_path):
    """And refuses a key that no moment has; the example is sound as it stands there."""
    check = jsonschema.Draft202012Validator(lesson_schema())
    for path in shipped_lessons():
        for part in path.read_text("utf-8").split("```moment\n")[1:]:
            check.validate(json.loads(part.partition("\n```")[0]))
    assert not check.is_valid({"moon": 1})
    example = DOCS.read_text("utf-8").split("````markdown\n")[1].partition("````")[0]
    lesson, faults = check_lesson(written(tmp_path, head=example))
    assert (faults, len(lesson.steps)) == ([], 2)


def test_pictures_lie_in_the_folder_of_the_lesson_and_pictures_have_limits_in_each_step(tmp_path):
    """Missing, elsewhere, on the net or none are faults; of each step with its explanation."""
    folder = tmp_path / "lesson"
    (folder / "in").mkdir(parents=True)
    for name in ("here.png", "in/a b.jpg", "../out.png"):
        (folder / name).write_bytes(png())
    (folder / "words.svg").write_text("<svg/>")
    names = ("here.png", "in/a%20b.jpg", "none.png", "../out.png", "/out.png", "http://x/y.png", "words.svg")
    lines = "\n\n".join(f"[![A]({name})](https://x)" for name in names)
    head = f"# A\n\n## One\n\n{lines}\n\n```text\n![A](none.png)\n```\n"
    _, faults = check_lesson(written(folder, head=head))
    assert [(fault.line, fault.message.rpartition(": ")[2]) for fault in faults] == [
        (9, "there is no such picture"),
        *((line, "expected a picture in the folder of the lesson") for line in (11, 13, 15)),
        (17, "expected a PNG or JPEG picture"),
    ]
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes(jpeg(4000, 4000))
    predict = {"question": "?", "of": "turnaround", "within": 1, "explain": "![B](b.jpg)"}
    first = step({"scenario": "three-jobs-4x4x4", "predict": predict})
    path = written(tmp_path, f"![A](a.jpg)\n{first}\n## Two\n\n![B](b.jpg)\n", head="# A\n\n")
    _, [fault] = check_lesson(path)
    assert (fault.line, fault.message.partition(":")[0]) == (9, "b.jpg")


def test_a_lesson_has_limits(tmp_path):
    """Of its steps, of the text of one, of lists inside each other, of titles and of questions."""
    question = {"question": "x" * 5001, "of": "turnaround"}
    letters = 2 * MAX_PAGE_LETTERS + 8
    for steps, said in (
        (["## A\n"] * (MAX_STEPS + 1), f"{7 + MAX_STEPS}: expected at most 200 steps, got 201"),
        (
            [step(), f"## Two\n\n{'![' * MAX_PAGE_LETTERS}\n"],
            f"13: expected a text of at most 100000 characters, got {letters}",
        ),
        ([f"## One\n\n{'- ' * 20_000}x\n"], "7: expected lists nested at most 40 deep, got 20000"),
        ([step(title="x" * 1001)], "at most 1000 characters, got 1001"),
        (
            [step({"scenario": "three-jobs-4x4x4", "predict": question})],
            "predict.question: expected at most 5000",
        ),
    ):
        [complaint] = complaints(tmp_path, *steps)
        assert said in complaint


def test_many_unknown_keys_are_read_twice(monkeypatch):
    """Not once for each: the first of them are named, then how many there are."""
    reads, read = [], LessonMoment.model_validate
    monkeypatch.setattr(LessonMoment, "model_validate", lambda data: reads.append(data) or read(data))
    moment, faults = read_moment({f"key{number}": 1 for number in range(3000)} | {"camera": {"veiw": "top"}})
    assert moment is None
    assert len(reads) <= 3
    paths = [".".join(map(str, fault.path)) for fault in faults]
    assert paths == [*(f"key{number}" for number in range(21)), "camera.veiw"]
    assert faults[20].message == "2980 keys from here on are unknown"


def test_a_panel_of_an_older_version_stands_for_the_one_that_has_what_it_showed():
    """Why a job waits is on the card of the job; a question still hides that part alone."""
    predict = {"question": "How long?", "of": "job 1 waiting", "hide": ["why"]}
    moment = {"scenario": "three-jobs-4x4x4", "highlight": ["why", "queue"], "predict": predict}
    lesson, _ = parse_lesson(HEAD + step(moment), Path("a.lesson.md"))
    assert lesson.moment(0).highlight == ("job", "queue")
    assert lesson.moment(0).predict.hidden == ("why",)


def test_a_key_that_is_none_hides_no_other_fault_and_every_fault_of_a_moment_is_named(tmp_path):
    """In its own object or in others; in the order of the file, with pictures and formulas."""
    moment = {"tine": 1, "time": -5, "predict": {"off": "", "fo": 1, "of": 3, "question": "?"}, "moon\t": 0}
    _, faults = parse_lesson(f"# A\nMinutes: 3\nminutes: 4\n{step(moment)}", Path("a.lesson.md"))
    wrong = {"tine", "time", "predict.off", "predict.fo", "predict.of", "moon\\t"}
    assert set(named(faults)) == wrong | {"minutes"}
    _, faults = parse_lesson(HEAD + step({"highlight": ["queu"], "time": -5}), Path("a.lesson.md"))
    assert set(named(faults)) == {"highlight.0", "time"}
    moment = {"scenario": "three-jobs-4x4x4", "time": 1, "breakpoints": [{}], "selection": {"span": [4, 0]}}
    assert named(check_lesson(written(tmp_path, step(moment)))[1]) == ["breakpoints", "selection.span"]
    text = "## Step\n\n![p](none.png) and $\\moon$\n\n## Next\n\n$\\sun$\n"
    faults = check_lesson(written(tmp_path, text))[1]
    assert named(faults) == ["formula", "none.png", "formula"]
    assert [fault.line for fault in faults] == sorted(fault.line for fault in faults)


def test_every_way_to_look_at_the_mesh_can_be_copied_from_a_scenario():
    """What the window saves under `view` is a moment's camera, and comes out of it as it went in."""
    for camera in (
        {"view": "top", "explode": 0.5, "network": False, "use": True},
        {"pose": [-58.0, 24.0, 2.0, 2.0, 2.0, 7.5], "cut": [2, 0, 1]},
        {"flat": True, "zoom": 2.0, "offset": [-0.5, 0.25]},
    ):
        panels = {"start": {"panel": "queue", "size": [280, 400]}}
        moment, faults = read_moment({"camera": camera, "panels": panels})
        assert faults == []
        assert moment.view() == {"camera": camera, "panels": panels}
    # What older versions wrote comes out as an arrangement
    moment, faults = read_moment({"panels": OLD_STATE})
    assert faults == []
    assert moment.view() == {"panels": read_arrangement(OLD_STATE).arrangement.as_data()}


@pytest.mark.parametrize("name", ["../out", "../out.meshgui.json", "../../tmp/out", "link"])
def test_a_lesson_names_scenarios_of_its_own_folder_alone(tmp_path, name):
    """Not one above it, nor one that a link leads to."""
    folder = tmp_path / "lesson"
    folder.mkdir()
    shutil.copy(example("three-jobs-4x4x4"), tmp_path / "out.meshgui.json")
    (folder / "link.meshgui.json").symlink_to(tmp_path / "out.meshgui.json")
    [complaint] = complaints(folder, step({"scenario": name}))
    assert "expected a ready scenario or a file beside the lesson" in complaint

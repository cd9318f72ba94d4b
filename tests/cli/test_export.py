"""`meshgui export`: a run for other programs."""

import json

import pytest

from meshgui.model.export import trace_events, web_steps
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from tests.web_pages import content_of


@pytest.fixture
def path(scenario_file):
    """Ten jobs on a small mesh."""
    return scenario_file(mesh={"shape": [4, 4]}, workload={"kind": "stochastic", "jobs": 10, "load": 1})


def test_a_trace_is_written_whole_and_quietly(here, path, tmp_path):
    """With another seed another run."""
    traces = []
    for seed in ("1", "2"):
        out = tmp_path / f"{seed}.json"
        done = here("export", path, "--seed", seed, "--trace-events", out)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        traces.append(json.loads(out.read_text(encoding="utf-8")))
    assert [trace["otherData"]["seed"] for trace in traces] == [1, 2]
    assert traces[0]["traceEvents"] != traces[1]["traceEvents"]


def test_what_is_not_to_be_written_is_refused_in_a_line(here, path, tmp_path, monkeypatch):
    """No form, the scenario itself, a folder that is not there, and more slices than a viewer opens."""
    done = here("export", path)
    assert (done.returncode, done.stderr) == (
        2,
        "meshgui export: expected --trace-events OUT.json or --html OUT.html\n",
    )
    done = here("export", path, "--trace-events", path)
    assert done.returncode == 2
    assert done.stderr.endswith("--trace-events: expected another file than the scenario itself\n")
    done = here("export", path, "--trace-events", tmp_path / "none" / "out.json")
    assert done.returncode == 1
    assert "the trace could not be written" in done.stderr
    monkeypatch.setattr(trace_events, "MOST_SLICES", 10)
    out = tmp_path / "out.json"
    done = here("export", path, "--trace-events", out)
    assert done.returncode == 1
    assert "--trace-events: expected at most 10 slices, one for each processor of each job" in done.stderr
    assert not out.exists()


def test_a_page_is_written_whole_and_quietly(here, path, tmp_path):
    """Of a part of the run, with the attempts of the jobs that are named."""
    out = tmp_path / "page.html"
    done = here("export", path, "--html", out, "--from", 1, "--to", "3.5", "--job", 2, "--job", 4)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (run,) = content_of(out.read_text("utf-8"))["runs"]
    assert (run["begin"], run["end"]) == (1.0, 3.5)
    assert {attempt["job"] for attempt in run["attempts"]} <= {2, 4}


def test_a_page_and_a_trace_are_written_of_one_run(here, path, tmp_path):
    """With one seed, both of it."""
    page, trace = tmp_path / "page.html", tmp_path / "trace.json"
    assert here("export", path, "--seed", 9, "--html", page, "--trace-events", trace).returncode == 0
    (run,) = content_of(page.read_text("utf-8"))["runs"]
    assert run["seed"] == json.loads(trace.read_text("utf-8"))["otherData"]["seed"] == 9


def test_a_lesson_is_written_as_a_page(here, tmp_path):
    """Its steps, and the answers that its runs give."""
    out = tmp_path / "lesson.html"
    done = here("export", shipped_lessons()[0], "--html", out)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for told in content_of(out.read_text("utf-8"))["lesson"]["told"].values():
        answers = [step["answer"] for step in told["steps"] if "question" in step]
        assert answers
        assert all(answers)


@pytest.mark.parametrize(
    "words", ["export FILE --html TRACE", "run FILE --per-job TRACE", "sweep FILE --csv TRACE"]
)
def test_what_a_scenario_reads_is_not_written_over(here, scenario_file, tmp_path, words):
    """Its trace, that is, by whatever command."""
    trace = tmp_path / "day.swf"
    trace.write_text("1 0 0 5 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n", "utf-8")
    path = scenario_file(mesh={"shape": [4, 4]}, workload={"kind": "swf", "path": "day.swf"})
    before = trace.read_bytes()
    done = here(*({"FILE": path, "TRACE": trace}.get(word, word) for word in words.split()))
    assert (done.returncode, trace.read_bytes()) == (2, before)
    assert "expected another file than one that" in done.stderr


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("--from 2 --trace-events OUT", 2, "--from: expected --html OUT.html with it"),
        ("--job 1 --trace-events OUT", 2, "--job: expected --html OUT.html with it"),
        ("--html OUT --from 3 --to 2", 2, "--to: expected a time after 3, got 2"),
        ("--html OUT --from 1e9", 2, "--from: expected a time before the end of the run, "),
        ("--html OUT --from -1", 2, "--from: expected a time of 0 or more, got -1"),
        ("--html OUT --job 10", 2, "--job: expected a job from 0 to 9, got 10"),
        ("--html OUT --from 3 --job 0", 2, "--job: expected a job that is tried from 3 to "),
        ("--html OUT --job x", 2, "--job: expected a whole number from 0 to "),
        ("--html FILE", 2, "--html: expected another file than the scenario itself"),
        ("--html OUT --trace-events OUT", 2, "--html: expected another file than that of --trace-events"),
        ("--html NONE/page.html", 1, "the page could not be written: "),
        ("--html OUT --job 1", 1, "--job: expected at most 1 steps of attempts; fewer jobs have fewer"),
    ],
)
def test_a_page_that_cannot_be_is_refused_in_a_line(here, path, tmp_path, monkeypatch, words, status, said):
    """What was there stays, and nothing lies beside it."""
    out = tmp_path / "out"
    out.write_text("old", "utf-8")
    monkeypatch.setattr(web_steps, "MOST_STEPS", 1)
    places = {"OUT": str(out), "FILE": str(path), "NONE/page.html": str(tmp_path / "none" / "page.html")}
    done = here("export", path, *(places.get(word, word) for word in words.split()))
    assert (done.returncode, done.stdout) == (status, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert out.read_text("utf-8") == "old"
    assert {each.name for each in tmp_path.iterdir()} == {"out", path.name}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "meshgui export: expected --html OUT.html with a lesson"),
        ("--html OUT --seed 3", "--seed: expected a scenario, not a lesson"),
        ("--trace-events OUT", "--trace-events: expected a scenario, not a lesson"),
        ("--html LESSON", "--html: expected another file than the lesson itself"),
    ],
)
def test_a_lesson_is_refused_what_only_a_run_has(here, tmp_path, words, said):
    """In a line; the lesson stays what it is."""
    lesson = tmp_path / "own.lesson.md"
    lesson.write_text(shipped_lessons()[0].read_text("utf-8"), "utf-8")
    places = {"OUT": tmp_path / "out.html", "LESSON": lesson}
    done = here("export", lesson, *(places.get(word, word) for word in words.split()))
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert {each.name for each in tmp_path.iterdir()} == {lesson.name}


def test_a_faulty_lesson_is_refused_with_its_first_fault(here, tmp_path):
    """As `meshgui lesson check` has it."""
    lesson = tmp_path / "bad.lesson.md"
    lesson.write_text('# Bad\n\n## A step\n\n```moment\n{"time": 3}\n```\n', "utf-8")
    done = here("export", lesson, "--html", tmp_path / "out.html")
    assert done.returncode == 2
    assert done.stderr == f"meshgui: {lesson}:5: scenario: expected a value, as no step before has one\n"
    assert not (tmp_path / "out.html").exists()

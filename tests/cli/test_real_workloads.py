"""Traces from the command line: what was taken of them is said, and a bad one is one line."""

import gzip
import json

import pytest

from tests.traces import line, trace_text

JOBS = [
    line(1, 0, 10, 4),
    line(2, 5, 10, 7),
    line(3, 6, 10, 40),
    line(4, 7, -1, 4),
    line(5, 8, 3, -1, requested=16),
    line(5, 8, 3, 16, status=2),
]


@pytest.fixture
def traced(scenario_file, tmp_path):
    """A scenario on 4×4 processors that takes its jobs from a gzipped trace beside it."""

    def write(**workload):
        (tmp_path / "small.swf.gz").write_bytes(gzip.compress(trace_text(*JOBS).encode()))
        return scenario_file(workload={"kind": "swf", "path": "small.swf.gz"} | workload)

    return write


def test_a_run_says_what_it_took(here, traced):
    """In words, above the summary."""
    done = here("run", traced())
    rows = {words[:16].strip(): words[16:].strip() for words in done.stdout.splitlines()[3:]}
    assert done.returncode == 0
    assert rows["trace"] == "Test Cube, Lecture Hall"
    assert rows["jobs taken"] == "4 of 5 in the trace"
    assert rows["left out"] == "2 (1 covering a segment of another line's job, 1 with no run time)"
    assert rows["rounded up"] == "1 to a box that fits the mesh"
    assert rows["too large"] == "1 larger than the mesh"
    assert rows["jobs"] == "3 finished, 1 rejected"


def test_a_run_s_object_has_the_trace(here, traced, tmp_path):
    """The same as data; a scenario without a trace has no such key."""
    found = json.loads(here("run", traced(max_jobs=2, first_job=1), "--json").stdout)
    assert found["trace"] == {
        "path": str(tmp_path / "small.swf.gz"),
        "title": "Test Cube, Lecture Hall",
        "jobs": 2,
        "usable": 4,
        "in_trace": 5,
        "left_out": {"segment": 1, "no run time": 1},
        "rounded_up": 1,
        "larger_than_mesh": 1,
    }
    assert found["jobs"] == 1
    assert found["rejected"] == 1


def test_other_runs_say_nothing_of_traces(here, scenario_file):
    """Neither in words nor in the object."""
    path = scenario_file()
    assert "trace" not in json.loads(here("run", path, "--json").stdout)
    assert "trace" not in here("run", path).stdout


def test_validate_says_what_would_be_taken(here, traced):
    """In a line below that of the scenario."""
    path = traced()
    first, second = here("validate", path).stdout.splitlines()
    assert first == f"{path}: ok"
    assert second.startswith(
        f"{path}: trace: Test Cube, Lecture Hall; jobs taken: 4 of 5 in the trace; left out: 2 ("
    )
    assert second.endswith("; rounded up: 1 to a box that fits the mesh; too large: 1 larger than the mesh")


def test_events_of_a_trace_are_those_of_other_jobs(here, traced, tmp_path):
    """Arrivals from 0, the sizes asked for, and why a job was rejected."""
    out = tmp_path / "events.jsonl"
    assert here("run", traced(time_scale=2.0), "--events", out).returncode == 0
    events = [json.loads(text) for text in out.read_text().splitlines()]
    arrivals = [(event["t"], event["size"]) for event in events if event["event"] == "arrive"]
    assert arrivals == [(0, [2, 2]), (10, [4, 2]), (12, [8, 5]), (16, [4, 4])]
    [rejected] = [event for event in events if event["event"] == "reject"]
    assert rejected["reason"] == "8×5 does not fit into the empty 4×4 mesh, however turned"


@pytest.mark.parametrize("command", ["run", "validate"])
def test_a_bad_trace_is_one_line(here, traced, tmp_path, command):
    """With the scenario, the field, the trace and its line; the status is 2."""
    path, trace = traced(), tmp_path / "small.swf.gz"
    for content, expected in (
        (b"1 2 3\n", "line 1: expected 18 fields, got 3"),
        (gzip.compress(b"1")[:-4], "expected a complete gzip file, got a damaged one"),
        (None, "expected a trace in the Standard Workload Format: no such file or directory"),
    ):
        if content is None:
            trace.unlink()
        else:
            trace.write_bytes(content)
        done = here(command, path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"meshgui: {path}: workload.path: {trace}: {expected}\n"

"""What the commands give: summaries, event files, the schema, strategies, traces."""

import json
import re

import jsonschema
import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.runs.recording import EventKind
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario
from meshgui.model.examples import DEFAULT_EXAMPLE, example, examples


def shape_of(value):
    """A summary with its numbers replaced by their kind."""
    if isinstance(value, dict):
        return {key: shape_of(inner) for key, inner in value.items()}
    return (
        "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__
    )


def has(shape, promised):
    """Whether a shape holds at least what is promised."""
    if isinstance(promised, dict):
        return all(key in shape and has(shape[key], inner) for key, inner in promised.items())
    return bool(shape == promised)


def test_the_summary_has_every_key_of_the_contract(here, shipped):
    """`run --json` is one object with the promised keys, each of the promised shape."""
    done = here("run", shipped, "--json")
    promised = {
        **dict.fromkeys(("jobs", "utilization", "finish_time", "busy_list_mean"), "number"),
        **{key: {"mean": "number"} for key in ("turnaround", "waiting", "service")},
        **dict.fromkeys(("blocks_per_job", "contiguous_ratio", "seed"), "number"),
        **dict.fromkeys(("title", "allocator", "scheduler"), "str"),
        "overhead": {"operations_mean": "number", "seconds_mean": "number"},
    }
    shape = shape_of(json.loads(done.stdout))
    assert has(shape, promised)
    assert 0 <= json.loads(done.stdout)["utilization"] <= 1
    assert done.stdout.count("\n") == 1


def test_the_summary_in_words_fits_a_terminal(here):
    """The summary for people names the machine, and its columns are aligned."""
    out = here("run", example(DEFAULT_EXAMPLE)).stdout.splitlines()
    assert out[1] == "8×8×8 mesh, tbl, fcfs, seed 1"
    rows = out[3:]
    assert max(map(len, out)) <= 80
    assert len({re.match(r"[a-z ]+?  +", row).end() for row in rows}) == 1


def test_a_seed_given_overrides_the_scenario_s(here, scenario_file):
    """The seed is part of the result, and another seed gives another run; its own is the default."""
    path = scenario_file()
    own, same, other = (
        json.loads(here("run", path, "--json", *more).stdout) for more in ([], ["--seed", 5], ["--seed", 6])
    )
    assert (own["seed"], other["seed"]) == (5, 6)
    assert own["finish_time"] == same["finish_time"] != other["finish_time"]


def test_the_event_file_is_the_same_bytes_in_every_process(meshgui, scenario_file, tmp_path):
    """Neither the hash seed nor the process leaves a trace in the events."""
    path = scenario_file()
    files = [tmp_path / f"{n}.jsonl" for n in range(3)]
    for n, file in enumerate(files):
        assert meshgui("run", path, "--events", file, PYTHONHASHSEED=str(n)).returncode == 0
    first, *others = [file.read_bytes() for file in files]
    assert first
    assert all(other == first for other in others)


def test_the_event_file_has_the_lines_of_the_contract(here, scenario_file, tmp_path):
    """Each line has the promised keys in order; finishes come first, then arrivals, then starts."""
    workload = {
        "kind": "list",
        "jobs": [
            {"arrival": 0, "size": [4, 4], "service": 2},
            {"arrival": 1, "size": [2, 3], "service": 1.5},
            {"arrival": 2, "size": [1, 1], "service": 1},
        ],
    }
    file = tmp_path / "e.jsonl"
    assert here("run", scenario_file(workload=workload), "--events", file).returncode == 0
    assert file.read_text(encoding="utf-8").splitlines() == [
        '{"t": 0.0, "event": "arrive", "job": 0, "size": [4, 4], "service": 2.0}',
        '{"t": 0.0, "event": "start", "job": 0, "blocks": [[0, 0, 0, 4, 4, 1]]}',
        '{"t": 1.0, "event": "arrive", "job": 1, "size": [2, 3], "service": 1.5}',
        '{"t": 2.0, "event": "finish", "job": 0}',
        '{"t": 2.0, "event": "arrive", "job": 2, "size": [1, 1], "service": 1.0}',
        '{"t": 2.0, "event": "start", "job": 1, "blocks": [[0, 0, 0, 2, 3, 1]]}',
        '{"t": 2.0, "event": "start", "job": 2, "blocks": [[2, 0, 0, 1, 1, 1]]}',
        '{"t": 3.0, "event": "finish", "job": 2}',
        '{"t": 3.5, "event": "finish", "job": 1}',
    ]


def test_a_rejected_job_says_why(here, scenario_file, tmp_path):
    """A request no empty mesh of this strategy could hold is an event with a reason."""
    jobs = [{"arrival": 0, "size": [2, 4], "service": 1}]
    path = scenario_file(
        mesh={"shape": [4, 2]}, allocator={"name": "ff"}, workload={"kind": "list", "jobs": jobs}
    )
    file = tmp_path / "e.jsonl"
    assert here("run", path, "--events", file).returncode == 0
    last = json.loads(file.read_text(encoding="utf-8").splitlines()[-1])
    assert last == {
        "t": 0.0,
        "event": "reject",
        "job": 0,
        "reason": "2×4 does not fit into the empty 4×2 mesh",
    }
    assert "rejected" in here("run", path).stdout
    traced = here("trace", path, "--job", 0)
    assert "Rejected on arrival: 2×4 does not fit" in traced.stdout


def test_the_shipped_scenarios_are_valid(here):
    """`validate` takes every scenario that comes with the program."""
    done = here("validate", *examples())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(": ok\n") == len(examples())


@pytest.fixture
def schema(here):
    """A validator for what `meshgui schema` prints."""
    printed = json.loads(here("schema").stdout)
    jsonschema.Draft202012Validator.check_schema(printed)
    return jsonschema.Draft202012Validator(printed)


def test_the_schema_takes_the_shipped_scenarios(schema):
    """Schema and program agree on the good ones."""
    for path in examples():
        schema.validate(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "change",
    [
        {"meshgui": 2},
        {"colour": 1},
        {"seed": "one"},
        {"mesh": {"shape": [8]}},
        {"mesh": {"shape": [8, 8], "hight": 8}},
        {"allocator": {"name": "best-of-all"}},
        {"allocator": {"name": "tbl", "options": {"fast": True}}},
        {"scheduler": {"name": "ssd", "options": {"demand": "most"}}},
        {"workload": {"kind": "stochastic", "load": -1}},
        {"workload": {"kind": "stochastic", "load": "1"}},
        {"workload": {"kind": "stochastic", "load": 1, "sides": {"low": 1}}},
        {"workload": {"kind": "list", "jobs": []}},
    ],
)
def test_the_schema_refuses_what_the_program_refuses(schema, here, scenario_file, change):
    """Schema and program agree on the bad ones."""
    path = scenario_file(**change)
    assert not schema.is_valid(json.loads(path.read_text(encoding="utf-8")))
    assert here("validate", path).returncode == 2


def test_allocators_are_those_of_the_registry(here):
    """The list has every strategy, in words and as data."""
    listed = json.loads(here("allocators", "--json").stdout)
    assert [entry["id"] for entry in listed] == list(strategies())
    tbl = next(entry for entry in listed if entry["id"] == "tbl")
    assert (tbl["dims"], tbl["rotates"], tbl["contiguous"], tbl["source"]["paper"]) == (
        [2, 3],
        True,
        True,
        "000",
    )
    words = here("allocators").stdout.splitlines()
    assert [line.split()[0] for line in words[1:]] == list(strategies())


def test_the_page_about_a_strategy_can_be_printed(here):
    """By its id; one that nobody knows is met with those there are."""
    assert here("allocators", "2dbs").stdout.startswith("# 2D Buddy System\n")
    wrong = here("allocators", "2dbz")
    assert wrong.returncode == 2
    assert "no strategy is called 2dbz" in wrong.stderr
    assert "2dbs" in wrong.stderr
    assert here("allocators", "2dbs", "--json").returncode == 2


def test_a_trace_shows_every_attempt_and_what_came_of_it(here, scenario_file):
    """Each attempt stands where the run made it; the last one places the job where the run did."""
    path = scenario_file()
    recording = simulate(load_scenario(path))
    job = max(range(40), key=lambda job: len(recording.attempts_of(job)))
    traced = json.loads(here("trace", path, "--job", job, "--json").stdout)
    assert traced["job"] == job
    assert traced["size"] == list(recording.size(job)[:2])
    attempts = traced["attempts"]
    assert len(attempts) == len(recording.attempts_of(job)) > 1
    assert [attempt["outcome"] for attempt in attempts] == ["waits"] * (len(attempts) - 1) + ["placed"]
    assert attempts[-1]["boxes"] == [list(box) for box in recording.boxes_of(job)]
    start = recording.started[job]
    assert recording.kinds[start] == EventKind.START
    assert attempts[-1]["time"] == recording.times[start]


def test_a_trace_s_steps_are_lines_of_the_pseudo_code(here, shipped):
    """Each step has the line it passed, its sentence, and marks with role and box; lines count from 1."""
    lines = strategies()["tbl"].lines
    data = json.loads(here("trace", shipped, "--job", 2, "--json").stdout)
    steps = [step for attempt in data["attempts"] for step in attempt["steps"]]
    assert steps
    for step in steps:
        line = lines[step["line"] - 1]
        assert (step["label"], step["text"]) == (line.label, line.text)
        assert step["says"]
        assert all(set(mark) == {"role", "box", "values"} for mark in step["marks"])
    placed = [mark for step in steps for mark in step["marks"] if mark["role"] == "placed"]
    assert [mark["box"] for mark in placed] == data["attempts"][-1]["boxes"]


def test_a_trace_counts_the_operations_the_run_counted(here, scenario_file):
    """The attempts and the release, which looks at every processor, make up all the operations."""
    path = scenario_file(mesh={"shape": [24, 24]})
    recording = simulate(load_scenario(path))
    job = 30
    traced = json.loads(here("trace", path, "--job", job, "--json").stdout)
    counted = sum(attempt["operations"] for attempt in traced["attempts"])
    assert counted == recording.operations[job] - recording.mesh.processors


def test_a_trace_ends_with_the_release_where_that_has_steps(here, scenario_file):
    """With its lines and steps, and the operations that are left of the run's; First Fit's has none."""
    path = scenario_file(allocator={"name": "mbs"})
    recording, job = simulate(load_scenario(path)), 5
    traced = json.loads(here("trace", path, "--job", job, "--json").stdout)
    release = traced["release"]
    assert release["time"] == recording.times[recording.ended[job]]
    spent = release["operations"] + sum(attempt["operations"] for attempt in traced["attempts"])
    assert spent == recording.operations[job]
    labels = {line.label for line in strategies()["mbs"].release_lines}
    assert {step["label"] for step in release["steps"]} <= labels
    assert release["steps"][-1]["label"] == "all back"
    out = here("trace", path, "--job", job).stdout
    assert f"Release at time {release['time']:.6g}, after {release['position']} events" in out
    assert all(step["says"] in out for step in release["steps"])
    path = scenario_file(allocator={"name": "ff"})
    assert json.loads(here("trace", path, "--job", job, "--json").stdout)["release"] is None
    assert "Release at" not in here("trace", path, "--job", job).stdout


def test_a_trace_of_a_job_that_does_not_exist_is_one_line(here, scenario_file):
    """The line says which jobs there are."""
    path = scenario_file()
    done = here("trace", path, "--job", 40)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"meshgui: {path}: --job: expected a job from 0 to 39, got 40\n"


def test_a_trace_in_words_names_lines_and_boxes(here, shipped):
    """The pseudo-code stands first, then each attempt with its steps."""
    out = here("trace", shipped, "--job", 0).stdout
    assert "Turning Busy List" in out
    assert "Attempt 1 at time" in out
    assert "placed at (" in out


@pytest.fixture
def reserving(scenario_file):
    """Job 1 finds the mesh half held and reserves all of it; it starts when job 0 has left."""
    jobs = [{"arrival": n, "size": [4, 2 * (n + 1)], "service": 5} for n in range(2)]
    allocator = {"name": "ta", "options": {"eafr": True}}
    return scenario_file(allocator=allocator, workload={"kind": "list", "jobs": jobs})


def test_a_trace_tells_a_reservation_from_waiting(here, reserving):
    """The first attempt ends with a box that is promised, the second with the same box given."""
    attempts = json.loads(here("trace", reserving, "--job", 1, "--json").stdout)["attempts"]
    whole = [0, 0, 0, 4, 4, 1]
    assert [(a["time"], a["outcome"], a["boxes"], a["reserved"]) for a in attempts] == [
        (1, "reserved", [], [whole]),
        (5, "placed", [whole], []),
    ]
    out = here("trace", reserving, "--job", 1).stdout
    assert "Attempt 1 at time 1, after 3 events: reserved at (0,0)–(3,3)" in out
    assert "Attempt 2 at time 5, after 5 events: placed at (0,0)–(3,3)" in out


def test_the_event_file_tells_what_is_reserved(here, reserving, tmp_path):
    """A line of its own between the arrival and the start, with the box."""
    file = tmp_path / "e.jsonl"
    assert here("run", reserving, "--events", file).returncode == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[3] == '{"t": 1.0, "event": "reserve", "job": 1, "blocks": [[0, 0, 0, 4, 4, 1]]}'
    assert lines[5] == '{"t": 5.0, "event": "start", "job": 1, "blocks": [[0, 0, 0, 4, 4, 1]]}'


@pytest.mark.qt
@pytest.mark.parametrize("words", [["validate", "FILE"], ["allocators"], ["schema"], ["run", "--help"]])
def test_quick_commands_load_neither_kernels_nor_windows(meshgui, shipped, words):
    """What needs no simulation imports neither Numba nor Qt nor SciPy."""
    done = meshgui(*(shipped if word == "FILE" else word for word in words), PYTHONPROFILEIMPORTTIME="1")
    assert done.returncode == 0
    loaded = {line.split("|")[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert not loaded & {"numba", "PySide6", "scipy", "pyqtgraph", "OpenGL"}


def test_growth_sets_what_was_measured_beside_what_is_stated(here):
    """One row a strategy with the powers measured, what its paper states, and a verdict."""
    [bl] = json.loads(here("growth", "bl", "--json").stdout)
    assert bl["stated"]["allocation"]["words"] == "O(m²)"
    assert bl["verdict"] == "within the bound"
    assert [point["side"] for point in bl["over_meshes"]] == [8, 16, 32, 64, 128]
    assert "within the bound" in here("growth", "bl").stdout


def test_growth_of_what_there_is_not(here):
    """An unknown strategy, or one of other dimensions, is told in one line."""
    for words in (("growth", "nonesuch"), ("growth", "bl", "--dims", "4")):
        done = here(*words)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1

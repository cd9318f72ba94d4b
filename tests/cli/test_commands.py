"""What the commands give to programs: event files, the schema, strategies, traces."""

import json

import jsonschema
import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import load_scenario
from meshgui.experiment.batches import Batches, batch_figures
from meshgui.experiment.statistics import autocorrelation, estimate
from meshgui.model.examples import examples


def test_the_event_file_is_the_same_bytes_in_every_process(meshgui, scenario_file, tmp_path):
    """Neither the hash seed nor the process leaves a trace in the events."""
    path = scenario_file()
    files = [tmp_path / f"{n}.jsonl" for n in range(3)]
    for n, file in enumerate(files):
        assert meshgui("run", path, "--events", file, PYTHONHASHSEED=str(n)).returncode == 0
    first, *others = [file.read_bytes() for file in files]
    assert first
    assert all(other == first for other in others)


def test_the_summary_with_batches_has_every_number_of_the_engine(here, scenario_file):
    """Mean, half width and autocorrelation of every figure."""
    path = scenario_file()
    found = json.loads(here("run", path, "--batches", 5, "--warm-up", 4, "--json").stdout)
    assert found["jobs"] == 40
    cut = found["batches"]
    assert (cut["count"], cut["warm_up"], cut["confidence"]) == (5, 4, 0.95)
    samples = batch_figures(Simulation(load_scenario(path)).run(), Batches(count=5, warm_up=4))
    assert set(cut["figures"]) == set(samples[0])
    for name, figure in cut["figures"].items():
        values = [sample[name] for sample in samples]
        wanted = estimate(values)
        assert (figure["mean"], figure["half_width"]) == (wanted.mean, wanted.half_width)
        assert figure["autocorrelation"] == autocorrelation(values)


def test_the_shipped_scenarios_are_valid(here):
    """`validate` takes every scenario that comes with the program."""
    done = here("validate", *examples())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(": ok\n") == len(examples())


def test_a_sound_scenario_that_does_something_unexpected_says_so(here, scenario_file):
    """`validate` adds a line, and the file is in order all the same."""
    path = scenario_file(allocator={"name": "anca"})
    done = here("validate", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == f"{path}: ok"
    assert done.stdout.splitlines()[1].startswith(f"{path}: allocator.options.stop: not stated, so cutting")


@pytest.fixture
def schema(here):
    """A validator for what `meshgui schema` prints."""
    printed = json.loads(here("schema").stdout)
    jsonschema.Draft202012Validator.check_schema(printed)
    return jsonschema.Draft202012Validator(printed)


def test_the_schema_takes_the_shipped_scenarios(schema):
    """Schema and program agree on the good ones; each key of a network has a word of explanation."""
    network = schema.schema["$defs"]["NetworkSpec"]["properties"]
    assert all(key.get("description") for key in network.values())
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
        {"network": {"pattern": "gossip"}},
        *(
            {"network": {"pattern": "random", key: value}}
            for key, value in (("flits", 0), ("buffer", 0), ("startup", -1), ("colour", 1))
        ),
    ],
)
def test_the_schema_refuses_what_the_program_refuses(schema, here, scenario_file, change):
    """Schema and program agree on the bad ones."""
    path = scenario_file(**change)
    assert not schema.is_valid(json.loads(path.read_text(encoding="utf-8")))
    assert here("validate", path).returncode == 2


def test_allocators_are_those_of_the_registry(here):
    """The list has every strategy, in words and as data; by its id there is the page of one."""
    listed = json.loads(here("allocators", "--json").stdout)
    assert [entry["id"] for entry in listed] == list(strategies())
    tbl = next(entry for entry in listed if entry["id"] == "tbl")
    assert (tbl["dims"], tbl["rotates"], tbl["contiguous"]) == ([2, 3], True, True)
    assert tbl["source"]["paper"] == "000"
    words = here("allocators").stdout.splitlines()
    assert [line.split()[0] for line in words[1:]] == list(strategies())
    assert here("allocators", "2dbs").stdout.startswith("# 2D Buddy System\n")


@pytest.fixture
def traced(here):
    """A trace as data."""

    def call(path, job):
        return json.loads(here("trace", path, "--job", job, "--json").stdout)

    return call


def test_a_trace_shows_every_attempt_and_what_came_of_it(traced, scenario_file):
    """Each attempt stands where the run made it; the last one places the job where the run did."""
    path = scenario_file()
    recording = simulate(load_scenario(path))
    job = max(range(40), key=lambda job: len(recording.attempts_of(job)))
    trace = traced(path, job)
    attempts, start = trace["attempts"], recording.started[job]
    assert (trace["job"], trace["size"]) == (job, list(recording.size(job)[:2]))
    assert len(attempts) == len(recording.attempts_of(job)) > 1
    assert [attempt["outcome"] for attempt in attempts] == ["waits"] * (len(attempts) - 1) + ["placed"]
    assert attempts[-1]["boxes"] == [list(box) for box in recording.boxes_of(job)]
    assert recording.kinds[start] == EventKind.START
    assert attempts[-1]["time"] == recording.times[start]


@pytest.mark.parametrize(("name", "ending"), [("tff", None), ("mbs", "all back")])
def test_a_trace_counts_the_operations_the_run_counted(here, traced, scenario_file, name, ending):
    """Attempts and release make up all; a release without steps looks at every processor."""
    path, job = scenario_file(allocator={"name": name}), 5
    recording, trace = simulate(load_scenario(path)), traced(path, job)
    shown, release = here("trace", path, "--job", job).stdout, trace["release"]
    spent = sum(attempt["operations"] for attempt in trace["attempts"])
    if ending is None:
        assert release is None
        assert "Release at" not in shown
        assert spent + recording.mesh.processors == recording.operations[job]
        return
    assert spent + release["operations"] == recording.operations[job]
    assert release["time"] == recording.times[recording.ended[job]]
    assert {step["label"] for step in release["steps"]} <= {
        line.label for line in strategies()[name].release_lines
    }
    assert release["steps"][-1]["label"] == ending
    assert f"Release at time {release['time']:.6g}, after {release['position']} events" in shown
    assert all(step["says"] in shown for step in release["steps"])


def test_a_trace_tells_a_reservation_from_waiting(here, traced, scenario_file):
    """Job 1 finds the mesh half held and reserves all of it, which it gets when job 0 has left."""
    jobs = [{"arrival": n, "size": [4, 2 * (n + 1)], "service": 5} for n in range(2)]
    path = scenario_file(
        allocator={"name": "ta", "options": {"eafr": True}}, workload={"kind": "list", "jobs": jobs}
    )
    whole = [0, 0, 0, 4, 4, 1]
    assert [(a["time"], a["outcome"], a["boxes"], a["reserved"]) for a in traced(path, 1)["attempts"]] == [
        (1, "reserved", [], [whole]),
        (5, "placed", [whole], []),
    ]
    shown = here("trace", path, "--job", 1).stdout
    assert "Attempt 1 at time 1, after 3 events: reserved at (0,0)–(3,3)" in shown
    assert "Attempt 2 at time 5, after 5 events: placed at (0,0)–(3,3)" in shown


@pytest.mark.qt
@pytest.mark.parametrize("words", [["validate", "FILE"], ["allocators"], ["schema"], ["run", "--help"]])
def test_quick_commands_load_neither_kernels_nor_windows(meshgui, shipped, words):
    """What needs no simulation imports neither Numba nor Qt nor SciPy."""
    done = meshgui(*(shipped if word == "FILE" else word for word in words), PYTHONPROFILEIMPORTTIME="1")
    assert done.returncode == 0
    loaded = {line.split("|")[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert not loaded & {"numba", "PySide6", "scipy", "pyqtgraph", "OpenGL"}


def test_growth_sets_what_was_measured_beside_what_is_stated(here):
    """As data, with the figure of every mesh."""
    [bl] = json.loads(here("growth", "bl", "--json").stdout)
    assert (bl["stated"]["allocation"]["words"], bl["verdict"]) == ("O(m²)", "within the bound")
    assert [point["side"] for point in bl["over_meshes"]] == [8, 16, 32, 64, 128]

"""What the commands give to programs: event files, the schema, strategies, traces."""

import json

import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import json_schema, load_scenario
from meshgui.experiment.batches import Batches, batch_figures
from meshgui.experiment.statistics import autocorrelation, estimate
from meshgui.model.hand_in import hand_in_schema
from meshgui.model.lesson_moment import lesson_schema


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


def test_a_sound_scenario_that_does_something_unexpected_says_so(here, scenario_file):
    """`validate` adds a line, and the file is in order all the same."""
    path = scenario_file(allocator={"name": "anca"})
    done = here("validate", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == f"{path}: ok"
    assert done.stdout.splitlines()[1].startswith(f"{path}: allocator.options.stop: not stated, so cutting")


@pytest.mark.parametrize(
    ("words", "schema", "key"),
    [
        ("schema", json_schema, "workload"),
        ("lesson schema", lesson_schema, "predict"),
        ("exercise schema", hand_in_schema, "asked_hash"),
    ],
)
def test_schemas_are_printed(here, words, schema, key):
    """Of scenarios, of moments of lessons and of hand-ins; the tests of the engine and the model try them."""
    assert json.loads(here(*words.split()).stdout) == schema()
    assert key in schema()["properties"]


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

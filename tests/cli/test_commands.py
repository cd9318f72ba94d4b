"""What all commands have in common, and what they say of bad input."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meshgui.cli.entry import COMMANDS, run
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import json_schema, load_scenario
from meshgui.experiment.batches import Batches, batch_figures
from meshgui.experiment.statistics import autocorrelation, estimate
from meshgui.model.exercises.hand_in import hand_in_schema
from meshgui.model.lessons.lesson_moment import lesson_schema
from tests.cli.conftest import is_one_line


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


@pytest.mark.qt
@pytest.mark.parametrize("command", ["run", "validate", "trace", "render", "window"])
def test_a_bad_scenario_is_one_line_in_a_process_of_its_own(meshgui, scenario_file, tmp_path, command):
    """No command, and no window, shows more than the line."""
    path = scenario_file(seed=-1)
    more = {"trace": ["--job", 0], "render": ["--at", 0, "--out", tmp_path / "p.png"]}.get(command, [])
    done = meshgui(*([] if command == "window" else [command]), path, *more)
    line = f"meshgui: {path}: seed: expected at least 0, got -1\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)


def test_a_name_of_any_bytes_is_named_on_one_line(here, tmp_path):
    """A line break or a broken letter in a name does not break the line."""
    done = here("run", tmp_path / "a\nb\udcff.json")
    assert done.stderr == f"meshgui: {tmp_path}/a\\nb\\udcff.json: no such file or directory\n"
    assert here("run", "F", "a\nb").stderr == "meshgui run: expected no more arguments, got a\\nb\n"


@pytest.mark.parametrize("words", [["allocators"], ["check"], ["exercise", "show", "--strategy"]])
def test_a_strategy_of_any_bytes_is_unknown(meshgui, words):
    """A broken letter is not a fault of the program, in a process that has not loaded the strategies yet."""
    done = meshgui(*words, "ff\udcff")
    assert (done.returncode, is_one_line(done.stderr)) == (2, True)
    assert "ff\\udcff" in done.stderr
    assert "internal error" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(here, command):
    """`--help` says what the command does, and every option of it has a word of explanation."""
    done = here(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert COMMANDS[command] in " ".join(done.stdout.split())  # a long line is broken
    assert f"usage: meshgui {command}" in done.stdout


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    st.lists(st.text(st.characters(exclude_characters="\0"), max_size=12), max_size=4),
    st.sampled_from(["run", "trace", "render", "network"]),
)
def test_any_words_are_one_line(capsys, words, command):
    """No words after a command lead to a traceback: help, or one line and a status of 1 or 2."""
    status = run([command, *words, "no-such-file"])
    out, err = capsys.readouterr()
    assert (status == 0 and "usage" in out) or (status in {1, 2} and err.count("\n") == 1)


@pytest.mark.parametrize(
    "words",
    [
        ("run", "FILE"),
        ("trace", "FILE", "--job", 0),
        ("export", "FILE", "--trace-events", "OUT"),
        ("sweep", "FILE", "--vary", "allocator.name=ff,bf", "--max-runs", 1, "--jobs", 1),
    ],
)
def test_no_command_drops_stated_times_without_a_word(here, scenario_file, tmp_path, words):
    """One line, once: with a network jobs end when their messages have arrived."""
    jobs = [{"arrival": 0.0, "size": [2, 2], "service": 9.0}]
    file = scenario_file(workload={"kind": "list", "jobs": jobs}, network={"pattern": "one-to-all"})
    done = here(*({"FILE": file, "OUT": tmp_path / "out.json"}.get(word, word) for word in words))
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert "the times that the workload states only rank and plan" in done.stderr

"""The files and the JSON of `meshgui sweep`; the transcripts have its tables and messages."""

import csv
import io
import json

import pytest

from meshgui.engine.scenario import load_scenario
from meshgui.experiment.fields import axis_from
from meshgui.experiment.figures import FIGURES
from meshgui.experiment.grid import Target, experiment_of
from meshgui.experiment.results import results_of
from meshgui.experiment.statistics import estimate
from meshgui.experiment.store import Store
from tests.cli.conftest import is_one_line

pytestmark = pytest.mark.long

FEW = ("--max-runs", 4, "--jobs", 1)


@pytest.fixture
def swept(here, scenario_file):
    """Sweeps the small scenario in this process."""

    def sweep(*words, **changes):
        return here("sweep", scenario_file(**changes), *words)

    return sweep


def test_json_has_the_same_and_every_figure(swept):
    """Values as JSON, means with half-widths, null for what is not known of a single run."""
    shape = '{"kind":"uniform","high":2}'
    done = swept("--vary", f"workload.sides={shape}", "--min-runs", 1, "--max-runs", 1, "--json", "--jobs", 1)
    found = json.loads(done.stdout)
    [point] = found["points"]
    assert found["title"] == "Small"
    assert found["target"]["most"] == 1
    assert found["batches"] is None
    assert point["values"] == {"workload.sides": {"kind": "uniform", "high": 2}}
    assert (point["runs"], point["precise"], point["fault"]) == (1, False, None)
    assert point["figures"]["turnaround"]["half_width"] is None
    assert {"turnaround", "utilization", "overhead_seconds"} <= set(point["figures"])


def test_the_csv_has_what_the_store_has_with_all_digits(swept, scenario_file, tmp_path):
    """RFC 4180: CRLF, quotation marks doubled; read back, each value and number is the same."""
    out, db = tmp_path / "out.csv", tmp_path / "runs.db"
    sides = 'workload.sides={"kind":"uniform","high":2},{"kind":"exponential"}'
    done = swept("--vary", sides, "mesh.shape=4x4,[8,4]", *FEW, "--csv", out, "--store", db)
    assert done.returncode == 0
    content = out.read_bytes()
    assert content.count(b"\r\n") == content.count(b"\n") == 5
    rows = list(csv.DictReader(io.StringIO(content.decode(), newline="")))
    axes = (axis_from(sides), axis_from("mesh.shape=4x4,8x4"))
    experiment = experiment_of(load_scenario(scenario_file()), axes, Target(least=4, most=4))
    with Store(db) as store:
        results = results_of(experiment, store)
    for row, result in zip(rows, results, strict=True):
        read = [axis_from(f"{key}={row[key]}").values[0] for key in experiment.keys]
        assert tuple(read) == result.point.values
        assert (int(row["runs"]), row["fault"]) == (4, "")
        assert (row["precise"] == "yes") == result.precise
        for name in FIGURES:
            if name not in result.estimates:
                assert name not in row
                continue
            wanted = estimate(result.samples(name))
            assert float(row[name]) == wanted.mean
            assert float(row[f"{name}_half_width"]) == wanted.half_width
            assert row[f"{name}_relative_error"] in {repr(wanted.relative_error), ""}
    assert list(rows[0])[:5] == ["workload.sides", "mesh.shape", "runs", "precise", "fault"]


def failing(*_):
    """What a broken strategy does."""
    raise ZeroDivisionError("division by zero")


def test_a_point_that_fails_says_what_for_and_the_others_are_there(swept, tmp_path, monkeypatch):
    """In the table, in the CSV and in one line, with status 1."""
    monkeypatch.setattr("meshgui.engine.allocation.gabl.GreedyAvailableBusyList.allocate", failing)
    out = tmp_path / "out.csv"
    done = swept("--vary", "allocator.name=ff,gabl", *FEW, "--csv", out)
    assert done.returncode == 1
    assert (
        "small.meshgui.json: 1 of 2 points failed: gabl: seed 5: gabl failed at job 0: ZeroDivisionError"
        in done.stderr
    )
    assert is_one_line(done.stderr)
    assert "failed: seed 5: gabl failed at job 0: ZeroDivisionError: " in done.stdout
    assert "; 1 of 2 points failed" in done.stdout
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"), newline="")))
    assert [bool(row["fault"]) for row in rows] == [False, True]
    assert [bool(row["turnaround"]) for row in rows] == [True, False]


@pytest.mark.parametrize("option", ["--csv", "--bundle"])
def test_a_file_that_cannot_be_written_is_noticed_before_the_work(swept, tmp_path, monkeypatch, option):
    """Nothing is run for results that could not be put anywhere."""
    monkeypatch.setattr("meshgui.cli.sweep.Sweep.run", failing)
    assert "could not be written: no such file" in swept(option, tmp_path / "missing" / "out").stderr


def test_progress_is_shown_on_a_terminal_only(swept, monkeypatch):
    """Runs made of those needed; nothing of it in a pipe."""
    assert swept(*FEW).stderr == ""
    monkeypatch.setattr("meshgui.cli.output.sys.stderr.isatty", lambda: True, raising=False)
    done = swept(*FEW)
    assert "Sweeping … " in done.stderr
    assert done.stderr.endswith("\r")


def test_batches_are_in_the_json(swept):
    """One run a point; a figure that was measured hangs together with none."""
    words = ("--batches", 10, "--warm-up", 5, "--jobs", 1, "--json")
    found = json.loads(swept(*words, workload={"kind": "stochastic", "jobs": 60, "load": 3.0}).stdout)
    [point] = found["points"]
    assert (found["batches"], point["runs"]) == ({"count": 10, "warm_up": 5}, 1)
    assert point["figures"]["turnaround"]["autocorrelation"] > 0.2
    assert "autocorrelation" not in point["figures"]["overhead_seconds"]

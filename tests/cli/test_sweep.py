"""Sweeps, their bundles, and such as are killed; the last need a system with /proc."""

import csv
import io
import json
import os
import re
import signal
import zipfile
from pathlib import Path

import pytest

from meshgui.engine.runs.dictionary import FIGURES
from meshgui.engine.scenario import load_scenario
from meshgui.experiment.bundle import read_bundle
from meshgui.experiment.fields import axis_from
from meshgui.experiment.grid import Target, experiment_of
from meshgui.experiment.results import results_of
from meshgui.experiment.statistics import estimate
from meshgui.experiment.store import Store
from tests.cli.conftest import is_one_line
from tests.processes import alive, start, wait_until
from tests.stores import replications, runs_in

pytestmark = pytest.mark.long
in_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="there is no /proc")


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


GRID = ("--vary", "allocator.name=ff,gabl", "workload.load=1,2", "--max-runs", 4, "--jobs", 1)


@pytest.fixture
def bundled(here, scenario_file, tmp_path):
    """A bundle, and what the sweep that wrote it showed; its scenario is gone."""
    path, out = scenario_file(), tmp_path / "out.zip"
    done = here("sweep", path, *GRID, "--bundle", out)
    assert (done.returncode, done.stderr) == (0, "")
    path.unlink()
    return out, done.stdout


def altered(path, name, change):
    """The bundle with a member changed."""
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info.filename) for info in archive.infolist()}
    members[name] = change(members[name].decode()).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for other, content in members.items():
            archive.writestr(other, content)


def test_a_bundle_is_run_again_by_itself(here, bundled, tmp_path):
    """Nothing else is needed; table, CSV, store and another bundle are the same."""
    path, shown = bundled
    again, out, db = tmp_path / "again.zip", tmp_path / "out.csv", tmp_path / "runs.db"
    done = here("sweep", path, "--jobs", 1, "--csv", out, "--store", db, "--bundle", again)
    assert (done.returncode, done.stdout, done.stderr) == (0, shown, "")
    with zipfile.ZipFile(path) as one, zipfile.ZipFile(again) as other:
        for name in ("experiment.json", "points.json", "replications.csv", "results.csv"):
            assert one.read(name) == other.read(name)
        assert one.read("results.csv") == out.read_bytes()
    with Store(db) as store:
        assert runs_in(store) == read_bundle(path).runs


def test_a_check_names_the_first_number_that_differs(here, bundled):
    """Point, seed and figure, both numbers with all digits, and what was of another version; status 1."""
    path, _ = bundled

    def change(text):
        rows = list(csv.reader(io.StringIO(text, newline="")))
        row = next(row for row in rows[1:] if row[0] == "2")
        row[rows[0].index("waiting")] = "0.125"
        out = io.StringIO(newline="")
        csv.writer(out).writerows(rows)
        return out.getvalue()

    altered(path, "replications.csv", change)
    altered(path, "versions.json", lambda text: json.dumps(json.loads(text) | {"numpy": "1.0"}))
    done = here("sweep", path, "--check", "--jobs", 1)
    assert (done.returncode, done.stdout) == (1, "")
    assert is_one_line(done.stderr)
    start = f"meshgui: {path}: allocator.name=gabl, workload.load=1, seed 5: waiting: expected 0.125 as in"
    assert done.stderr.startswith(start)
    assert "(made with numpy 1.0, here " in done.stderr
    done = here("sweep", path, "--check", "--jobs", 1, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["equal"]) == (1, False)
    assert found["difference"]["figure"] == "waiting"
    assert found["difference"]["values"] == {"allocator.name": "gabl", "workload.load": 1}


def test_a_run_that_fails_now_is_noticed_and_a_damaged_table_is_noticed_before_the_work(
    here, bundled, monkeypatch
):
    """It is named, though there is no number to compare; a check reads the whole bundle first."""

    def fail(*_):
        raise ZeroDivisionError

    path, _ = bundled
    monkeypatch.setattr("meshgui.engine.allocation.gabl.GreedyAvailableBusyList.allocate", fail)
    done = here("sweep", path, "--check", "--jobs", 1)
    assert done.returncode == 1
    assert "allocator.name=gabl, workload.load=1, seed 5: expected this run as in the bundle" in done.stderr
    path, _ = bundled

    def never(*_):
        raise AssertionError

    altered(path, "replications.csv", lambda text: text[: len(text) // 2])
    monkeypatch.setattr("meshgui.cli.sweep.Sweep.run", never)
    done = here("sweep", path, "--check")
    assert done.returncode == 2
    assert "replications.csv: expected " in done.stderr


def test_a_grid_that_needs_another_file_is_no_bundle(here, scenario_file, tmp_path, monkeypatch):
    """Where a scenario by itself no longer makes the same points, it is said before the work."""
    from meshgui.engine.scenario import Scenario  # noqa: PLC0415

    def whole(scenario, **_):
        """Takes as many jobs as the load says, as from a file; what it took it takes no more."""
        taken = scenario.workload.jobs
        jobs = int(10 * scenario.workload.load) if taken == 40 else taken
        return scenario.model_copy(update={"workload": scenario.workload.model_copy(update={"jobs": jobs})})

    monkeypatch.setattr(Scenario, "whole", whole)
    out = tmp_path / "out.zip"
    done = here("sweep", scenario_file(), "--vary", "workload.load=2,3", "--bundle", out)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--bundle: 3: expected a point that needs no other file" in done.stderr
    assert is_one_line(done.stderr)
    assert not out.exists()


RUNS = 8  # of each of 32 points
LOADS = ",".join(str(load / 4) for load in range(1, 17))
WORDS = ("--vary", f"workload.load={LOADS}", "allocator.name=ff,gabl", "--precision", "0.0001")
WORDS += ("--min-runs", str(RUNS), "--max-runs", str(RUNS))


# What Python itself says in a worker whose parent is killed at the very moment it hands over the work.
BEING_STARTED = re.compile(
    r"Traceback \(most recent call last\):\n(?:  .*\n)*?  .*spawn_main\n"
    r"(?:  .*\n)*EOFError: Ran out of input\n"
)


@pytest.fixture(scope="module")
def setting(tmp_path_factory):
    """A scenario whose runs take some milliseconds, and the table of a sweep that is left undisturbed."""
    folder = tmp_path_factory.mktemp("killed")
    file = folder / "small.meshgui.json"
    file.write_text(
        '{"meshgui": 1, "title": "small", "mesh": {"shape": [6, 6]}, "allocator": {"name": "ff"},'
        ' "workload": {"kind": "stochastic", "jobs": 50, "load": 1}, "seed": 11}',
        encoding="utf-8",
    )
    table = folder / "undisturbed.csv"
    undisturbed = start("sweep", file, *WORDS, "--jobs", 2, "--csv", table, mark=str(folder))
    out, err = undisturbed.communicate(timeout=120)
    assert (undisturbed.returncode, err) == (0, ""), out
    return file, table.read_bytes()


@in_proc
def test_a_killed_sweep_loses_nothing_and_leaves_nobody_behind(setting, tmp_path):
    """What was kept is there, and the table is equal in the end."""
    file, undisturbed = setting
    store, table, mark = tmp_path / "store.db", tmp_path / "table.csv", str(tmp_path)
    words = ("sweep", file, *WORDS, "--jobs", 2, "--store", store, "--csv", table)
    sweep = start(*words, mark=mark)
    assert wait_until(lambda: runs_in(store) > 0 or sweep.poll() is not None, 60)
    sweep.kill()
    err = sweep.communicate(timeout=120)[1]
    assert (BEING_STARTED.sub("", err), sweep.returncode) == ("", -signal.SIGKILL)
    assert wait_until(lambda: not alive(mark), 60), "a worker was left behind"
    before = replications(store)
    assert 0 < len(before) < 32 * RUNS
    last = start(*words, mark=mark)
    assert last.communicate(timeout=120)[1] == ""
    now = replications(store)
    assert {key: now.get(key) for key in before} == before
    assert table.read_bytes() == undisturbed


@in_proc
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("told", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_sweep_that_is_told_to_end_does_so_quietly(setting, tmp_path, jobs, told, status):
    """With Ctrl+C or SIGTERM to all its processes: its status says so, at most one line does, too."""
    file, undisturbed = setting
    store, table, mark = tmp_path / "store.db", tmp_path / "table.csv", str(tmp_path)
    words = ("sweep", file, *WORDS, "--jobs", jobs, "--store", store, "--csv", table)
    for at_work in (False, True):
        known = runs_in(store)
        sweep = start(*words, mark=mark)
        if at_work:
            assert wait_until(lambda k=known: runs_in(store) > k, 60)
        else:  # while it, or its workers, are still loading
            assert wait_until(store.exists, 60)
        os.killpg(sweep.pid, told)
        out, err = sweep.communicate(timeout=120)
        as_shells_report_it = sweep.returncode if sweep.returncode >= 0 else 128 - sweep.returncode
        assert (as_shells_report_it, out) == (status, "")
        assert err in ("", f"meshgui: {store}: stopped; the same command continues from here\n")
        assert wait_until(lambda: not alive(mark), 60)
        replications(store)
    last = start(*words, mark=mark)
    assert last.communicate(timeout=120)[1] == ""
    assert table.read_bytes() == undisturbed


@in_proc
@pytest.mark.parametrize("how", ["spin", "sleep"])
def test_workers_in_the_middle_of_a_long_run_end_with_the_program(third_party, tmp_path, how):
    """A strategy that computes or waits for ever keeps no worker alive when the program is killed."""
    mark, file = str(tmp_path), tmp_path / "long.meshgui.json"
    file.write_text(
        '{"meshgui": 1, "mesh": {"shape": [4, 4]}, "seed": 1, "allocator": {"name": "deadly", "options":'
        f' {{"how": "{how}", "seeds": "1,2,3,4", "once": "{tmp_path}"}}}},'
        ' "workload": {"kind": "stochastic", "jobs": 20, "load": 1}}',
        encoding="utf-8",
    )
    sweep = start("sweep", file, "--jobs", 2, mark=mark, folders=(third_party,))
    assert wait_until(lambda: (tmp_path / "1").exists() and (tmp_path / "2").exists(), 60), sweep.kill()
    assert len(alive(mark)) >= 3
    sweep.kill()
    sweep.communicate(timeout=120)
    assert wait_until(lambda: not alive(mark), 60)

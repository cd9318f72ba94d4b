"""`meshgui sweep`: its table, its files, and one line for whatever is wrong."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from meshgui.engine.basics.statistics import estimate
from meshgui.engine.runs.figures import FIGURES
from meshgui.engine.scenario import load_scenario
from meshgui.experiment.fields import axis_from
from meshgui.experiment.grid import Target, experiment_of
from meshgui.experiment.results import results_of
from meshgui.experiment.store import Store
from tests.cli.conftest import is_one_line
from tests.processes import ScopedProcess

pytestmark = pytest.mark.long

FEW = ("--max-runs", 4, "--jobs", 1)


@pytest.fixture
def swept(here, scenario_file):
    """Sweeps the small scenario in this process."""

    def sweep(*words, **changes):
        return here("sweep", scenario_file(**changes), *words)

    return sweep


def test_the_table_has_a_row_a_point_with_means_and_intervals(swept, scenario_file, tmp_path):
    """Columns stand under each other, utilisation in percent, means as far as intervals leave them."""
    db = tmp_path / "runs.db"
    done = swept("--vary", "allocator.name=ff,gabl", "mesh.shape=4x4,8x4", *FEW, "--store", db)
    assert (done.returncode, done.stderr) == (0, "")
    title, empty, heading, *rows, gap, sentence = done.stdout.splitlines()
    assert (title, empty, gap, len(rows)) == ("Small", "", "", 4)
    assert heading.split() == [
        "allocator.name", "mesh.shape", "Turnaround", "Waiting", "Utilisation", "Runs",
    ]  # fmt: skip
    assert [row.split()[:2] for row in rows] == [
        [name, shape] for name in ("ff", "gabl") for shape in ("4×4", "8×4")
    ]
    for column in ("Turnaround", "Utilisation", "Runs"):
        end = heading.index(column) + len(column)
        assert all(row[end - 1] != " " and row[end : end + 2].strip() == "" for row in rows)
    assert len({row.index("±") for row in rows}) == 1
    assert all(" %  " in row and row.split().count("±") == 3 for row in rows)
    experiment = experiment_of(
        load_scenario(scenario_file()),
        (axis_from("allocator.name=ff,gabl"), axis_from("mesh.shape=4x4,8x4")),
        Target(least=4, most=4),
    )
    with Store(db) as store:
        found = results_of(experiment, store)[0].estimates["utilization"]
    half = 100 * found.half_width
    assert half > 10
    assert f"{100 * found.mean:.0f} ± {half:.0f} %" in rows[0]
    assert sentence.startswith("Means with 95 % intervals; ")
    assert sentence.endswith(
        " of 4 points are not within 5 % after 4 runs. What counts: turnaround, utilisation."
    )


def test_long_values_are_cut_short_where_that_leaves_them_apart(swept):
    """Two that begin in the same way stand there whole."""
    laws = [
        f'{{"kind":"intervals","intervals":[[1,1,0.25],[2,2,0.25],[3,3,0.25],[{low},4,0.25]]}}'
        for low in (1, 4)
    ]
    alone = swept("--vary", f"workload.sides={laws[0]}", *FEW).stdout
    whole = "intervals (intervals [[1, 1, 0.25], [2, 2, 0.25], [3, 3, 0.25], [1, 4, 0.25]])"
    assert f"{whole[:47]}…  " in alone
    both = swept("--vary", f"workload.sides={laws[0]},{laws[1]}", *FEW).stdout
    assert f"{whole}  " in both
    assert f"{whole.replace('[1, 4', '[4, 4')}  " in both


def test_the_sentence_says_when_all_is_well(swept):
    """One point and several, with the confidence and the precision that were asked for."""
    wide = ("--precision", 0.9, "--confidence", 0.8, "--jobs", 1)
    assert swept(*wide).stdout.endswith(
        "Means with 80 % intervals, within 90 %. What counts: turnaround, utilisation.\n"
    )
    done = swept(*wide, "--vary", "workload.load=1..2", "--until", "service")
    assert "Service" in done.stdout
    assert done.stdout.endswith("Means with 80 % intervals, all within 90 %. What counts: service.\n")


def test_a_point_says_which_mean_is_not_precise(swept):
    """And to within what it is known."""
    done = swept("--max-runs", 2, "--min-runs", 2, "--jobs", 1, "--precision", 0.001)
    assert "only within" in done.stdout
    assert "; 1 of 1 point is not within 0.1 % after 2 runs." in done.stdout


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


def test_a_store_is_gone_on_from(swept, tmp_path):
    """The same command makes nothing anew, and shows the same."""
    db = tmp_path / "runs.db"
    words = ("--vary", "workload.load=1,2", *FEW, "--store", db)
    first = swept(*words)
    with Store(db) as store:
        made = store.count()
    assert swept(*words).stdout == first.stdout
    with Store(db) as store:
        assert store.count() == made


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


def test_strategies_are_set_beside_one_of_them(swept, tmp_path):
    """A second table has the differences, the CSV and the JSON have them behind the rest."""
    out, words = tmp_path / "out.csv", ("--vary", "allocator.name=ff,bf", "workload.load=0.5,2", *FEW)
    done = swept(*words, "--against", "allocator.name=ff", "--csv", out)
    plain = swept(*words).stdout
    assert done.stdout.startswith(plain)
    heading, *rows, gap, sentence = done.stdout.removeprefix(plain).strip("\n").splitlines()
    assert heading.split() == [
        "allocator.name", "workload.load", "Turnaround", "Waiting", "Utilisation", "Pairs",
    ]  # fmt: skip
    assert [row.split()[:2] for row in rows] == [["bf", "0.5"], ["bf", "2"]]
    assert all(row.endswith(" 4") for row in rows)
    assert gap == ""
    assert sentence.startswith("Differences from ff: runs in pairs, with 95 % intervals")
    table = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    points = json.loads(swept(*words, "--against", "allocator.name=ff", "--json").stdout)["points"]
    assert [point["differences"] is None for point in points] == [True, True, False, False]
    for row, point in zip(table[2:], points[2:], strict=True):
        found = point["differences"]["turnaround"]
        assert float(row["turnaround_difference"]) == found["mean"]
        assert float(row["turnaround_difference_half_width"]) == found["half_width"]
        assert (row["pairs"], point["pairs"]) == ("4", 4)


BAD = {
    "no equals sign": (("--vary", "workload.load"), "--vary: expected KEY=V1,V2,…, got workload.load"),
    "an unknown field": (("--vary", "load=1,2"), "--vary: load: no field of a scenario has this name: did"),
    "a wrong value": (("--vary", "workload.load=1,x"), "--vary: workload.load=x: workload.load: expected a"),
    "a key twice": (("--vary", "mesh.shape=4x4", "--vary", "mesh.shape=8x8"), "mesh.shape: expected this"),
    "no network": (("--vary", "network.flits=1,2"), "--vary: network.flits: the scenario has no network"),
    "a null": (("--vary", "workload.service.mean=1"), "workload.service is null in the scenario"),
    "a mesh it cannot use": (("--vary", "allocator.name=2dbs", "mesh.shape=4x4,4x3"), "mesh.shape=4×3: a"),
    "too many": (("--vary", "workload.jobs=1..5000", "workload.load=1..3"), "expected at most 10000 points"),
    "a precision of nothing": (("--precision", 0), "--precision: expected a number between 0 and 1, got 0"),
    "a confidence too low": (("--confidence", 0.1), "--confidence: "),
    "no runs": (("--min-runs", 0), "--min-runs: expected a whole number from 1 to 1000000, got 0"),
    "most below least": (("--min-runs", 5, "--max-runs", 4), "--max-runs: expected at least --min-runs (5)"),
    "an unknown figure": (("--until", "speed"), "--until: expected one of turnaround, "),
    "a wall time": (("--until", "overhead_seconds"), "--until: expected one of turnaround, "),
    "no processes": (("--jobs", 0), "--jobs: expected a whole number from 1"),
    "an unknown option": (("--precison", 0.1), "no option is called --precison: did you mean --precision?"),
    "one batch": (("--batches", 1), "--batches: expected a whole number from 2 to 1000, got 1"),
    "batches and runs": (("--batches", 4, "--max-runs", 3), "--max-runs: cannot be combined with --batches"),
    "warm-up alone": (("--warm-up", 4), "--warm-up: expected --batches N as well"),
    "too few jobs": (("--batches", 41), "--batches: scenario: expected at least 41 finished jobs for 41"),
    "a figure of no batch": (("--batches", 4, "--until", "packets"), "packets: batches have no such figure"),
    "no field to compare by": (("--against", "ff"), "--against: expected KEY=VALUE, got ff"),
    "a field not varied": (("--against", "mesh.shape=4x4"), "mesh.shape: expected a field that is varied"),
    "a check of a scenario": (("--check",), "--check: expected a bundle, which `sweep --bundle` writes"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments_are_one_line(swept, name):
    """It says what was expected; the status is 2, the output empty."""
    words, complaint = BAD[name]
    done = swept(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert is_one_line(done.stderr)


@pytest.mark.parametrize("option", ["--store", "--csv", "--bundle"])
def test_no_output_is_the_scenario_or_another_output(swept, scenario_file, tmp_path, option):
    """Told before anything is run, by whatever name; the scenario is still whole."""
    path = scenario_file()
    whole = path.read_bytes()
    done = swept(option, tmp_path / "." / path.name)
    assert done.returncode == 2
    assert f"{option}: expected another file than the file itself" in done.stderr
    other = "--csv" if option != "--csv" else "--bundle"
    done = swept(option, tmp_path / "same", other, tmp_path / "same")
    assert done.returncode == 2
    assert "expected another file than that of --" in done.stderr
    assert path.read_bytes() == whole
    assert not (tmp_path / "same").exists()


@pytest.mark.parametrize(("option", "holds"), [("--csv", "the results"), ("--bundle", "the bundle")])
def test_a_file_that_cannot_be_written_is_told_before_the_work(swept, tmp_path, monkeypatch, option, holds):
    """Nothing is run for results that could not be put anywhere."""
    monkeypatch.setattr("meshgui.cli.sweep.Sweep.run", failing)
    out = tmp_path / "missing" / "out"
    done = swept(option, out)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"meshgui: {out}: {holds} could not be written: no such file or directory\n"


@pytest.mark.parametrize("option", ["--csv", "--bundle"])
def test_an_old_file_stays_whole_when_the_work_fails(swept, tmp_path, monkeypatch, option):
    """And nothing is left beside it."""
    out = tmp_path / "out"
    out.write_text("old", encoding="utf-8")
    monkeypatch.setattr("meshgui.cli.sweep.Sweep.run", failing)
    assert swept(option, out).returncode == 1
    assert out.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "small.meshgui.json"]


def test_a_fault_of_the_workers_is_not_put_down_to_the_files(swept, tmp_path, monkeypatch):
    """No more processes to be had, say."""

    def fail(*_):
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("meshgui.cli.sweep.Sweep.run", fail)
    done = swept("--csv", tmp_path / "out.csv", "--jobs", 1)
    assert done.returncode == 1
    assert done.stderr.endswith("small.meshgui.json: resource temporarily unavailable\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(("option", "holds"), [("--csv", "the results"), ("--bundle", "the bundle")])
def test_a_full_disk_under_a_file_is_one_line(swept, option, holds):
    """It names the file that is to blame."""
    done = swept(option, "/dev/full", *FEW)
    assert done.returncode == 1
    assert done.stderr == f"meshgui: /dev/full: {holds} could not be written: no space left on device\n"


@pytest.mark.parametrize(("jobs", "kept"), [(1, True), (2, True), (1, False)])
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_says_how_to_go_on(scenario_file, tmp_path, jobs, kept, sent, status):
    """In one line where there is a store, else quietly; old files stay whole, and what was made is kept."""
    path = scenario_file(workload={"kind": "stochastic", "jobs": 300, "load": 2.0})
    out, db = tmp_path / "out.csv", tmp_path / "runs.db"
    out.write_text("old", encoding="utf-8")
    words = ["sweep", path, "--min-runs", 100_000, "--max-runs", 100_000, "--jobs", jobs, "--csv", out]
    words += ["--store", db] if kept else []
    with ScopedProcess(
        [sys.executable, "-m", "meshgui", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as running:
        for _ in range(1200):
            if list(tmp_path.glob(".meshgui-*")) and (not kept or made_in(db)):
                break
            time.sleep(0.05)
        running.send_signal(sent)
        stdout, stderr = running.communicate(timeout=60)
    line = f"meshgui: {db}: stopped; the same command continues from here\n"
    assert (stdout, stderr) == ("", line if kept and sent == signal.SIGINT else "")
    assert running.returncode in {status, -sent}
    assert out.read_text(encoding="utf-8") == "old"
    assert not list(tmp_path.glob(".meshgui-*"))
    assert not kept or made_in(db)


def made_in(db):
    """How many runs a store has."""
    if not db.exists() or not db.stat().st_size:
        return 0
    with Store(db) as store:
        return store.count()


def test_progress_is_shown_on_a_terminal_only(swept, monkeypatch):
    """Runs made of those needed; nothing of it in a pipe."""
    assert swept(*FEW).stderr == ""
    monkeypatch.setattr("meshgui.cli.output.sys.stderr.isatty", lambda: True, raising=False)
    done = swept(*FEW)
    assert "Sweeping … " in done.stderr
    assert done.stderr.endswith("\r")


def test_long_runs_are_cut_into_batches(swept):
    """One run a point, with a warning where batches hang together."""
    words = ("--vary", "workload.jobs=60,120", "--batches", 10, "--warm-up", 5, "--jobs", 1)
    done = swept(*words, workload={"kind": "stochastic", "load": 3.0})
    assert done.returncode == 0
    assert "Runs" not in done.stdout
    assert "Means of 10 batches of one run with 95 % intervals" in done.stdout
    assert "after that run" in done.stdout
    assert "successive batches are correlated (lag-1 autocorrelation 0." in done.stdout
    found = json.loads(swept(*words, "--json", workload={"kind": "stochastic", "load": 3.0}).stdout)
    assert found["batches"] == {"count": 10, "warm_up": 5}
    assert [point["runs"] for point in found["points"]] == [1, 1]
    figures = found["points"][0]["figures"]
    assert figures["turnaround"]["autocorrelation"] > 0.2
    assert "autocorrelation" not in figures["overhead_seconds"]


def test_a_title_and_a_value_cannot_steer_the_terminal(swept):
    """A line break is written as its escape; what would control the terminal is replaced."""
    done = swept(*FEW, title="two\nlines \x1b[31m")
    assert "\x1b" not in done.stdout
    assert done.stdout.startswith("two\\nlines \N{REPLACEMENT CHARACTER}[31m\n")


def test_who_works_does_not_matter(swept):
    """The process itself, or two others."""
    words = ("--vary", "allocator.name=ff,gabl", "--max-runs", 6, "--jobs")
    assert swept(*words, 2).stdout == swept(*words, 1).stdout


def test_a_bundle_may_go_where_nobody_can_go_back(here, scenario_file):
    """As into a pipe, or nowhere."""
    done = here("sweep", scenario_file(), "--max-runs", 2, "--jobs", 1, "--bundle", "/dev/null")
    assert (done.returncode, done.stderr) == (0, "")


def test_seeds_have_room_for_all_runs(here, scenario_file):
    """A seed so large that the last run would have none is told before the work."""
    done = here("sweep", scenario_file(seed=2**63 - 3), "--max-runs", 5, "--jobs", 1)
    assert done.returncode == 2
    assert "seed: expected at most 9223372036854775803, for 5 runs, got 9223372036854775805" in done.stderr


def test_a_figure_that_no_run_has_is_no_reason_to_go_on(here, scenario_file):
    """The point fails at its first run, and says why."""
    done = here("sweep", scenario_file(), "--until", "latency", "--jobs", 1)
    assert done.returncode == 1
    assert done.stderr.endswith("1 of 1 points failed: its runs have no latency\n")


def test_there_are_no_more_processes_than_runs(here, scenario_file):
    """Nor more than one could want."""
    done = here("sweep", scenario_file(), "--jobs", 400, "--max-runs", 2)
    assert (done.returncode, done.stderr) == (0, "")
    assert "expected a whole number from 1 to 512, got 100000" in (
        here("sweep", scenario_file(), "--jobs", 100000).stderr
    )

"""`meshgui sweep --bundle`, the same again from the bundle alone, and `--check`."""

import csv
import io
import json
import zipfile

import pytest

from meshgui.experiment.bundle import read_bundle
from meshgui.experiment.store import Store
from tests.cli.conftest import is_one_line

pytestmark = pytest.mark.long

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
        assert store.count() == read_bundle(path).runs


def test_a_check_says_in_one_line_that_all_is_equal(here, bundled):
    """In words and as JSON, whoever works."""
    path, _ = bundled
    runs = read_bundle(path).runs
    done = here("sweep", path, "--check", "--jobs", 2)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{path}: all numbers of {runs} runs at 4 points are equal\n"
    done = here("sweep", path, "--check", "--jobs", 1, "--json")
    assert json.loads(done.stdout) == {"equal": True, "runs": runs, "difference": None}


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


def test_a_model_that_comes_to_other_numbers_is_noticed(here, bundled, monkeypatch):
    """A strategy that counts one operation more."""
    path, _ = bundled
    from meshgui.experiment import run_spec  # noqa: PLC0415

    true = run_spec.figures_of

    def more(recording):
        figures, wall = true(recording)
        return figures | {"overhead_operations": figures["overhead_operations"] + 1}, wall

    monkeypatch.setattr(run_spec, "figures_of", more)
    done = here("sweep", path, "--check", "--jobs", 1)
    assert done.returncode == 1
    assert "allocator.name=ff, workload.load=1, seed 5: overhead_operations: expected " in done.stderr


def test_a_run_that_fails_now_is_noticed(here, bundled, monkeypatch):
    """It is named, though there is no number to compare."""

    def fail(*_):
        raise ZeroDivisionError

    path, _ = bundled
    monkeypatch.setattr("meshgui.engine.allocation.gabl.GreedyAvailableBusyList.allocate", fail)
    done = here("sweep", path, "--check", "--jobs", 1)
    assert done.returncode == 1
    assert "allocator.name=gabl, workload.load=1, seed 5: expected this run as in the bundle" in done.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--vary", "workload.load=1"), "--vary: cannot be combined with a bundle, which has its own"),
        (("--precision", 0.1), "--precision: cannot be combined with a bundle"),
        (("--max-runs", 4), "--max-runs: cannot be combined with a bundle"),
        (("--until", "waiting"), "--until: cannot be combined with a bundle"),
        (("--batches", 4), "--batches: cannot be combined with a bundle"),
        (("--warm-up", 0), "--warm-up: cannot be combined with a bundle"),
        (("--check", "--store", "x.db"), "--check: cannot be combined with --store"),
        (("--check", "--csv", "x.csv"), "--check: cannot be combined with --csv"),
        (("--check", "--bundle", "x.zip"), "--check: cannot be combined with --bundle"),
        (("--check", "--against", "allocator.name=ff"), "--check: cannot be combined with --against"),
    ],
)
def test_what_does_not_go_with_a_bundle_is_one_line(here, bundled, words, complaint):
    """The bundle has settled it."""
    done = here("sweep", bundled[0], *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert is_one_line(done.stderr)


def test_a_bundle_is_not_written_over_itself(here, bundled):
    """It would be gone if the work failed."""
    path, _ = bundled
    done = here("sweep", path, "--bundle", path)
    assert done.returncode == 2
    assert "--bundle: expected another file than the file itself" in done.stderr


@pytest.mark.parametrize("check", [(), ("--check",)])
@pytest.mark.parametrize("content", [b"PK", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18])
def test_a_damaged_bundle_is_one_line(here, tmp_path, content, check):
    """Status 2, as for any bad file."""
    path = tmp_path / "bad.zip"
    path.write_bytes(content)
    done = here("sweep", path, *check)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"meshgui: {path}: expected a ")
    assert is_one_line(done.stderr)


def test_a_damaged_table_is_told_before_the_work(here, bundled, monkeypatch):
    """A check reads the whole bundle first."""
    path, _ = bundled

    def never(*_):
        raise AssertionError

    altered(path, "replications.csv", lambda text: text[: len(text) // 2])
    monkeypatch.setattr("meshgui.cli.sweep.Sweep.run", never)
    done = here("sweep", path, "--check")
    assert done.returncode == 2
    assert "replications.csv: expected " in done.stderr


def test_batches_are_bundled_and_checked(here, scenario_file, tmp_path):
    """One long run a point."""
    out = tmp_path / "batches.zip"
    done = here("sweep", scenario_file(), "--batches", 5, "--jobs", 1, "--bundle", out)
    assert done.returncode == 0
    done = here("sweep", out, "--check", "--jobs", 1)
    assert done.stdout == f"{out}: all numbers of 1 run at 1 point are equal\n"


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

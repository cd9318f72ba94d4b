"""`meshgui sweep --bundle`, the same again from the bundle alone, and `--check`."""

import csv
import io
import json
import zipfile

import pytest

from meshgui.experiment.bundle import read_bundle
from meshgui.experiment.store import Store
from tests.cli.conftest import is_one_line
from tests.stores import runs_in

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

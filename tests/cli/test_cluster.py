"""`meshgui sweep --dask`, with real schedulers and workers: faults are one line each, and cost no results."""

import signal

import pytest

from tests.cli.conftest import is_one_line
from tests.cluster import cluster, eventually, kill
from tests.processes import start
from tests.stores import runs_in
from tests.third_party import three_jobs

pytest.importorskip("distributed", reason="the extra cluster is not installed")

pytestmark = pytest.mark.long

VARY = ("--vary", "allocator.name=ff,gabl", "workload.load=0.5,2", "--min-runs", 5, "--max-runs", 5)


@pytest.fixture
def there(tmp_path):
    """A scheduler, as yet without workers."""
    with cluster(tmp_path / "cluster") as found:
        yield found


def test_a_strategy_that_ends_its_process_costs_its_point_and_no_worker(
    meshgui, third_party, there, tmp_path
):
    """Its point fails by name after a second try; the others are made, by the worker there was before."""
    worker = there.worker("--nthreads", 2, path=str(third_party))
    file, store = three_jobs(tmp_path, "ff"), tmp_path / "store.db"
    vary = ("--vary", "allocator.name=ff,dies,gabl", "--min-runs", 3, "--max-runs", 3)
    done = meshgui("sweep", file, *vary, "--store", store, "--dask", there.address, packages=[third_party])
    assert (done.returncode, is_one_line(done.stderr)) == (1, True)
    assert "1 of 3 points failed: dies: seed " in done.stderr
    assert done.stderr.endswith(": the worker process died (exit status 3)\n")
    assert runs_in(store) == 2  # the jobs are listed, so that one run each is enough
    assert worker.poll() is None
    assert there.log(worker).count("Registered to") == 1


def test_when_the_scheduler_dies_what_was_made_is_kept(here, there, scenario_file, tmp_path):
    """One line and status 1; a pool of processes continues from the store, to the same numbers."""
    file, store = scenario_file(workload={"kind": "stochastic", "jobs": 1500, "load": 2.0}), tmp_path / "s.db"
    there.workers(2)
    process = start("sweep", file, *VARY, "--store", store, "--dask", there.address, mark=tmp_path)
    eventually(lambda: runs_in(store) >= 3)
    kill(there.scheduler)
    out, err = process.communicate(timeout=180)
    assert (process.returncode, out) == (1, "")
    assert is_one_line(err)
    assert f"{there.address}: the connection to the Dask scheduler is lost" in err
    before = runs_in(store)
    assert 3 <= before < 20
    resumed = here("sweep", file, *VARY, "--store", store, "--jobs", 2)
    assert (resumed.returncode, resumed.stderr, runs_in(store)) == (0, "", 20)
    assert resumed.stdout == here("sweep", file, *VARY, "--jobs", 1).stdout


def test_ctrl_c_leaves_nothing_under_way(there, scenario_file, tmp_path):
    """Status 130 and one line; the worker's processes that were at it are gone."""
    file = scenario_file(workload={"kind": "stochastic", "jobs": 200_000, "load": 2.0})
    there.workers(2)
    process = start("sweep", file, "--dask", there.address, mark=tmp_path)
    busy = eventually(lambda: len(found := there.processes()) == 2 and found)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=180) == ("", f"meshgui: {file}: stopped before the end\n")
    assert process.returncode == 130
    eventually(lambda: not busy & there.processes())


def test_without_the_extra_it_is_said_what_to_install(meshgui, scenario_file, tmp_path):
    """One line, and status 1."""
    (tmp_path / "distributed.py").write_text("raise ImportError\n", encoding="utf-8")
    done = meshgui("sweep", scenario_file(), "--dask", "tcp://127.0.0.1:1", packages=[tmp_path])
    assert (done.returncode, is_one_line(done.stderr)) == (1, True)
    assert "--dask: expected the package distributed: pip install meshgui[cluster]" in done.stderr

"""Sweeps that are killed or told to end, and go on: nothing is lost or left running.

These need a system with /proc. `tests/experiment/test_sweep_crashes.py` ends a sweep at every statement.
"""

import os
import re
import signal
from pathlib import Path

import pytest

from tests.processes import alive, start, wait_until
from tests.stores import replications, runs_in

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="there is no /proc"),
]

RUNS = 8  # of each of 64 points
LOADS = ",".join(str(load / 4) for load in range(1, 33))
WORDS = ("--vary", f"workload.load={LOADS}", "allocator.name=ff,gabl", "--precision", "0.0001")
WORDS += ("--min-runs", str(RUNS), "--max-runs", str(RUNS))


# What Python itself says in a worker whose parent is killed at the very moment it hands over the work.
BEING_STARTED = re.compile(
    r"Traceback \(most recent call last\):\n(?:  .*\n)*?  .*spawn_main\n"
    r"(?:  .*\n)*EOFError: Ran out of input\n"
)


@pytest.fixture(scope="module")
def setting(tmp_path_factory):
    """A scenario whose runs take some milliseconds, and the table of a sweep that nobody disturbed."""
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
    assert 0 < len(before) < 64 * RUNS
    last = start(*words, mark=mark)
    assert last.communicate(timeout=120)[1] == ""
    now = replications(store)
    assert {key: now.get(key) for key in before} == before
    assert table.read_bytes() == undisturbed


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

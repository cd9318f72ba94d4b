"""Workers that die, raise or cannot start: a retry, then a named failure of the point, not of the sweep."""

import os
import signal
import subprocess
import sys
from multiprocessing import Pipe

import pytest

from meshgui.engine.allocation import registry
from meshgui.engine.basics.kernel_cache import kernel_folder
from meshgui.experiment import executors, field_paths
from meshgui.experiment.executors import ExecutorError, InProcess, ProcessPool
from meshgui.experiment.store import Store
from meshgui.experiment.task import Task, outcome_of
from tests import dying
from tests.experiments import SMALL, run_experiment, small_experiment
from tests.processes import wait_until
from tests.stores import runs_in


@pytest.fixture
def deadly(third_party, monkeypatch):
    """A sweep of four points whose strategy goes wrong in runs of certain seeds; what they come to."""
    monkeypatch.syspath_prepend(third_party)
    known = registry.strategies, field_paths.field_paths, field_paths._known
    for cached in known:
        cached.cache_clear()

    def sweep(executor, store=None, axes=("workload.load=1,2", "mesh.shape=[4,4],[8,4]"), **options):
        data = SMALL | {"allocator": {"name": "deadly", "options": options}}
        experiment = small_experiment(*axes, data=data)
        results = run_experiment(experiment, executor, store)
        if not all(result.fault for result in results):
            for result, other in zip(results, run_experiment(small_experiment(*axes)), strict=True):
                if not result.fault:  # it is First Fit where it goes right
                    for name in ("turnaround", "utilization"):
                        assert result.estimates[name] == other.estimates[name]
        return [(r.runs, r.precise, r.fault, r.estimates) for r in results]

    yield sweep
    for cached in known:
        cached.cache_clear()


def test_a_worker_that_dies_once_costs_a_retry(deadly, tmp_path):
    """Killed or ended in the middle of three runs of every point: made again, and the same comes out."""
    whole = deadly(InProcess())
    for how in ("kill", "exit"):
        folder = tmp_path / how
        folder.mkdir()
        assert deadly(ProcessPool(2), how=how, seeds="7,8,9", once=str(folder)) == whole
        assert len(list(folder.iterdir())) == 3


FAULTS = {
    "raise": "ZeroDivisionError",
    "leave": "SystemExit",
    "memory": "MemoryError",
    "kill": "the worker process died (signal 9)",
    "exit": "the worker process died (exit status 7)",
}


def test_what_always_goes_wrong_costs_its_points_and_says_why(deadly):
    """The runs before it count, the same with any number of workers; it is named, and the store knows it."""
    every, alone = (f"allocator.options.how={','.join(how)}" for how in (FAULTS, list(FAULTS)[:3]))
    found = [deadly(ProcessPool(workers), axes=[every], seeds="9") for workers in (1, 3)]
    found.append(deadly(InProcess(), axes=[alone], seeds="9"))  # what does not end this process
    for results in found:
        assert results == found[0][: len(results)]
        assert [(runs, precise) for runs, precise, _, _ in results] == [(2, False)] * len(results)
        for (_, _, told, _), fault in zip(results, FAULTS.values(), strict=False):
            assert told.startswith("seed 9: ")
            assert fault in told


def test_a_run_that_goes_wrong_beyond_those_needed_costs_nothing(deadly):
    """A worker that is ahead dies over a run that is not needed in the end."""
    whole = deadly(InProcess())
    beyond = max(runs for runs, *_ in whole) + 7
    assert deadly(ProcessPool(3), how="exit", seeds=str(beyond)) == whole


def test_a_failed_point_is_tried_again_by_the_next_sweep(deadly, tmp_path):
    """After a repair the sweep continues from the runs that were kept."""
    folder, path = tmp_path / "once", tmp_path / "store.db"
    assert all(fault for _, _, fault, _ in deadly(ProcessPool(1), Store(path), seeds="9", once=str(folder)))
    with Store(path) as store:
        before = runs_in(store)
    folder.mkdir()
    (folder / "9").touch()
    again = deadly(ProcessPool(1), Store(path), seeds="9", once=str(folder))
    assert [fault for _, _, fault, _ in again] == [""] * 4
    with Store(path) as store:
        assert runs_in(store) == sum(runs for runs, *_ in again) > before


def test_workers_that_cannot_begin_end_the_sweep_in_one_line(monkeypatch):
    """Three that end at once, one after the other, are enough to know."""
    monkeypatch.setattr(executors, "serve", dying.end_at_once)
    pool = ProcessPool(2)
    with pytest.raises(ExecutorError, match=r"end before they start work \(exit status 1"):
        run_experiment(small_experiment("allocator.name=ff,gabl"), pool)


def test_workers_that_the_system_does_not_start_are_reported(monkeypatch):
    """No more processes allowed: one line, and none is left behind."""
    started = []
    kind = executors._context().Process
    plain = kind.start

    def start(process):
        if len(started) == 2:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        started.append(process)
        plain(process)

    monkeypatch.setattr(kind, "start", start)
    with pytest.raises(ExecutorError, match="could not be started: resource temporarily unavailable"):
        ProcessPool(3)
    for process in started:
        with pytest.raises(ValueError, match="closed"):
            process.is_alive()


def test_a_worker_whose_program_is_broken_says_why():
    """A library that cannot be loaded there is named in one line, not in a traceback."""
    program = "import sys; from multiprocessing.connection import Connection; sys.modules['numpy'] = None; "
    program += "from meshgui.experiment.worker import serve; serve(Connection(int(sys.argv[1])))"
    ours, theirs = Pipe()
    with ours, theirs:
        done = subprocess.run(
            [sys.executable, "-c", program, str(theirs.fileno())], pass_fds=[theirs.fileno()],
            capture_output=True, text=True, timeout=60, check=False,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
        assert ours.recv().startswith("ModuleNotFoundError: ")
    assert (done.returncode, done.stderr) == (1, "")


def test_what_a_worker_or_a_run_quotes_is_cut(monkeypatch):
    """A word of 100 000 letters and signs for a terminal are no part of a sentence."""
    said = "x" * 100_000 + "\n\x1b[2J"

    def fail(*_):
        raise LookupError(said)

    monkeypatch.setattr("meshgui.experiment.task.run_once", fail)
    pool = ProcessPool(1)
    pool._workers[0].fault, pool._failed_starts = said, executors._STARTS - 1
    os.kill(pool._workers[0].process.pid, signal.SIGKILL)
    with pytest.raises(ExecutorError) as met:
        pool.outcomes(60)
    pool.close()
    for words in (str(met.value), outcome_of(0, "", 1).fault):
        assert "xxx" in words
        assert len(words) < 300
        assert words.isprintable()


def test_a_pool_may_be_closed_at_any_time_and_twice():
    """While its workers load, with tasks under way, and again: none is left, and nothing is raised."""
    point = small_experiment("allocator.name=ff").points[0]
    pool = ProcessPool(2)
    processes = [worker.process.pid for worker in pool._workers]
    for number in range(4):
        pool.submit(Task(number, point.spec, number))
    pool.close()
    pool.close()
    assert wait_until(lambda: not any(_exists(pid) for pid in processes), 60)


def test_a_worker_killed_from_outside_while_it_waits_is_replaced():
    """No run is blamed where there was no task."""
    point = small_experiment("allocator.name=ff").points[0]
    pool = ProcessPool(1)
    assert wait_until(lambda: pool.outcomes(0.1) or pool._workers[0].begun, 60)
    os.kill(pool._workers[0].process.pid, signal.SIGKILL)
    pool.submit(Task(1, point.spec, 1))
    found = []
    assert wait_until(lambda: found.extend(pool.outcomes(0.1)) or found, 60)
    pool.close()
    assert [outcome.number for outcome in found] == [1]


def _exists(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_workers_say_that_they_compile(monkeypatch, tmp_path):
    """Until the first outcome, where the smallest of the kernels of a run is not there from before."""
    for kept in kernel_folder().glob("*.nb[ci]"):
        if not kept.name.startswith("queue_heads._write_heads-"):
            (tmp_path / kept.name).symlink_to(kept)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    [point] = small_experiment("workload.load=1").points
    pool, notes, outcomes = ProcessPool(1), [], []
    try:
        pool.submit(Task(0, point.spec, 1))
        while not outcomes:
            outcomes += pool.outcomes(1.0)
            notes.append(pool.note)
    finally:
        pool.close()
    assert outcomes[0].result is not None
    assert notes[-1] == ""
    assert "compiling the algorithm for this machine, the first time only" in notes

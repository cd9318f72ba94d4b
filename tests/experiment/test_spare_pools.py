"""Each thread of a cluster's worker has a process make its tasks: a fault costs only the task."""

import json
import os
import signal
import sys
from multiprocessing import current_process
from threading import Thread

import pytest

from meshgui.engine.basics.work import Stopped, Work
from meshgui.engine.scenario import scenario_from
from meshgui.experiment import executors
from meshgui.experiment.executors import ExecutorError
from meshgui.experiment.run_spec import RunSpec, run_spec_of
from meshgui.experiment.spare_pools import SparePools
from meshgui.experiment.task import Task, outcome_of
from tests import dying
from tests.cluster import eventually
from tests.experiments import SMALL
from tests.processes import python
from tests.third_party import three_jobs

LONG = SMALL | {"workload": SMALL["workload"] | {"jobs": 2_000_000}}


def task_of(data=SMALL, seed=1):
    """A task with the work of a scenario."""
    return Task(5, run_spec_of(scenario_from(data)), seed)


def task_for(strategy, folder):
    """A task with a strategy that this process does not have."""
    task = task_of(json.loads(three_jobs(folder, "ff").read_text(encoding="utf-8")))
    data = json.loads(task.spec.text)
    data["scenario"]["allocator"] = {"name": strategy, "options": {}}
    return task._replace(spec=RunSpec("", json.dumps(data)))


@pytest.fixture
def pools(monkeypatch):
    """Pools, all gone afterwards; and the processes that were started for them."""
    there = SparePools()
    there.started = []
    begin = executors._Worker.__init__

    def note(worker, sharing):
        begin(worker, sharing)
        there.started.append(worker)

    monkeypatch.setattr(executors._Worker, "__init__", note)
    yield there
    there.close()


def test_it_makes_what_this_process_makes(pools):
    """The same figures to the last digit, task after task, by one process."""
    for seed in (1, 2):
        made = pools.make(task_of(seed=seed))
        assert made.number == 5
        assert made.result.samples == outcome_of(5, task_of().spec.text, seed).result.samples
    assert len(pools.started) == 1


def test_figures_do_not_depend_on_the_machine_s_way_to_add_up():
    """Processors of two generations, one and two of them: BLAS would add products in other orders."""
    text = task_of(
        SMALL | {"mesh": {"shape": [8, 8]}, "workload": SMALL["workload"] | {"jobs": 12_000}}
    ).spec.text
    program = "import sys; from meshgui.experiment.task import outcome_of; "
    program += "print(outcome_of(1, sys.argv[1], 1).result.samples)"
    found = set()
    for threads, processor in ((1, "Haswell"), (2, "Haswell"), (2, "Nehalem")):
        blas = {"OPENBLAS_NUM_THREADS": str(threads), "OPENBLAS_CORETYPE": processor}
        found.add(python("-c", program, text, **blas).stdout)
    assert len(found) == 1
    assert "turnaround" in found.pop()


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("dies", "the worker process died (exit status 3)"),
        ("raises", "raises failed at job 1: ZeroDivisionError: by zero"),
        ("unknown", "scenario: allocator.name: no strategy is called unknown"),
    ],
)
def test_what_goes_wrong_is_the_outcome(pools, third_party, tmp_path, monkeypatch, name, fault):
    """A strategy that ends the process, one that raises, one that is not there: each in one line."""
    monkeypatch.setattr(sys, "path", [str(third_party), *sys.path])
    found = pools.make(task_for(name, tmp_path))
    assert found.result is None
    assert found.fault.startswith(fault)
    assert "\n" not in found.fault
    assert pools.make(task_of()).result is not None
    assert len(pools.started) == (2 if name == "dies" else 1)


def test_one_that_is_killed_is_replaced(pools):
    """Killed with nothing to do, it costs no task."""
    pools.make(task_of())
    os.kill(pools.started[0].process.pid, signal.SIGKILL)
    pools.started[0].process.join()
    assert pools.make(task_of()).result is not None


def test_what_is_no_longer_wanted_is_not_finished(pools):
    """The process is ended in the midst of it."""
    looks, task = iter((True, True)), task_of(LONG)
    work = Work(lambda _: next(looks, None) or work.stop())
    with work.under_way(), pytest.raises(Stopped):
        pools.make(task)
    assert pools.started[0].ended
    assert pools.make(task_of()).result is not None
    assert len(pools.started) == 2


def test_one_with_nothing_to_do_is_let_go(pools):
    """After a while its process is gone."""
    pools.idle = 0.1
    pools.make(task_of())
    eventually(lambda: pools.started[0].ended)


def test_where_none_can_begin_it_is_said(pools, monkeypatch):
    """They end at once."""
    monkeypatch.setattr(executors, "serve", dying.end_at_once)
    with pytest.raises(ExecutorError, match=r"end before they start work \(exit status 1\)"):
        pools.make(task_of())


def test_a_daemon_has_them_too_and_its_threads_share_the_memory(pools, monkeypatch):
    """Dask's workers are daemons, each with threads."""
    monkeypatch.setitem(current_process()._config, "daemon", True)
    monkeypatch.setattr(executors, "serve", dying.say_sharing)
    made = []
    thread = Thread(target=lambda: made.append(pools.make(task_of(), threads=3)))
    thread.start()
    thread.join()
    assert [outcome.fault for outcome in made] == ["shared by 3"]
    assert current_process().daemon

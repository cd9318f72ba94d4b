"""A task process makes tasks for the thread that holds it: a fault costs its holder only the task."""

import json
import os
import signal
import sys

import pytest

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.executors import ExecutorError
from meshgui.experiment.run_spec import run_spec_of
from meshgui.experiment.task import outcome_of
from meshgui.experiment.task_process import TaskProcesses
from tests.cluster import eventually
from tests.experiments import SMALL
from tests.third_party import three_jobs

LONG = SMALL | {"workload": SMALL["workload"] | {"jobs": 2_000_000}}


def text_of(data=SMALL):
    """The work of a scenario."""
    return run_spec_of(scenario_from(data)).text


def text_for(strategy, folder):
    """The work of a scenario with a strategy that this process does not have."""
    data = json.loads(three_jobs(folder, "ff").read_text(encoding="utf-8"))
    return text_of(data).replace('"name":"ff"', f'"name":"{strategy}"')


@pytest.fixture
def processes():
    """Processes, all gone afterwards."""
    there = TaskProcesses()
    yield there
    there.end()


def test_it_makes_what_this_process_makes(processes):
    """The same figures to the last digit, task after task."""
    process = processes.take()
    for seed in (1, 2):
        made = process.make(5, text_of(), seed, lambda: True)
        assert made.number == 5
        assert made.result.samples == outcome_of(5, text_of(), seed).result.samples
    processes.give_back(process)
    assert processes.take() is process
    processes.give_back(process)


def test_figures_do_not_depend_on_the_machine_s_way_to_add_up(processes, monkeypatch):
    """Processors of two generations, one and two of them: BLAS would add products in other orders."""
    text = text_of(SMALL | {"mesh": {"shape": [8, 8]}, "workload": SMALL["workload"] | {"jobs": 12_000}})
    found = set()
    for threads, processor in ((1, "Haswell"), (2, "Haswell"), (2, "Nehalem")):
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", str(threads))
        monkeypatch.setenv("OPENBLAS_CORETYPE", processor)
        process = processes.take()
        found.add(repr(process.make(1, text, 1, lambda: True).result.samples))
        process.end()
    assert len(found) == 1


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("dies", "the worker process died (exit status 3)"),
        ("raises", "raises failed at job 1: ZeroDivisionError: by zero"),
        ("unknown", "scenario: allocator.name: no strategy is called unknown"),
    ],
)
def test_what_goes_wrong_is_the_outcome(processes, third_party, tmp_path, monkeypatch, name, fault):
    """A strategy that ends the process, one that raises, one that is not there: each in one line."""
    monkeypatch.setattr(sys, "path", [str(third_party), *sys.path])
    process = processes.take()
    found = process.make(1, text_for(name, tmp_path), 1, lambda: True)
    assert found.result is None
    assert found.fault.startswith(fault)
    assert "\n" not in found.fault
    assert process.lives == (name != "dies")
    processes.give_back(process)
    again = processes.take()
    assert (again is process) == (name != "dies")
    assert again.make(2, text_of(), 1, lambda: True).result is not None
    processes.give_back(again)


def test_one_that_is_killed_is_replaced(processes):
    """Killed with nothing to do, it is not handed out again."""
    process = processes.take()
    processes.give_back(process)
    os.kill(process.pid, signal.SIGKILL)
    eventually(lambda: not process.lives)
    other = processes.take()
    assert other is not process
    assert other.make(1, text_of(), 1, lambda: True).result is not None
    processes.give_back(other)


def test_what_is_no_longer_wanted_is_not_finished(processes):
    """The process is ended in the midst of it."""
    process, looks = processes.take(), iter((True, True))
    assert process.make(1, text_of(LONG), 1, lambda: next(looks, False)) is None
    assert not process.lives


def test_one_with_nothing_to_do_is_let_go():
    """After a while its process is gone."""
    processes = TaskProcesses(idle=0.1)
    process = processes.take()
    assert process.lives
    processes.give_back(process)
    eventually(lambda: not process.lives)


def test_where_none_can_begin_it_is_said(processes, monkeypatch):
    """An interpreter that ends at once."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(ExecutorError, match=r"end before they start work \(exit status 1\)"):
        processes.take()

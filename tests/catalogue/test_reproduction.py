"""Published results run: the same with any executor, however often interrupted; what fails is named."""

import random
from dataclasses import replace
from functools import partial

import pytest

from meshgui.catalogue.entries import catalogue
from meshgui.catalogue.judging import PRECISION, Verdict
from meshgui.catalogue.reproduction import Reproduction
from meshgui.catalogue.results_in_words import as_data, row_of, verdicts_in_words
from meshgui.catalogue.results_page import page
from meshgui.engine.basics.work import Stopped, Work
from meshgui.experiment.executors import InProcess, ProcessPool
from meshgui.experiment.store import Store
from meshgui.experiment.task import TaskOutcome, outcome_of
from tests.published import an_entry
from tests.stores import runs_in

ENTRY = an_entry(
    {"figure": "turnaround", "strategy": "gabl", "to": "ff", "value": 0.5},
    {"figure": "utilization", "strategy": "ff", "least": 0.1, "most": 0.9},
    {"figure": "turnaround", "highest": ["ff"]},
    least=4, most=40, quick=2, side=4, jobs=60,
)  # fmt: skip


class Scattered:
    """Makes what it is given in an order of its own; a share of it is lost."""

    slots = workers = 5

    def __init__(self, seed, lost=0.0):
        self._random, self._tasks, self._lost = random.Random(seed), [], lost

    def submit(self, task):
        """Take a task."""
        self._tasks.append(task)

    def outcomes(self, seconds):
        """Make one."""
        del seconds
        if not self._tasks:
            return []
        task = self._tasks.pop(self._random.randrange(len(self._tasks)))
        if self._random.random() < self._lost:
            return [TaskOutcome(task.number, None, "lost")]
        return [outcome_of(task.number, task.spec.text, task.seed)]

    def close(self):
        """Drop them."""


def numbers(executor, store=None, *, quick=False, entry=ENTRY):
    """What comes out, in plain numbers."""
    with store or Store() as kept:
        work = Reproduction([entry], kept, executor, quick=quick)
        work.run()
        executor.close()
        [state] = work.states
        return state.judged, state.faults


def test_an_entry_comes_out_the_same_with_any_executor(tmp_path):
    """In the process, in two others, and in five orders; runs beyond those asked for are not counted."""
    alone = numbers(InProcess())
    assert numbers(ProcessPool(2)) == alone
    for seed in range(5):
        assert numbers(Scattered(seed)) == alone
    path = tmp_path / "store.db"
    numbers(InProcess(), Store(path))
    quick = numbers(InProcess(), Store(path), quick=True)
    assert quick == numbers(InProcess(), quick=True)


def test_runs_are_added_until_every_number_is_known():
    """Each interval is within 5 % of its number, or the most runs have been made; quick makes its few."""
    judged, faults = numbers(InProcess())
    assert not faults
    for one in judged:
        if one.measured is not None:
            assert one.measured.relative_error <= PRECISION or one.measured.runs == ENTRY.most
            assert one.measured.runs > ENTRY.least
    quick, _ = numbers(InProcess(), quick=True)
    assert {one.measured.runs for one in quick if one.measured} == {2}


def end_at(store, runs, _):
    """End work once this number of runs is in a store."""
    if runs_in(store) >= runs:
        raise Stopped


def test_an_interrupted_one_goes_on_where_it_was(tmp_path):
    """Stopped again and again it makes no run twice, and comes out as one that was never stopped."""
    alone, _ = numbers(InProcess())
    path = tmp_path / "store.db"
    for _ in range(200):
        with Store(path) as store:
            before = runs_in(store)
            work = Reproduction([ENTRY], store, InProcess())
            try:
                work.run(Work(partial(end_at, store, before + 5)))
            except Stopped:
                assert runs_in(store) > before
                continue
            assert work.states[0].judged == alone
            return
    raise AssertionError("it never came to an end")


def test_a_point_that_fails_is_named_and_the_others_go_on():
    """A strategy that cannot do it costs its numbers, which are then not run."""
    judged, faults = numbers(Scattered(0, lost=1.0))
    assert len(faults) == len(ENTRY.points)
    assert all(fault.startswith("seed ") and fault.endswith(": lost") for fault in faults.values())
    assert {one.verdict for one in judged} == {Verdict.NOT_RUN}


def test_a_schedule_comes_out_whole():
    """004's example: when and where each of the seven tasks runs."""
    judged, _ = numbers(InProcess(), entry=catalogue()["004-E1"])
    assert [one.verdict for one in judged] == [Verdict.REPRODUCED]


@pytest.mark.parametrize("quick", [False, True])
def test_the_page_and_the_data_have_every_number(quick):
    """Each number's cells are in the page, each verdict in the data."""
    with Store() as store:
        work = Reproduction([ENTRY], store, InProcess(), quick=quick)
        before = page(work.states, quick=quick)
        not_run = [line for line in before.splitlines() if "| not run |" in line]
        assert len(not_run) == 1 + len(ENTRY.settings["here"].numbers)  # one is the heading of the verdicts
        work.run()
        text, [state] = page(work.states, quick=quick), work.states
    for one in state.judged:
        assert "| " + " | ".join(row_of(one)) + " |" in text
    data = as_data(ENTRY, state.judged)
    assert [number["verdict"] for number in data["numbers"]] == [one.verdict for one in state.judged]
    assert sum(data["verdicts"].values()) == len(state.judged)
    assert verdicts_in_words(state.judged)


def test_entries_that_share_a_setting_share_its_runs():
    """The same scenario and seed is made once."""
    other = replace(ENTRY, id="T2")
    with Store() as store:
        work = Reproduction([ENTRY, other], store, InProcess(), quick=True)
        work.run()
        assert runs_in(store) == 4
        assert work.states[0].judged == work.states[1].judged

"""Sweeps: the same results whoever works, in whatever order; kept, resumed, replicated until precise."""

import random

import pytest

from meshgui.engine.basics.statistics import estimate
from meshgui.engine.runs.simulation import Cancelled
from meshgui.experiment.executors import InProcess, ProcessPool
from meshgui.experiment.results import results_of
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep
from meshgui.experiment.task import TaskOutcome, outcome_of
from tests.experiments import runs_in, small_experiment

AXES = ("allocator.name=ff,gabl", "workload.load=0.5,1,3")


class InAnyOrder:
    """Takes many tasks at once and makes them in an order of its own; some have to be asked for twice."""

    slots = workers = 7

    def __init__(self, seed, faults=0.0):
        self._random, self._tasks, self._faults = random.Random(seed), [], faults

    def submit(self, task):
        """Take a task."""
        self._tasks.append(task)

    def outcomes(self, seconds):
        """Make one of those there are."""
        del seconds
        task = self._tasks.pop(self._random.randrange(len(self._tasks)))
        if self._random.random() < self._faults:
            return [TaskOutcome(task.number, None, "lost")]
        return [outcome_of(task.number, task.spec.text, task.seed)]

    def close(self):
        """Drop them."""
        self._tasks.clear()


def swept(experiment, executor, store=None):
    """All points of an experiment, in plain numbers."""
    with store or Store() as kept:
        sweep = Sweep(experiment, kept, executor)
        sweep.run()
        executor.close()
        assert plain(results_of(experiment, kept)) == plain(sweep.results)
        return plain(sweep.results)


def plain(results):
    """What counts of results."""
    return [(r.point.labels, r.runs, r.precise, r.fault, r.estimates) for r in results]


def test_results_do_not_depend_on_who_works_nor_on_the_order():
    """In the process, with two workers, and in seven random orders: equal to the last digit."""
    experiment = small_experiment(*AXES)
    alone = swept(experiment, InProcess())
    assert swept(experiment, ProcessPool(2)) == alone
    for seed in range(7):
        assert swept(experiment, InAnyOrder(seed)) == alone


def test_a_point_is_run_until_it_is_precise_and_no_longer():
    """With the runs counted the target is met, or the most are made; with one run fewer it is not."""
    experiment = small_experiment(*AXES, figures=("turnaround",))
    with Store() as store:
        Sweep(experiment, store, InProcess()).run()
        runs = set()
        for result in results_of(experiment, store):
            values = result.samples("turnaround")
            assert len(values) == result.runs
            assert result.precise == (estimate(values).relative_error <= 0.2)
            assert result.precise or result.runs == 12
            if result.precise and result.runs > 3:
                assert estimate(values[:-1]).relative_error > 0.2
            runs.add(result.runs)
        assert len(runs) > 1


def test_points_share_their_random_numbers():
    """The n-th run of every point has the same seed: so both see jobs of the same service."""
    experiment = small_experiment("allocator.name=ff,gabl", least=4, most=4)
    with Store() as store:
        Sweep(experiment, store, InProcess()).run()
        one, other = results_of(experiment, store)
    assert one.samples("service") == pytest.approx(other.samples("service"), rel=1e-12)
    assert one.samples("turnaround") != other.samples("turnaround")


def test_a_stopped_sweep_goes_on_without_making_anything_twice(tmp_path):
    """Stopped every few runs and begun anew from the file: each replication is made once."""
    experiment = small_experiment(*AXES)
    whole = swept(experiment, InProcess())
    path, made = tmp_path / "store.db", 0
    for _ in range(100):
        with Store(path) as store:
            before = runs_in(store)
            sweep = Sweep(experiment, store, InProcess())
            stop_at = 4

            def report(progress, stop_at=stop_at):
                return progress.completed < stop_at

            try:
                sweep.run(report)
            except Cancelled:
                made += sweep.progress.completed
                assert runs_in(store) == before + sweep.progress.completed
                continue
            made += sweep.progress.completed
            assert runs_in(store) == made
            assert plain(sweep.results) == whole
            return
    raise AssertionError("it never came to an end")


def test_what_is_lost_is_made_once_more():
    """A quarter of the tasks fail at random: those that fail twice cost their point, the others nothing."""
    experiment = small_experiment(*AXES)
    alone = swept(experiment, InProcess())
    found = swept(experiment, InAnyOrder(1, faults=0.25))
    failed = [new for new in found if new[3]]
    assert failed
    assert all(fault.startswith("seed ") and fault.endswith(": lost") for *_, fault, _ in failed)
    assert [new for new in found if not new[3]] == [
        old for old, new in zip(alone, found, strict=True) if not new[3]
    ]

"""Sweeps: the same results by any workers, in any order; kept, resumed, replicated until precise."""

from contextlib import suppress
from functools import partial

import pytest

from meshgui.engine.basics.work import Stopped, Work
from meshgui.experiment.executors import InProcess, ProcessPool
from meshgui.experiment.statistics import estimate
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep
from meshgui.experiment.task import TaskOutcome, outcome_of
from tests.experiments import InAnyOrder, numbers_of, plain, run_experiment, small_experiment
from tests.stores import runs_in

AXES = ("allocator.name=ff,gabl", "workload.load=0.5,1,3")


def faulty(share):
    """Makes tasks, but for a share of them that are lost."""

    def make(task, draws):
        if draws.random() < share:
            return TaskOutcome(task.number, None, "lost")
        return outcome_of(task.number, task.spec.text, task.seed)

    return make


def test_results_do_not_depend_on_who_works_nor_on_the_order():
    """In the process, with two workers, and in seven random orders: equal to the last digit."""
    experiment = small_experiment(*AXES)
    alone = numbers_of(experiment)
    assert numbers_of(experiment, ProcessPool(2)) == alone
    for seed in range(7):
        assert numbers_of(experiment, InAnyOrder(seed, faulty(0))) == alone


def test_a_point_is_run_until_it_is_precise_and_no_longer():
    """With one run fewer it is not; the n-th run of every point has the same seed."""
    experiment = small_experiment(*AXES, figures=("turnaround",))
    runs = set()
    for result in run_experiment(experiment):
        values = result.samples("turnaround")
        assert len(values) == result.runs
        assert result.precise == (estimate(values).relative_error <= 0.2)
        assert result.precise or result.runs == 12
        if result.precise and result.runs > 3:
            assert estimate(values[:-1]).relative_error > 0.2
        runs.add(result.runs)
    assert len(runs) > 1
    one, other = run_experiment(small_experiment("allocator.name=ff,gabl", least=4, most=4))
    assert one.samples("service") == pytest.approx(other.samples("service"), rel=1e-12)
    assert one.samples("turnaround") != other.samples("turnaround")


def end_after_four(sweep, _):
    """End a sweep once it has made four runs."""
    if sweep.progress.completed >= 4:
        raise Stopped


def test_a_stopped_sweep_goes_on_without_making_anything_twice(tmp_path):
    """Stopped every few runs and begun again from the file: each replication is made once."""
    experiment = small_experiment(*AXES)
    whole = numbers_of(experiment)
    path, made = tmp_path / "store.db", 0
    for _ in range(100):
        with Store(path) as store:
            sweep = Sweep(experiment, store, InProcess())
            with suppress(Stopped):
                sweep.run(Work(partial(end_after_four, sweep)))
            made += sweep.progress.completed
            assert runs_in(store) == made
            if sweep.progress.open_points == 0:
                break
    assert made > 4
    assert plain(sweep.results) == whole


def test_what_is_lost_is_made_once_more():
    """A quarter of the tasks fail at random: those that fail twice cost their point, the others nothing."""
    experiment = small_experiment(*AXES)
    alone = numbers_of(experiment)
    found = numbers_of(experiment, InAnyOrder(1, faulty(0.25)))
    failed = [new for new in found if new[3]]
    assert failed
    assert all(fault.startswith("seed ") and fault.endswith(": lost") for *_, fault, _ in failed)
    assert [new for new in found if not new[3]] == [
        old for old, new in zip(alone, found, strict=True) if not new[3]
    ]


def test_a_point_that_deadlocks_is_kept_as_such_and_the_others_go_on(tmp_path):
    """With its sentence, which names the cycle; two virtual channels a link are the way out."""
    ring = {
        "meshgui": 1,
        "mesh": {"shape": [4, 1], "wrap": [True, False]},
        "allocator": {"name": "gabl"},
        "workload": {"kind": "list", "jobs": [{"arrival": 0, "size": [4, 1]}]},
        "network": {
            "pattern": "file",
            "packets": [[0, source, 0, 0, (source + 2) % 4, 0, 0, 0] for source in range(4)],
        },
    }
    experiment = small_experiment("network.channels=1,2", data=ring, figures=("latency",))
    stuck, flowing = run_experiment(experiment, store=Store(tmp_path / "runs.db"))
    assert stuck.fault.startswith("seed 1: deadlock in cycle 8: each of the packets 0, 1, 2, 3 waits")
    with Store(tmp_path / "runs.db") as store:
        assert f"seed 1: {store.failures(experiment.points[0].spec.key)[0].fault}" == stuck.fault
    assert not flowing.fault
    assert flowing.runs == 1  # nothing of it is drawn

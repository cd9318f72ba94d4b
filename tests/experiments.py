"""Small experiments for tests: runs of a few dozen jobs on small meshes."""

import random

from meshgui.engine.basics.work import Work
from meshgui.engine.scenario import scenario_from
from meshgui.experiment.executors import InProcess
from meshgui.experiment.fields import axis_from
from meshgui.experiment.grid import Target, experiment_of
from meshgui.experiment.results import results_of
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep

__all__ = ["SMALL", "InAnyOrder", "numbers_of", "plain", "run_experiment", "small_experiment"]

SMALL = {
    "meshgui": 1,
    "title": "small",
    "mesh": {"shape": [4, 4]},
    "allocator": {"name": "ff"},
    "workload": {"kind": "stochastic", "jobs": 30, "load": 1.0},
    "seed": 7,
}


def small_experiment(*axes, data=SMALL, batches=None, **target):
    """A grid over a small scenario; axes as on the command line."""
    given = {"precision": 0.2, "least": 3, "most": 12} | target
    return experiment_of(
        scenario_from(data), tuple(axis_from(axis) for axis in axes), Target(**given), batches
    )


class InAnyOrder:
    """Takes many tasks at once, and makes some of those there are in an order of its own."""

    slots = workers = 7
    note = ""

    def __init__(self, seed, make):
        """`make` is given a task and random numbers."""
        self._random, self._tasks, self._make = random.Random(seed), [], make

    def submit(self, task):
        """Take a task, of which there is none already."""
        assert all((task.spec, task.seed) != (other.spec, other.seed) for other in self._tasks)
        self._tasks.append(task)

    def outcomes(self, seconds):
        """Make some."""
        del seconds
        self._random.shuffle(self._tasks)
        count = self._random.randint(0, len(self._tasks))
        return [self._make(self._tasks.pop(), self._random) for _ in range(count)]

    def close(self):
        """Drop them."""
        self._tasks.clear()


def run_experiment(experiment, executor=None, store=None, report=None):
    """The results of an experiment, which the store has as the sweep has them; both are closed then."""
    executor = executor or InProcess()
    with store or Store() as kept:
        sweep = Sweep(experiment, kept, executor)
        try:
            sweep.run(None if report is None else Work(lambda _: report(sweep.progress)))
        finally:
            executor.close()
        assert plain(results_of(experiment, kept)) == plain(sweep.results)
        return sweep.results


def plain(results):
    """What counts of results."""
    return [(r.point.labels, r.runs, r.precise, r.fault, r.estimates) for r in results]


def numbers_of(*given, **more):
    """The same in plain numbers."""
    return plain(run_experiment(*given, **more))

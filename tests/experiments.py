"""Small experiments for tests: runs of a few dozen jobs on small meshes."""

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.fields import axis_from
from meshgui.experiment.grid import Target, experiment_of

__all__ = ["SMALL", "runs_in", "small_experiment"]

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


def runs_in(store):
    """How many runs a store has in all."""
    return sum(len(store.results(key)) for key in store.keys_with_runs())

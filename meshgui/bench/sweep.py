"""The sweep's figure: the same sweep with two worker processes and with one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from meshgui.bench.measurement import Measurement, alternate, not_measured, seconds
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import scenario_from
from meshgui.experiment.executors import ProcessPool, cores
from meshgui.experiment.fields import axis_from
from meshgui.experiment.grid import Experiment, Target, experiment_of
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep

_REPEATS = 5
_RUNS = 30  # of each of two points
_JOBS = 1000
_SPEED_UP = 1.7  # at least, of two workers over one


def sweep() -> Iterator[Measurement]:
    """A sweep of runs that take some hundredths of a second, kept in a store; the workers stand ready."""
    what = tr("{RUNS} runs, two workers").format(RUNS=2 * _RUNS)
    if cores() < 2:
        yield not_measured("sweep", what, tr("there is only one processor"))
        return
    experiment = _experiment(_RUNS)
    one, two = ProcessPool(1), ProcessPool(2)
    try:
        for pool in (one, two):
            _swept(_experiment(4), pool)  # kernels loaded
        with_two, with_one = alternate(
            lambda: seconds(lambda: _swept(experiment, two)),
            lambda: seconds(lambda: _swept(experiment, one)),
            repeats=_REPEATS,
        )
    finally:
        one.close()
        two.close()
    note = tr(
        "the baseline is the same with one worker; speed-up {with_one:.2f}, budget at least {SPEED_UP}"
    ).format(with_one=with_one / with_two, SPEED_UP=_SPEED_UP)
    yield Measurement("sweep", what, "s", with_two, with_one, tr("one worker"), 1 / _SPEED_UP, note=note)


def _swept(experiment: Experiment, pool: ProcessPool) -> None:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "store.db") as store:
        Sweep(experiment, store, pool).run()


def _experiment(runs: int) -> Experiment:
    scenario = scenario_from(
        {
            "meshgui": 1,
            "mesh": {"shape": [8, 8, 8]},
            "allocator": {"name": "tbl"},
            "workload": {"kind": "stochastic", "jobs": _JOBS, "load": 5.8},
        }
    )
    target = Target(least=runs, most=runs)
    return experiment_of(scenario, (axis_from("allocator.name=tbl,ff"),), target)

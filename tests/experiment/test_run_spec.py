"""What a run is named by, and the pinned figures of a handful of runs, which stores rely on."""

import json
import re
from pathlib import Path

import pytest

from meshgui.engine.scenario import scenario_from
from meshgui.experiment import grid, run_spec
from meshgui.experiment.batches import Batches
from meshgui.experiment.executors import ExecutorError, ProcessPool
from meshgui.experiment.grid import Target, experiment_of
from meshgui.experiment.plugin_runs import other_code
from meshgui.experiment.results import results_of
from meshgui.experiment.run_spec import MODEL, RunResult, RunSpec, run_once, run_spec_of
from meshgui.experiment.store import RunRecord, Store
from meshgui.experiment.task import Task, outcome_of
from tests.cluster import eventually

PLAIN = {
    "meshgui": 1,
    "mesh": {"shape": [8, 4]},
    "allocator": {"name": "gabl"},
    "workload": {"kind": "stochastic", "jobs": 30, "load": 2},
    "network": {"pattern": "n-body", "messages": 5},
    "seed": 3,
}


def changed(**paths):
    """The plain scenario with other values, at keys with two underscores between levels."""
    data = json.loads(json.dumps(PLAIN))
    for path, value in paths.items():
        *outer, last = path.split("__")
        inside = data
        for key in outer:
            inside = inside.setdefault(key, {})
        inside[last] = value
    return data


def key(data, batches=None):
    """Of the work of a scenario."""
    return run_spec_of(scenario_from(data), batches).key


SAME = {
    "keys in another order": dict(reversed(changed().items())),
    "a title and notes": changed(title="Other", notes="words"),
    "another seed, which comes with each run": changed(seed=99),
    "a whole number with a point": changed(workload__load=2.0),
    "defaults spelt out": changed(
        allocator__options={}, scheduler={"name": "fcfs", "options": {}},
        workload__gaps={"kind": "exponential"}, workload__sides={"kind": "uniform"},
        network__flits=8, network__buffer=1, network__switching="wormhole", network__startup=0,
        network__between_sends=0,
        network__quota="exponential", network__barrier="stage",
        network__per_hop="header", network__ports="one",
        network__routing="xy", network__channels=1, network__credit=0,
        network__idle_energy=0, network__busy_energy=1, network__flit_energy=0.0,
        mesh__wrap=[False, False],
    ),
    "a strategy's defaults spelt out": changed(allocator__options={"mapping": "blocks"}),
}  # fmt: skip


@pytest.mark.parametrize("how", SAME)
def test_the_same_scenario_written_differently_has_the_same_key(how):
    """What was run once is found again."""
    assert key(SAME[how]) == key(PLAIN)


def test_batches_change_the_key_and_runs_kept_before_plugins_had_a_mark_are_not_taken(monkeypatch):
    """Its text is enough to run it, by the same model; runs without a mark are named, and not taken."""
    cuts = [None, *(Batches(count=count, warm_up=warm_up) for count, warm_up in ((2, 0), (3, 0), (2, 1)))]
    assert len({key(PLAIN, batches) for batches in cuts}) == len(cuts)
    work = run_spec_of(scenario_from(PLAIN))
    made = run_once(work.text, 5)
    assert made.samples == run_once(json.dumps(work.data), 5).samples
    assert made.samples != run_once(work.text, 6).samples
    assert work.data["model"] == MODEL
    data = run_spec_of(scenario_from(PLAIN)).data | {"model": MODEL + 1}
    with pytest.raises(ValueError, match="version"):
        run_once(json.dumps(data), 1)
    old = run_spec_of(scenario_from(PLAIN))
    found = RunResult(({"turnaround": 1.0},), {}, 0.1)
    for module in (run_spec, grid):
        monkeypatch.setattr(module, "plugins_of", lambda _: {"strategy gabl": "gabl 2.0 (sources 1)"})
    experiment = experiment_of(scenario_from(PLAIN), (), Target())
    with Store() as store:
        store.register([old])
        store.keep([RunRecord(old.key, 3, found)])
        made = " (made with strategy gabl unknown, here gabl 2.0 (sources 1))"
        assert other_code(experiment, store) == made
        [result] = results_of(experiment, store)
        assert result.runs == 0
        new = experiment.points[0].spec
        store.register([new])
        store.keep([RunRecord(new.key, 3, found)])
        assert other_code(experiment, store) == ""


def ordered_of(code):
    """A run as it was ordered where Greedy Available Busy List was a plug-in of that code."""
    data = run_spec_of(scenario_from(PLAIN)).data | {"plugins": {"strategy gabl": code}}
    return RunSpec("another", json.dumps(data))


def test_a_run_ordered_of_other_code_is_not_made():
    """The process says so; a pool ends with it, as no worker of it would do better."""
    said = "strategy gabl: expected gabl 1.0 (sources 0), as here, got unknown code"
    outcome = outcome_of(0, ordered_of("gabl 1.0 (sources 0)").text, 1)
    assert (outcome.result, outcome.fault, outcome.unfit) == (None, said, True)
    pool = ProcessPool(1)
    try:
        pool.submit(Task(0, ordered_of("gabl 1.0 (sources 0)"), 1))
        with pytest.raises(ExecutorError, match=f"^a worker process: {re.escape(said)}$"):
            eventually(lambda: pool.outcomes(1))
    finally:
        pool.close()


PINNED = json.loads((Path(__file__).parents[1] / "golden" / "model_figures.json").read_text("utf-8"))


@pytest.mark.parametrize("run", PINNED["runs"], ids=lambda run: run["scenario"]["allocator"]["name"])
def test_the_same_work_comes_to_the_same_figures_as_ever(run):
    """Otherwise results kept before would be taken for results of now."""
    spec = run_spec_of(scenario_from({"meshgui": 1} | run["scenario"]))
    [found] = run_once(spec.text, PINNED["seed"]).samples
    assert {name: found[name] for name in run["figures"]} == pytest.approx(run["figures"], rel=1e-9), (
        "the figures of a run have changed: MODEL in meshgui/experiment/run_spec.py must be raised,"
        " and tests/golden/model_figures.json have the figures and the number of the new model"
    )


def test_the_pinned_figures_are_those_of_this_version():
    """A change of MODEL pins the new figures."""
    assert PINNED["model"] == MODEL, "MODEL was raised: pin the new figures, and raise the number beside them"

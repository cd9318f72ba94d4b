"""The model's version: pinned figures of a handful of runs, which results kept in stores rely on."""

import pytest

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.run_spec import MODEL, run_once, run_spec_of

VERSION = 2  # of the model that the figures below are of
SEED = 42
FIGURES = ("turnaround", "waiting", "utilization", "finish_time", "busy_list_mean", "overhead_operations")
OF_NETWORKS = ("latency", "blocking")
# strategy, mesh, discipline, workload, network, and the figures in the order above
RUNS = [
    (
        "ff", [8, 8], "fcfs", {"jobs": 100, "load": 1.5}, None,
        (5.02014825314, 4.02527883737, 0.438614715986, 80.7911267042, 1.23140926034, 204.87),
    ),
    (
        "tbl", [4, 4, 4], "ssd", {"jobs": 100, "load": 3}, None,
        (2.73955959329, 1.74469017752, 0.598108021031, 53.7123159941, 1.85221842952, 29.65),
    ),
    (
        "bf", [8, 8], "easy", {"jobs": 100, "load": 2, "service": {"kind": "bounded-pareto"}}, None,
        (1014.07994638, 931.777536679, 0.788603109867, 4994.54623269, 1.64784558737, 581.6),
    ),
    (
        "mbs", [8, 8], "ooo", {"jobs": 100, "load": 2, "sides": {"kind": "exponential"}}, None,
        (1.2791192547, 0.284249838936, 0.388294068815, 56.2683127799, 4.05490035233, 15.45),
    ),
    (
        "random", [8, 8], "lcfs", {"jobs": 60, "load": 1}, None,
        (0.997796957658, 0.039012337456, 0.232872886558, 69.1951648002, 14.9038647397, 36.6),
    ),
    (
        "gabl", [8, 8], "fcfs", {"jobs": 60, "load": 0.05}, {"pattern": "all-to-all", "messages": 30},
        (5954.86573077, 5551.86261179, 0.760033466937, 13702.0, 3.49700034836, 45.45,
         34.0906002265, 8.18799546999),
    ),
    (
        "paging", [8, 8], "fcfs", {"jobs": 60, "load": 0.05},
        {"pattern": "random", "messages": 20, "switching": "virtual-cut-through", "buffer": 8},
        (346.932397438, 248.706723512, 0.676105628205, 1999.0, 43.2707602051, 83.0666666667,
         37.7031382528, 11.0195080577),
    ),
    (
        "pald-bf", [8, 8], "sjf", {"jobs": 60, "load": 0.02},
        {"pattern": "one-to-all", "messages": 10, "routing_delay": 2},
        (423.876189083, 239.608124164, 0.771158267697, 4818.0, 9.26125389078, 1116.53333333,
         21.7597292724, 0.571912013536),
    ),
]  # fmt: skip


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run[0])
def test_the_same_work_comes_to_the_same_figures_as_ever(run):
    """Otherwise results kept before would be taken for results of now."""
    name, shape, discipline, workload, network, figures = run
    scenario = scenario_from(
        {
            "meshgui": 1,
            "mesh": {"shape": shape},
            "allocator": {"name": name},
            "scheduler": {"name": discipline},
            "workload": {"kind": "stochastic"} | workload,
            "network": network,
        }
    )
    [found] = run_once(run_spec_of(scenario).text, SEED).samples
    names = FIGURES + OF_NETWORKS if network else FIGURES
    assert {key: found[key] for key in names} == pytest.approx(
        dict(zip(names, figures, strict=True)), rel=1e-9
    ), (
        "the figures of a run have changed: MODEL in meshgui/experiment/run_spec.py must be raised,"
        " and the figures and VERSION here be those of the new model"
    )


def test_the_pinned_figures_are_those_of_this_version():
    """Whoever raises MODEL pins the new figures."""
    assert MODEL == VERSION, "MODEL was raised: pin the new figures here, and raise VERSION"

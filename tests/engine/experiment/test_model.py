"""The model's version: pinned figures of a handful of runs, which results kept in stores rely on."""

import pytest

from meshgui.engine.experiment.work import MODEL, make, work_of
from meshgui.engine.scenario import scenario_from

VERSION = 1  # of the model that the figures below are of
SEED = 42
FIGURES = ("turnaround", "waiting", "utilization", "finish_time", "busy_list_mean", "overhead_operations")
OF_NETWORKS = ("latency", "blocking")
# strategy, mesh, discipline, workload, network, and the figures in the order above
RUNS = [
    (
        "ff", [8, 8], "fcfs", {"jobs": 100, "load": 1.5}, None,
        (5.020148253136033, 4.025278837369879, 0.4386147159858412, 80.79112670418785, 1.2314092603372302, 204.87),
    ),
    (
        "tbl", [4, 4, 4], "ssd", {"jobs": 100, "load": 3}, None,
        (2.7395595932890604, 1.7446901775229078, 0.5981080210309229, 53.7123159941203, 1.8522184295219337, 29.65),
    ),
    (
        "bf", [8, 8], "easy", {"jobs": 100, "load": 2, "service": {"kind": "bounded-pareto"}}, None,
        (1014.0799463839699, 931.777536679286, 0.7886031098673065, 4994.54623269004, 1.6478455873729316, 619.97),
    ),
    (
        "mbs", [8, 8], "ooo", {"jobs": 100, "load": 2, "sides": {"kind": "exponential"}}, None,
        (1.2791192547019463, 0.2842498389357926, 0.3882940688151818, 56.26831277987875, 4.054900352329383, 15.52),
    ),
    (
        "random", [8, 8], "lcfs", {"jobs": 60, "load": 1}, None,
        (0.9977969576575014, 0.03901233745598157, 0.23287288655837554, 69.19516480019762, 14.903864739736035, 36.6),
    ),
    (
        "gabl", [8, 8], "fcfs", {"jobs": 60, "load": 0.05}, {"pattern": "all-to-all", "messages": 30},
        (5954.865730771388, 5551.862611792967, 0.7600334669365911, 13702.0, 3.4970003483582723, 45.45,
         34.09060022650057, 8.187995469988675),
    ),
    (
        "paging", [8, 8], "fcfs", {"jobs": 60, "load": 0.05},
        {"pattern": "random", "messages": 20, "switching": "virtual-cut-through", "buffer": 8},
        (346.9323974380558, 248.70672351163137, 0.6761056282047847, 1999.0, 43.27076020510622, 83.06666666666666,
         37.703138252756574, 11.019508057675997),
    ),
    (
        "pald-bf", [8, 8], "sjf", {"jobs": 60, "load": 0.02},
        {"pattern": "one-to-all", "messages": 10, "routing_delay": 2},
        (423.8761890829359, 239.60812416404076, 0.7711582676967613, 4818.0, 9.261253890777983, 1116.5333333333333,
         21.759729272419627, 0.571912013536379),
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
    [found] = make(work_of(scenario).text, SEED).samples
    names = FIGURES + OF_NETWORKS if network else FIGURES
    assert {key: found[key] for key in names} == pytest.approx(
        dict(zip(names, figures, strict=True)), rel=1e-9
    ), (
        "the figures of a run have changed: MODEL in meshgui/engine/experiment/work.py must be raised,"
        " and the figures and VERSION here be those of the new model"
    )


def test_the_pinned_figures_are_those_of_this_version():
    """Whoever raises MODEL pins the new figures."""
    assert MODEL == VERSION, "MODEL was raised: pin the new figures here, and raise VERSION"

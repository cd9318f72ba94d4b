"""Points of which nothing is drawn: one run says all, and it says so."""

import json

import pytest

from meshgui.cli.sweep_words import results_as_json, results_in_words
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.runs.measures import summary
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.engine.scenario.chance import depends_on_seed
from meshgui.experiment.batches import Batches
from meshgui.experiment.differences import baseline_from, paired_differences
from meshgui.experiment.forecast import forecast
from meshgui.experiment.store import Store
from tests.experiments import SMALL, run_experiment, small_experiment

JOBS = [{"arrival": n // 2, "size": [1 + n % 4, 1 + n % 3], "service": 3 + n % 5} for n in range(12)]
LISTED = {**SMALL, "workload": {"kind": "list", "jobs": JOBS}}
TRACED = {**SMALL, "workload": {"kind": "swf", "jobs": [[n, 4, 1 + n % 9] for n in range(10)]}}
NETWORK = {"pattern": "all-to-all", "messages": 3}
PACKETS = {"pattern": "file", "packets": [[0, 0, 0, 0, 1, 1, 0, 0]]}
TALKING = {"kind": "list", "jobs": [{"arrival": 0, "size": [2, 2]}]}


@pytest.mark.parametrize(
    ("data", "drawn"),
    [
        (SMALL, True),
        (LISTED, False),
        (TRACED, False),
        ({**LISTED, "allocator": {"name": "random"}}, True),
        ({**LISTED, "network": NETWORK}, True),
        ({**LISTED, "workload": TALKING, "network": PACKETS}, False),
    ],
)
def test_a_run_depends_on_its_seed_where_something_is_drawn(data, drawn):
    """Jobs, messages, or the processors of a strategy that draws lots."""
    assert depends_on_seed(scenario_from(data)) == drawn


@pytest.mark.parametrize("name", sorted(name for name, cls in strategies().items() if 2 in cls.dims))
def test_strategies_say_whether_they_draw_lots(name):
    """With two seeds the others do the same."""
    data = {**LISTED, "mesh": {"shape": [8, 8]}, "allocator": {"name": name}}
    of = scenario_from(data)
    one, other = (simulate(of, seed) for seed in (1, 2))
    same = one.boxes.tolist() == other.boxes.tolist() and one.times.tolist() == other.times.tolist()
    assert same != strategies()[name].draws_lots


def test_one_run_decides_a_point_of_which_nothing_is_drawn():
    """Its figures are exact, in the table, as data and in the forecast."""
    experiment = small_experiment("allocator.name=ff,random", data=LISTED)
    with Store() as store:
        before = forecast(experiment, store)
        assert before.least == 1 + 3
    exact, drawn = run_experiment(experiment)
    assert (exact.runs, exact.precise, exact.exact) == (1, True, True)
    assert (drawn.runs >= 3, drawn.exact) == (True, False)
    turnaround = exact.estimates["turnaround"]
    assert (turnaround.half_width, turnaround.relative_error, turnaround.runs) == (0, 0, 1)
    assert turnaround.mean == summary(simulate(exact.point.scenario))["turnaround"]["mean"]
    words = results_in_words(experiment, [exact, drawn])
    assert words.count("nothing is drawn: one run") == 1
    points = results_as_json(experiment, [exact, drawn])["points"]
    assert [point["drawn"] for point in points] == [False, True]
    assert points[0]["figures"]["turnaround"]["half_width"] == 0
    json.dumps(points, allow_nan=False)


def test_a_run_that_needs_no_seed_stands_beside_every_other():
    """So there are as many pairs as runs of the point that draws; of two exact ones one."""
    experiment = small_experiment("allocator.name=ff,random,bf", data=LISTED)
    results = run_experiment(experiment)
    against = paired_differences(experiment, results, baseline_from(experiment, "allocator.name=ff"))
    fixed = results[0].estimates["turnaround"].mean
    assert against.pairs(results[1]) == results[1].runs
    above = against.of(results[1], "turnaround")
    assert above.mean == pytest.approx(results[1].estimates["turnaround"].mean - fixed)
    assert above.half_width == pytest.approx(results[1].estimates["turnaround"].half_width)
    exact = against.of(results[2], "turnaround")
    assert (exact.mean, exact.half_width, exact.runs) == (
        results[2].estimates["turnaround"].mean - fixed, 0, 1,
    )  # fmt: skip


def test_batches_of_such_a_run_are_still_samples():
    """They are parts of one run, and differ."""
    experiment = small_experiment(data=LISTED, batches=Batches(count=4))
    (result,) = run_experiment(experiment)
    assert (result.runs, result.exact) == (1, False)
    assert result.estimates["turnaround"].half_width > 0

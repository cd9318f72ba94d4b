"""Published values over an experiment's results: those of the very scenarios that it runs."""

import pytest

from meshgui.catalogue.entries import catalogue
from meshgui.catalogue.published_values import published_values
from meshgui.experiment.executors import InProcess
from meshgui.experiment.fields import axis_from
from meshgui.experiment.grid import Target, experiment_of
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep


def swept(scenario, *axes):
    """The results of one run a point."""
    experiment = experiment_of(scenario, tuple(map(axis_from, axes)), Target(least=1, most=1))
    with Store() as store:
        sweep = Sweep(experiment, store, InProcess())
        sweep.run()
        return sweep.results


def test_a_published_value_stands_where_its_scenario_is_run():
    """Table 3.2: of four strategies at load 5.8 alone; 000-C3: over bl's result at that times tbl's."""
    entry = catalogue()["000-T3.2"]
    [setting] = entry.settings.values()
    results = swept(setting.scenario_of("tbl"), "allocator.name=tbl,bl", "workload.load=1,5.8")
    found = [o for o in published_values(results) if o.figure == "turnaround" and "table 3.2" in o.label]
    plain = {results[o.point].point.values: o for o in found if "times" not in o.label}
    assert set(plain) == {("tbl", 5.8), ("bl", 5.8)}
    values = {n.strategy: n.value for n in setting.numbers if not n.to}
    for (strategy, _), overlay in plain.items():
        assert overlay.low == overlay.high == values[strategy]
    setting = catalogue()["000-C3"].settings["uniform"]
    results = swept(setting.scenario_of("tbl", 3.4), "allocator.name=tbl,bl")
    tbl, bl = results
    [ratio] = [n.value for n in setting.numbers if (n.strategy, n.to, n.load) == ("bl", "tbl", 3.4)]
    [overlay] = [o for o in published_values(results) if (o.point, o.figure) == (1, "turnaround")]
    assert overlay.low == pytest.approx(ratio * tbl.estimates["turnaround"].mean)
    assert overlay.label.endswith("as a ratio times the measured tbl")
    assert not [o for o in published_values([bl]) if o.figure == "turnaround"]


def test_a_published_value_says_more_than_a_ratio():
    """Of table 3.2 the values alone; another number of jobs has none; 004-C: a range beside ratios."""
    [setting] = catalogue()["000-T3.2"].settings.values()
    results = swept(setting.scenario_of("tbl"), "allocator.name=tbl,bl")
    found = [o for o in published_values(results) if o.figure == "turnaround"]
    assert {(o.point, o.low) for o in found} == {(0, 96.580111), (1, 159.457505)}
    assert not any("ratio" in o.label for o in found)
    [setting] = catalogue()["000-T3.2"].settings.values()
    assert published_values(swept(setting.scenario_of("tbl", jobs=50))) == []
    setting = next(
        s for s in catalogue()["004-C"].settings.values() if any(n.to and n.least for n in s.numbers)
    )
    ranged = next(n for n in setting.numbers if n.to and n.least)
    single = next(
        n for n in setting.numbers if n.to and n.value and (n.figure, n.load) == (ranged.figure, ranged.load)
    )
    names = dict.fromkeys((ranged.to, ranged.strategy, single.strategy, single.to))
    results = [result for name in names for result in swept(setting.scenario_of(name, ranged.load))]
    found = [o for o in published_values(results) if o.figure == ranged.figure]
    assert {o.low < o.high for o in found} == {True, False}
    assert all(o.is_ratio and "as a ratio times the measured" in o.label for o in found)

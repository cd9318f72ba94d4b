"""The entries of the catalogue and their published values."""

import pytest

from meshgui.catalogue.entries import catalogue
from meshgui.catalogue.judging import judge
from meshgui.catalogue.published_values import published_values
from meshgui.catalogue.sources import PAPERS
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.engine.runs.figures import figures_of, schedule_of
from meshgui.engine.runs.measures import summary
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import scenario_from
from meshgui.experiment.executors import InProcess
from meshgui.experiment.fields import axis_from
from meshgui.experiment.grid import Target, experiment_of
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep

CATALOGUE = catalogue()
NUMBERS = {
    "001-T1": 32, "001-F5": 38, "001-T2": 224, "000-T3.2": 7, "000-C3": 21, "000-C3o": 12, "000-T4.2": 7,
    "000-C4": 54, "000-C4s": 13, "000-T5.2": 7, "000-C5": 42, "002": 30, "003": 47, "004-E1": 1, "004-C": 156,
    "000-S": 240, "005-S": 6,
}  # fmt: skip
every_entry = pytest.mark.parametrize("entry", CATALOGUE.values(), ids=lambda entry: entry.id)


def test_the_catalogue_is_whole():
    """Every published result has its entry, with all its numbers."""
    assert {entry.id: len(list(entry.numbers)) for entry in CATALOGUE.values()} == NUMBERS


@every_entry
def test_an_entry_says_what_it_is(entry):
    """A title, a source among the papers, and a few sentences of what was done and claimed."""
    assert entry.title
    assert all(
        source[:3] in PAPERS for source in (entry.source, *(s.source for s in entry.settings.values()))
    )
    assert 2 <= entry.text.count(". ") + 1 <= 6
    assert all(remark.endswith((".", ":")) for remark in entry.remarks)
    assert 1 <= entry.quick.runs <= entry.most
    assert entry.least <= entry.most


@every_entry
def test_every_point_is_a_plain_scenario(entry):
    """Each strategy at each load validates, as it is and in a hurry."""
    for point in entry.points:
        assert entry.scenario(point).allocator.name
        quick = entry.scenario(point, quick=True)
        assert quick.mesh == entry.scenario(point).mesh


@every_entry
def test_no_run_is_without_a_number_and_none_is_missing(entry):
    """Every strategy of every setting is behind some number, and every number names what exists."""
    assert {(point.setting, point.strategy) for point in entry.points} == {
        (setting.name, strategy) for setting in entry.settings.values() for strategy in setting.strategies
    }
    for setting, number in entry.numbers:
        other = entry.settings[number.to_setting or setting.name]
        named = {number.strategy, *number.highest, *number.lowest} - {""}
        assert named
        assert named <= set(setting.strategies)
        assert number.to in {"", *other.strategies}
        assert number.figure in FIGURES or number.schedule
        assert (
            (number.load in setting.loads) if setting.loads and not number.over_loads else number.load is None
        )
        assert number.over_loads in ({"", "least", "greatest"} if setting.loads else {""})
        if number.to and other.loads and not number.over_loads:
            assert (number.load if number.to_load is None else number.to_load) in other.loads


@every_entry
def test_a_number_is_published_in_one_way(entry):
    """A value, a range, an order or a schedule; or it is left to others, and in no way."""
    for _, number in entry.numbers:
        bounds = {number.least, number.most} != {None}
        assert (
            sum(
                [
                    number.value is not None,
                    bounds,
                    bool(number.highest or number.lowest),
                    bool(number.schedule),
                    number.asked,
                ]
            )
            == 1
        )
        assert not (number.to_setting or number.difference) or number.to


def test_every_figure_published_is_one_of_runs_and_a_hurry_changes_only_the_number_of_jobs():
    """A run has each name; 004's tasks by another search come out otherwise; wall times are marked."""
    figures = set()
    for entry, setting, strategy in (("001-T1", "uniform sides", "ff"), ("003", "003", "bgp(2,0)")):
        scenario = CATALOGUE[entry].settings[setting].scenario_of(strategy, jobs=30)
        same, wall = figures_of(Simulation(scenario, 1, record=False).run())
        figures |= {*same, *wall}
    published = {n.figure for entry in CATALOGUE.values() for _, n in entry.numbers if not n.schedule}
    assert published <= figures
    assert not any(name.startswith("job ") for name in figures)
    run = Simulation(CATALOGUE["001-T1"].settings["uniform sides"].scenario_of("ff", jobs=30), 1).run()
    whole, (figures, wall) = summary(run), figures_of(run)
    assert figures["turnaround"] == whole["turnaround"]["mean"]
    assert figures["utilization"] == whole["utilization"]
    assert figures["overhead_operations"] == whole["overhead"]["operations_mean"] > 0
    assert wall["overhead_seconds"] == whole["overhead"]["seconds_mean"] > 0
    entry = CATALOGUE["004-E1"]
    (point,) = entry.points
    other = entry.settings[point.setting].scenario | {"allocator": {"name": "ta", "options": {"eafr": True}}}
    by_area = schedule_of(Simulation(scenario_from(other), 1, record=False).run())
    assert judge(entry, {point: [by_area]})[0].verdict == "differs"
    timed = {number.figure for entry in CATALOGUE.values() for _, number in entry.numbers if number.timed}
    assert timed == {"overhead_seconds"}
    entry = CATALOGUE["004-C"]
    point = entry.points[0]
    whole, quick = entry.scenario(point), entry.scenario(point, quick=True)
    assert (whole.workload.jobs, quick.workload.jobs) == (3000, entry.quick.jobs)
    assert quick.workload.model_copy(update={"jobs": 3000}) == whole.workload
    example = CATALOGUE["004-E1"]
    assert example.settings["example 1"].scenario_of("ta*", jobs=3) == example.scenario(example.points[0])


def test_routings_are_compared_under_the_same_packets_of_a_steady_load():
    """Drawn once, whatever the routing; transposed, and as many as the rate says, but for the diagonal."""
    entry = CATALOGUE["005-S"]
    setting = entry.settings["transpose"]
    scenarios = [setting.scenario_of(routing, 0.18) for routing in setting.strategies]
    assert [of.network.routing for of in scenarios] == ["xy", "west-first", "negative-first", "odd-even"]
    packets = scenarios[0].network.packets
    assert all(of.network.packets == packets for of in scenarios)
    assert all((row[1], row[2]) == (row[5], row[4]) for row in packets)
    flits = 20 * len(packets) / (4000 * (64 - 8))
    assert flits == pytest.approx(0.18, rel=0.05)
    assert max(row[0] for row in packets) < 4000
    assert setting.scenario_of("xy", 0.18) == entry.scenario(entry.points[1])


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

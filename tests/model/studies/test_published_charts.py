"""Published results as charts, as tables of numbers in full, and as scenarios to be opened."""

import math
import re

import pytest

from meshgui.catalogue.entries import ResultPoint, catalogue
from meshgui.catalogue.judging import judge
from meshgui.catalogue.sources import PAPERS
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.experiment.run_spec import run_spec_of
from meshgui.model.fields.names import strategy_name
from meshgui.model.studies.published_charts import PICTURES, charts_of, file_names, worth_a_picture
from meshgui.model.studies.published_scenarios import points_of, scenario_to_see
from meshgui.model.studies.published_tables import COLUMNS, table_of
from tests.published import an_entry

CATALOGUE = catalogue()


def of_all(entry, runs=3):
    """Runs of every point in which every figure is another one, and none is 0."""

    def figures(place, run):
        return {figure: 1.0 + place + run / 10 + len(figure) / 100 for figure in FIGURES}

    return {point: [figures(place, run) for run in range(runs)] for place, point in enumerate(entry.points)}


def marks_of(published):
    """The marks of a chart by the names of their bars."""
    found = {}
    for mark in published.chart.marks:
        found.setdefault(mark.x, []).append((mark.low, mark.high))
    return found


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=CATALOGUE)
@pytest.mark.parametrize("run", [False, True], ids=["not run", "run"])
def test_every_number_is_in_one_chart(entry, run):
    """Each has a bar of its setting there, all but whole schedules, and bars have names of their own."""
    judged = judge(entry, of_all(entry) if run else {})
    charts = charts_of(entry, judged)
    rows = sorted(row for chart in charts for row in chart.rows)
    assert rows == [row for row, one in enumerate(judged) if not one.number.schedule]
    for chart in charts:
        assert len({bar.name for bar in chart.bars}) == len(chart.bars)
        assert {judged[row].setting for row in chart.rows} == {chart.setting}
        assert chart.chart.is_empty == (not run and not chart.chart.marks)


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=CATALOGUE)
def test_charts_keep_their_places_and_bars_when_results_come(entry):
    """Titles, axes and names are those of before: nothing jumps."""

    def places(runs):
        charts = charts_of(entry, judge(entry, runs))
        return [(c.setting, c.figure, c.bars, c.chart.title, c.chart.y_label) for c in charts]

    assert places({}) == places(of_all(entry))


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=CATALOGUE)
def test_bars_and_marks_are_the_judged_numbers(entry):
    """Where nothing is shown in percent or microseconds, exactly; there, by 100 or a million."""
    judged = judge(entry, of_all(entry))
    for published in charts_of(entry, judged):
        of = {
            key: [x for one in published.chart.series for x in getattr(one, key)]
            for key in ["y", "low", "high"]
        }
        for place, row in ((place, row) for place, bar in enumerate(published.bars) for row in bar.rows):
            one = judged[row]
            if one.measured is None:
                continue
            scale = of["y"][place] / one.measured.mean
            assert min(abs(scale / known - 1) for known in (1, 100, 1e6)) < 1e-9
            half = (of["high"][place] - of["low"][place]) / 2
            assert half == pytest.approx(one.measured.half_width * scale)
            if one.published is not None:
                ends = (one.published * scale, one.published * scale)
                marks = marks_of(published)[published.bars[place].name]
                assert any(mark == pytest.approx(ends) for mark in marks)


def test_what_a_paper_leaves_to_others_is_drawn_over_the_loads():
    """A curve for each strategy, at the loads; its points are the numbers, and nothing was published."""
    entry = CATALOGUE["000-S"]
    judged = judge(entry, of_all(entry))
    assert {one.verdict for one in judged} == {"measured"}
    for published in charts_of(entry, judged):
        setting, chart = entry.settings[published.setting], published.chart
        assert (chart.kind, chart.marks) == ("curves", ())
        names, expected = list(setting.strategies), chart.series[len(setting.strategies) :]
        assert [one.label for one in chart.series[: len(names)]] == names
        law = published.figure == "latency" and entry.scenario(entry.points[0]).network.law
        assert [one.label for one in expected] == [f"{name} · unloaded network" for name in names if law]
        for one, name in zip(
            expected, names, strict=False
        ):  # every run has as many hops as its other figures
            runs = of_all(entry)[ResultPoint(published.setting, name, setting.loads[0])]
            hops = sum(run["message_distance"] for run in runs) / len(runs)
            assert one.y[0] == pytest.approx(hops * (law.unblocked(1) - law.unblocked(0)) + law.unblocked(0))
        assert all(one.x.tolist() == list(setting.loads) for one in chart.series)


def test_a_bar_of_one_run_has_no_interval():
    """No end is infinite; an open range has no other end, which the note says."""
    entry = an_entry({"figure": "turnaround", "strategy": "ff", "value": 2.0})
    [published] = charts_of(entry, judge(entry, {ResultPoint("here", "ff"): [{"turnaround": 3.0}]}))
    [series] = published.chart.series
    assert (series.y[0], series.runs[0]) == (3.0, 1)
    assert math.isnan(series.low[0] + series.high[0])
    entry = an_entry({"figure": "turnaround", "strategy": "ff", "least": 2.0})
    [published] = charts_of(entry, judge(entry, {ResultPoint("here", "ff"): [{"turnaround": 5.0}] * 2}))
    [mark] = published.chart.marks
    assert (mark.low, mark.label, mark.high > 5.0) == (2.0, "published", True)
    assert "end of a range is published" in published.chart.note


def test_numbers_of_the_same_runs_share_a_bar():
    """A range and a value of a figure share one; no mark can show an order, which has words."""
    number = {"figure": "turnaround", "strategy": "ff"}
    entry = an_entry(number | {"value": 2.0}, number | {"least": 1.0, "most": 3.0})
    [published] = charts_of(entry, judge(entry, {}))
    [bar] = published.bars
    assert (bar.name, bar.rows) == ("ff", (0, 1))
    assert marks_of(published) == {"ff": [(2.0, 2.0), (1.0, 3.0)]}
    assert published.bar_of(1) is bar
    entry = an_entry({"figure": "turnaround", "highest": ["ff"]})
    means = {"ff": 2.0, "gabl": 1.0}
    runs = {ResultPoint("here", name): [{"turnaround": mean}] * 2 for name, mean in means.items()}
    [published] = charts_of(entry, judge(entry, runs))
    assert [bar.name for bar in published.bars] == list(means)
    assert list(published.chart.series[0].y) == list(means.values())
    assert published.chart.note == f"Published: the highest is {strategy_name('ff')}."
    assert not published.chart.marks
    assert published.bar_of(0, "ff").name == "ff"


@pytest.mark.parametrize(
    ("bars", "title", "names"),
    [
        ((("ff", 2.0), ("gabl", 2.0)), "Turnaround at load 2: 8×8", ("ff", "gabl")),
        ((("ff", 1.0), ("ff", 2.0)), "Turnaround: 8×8", ("ff, 1", "ff, 2")),
    ],
    ids=["shared", "different"],
)
def test_a_load_all_bars_share_is_said_once(bars, title, names):
    """In the title, not below each bar; where loads differ each bar says its own."""
    numbers = [{"figure": "turnaround", "strategy": name, "load": load, "value": 1.0} for name, load in bars]
    entry = an_entry(*numbers, loads=(1.0, 2.0))
    [published] = charts_of(entry, judge(entry, {}))
    assert (published.chart.title, published.chart.categories) == (title, names)


def test_amounts_ratios_and_differences_stand_apart():
    """They have no axis in common; an order by the clock has no published time, a ratio has one."""
    amount = {"figure": "utilization", "strategy": "ff", "value": 0.5}
    ratio = {"figure": "utilization", "strategy": "gabl", "to": "ff", "value": 1.2}
    entry = an_entry(amount, ratio, ratio | {"difference": True, "value": 0.1})
    charts = charts_of(entry, judge(entry, {}))
    assert [(chart.chart.y_label, chart.chart.marks[0].low) for chart in charts] == [
        ("Utilisation (%)", 50.0),
        ("Utilisation (ratio)", 1.2),
        ("Utilisation (difference, points)", 10.0),
    ]
    order = {"figure": "overhead_seconds", "lowest": ["ff"]}
    ratio = {"figure": "overhead_seconds", "strategy": "ff", "to": "gabl", "value": 0.5}
    entry = an_entry(order, ratio)
    runs = {ResultPoint("here", name): [{"overhead_seconds": 2.0}] * 2 for name in ("gabl", "ff")}
    assert [(c.kind, c.shows_times_alone) for c in charts_of(entry, judge(entry, runs))] == [
        ("amount", True),
        ("ratio", False),
    ]


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=CATALOGUE)
def test_pictures_have_names_of_their_own_and_few_are_worth_showing(entry):
    """Names are plain and stay when results come; of three or more bars, the most first, three at most."""
    charts = charts_of(entry, judge(entry, of_all(entry)))
    names = file_names(entry, charts)
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]+\.svg", name) for name in names)
    assert names == file_names(entry, charts_of(entry, judge(entry, {})))
    worth = worth_a_picture(charts)
    bars = [len(chart.bars) for chart in worth]
    assert len(worth) <= PICTURES
    assert bars == sorted(bars, reverse=True)
    assert all(count >= 3 for count in bars)
    assert not any(chart.shows_times_alone for chart in worth)
    left = [len(chart.bars) for chart in charts if chart not in worth and not chart.shows_times_alone]
    assert len(worth) == PICTURES or max(left, default=0) < 3
    assert max(left, default=0) <= min(bars, default=2)


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=CATALOGUE)
def test_every_number_is_a_row(entry):
    """With as many cells as there are titles; published values are there before anything is run."""
    judged = judge(entry, {})
    rows = list(table_of(entry, judged, "t").rows)
    assert len(rows) == len(judged)
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert {row[COLUMNS.index("verdict")] for row in rows} == {"not run"}
    assert all(row[COLUMNS.index("published in words")] for row in rows)


def test_numbers_are_in_full_and_an_order_has_a_row_for_each_strategy():
    """As they were computed, with their ratio; an order is under one verdict."""
    entry = CATALOGUE["000-T3.2"]
    runs = {p: [dict.fromkeys(FIGURES, 90.0 + n) for n in range(3)] for p in entry.points}
    judged = judge(entry, runs)
    row = dict(zip(COLUMNS, next(iter(table_of(entry, judged, "t").rows)), strict=True))
    assert (row["published"], row["measured"], row["runs"]) == (96.580111, 91.0, 3)
    assert row["half width"] == judged[0].measured.half_width
    assert row["ratio"] == 91.0 / 96.580111
    entry = CATALOGUE["003"]
    judged = judge(entry, {p: [dict.fromkeys(FIGURES, 1.0 + n) for n in range(2)] for p in entry.points})
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in table_of(entry, judged[:1], "t").rows]
    assert [row["strategy"] for row in rows] == list(entry.settings["003"].strategies)
    assert len({row["verdict"] for row in rows}) == 1


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=CATALOGUE)
def test_what_is_opened_is_what_is_run(entry):
    """Every point opens as its first run was: the same work, with seed 1, under a title of its own."""
    points = [point for setting in entry.settings.values() for point in points_of(entry, setting)]
    scenarios = [scenario_to_see(entry, point) for point in points]
    assert {scenario.seed for scenario in scenarios} == {1}
    for scenario, point in zip(scenarios, points, strict=True):
        assert scenario.title.startswith(PAPERS[entry.source.split(" ")[0]].short)
        assert run_spec_of(scenario).key == run_spec_of(entry.scenario(point)).key
    assert len({scenario.title for scenario in scenarios}) == len(points)


def test_the_first_point_is_that_of_the_first_number():
    """It is what the button opens."""
    entry = CATALOGUE["000-C3"]
    assert points_of(entry, entry.settings["uniform"])[0] == ResultPoint("uniform", "bl", 3.4)

"""The charts of an experiment, and its words."""

import math
from dataclasses import replace
from typing import NamedTuple

import pytest

from meshgui.engine.basics.translation import speaking
from meshgui.engine.basics.words import percent
from meshgui.engine.runs.dictionary import NUMBERS
from meshgui.experiment.differences import Baseline, paired_differences
from meshgui.experiment.executors import InProcess
from meshgui.experiment.fields import axis_from
from meshgui.experiment.forecast import Forecast, StoppedTrial, forecast, run_trial
from meshgui.experiment.results import Imprecision, results_of
from meshgui.experiment.statistics import Estimate
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep, SweepProgress
from meshgui.model.charts.charts import PublishedMark, point_words
from meshgui.model.fields.names import strategy_name
from meshgui.model.studies.experiment_charts import (
    ChartChoice,
    Results,
    chart_of,
    comparison_of,
    figures_there,
    usual_across,
    usual_held,
)
from meshgui.model.studies.experiment_words import (
    end_words,
    estimate_words,
    forecast_words,
    progress_words,
    relative_words,
    state_words,
)
from meshgui.model.studies.result_columns import ResultRows, result_columns
from tests.experiments import SMALL, small_experiment


class Said(NamedTuple):
    """Something that was published."""

    point: int
    figure: str
    low: float
    high: float
    label: str


WORDS = {"workload.load": "Load", "allocator.name": "Strategy", "mesh.shape": "Shape"}


def swept(*axes, name="", **target):
    """Results of a small experiment, three runs of each point."""
    experiment = small_experiment(*axes, **{"least": 3, "most": 3} | target)
    with Store() as store:
        sweep = Sweep(experiment, store, InProcess())
        sweep.run()
        return Results(experiment, sweep.results, name)


def over_load(results, figure="turnaround", held=None, **more):
    """The chart of a figure over the load."""
    return chart_of(results, ChartChoice(figure, "workload.load", held or {}), WORDS, **more)


@pytest.fixture(scope="module")
def grid():
    """Two strategies, three loads, two shapes."""
    return swept("allocator.name=ff,gabl", "workload.load=0.5,1,3", "mesh.shape=4x4,6x6")


def test_numbers_across_make_curves_with_intervals(grid):
    """A series for each combination of the others; its means and intervals are those of the points."""
    chart = over_load(grid)
    assert chart.kind == "curves"
    assert [one.label for one in chart.series] == ["ff, 4×4", "ff, 6×6", "gabl, 4×4", "gabl, 6×6"]
    first = chart.series[0]
    points = [p for p in grid.points if p.point.labels[0] == "ff" and p.point.labels[2] == "4×4"]
    found = [p.estimates["turnaround"] for p in points]
    assert (first.x.tolist(), first.y.tolist()) == ([0.5, 1, 3], [one.mean for one in found])
    assert ((first.high - first.low) / 2).tolist() == pytest.approx([one.half_width for one in found])
    assert first.runs.tolist() == [3, 3, 3]
    assert first.points == tuple(("point", p.point.index) for p in points)
    assert (chart.x_label, chart.y_label) == ("Load", "Turnaround (time units)")
    shares = over_load(grid, "utilization")
    assert shares.y_label == "Utilisation (%)"
    assert shares.series[0].y[0] == pytest.approx(100 * grid.points[0].estimates["utilization"].mean)


def test_differences_to_a_strategy_leave_it_out_and_the_table_has_a_column_of_differences(grid):
    """The others keep their colours, each with its own interval; muted where that holds 0."""
    baseline = Baseline("allocator.name", 0)
    differences = paired_differences(grid.experiment, grid.points, baseline)
    shown = ChartChoice("utilization", "workload.load", y_scale="log")
    means = chart_of(grid, shown, WORDS)
    chart = chart_of(grid, shown, WORDS, differences=differences, beside=comparison_of(grid, grid))
    assert [(one.label, one.place) for one in chart.series] == [
        (one.label, one.place) for one in means.series if one.label.startswith("gabl")
    ]
    first = chart.series[0]
    points = [grid.points[index] for _, index in first.points]
    found = [differences.of(point, "utilization") for point in points]
    assert first.y.tolist() == pytest.approx([100 * one.mean for one in found])
    assert ((first.high - first.low) / 2).tolist() == pytest.approx([100 * one.half_width for one in found])
    assert first.runs.tolist() == [3, 3, 3]
    assert (chart.y_label, chart.y_scale, chart.y_reach) == ("Utilisation − ff (points)", "linear", (0.0,))
    assert chart.note == "differences of runs in pairs with 95 % intervals"
    assert not chart.marks
    columns = result_columns(grid, "utilization", WORDS, None, differences, running=False)
    column = next(column for column in columns if column.key == "difference")
    assert column.cell_of(ResultRows(grid), points[0].point.index).text.endswith("\N{NO-BREAK SPACE}points")
    differences = paired_differences(grid.experiment, grid.points, Baseline("allocator.name", 0))
    columns = result_columns(grid, "turnaround", WORDS, None, differences, running=False)
    titles = [column.title for column in columns if column.shown]
    assert titles[3:7] == ["Turnaround", "Error", "− ff", "Runs"]
    column = next(column for column in columns if column.key == "difference")
    rows = ResultRows(grid)
    for row, point in enumerate(grid.points):
        found = differences.of(point, "turnaround")
        assert column.value(rows, row) == (None if found is None else found.mean)
        clear = found is not None and abs(found.mean) > found.half_width
        assert column.tone(rows, row) == ("text" if clear else "muted")


def test_names_across_make_bars_at_the_highest_load_and_a_held_field_has_no_series(grid):
    """Unless another is chosen, which the note says; only points at the held value are drawn."""
    held = usual_held(grid.experiment.axes, "allocator.name")
    chart = chart_of(grid, ChartChoice("turnaround", "allocator.name", held), WORDS)
    assert held == {"workload.load": 2}
    assert (chart.kind, chart.categories) == ("bars", ("ff", "gabl"))
    assert [one.label for one in chart.series] == ["4×4", "6×6"]
    assert chart.note.startswith("Load 3 ")
    [heavy] = [p for p in grid.points if p.point.labels == ("gabl", "3", "6×6")]
    assert chart.series[1].y[1] == heavy.estimates["turnaround"].mean
    chart = over_load(grid, "waiting", {"mesh.shape": 1})
    assert [one.label for one in chart.series] == ["ff", "gabl"]
    assert chart.note.startswith("Shape 6×6 ")


def test_the_confidence_of_a_chart_has_a_comma_in_german():
    """Where it is no whole percentage; the others have none."""
    with speaking("de"):
        assert over_load(swept("workload.load=1,2", confidence=0.995)).note.startswith("Mittel mit 99,5-%-")
        assert over_load(swept("workload.load=1,2")).note.startswith("Mittel mit 95-%-")


def test_names_are_in_full_where_they_are_shown_and_ids_in_files(grid):
    """In legends, on axes, in hovered words and in cells; files have the ids alone."""
    ids = ("ff", "gabl")
    names = tuple(map(strategy_name, ids))
    curves = over_load(grid, held={"mesh.shape": 0})
    assert [(one.label, one.words) for one in curves.series] == [*zip(ids, names, strict=True)]
    bars = chart_of(grid, ChartChoice("turnaround", "allocator.name", {"workload.load": 1}), WORDS)
    assert (bars.categories, bars.full_categories) == (ids, names)
    assert curves.names == bars.names == names
    assert point_words(curves, curves.series[1], 0).startswith(names[1])
    assert names[1] in point_words(bars, bars.series[0], 1)
    assert {row[0] for row in curves.rows()[1:]} == set(ids) == {row[1] for row in bars.rows()[1:]}
    strategy = result_columns(grid, "turnaround", WORDS, None, running=False)[0]
    rows = ResultRows(grid)
    cells = {(strategy.value(rows, row), strategy.cell_of(rows, row).text) for row in range(len(rows))}
    assert cells == set(zip(ids, names, strict=True))


def test_numbers_of_fields_have_a_comma_in_german():
    """In legends, notes and cells of tables."""
    results = swept("allocator.name=ff,bl", "workload.load=0.5,1.5")
    choice = ChartChoice("turnaround", "allocator.name")
    with speaking("de"):
        assert [one.words for one in chart_of(results, choice, WORDS).series] == ["0,5", "1,5"]
        held = replace(choice, held={"workload.load": 1})
        assert chart_of(results, held, WORDS).note.startswith("Load 1,5 · ")
        load = result_columns(results, "turnaround", WORDS, None, running=False)[1]
        assert load.cell_of(ResultRows(results), 0).text == "0,5"


def test_the_chart_of_an_example_has_its_title_in_german():
    """As the window around it has."""
    found = swept("workload.load=1,2")
    example = found._replace(experiment=replace(found.experiment, title="TBL under load"))
    with speaking("de"):
        assert over_load(example).title == "TBL unter Last"


@pytest.mark.parametrize(
    ("axes", "across"),
    [
        (("workload.jobs=10,20", "workload.load=1,2"), "workload.load"),
        (("allocator.name=ff,gabl", "workload.jobs=10,20"), "workload.jobs"),
        (("workload.load=1", "allocator.name=ff,gabl"), "allocator.name"),
        (("allocator.name=ff,gabl", "mesh.shape=4x4,6x6"), "allocator.name"),
        ((), ""),
    ],
)
def test_the_load_is_across_before_anything_else(axes, across):
    """Then numbers, then whatever is first; a single value is no axis where there is a better one."""
    assert usual_across(small_experiment(*axes).axes) == across


def test_many_combinations_are_held_until_the_picture_can_be_read():
    """No more than twelve series: the field with the most values is held first."""
    names = ["ff", "bf", "gabl", "tbl", "bl", "mbs", "paging", "random", "naive", "anca", "2dbs", "asb"]
    for number in (9, 12):
        strategies = axis_from(f"allocator.name={','.join(names[:number])}")
        assert usual_held((strategies, axis_from("workload.load=1,2")), "workload.load") == {}
    few = "workload.load=1,2", "allocator.name=ff,gabl,bf", "scheduler.name=fcfs,ssd"
    experiment = small_experiment(*few, "workload.jobs=10,11,12,13,14,15")
    assert usual_held(experiment.axes, "workload.load") == {"workload.jobs": 5}


def test_a_failed_point_is_a_gap_and_an_unknown_interval_is_none(grid):
    """Neither is drawn as a zero; without a network there is no latency."""
    experiment = small_experiment("workload.load=1,2", least=1, most=1)
    with Store() as store:
        assert over_load(Results(experiment, Sweep(experiment, store, InProcess()).results)).is_empty
    [once] = over_load(swept("workload.load=1,2", least=1, most=1)).series
    assert once.known.all()
    assert all(math.isnan(low) for low in once.low)
    names = figures_there(grid.points)
    assert names[0] == "turnaround"
    assert ("latency" in names, "overhead_seconds" in names) == (False, True)
    [one] = over_load(swept("workload.load=0.5,1")).series
    [held] = over_load(
        swept("workload.load=0.5,1", "allocator.name=ff,gabl"), held={"allocator.name": 1}
    ).series
    assert (one.label, held.label) == ("ff", "gabl")
    bar = chart_of(swept(), ChartChoice("turnaround"), WORDS)
    assert (bar.kind, bar.categories, len(bar.series)) == ("bars", ("ff",), 1)


def test_another_store_is_laid_over_in_the_same_colours_dashed(grid):
    """What agrees in everything varied is compared; its series has the same name, eight places on."""
    other = swept("allocator.name=gabl,bf", "workload.load=1,3", name="other")
    beside = comparison_of(grid, other)
    pairs = {grid.points[i].point.labels: result.point.labels for i, result in beside.by_point.items()}
    assert pairs == {("gabl", "1", "4×4"): ("gabl", "1"), ("gabl", "3", "4×4"): ("gabl", "3")}
    chart = over_load(grid, beside=beside)
    by_label = {one.label: one for one in chart.series}
    own = {"ff, 4×4", "ff, 6×6", "gabl, 4×4", "gabl, 6×6"}
    assert set(by_label) == own | {"gabl, 4×4 · other", "bf, 4×4 · other"}
    assert by_label["gabl, 4×4 · other"].place == by_label["gabl, 4×4"].place + 8
    assert by_label["gabl, 4×4 · other"].x.tolist() == [1, 3]
    assert len({one.place for one in chart.series}) == len(chart.series)


def test_what_theory_expects_stands_beside_the_means():
    """A line without intervals for each series, or one for all; nothing where no queue lasts."""
    whole = {"kind": "stochastic", "jobs": 20, "sides": {"kind": "uniform", "low": 4, "high": 4}}
    data = SMALL | {"workload": whole | {"load": 1.0}}
    chart = over_load(swept("workload.load=0.2,0.5,2", data=data), "waiting")
    measured, theory = chart.series
    assert (theory.label, theory.place % 8, theory.points) == ("ff · M/G/1", measured.place, measured.points)
    assert theory.y[:2].tolist() == pytest.approx([0.25, 1.0])
    assert math.isnan(theory.y[2])
    assert "M/G/1: one job at a time, Poisson arrivals, served in order, in the long run" in chart.note
    results = swept("allocator.name=ff,bf", "workload.load=0.2,0.5", data=data)
    assert [one.label for one in over_load(results, "waiting").series] == ["ff", "bf", "M/G/1"]
    assert [
        one.label for one in over_load(results, "waiting", beside=comparison_of(results, results)).series
    ][2:] == ["ff · ", "bf · "]
    assert len(over_load(results, "utilization").series) == 2


def test_published_values_lie_over_the_chart(grid):
    """At the point they are of, in the series' own unit; not where it is not shown, nor if unwanted."""
    [point] = [p.point.index for p in grid.points if p.point.labels == ("ff", "1", "4×4")]
    said = (Said(point, "turnaround", 2.0, 2.5, "a paper"), Said(point, "utilization", 0.5, 0.5, "a paper"))
    known = Results(grid.experiment, grid.points, published=said)

    def bars_at(load):
        held = {"workload.load": load}
        return chart_of(known, ChartChoice("turnaround", "allocator.name", held), WORDS).marks

    time = over_load(known)
    assert time.marks == (PublishedMark(1.0, 2.0, 2.5, "ff, 4×4"),)
    assert time.note.endswith(" intervals · a paper")
    assert over_load(known, "utilization").marks == (PublishedMark(1.0, 50.0, 50.0, "ff, 4×4"),)
    assert bars_at(1) == (PublishedMark("ff", 2.0, 2.5, "4×4"),)
    assert bars_at(0) == over_load(known, published=False).marks == ()


RAISE = "Raise the maximum to continue."


def not_within(precision, verb="are"):
    """The words for points that ran out of runs."""
    return f"{verb} not within {percent(precision)} after the maximum number of runs"


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Forecast(24, 0, 120, 24000, 120, None), "24 points, 120 runs at least"),
        (
            Forecast(24, 3, 117, 23997, 117, 170.0),
            "24 points, 117 more runs at least; about 3 min on 2 cores",
        ),
        (Forecast(1, 0, 1, 5, 1, 2.0), "1 point, 1 run at least; about 2 s on 2 cores"),
        (
            Forecast(2, 10, 0, 990, 40, 4.0),
            "2 points, 40 more runs, estimated from the runs so far; about 4 s on 2 cores",
        ),
        (
            Forecast(2, 0, 6, 24, 6, 90.0, cut=StoppedTrial(2.5, 30.0)),
            "2 points, 6 runs at least; about 2 min or more on 2 cores",
        ),
        (
            Forecast(2, 0, 6, 24, 6, None, cut=StoppedTrial(2.5)),
            "2 points, 6 runs at least; no time known yet: one run takes more than 2.5 s",
        ),
        (Forecast(2, 50, 0, 0, 0, 0.0), "Nothing is left to run: 50 runs of 2 points are kept and shown"),
        (Forecast(1, 1, 0, 0, 0, 0.0), "Nothing is left to run: 1 run of 1 point is kept and shown"),
        (
            Forecast(12, 96, 0, 0, 0, 0.0, Imprecision(12, 0.05, "turnaround", 0.123)),
            f"12 of 12 points {not_within(0.05)}: turnaround only within {percent(0.123)}. {RAISE}",
        ),
        (
            Forecast(1, 8, 0, 0, 0, 0.0, Imprecision(1, 0.025, "latency", math.inf)),
            f"1 of 1 point {not_within(0.025, 'is')}: latency with unknown precision. {RAISE}",
        ),
    ],
)
def test_a_forecast_is_one_sentence(found, words):
    """How many points and runs, and how long if that is known."""
    assert forecast_words(found, "on 2 cores") == words


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ({"precision": 1.0, "least": 6}, "All points are done: 12 runs."),
        (
            {"precision": 0.0001, "most": 3},
            f"2 of 2 points {not_within(0.0001)}: ",
        ),
    ],
)
def test_the_end_tells_precise_points_from_those_that_ran_out_of_runs(target, words):
    """No reader takes the most runs allowed for a result as precise as wanted."""
    experiment = small_experiment("workload.load=0.5,1", **target)
    with Store() as store:
        sweep = Sweep(experiment, store, InProcess())
        sweep.run()
        assert end_words(sweep.results, experiment.target).startswith(words)
        imprecise = forecast(experiment, store).imprecise
        assert imprecise == Imprecision.of(sweep.results, experiment.target)


def test_the_end_names_the_figure_that_is_known_worst():
    """The column of errors is of one figure; what is not precise may be another, at another point."""
    experiment = small_experiment("workload.load=0.5,1", precision=0.0001, most=3)
    with Store() as store:
        sweep = Sweep(experiment, store, InProcess())
        sweep.run()
        errors = {
            point.estimates[name].relative_error: NUMBERS[name].title.lower()
            for point in sweep.results
            for name in ("turnaround", "utilization")
        }
        worst = max(errors)
        assert f": {errors[worst]} only within {percent(worst)}. " in end_words(
            sweep.results, experiment.target
        )


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        ((37, 240, 30, 4, 0, 115.0), "37 of about 240 runs, 2 min left"),
        ((3, 240, 0, 4, 0, None), "3 of about 240 runs"),
        ((3, 240, 0, 4, 0, 9.0, "asleep"), "3 of about 240 runs, asleep"),
        ((2069, 2459, 2000, 4, 0, 4.0), "2\u202f069 of about 2\u202f459 runs, 4 s left"),
        ((240, 240, 240, 0, 0, 0.0), "240 of 240 runs"),
    ],
)
def test_progress_says_how_far_and_how_long(progress, words):
    """About as long as points are open; the number itself at the end."""
    assert progress_words(SweepProgress(*progress)) == words


@pytest.mark.parametrize(
    ("name", "found", "words"),
    [
        ("turnaround", Estimate(22.318, 1.2, 5), "22.3 ± 1.2"),
        ("turnaround", Estimate(22.318, math.inf, 1), "22.32"),
        ("utilization", Estimate(0.5012, 0.004, 5), "50.12 ± 0.40\N{NO-BREAK SPACE}%"),
        ("turnaround", Estimate(12345.6, 80.0, 5), "12346 ± 80"),
        ("turnaround", Estimate(2.0, 0.0, 5), "2"),
        ("turnaround", None, "–"),
    ],
)
def test_means_have_as_many_figures_as_their_intervals_bear(name, found, words):
    """Two figures of the half width; shares in percent."""
    assert estimate_words(name, found) == words


def test_an_error_that_is_not_known_is_a_dash_and_a_point_without_a_run_waits():
    """One run has no interval; a point is not said to run before something of it is there."""
    known, unknown = Estimate(2.0, 0.1, 5), Estimate(2.0, math.inf, 1)
    assert [relative_words(known), relative_words(unknown)] == ["5.0\N{NO-BREAK SPACE}%", "–"]
    experiment = small_experiment("workload.load=0.5,1", least=3)
    with Store() as store:
        sweep = Sweep(experiment, store, InProcess())
        assert [state_words(point, running=True) for point in sweep.results] == ["waiting", "waiting"]
        assert run_trial(experiment, store, 1e-9) is None  # one run of the first point
        first, second = results_of(experiment, store)
    assert (state_words(first, running=True), state_words(first, running=False)) == ("running", "open")
    assert (state_words(second, running=True), state_words(second, running=False)) == ("waiting", "–")


def test_latency_over_the_rate_has_the_empty_network_as_a_line_and_says_where_it_saturates():
    """More than three times what packets would take alone; one line for curves of which it is the same."""
    load = {"traffic": "uniform", "rate": 0.1, "cycles": 300, "warm_up": 50}
    data = {
        "meshgui": 1,
        "mesh": {"shape": [4, 4]},
        "allocator": {"name": "ff"},
        "workload": {"kind": "list", "jobs": [{"arrival": 0, "size": [4, 4]}]},
        "network": {"pattern": "file", "flits": 8, "load": load},
    }
    axes = ("network.load.rate=0.02,0.1,2", "network.routing=xy,yx")
    results = swept(*axes, data=data)
    assert usual_across(results.experiment.axes) == "network.load.rate"
    assert figures_there(results.points)[0] == "packet_latency"
    chart = chart_of(results, ChartChoice("packet_latency", "network.load.rate"), WORDS)
    *curves, empty = chart.series
    assert [one.label for one in (*curves, empty)] == ["xy", "yx", "empty network"]
    assert empty.x.tolist() == [0.02, 2.0]
    first = results.points[0].estimates["empty_latency"].mean
    assert empty.y.tolist() == pytest.approx([first] * 2, abs=0.1)
    late = [one.x[one.y > 3 * first].min() for one in curves]
    assert chart.note.endswith(f"saturated from xy {late[0]:g}, yx {late[1]:g}")
    other = chart_of(results, ChartChoice("latency", "network.load.rate"), WORDS)
    assert [one.label for one in other.series] == ["xy", "yx"]

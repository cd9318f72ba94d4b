"""Runs beside each other, and where they begin to differ."""

import math
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.runs.figures import figures_of
from meshgui.engine.runs.recording import NEVER
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario
from meshgui.model.comparison import comparison_tables
from meshgui.model.comparison.comparison import RunComparison
from meshgui.model.comparison.comparison_clock import ClockKind
from meshgui.model.comparison.comparison_tables import COMPARED_PLOTS, MeasureRows, RunLine, RunMeasures
from meshgui.model.comparison.divergence import Divergence, divergence_sentence, divergences, share_jobs
from meshgui.model.document.examples import example
from meshgui.model.studies.varied_parts import VariedPart, first_choices, run_choices
from meshgui.model.tables.columns import export
from tests.runs import first_events
from tests.scenarios import SCHEDULERS, listed, scenario


def chosen(scenario, part, *names):
    """The choices of these names."""
    return [choice for name in names for choice in run_choices(scenario, part) if choice.name == name]


def compared(scenario, part, *names):
    """A comparison whose runs are over."""
    comparison = RunComparison()
    comparison.compare(scenario, part, chosen(scenario, part, *names))
    for run in comparison.runs:
        recording = simulate(run.scenario)
        comparison.record(run, recording)
        comparison.measure(run, RunMeasures(recording))
    return comparison


@pytest.fixture(scope="module")
def comparison():
    """Three strategies on the same jobs."""
    return compared(scenario((6, 6), "tbl", 40), VariedPart.STRATEGY, "tbl", "ff", "mbs")


def positions(comparison):
    """How many events have happened in each run."""
    return [run.cursor.position.events for run in comparison.runs]


def test_the_same_time_and_another_meaning_keeps_the_moment_of_the_first_run(comparison):
    """Steps visit every event of any run, and come back; another meaning has such a moment, too."""
    clock = comparison.clock
    clock.choose(ClockKind.TIME)
    clock.first()
    assert positions(comparison) == [0, 0, 0]
    times = np.unique(np.concatenate([run.cursor.recording.times for run in comparison.runs]))
    for time in times[:30].tolist():
        clock.step(1)
        assert clock.value == time
        assert positions(comparison) == [run.cursor.recording.position_at(time) for run in comparison.runs]
    clock.step(-1)
    assert clock.value == times[28]
    clock.last()
    clock.step(1)
    assert (clock.at_end, clock.value) == (True, times[-1])
    clock, first = comparison.clock, comparison.runs[0].cursor
    clock.choose(ClockKind.EVENT)
    clock.go_to(20)
    clock.choose(ClockKind.TIME)
    assert clock.value == first.recording.times[19]
    clock.choose(ClockKind.JOB)
    started = first.recording.started
    assert started[int(clock.value)] == max(
        at for at in started if at < first.recording.position_at(first.time)
    )


def test_the_same_number_of_events_or_the_same_job(comparison):
    """At different times, and a run that has fewer stays at its end; or where the job starts in each run."""
    clock = comparison.clock
    clock.choose(ClockKind.EVENT)
    clock.go_to(17)
    assert positions(comparison) == [17, 17, 17]
    clock.leap(1)
    assert positions(comparison) == [27, 27, 27]
    clock.last()
    assert positions(comparison) == [len(run.cursor.recording) for run in comparison.runs]
    clock.choose(ClockKind.JOB)
    for job in (0, 9, 39):
        clock.go_to(job)
        for run in comparison.runs:
            assert run.cursor.view.snapshot.event.job == job
            assert job in run.cursor.view.snapshot.running
    assert (clock.at_end, clock.words) == (True, "job 39 starts")


def test_a_job_that_has_not_started_shows_the_last_moment():
    """That of a run in progress is as far as it has gone."""
    made = scenario((4, 4), "ff", 20)
    comparison = compared(made, VariedPart.STRATEGY, "ff", "mbs")
    part = first_events(comparison.runs[0].cursor.recording, 9)
    assert part.started[19] == NEVER
    comparison.runs[0].cursor.show(part)
    comparison.clock.choose(ClockKind.JOB)
    comparison.clock.go_to(19)
    assert positions(comparison)[0] == 9


def test_selections_stay_tied_after_a_listener_of_one_has_failed():
    """What it raised is raised where the job was selected."""
    runs = RunComparison()
    study = scenario((4, 4), "ff", 4)
    runs.compare(study, VariedPart.STRATEGY, chosen(study, VariedPart.STRATEGY, "tbl", "ff", "mbs"))
    first, second, third = (run.selection for run in runs.runs)
    faults = [ZeroDivisionError]

    def fail(_changes):
        if faults:
            raise faults.pop()

    second.changed.connect(fail)
    with pytest.raises(ZeroDivisionError):
        first.select(1)
    first.select(2)
    assert (second.job, third.job) == (2, 2)


def test_it_plays_and_a_job_is_selected_and_hovered_in_all(comparison):
    """At factor 1 a run takes a minute; packets and channels stay those of one run."""
    clock = comparison.clock
    clock.choose(ClockKind.TIME)
    clock.first()
    clock.toggle()
    assert clock.playing
    clock.advance(clock.pace * 30)
    assert clock.value == pytest.approx(clock.limit / 2)
    clock.change_speed(1)
    clock.advance(clock.pace * 15)
    assert (clock.at_end, clock.playing) == (True, False)
    clock.toggle()
    assert clock.at_start
    clock.step(1)
    assert not clock.playing
    clock.change_speed(-1)
    first, second, third = (run.selection for run in comparison.runs)
    second.select(7)
    assert (first.job, second.job, third.job) == (7, 7, 7)
    third.hover(4)
    assert (first.hovered, second.hovered, third.hovered) == (4, 4, 4)
    first.select(None)
    assert (first.job, second.job, third.job) == (None, None, None)


def test_differences_are_gone_to_one_after_the_other(comparison):
    """On and back, each with its job selected; at either end that is said."""
    comparison.clock.choose(ClockKind.TIME)
    comparison.clock.first()
    found = comparison.divergences
    assert len(found) > 3
    ways = [(one, 1) for one in found] + [(one, -1) for one in found[-2::-1]]
    for one, way in ways:
        said = comparison.go_to_difference(way)
        number = found.index(one) + 1
        assert said.startswith(f"Difference {number} of {len(found)}: Job {one.job} starts ")
        assert all(run.full_name in said for run in comparison.runs)
        assert comparison.clock.value == one.time
        assert {run.selection.job for run in comparison.runs} == {one.job}
    assert comparison.go_to_difference(-1) == "There is no earlier difference."
    assert comparison.clock.value == found[0].time
    comparison.clock.last()
    comparison.select(None)
    assert comparison.go_to_difference(1) == "There is no later difference."
    comparison.clock.choose(ClockKind.JOB)
    comparison.clock.first()
    comparison.go_to_difference(1)
    assert comparison.clock.value in {one.job for one in found}


def test_from_any_moment_the_nearest_difference_is_gone_to(comparison):
    """Of those at the moment itself none, unless it is the one that is shown."""
    comparison.clock.choose(ClockKind.TIME)
    times = [one.time for one in comparison.divergences]
    middle = times[len(times) // 2]
    for way, nearest in ((1, min(t for t in times if t > middle)), (-1, max(t for t in times if t < middle))):
        comparison.select(None)
        comparison.clock.go_to(middle)
        comparison.go_to_difference(way)
        assert comparison.clock.value == nearest


def test_runs_are_kept_when_another_joins():
    """Those that stay are not made again, and show the same job."""
    made = scenario((6, 6), "tbl", 30)
    comparison = compared(made, VariedPart.STRATEGY, "tbl", "ff")
    kept = comparison.runs
    kept[0].selection.select(3)
    comparison.compare(made, VariedPart.STRATEGY, chosen(made, VariedPart.STRATEGY, "tbl", "ff", "gabl"))
    assert (comparison.runs[:2], comparison.recorded) == (kept, kept)
    assert comparison.runs[2].selection.job == 3


def test_a_run_that_cannot_be_made_leaves_the_others_and_equal_runs_say_so():
    """The mesh does not suit the strategy; every job starts at the same time in the same boxes."""
    made, comparison = scenario((6, 5), "tbl", 30), RunComparison()
    comparison.compare(made, VariedPart.STRATEGY, chosen(made, VariedPart.STRATEGY, "tbl", "2dbs"))
    comparison.record(comparison.runs[0], simulate(made))
    good, bad = comparison.runs
    assert bad.fault.startswith("2dbs works on square meshes")
    assert (good.fault, bad.fault[-1]) == ("", ".")
    assert comparison.go_to_difference(1) == "There are no two runs to compare."
    made = listed((4, 4), [(0, (2, 2), 1), (5, (2, 2), 1)])
    comparison = compared(made, VariedPart.DISCIPLINE, "fcfs", "sjf")
    assert comparison.go_to_difference(1).startswith("Every job starts at the same time")
    assert comparison.same_jobs


@pytest.mark.parametrize("part", list(VariedPart))
def test_every_part_has_choices_that_run(part):
    """The scenario's own first, then others; those that it does not allow say why."""
    made = scenario((8, 8), "tbl", 20)
    choices = run_choices(made, part)
    assert not choices[0].changes
    assert len({choice.name for choice in choices}) == len(choices)
    first = first_choices(choices)
    assert len(first) == 2
    comparison = compared(made, part, *(choice.name for choice in first))
    assert not any(run.fault for run in comparison.runs)
    assert comparison.same_jobs == (part is not VariedPart.SEED)


def test_networks_differ_in_pattern_and_switching():
    """And there may be none; the buffers are as large as the switching needs them."""
    made = load_scenario(example("gabl-contention-16x16"))
    by_name = {choice.name: choice for choice in run_choices(made, VariedPart.NETWORK)}
    assert {"no network", "one-to-all", "store-and-forward", "virtual-cut-through"} <= set(by_name)
    cut = by_name["virtual-cut-through"]
    assert not cut.refusal
    assert cut.changes["network"].buffer >= made.network.flits
    delayed = made.model_copy(update={"network": made.network.model_copy(update={"per_hop": "flit"})})
    assert set(by_name) - {c.name for c in run_choices(delayed, VariedPart.NETWORK)} == {"store-and-forward"}


def test_the_table_has_values_and_differences(comparison):
    """In full precision, as the runs' own figures; a run that is not over has no measures yet."""
    runs = comparison.runs
    rows = MeasureRows("Compared", [run.name for run in runs], [run.measures.figures for run in runs])
    columns = comparison_tables.measure_columns(rows.names)
    table = export(columns, rows)
    assert table.columns == ("Measure", "tbl", "ff", "ff minus tbl", "mbs", "mbs minus tbl", "Unit")
    by_title = {row[0]: row for row in table.rows}
    figures = [figures_of(run.cursor.recording)[0] for run in runs]
    tbl, ff, mbs = (of["turnaround"] for of in figures)
    assert by_title["Turnaround"][1:-1] == (tbl, ff, ff - tbl, mbs, mbs - tbl)
    tbl, ff, _ = (of["utilization"] * 100 for of in figures)
    assert by_title["Utilisation"][1:4] == (tbl, ff, ff - tbl)
    assert by_title["Utilisation"][-1] == "%"
    row = list(by_title).index("Utilisation")
    shown = {column.name or column.title: column.cell_of(rows, row).text for column in columns}
    assert shown["tbl"].endswith("\N{NO-BREAK SPACE}%")  # where the units have no room, too
    assert shown["ff minus tbl"].endswith("\N{NO-BREAK SPACE}points")  # 38 % is not 62 % below 100 %
    assert shown["Unit"] == ""
    for row in range(len(rows)):
        assert all(column.cell_of(rows, row).text for column in columns if column.title != "Unit")
    rows = MeasureRows("", ("a", "b"), ({"turnaround": 0.1 + 0.2}, {"turnaround": 0.3}))
    assert rows.difference(0, 1) == 0.0
    rows = MeasureRows("", ("a", "b"), ({"turnaround": 3.0, "latency": math.nan}, None))
    assert (rows.value(0, 0), rows.difference(0, 1), rows.value(1, 0)) == (3.0, None, None)


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ((2.5, 1.99), ("2.50", "1.99")),
        ((111.74, 156.0), ("111.7", "156.0")),
        ((1.0, 1.0), ("1", "1")),
        ((12345.6, 0.5), ("12346", "0.5")),
    ],
)
def test_values_of_a_measure_have_one_number_of_decimals(values, shown):
    """That of the one that needs most; large ones are whole."""
    rows = MeasureRows("", ("a", "b"), tuple({"turnaround": value} for value in values))
    columns = comparison_tables.measure_columns(rows.names)
    assert tuple(columns[place].cell_of(rows, 0).text for place in (1, 2)) == shown


@pytest.mark.parametrize(
    ("name", "values", "shorter"),
    [
        ("turnaround", (1.2345e-6, 1.6789e-6), ("1.2e-06", "1.7e-06", "+4.4e-07")),
        ("turnaround", (0.0001234, 0.0002), ("0.00012", "0.0002", "+7.7e-05")),
        ("utilization", (0.5, 0.25), ("50\N{NO-BREAK SPACE}%", "25\N{NO-BREAK SPACE}%", "−25")),
    ],
)
def test_numbers_have_shorter_forms_for_a_narrow_table(name, values, shorter):
    """Small ones of two digits, shares with their sign, and differences without a unit."""
    rows = MeasureRows("", ("a", "b"), tuple({name: value} for value in values))
    columns = comparison_tables.measure_columns(rows.names)[1:-1]
    assert tuple(column.cell_of(rows, 0).shorter[0] for column in columns) == shorter
    assert tuple(next(iter(column.shorter[0](rows))) for column in columns) == shorter


def test_every_plot_has_a_line_of_each_run(comparison):
    """With one line at the present moment, or one for each run where they are at different times."""
    runs = [RunLine(run.name, run.measures, 3.0) for run in comparison.runs]
    chart_of, lines_of = comparison_tables.comparison_chart, comparison_tables.moment_lines
    for plot in COMPARED_PLOTS:
        labels = [one.label for one in chart_of(plot, runs, "").series]
        assert labels == ([] if plot.network else ["tbl", "ff", "mbs"])
    assert [cursor.x for cursor in lines_of(runs)] == [3.0]
    runs[1] = RunLine("ff", None, 5.0)
    chart = chart_of(COMPARED_PLOTS[0], runs, "40 jobs")
    assert [cursor.label for cursor in lines_of(runs)] == ["tbl", "ff", "mbs"]
    assert [(one.label, one.place) for one in chart.series] == [("tbl", 0), ("mbs", 2)]


def test_means_over_spans_of_time_say_so_at_their_axis(comparison):
    """A line of many steps has means, which are not what the meshes say at a moment; others are exact."""
    long = compared(scenario((6, 6), "tbl", 300), VariedPart.STRATEGY, "tbl", "ff")
    axes = []
    for runs in (long.runs, comparison.runs):
        lines = [RunLine(run.name, run.measures, 3.0) for run in runs]
        axes += [comparison_tables.comparison_chart(plot, lines, "").y_label for plot in COMPARED_PLOTS[:3]]
    spans = sorted(run.cursor.recording.end_time / 120 for run in long.runs)
    ends = "–".join(dict.fromkeys(f"{span:.2g}" for span in spans))
    means = [f"percent, mean over {ends}", f"jobs, mean over {ends}", "time units"]
    assert axes == [*means, "percent", "jobs", "time units"]


@pytest.mark.parametrize(
    ("part", "names", "said"),
    [
        (VariedPart.STRATEGY, ("gabl", "ff"), ("cycle 44", "cycle")),
        (VariedPart.NETWORK, ("one-to-all", "no network"), ("t 44.00", "time")),
        (VariedPart.STRATEGY, (), ("t 44.00", "time")),
    ],
)
def test_a_moment_of_networks_is_a_cycle(part, names, said):
    """As beneath each mesh, at the clock and at the axis; beside a run without a network it is a time."""
    made = load_scenario(example("gabl-contention-16x16"))
    made = made.model_copy(update={"workload": made.workload.model_copy(update={"jobs": 12})})
    comparison = compared(made, part, *names)
    comparison.clock.value = 44.0
    lines = [RunLine(run.name, run.measures, 44.0) for run in comparison.runs]
    chart = comparison_tables.comparison_chart(COMPARED_PLOTS[0], lines, "")
    assert (comparison.clock.words, chart.x_label) == said


CHOICES = [("ff", 0), ("tbl", 0), ("bl", 3), ("mbs", 0), ("gabl", 5), ("random", 0)]


def run(choice, seed=1):
    """A small run under load."""
    name, order = choice
    return simulate(scenario((6, 5), name, 25, seed=seed, scheduler=SCHEDULERS[order]))


def started_by(recording, time):
    """The jobs that have started by a time, with their boxes."""
    position = recording.position_at(time)
    jobs = range(len(recording.jobs))
    return {job: set(recording.boxes_of(job)) for job in jobs if recording.started[job] < position}


def brute(recordings):
    """Job and time of the first difference, by comparing the state of all jobs at every moment."""
    for time in sorted({time for recording in recordings for time in recording.times.tolist()}):
        states = [started_by(recording, time) for recording in recordings]
        for job in range(len(recordings[0].jobs)):
            if any(state.get(job) != states[0].get(job) for state in states[1:]):
                return job, time
    return None


def first_of(recordings):
    """The first difference, if there is one."""
    return next(divergences(recordings), None)


def test_every_job_that_is_treated_differently_is_found_once():
    """As by comparing start and boxes of each; in order of the time at which that shows first."""
    recordings = [run(choice) for choice in CHOICES[:3]]
    found = list(divergences(recordings))
    apart = [
        job
        for job in range(len(recordings[0].jobs))
        if len({(float(one.times[one.started[job]]), frozenset(one.boxes_of(job))) for one in recordings}) > 1
    ]
    assert sorted(one.job for one in found) == apart
    assert [(one.time, one.job) for one in found] == sorted((min(one.starts), one.job) for one in found)


@pytest.mark.parametrize("choices", [CHOICES[:2], CHOICES[1:4], CHOICES[:4], [CHOICES[4], CHOICES[1]]])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_is_found_as_by_looking_at_every_moment(choices, seed):
    """Two to four strategies and disciplines on the same jobs."""
    recordings = [run(choice, seed) for choice in choices]
    found = first_of(recordings)
    assert (found and (found.job, found.time)) == brute(recordings)
    assert share_jobs(recordings)


def test_equal_runs_have_none_and_seeds_draw_other_jobs():
    """One run, the same run twice, and no run; of two seeds no job is the same in both runs."""
    one, same, other = run(CHOICES[0]), run(CHOICES[0]), run(CHOICES[0], 2)
    assert [first_of(runs) for runs in ([one, same], [one], [])] == [None] * 3
    assert not share_jobs([one, other])
    assert first_of([one, other]) is not None


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 75), st.integers(0, 75))
def test_runs_in_progress_are_compared_as_far_as_they_have_gone(first, second):
    """What is found early is what is found at the end; nothing is found that is not sure yet."""
    whole = [run(CHOICES[0]), run(CHOICES[3])]
    in_the_end = first_of(whole)
    counts = [min(count, len(one)) for count, one in zip((first, second), whole, strict=True)]
    parts = [first_events(one, count) for one, count in zip(whole, counts, strict=True)]
    found = first_of(parts)
    known = min((part.end_time for part in parts if not part.complete), default=inf)
    if in_the_end.time < known:
        assert (found.job, found.time) == (in_the_end.job, in_the_end.time)
    else:
        assert found is None


BOX, OTHER = Box(0, 0, 0, 2, 2, 1), Box(2, 0, 0, 2, 2, 1)


@pytest.mark.parametrize(
    ("starts", "boxes", "said"),
    [
        ((42.0, 51.0), ((BOX,), (BOX,)), "at 42.00 with tbl and at 51.00 with ff."),
        ((42.0, 51.0, 51.0), ((BOX,),) * 3, "at 42.00 with tbl, and at 51.00 with ff and mbs."),
        ((42.0, 42.0), ((BOX,), (OTHER,)), "at 42.00 in (0,0)–(1,1) with tbl and (2,0)–(3,1) with ff."),
        (
            (42.0, 42.0, 42.0),
            ((BOX,), (OTHER,), (BOX, OTHER)),
            "at 42.00 in (0,0)–(1,1) with tbl, (2,0)–(3,1) with ff, and 2 boxes with mbs.",
        ),
        ((99.2, 99.204), ((BOX,), (BOX,)), "at 99.200 with tbl and at 99.204 with ff."),
        ((99.2, 99.5), ((BOX,), (BOX,)), "at 99.20 with tbl and at 99.50 with ff."),
        ((1.0, inf), ((BOX,), ()), "at 1.00 with tbl and never with ff."),
    ],
)
def test_it_is_said_in_a_sentence(starts, boxes, said):
    """Times where they differ, else the boxes; runs that do the same are named together."""
    found = Divergence(17, min(starts), starts, boxes)
    sentence = divergence_sentence(found, ("tbl", "ff", "mbs")[: len(starts)], Mesh((8, 8)))
    assert sentence == f"Job 17 starts {said}"

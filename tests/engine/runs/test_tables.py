"""The tables of a run: their names are the dictionary's, and their numbers those of the figures."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.dictionary import FIGURES, NUMBERS, SLOWDOWN_BOUND, SPREADS
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.figures import figures_of
from meshgui.engine.runs.measures import summary
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.runs.table_dictionary import TABLES
from meshgui.engine.runs.tables import channel_slices, table_of
from meshgui.engine.scenario import scenario_from
from tests.networks import crowd, sent
from tests.scale import cases
from tests.scenarios import crowded, listed, scenario


@pytest.fixture(scope="module")
def plain():
    """A run without a network, of a strategy that rejects."""
    return simulate(scenario((8, 8), "gabl", jobs=60, load=2))


@pytest.fixture(scope="module")
def sending():
    """A run in which packets block each other."""
    return crowd()


@pytest.fixture(scope="module")
def failing():
    """A run in which processors fail."""
    data = scenario((4, 4), "ff", jobs=40, load=2).model_dump()
    return simulate(scenario_from(data | {"machine": {"failures": {"between": 9.0, "repair": 1.0}}}))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_the_columns_of_the_dictionary_in_its_order(name, plain, sending, failing):
    """Those of the network or of failures only with them; all columns of a table are equally long."""
    wanted = [column for column in TABLES[name].columns if not column.stated]
    if name != "failures":
        assert list(table_of(sending, name)) == [column.name for column in wanted if not column.failures]
    if name not in {"packets", "channels", "failures"}:
        without = [column for column in wanted if not column.network]
        assert list(table_of(failing, name)) == [column.name for column in without]
        assert list(table_of(plain, name)) == [column.name for column in without if not column.failures]
    for recording in (plain, sending, failing):
        assert len({len(column) for column in table_of(recording, name).values()}) == 1


def test_every_name_says_what_it_is_and_no_figure_has_two():
    """A unit, a sentence, and a formula of figures; spreads are called after their figures."""
    for figure in NUMBERS.values():
        assert figure.title
        assert figure.help
        assert figure.formula
    assert len({figure.title for figure in NUMBERS.values()}) == len(NUMBERS)
    assert not FIGURES.keys() & SPREADS.keys()
    for table in TABLES.values():
        names = [column.name for column in table.columns]
        assert len(set(names)) == len(names)
        assert all(column.help for column in table.columns)


def test_every_figure_of_a_run_is_in_the_dictionary(plain, sending, failing):
    """And the run has all that the dictionary has of runs, of a network or of failures only with them."""
    for recording in (plain, sending, failing):
        figures, wall = figures_of(recording)
        there = {
            name
            for name, figure in NUMBERS.items()
            if (not figure.network or recording.network is not None)
            and (not figure.failures or recording.outages is not None)
            and not figure.load
            and (not name.startswith("part_attempts") or len(recording.part_attempts))
        }
        assert set(figures | wall) == there


def test_slowdown_by_hand():
    """A job of 2 that waits 4 and one of 20 that waits 0; one without service has no slowdown."""
    recording = simulate(listed((2, 1), [(0, (2, 1), 20), (16, (2, 1), 2)]))
    columns = table_of(recording, "jobs")
    assert columns["slowdown"].tolist() == [1, 3]
    assert columns["bounded_slowdown"].tolist() == [1, 1]
    of = summary(recording)
    assert of["slowdown"]["mean"] == 2
    assert of["slowdown"]["max"] == 3
    assert of["bounded_slowdown"]["max"] == 1
    recording = simulate(listed((2, 1), [(0, (2, 1), 20), (0, (2, 1), 0), (0, (2, 1), 4)]))
    columns = table_of(recording, "jobs")
    assert [math.isnan(value) for value in columns["slowdown"]] == [False, True, False]
    assert columns["bounded_slowdown"].tolist() == [1, 20 / SLOWDOWN_BOUND, 24 / SLOWDOWN_BOUND]
    assert summary(recording)["slowdown"]["mean"] == (1 + 6) / 2


def test_what_fails_and_what_it_costs_by_hand():
    """Two boxes fail at 1 and one of them is repaired at 3; the hit job loses 1 on 4 processors."""
    plain = listed((4, 2), [(0, (2, 2), 5), (0, (1, 1), 9)])
    failures = [{"box": [1, 0, 1, 2], "from": 1, "until": 3}, {"node": [3, 1], "from": 1}]
    recording = simulate(scenario_from(plain.model_dump() | {"machine": {"failures": failures}}))
    columns = table_of(recording, "failures")
    assert list(columns) == [column.name for column in TABLES["failures"].columns]
    assert list(zip(*(column.tolist() for column in columns.values()), strict=True)) == [
        (1, "fail", 1, 0, 0, 1, 2, 1),
        (1, "fail", 3, 1, 0, 1, 1, 1),
        (3, "repair", 1, 0, 0, 1, 2, 1),
    ]
    jobs = table_of(recording, "jobs")
    order = np.argsort(jobs["job"])
    assert jobs["killed"][order].tolist() == [1, 0]
    assert jobs["lost_time"][order].tolist() == [4, 0]
    over = table_of(recording, "utilisation")
    down = dict(zip(over["t"].tolist(), over["down"].tolist(), strict=True))
    assert (down[0], down[1], down[3]) == (0, 3, 1)
    assert over["down_share"].tolist() == [number / 8 for number in over["down"].tolist()]
    for name, column in table_of(simulate(plain), "failures").items():
        assert len(column) == 0, name


def test_offered_load_by_hand():
    """Work of 2 × 4 and 1 × 6 up to the last arrival at 10, on 2 processors; 2 arrivals in 10."""
    of = summary(simulate(listed((2, 1), [(0, (2, 1), 4), (10, (1, 1), 6)])))
    assert of["offered_load"] == (2 * 4 + 6) / (2 * 10)
    assert of["arrival_rate"] == 2 / 10
    at_once = summary(simulate(listed((2, 1), [(0, (2, 1), 4), (0, (1, 1), 6)])))
    assert (at_once["offered_load"], at_once["arrival_rate"]) == (0, 0)


def lasting(recording, values):
    """For how long a step function has each of its values, from time 0 to the last event, exactly."""
    held, before, since = {}, 0, Fraction(0)
    for time, value in zip(recording.times.tolist(), values.tolist(), strict=True):
        held[before] = held.get(before, Fraction(0)) + Fraction(time) - since
        before, since = value, Fraction(time)
    return {value: span for value, span in held.items() if span}


@cases(60)
@given(of=crowded())
def test_a_median_over_time_is_the_least_value_not_exceeded_half_of_the_time(of):
    """The same for p95; the maximum lasts for some time. Held against a walk in fractions."""
    recording = simulate(of)
    figures, _ = figures_of(recording)
    for stem, values, scale in (
        ("utilization", recording.busy_steps()[1], recording.mesh.processors),
        ("queue_length", recording.queue_steps()[1], 1),
    ):
        spans = lasting(recording, values)
        if not spans:
            continue
        whole = sum(spans.values())
        for part, share in (("median", Fraction(1, 2)), ("p95", Fraction(19, 20))):
            found = round(figures[f"{stem}.{part}"] * scale)
            up_to = sum(span for value, span in spans.items() if value <= found) / whole
            below = sum(span for value, span in spans.items() if value < found) / whole
            assert below - Fraction(1, 10**9) <= share <= up_to + Fraction(1, 10**9)
        assert figures[f"{stem}.max"] * scale == pytest.approx(max(spans))


@pytest.mark.parametrize("name", ["blocks_per_job", "attempts_per_job", "overhead_operations"])
def test_quantiles_over_jobs_are_numpys(plain, name):
    """Of the column that the figure averages."""
    column = table_of(plain, "jobs")[FIGURES[name].formula]
    figures, _ = figures_of(plain)
    assert figures[name] == column.mean()
    assert [figures[f"{name}.{part}"] for part in ("median", "p95", "max")] == [
        *np.quantile(column, (0.5, 0.95)),
        column.max(),
    ]


def test_jobs_by_size_are_the_jobs_once_each(plain):
    """Classes by powers of two; their jobs add up, and their means are those of the jobs in them."""
    jobs, classes = table_of(plain, "jobs"), table_of(plain, "by_size")
    assert classes["jobs"].sum() == len(jobs["job"])
    for row, (low, high) in enumerate(zip(classes["smallest"], classes["largest"], strict=True)):
        chosen = (jobs["processors"] >= low) & (jobs["processors"] <= high)
        assert classes["jobs"][row] == chosen.sum() > 0
        assert high == 1 or high == 2 * (low - 1)
        for name in ("turnaround", "slowdown"):
            assert classes[name][row] == pytest.approx(jobs[name][chosen].mean())
            assert classes[f"{name}.p95"][row] == np.quantile(jobs[name][chosen], 0.95)


def test_curves_give_the_figures_over_time(plain):
    """Summed up between their times; events, boxes and attempts are those of the recording."""
    figures, _ = figures_of(plain)
    for table, column, figure in (
        ("utilisation", "utilization", "utilization"),
        ("utilisation", "busy_list", "busy_list_mean"),
        ("utilisation", "external_fragmentation", "external_fragmentation"),
        ("queue", "queue_length", "queue_length_mean"),
    ):
        columns = table_of(plain, table)
        over_time = (np.diff(columns["t"]) * columns[column][:-1]).sum() / plain.end_time
        assert over_time == pytest.approx(figures[figure])
    events = table_of(plain, "events")
    assert list(zip(*(events[name].tolist() for name in ("t", "event", "job")), strict=True)) == [
        (line["t"], line["event"], line["job"]) for line in log_lines(plain)
    ]
    boxes = table_of(plain, "boxes")
    assert len(boxes["job"]) == sum(len(plain.boxes_of(job)) for job in range(len(plain.jobs)))
    attempts = table_of(plain, "attempts")
    assert len(attempts["job"]) == len(plain.attempts)
    starts = np.count_nonzero(plain.kinds == EventKind.START)
    assert np.count_nonzero(attempts["outcome"] == "placed") == starts


def test_packets_are_those_of_the_record(sending):
    """Their mean latency and blocking are the run's; slices of channels add up to what they carried."""
    packets, figures = table_of(sending, "packets"), figures_of(sending)[0]
    assert len(packets["packet"]) == len(sending.network)
    for name in ("latency", "blocking", "message_distance"):
        assert np.nanmean(packets[name]) == pytest.approx(figures[name])
    channels = table_of(sending, "channels")
    end = math.ceil(sending.end_time)
    assert channels["flits"].sum() == sending.network.carried(end).sum()
    assert not channels["virtual"].any()
    shared = sent(*((n, (n % 4, n // 4), (3 - n % 4, 3 - n // 4)) for n in range(16)), channels=2, flits=9)
    apart, whole = table_of(shared, "channels"), shared.network.carried(math.ceil(shared.end_time))
    assert set(apart["virtual"].tolist()) == {0, 1}
    assert apart["flits"].sum() == whole.sum()
    named = set(zip(apart["channel"].tolist(), apart["virtual"].tolist(), strict=True))
    assert len(set(apart["channel"].tolist())) < len(named)
    count, slices = channel_slices(sending, every=7)
    assert len(list(slices)) == count == -(-end // 7)

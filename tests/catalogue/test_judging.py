"""Verdicts, paired comparisons and the runs still wanted, on samples whose answers are known."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.catalogue import judging
from meshgui.catalogue.entries import ResultPoint, catalogue
from meshgui.catalogue.results_in_words import row_of, short, shown, verdicts_in_words
from meshgui.engine.basics.translation import speaking
from meshgui.experiment.statistics import Estimate, difference_of_means, estimate
from tests.published import an_entry

CATALOGUE = catalogue()
LOADS = (1.0, 2.0, 3.0)


def runs(setting="here", load=None, **means):
    """Two equal runs of each strategy, or those that are listed."""
    made = {name: mean if isinstance(mean, list) else [mean] * 2 for name, mean in means.items()}
    return {
        ResultPoint(setting, name, load): [
            {"turnaround": value, "overhead_seconds": value} for value in values
        ]
        for name, values in made.items()
    }


def number(strategy="gabl", **rest):
    """A number of a strategy's turnaround."""
    return {"figure": "turnaround", "strategy": strategy} | rest


def only(entry, samples):
    """The one number of an entry, judged."""
    [judged] = judging.judge(entry, samples)
    return judged


# Values published, by the verdict on them where GABL's turnaround is 100 and First Fit's 200.
VALUES = [
    ({}, {"reproduced": [95], "same order": [200, 50], "differs": [201, 49, 0]}),
    ({"to": "ff"}, {"reproduced": [0.5, 0.46], "same order": [0.3, 0.26, 0.95, 1.0], "differs": [1.3, 0.24]}),
    ({"strategy": "ff", "to": "gabl"}, {"same order": [1.05, 1.0], "differs": [4.1, 0.9]}),
    (
        {"strategy": "ff", "to": "gabl", "difference": True},
        {"reproduced": [95], "same order": [51, 199], "differs": [49, 201, -95]},
    ),
    ({"to": "ff", "difference": True}, {"same order": [-60], "differs": [-40]}),
]


@pytest.mark.parametrize(
    ("published", "verdict"),
    [
        *(
            (number(**about, value=value), verdict)
            for about, verdicts in VALUES
            for verdict, values in verdicts.items()
            for value in values
        ),
        (number(least=80, most=100), "reproduced"),
        (number(most=95), "same order"),
        (number(least=105, most=200), "same order"),
        (number(least=111, most=200), "same order"),
        (number(least=112, most=200), "differs"),
        (number(most=50), "differs"),
        (number("", highest=["ff"]), "reproduced"),
        (number("", lowest=["ff"]), "differs"),
        (number("ff", to="gabl", difference=True, least=90, most=110), "reproduced"),
    ],
)
def test_a_verdict_follows_from_the_numbers(published, verdict):
    """Within 10 % is reproduced; within a factor of 2 the order is the same, if the same one is ahead."""
    assert only(an_entry(published), runs(gabl=100.0, ff=200.0)).verdict == verdict
    assert (judging.NEAR, judging.ALIKE) == (0.10, 2.0)
    assert "10\N{NO-BREAK SPACE}%" in judging.RULE


@pytest.mark.parametrize(
    ("published", "gabl", "ff", "verdict"),
    [
        # Ten percent off is near enough, and the bound itself is within it.
        (number(value=100.0), 110.0, 1.0, "reproduced"),
        (number(value=100.0), 90.0, 1.0, "reproduced"),
        (number(value=100.0), 110.5, 1.0, "same order"),
        # Only of a ratio does it count who is ahead.
        (number(value=0.6), 1.1, 1.0, "same order"),
        (number(to="ff", value=0.6), 1.1, 1.0, "differs"),
        (number(value=1.3), 0.8, 1.0, "same order"),
        (number(to="ff", value=1.3), 0.8, 1.0, "differs"),
        # Beside a strategy that has none of a figure a ratio is infinite, or 1 if this one has none either.
        (number(to="ff", value=2.0), 1.0, 0.0, "differs"),
        (number(to="ff", value=1.0), 1.0, 0.0, "differs"),
        (number(to="ff", value=1.0), 0.0, 0.0, "reproduced"),
        (number(to="ff", value=2.0), 0.0, 0.0, "same order"),
    ],
)
def test_a_verdict_at_the_bounds(published, gabl, ff, verdict):
    """Ten percent, one, and nothing."""
    assert only(an_entry(published), runs(gabl=gabl, ff=ff)).verdict == verdict


def test_verdicts_are_listed_with_the_comma_of_the_language():
    """In Arabic a Latin comma after a number would be read as part of it."""
    entry = an_entry(number(value=100.0), number("ff", value=100.0))
    judged = judging.judge(entry, runs(gabl=100.0, ff=250.0))
    said = {}
    for language in ("en", "ar"):
        with speaking(language):
            said[language] = verdicts_in_words(judged)
    assert (said["en"].count(", "), said["ar"].count("، "), said["ar"].count(", ")) == (1, 1, 0)
    two = only(an_entry(number("", highest=["ff", "gabl"])), runs(gabl=1.0, ff=2.0))
    with speaking("ar"):
        assert row_of(two).published.endswith("ff، gabl")


def test_the_amounts_of_a_table_are_judged_as_ratios_to_a_strategy_too():
    """The figures that the setting names, each behind its amount; that strategy's own has no ratio."""
    table = [
        number(name, figure=figure, value=value)
        for figure in ("turnaround", "overhead_seconds")
        for name, value in (("gabl", 30.0), ("ff", 60.0))
    ]
    entry = an_entry(*table, ratios={"to": "ff", "figures": ["turnaround"]})
    judged = judging.judge(entry, runs(gabl=100.0, ff=200.0))
    assert [(j.to, j.published) for j in judged] == [
        ("", 30.0), ("ff", 0.5), ("", 60.0), ("", 30.0), ("", 60.0),
    ]  # fmt: skip
    assert [judged[1].measured.mean, judged[1].ratio, judged[1].verdict] == [0.5, 1.0, "reproduced"]
    assert [j.number.derived for j in judged] == [False, True, False, False, False]


@pytest.mark.parametrize(("published", "measured"), [(0.0, Estimate(3.0, 0.1, 5)), (2.0, None), (None, None)])
def test_beside_nothing_there_is_no_ratio(published, measured):
    """A published number that is 0 or is not known, or one that was not measured, has no multiple."""
    [(setting, wanted)] = an_entry(number("gabl", value=30.0)).numbers
    assert judging.JudgedNumber(setting, wanted, judging.Verdict.DIFFERS, published, measured).ratio is None


def test_one_run_with_something_is_enough_for_a_ratio():
    """What has none of a figure in some runs has a mean; runs of the other setting are compared."""
    judged = only(an_entry(number(to="ff", value=0.5)), runs(gabl=[100.0, 100.0], ff=[0.0, 400.0]))
    assert (judged.to, judged.measured.mean) == ("ff", 0.5)
    entry = an_entry(
        number(load=2.0, to="ff", to_setting="there", to_load=3.0, value=4.0),
        number(load=2.0, to="gabl", to_load=1.0, value=2.0),
        loads=LOADS,
    )
    samples = runs(load=2.0, gabl=40.0) | runs("there", load=3.0, ff=10.0) | runs(load=1.0, gabl=20.0)
    assert set(entry.points) == set(samples)
    assert [judged.measured.mean for judged in judging.judge(entry, samples)] == [4.0, 2.0]


@pytest.mark.parametrize(("extreme", "load", "mean"), [("greatest", 2.0, 0.5), ("least", 3.0, 0.1)])
def test_an_extreme_over_loads_is_taken_of_the_ratio(extreme, load, mean):
    """At every load the ratio is had, and the greatest or the least of them counts."""
    entry = an_entry(number(over_loads=extreme, to="ff", value=mean), loads=LOADS)
    samples = runs(load=1.0, gabl=60.0, ff=200.0) | runs(load=2.0, gabl=50.0, ff=100.0)
    samples |= runs(load=3.0, gabl=100.0, ff=1000.0)
    judged = only(entry, samples)
    assert (judged.load, judged.measured.mean, judged.verdict) == (load, mean, "reproduced")
    assert {at: found.mean for at, found in judged.loads.items()} == {1.0: 0.3, 2.0: 0.5, 3.0: 0.1}


def test_runs_are_compared_in_pairs_and_what_was_not_run_has_no_verdict():
    """Those with the same seeds; without runs of a point that a number needs, it is not judged."""
    entry = an_entry(number(to="ff", value=0.5))
    judged = only(entry, runs(gabl=[10.0, 20.0, 30.0], ff=[20.0, 40.0]))
    assert judged.measured == Estimate(0.5, 0.0, 2)
    assert judged.precise
    entry = an_entry(number(value=100.0), number(to="ff", value=0.5))
    first, second = judging.judge(entry, runs(gabl=100.0))
    assert (first.verdict, second.verdict) == (judging.Verdict.REPRODUCED, judging.Verdict.NOT_RUN)
    assert not second.precise
    assert judging.judge(entry, {})[0].verdict is judging.Verdict.NOT_RUN


EXAMPLE = CATALOGUE["004-E1"]
(SCHEDULE,) = EXAMPLE.settings.values()
AS_PUBLISHED = {
    name: value for row in SCHEDULE.numbers[0].schedule for name, value in row.figures.items()
} | {"turnaround": 7.0}


@pytest.mark.parametrize(
    ("run", "verdict"),
    [
        (AS_PUBLISHED, "reproduced"),
        (AS_PUBLISHED | {"job 4 start": 8.0}, "differs"),
        (AS_PUBLISHED | {"job 6 box 0 x": 0.0}, "differs"),
        (AS_PUBLISHED | {"job 7 start": 8.0}, "differs"),
        ({name: value for name, value in AS_PUBLISHED.items() if name != "job 5 finish"}, "differs"),
        ({}, "differs"),
    ],
)
def test_a_schedule_is_reproduced_only_as_a_whole(run, verdict):
    """Every job's box, start and finish, in every run, and no other job's."""
    point = ResultPoint(SCHEDULE.name, "ta*")
    assert EXAMPLE.points == (point,)
    (judged,) = judging.judge(EXAMPLE, {point: [AS_PUBLISHED, run]})
    assert judged.verdict == verdict
    assert judged.precise


def test_a_ratio_of_means_leaves_out_what_both_share_and_every_point_is_wanted_at_first():
    """What runs share falls out; at first the least number is wanted, of an imprecise ratio both points."""
    assert judging.ratio_of_means([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]) == Estimate(0.5, 0.0, 3)
    assert judging.ratio_of_means([1.0, 3.0], [2.0, 2.0]).half_width > 1
    assert judging.ratio_of_means([0.0, 0.0], [0.0, 0.0]) == Estimate(1.0, 0.0, 2)
    assert judging.ratio_of_means([0.0, 1.0], [0.0, 0.0]) == Estimate(math.inf, math.inf, 2)
    assert difference_of_means([11.0, 52.0, 93.0], [10.0, 51.0, 92.0]) == Estimate(1.0, 0.0, 3)
    entry = an_entry(number(to="ff", value=0.5), least=8)
    assert judging.runs_needed(entry, {}) == dict.fromkeys(entry.points, 8)
    assert judging.runs_needed(entry, {}, quick=True) == dict.fromkeys(entry.points, 1)
    assert set(judging.runs_needed(entry, runs(gabl=[1.0] * 8))) == {ResultPoint("here", "ff")}
    entry = an_entry(number(to="ff", value=1.0), number("ff", value=10.0), most=5)
    wide = runs(gabl=[10.0, 30.0, 20.0], ff=[10.0, 10.0, 10.0])
    assert judging.runs_needed(entry, wide) == {ResultPoint("here", "gabl"): 5, ResultPoint("here", "ff"): 5}
    assert judging.runs_needed(entry, wide, quick=True) == {}
    assert judging.runs_needed(an_entry(number("ff", value=10.0)), wide) == {}
    assert judging.runs_needed(entry, wide, precision=3.0) == {}
    assert judging.runs_needed(an_entry(number(value=20.0), most=100), wide) == {
        ResultPoint("here", "gabl"): 6
    }


@pytest.mark.parametrize("spread", [0.11, 0.12, 0.14])
def test_as_many_more_runs_are_wanted_as_the_interval_speaks_for(spread):
    """Half the width falls with the root of the runs: its excess over the precision counts squared."""
    values = [20 - 20 * spread, 20 + 20 * spread] * 10
    excess = estimate(values).relative_error / judging.PRECISION
    assert 1 < excess**2 < 2
    wanted = judging.runs_needed(an_entry(number(value=20.0)), runs(gabl=values))
    assert wanted == {ResultPoint("here", "gabl"): math.ceil(20 * excess**2)}


def test_every_number_is_looked_at_and_only_the_load_of_the_extreme_is_wanted_more_often():
    """One precise says nothing of others, nor would others make the greatest greater; wall time scatters."""
    entry = an_entry(number("ff", value=10.0), number(value=20.0))
    samples = runs(ff=[10.0, 10.0], gabl=[10.0, 30.0])
    assert judging.runs_needed(entry, samples) == {ResultPoint("here", "gabl"): 4}
    exact = estimate([10.0, 30.0]).relative_error
    assert judging.runs_needed(entry, samples, precision=exact) == {}
    assert judging.runs_needed(entry, samples, precision=exact * 0.999) != {}
    entry = an_entry(number(over_loads="greatest", value=20.0), loads=LOADS)
    samples = runs(load=1.0, gabl=[1.0, 3.0]) | runs(load=2.0, gabl=[10.0, 30.0])
    samples |= runs(load=3.0, gabl=[2.0, 6.0])
    assert judging.runs_needed(entry, samples) == {ResultPoint("here", "gabl", 2.0): 4}
    timed = {"figure": "overhead_seconds", "strategy": "gabl", "value": 20.0}
    assert judging.runs_needed(an_entry(timed), runs(gabl=[10.0, 30.0])) == {}


measured = st.lists(st.floats(1.0, 1e6), min_size=2, max_size=20)


@given(values=measured, published=st.floats(1.0, 1e6))
def test_a_verdict_is_the_rule_applied_to_the_mean(values, published):
    """For any runs, whatever their interval, the verdict on an amount is that of their mean."""
    judged = only(an_entry(number(value=published)), runs(gabl=values))
    mean = estimate(values).mean
    if abs(mean - published) <= judging.NEAR * published:
        assert judged.verdict == "reproduced"
    else:
        near = published / judging.ALIKE <= mean <= published * judging.ALIKE
        assert judged.verdict == ("same order" if near else "differs")
    assert judged.precise == (judged.measured.relative_error <= judging.PRECISION)
    assert math.isclose(judged.ratio, mean / published)


@given(values=measured, scale=st.floats(0.01, 100))
def test_a_ratio_of_proportional_runs_is_their_scale(values, scale):
    """What both runs share falls out, however much it scatters."""
    ratio = judging.ratio_of_means([scale * value for value in values], values)
    assert ratio.mean == pytest.approx(scale)
    assert ratio.half_width <= 1e-6 * scale


@given(values=measured, least=st.integers(1, 10), most=st.integers(10, 50))
def test_wanted_runs_come_to_an_end(values, least, most):
    """Runs are added step by step, never beyond the most, until nothing is wanted."""
    entry = an_entry(number(value=1.0), least=least, most=most)
    (point,) = entry.points
    have, drawn = [], iter(values * most)
    for _ in range(most):
        want = judging.runs_needed(entry, {point: have})
        if not want:
            break
        assert len(have) < want[point] <= most
        have += [{"turnaround": next(drawn)} for _ in range(want[point] - len(have))]
    assert judging.runs_needed(entry, {point: have}) == {}
    known = judging.judge_number(entry, *next(entry.numbers), {point: have}).measured
    assert len(have) == most or known.relative_error <= judging.PRECISION


def test_an_order_by_the_clock_can_be_said_without_its_times():
    """So that a page does not change with every run; amounts that come out alike are said."""
    samples = runs(gabl=3.0, ff=2.0)
    for figure, said in (("overhead_seconds", "lowest: ff"), ("turnaround", "ff 2 < gabl 3")):
        [judged] = judging.judge(an_entry({"figure": figure, "lowest": ["ff"]}), samples)
        assert row_of(judged, times=False).measured == said
        assert row_of(judged).measured.startswith("ff 2")


def test_published_and_measured_numbers_have_a_comma_in_german():
    """As the charts beside them do."""
    with speaking("de"):
        assert (short(1234.0), short(2.058)) == ("1.234", "2,06")
        assert shown(estimate([2.0, 2.5])) == "2,2 ± 3,2"


@pytest.mark.parametrize(
    ("mean", "half", "said"),
    [
        (93.04, 9.21, "93.0 ± 9.2"),
        (1.65, 0.077, "1.650 ± 0.077"),
        (533.44, 7.4, "533.4 ± 7.4"),
        (1234.5, 80.0, "1,234 ± 80"),
    ],
)
def test_a_mean_and_its_interval_have_one_precision(mean, half, said):
    """That of the interval's second digit, as in every other table."""
    assert shown(Estimate(mean, half, 10)) == said
